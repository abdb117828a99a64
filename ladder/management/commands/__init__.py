"""Commands of the ladder."""
