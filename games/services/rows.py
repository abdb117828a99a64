"""Locked rows, and the writing of actions that every service shares. Only services import it.

Locks leave keys alone (`no_key`): a new row that only refers to a locked one need not wait, so
that an accepted rematch and a second press of "rematch" cannot wait for each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games import publish
from games.engine.api import AnyTitle, Json, Seat
from games.engine.registry import get_title
from games.models import Action, Game, Match
from games.refusals import Code, Refusal
from games.selectors import game_state
from games.services.clocks import CLOCK_FIELDS, clock_stop, clock_turn

MAX_REQUEST_ID = 64


@dataclass(frozen=True, slots=True)
class Writing:
    """A locked running game with its state, ready to be written to."""

    game: Game
    title: AnyTitle
    state: Any


def game_lock(game_id: int) -> Game:
    """Lock a game's row and read it with its match. Raises `Game.DoesNotExist`.

    Locks: takes the game's row alone; a transaction must be open. Its match was read before
    the wait for the lock: what may have changed in it is asked anew.
    """
    games = Game.objects.select_related("match__player_0", "match__player_1")
    return games.select_for_update(of=("self",), no_key=True).get(pk=game_id)


def match_lock(match_id: int) -> Match:
    """Lock a match's row. Locks: after the match's game, never before it."""
    matches = Match.objects.select_related("player_0", "player_1")
    return matches.select_for_update(of=("self",), no_key=True).get(pk=match_id)


def running_game_lock(match_id: int) -> Game | None:
    """Lock the running game of a match; None where the match is over."""
    running = Game.objects.filter(match_id=match_id, status=Game.Status.RUNNING)
    # A round that ended during the wait for its lock may have made place for the next.
    while (game_id := running.values_list("pk", flat=True).first()) is not None:
        game = game_lock(game_id)
        if game.is_running:
            return game
    return None


def game_open(game: Game) -> Writing:
    """Fold a locked game for writing."""
    return Writing(game, get_title(game.match.title), game_state(game))


def request_id_check(request_id: str) -> None:
    """Check the form of a request id. Raises `Refusal` MALFORMED."""
    if not 0 < len(request_id) <= MAX_REQUEST_ID or "\0" in request_id:
        raise Refusal(Code.MALFORMED)


def player_seat(match: Match, user_id: int | None) -> Seat:
    """Give a user's seat. Raises `Refusal` NOT_A_PLAYER."""
    seat = match.seat_of(user_id)
    if seat is None:
        raise Refusal(Code.NOT_A_PLAYER)
    return seat


def actions_write(
    writing: Writing, actions: Sequence[Json], now: datetime, *, is_forced: bool = False
) -> Any:
    """Append actions to a locked game and move it on; gives the state after them.

    `is_forced` where the site takes them for their seat.

    The clock of the seat to act starts anew only when the turn went over to another seat.
    The caller ends the game where the state is over. Raises the engine's `IllegalAction`.
    After commit: the game's open pages are told.
    """
    game, title, state = writing.game, writing.title, writing.state
    rows = []
    for version, payload in enumerate(actions, start=game.version + 1):
        action = title.parse_action(payload)
        state = title.apply(state, action)
        stored = title.action_json(action)
        row = Action(game=game, version=version, payload=stored, created_at=now)
        row.is_forced = is_forced
        rows.append(row)
    Action.objects.bulk_create(rows)
    game.version += len(rows)
    turn = title.to_act(state)
    if turn is None:
        clock_stop(game, now)
    elif turn != game.turn:
        clock_turn(game, turn, now)
    game.save(update_fields=["version", *CLOCK_FIELDS])
    publish.game_changed(game)
    return state
