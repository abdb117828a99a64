"""Lets the deadlines of running games follow the ledgers of pauses. Safe to run twice."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q, QuerySet

from games.models import Game, Outage, Vacation
from games.services.clocks import clock_refresh
from games.services.rows import game_lock


def ledgers_apply() -> int:
    """Look up the deadlines that rows of the ledgers move which nobody has applied yet.

    Gives how many deadlines moved. Locks: one game after the other, each alone.
    """
    moved = 0
    for outage in Outage.objects.filter(is_applied=False):
        moved += _refresh_all(_running().values_list("pk", flat=True))
        Outage.objects.filter(pk=outage.pk).update(is_applied=True)
    for vacation in Vacation.objects.filter(is_applied=False):
        moved += vacation_apply(vacation)
    return moved


def vacation_apply(vacation: Vacation) -> int:
    """Let the games in which the player is to act follow a row of their ledger."""
    user_id = vacation.user_id
    to_act = Q(turn=0, match__player_0=user_id) | Q(turn=1, match__player_1=user_id)
    is_cut = vacation.ends_at < vacation.planned_end_at
    ids = _running().filter(to_act).values_list("pk", flat=True)
    moved = _refresh_all(ids, may_shorten=is_cut)
    # Where the player has come back meanwhile, the row stays to be applied once more.
    same = Vacation.objects.filter(pk=vacation.pk, ends_at=vacation.ends_at)
    same.update(is_applied=True)
    return moved


def _running() -> QuerySet[Game]:
    return Game.objects.filter(status=Game.Status.RUNNING, deadline_at__isnull=False)


def _refresh_all(game_ids: Iterable[int], *, may_shorten: bool = False) -> int:
    moved = 0
    for game_id in list(game_ids):
        with transaction.atomic(durable=True):
            moved += clock_refresh(game_lock(game_id), may_shorten=may_shorten)
    return moved
