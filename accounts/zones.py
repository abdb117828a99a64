"""Time zones: the names of the IANA database that this machine knows."""

from __future__ import annotations

import re
from functools import lru_cache
from zoneinfo import available_timezones

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

_PLACE = re.compile(
    r"^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)/"
)


@lru_cache(maxsize=1)
def time_zones() -> tuple[str, ...]:
    """Give the zones to choose from, UTC first; never a name that would read a file."""
    return ("UTC", *sorted(name for name in available_timezones() if _PLACE.match(name)))


def validate_time_zone(name: str) -> None:
    """Raise `ValidationError` for a zone that cannot be chosen."""
    if name not in time_zones():
        raise ValidationError(
            _("%(zone)s is no time zone known here."), code="zone", params={"zone": name[:60]}
        )


def time_zone_or_utc(name: str) -> str:
    """Give a zone that a browser guessed, or UTC where it is none."""
    return name if name in time_zones() else "UTC"
