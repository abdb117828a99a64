"""The standings of a ladder, page by page, at the same price for ten members as for 100,000.

No page counts members: the ladder's counters say how many stand above a bucket of five points,
and the database counts within that one bucket, in the index.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, OuterRef, Q, QuerySet

from accounts.models import User
from games.models import Match
from ladder.counters import Counters, Tally, bounds, bucket_of
from ladder.models import Ladder, LedgerEntry, Standing
from ladder.packed import Packed, packed, unpacked

PAGE_SIZE = 50
N_AROUND = 12
"""So many lines above and below one member are shown around them."""

N_RECENT = 10
"""So many latest rated matches make form and trend."""

_MATCH = LedgerEntry.Kind.MATCH


@dataclass(frozen=True, slots=True)
class Recent:
    """A recent rated match: the score in half points, and what it changed."""

    score: int
    change: int


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the standings. `number` is None for inactive players; equal ratings share one."""

    standing: Standing
    number: int | None
    recent: Sequence[Recent]
    """The latest rated matches of the player, oldest first, without annulled ones."""


@dataclass(frozen=True, slots=True)
class StandingsPage:
    """One page of a ladder, best first. Pages count from 1; `own` is the line of who looks.

    The lines around one member stand across pages: `page` is the one where the member stands.
    """

    places: Sequence[Place]
    page: int
    n_pages: int
    n_members: int
    n_active: int
    own: Place | None
    own_page: int | None

    @property
    def is_own_here(self) -> bool:
        """Say whether the line of who looks is among these."""
        own = self.own
        return own is not None and any(
            place.standing.pk == own.standing.pk for place in self.places
        )


EMPTY_PAGE = StandingsPage((), 1, 1, 0, 0, None, None)
"""A ladder on which nobody has ever stood."""


@dataclass(frozen=True, slots=True)
class Above:
    """Who stands above a member: before them in the order, and with a higher rating."""

    before: Tally
    higher: Tally


def standings_page(ladder: Ladder, *, page: int, user: User | None) -> StandingsPage:
    """Collect a page of a ladder; a page beyond the last is the last. At most five queries."""
    counters = Counters(ladder.counts)
    page = min(max(page, 1), _n_pages(counters))
    start = (page - 1) * PAGE_SIZE
    own = None if user is None else standing_of(ladder, user)
    return _page(ladder, counters, range(start, start + PAGE_SIZE), page, own)


def standings_around(ladder: Ladder, own: Standing) -> StandingsPage:
    """Collect the lines around a member. At most five queries."""
    counters = Counters(ladder.counts)
    spot = above_of(ladder, counters, own).before.members
    lines = range(max(0, spot - N_AROUND), spot + N_AROUND + 1)
    return _page(ladder, counters, lines, spot // PAGE_SIZE + 1, own)


def page_of(ladder: Ladder, row: Standing) -> int:
    """Find the page on which a member stands. One query."""
    above = above_of(ladder, Counters(ladder.counts), row)
    return above.before.members // PAGE_SIZE + 1


def _n_pages(counters: Counters) -> int:
    return max(1, -(-counters.total.members // PAGE_SIZE))


def _page(
    ladder: Ladder, counters: Counters, lines: range, page: int, own: Standing | None
) -> StandingsPage:
    rows = _rows(ladder, counters, lines)
    recents = _recents(rows if own is None else [*rows, own])
    numbers = _numbers(ladder, counters, rows)
    places = [Place(row, numbers.get(row.pk), recents.get(row.pk, ())) for row in rows]
    own_place, own_page = None, None
    if own is not None:
        above = above_of(ladder, counters, own)
        number = above.higher.active + 1 if own.is_active else None
        own_place = Place(own, number, recents.get(own.pk, ()))
        own_page = above.before.members // PAGE_SIZE + 1
    total = counters.total
    return StandingsPage(
        places, page, _n_pages(counters), total.members, total.active, own_place, own_page
    )


def standing_of(ladder: Ladder, user: User) -> Standing | None:
    """Find a member's standing, None for others and those who left."""
    return members(ladder).filter(user=user).first()


def members(ladder: Ladder) -> QuerySet[Standing]:
    """Give the members of a ladder in the order of the standings."""
    found = Standing.objects.filter(ladder=ladder, left_at__isnull=True)
    return found.select_related("user").order_by("-rating", "pk")


def above_of(ladder: Ladder, counters: Counters, row: Standing) -> Above:
    """Count who stands above a member: by the counters, and exactly within the bucket."""
    bucket = bucket_of(row.rating)
    higher = Q(rating__gt=row.rating)
    before = higher | Q(rating=row.rating, pk__lt=row.pk)
    near = members(ladder).filter(rating__gte=row.rating, rating__lt=bounds(bucket)[1])
    found = near.order_by().aggregate(
        before=Count("pk", filter=before),
        before_active=Count("pk", filter=before & Q(is_active=True)),
        higher=Count("pk", filter=higher),
        higher_active=Count("pk", filter=higher & Q(is_active=True)),
    )
    above = counters.above(bucket)
    return Above(
        above + Tally(found["before"], found["before_active"]),
        above + Tally(found["higher"], found["higher_active"]),
    )


def n_lower_near(ladder: Ladder, rating: int) -> int:
    """Count the active members below a rating within its bucket: what counters do not tell.

    One query, in the index.
    """
    lowest = bounds(bucket_of(rating))[0]
    near = members(ladder).filter(rating__gte=lowest, rating__lt=rating, is_active=True)
    return near.order_by().count()


def _rows(ladder: Ladder, counters: Counters, lines: range) -> Sequence[Standing]:
    """List the members on some lines. One query, which skips no more than a bucket's members."""
    spot = counters.at(lines.start)
    if spot is None:
        return []
    bucket, n_above = spot
    below = members(ladder).filter(rating__lt=bounds(bucket)[1])
    skipped = lines.start - n_above
    # The index alone finds who is on the page; users are joined to those few. Were the ladder
    # named twice, the outer query would walk down all of it.
    here = below[skipped : skipped + len(lines)].values("pk")
    rows = Standing.objects.filter(pk__in=here).select_related("user")
    return sorted(rows, key=lambda row: (-row.rating, row.pk))


def _numbers(ladder: Ladder, counters: Counters, rows: Sequence[Standing]) -> dict[int, int]:
    """Number the active members of a page by standing id; who has equal ratings shares one."""
    if not rows:
        return {}
    above = above_of(ladder, counters, rows[0])
    seen, number, rating = above.before.active, above.higher.active + 1, rows[0].rating
    numbers = {}
    for row in rows:
        if not row.is_active:
            continue
        seen += 1
        if row.rating != rating:
            number, rating = seen, row.rating
        numbers[row.pk] = number
    return numbers


def _recents(standings: Sequence[Standing]) -> dict[int, Sequence[Recent]]:
    """Give the latest rated matches by standing id, oldest first. One query.

    Each player's come from the end of the ledger's index, however many there are.
    """
    entries = LedgerEntry.objects.filter(
        ladder=OuterRef("ladder"), user=OuterRef("user"), kind=_MATCH
    )
    latest = (
        entries.exclude(match__ending=Match.Ending.ANNULLED)
        .order_by("-order_key")
        .values(packed=packed("order_key", "score", "change"))[:N_RECENT]
    )
    rows = Standing.objects.filter(pk__in=[standing.pk for standing in standings])
    found = rows.values_list("pk", Packed(latest))
    return {
        pk: [Recent(score, change) for _key, score, change in unpacked(text)] for pk, text in found
    }
