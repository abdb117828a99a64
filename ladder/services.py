"""The only writers of ladders, standings and the ledger.

Locks are taken in one order: the standings concerned by id, then the ladder's row. Whoever
holds them all draws the order key, so that keys follow the order in which ratings changed, and
moves the ladder's counters, so that they always add up.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from django.db import transaction
from django.db.models import F, Q, QuerySet

from accounts.models import User
from games import publish
from games.endings import ENDINGS
from games.engine.registry import get_ruleset
from games.models import Match
from ladder.counters import Held, bucket_of, counted, moved
from ladder.elo import Score, Step, rate
from ladder.models import Ladder, LedgerEntry, Standing
from ladder.pairing import Wish
from ladder.rebuild import Difference, compared, replay, results_of
from ladder.selectors import INACTIVE_AFTER, last_played, matches_uncorrected, matches_unrated

log = logging.getLogger(__name__)

SWEEP_SIZE = 500
"""So many standings turn inactive in one transaction."""


class MatchWork(Protocol):
    """What is done to one match; says whether this call did it."""

    def __call__(self, *, match_id: int, now: datetime) -> bool: ...


class Reason(StrEnum):
    """Why a player cannot join, change what they wish, or leave."""

    NO_RATED_PLAY = "no_rated_play"
    MATCHES_RUNNING = "matches_running"
    NOT_A_MEMBER = "not_a_member"
    BAD_WISH = "bad_wish"


class LadderRefusal(Exception):
    """A service did nothing, and says why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


def may_play_rated(user: User) -> bool:
    """Say whether a user may play rated matches: bots and guests play casual ones alone."""
    return user.is_active and not user.is_bot and not user.is_guest


def ladder_of(title: str, ruleset_slug: str) -> Ladder:
    """Find the ladder of a ruleset, or make it. Raises `MalformedRecord` for an unknown one."""
    get_ruleset(title, ruleset_slug)
    return Ladder.objects.get_or_create(title=title, ruleset_slug=ruleset_slug)[0]


def ladder_join(
    *, title: str, ruleset_slug: str, user: User, now: datetime, wish: Wish | None = None
) -> Standing:
    """Join a ladder, or join it again with the old rating; twice is as good as once.

    `wish` says which matches the player wants to be paired for; members change theirs with it.
    Raises `LadderRefusal`: NO_RATED_PLAY, BAD_WISH. Locks: the player's standing,
    then the ladder's row.
    """
    if not may_play_rated(user):
        raise LadderRefusal(Reason.NO_RATED_PLAY)
    if wish is not None and not wish.is_possible:
        raise LadderRefusal(Reason.BAD_WISH)
    with transaction.atomic(durable=True):
        joined = rated_start(title=title, ruleset_slug=ruleset_slug, user_ids=[user.pk], now=now)
        if wish is not None:
            _wish_set(joined[user.pk], wish, now)
    return joined[user.pk]


def ladder_pause(
    *, title: str, ruleset_slug: str, user: User, is_paused: bool, now: datetime
) -> Standing:
    """Let nobody be paired with a player until they go on, or go on; twice is as good as once.

    Matches that run go on. Raises `LadderRefusal` NOT_A_MEMBER. Locks: the player's standing.
    """
    with transaction.atomic(durable=True):
        standing = _member_locked(title, ruleset_slug, user)
        if is_paused != (standing.paused_at is not None):
            standing.paused_at = now if is_paused else None
            standing.waiting_since = now
            standing.save(update_fields=["paused_at", "waiting_since"])
    return standing


def ladder_leave(*, title: str, ruleset_slug: str, user: User, now: datetime) -> Standing:
    """Leave a ladder; the rating is kept for a return, what was wished is not.

    Raises `LadderRefusal`: NOT_A_MEMBER, MATCHES_RUNNING. Locks: the player's standing, which
    the start of a rated match takes too: of the two at once, the second sees the first; then
    the ladder's row.
    """
    with transaction.atomic(durable=True):
        standing = _member_locked(title, ruleset_slug, user)
        if _has_rated_match(standing):
            raise LadderRefusal(Reason.MATCHES_RUNNING)
        standing.left_at, standing.n_wanted, standing.paused_at = now, 0, None
        standing.save(update_fields=["left_at", "n_wanted", "paused_at"])
        _recount(standing.ladder, [standing], now)
    return standing


