"""The Elo ladder."""
