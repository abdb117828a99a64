"""Readers of all that a player has played, for downloads: streamed, a few matches at a time.

Private matches are there for their two players only, as in the list of matches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from heapq import merge
from itertools import islice
from typing import Any, Final

from accounts.models import User
from games.access import AnyUser
from games.engine.api import Json
from games.history import (
    SEATS,
    Filters,
    Order,
    falls,
    matches_in_seat,
    order_fields,
    order_key,
)
from games.models import Action, Game, Match

CHUNK: Final = 50
"""Of so many matches the games are in memory at once."""


def matches_all(
    player: User, viewer: AnyUser, filters: Filters, order: Order = Order.NEWEST
) -> Iterator[Match]:
    """Stream all of a player's matches that fit, in the order asked for. Two queries."""

    def place(match: Match) -> Any:
        return order_key(match, player, order)

    sign = "-" if falls(order) else ""
    found = [
        matches_in_seat(player, viewer, filters, seat)
        .order_by(*(sign + field for field in order_fields(seat, order)))
        .select_related("player_0", "player_1")
        .iterator(chunk_size=1000)
        for seat in SEATS
    ]
    return merge(*found, key=place, reverse=falls(order))


def games_finished(
    player: User, viewer: AnyUser, filters: Filters, order: Order = Order.NEWEST
) -> Iterator[tuple[Game, list[Json]]]:
    """Stream the finished games of those matches with their actions, by match and round.

    Two queries, and two more for every fifty matches.
    """
    matches = matches_all(player, viewer, filters, order)
    while chunk := {match.pk: match for match in islice(matches, CHUNK)}:
        finished = Game.objects.filter(match__in=chunk, status=Game.Status.FINISHED)
        games = defaultdict[int, list[Game]](list)
        for game in finished.order_by("round"):
            game.match = chunk[game.match_id]
            games[game.match_id].append(game)
        payloads = _payloads([game.pk for each in games.values() for game in each])
        for match_id in chunk:
            yield from ((game, payloads[game.pk]) for game in games[match_id])


def _payloads(game_ids: list[int]) -> dict[int, list[Json]]:
    """Give the actions of games as stored, in order."""
    payloads = defaultdict[int, list[Json]](list)
    actions = Action.objects.filter(game__in=game_ids).order_by("game", "version")
    for game_id, payload in actions.values_list("game_id", "payload"):
        payloads[game_id].append(payload)
    return payloads
