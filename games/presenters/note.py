"""A player's own note on a game, as its form shows it to them alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accounts.models import User
from games.desk import MAX_NOTE, Desk


@dataclass(frozen=True, slots=True)
class Note:
    """The note with what its form sends along; `refusal` and `stored` where it was not saved."""

    game_id: int
    text: str
    version: int
    page: str
    is_saved: bool = False
    refusal: str = ""
    stored: str | None = None
    """What another page wrote meanwhile."""
    max_length: int = MAX_NOTE


def note_of(game_id: int, desk: Desk | None, page: str) -> Note:
    """Present a note to its owner; `page` tells this rendered page from others."""
    if desk is None:
        return Note(game_id, "", 0, page)
    return Note(game_id, desk.note, desk.note_version, page)


def notes_export(player: User) -> list[dict[str, Any]]:
    """List a player's notes on games, for the player's own data. One query."""
    noted = Desk.objects.filter(user=player).exclude(note="").order_by("pk")
    return [{"game_id": desk.game_id, "note": desk.note} for desk in noted]