def ladders_leave(*, user: User, now: datetime) -> None:
    """Take a player who goes out of all ladders, also while rated matches run there.

    Those are rated as they end; the rating is kept. Called in the transaction that deletes the
    account, before its matches are ended: a pairing that has begun is waited for here, so that
    its match is seen then. Locks: the player's standings by id, then the ladders'
    rows.
    """
    mine = Standing.objects.filter(user=user, left_at__isnull=True).select_related("ladder")
    rows = list(_locked(mine))
    for standing in rows:
        standing.left_at, standing.n_wanted, standing.paused_at = now, 0, None
        standing.save(update_fields=["left_at", "n_wanted", "paused_at"])
    for standing in sorted(rows, key=lambda row: row.ladder_id):
        _recount(standing.ladder, [standing], now)


def rated_start(
    *, title: str, ruleset_slug: str, user_ids: Collection[int], now: datetime
) -> dict[int, Standing]:
    """Let players join a ladder who are not on it; gives their standings by user id.

    Called within a transaction, also when a rated match starts. Locks: their standings, and
    the ladder's row if somebody joins.
    """
    ladder = ladder_of(title, ruleset_slug)
    standings = standings_lock(ladder, user_ids, now)
    for standing in standings.values():
        if standing.left_at is not None:
            standing.left_at, standing.joined_at = None, now
            standing.save(update_fields=["left_at", "joined_at"])
    _recount(ladder, standings.values(), now)
    return standings


def standings_lock(ladder: Ladder, user_ids: Collection[int], now: datetime) -> dict[int, Standing]:
    """Lock the standings of players in id order, made anew where there are none."""
    known = Standing.objects.filter(ladder=ladder, user__in=user_ids)
    missing = sorted(set(user_ids) - set(known.values_list("user_id", flat=True)))
    # Two who bring the same newcomer at once wait for each other here, in the users' order.
    Standing.objects.bulk_create(
        [Standing(ladder=ladder, user_id=pk, joined_at=now, active_at=now) for pk in missing],
        ignore_conflicts=True,
    )
    return _standings_locked(ladder, user_ids)


def match_rate(*, match_id: int, now: datetime) -> bool:
    """Rate a finished rated match; says whether this call did. Safe to run twice or at once.

    Locks: both standings in id order, then the ladder's row.
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
        _recount(ladder, pair, now)
        _board_tell(match)
    return True


def match_correct(*, match_id: int, now: datetime) -> bool:
    """Take an annulled match out of its ladder; says whether this call did. Safe to run twice.

    The ladder's other matches are rated anew in their order. Each player whose rating comes out
    otherwise, and each of the match's own two, gets a CORRECTION entry, so that the ladder
    equals one on which the match was never played; nor does it keep its two active.
    Locks: all standings of the ladder in id order, then its row, so nothing is rated meanwhile.
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
        _recount(ladder, changed.values(), now)
    return True


def standings_restore(ladder: Ladder, *, now: datetime) -> int:
    """Set standings to what the matches make them; gives how many were otherwise.

    The ledger stays as it is: it was right, and the standings were not. Locks: all standings
    of the ladder in id order, then its row.
    """
    with transaction.atomic(durable=True):
        differing = _differences_locked(ladder)
        _recount(ladder, _standings_set(differing), now)
    return len(differing)


def counters_restore(ladder: Ladder, *, now: datetime) -> None:
    """Count all members of a ladder anew. Locks: all its standings in id order, then its row."""
    with transaction.atomic():
        rows = list(_all_locked(ladder))
        wrong = [row for row in rows if row.held != _held_now(row, now)]
        for row in wrong:
            row.counted, row.is_active = _held_now(row, now)
        Standing.objects.bulk_update(wrong, ["counted", "is_active"], batch_size=500)
        Ladder.objects.filter(pk=ladder.pk).update(counts=counted(row.held for row in rows))


def member_gone(*, user_id: int, now: datetime) -> None:
    """Take the numbers of somebody who was shut out, and what they wish; twice is as good as once.

    Called once the account is closed, also within a transaction. Rating, ledger and running
    matches stay as they are; whom this did not reach the sweep finds. Locks: ladder by ladder
    the member's standing, then the ladder's row.
    """
    for ladder in Ladder.objects.filter(standings__user=user_id).order_by("pk"):
        with transaction.atomic():
            standing = _standings_locked(ladder, [user_id])[user_id]
            standing.n_wanted, standing.paused_at = 0, None
            standing.save(update_fields=["n_wanted", "paused_at"])
            _recount(ladder, [standing], now)


