"""The table of Schotten Totten: cards, stones, claims, and what the viewer can do now."""
