"""Standings under lock, and the ladder's counters that follow them.

Locks are taken in one order: the ladder's door where a newcomer comes in or all standings are
wanted, the standings concerned by id, then the ladder's row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db import connection
from django.db.models import QuerySet

from games.engine.registry import get_ruleset
from ladder.counters import Held, bucket_of, moved
from ladder.models import Ladder, Standing
from ladder.selectors import INACTIVE_AFTER

_DOORS = 0x4D4C
"""The first half of the keys of advisory locks that are ladders' doors."""


def ladder_of(title: str, ruleset_slug: str) -> Ladder:
    """Find the ladder of a ruleset, or make it. Raises `MalformedRecord` for an unknown one."""
    get_ruleset(title, ruleset_slug)
    return Ladder.objects.get_or_create(title=title, ruleset_slug=ruleset_slug)[0]


def standings_lock(ladder: Ladder, user_ids: Collection[int], now: datetime) -> dict[int, Standing]:
    """Lock the standings of players in id order, made anew where there are none."""
    known = Standing.objects.filter(ladder=ladder, user__in=user_ids)
    missing = sorted(set(user_ids) - set(known.values_list("user_id", flat=True)))
    if missing:
        _door_lock(ladder)
        # Another may have brought the same newcomer while this one waited at the door.
        Standing.objects.bulk_create(
            [Standing(ladder=ladder, user_id=pk, joined_at=now, active_at=now) for pk in missing],
            ignore_conflicts=True,
        )
    return standings_locked(ladder, user_ids)


def standings_locked(ladder: Ladder, user_ids: Collection[int]) -> dict[int, Standing]:
    """Lock those standings of players that there are, in id order; gives them by user id."""
    rows = rows_locked(Standing.objects.filter(ladder=ladder, user__in=user_ids))
    return {standing.user_id: standing for standing in rows}


def rows_locked(rows: QuerySet[Standing]) -> QuerySet[Standing]:
    """Lock standings in id order, with their users, who are not locked."""
    with_users = rows.select_related("user").order_by("pk")
    return with_users.select_for_update(of=("self",), no_key=True)


def all_locked(ladder: Ladder) -> list[Standing]:
    """Lock all standings of a ladder in id order, also those that are being made."""
    _door_lock(ladder)
    return list(rows_locked(Standing.objects.filter(ladder=ladder)))


def _door_lock(ladder: Ladder) -> None:
    """Let nobody else come onto a ladder, or want all of it, until the transaction ends.

    Rows that another transaction has made and not committed can be neither seen nor locked, so
    whoever locks "all" would miss them. SQLite lets one writer in at a time anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_DOORS, ladder.pk])


def held_now(standing: Standing, now: datetime) -> Held:
    """Say what the counters should hold of a standing, whose user is loaded."""
    if standing.left_at is not None:
        return None, False
    has_played = standing.active_at > now - INACTIVE_AFTER
    return bucket_of(standing.rating), has_played and standing.user.is_active


def standings_recount(ladder: Ladder, standings: Iterable[Standing], now: datetime) -> None:
    """Move locked standings in the ladder's counters to where they stand now.

    Every change of membership, rating or activity ends here. Locks: the ladder's row, unless
    all is counted rightly already.
    """
    moves, wrong = [], []
    for row in standings:
        if row.held != (new := held_now(row, now)):
            moves.append((row.held, new))
            row.counted, row.is_active = new
            wrong.append(row)
    if wrong:
        locked = Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
        Ladder.objects.filter(pk=ladder.pk).update(counts=moved(locked.counts, moves))
        Standing.objects.bulk_update(wrong, ["counted", "is_active"], batch_size=500)
