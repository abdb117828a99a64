"""Turns: the one way in which a player's actions reach a game.

Order under the lock (docs/architecture.md): seat, repeated request, clock, version, rules. The
repeat comes before the version, or an honest retry would come back as stale.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from games import publish
from games.access import AnyUser
from games.engine.api import Json, Seat
from games.models import Game, Match, Submission
from games.plans import plan_complete
from games.refusals import Code, Refusal
from games.services.answers import answers_close
from games.services.deadlines import deadline_decide
from games.services.endings import game_finish
from games.services.forced import forced_turns_write
from games.services.notices import notice_due
from games.services.rows import (
    Writing,
    actions_write,
    game_lock,
    game_open,
    player_seat,
    request_id_check,
)

Build = Callable[[Writing, Seat], Sequence[Json]]


@dataclass(frozen=True, slots=True)
class Submitted:
    """A submission that stands: the version it led to, and whether it had been made before."""

    version: int
    is_repeated: bool


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks for what on which board; `request_id` is one a rendered form."""

    game_id: int
    user: AnyUser
    payload: Json
    expected_version: int
    request_id: str
    is_at_site: bool = True
    """Whether who asks was just served a page: the site sends prepared turns by itself."""


def turn_submit(
    *,
    game_id: int,
    user: AnyUser,
    actions: Sequence[Json],
    expected_version: int,
    request_id: str,
    now: datetime,
) -> Submitted:
    """Make a confirmed plan's actions, the closing draw or end added.

    Raises `Refusal`: NOT_A_PLAYER, REQUEST_REUSED, GAME_OVER, DEADLINE_PASSED, STALE,
    NOT_YOUR_TURN, MALFORMED, INCOMPLETE, ILLEGAL. Nothing is written then, except that a
    passed deadline is settled. Locks: the game's row, and the match's where the game ends.
    """
    request = Request(game_id, user, {"actions": list(actions)}, expected_version, request_id)
    return _submit(request, lambda writing, seat: _turn(writing, seat, actions), now)


def prepared_submit(
    *,
    game_id: int,
    user: AnyUser,
    build: Build,
    expected_version: int,
    request_id: str,
    now: datetime,
) -> Submitted:
    """Make the turn that a prepared answer comes to under the lock. Raises as `turn_submit`.

    The request stands for what `build` gives: both are of one answer, and it is used once.
    """
    payload = {"prepared": request_id}
    request = Request(game_id, user, payload, expected_version, request_id, is_at_site=False)
    return _submit(request, build, now)


def game_resign(
    *, game_id: int, user: AnyUser, expected_version: int, request_id: str, now: datetime
) -> Submitted:
    """Give up one game, whoever's turn it is; the match goes on. Raises as `turn_submit`."""
    request = Request(game_id, user, {"resign": "game"}, expected_version, request_id)
    return _submit(request, _resignation, now)


def match_resign(
    *, game_id: int, user: AnyUser, expected_version: int, request_id: str, now: datetime
) -> Submitted:
    """Give up the match with its running game. Raises as `turn_submit`."""
    request = Request(game_id, user, {"resign": "match"}, expected_version, request_id)
    return _submit(request, _resignation, now, match_ending=Match.Ending.RESIGN)


def _turn(writing: Writing, seat: Seat, actions: Sequence[Json]) -> Sequence[Json]:
    if writing.game.turn != seat:
        raise Refusal(Code.NOT_YOUR_TURN)
    return plan_complete(writing.title, writing.state, seat, actions)


def _resignation(writing: Writing, seat: Seat) -> Sequence[Json]:
    return [writing.title.action_json(writing.title.resign(seat))]


def _submit(
    request: Request, build: Build, now: datetime, match_ending: str | None = None
) -> Submitted:
    with transaction.atomic(durable=True):
        game = game_lock(request.game_id)
        seat = player_seat(game.match, request.user.pk)
        repeated = _repeated(request, seat)
        if repeated is not None:
            return repeated
        is_at_site = request.is_at_site and not getattr(request.user, "is_bot", False)
        submitted = None
        if deadline_decide(game, now, is_at_site=is_at_site):
            _check_version(game, request)
            submitted = _write(game, seat, request, build, now, match_ending)
    if submitted is None:  # said when what time has done is kept
        raise Refusal(Code.DEADLINE_PASSED)
    return submitted


def _repeated(request: Request, seat: Seat) -> Submitted | None:
    """Give the answer of the first time, where this seat sent this request before."""
    request_id_check(request.request_id)
    before = Submission.objects.filter(
        game_id=request.game_id, seat=seat, request_id=request.request_id
    ).first()
    if before is None:
        return None
    if before.payload_hash != _hash(request.payload):
        raise Refusal(Code.REQUEST_REUSED)
    return Submitted(before.version_after, is_repeated=True)


def _check_version(game: Game, request: Request) -> None:
    if not game.is_running:
        raise Refusal(Code.GAME_OVER)
    if game.version != request.expected_version:
        raise Refusal(Code.STALE)


def _write(
    game: Game,
    seat: Seat,
    request: Request,
    build: Build,
    now: datetime,
    match_ending: str | None,
) -> Submitted:
    writing = game_open(game)
    version_before, turn_before = game.version, game.turn
    state = actions_write(writing, build(writing, seat), now)
    version_after = game.version
    Submission.objects.create(
        game=game,
        seat=seat,
        request_id=request.request_id,
        payload_hash=_hash(request.payload),
        version_before=version_before,
        version_after=version_after,
        created_at=now,
    )
    has_fired = answers_close(game, seat, now, request_id=request.request_id)
    state = forced_turns_write(Writing(game, writing.title, state), now)
    outcome = writing.title.outcome(state)
    if outcome is not None:
        match = game_finish(game, outcome, now=now, match_ending=match_ending)
        _next_turn_tell(match, now)
    elif game.turn != turn_before or game.version != version_after or has_fired:
        turn_tell(game, now)
    return Submitted(version_after, is_repeated=False)


def _next_turn_tell(match: Match, now: datetime) -> None:
    """Tell who starts the next game, where there is one."""
    game = match.games.filter(status=Game.Status.RUNNING).first()
    if game is not None:
        turn_tell(game, now)


def turn_tell(game: Game, now: datetime) -> None:
    """Leave a notice for the player to act, or wake the bot. After commit: the bot's task."""
    match = game.match
    player = match.player_0 if game.turn == 0 else match.player_1
    if player.is_bot:
        publish.task("games.bot_act", game.pk)
    else:
        notice_due(game=game, user=player, now=now)


def _hash(payload: Json) -> str:
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
