"""What moderators are told about rated play: patterns that need a look, never a verdict.

Nothing is unrated by these rules. The page about rated play tells them to everybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Final

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Greatest, Least

from accounts.models import User
from games.models import Match

REPORT_DAYS: Final = 30
"""So many days back moderators look, unless they choose otherwise."""

PAIR_LIMIT: Final = 10
"""So many rated matches of one pair in the time looked at are many."""

SHORT_ACTIONS: Final = 12
"""A match that was given up or lost on time with fewer actions, of both together, is short."""

SHORT_LIMIT: Final = 3
"""So many short losses of one player in the time looked at are many."""

MUTUAL_LIMIT: Final = 3
"""Where each of two resigned so many matches to the other, wins may have been exchanged."""


@dataclass(frozen=True, slots=True)
class RepeatedPair:
    """Two players who often play each other, by name, with the score of their matches."""

    names: tuple[str, str]
    n_matches: int
    n_won: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ShortLosses:
    """A player who lost matches that had hardly begun, and the ids of those matches."""

    name: str
    match_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MutualResignations:
    """Two players who resign to each other, by name, with how often each did, and the matches."""

    names: tuple[str, str]
    n_resigned: tuple[int, int]
    match_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """All that needs a look."""

    pairs: Sequence[RepeatedPair]
    losses: Sequence[ShortLosses]
    mutual: Sequence[MutualResignations]

    @property
    def is_empty(self) -> bool:
        """Say whether nothing does."""
        return not (self.pairs or self.losses or self.mutual)


def report(since: datetime) -> Report:
    """Look for everything since a moment. Six queries."""
    return Report(repeated_pairs(since), short_losses(since), mutual_resignations(since))


def mutual_resignations(since: datetime) -> Sequence[MutualResignations]:
    """List pairs in which each resigned many rated matches to the other. Two queries."""
    resigned = _rated(since).filter(ending=Match.Ending.RESIGN).order_by("pk")
    found: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
    for match_id, one, two, winner in resigned.values_list("pk", "player_0", "player_1", "winner"):
        low, high = min(one, two), max(one, two)
        loser = two if winner == 0 else one
        found.setdefault((low, high), ([], []))[loser == high].append(match_id)
    many = {
        couple: matches
        for couple, matches in found.items()
        if min(len(matches[0]), len(matches[1])) >= MUTUAL_LIMIT
    }
    names = _names({user_id for couple in many for user_id in couple})
    ordered = sorted(many.items(), key=lambda item: (-sum(map(len, item[1])), item[0]))
    return [
        MutualResignations(
            (names[low], names[high]), (len(by_low), len(by_high)), (*by_low, *by_high)
        )
        for (low, high), (by_low, by_high) in ordered
    ]


def repeated_pairs(since: datetime) -> Sequence[RepeatedPair]:
    """List pairs with many rated matches that ended since a moment, most first. Two queries."""
    pairs = (
        _rated(since)
        .annotate(low=Least("player_0", "player_1"), high=Greatest("player_0", "player_1"))
        .values("low", "high")
        .annotate(
            n=Count("pk"),
            low_won=Count("pk", filter=_won_by(F("low"))),
            high_won=Count("pk", filter=_won_by(F("high"))),
        )
        .filter(n__gte=PAIR_LIMIT)
        .order_by("-n", "low", "high")
    )
    rows = list(pairs)
    names = _names({user_id for row in rows for user_id in (row["low"], row["high"])})
    return [
        RepeatedPair(
            (names[row["low"]], names[row["high"]]), row["n"], (row["low_won"], row["high_won"])
        )
        for row in rows
    ]


def short_losses(since: datetime) -> Sequence[ShortLosses]:
    """List players with many short rated losses since a moment, most first. Two queries."""
    losses = sorted(_short_losses(since))
    found = {
        loser: tuple(match_id for _loser, match_id in group)
        for loser, group in groupby(losses, key=lambda loss: loss[0])
    }
    many = {loser: ids for loser, ids in found.items() if len(ids) >= SHORT_LIMIT}
    names = _names(set(many))
    ordered = sorted(many.items(), key=lambda item: (-len(item[1]), item[0]))
    return [ShortLosses(names[loser], ids) for loser, ids in ordered]


def _short_losses(since: datetime) -> Iterator[tuple[int, int]]:
    """Give loser and match of each rated match that was given up when it had hardly begun."""
    given_up = _rated(since).filter(ending__in=(Match.Ending.RESIGN, Match.Ending.TIMEOUT))
    # The action with which a player resigns or is late is none that was played.
    short = given_up.annotate(n_actions=Count("games__actions")).filter(
        n_actions__lte=SHORT_ACTIONS
    )
    for match in short:
        yield (match.player_1_id if match.winner == 0 else match.player_0_id), match.pk


def _rated(since: datetime) -> QuerySet[Match]:
    return Match.objects.filter(is_rated=True, status=Match.Status.FINISHED, finished_at__gte=since)


def _won_by(user: F) -> Q:
    return Q(winner=0, player_0=user) | Q(winner=1, player_1=user)


def _names(user_ids: set[int]) -> dict[int, str]:
    return dict(User.objects.filter(pk__in=user_ids).values_list("pk", "name"))
