"""The only writers of ratings: the ledger, and the standings as it moves them.

Whoever holds the standings concerned and the ladder's row (in that order: `ladder.locking`) draws
the order key, so that keys follow the order in which ratings changed, and moves the ladder's
counters, so that they always add up.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from datetime import datetime
from typing import Protocol

from django.db import transaction
from django.db.models import F

from games import publish
from games.endings import ENDINGS
from games.models import Match
from ladder.counters import counted
from ladder.elo import Score, Step, rate
from ladder.locking import (
    all_locked,
    held_now,
    ladder_of,
    standings_lock,
    standings_recount,
)
from ladder.memberships import standings_rest
from ladder.models import Ladder, LedgerEntry, Standing
from ladder.rebuild import Difference, compared, replay, results_of
from ladder.selectors import last_played, matches_uncorrected, matches_unrated

log = logging.getLogger(__name__)


class MatchWork(Protocol):
    """What is done to one match; says whether this call did it."""

    def __call__(self, *, match_id: int, now: datetime) -> bool: ...


def match_rate(*, match_id: int, now: datetime) -> bool:
    """Rate a finished rated match; says whether this call did. Safe to run twice or at once.

    Locks: as in `ladder.locking`.
    """
    match = Match.objects.filter(pk=match_id).first()
    if match is None or not is_rateable(match):
        return False
    with transaction.atomic(durable=True):
        ladder = ladder_of(match.title, match.ruleset_slug)
        standings = standings_lock(ladder, [match.player_0_id, match.player_1_id], now)
        # Another worker, or a moderator, may have been faster while this one waited.
        match.refresh_from_db()
        if not is_rateable(match) or _has_entries(match, LedgerEntry.Kind.MATCH):
            return False
        pair = (standings[match.player_0_id], standings[match.player_1_id])
        steps = rate(pair[0].side, pair[1].side, score_of(match))
        _ledger_write(match, ladder, steps, now)
        for standing, step in zip(pair, steps, strict=True):
            _standing_move(standing, step, match)
        standings_recount(ladder, pair, now)
        _board_tell(match)
    return True


def match_correct(*, match_id: int, now: datetime) -> bool:
    """Take an annulled match out of its ladder; says whether this call did. Safe to run twice.

    The ladder's other matches are rated anew in their order. Each player whose rating comes out
    otherwise, and each of the match's own two, gets a CORRECTION entry, so that the ladder
    equals one on which the match was never played; nor does it keep its two active.
    Locks: the ladder's door, all its standings in id order, then its row, so nothing is rated
    meanwhile.
    """
    match = Match.objects.filter(pk=match_id, ending=Match.Ending.ANNULLED).first()
    if match is None or not _has_entries(match, LedgerEntry.Kind.MATCH):
        return False
    with transaction.atomic(durable=True):
        ladder = ladder_of(match.title, match.ruleset_slug)
        differing = _differences_locked(ladder)
        if _has_entries(match, LedgerEntry.Kind.CORRECTION):
            return False
        players = {match.player_0_id, match.player_1_id} - {row.user_id for row in differing}
        rows = Standing.objects.filter(ladder=ladder, user__in=players)
        unmoved = [Difference(row.pk, row.user_id, row.side, row.side) for row in rows]
        _corrections_write(match, ladder, [*differing, *unmoved], now)
        own = _activity_set(ladder, [match.player_0_id, match.player_1_id])
        changed = {row.pk: row for row in (*own, *_standings_set(differing))}
        standings_recount(ladder, changed.values(), now)
    return True


def standings_restore(ladder: Ladder, *, now: datetime) -> int:
    """Set standings to what the matches make them; gives how many were otherwise.

    The ledger stays as it is: it was right, and the standings were not. Locks: all standings
    of the ladder in id order, then its row.
    """
    with transaction.atomic(durable=True):
        differing = _differences_locked(ladder)
        standings_recount(ladder, _standings_set(differing), now)
    return len(differing)


def counters_restore(ladder: Ladder, *, now: datetime) -> None:
    """Count all members of a ladder anew. Locks: all its standings in id order, then its row."""
    with transaction.atomic():
        rows = all_locked(ladder)
        wrong = [row for row in rows if row.held != held_now(row, now)]
        for row in wrong:
            row.counted, row.is_active = held_now(row, now)
        Standing.objects.bulk_update(wrong, ["counted", "is_active"], batch_size=500)
        Ladder.objects.filter(pk=ladder.pk).update(counts=counted(row.held for row in rows))


def ratings_sweep(*, now: datetime) -> int:
    """Rate every match that should be and is not, in the order of their ends; gives how many.

    Annulled matches that still stand in their ladders are taken out, and members who have not
    played for long or were shut out lose their numbers.
    """
    n_rated = sum(_alone(match_rate, "rated", match_id, now) for match_id in matches_unrated())
    for match_id in matches_uncorrected():
        _alone(match_correct, "corrected", match_id, now)
    standings_rest(now=now)
    return n_rated


def is_rateable(match: Match) -> bool:
    """Say whether a match changes ratings: it is rated, over, and ended in a way that counts."""
    return match.is_rated and bool(match.ending) and ENDINGS[match.ending].is_rated


def score_of(match: Match) -> Score:
    """Give the score of seat 0 in a finished match."""
    if match.winner is None:
        return Score.DRAW
    return Score.WIN if match.winner == 0 else Score.LOSS


def _board_tell(match: Match) -> None:
    """Let open boards of the match's last game show the new ratings, after the commit."""
    if (last := match.games.order_by("-round").first()) is not None:
        publish.finished_changed(last)


