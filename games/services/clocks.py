"""The clocks of a game: started, handed over and stopped here alone, by its locked row.

A bank changes only when a turn ends. What a pause has taken off a turn is never in it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from games import clocks, publish
from games.models import Game
from games.pauses import Pauses, match_pauses, turn_pauses

CLOCK_FIELDS: Final = ("turn", "turn_started_at", "deadline_at", "bank_0", "bank_1")
"""The columns that the functions here set; the caller saves them."""


def clock_start(game: Game, turn: int | None, now: datetime, pauses: Pauses | None = None) -> None:
    """Let the clock of a seat run, with the bank that it has."""
    assert turn is not None
    game.turn, game.turn_started_at = turn, now
    pauses = pauses or match_pauses(game.match, now)
    game.deadline_at = clocks.deadline(now, game.banks[turn], pauses.of(turn))


def clock_turn(game: Game, turn: int, now: datetime) -> None:
    """End the turn of the seat to act: the increment is added, and the other's clock runs."""
    pauses = turn_pauses(game)
    _settle_bank(game, now, pauses, has_increment=True)
    clock_start(game, turn, now, pauses)


def clock_stop(game: Game, now: datetime) -> None:
    """Stop the clocks of a game that is over; what is left of the banks stays as it was then."""
    if game.turn is not None:
        _settle_bank(game, now, turn_pauses(game), has_increment=False)
    game.turn, game.deadline_at = None, None


def clock_refresh(game: Game, *, may_shorten: bool = False) -> bool:
    """Look the deadline of a locked game up in the ledgers again; says whether it has moved.

    It moves back only where a player has ended a vacation before its time (`may_shorten`).
    After commit, where it moved: the game's open pages are told.
    """
    if game.turn is None or game.deadline_at is None:
        return False
    pauses = turn_pauses(game)
    if not (pauses.has_rows_for(game.turn) or may_shorten):
        return False  # weekends were known when the turn began
    spans = pauses.of(game.turn)
    deadline = clocks.deadline(game.turn_started_at, game.banks[game.turn], spans)
    if deadline == game.deadline_at or (deadline < game.deadline_at and not may_shorten):
        return False
    game.deadline_at = deadline
    game.save(update_fields=["deadline_at"])
    publish.clocks_changed(game)
    return True


def _settle_bank(game: Game, now: datetime, pauses: Pauses, *, has_increment: bool) -> None:
    assert game.turn is not None
    bank, spans = game.banks[game.turn], pauses.of(game.turn)
    left = clocks.left(game.turn_started_at, bank, now, spans)
    game.bank_set(game.turn, game.match.pace.bank_after(left) if has_increment else left)
