"""What is done to an account besides what its owner does on the pages of allauth."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from django.contrib.admin.models import LogEntry
from django.contrib.auth.hashers import make_password
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import CASCADE, ManyToOneRel, QuerySet
from django.dispatch import Signal

from accounts.conduct import Report
from accounts.hooks import hooks
from accounts.mails import farewell_due
from accounts.models import RetiredName, User
from accounts.names import name_print

user_shut_out = Signal()
"""Sent with `user_id` once an account may no longer be used."""

DELETED_NAME = "deleted player {}"
"""What is left of a deleted account's name; nobody can register a name that begins so."""

PERSONAL: Final = (
    "email",
    "language",
    "time_zone",
    "country",
    "has_sounds",
    "takes_forced_turns",
    "chat",
    "chat_muted_until",
    "last_login",
    "is_staff",
    "is_superuser",
)
"""What becomes as it is for a new account; a test knows the few fields that stay."""

KEPT: Final = {"games.Offer", "admin.LogEntry"}
"""Rows that would go with a user's row and stay all the same: others' matches came of them, and
what staff did stays known."""


def user_sounds_set(*, user: User, has_sounds: bool) -> None:
    """Switch the sounds at a player's boards on or off."""
    user.has_sounds = has_sounds
    user.save(update_fields=["has_sounds"])


def user_admission_set(*, user: User, is_active: bool) -> None:
    """Shut somebody out, or let them in again; they cannot log in meanwhile.

    Their running games go on, and end by their deadlines. After commit: `user_shut_out`, which
    closes their open pages' sockets. A deleted account stays closed. Locks: the user's row.
    """
    with transaction.atomic():
        locked = user_lock(user.pk)
        if locked.is_deleted or locked.is_active == is_active:
            return
        locked.is_active = is_active
        locked.save(update_fields=["is_active"])
        if not is_active:
            _shut_out_tell(locked)
    user.is_active = is_active


def user_delete(*, user_id: int, now: datetime) -> bool:
    """Delete an account; says whether this call did. Safe to run twice or at once.

    The row stays, since finished games and the ledgers of ratings are other players' too; all
    that tells of the person is erased: name, addresses, password, preferences, rights. The name
    is retired. What upper apps do is in `hooks`: ladders are left, then offers closed and running
    matches ended, all in one transaction. After commit: `user_shut_out`, and a mail of farewell.
    Locks: the user's row first, then what the hooks take.
    """
    with transaction.atomic():
        user = user_lock(user_id)
        if user.is_deleted:
            return False
        user.is_active = False
        user.save(update_fields=["is_active"])
        _shut_out_tell(user)
        farewell_due(user)
        for depart in hooks.leaving:
            depart(user=user, now=now)
        _erase(user, now)
    return True


def user_lock(user_id: int) -> User:
    """Lock a user's row, and read it anew. Raises `User.DoesNotExist`. Locks: see `users_lock`."""
    return users_lock(user_id)[user_id]


def users_lock(*user_ids: int) -> dict[int, User]:
    """Lock users' rows in the order of their ids, and read them anew; gives them by id.

    Locks: before every other row. Whoever starts something for a player holds the player's row,
    so that nothing can start for an account that is being closed or deleted.
    """
    rows = User.objects.filter(pk__in=user_ids).order_by("pk").select_for_update(no_key=True)
    return {user.pk: user for user in rows}


def _shut_out_tell(user: User) -> None:
    user_id = user.pk
    transaction.on_commit(lambda: user_shut_out.send(sender=User, user_id=user_id), robust=True)


def _erase(user: User, now: datetime) -> None:
    """Wipe out what the accounts app knows of a person; every session of theirs ends with it."""
    RetiredName.objects.get_or_create(print=name_print(user.name))
    for rows in _personal_rows(user):
        rows.delete()
    # What somebody wrote is theirs: the reporter's words, and those of the player reported.
    Report.objects.filter(reporter=user).update(text="")
    Report.objects.filter(target=user).update(quote="")
    user.name = DELETED_NAME.format(user.pk)
    user.password = make_password(None)
    blank = User()
    for name in PERSONAL:
        setattr(user, name, getattr(blank, name))
    user.deleted_at = now
    user.save()
    seen = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk)
    )
    seen.update(object_repr=user.name)


def _personal_rows(user: User) -> Iterator[QuerySet[Any]]:
    """Give all rows of every app that would go with the user's row: addresses, notices, blocks."""
    for relation in User._meta.get_fields(include_hidden=True):
        if not isinstance(relation, ManyToOneRel) or relation.on_delete is not CASCADE:
            continue
        model = relation.related_model
        if model._meta.label not in KEPT:
            yield model._base_manager.filter(**{relation.field.name: user})
