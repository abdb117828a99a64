"""The only writers of memberships: who is on a ladder, what they wish, and when they are gone.

Locks as in `ladder.locking`.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from accounts.services import user_lock
from games.models import Match
from ladder.locking import (
    ladder_of,
    rows_locked,
    standings_lock,
    standings_locked,
    standings_recount,
)
from ladder.models import Ladder, Standing
from ladder.pairing import Wish
from ladder.selectors import INACTIVE_AFTER

SWEEP_SIZE = 500
"""So many standings turn inactive in one transaction."""


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


def ladder_join(
    *, title: str, ruleset_slug: str, user: User, now: datetime, wish: Wish | None = None
) -> Standing:
    """Join a ladder, or join it again with the old rating; twice is as good as once.

    `wish` says which matches the player wants to be paired for; members change theirs with it.
    Raises `LadderRefusal`: NO_RATED_PLAY, BAD_WISH. Locks: the player's row, lest the account be
    deleted meanwhile; then as `rated_start`.
    """
    if wish is not None and not wish.is_possible:
        raise LadderRefusal(Reason.BAD_WISH)
    with transaction.atomic(durable=True):
        if not may_play_rated(user_lock(user.pk)):
            raise LadderRefusal(Reason.NO_RATED_PLAY)
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
        standings_recount(standing.ladder, [standing], now)
    return standing


def ladders_leave(*, user: User, now: datetime) -> None:
    """Take a player who goes out of all ladders, also while rated matches run there.

    Those are rated as they end; the rating is kept. Called in the transaction that deletes the
    account, before its matches are ended: a pairing that has begun is waited for here, so that
    its match is seen then. Locks: the player's standings by id, then the ladders'
    rows.
    """
    mine = Standing.objects.filter(user=user, left_at__isnull=True).select_related("ladder")
    rows = list(rows_locked(mine))
    for standing in rows:
        standing.left_at, standing.n_wanted, standing.paused_at = now, 0, None
        standing.save(update_fields=["left_at", "n_wanted", "paused_at"])
    for standing in sorted(rows, key=lambda row: row.ladder_id):
        standings_recount(standing.ladder, [standing], now)


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
    standings_recount(ladder, standings.values(), now)
    return standings


def member_gone(*, user_id: int, now: datetime) -> None:
    """Take the numbers of somebody who was shut out, and what they wish; twice is as good as once.

    Called once the account is closed, also within a transaction. Rating, ledger and running
    matches stay as they are; whom this did not reach the sweep finds. Locks: ladder by ladder
    the member's standing, then the ladder's row.
    """
    for ladder in Ladder.objects.filter(standings__user=user_id).order_by("pk"):
        with transaction.atomic():
            standing = standings_locked(ladder, [user_id])[user_id]
            standing.n_wanted, standing.paused_at = 0, None
            standing.save(update_fields=["n_wanted", "paused_at"])
            standings_recount(ladder, [standing], now)


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
                    standings_recount(ladder, rows_locked(Standing.objects.filter(pk__in=ids)), now)
                n_changed += len(ids)
    return n_changed


def _member_locked(title: str, ruleset_slug: str, user: User) -> Standing:
    """Lock a member's standing. Raises `LadderRefusal` NOT_A_MEMBER."""
    standing = standings_locked(ladder_of(title, ruleset_slug), [user.pk]).get(user.pk)
    if standing is None or standing.left_at is not None:
        raise LadderRefusal(Reason.NOT_A_MEMBER)
    return standing


def _wish_set(standing: Standing, wish: Wish, now: datetime) -> None:
    """Write a wish into a locked standing; who waits already keeps the place in the queue."""
    if standing.n_wanted == 0 or standing.waiting_since is None:
        standing.waiting_since = now
    standing.n_wanted, standing.paces = wish.n_wanted, sorted(wish.paces)
    standing.save(update_fields=["waiting_since", "n_wanted", "paces"])


def _has_rated_match(standing: Standing) -> bool:
    ladder, user_id = standing.ladder, standing.user_id
    running = Match.objects.filter(
        Q(player_0=user_id) | Q(player_1=user_id), status=Match.Status.RUNNING, is_rated=True
    )
    return running.filter(title=ladder.title, ruleset_slug=ladder.ruleset_slug).exists()
