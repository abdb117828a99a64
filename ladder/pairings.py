"""The only maker of pairings: who waits on a ladder is read, paired, and given a match.

Locks: the standings of all who may wait, in id order, then the ladder's row. Under them every
match that counts is seen, so that a second run, at the same moment or after a crash, finds
nobody to pair twice. All matches of one run are made in one transaction.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from accounts.blocks import kept_apart
from games.engine.api import Seat
from games.models import Game, Heartbeat, Match
from games.services.matches import match_pair
from ladder.models import Ladder, Standing
from ladder.pairing import (
    APART,
    N_ROUNDS,
    NOT_AGAIN_FOR,
    Couple,
    Meeting,
    Outlook,
    Pair,
    Waiting,
    couple_of,
    outlook,
    pair_up,
    starter,
)

log = logging.getLogger(__name__)

SWEEP_JOB: Final = "ladder.pairing_sweep"
SWEEP_EVERY: Final = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Queue:
    """Who wants matches on a ladder, how they met lately, and who let a match lapse."""

    members: Sequence[Waiting]
    """All who want matches, also those who have them."""
    meetings: dict[Couple, Meeting]
    no_shows: frozenset[int]

    @property
    def waiting(self) -> Sequence[Waiting]:
        """Give those who have fewer matches than they want."""
        return [member for member in self.members if member.n_free > 0]


def pairing_sweep(*, now: datetime) -> int:
    """Pair those who wait, ladder by ladder; gives how many matches were made.

    A fault on one ladder is told, and keeps no other waiting.
    """
    n_made = 0
    for ladder in Ladder.objects.order_by("pk"):
        try:
            n_made += len(pairings_make(ladder=ladder, now=now))
        except Exception:
            log.exception("nobody paired on %s", ladder)
    return n_made


def pairings_make(*, ladder: Ladder, now: datetime) -> list[Match]:
    """Pair those who wait on one ladder; gives the new matches. Safe to run twice or at once.

    Who let a match of theirs lapse without a turn is paused instead. Locks: the standings of
    all who want matches in id order, then the ladder's row.
    """
    with transaction.atomic(durable=True):
        rows = _wanting(ladder).order_by("pk").select_for_update(of=("self",), no_key=True)
        standings = {standing.user_id: standing for standing in rows}
        if not standings:
            return []
        Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
        queue = _queue(ladder, list(standings.values()), now)
        _pause(standings, queue.no_shows, now)
        pairs = pair_up(queue.waiting, queue.meetings, now)
        made = _matches_make(ladder, pairs, now)
        paired = {pk for match in made for pk in (match.player_0_id, match.player_1_id)}
        ids = [standings[user_id].pk for user_id in sorted(paired)]
        Standing.objects.filter(pk__in=ids).update(waiting_since=now)
    return made


def outlook_for(ladder: Ladder, standing: Standing, now: datetime) -> Outlook | None:
    """Tell what a member can expect of the next pairing; None for who wants or gets none.

    Three queries; what they read grows with those who want matches, not with the ladder.
    """
    if not standing.n_wanted or standing.paused_at is not None:
        return None
    queue = _queue(ladder, list(_wanting(ladder)), now)
    own = next((one for one in queue.members if one.user_id == standing.user_id), None)
    return None if own is None else outlook(own, queue.waiting, queue.meetings, now)


def n_waiting(ladder: Ladder, now: datetime) -> int:
    """Count the members who wait for a match. Two queries, as in `outlook_for`."""
    return len(_queue(ladder, list(_wanting(ladder)), now).waiting)


def next_sweep_in(now: datetime) -> timedelta:
    """Tell how long it is until the next pairing, as far as the last one tells. One query."""
    beat = Heartbeat.objects.filter(job=SWEEP_JOB).first()
    left = SWEEP_EVERY if beat is None else beat.succeeded_at + SWEEP_EVERY - now
    return min(max(left, timedelta(minutes=1)), SWEEP_EVERY)


def _wanting(ladder: Ladder) -> QuerySet[Standing]:
    """Give the members who want to be paired, whether or not they have all they want."""
    wanting = Standing.objects.filter(
        ladder=ladder, left_at__isnull=True, paused_at__isnull=True, n_wanted__gt=0
    )
    # As in `may_play_rated`, for many at once.
    return wanting.filter(user__is_active=True, user__is_bot=False, user__is_guest=False)


def _queue(ladder: Ladder, standings: Sequence[Standing], now: datetime) -> Queue:
    """Read who of these members waits, whom they met, and whom they may not meet. Two queries."""
    members = {standing.user_id: standing for standing in standings}
    n_running = dict.fromkeys(members, 0)
    meetings: dict[Couple, Meeting] = {}
    last: dict[int, dict[str, Any]] = {}
    for row in _matches_lately(ladder, now):
        ids = (row["player_0"], row["player_1"])
        for user_id in members.keys() & set(ids):
            n_running[user_id] += row["status"] == Match.Status.RUNNING
            last[user_id] = row
        _meeting_add(meetings, couple_of(*ids), row)
    meetings |= dict.fromkeys(kept_apart(members), APART)
    no_shows = _no_shows(members, last)
    wanting = [
        Waiting(
            user_id,
            standing.rating,
            standing.n_wanted - n_running[user_id],
            frozenset(standing.paces),
            max(standing.waiting_since or standing.joined_at, standing.active_at),
        )
        for user_id, standing in members.items()
        if user_id not in no_shows
    ]
    return Queue(wanting, meetings, frozenset(no_shows))


def _matches_lately(ladder: Ladder, now: datetime) -> Iterable[dict[str, Any]]:
    """List rated matches of those who want any that run or began lately, oldest first."""
    wanting = _wanting(ladder).values("user")
    matches = Match.objects.filter(
        Q(status=Match.Status.RUNNING) | Q(started_at__gt=now - NOT_AGAIN_FOR),
        Q(player_0__in=wanting) | Q(player_1__in=wanting),
        title=ladder.title,
        ruleset_slug=ladder.ruleset_slug,
        is_rated=True,
    )
    fields = ("pk", "player_0", "player_1", "status", "ending", "started_at", "finished_at")
    rows: Iterable[dict[str, Any]] = matches.order_by("started_at", "pk").values(*fields)
    return rows


def _meeting_add(meetings: dict[Couple, Meeting], couple: Couple, row: dict[str, Any]) -> None:
    """Note a match that began after those noted before; one that runs is never over."""
    before = meetings.get(couple)
    is_running = row["status"] == Match.Status.RUNNING or (before and before.ended_at is None)
    meetings[couple] = Meeting(row["started_at"], None if is_running else row["finished_at"])


def _no_shows(members: dict[int, Standing], last: dict[int, dict[str, Any]]) -> set[int]:
    """Find members who let their last match lapse without a turn since they asked to be paired."""
    lapsed = {
        user_id: row["pk"]
        for user_id, row in last.items()
        if row["ending"] == Match.Ending.ABANDONED
        and row["finished_at"] > (members[user_id].waiting_since or members[user_id].joined_at)
    }
    if not lapsed:
        return set()
    games = Game.objects.filter(match__in=set(lapsed.values()), round=1).select_related("match")
    shown = games.annotate(starter_acted=Count("submissions")).order_by("pk")
    at_fault = set()
    for game in shown:
        # Nobody acted: the starter did not. One did: it was the starter, and the other did not.
        seat = game.first if not game.starter_acted else 1 - game.first
        at_fault.add((game.match_id, _player_ids(game.match)[seat]))
    return {user_id for user_id, match_id in lapsed.items() if (match_id, user_id) in at_fault}


def _pause(standings: dict[int, Standing], user_ids: Iterable[int], now: datetime) -> None:
    ids = [standings[user_id].pk for user_id in user_ids]
    if ids:
        Standing.objects.filter(pk__in=ids).update(paused_at=now)


def _matches_make(ladder: Ladder, pairs: Sequence[Pair], now: datetime) -> list[Match]:
    """Make the matches of pairs; a fault in one is told, and keeps no other from being made."""
    n_started = _n_started(ladder, {user_id for pair in pairs for user_id in pair.couple})
    made = []
    for pair in pairs:
        chosen = starter(pair.couple, n_started, _last_starter(ladder, pair.couple))
        seat: Seat | None = None if chosen is None else (0 if chosen == pair.couple[0] else 1)
        try:
            with transaction.atomic():
                match = match_pair(
                    title=ladder.title,
                    ruleset_slug=ladder.ruleset_slug,
                    n_rounds=N_ROUNDS,
                    pace_slug=pair.pace_slug,
                    player_ids=pair.couple,
                    first=seat,
                    now=now,
                )
        except Exception:
            log.exception("%s and %s not paired on %s", *pair.couple, ladder)
            continue
        made.append(match)
        if chosen is not None:
            n_started[chosen] = n_started.get(chosen, 0) + 1
    return made


def _firsts(ladder: Ladder) -> QuerySet[Game]:
    """Give the first games of a ladder's matches."""
    return Game.objects.filter(
        round=1,
        match__title=ladder.title,
        match__ruleset_slug=ladder.ruleset_slug,
        match__is_rated=True,
    )


def _n_started(ladder: Ladder, user_ids: set[int]) -> dict[int, int]:
    """Count the ladder matches that players started. Two queries."""
    counts: dict[int, int] = {}
    for seat, player in enumerate(("match__player_0", "match__player_1")):
        started = _firsts(ladder).filter(first=seat, **{f"{player}__in": user_ids})
        rows = started.values_list(player).annotate(n=Count("pk"))
        for user_id, n in rows.values_list(player, "n"):
            counts[user_id] = counts.get(user_id, 0) + n
    return counts


def _last_starter(ladder: Ladder, couple: Couple) -> int | None:
    """Give who of two started their last match here; None where they have not met. One query."""
    one, two = couple
    met = Q(match__player_0=one, match__player_1=two) | Q(match__player_0=two, match__player_1=one)
    game = _firsts(ladder).filter(met).select_related("match").order_by("-pk").first()
    return None if game is None else _player_ids(game.match)[game.first]


def _player_ids(match: Match) -> tuple[int, int]:
    return (match.player_0_id, match.player_1_id)
