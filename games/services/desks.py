"""What players keep at their boards: how far they have looked, and what they noted."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from accounts.models import User
from games.access import Seen
from games.models import Desk, Game
from games.refusals import Code, Refusal

LOOK_EVERY: Final = timedelta(minutes=5)
"""A look that shows nothing new is only written this long after the last one."""


def look_note(*, desk: Desk | None, game: Game, user: User, now: datetime) -> None:
    """Note that a player was shown a game as this row of it says.

    `desk` is what was read for the page. A look never goes back, whatever tab is the later one;
    where there is nothing to go forward to nothing is written. One query at most.
    """
    is_over = not game.is_running
    if desk is None:
        made = Desk(
            game=game, user=user, seen_version=game.version, seen_at=now, is_end_seen=is_over
        )
        Desk.objects.bulk_create([made], ignore_conflicts=True)
    elif _goes_on(desk, game, is_over=is_over, now=now):
        ended = {"is_end_seen": True} if is_over else {}
        Desk.objects.filter(pk=desk.pk, seen_version__lte=game.version).update(
            seen_version=game.version, seen_at=now, **ended
        )


def _goes_on(desk: Desk, game: Game, *, is_over: bool, now: datetime) -> bool:
    if desk.seen_version < game.version or (is_over and not desk.is_end_seen):
        return True
    return desk.seen_at is None or now - desk.seen_at > LOOK_EVERY


def note_save(
    *, seen: Seen, text: str, expected_version: int, page: str, is_over: bool = False
) -> Desk:
    """Write a player's note on a game down, as last written on one open `page` of theirs.

    Raises `Refusal`: NOT_A_PLAYER; NOTE_CHANGED where another page has written it since
    `expected_version`, which `is_over` writes over. The same text again is no change. Locks: the
    player's row at the game.
    """
    if seen.seat is None:
        raise Refusal(Code.NOT_A_PLAYER)
    user = seen.match.players[seen.seat]
    with transaction.atomic(durable=True):
        Desk.objects.bulk_create([Desk(game=seen.game, user=user)], ignore_conflicts=True)
        desk = Desk.objects.select_for_update().get(game=seen.game, user=user)
        if desk.note == text:
            return desk
        is_own = desk.note_version == expected_version or desk.note_page == page
        if not (is_own or is_over):
            raise Refusal(Code.NOTE_CHANGED, stored=desk.note)
        desk.note, desk.note_page, desk.note_version = text, page, desk.note_version + 1
        desk.save(update_fields=["note", "note_page", "note_version"])
        return desk
