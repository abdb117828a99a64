"""Prepared answers played: by a sweep, a while after the opponent's turn, as if by hand.

The row is the truth and the game's lock decides: what is chosen before it is chosen once more
under it, a turn by hand or a second worker that came first makes the try void, and the request id
of an answer lets its turn be made once. A passed deadline wins over an answer.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from games.engine.api import Json, Seat, other
from games.models import Game, PreparedAnswer
from games.plans import plan_complete
from games.prepared.answers import public_events
from games.prepared.registry import ANSWERS
from games.refusals import Code, Refusal
from games.selectors import Folded, game_fold, games_with_due_answers
from games.services.answers import STATUS, WHY, answers_close
from games.services.rows import Writing, game_lock
from games.services.turns import prepared_submit

log = logging.getLogger(__name__)

SWEEP_JOB = "games.answers_sweep"

_VOID = (Code.STALE, Code.GAME_OVER, Code.NOT_YOUR_TURN, Code.DEADLINE_PASSED)
"""Refusals that say that somebody was faster: nothing is wrong with the answer."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is to come of a seat's waiting answers: the first that fits, None where none does."""

    seat: Seat
    answer: PreparedAnswer | None
    due_at: datetime


def answers_sweep(*, now: datetime) -> int:
    """Play every answer that is due, and close those of games that are over; gives how many."""
    over = PreparedAnswer.objects.filter(status=STATUS.WAITING)
    over = over.exclude(game__status=Game.Status.RUNNING)
    over.update(status=STATUS.EXPIRED, why=WHY.OVER, closed_at=now)
    return sum(_fire_alone(game_id, now) for game_id in games_with_due_answers())


def answers_fire(*, game_id: int, now: datetime) -> bool:
    """Play the answer that fits the opponent's turn, if it is time; says whether it did.

    Where none fits, all expire; where its turn is not legal, nothing is played, and the rows say
    why. Safe to run twice. Locks: the game's row, and the match's where the game ends.
    """
    game = Game.objects.select_related("match__player_0", "match__player_1").get(pk=game_id)
    chosen = choose(game, game_fold(game))
    if chosen is None or now < chosen.due_at:
        return False
    if chosen.answer is None:
        return _close(game, chosen, now)
    answer = chosen.answer
    try:
        prepared_submit(
            game_id=game_id,
            user=game.match.players[chosen.seat],
            build=lambda writing, seat: _build(writing, seat, answer),
            expected_version=game.version,
            request_id=answer.request_id,
            now=now,
        )
    except Refusal as refusal:
        if refusal.code not in _VOID:
            _fail(game, answer, refusal, now)
        return False
    return True


def choose(game: Game, folded: Folded) -> Chosen | None:
    """Say what is to come of the waiting answers of the seat to act; None where there are none.

    The first in order that the opponent's turn meets. Answers to an earlier turn meet nothing. One
    query where none waits, two otherwise.
    """
    if not game.is_running or game.turn is None:
        return None
    seat: Seat = 0 if game.turn == 0 else 1
    waiting = list(
        game.prepared_answers.filter(seat=seat, status=STATUS.WAITING).order_by("position", "pk")
    )
    if not waiting:
        return None
    since = _turn_began(folded, seat)
    titles, opponent = ANSWERS[game.match.title], other(seat)
    told = [event for version, event in folded.events if version > since]
    events = public_events(folded.title, told)
    fitting = (
        answer
        for answer in waiting
        if answer.since_version == since and titles.is_met(answer.condition, events, opponent)
    )
    wait = timedelta(seconds=waiting[0].delay_s)
    return Chosen(seat, next(fitting, None), _over_at(game) + wait)


def _turn_began(folded: Folded, seat: Seat) -> int:
    """Give the version of the seat's last action before the opponent's turn."""
    seats = [folded.title.action_json(action)["seat"] for action in folded.actions]
    return max((at for at, acted in enumerate(seats, start=1) if acted == seat), default=0)


def _over_at(game: Game) -> datetime:
    """Give the moment at which the opponent's turn was over."""
    last = game.actions.filter(version=game.version).values_list("created_at", flat=True).first()
    return last or game.started_at


def _build(writing: Writing, seat: Seat, answer: PreparedAnswer) -> Sequence[Json]:
    """Give the actions of an answer that still stands under the lock. Raises `Refusal`."""
    game, title = writing.game, writing.title
    chosen = choose(game, game_fold(game))
    if chosen is None or chosen.answer != answer:
        raise Refusal(Code.STALE)
    titles = ANSWERS[game.match.title]
    actions = titles.actions(title, game.match.ruleset, writing.state, seat, answer.plan)
    return plan_complete(title, writing.state, seat, actions)


def _close(game: Game, chosen: Chosen, now: datetime) -> bool:
    """Let all waiting answers expire, unless something happened meanwhile."""
    with transaction.atomic(durable=True):
        locked = game_lock(game.pk)
        if locked.is_running and locked.version == game.version:
            answers_close(locked, chosen.seat, now, why=WHY.NO_MATCH)
    return False


def _fail(game: Game, answer: PreparedAnswer, refusal: Refusal, now: datetime) -> None:
    """Note why an answer could not be played; what waited behind it has no more turn to answer."""
    with transaction.atomic(durable=True):
        locked = game_lock(game.pk)
        waiting = PreparedAnswer.objects.filter(pk=answer.pk, status=STATUS.WAITING)
        if not locked.is_running or locked.version != game.version or not waiting.exists():
            return
        told = {"code": refusal.code.value, "params": refusal.params}
        waiting.update(status=STATUS.FAILED, refusal=told, closed_at=now)
        answers_close(locked, 0 if answer.seat == 0 else 1, now, why=WHY.OTHER)


def _fire_alone(game_id: int, now: datetime) -> bool:
    """Play one answer of many: a fault in it is told, and keeps no other game waiting."""
    try:
        return answers_fire(game_id=game_id, now=now)
    except Exception:
        log.exception("answers of game %s could not be played", game_id)
        return False
