"""Formats of dates where Django's own are not ours; other languages keep Django's."""
