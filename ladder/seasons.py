"""Seasons: the only writer of final standings, and their readers.

What is frozen follows from the ledger and from when matches ended, and from nothing that changes
later: a run that comes late gives the same. A rating at the end of a season is the start plus
all changes by matches that ended before, and by corrections that were written before.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from accounts.models import User
from games.models import Game, Match
from ladder import elo
from ladder.models import Ladder, LedgerEntry, Season, SeasonPlace
from ladder.quarters import Quarter, quarter_of
from ladder.selectors import matches_unrated

log = logging.getLogger(__name__)

GRACE: Final = timedelta(hours=1)
"""So long after its end a season is frozen: what ended in its last moment is rated by then."""

PAGE_SIZE: Final = 50

_MATCH = LedgerEntry.Kind.MATCH
_CORRECTION = LedgerEntry.Kind.CORRECTION


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """One page of final standings; `own` is the line of who looks, if any."""

    places: Sequence[SeasonPlace]
    page: int
    n_pages: int
    own: SeasonPlace | None


def seasons_freeze(*, now: datetime) -> list[Season]:
    """Freeze every season that is over and is not frozen; gives those that were by this call.

    Safe to run twice or at once. A season waits while a match that ended in it is not rated.
    A fault on one ladder is told, and keeps no other waiting.
    """
    frozen = []
    for ladder in Ladder.objects.order_by("pk"):
        try:
            frozen += [
                season
                for quarter in _unfrozen(ladder, now)
                if (season := season_freeze(ladder=ladder, quarter=quarter, now=now))
            ]
        except Exception:
            log.exception("season of %s not frozen", ladder)
    return frozen


def season_freeze(*, ladder: Ladder, quarter: Quarter, now: datetime) -> Season | None:
    """Write the final standings of a season, once; None where they stand or cannot be known yet.

    Locks: nothing that rating needs. Of two at once, one waits for the other's row.
    """
    if now < quarter.ends_at + GRACE or _is_rating_due(ladder, quarter.ends_at):
        return None
    with transaction.atomic(durable=True):
        season, is_new = Season.objects.get_or_create(
            ladder=ladder, year=quarter.year, number=quarter.number, defaults={"frozen_at": now}
        )
        if not is_new:
            return None
        season.n_places = _places_write(season)
        season.save(update_fields=["n_places"])
    return season


def seasons_of(ladder: Ladder) -> Sequence[Season]:
    """List the frozen seasons of a ladder in which somebody played, latest first. One query."""
    played = Season.objects.filter(ladder=ladder, n_places__gt=0).select_related("ladder")
    return list(played.order_by("-year", "-number"))


def winners_of(seasons: Sequence[Season]) -> dict[int, list[SeasonPlace]]:
    """Give the first lines of seasons, by season id. One query."""
    first = SeasonPlace.objects.filter(season__in=seasons, position__lte=3)
    winners: dict[int, list[SeasonPlace]] = {}
    for place in first.select_related("user").order_by("season", "position"):
        winners.setdefault(place.season_id, []).append(place)
    return winners


def season_page(season: Season, *, page: int, user: User | None) -> SeasonPage:
    """Read a page of final standings; pages count from 1. Two queries at most, at any size."""
    n_pages = max(1, -(-season.n_places // PAGE_SIZE))
    page = min(max(page, 1), n_pages)
    last = page * PAGE_SIZE
    lines = SeasonPlace.objects.filter(season=season).select_related("user")
    places = list(
        lines.filter(position__gt=last - PAGE_SIZE, position__lte=last).order_by("position")
    )
    own = None if user is None else lines.filter(user=user).first()
    return SeasonPage(places, page, n_pages, own)


def places_of(player: User, limit: int = 12) -> Sequence[SeasonPlace]:
    """List a player's places in seasons, latest first. One query."""
    places = SeasonPlace.objects.filter(user=player).select_related("season__ladder")
    return list(places.order_by("-season__year", "-season__number", "number")[:limit])


def _unfrozen(ladder: Ladder, now: datetime) -> Iterator[Quarter]:
    """Give the seasons of a ladder that are over and not frozen, in their order."""
    latest = Season.objects.filter(ladder=ladder).order_by("-year", "-number").first()
    if latest is not None:
        quarter = latest.quarter.next
    else:
        entries = LedgerEntry.objects.filter(ladder=ladder, kind=_MATCH)
        ended = entries.order_by("match__finished_at").values_list("match__finished_at", flat=True)
        first = ended.first()
        if first is None:
            return
        quarter = quarter_of(first)
    while quarter.ends_at + GRACE <= now:
        yield quarter
        quarter = quarter.next


def _is_rating_due(ladder: Ladder, before: datetime) -> bool:
    """Say whether a match that ended before a moment, or will have, still waits to be rated."""
    here = Match.objects.filter(title=ladder.title, ruleset_slug=ladder.ruleset_slug, is_rated=True)
    overdue = here.filter(games__status=Game.Status.RUNNING, games__deadline_at__lt=before)
    unrated = here.filter(pk__in=matches_unrated(), finished_at__lt=before)
    return unrated.exists() or overdue.exists()


def _places_write(season: Season) -> int:
    """Write the final standings, best first, and give how many; all within the database."""
    sums, args = _sums(season).query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            INSERT INTO {SeasonPlace._meta.db_table}
                (season_id, user_id, position, number, rating, n_matches, is_provisional)
            SELECT %s, user_id, row_number() OVER (ORDER BY total DESC, user_id),
                rank() OVER (ORDER BY total DESC), %s + total, n, n_ever < %s
            FROM ({sums}) sums
            """,  # noqa: S608 - Django wrote the query within, and all values are parameters
            [season.pk, elo.START, elo.PROVISIONAL_MATCHES, *args],
        )
        n_places: int = cursor.rowcount
    return n_places


def _sums(season: Season) -> QuerySet[Any, Any]:
    """Add up what counts at the end of a season, for each who ended a match in it."""
    starts_at, ends_at = season.quarter.starts_at, season.quarter.ends_at
    corrected = LedgerEntry.objects.filter(
        match=OuterRef("match"), kind=_CORRECTION, created_at__lt=ends_at
    )
    counts = Q(kind=_MATCH, is_corrected=False)
    entries = LedgerEntry.objects.filter(
        Q(kind=_MATCH, match__finished_at__lt=ends_at)
        | Q(kind=_CORRECTION, created_at__lt=ends_at),
        ladder=season.ladder,
    ).annotate(is_corrected=Exists(corrected))
    rows = entries.values("user_id").annotate(
        total=Sum("change"),
        n=Count("pk", filter=counts & Q(match__finished_at__gte=starts_at)),
        n_ever=Count("pk", filter=counts),
    )
    return rows.filter(n__gt=0)
