"""Readers of what a player has played: matches by filter and order, a page at a time.

A page is found by where it begins, not by its number, so that the last page of ten thousand
matches costs what the first one does. Each seat is read by its own index and the two are merged:
a condition on either player would use neither.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from django.db.models import BooleanField, Func, Lookup, Q, QuerySet, Value
from django.db.models.lookups import GreaterThan, LessThan

from accounts.models import User
from games.access import AnyUser
from games.engine.api import Seat, other
from games.models import Game, Match

PAGE_SIZE: Final = 20
"""Matches on a page."""

SEATS: Final[tuple[Seat, Seat]] = (0, 1)


class Result(StrEnum):
    """What came of a match for one of its players."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    RUNNING = "running"
    ABORTED = "aborted"


class Order(StrEnum):
    """What the matches are sorted by; equal points stand in the same order of time."""

    NEWEST = "newest"
    OLDEST = "oldest"
    MOST_POINTS = "most-points"
    FEWEST_POINTS = "fewest-points"


@dataclass(frozen=True, slots=True)
class Filters:
    """Which matches are asked for; what is empty asks for all."""

    result: Result | None = None
    opponent: User | None = None
    ruleset: tuple[str, str] | None = None
    """Title and ruleset."""
    ending: str = ""
    since: datetime | None = None
    """Begun then or later."""
    before: datetime | None = None
    """Begun earlier than that."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a page begins: right after a match, or right before it where `is_back`."""

    match_id: int
    is_back: bool


@dataclass(frozen=True, slots=True)
class Page:
    """Some matches of a player in order, and whether there are others on either side."""

    matches: Sequence[Match]
    has_earlier: bool
    """Whether there is a page before this one in the order asked for."""
    has_later: bool


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a match stands in an order, for the one whose matches they are."""

    points: int
    started_at: datetime
    pk: int


def history_page(
    player: User,
    viewer: AnyUser,
    filters: Filters,
    order: Order = Order.NEWEST,
    cursor: Cursor | None = None,
) -> Page:
    """Find a page of a player's matches as `viewer` may see them.

    Private matches are there for their two players only. A cursor at a match that the viewer
    may not see, or that is none of the player's, counts as none. Two queries, three with a cursor.
    """
    place = None if cursor is None else _place_of(cursor.match_id, player, viewer)
    is_back = cursor is not None and cursor.is_back and place is not None
    found = [
        match
        for seat in SEATS
        for match in _of_seat(player, viewer, filters, seat, order, place, is_back=is_back)
    ]
    found.sort(key=lambda match: order_key(match, player, order), reverse=falls(order) != is_back)
    page, has_more = found[:PAGE_SIZE], len(found) > PAGE_SIZE
    if is_back:
        return Page(page[::-1], has_earlier=has_more, has_later=True)
    return Page(page, has_earlier=place is not None, has_later=has_more)


def games_of(matches: Iterable[Match]) -> dict[int, list[Game]]:
    """Give the games of some matches by match id, in the order of their rounds. One query."""
    games: dict[int, list[Game]] = defaultdict(list)
    found = Game.objects.filter(match__in=[match.pk for match in matches]).defer("piles")
    for game in found.order_by("match_id", "round"):
        games[game.match_id].append(game)
    return games


def matches_in_seat(player: User, viewer: AnyUser, filters: Filters, seat: Seat) -> QuerySet[Match]:
    """Give the matches in which a player holds a seat, as `viewer` may see them, unsorted."""
    return _visible(player, viewer, seat).filter(_condition(filters, seat))


def _of_seat(
    player: User,
    viewer: AnyUser,
    filters: Filters,
    seat: Seat,
    order: Order,
    place: _Place | None,
    *,
    is_back: bool,
) -> Iterable[Match]:
    """Read the matches in which the player holds a seat, one more than a page holds."""
    matches = matches_in_seat(player, viewer, filters, seat)
    is_falling = falls(order) != is_back
    if place is not None:
        matches = matches.filter(_beyond(place, seat, order, is_falling=is_falling))
    sign = "-" if is_falling else ""
    ordered = matches.order_by(*(sign + field for field in order_fields(seat, order)))
    return ordered.select_related("player_0", "player_1").defer(
        "secrets", "nonces", "rematch_secrets"
    )[: PAGE_SIZE + 1]


def _visible(player: User, viewer: AnyUser, seat: Seat) -> QuerySet[Match]:
    matches = Match.objects.filter(**{f"player_{seat}": player})
    if viewer == player:
        return matches
    return matches.filter(Q(is_private=False) | Q(**{f"player_{other(seat)}": viewer.pk}))


def _condition(filters: Filters, seat: Seat) -> Q:
    asked: dict[str, Any] = {}
    if filters.opponent is not None:
        asked[f"player_{other(seat)}"] = filters.opponent
    if filters.ruleset is not None:
        asked["title"], asked["ruleset_slug"] = filters.ruleset
    if filters.ending:
        asked["ending"] = filters.ending
    if filters.since is not None:
        asked["started_at__gte"] = filters.since
    if filters.before is not None:
        asked["started_at__lt"] = filters.before
    return Q(**asked) & _of_result(filters.result, seat)


def _of_result(result: Result | None, seat: Seat) -> Q:
    finished = Match.Status.FINISHED
    return {
        None: Q(),
        Result.WON: Q(status=finished, winner=seat),
        Result.DRAWN: Q(status=finished, winner__isnull=True),
        Result.LOST: Q(status=finished, winner=other(seat)),
        Result.RUNNING: Q(status=Match.Status.RUNNING),
        Result.ABORTED: Q(status=Match.Status.ABORTED),
    }[result]


def falls(order: Order) -> bool:
    """Say whether the highest comes first."""
    return order in (Order.NEWEST, Order.MOST_POINTS)


def _is_by_points(order: Order) -> bool:
    return order in (Order.MOST_POINTS, Order.FEWEST_POINTS)


def order_fields(seat: Seat, order: Order) -> list[str]:
    """Give the fields that the matches in a seat are sorted by."""
    return [f"points_{seat}"] * _is_by_points(order) + ["started_at", "id"]


def order_key(match: Match, player: User, order: Order) -> tuple[Any, ...]:
    """Give where a match stands in an order of one of its players."""
    seat = 0 if match.player_0_id == player.pk else 1
    key = (match.points[seat], match.started_at, match.pk)
    return key if _is_by_points(order) else key[1:]


def _place_of(match_id: int, player: User, viewer: AnyUser) -> _Place | None:
    mine = Match.objects.filter(Q(player_0=player) | Q(player_1=player), pk=match_id)
    match = mine.defer("secrets", "nonces", "rematch_secrets").first()
    if match is not None and match.is_private and match.seat_of(viewer.pk) is None:
        return None
    if match is None:
        return None
    seat = 0 if match.player_0_id == player.pk else 1
    return _Place(match.points[seat], match.started_at, match.pk)


def _beyond(place: _Place, seat: Seat, order: Order, *, is_falling: bool) -> Lookup[Any]:
    """Say what comes after a place: rows are compared whole, so that an index leads there."""
    fields = order_fields(seat, order)
    values = (place.points, place.started_at, place.pk)[-len(fields) :]
    compared = LessThan if is_falling else GreaterThan
    return compared(_Row(*fields), _Row(*map(Value, values)))


class _Row(Func):
    """Several values as one, compared by the first in which two differ."""

    template = "(%(expressions)s)"
    output_field = BooleanField()  # Nothing reads it: a row is only compared.
