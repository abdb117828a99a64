"""Who has blocked whom: the only writer of blocks, and the questions that all doors ask.

A block is one-sided as a row and works both ways: `may_meet` does not tell who set it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.dispatch import Signal

from accounts.conduct import Block
from accounts.hooks import hooks
from accounts.models import User
from accounts.services import users_lock

block_changed = Signal()
"""Sent with `user_ids` once a block was set or lifted, after commit."""


def block_set(*, blocker: User, blocked: User, now: datetime) -> bool:
    """Block a player; says whether that is new. Setting it twice has the effect of once.

    Raises `ValueError` for oneself and for a bot. A match that somebody accepts at the same
    moment either began before the block, and goes on, or is refused. What stands open between
    the two ends in the same transaction, by `hooks`. Locks: both users' rows first, then what
    the hooks take. After commit: `block_changed`.
    """
    if not may_be_blocked(blocker, blocked):
        raise ValueError("nobody blocks themself or a bot")
    with transaction.atomic(durable=True):
        users_lock(blocker.pk, blocked.pk)
        _block, is_new = Block.objects.get_or_create(
            blocker=blocker, blocked=blocked, defaults={"created_at": now}
        )
        if is_new:
            for part in hooks.blocking:
                part(blocker=blocker, blocked=blocked, now=now)
            _tell(blocker, blocked)
    return is_new


def block_lift(*, blocker: User, blocked: User) -> bool:
    """Take a block back; says whether there was one. After commit: `block_changed`."""
    with transaction.atomic(durable=True):
        n_lifted, _kinds = Block.objects.filter(blocker=blocker, blocked=blocked).delete()
        if n_lifted:
            _tell(blocker, blocked)
    return n_lifted > 0


def may_be_blocked(blocker: User, blocked: User) -> bool:
    """Say whether one player can block another: not themself, and no bot, which says nothing."""
    return blocker.pk != blocked.pk and not blocked.is_bot


def may_meet(one_id: int, two_id: int) -> bool:
    """Say whether two may play and talk: neither has blocked the other. One query."""
    return not Block.objects.filter(_between(one_id, two_id)).exists()


def has_blocked(blocker: User, blocked: User) -> bool:
    """Say whether one has blocked the other; told to the blocker alone. One query."""
    return Block.objects.filter(blocker=blocker, blocked=blocked).exists()


def blocks_about(user_id: int) -> tuple[set[int], set[int]]:
    """Give whom a user has blocked, told to that user alone, and all whom they may not meet.

    One query.
    """
    mine = Q(blocker=user_id) | Q(blocked=user_id)
    pairs = list(Block.objects.filter(mine).values_list("blocker_id", "blocked_id"))
    blocked = {other for one, other in pairs if one == user_id}
    return blocked, {pk for pair in pairs for pk in pair} - {user_id}


def kept_apart_from(user_id: int) -> set[int]:
    """Give all whom a user may not meet, whoever set the block. One query."""
    return blocks_about(user_id)[1]


def kept_apart(user_ids: Collection[int]) -> set[tuple[int, int]]:
    """Give the pairs among some users who may not meet, the lower id first. One query."""
    pairs = Block.objects.filter(blocker__in=user_ids, blocked__in=user_ids)
    return {(min(pair), max(pair)) for pair in pairs.values_list("blocker_id", "blocked_id")}


def blocks_of(user: User) -> Sequence[Block]:
    """List whom a user has blocked, by name."""
    return list(user.blocks.select_related("blocked").order_by("blocked__name"))


def _between(one_id: int, two_id: int) -> Q:
    return Q(blocker=one_id, blocked=two_id) | Q(blocker=two_id, blocked=one_id)


def _tell(blocker: User, blocked: User) -> None:
    ids = (blocker.pk, blocked.pk)
    transaction.on_commit(lambda: block_changed.send(sender=User, user_ids=ids), robust=True)