def _has_entries(match: Match, kind: str) -> bool:
    return LedgerEntry.objects.filter(match=match, kind=kind).exists()


def _differences_locked(ladder: Ladder) -> list[Difference]:
    """Lock a whole ladder, and find the standings that the matches make otherwise."""
    standings = all_locked(ladder)
    Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
    return compared(standings, replay(results_of(ladder)))[1]


def _standings_set(differing: list[Difference]) -> Collection[Standing]:
    """Write many standings at once, and give them."""
    found = Standing.objects.select_related("user")
    rows = found.in_bulk([row.standing_id for row in differing])
    for difference in differing:
        row, side = rows[difference.standing_id], difference.rebuilt
        row.rating, row.n_matches, row.peak = side.rating, side.n_matches, side.peak
    Standing.objects.bulk_update(rows.values(), ["rating", "n_matches", "peak"], batch_size=500)
    return rows.values()


def _activity_set(ladder: Ladder, user_ids: Collection[int]) -> Collection[Standing]:
    """Let locked standings be active since the last match that counts, or since they joined."""
    played = last_played(ladder, user_ids)
    found = Standing.objects.filter(ladder=ladder, user__in=user_ids)
    rows = list(found.select_related("user"))
    for row in rows:
        row.active_at = played.get(row.user_id, row.joined_at)
    Standing.objects.bulk_update(rows, ["active_at"])
    return rows


def _corrections_write(
    match: Match, ladder: Ladder, differing: list[Difference], now: datetime
) -> None:
    order_key = _order_key_draw(ladder)
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            kind=LedgerEntry.Kind.CORRECTION,
            ladder=ladder,
            order_key=order_key,
            match=match,
            user_id=difference.user_id,
            rating_before=difference.stored.rating,
            change=difference.rebuilt.rating - difference.stored.rating,
            rating_after=difference.rebuilt.rating,
            created_at=now,
        )
        for difference in differing
    )


def _order_key_draw(ladder: Ladder) -> int:
    """Draw the next place in a ladder's order. The row stays locked until the commit."""
    Ladder.objects.filter(pk=ladder.pk).update(last_order_key=F("last_order_key") + 1)
    return Ladder.objects.values_list("last_order_key", flat=True).get(pk=ladder.pk)


def _ledger_write(match: Match, ladder: Ladder, steps: tuple[Step, Step], now: datetime) -> None:
    order_key = _order_key_draw(ladder)
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            ladder=ladder,
            order_key=order_key,
            match=match,
            user_id=user_id,
            seat=seat,
            score=step.score,
            n_before=step.before.n_matches,
            peak_before=step.before.peak,
            k=step.k,
            opponent_rating=step.opponent_rating,
            expected_ppm=step.expected_ppm,
            rating_before=step.before.rating,
            change=step.change,
            rating_after=step.after.rating,
            created_at=now,
        )
        for seat, (user_id, step) in enumerate(
            zip((match.player_0_id, match.player_1_id), steps, strict=True)
        )
    )


def _standing_move(standing: Standing, step: Step, match: Match) -> None:
    assert match.finished_at is not None
    side = step.after
    standing.rating, standing.n_matches, standing.peak = side.rating, side.n_matches, side.peak
    is_first = step.before.n_matches == 0
    # A late rating of an older match does not make a player less active.
    standing.active_at = (
        match.finished_at if is_first else max(standing.active_at, match.finished_at)
    )
    standing.save(update_fields=["rating", "n_matches", "peak", "active_at"])


def _alone(work: MatchWork, aim: str, match_id: int, now: datetime) -> bool:
    """Do one match of many: a fault in it is told, and keeps no other match waiting."""
    try:
        return work(match_id=match_id, now=now)
    except Exception:
        log.exception("match %s not %s", match_id, aim)
        return False
