"""Deadlines: a moment in a row, decided on the board page, on a move and by the sweep alike."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import transaction

from games.engine.api import Seat, other
from games.models import Game, Match
from games.paces import is_expired
from games.selectors import games_overdue, loses_on_time
from games.services.clocks import clock_refresh
from games.services.endings import game_finish, match_abort_now
from games.services.ledgers import ledgers_apply
from games.services.outages import is_site_down, outage_record
from games.services.rows import actions_write, game_lock, game_open
from games.services.vacations import vacation_rescue

log = logging.getLogger(__name__)

GRACE = timedelta(seconds=5)
"""What is left to a move that arrived in time and still waits for its lock: before it is over
nobody writes a passed deadline, though a late move is refused and pages show it at once."""


def deadline_settle(*, game_id: int, now: datetime) -> bool:
    """Write a passed deadline, if it is one; says whether it was. Safe to run twice.

    Locks: the game's row, then the match's.
    """
    with transaction.atomic(durable=True):
        game = game_lock(game_id)
        was_running = game.is_running
        deadline_decide(game, now)
    return was_running and not game.is_running


def deadline_decide(game: Game, now: datetime, *, is_at_site: bool = False) -> bool:
    """Say whether a locked game may be gone on with; ends it where its time is up.

    The one way in which time ends a game. Whoever is to write to a running game asks here first,
    and writes nothing where the answer is no: either the game is over now, or it will be when
    the grace is, or nobody can say yet, since the site is down. A game that is over already has
    no time to be up: yes.

    Before anybody loses, the ledgers of pauses are looked into: an outage or a vacation that the
    row does not know yet moves the deadline, and a vacation that begins by itself may save the
    game. `is_at_site`: who asks has just been served, so the site is up. Locks: the game's row is
    held; the pulse's, the player's and the match's may be taken.
    """
    if not (game.is_running and is_expired(game.deadline_at, now)):
        return True
    if is_at_site:
        outage_record(now=now)
    elif is_site_down(now):
        return False
    clock_refresh(game)
    while is_expired(game.deadline_at, now) and vacation_rescue(game):
        pass  # what a first vacation covered may be over by now, and a new year have begun
    if not is_expired(game.deadline_at, now):
        return True
    if is_expired(game.deadline_at, now - GRACE):
        _settle(game)
    return False


def _settle(game: Game) -> Match:
    """End a game as of its deadline, which has passed: the seat to act loses the match.

    Who never did anything in the match does not lose it, while no game of it is finished: it
    is aborted.
    """
    assert game.deadline_at is not None
    assert game.turn is not None
    ended_at = game.deadline_at
    loser: Seat = 0 if game.turn == 0 else 1
    if not loses_on_time(game.match, loser):
        return match_abort_now(game, ending=Match.Ending.ABANDONED, now=ended_at)
    writing = game_open(game)
    timeout = writing.title.action_json(writing.title.timeout(loser))
    state = actions_write(writing, [timeout], ended_at)
    outcome = writing.title.outcome(state)
    assert outcome is not None
    assert outcome.winner == other(loser)
    return game_finish(game, outcome, now=ended_at, match_ending=Match.Ending.TIMEOUT)


def deadlines_sweep(*, now: datetime) -> int:
    """Write every deadline that passed a moment ago or more; gives how many there were.

    Before that, deadlines follow what is new in the ledgers of pauses.
    """
    ledgers_apply()
    return sum(_settle_alone(game_id, now) for game_id in games_overdue(now - GRACE))


def _settle_alone(game_id: int, now: datetime) -> bool:
    """Settle one game of many: a fault in it is told, and keeps no other game waiting."""
    try:
        return deadline_settle(game_id=game_id, now=now)
    except Exception:
        log.exception("deadline of game %s not settled", game_id)
        return False
