"""Words for lengths of time; static/js/clock.js counts down in the same ones."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import ngettext


def lasting(time: timedelta) -> str:
    """Tell a length of time in its two largest units, the rest cut off; below nothing, nothing."""
    seconds = max(int(time.total_seconds()), 0)
    days, hours = seconds // 86400, seconds // 3600 % 24
    minutes, seconds = seconds // 60 % 60, seconds % 60
    if days:
        parts = [_days(days), *([_hours(hours)] if hours else [])]
    elif hours:
        parts = [_hours(hours), *([_minutes(minutes)] if minutes else [])]
    elif minutes:
        parts = [_minutes(minutes), *([_seconds(seconds)] if seconds else [])]
    else:
        parts = [_seconds(seconds)]
    return ", ".join(parts)


def _days(n: int) -> str:
    return ngettext("%(n)s day", "%(n)s days", n) % {"n": n}


def _hours(n: int) -> str:
    return ngettext("%(n)s hour", "%(n)s hours", n) % {"n": n}


def _minutes(n: int) -> str:
    return ngettext("%(n)s minute", "%(n)s minutes", n) % {"n": n}


def _seconds(n: int) -> str:
    return ngettext("%(n)s second", "%(n)s seconds", n) % {"n": n}
