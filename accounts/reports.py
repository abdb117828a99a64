"""Reports to the moderators: the only writer of them, and what they can be about.

What lies in upper apps, as a match or a message, is named by a kind and a number. The upper app
registers the kind in its `AppConfig.ready()`, and says there who may report such a thing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from accounts.conduct import Report
from accounts.models import User
from accounts.services import user_lock

MAX_TEXT: Final = 1000
"""How many characters a reporter may write."""

MAX_OPEN: Final = 20
"""So many reports of one reporter at most are open at once."""


@dataclass(frozen=True, slots=True)
class About:
    """What a report is about, as its reporter may see it."""

    label: Any
    """Words for it; empty where it is about the player as such."""
    url: str
    """Where the reporter came from."""
    quote: str = ""
    """What it says at this moment, kept with the report."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing that can be reported: who may do so, and where staff look at it."""

    find: Callable[[User, User, int], About | None]
    """Called with reporter, target and number; None where that reporter cannot see it, or it is
    not the target's."""
    staff_url: Callable[[int], str]


KINDS: Final[dict[str, Kind]] = {}
"""The one registry."""


class TooManyReports(Exception):
    """So many reports of this reporter are open that no more are taken."""


def report_about(*, reporter: User, target: User, about: str, about_id: int) -> About | None:
    """Find what a report would be about; None where this reporter cannot report it."""
    if not about:
        return About("", target.get_absolute_url())
    kind = KINDS.get(about)
    return None if kind is None else kind.find(reporter, target, about_id)


def report_create(
    *,
    reporter: User,
    target: User,
    category: str,
    text: str,
    found: About,
    about: str,
    about_id: int,
    now: datetime,
) -> Report:
    """Tell the moderators of a player; while a report of the same is open, it is added to that.

    The same once more changes nothing. `found` is what `report_about` gave for `about` and
    `about_id`. Raises `TooManyReports`, and `ValueError` for oneself. Locks: the reporter's row.
    """
    if reporter.pk == target.pk:
        raise ValueError("nobody reports themself")
    with transaction.atomic(durable=True):
        user_lock(reporter.pk)
        open_ones = Report.objects.filter(reporter=reporter, status=Report.Status.OPEN)
        same = open_ones.filter(target=target, about=about, about_id=about_id).first()
        if same is not None:
            _add(same, category, text)
            return same
        if open_ones.count() >= MAX_OPEN:
            raise TooManyReports
        return Report.objects.create(
            reporter=reporter,
            target=target,
            category=category,
            text=text[:MAX_TEXT],
            quote=found.quote,
            about=about,
            about_id=about_id,
            created_at=now,
        )


def _add(report: Report, category: str, text: str) -> None:
    """Write what is told besides into an open report. Raises `TooManyReports` where it is full."""
    if category == report.category and text in ("", report.text):
        return
    added = f"{Report.Category(category).label}: {text}"
    if added in report.text:
        return
    if len(report.text) + len(added) >= MAX_TEXT:
        raise TooManyReports
    report.text = f"{report.text}\n{added}"
    report.save(update_fields=["text"])


def report_close(*, report_id: int, status: Report.Status, now: datetime) -> bool:
    """Settle or dismiss an open report; says whether it was open. Locks: the report's row."""
    with transaction.atomic():
        report = Report.objects.select_for_update(no_key=True).get(pk=report_id)
        if report.status != Report.Status.OPEN:
            return False
        report.status, report.closed_at = status, now
        report.save(update_fields=["status", "closed_at"])
        return True
