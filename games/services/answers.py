"""Prepared answers: made, sorted and removed by their player, and closed with the player's turn.

They are written under the lock of their game. They are told to nobody: nothing is published, and
no other page, list or count depends on them.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Max, QuerySet

from games.access import AnyUser
from games.engine.api import Seat
from games.engine.registry import get_title
from games.models import Game, Match, PreparedAnswer
from games.prepared.answers import Answer, covers
from games.prepared.registry import ANSWERS
from games.refusals import Code, Refusal
from games.selectors import game_state
from games.services.deadlines import deadline_decide
from games.services.rows import game_lock, player_seat, request_id_check

MAX_WAITING: Final = 20
"""How many answers to one turn a player may prepare."""

STATUS = PreparedAnswer.Status
WHY = PreparedAnswer.Why


@dataclass(frozen=True, slots=True)
class Prepared:
    """An answer that is asked for, on the board at `expected_version`, by the form `form_id`."""

    game_id: int
    user: AnyUser
    answer: Answer
    expected_version: int
    form_id: str


def may_prepare(match: Match, seat: Seat | None) -> bool:
    """Say whether a seat can prepare answers in a match at all.

    Not where both sit at the board together, and not against a bot, which plays at once.
    """
    if seat is None or match.pace.is_live or match.title not in ANSWERS:
        return False
    return not match.players[1 - seat].is_bot


def answer_add(asked: Prepared, *, now: datetime) -> None:
    """Add an answer to the opponent's turn that is under way, as the last of the list.

    The same form once more changes nothing. Raises `Refusal`: NOT_A_PLAYER, NO_ANSWERS, MALFORMED,
    REQUEST_REUSED, GAME_OVER, DEADLINE_PASSED, STALE, OWN_TURN, TOO_MANY_ANSWERS, INCOMPLETE,
    NOT_PREPARED, ILLEGAL, ANSWER_NEVER. Nothing is written then, except that a passed deadline is
    settled. Locks: the game's row, and the match's where time ends it.
    """
    request_id_check(asked.form_id)
    with transaction.atomic(durable=True):
        game = game_lock(asked.game_id)
        seat = player_seat(game.match, asked.user.pk)
        own = PreparedAnswer.objects.filter(game=game, seat=seat)
        before = own.filter(form_id=asked.form_id).first()
        if before is not None:
            if Answer(before.condition, before.plan) != asked.answer:
                raise Refusal(Code.REQUEST_REUSED)
            return
        is_late = not deadline_decide(game, now, is_at_site=True)
        if not is_late:
            _add(asked, game, seat, now)
    if is_late:
        raise Refusal(Code.DEADLINE_PASSED)


def answer_remove(*, game_id: int, user: AnyUser, answer_id: int) -> None:
    """Remove an answer that still waits; one that does not is left as it is.

    Raises `Refusal` NOT_A_PLAYER. Locks: the game's row.
    """
    with transaction.atomic(durable=True):
        _waiting(game_id, user).filter(pk=answer_id).delete()


def answer_raise(*, game_id: int, user: AnyUser, answer_id: int, place: int) -> None:
    """Move a waiting answer up by one place, unless the other could never be played then.

    `place` is the position that it had on the page: one that has another by now stays there, so
    that two clicks move it once.

    Raises `Refusal`: NOT_A_PLAYER, ANSWER_NEVER. Locks: the game's row.
    """
    with transaction.atomic(durable=True):
        rows = list(_waiting(game_id, user))
        places = [row.position for row in rows]
        for before, row in itertools.pairwise(rows):
            if row.pk == answer_id and row.position == place:
                if covers(row.condition, before.condition):
                    raise Refusal(Code.ANSWER_NEVER)
                before.position, row.position = row.position, before.position
        for row, place in zip(rows, places, strict=True):
            if row.position != place:
                row.save(update_fields=["position"])


def answers_close(
    game: Game, seat: Seat, now: datetime, *, request_id: str = "", why: str = WHY.BY_HAND
) -> bool:
    """Close a seat's waiting answers, since its turn was made; says whether one of them made it.

    That one is found by the request id of the turn. Locks: the game's row is held.
    """
    waiting = dict(_of(game, seat).values_list("pk", "request_id"))
    fired = [pk for pk, own in waiting.items() if own == request_id]
    if not waiting:
        return False
    rows = PreparedAnswer.objects.filter(pk__in=waiting)
    rows.filter(pk__in=fired).update(status=STATUS.FIRED, closed_at=now)
    rest = rows.exclude(pk__in=fired)
    rest.update(status=STATUS.EXPIRED, why=WHY.OTHER if fired else why, closed_at=now)
    return bool(fired)


def turn_began(game: Game, seat: Seat) -> int:
    """Give the version at which the turn of a seat's opponent began: the seat's last action."""
    mine = game.actions.filter(payload__seat=seat, version__lte=game.version)
    return mine.order_by("-version").values_list("version", flat=True).first() or 0


def _waiting(game_id: int, user: AnyUser) -> QuerySet[PreparedAnswer]:
    game = game_lock(game_id)
    return _of(game, player_seat(game.match, user.pk))


def _of(game: Game, seat: Seat) -> QuerySet[PreparedAnswer]:
    rows = PreparedAnswer.objects.filter(game=game, seat=seat, status=STATUS.WAITING)
    return rows.order_by("position", "pk")


def _add(asked: Prepared, game: Game, seat: Seat, now: datetime) -> None:
    """Write an answer to a game in which there is time, where it is one."""
    _check_moment(game, seat, asked.expected_version)
    waiting = PreparedAnswer.objects.filter(game=game, seat=seat, status=STATUS.WAITING)
    if waiting.count() >= MAX_WAITING:
        raise Refusal(Code.TOO_MANY_ANSWERS, limit=MAX_WAITING)
    _check_answer(game, seat, asked.answer)
    if any(covers(row.condition, asked.answer.condition) for row in waiting):
        raise Refusal(Code.ANSWER_NEVER)
    last = waiting.aggregate(last=Max("position"))["last"] or 0
    PreparedAnswer.objects.create(
        game=game,
        user_id=game.match.players[seat].pk,
        seat=seat,
        since_version=turn_began(game, seat),
        position=last + 1,
        condition=asked.answer.condition,
        plan=asked.answer.plan,
        form_id=asked.form_id,
        created_at=now,
    )


def _check_moment(game: Game, seat: Seat, expected_version: int) -> None:
    """Refuse where no turn of the opponent is under way on the board that was looked at."""
    if not may_prepare(game.match, seat):
        raise Refusal(Code.NO_ANSWERS)
    if not game.is_running:
        raise Refusal(Code.GAME_OVER)
    if game.turn == seat:
        raise Refusal(Code.OWN_TURN)
    if game.version != expected_version:
        raise Refusal(Code.STALE)


def _check_answer(game: Game, seat: Seat, answer: Answer) -> None:
    title = get_title(game.match.title)
    view = title.view(game_state(game), seat)
    ANSWERS[game.match.title].check(title, game.match.ruleset, view, seat, answer)
