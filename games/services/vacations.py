"""Vacations: planned, begun, ended early, and begun by themselves to save a game.

A player's ledger is written under the lock of their row of `VacationChoice`, the last of all locks
but the ladder's: a game may be locked before it, and none after it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games import clocks, vacations
from games.clocks import Span
from games.models import Game, Match, Vacation, VacationChoice
from games.pauses import match_pauses, vacation_spans
from games.refusals import Code, Refusal
from games.services.clocks import clock_refresh
from games.services.ledgers import vacation_apply
from games.services.notices import vacation_notice_due

BACK_IN_TIME: Final = timedelta(hours=1)
"""Who ends a vacation has at least so much time left in every game."""


MAX_PLANS: Final = 20
"""So many vacations that have not begun can be planned at once."""


def vacation_start(*, user: User, now: datetime) -> Vacation:
    """Begin a vacation at once, for as long as there are days; its player ends it.

    Raises `Refusal` VACATION_RUNNING, NO_VACATION_LEFT. Locks: the player's choice; after
    that game after game.
    """
    with transaction.atomic(durable=True):
        ledger = _ledger_lock(user.pk)
        if _covers(ledger, now):
            raise Refusal(Code.VACATION_RUNNING)
        end = vacations.longest_end(now, ledger)
        if end - now < vacations.SHORTEST:
            raise _none_left(end, ledger)
        vacation = _write(user.pk, Span(now, end), now)
    vacation_apply(vacation)
    return vacation


def vacation_plan(*, user: User, starts_at: datetime, ends_at: datetime, now: datetime) -> Vacation:
    """Plan a vacation.

    Raises `Refusal` BAD_VACATION (in the past, too short or long, too far ahead), VACATION_RUNNING
    (another one lies in that time), TOO_MANY_PLANS, NO_VACATION_LEFT (there are fewer days).
    Locks as `vacation_start`.
    """
    if starts_at < now or starts_at > now + vacations.AHEAD:
        raise Refusal(Code.BAD_VACATION)
    if not vacations.SHORTEST <= ends_at - starts_at <= vacations.LONGEST:
        raise Refusal(Code.BAD_VACATION)
    with transaction.atomic(durable=True):
        ledger = _ledger_lock(user.pk)
        if any(span.start < ends_at and starts_at < span.end for span in ledger):
            raise Refusal(Code.VACATION_RUNNING)
        if sum(span.start > now for span in ledger) >= MAX_PLANS:
            raise Refusal(Code.TOO_MANY_PLANS, limit=MAX_PLANS)
        if (end := vacations.longest_end(starts_at, ledger)) < ends_at:
            raise _none_left(end, ledger)
        vacation = _write(user.pk, Span(starts_at, ends_at), now)
    vacation_apply(vacation)
    return vacation


def _none_left(end: datetime, ledger: list[Span]) -> Refusal:
    """Say which year's days are used up where a vacation would have to end."""
    year = vacations.year_of(end)
    return Refusal(Code.NO_VACATION_LEFT, year=year, n=vacations.left_in(year, ledger).days)


def vacation_end(*, user: User, vacation_id: int, now: datetime) -> Vacation:
    """Come back early, or give up a plan; what is left of it is not used up. Twice is once.

    Raises `Refusal` NOT_A_PLAYER (another's), TIME_IS_SHORT (a game would be lost within the
    hour: its turn comes first). Locks as `vacation_start`.
    """
    with transaction.atomic(durable=True):
        ledger = _ledger_lock(user.pk)
        vacation = Vacation.objects.filter(pk=vacation_id, user=user).first()
        if vacation is None:
            raise Refusal(Code.NOT_A_PLAYER)
        if vacation.ends_at <= now or vacation.starts_at == vacation.ends_at:
            return vacation
        end = max(now, vacation.starts_at)
        cut = Span(vacation.starts_at, end)
        rest = [cut if span.start == cut.start else span for span in ledger]
        if vacation.starts_at <= now:
            _check_time(user, rest, now)
        vacation.ends_at, vacation.cut_at, vacation.is_applied = end, now, False
        vacation.save(update_fields=["ends_at", "cut_at", "is_applied"])
    vacation_apply(vacation)
    return vacation


def vacation_choose(*, user: User, is_automatic: bool, now: datetime) -> None:
    """Say whether a vacation may begin by itself when a game would otherwise be lost.

    It holds for deadlines from now on; the same choice once more changes nothing.
    """
    choice, _ = VacationChoice.objects.get_or_create(user=user)
    others = VacationChoice.objects.filter(pk=choice.pk).exclude(is_automatic=is_automatic)
    others.update(is_automatic=is_automatic, chosen_at=now)


def vacation_rescue(game: Game) -> bool:
    """Save a locked game whose deadline has passed by a vacation; says whether one began.

    It begins as of the deadline, where the match allows it, and the player to act had chosen so
    and had days left then: what a player does afterwards gives no time back. Locks: the game's
    row is held, the player's choice is taken.
    """
    assert game.turn is not None
    assert game.deadline_at is not None
    user_id = game.match.player_id(game.turn)
    if not may_rescue(game.match, user_id, game.deadline_at):
        return False
    _ledger_lock(user_id)
    if clock_refresh(game):
        return True  # another game was saved meanwhile, and this one with it
    ledger = vacation_spans(user_id, at=game.deadline_at)
    span = Span(game.deadline_at, vacations.longest_end(game.deadline_at, ledger))
    if span.end <= span.start:
        return False
    vacation = _write(user_id, span, span.start, game)
    vacation_notice_due(game=game, vacation=vacation, now=span.start)
    return clock_refresh(game)


def may_rescue(match: Match, user_id: int, at: datetime) -> bool:
    """Say whether a vacation may begin by itself at a moment: the match and the choice allow it."""
    if not match.is_vacation_allowed:
        return False
    chosen = VacationChoice.objects.filter(user_id=user_id, is_automatic=True, chosen_at__lte=at)
    return chosen.exists()


def _ledger_lock(user_id: int) -> list[Span]:
    VacationChoice.objects.get_or_create(user_id=user_id)
    VacationChoice.objects.select_for_update(no_key=True).get(user_id=user_id)
    return vacation_spans(user_id)


def _covers(ledger: list[Span], at: datetime) -> bool:
    return any(span.start <= at < span.end for span in ledger)


def _write(user_id: int, span: Span, now: datetime, game: Game | None = None) -> Vacation:
    return Vacation.objects.create(
        user_id=user_id,
        starts_at=span.start,
        ends_at=span.end,
        planned_end_at=span.end,
        is_automatic=game is not None,
        game=game,
        created_at=now,
    )


def _check_time(user: User, ledger: list[Span], now: datetime) -> None:
    """Refuse a return that loses a game at once."""
    to_act = Q(turn=0, match__player_0=user) | Q(turn=1, match__player_1=user)
    running = Game.objects.filter(to_act, status=Game.Status.RUNNING)
    for game in running.select_related("match__player_0", "match__player_1"):
        if not game.match.is_vacation_allowed:
            continue
        assert game.turn is not None
        pauses = match_pauses(game.match, game.turn_started_at)
        pauses.vacations[user.pk] = tuple(ledger)
        spans = pauses.of(game.turn)
        left = clocks.left(game.turn_started_at, game.banks[game.turn], now, spans)
        if left < BACK_IN_TIME:
            opponent = game.match.players[1 - game.turn].name
            raise Refusal(Code.TIME_IS_SHORT, opponent=opponent)