def standings_rest(*, now: datetime) -> int:
    """Take the numbers of members who have not played for long or were shut out.

    Who was let in again gets theirs back. Gives how many changed. Locks: their standings in id
    order, then the ladder's row; some at a time.
    """
    lately = Q(active_at__gt=now - INACTIVE_AFTER)
    holders = Standing.objects.filter(is_active=True)
    others = Standing.objects.filter(is_active=False, left_at__isnull=True)
    wrong = (
        holders.filter(active_at__lte=now - INACTIVE_AFTER),
        holders.filter(user__is_active=False),
        others.filter(lately, user__is_active=True),
    )
    n_changed = 0
    for ladder in Ladder.objects.order_by("pk"):
        for rows in wrong:
            here = rows.filter(ladder=ladder).order_by("pk").values_list("pk", flat=True)
            while ids := list(here[:SWEEP_SIZE]):
                with transaction.atomic(durable=True):
                    _recount(ladder, _locked(Standing.objects.filter(pk__in=ids)), now)
                n_changed += len(ids)
    return n_changed


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


def _member_locked(title: str, ruleset_slug: str, user: User) -> Standing:
    """Lock a member's standing. Raises `LadderRefusal` NOT_A_MEMBER."""
    standing = _standings_locked(ladder_of(title, ruleset_slug), [user.pk]).get(user.pk)
    if standing is None or standing.left_at is not None:
        raise LadderRefusal(Reason.NOT_A_MEMBER)
    return standing


def _wish_set(standing: Standing, wish: Wish, now: datetime) -> None:
    """Write a wish into a locked standing; who waits already keeps the place in the queue."""
    if standing.n_wanted == 0 or standing.waiting_since is None:
        standing.waiting_since = now
    standing.n_wanted, standing.paces = wish.n_wanted, sorted(wish.paces)
    standing.save(update_fields=["waiting_since", "n_wanted", "paces"])


def _standings_locked(ladder: Ladder, user_ids: Collection[int]) -> dict[int, Standing]:
    rows = _locked(Standing.objects.filter(ladder=ladder, user__in=user_ids))
    return {standing.user_id: standing for standing in rows}


def _locked(rows: QuerySet[Standing]) -> QuerySet[Standing]:
    """Lock standings in id order, with their users, who are not locked."""
    with_users = rows.select_related("user").order_by("pk")
    return with_users.select_for_update(of=("self",), no_key=True)


def _board_tell(match: Match) -> None:
    """Let open boards of the match's last game show the new ratings, after the commit."""
    if (last := match.games.order_by("-round").first()) is not None:
        publish.finished_changed(last)


def _has_entries(match: Match, kind: str) -> bool:
    return LedgerEntry.objects.filter(match=match, kind=kind).exists()


def _differences_locked(ladder: Ladder) -> list[Difference]:
    """Lock a whole ladder, and find the standings that the matches make otherwise."""
    standings = list(_all_locked(ladder))
    Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
    return compared(standings, replay(results_of(ladder)))[1]


def _all_locked(ladder: Ladder) -> QuerySet[Standing]:
    return _locked(Standing.objects.filter(ladder=ladder))


def _held_now(standing: Standing, now: datetime) -> Held:
    """Say what the counters should hold of a standing, whose user is loaded."""
    if standing.left_at is not None:
        return None, False
    has_played = standing.active_at > now - INACTIVE_AFTER
    return bucket_of(standing.rating), has_played and standing.user.is_active


def _recount(ladder: Ladder, standings: Iterable[Standing], now: datetime) -> None:
    """Move locked standings in the ladder's counters to where they stand now.

    Every change of membership, rating or activity ends here. Locks: the ladder's row, unless
    all is counted rightly already.
    """
    moves, wrong = [], []
    for row in standings:
        if row.held != (new := _held_now(row, now)):
            moves.append((row.held, new))
            row.counted, row.is_active = new
            wrong.append(row)
    if wrong:
        locked = Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
        Ladder.objects.filter(pk=ladder.pk).update(counts=moved(locked.counts, moves))
        Standing.objects.bulk_update(wrong, ["counted", "is_active"], batch_size=500)


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


def _has_rated_match(standing: Standing) -> bool:
    ladder, user_id = standing.ladder, standing.user_id
    running = Match.objects.filter(
        Q(player_0=user_id) | Q(player_1=user_id), status=Match.Status.RUNNING, is_rated=True
    )
    return running.filter(title=ladder.title, ruleset_slug=ladder.ruleset_slug).exists()


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
