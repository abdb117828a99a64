"""The table of Three Bridges: cards, rows facing each other, points, and what can be done now."""

from games.presenters.three_bridges.cards import face_of
from games.presenters.three_bridges.table import present

__all__ = ["face_of", "present"]
