"""What the terms of an offer mean in time, before anybody accepts it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from games import clocks
from games.engine.api import Ruleset
from games.paces import PACES, Pace
from games.presenters.terms import pace_note, rounds_text
from games.titles import playable_rulesets


@dataclass(frozen=True, slots=True)
class TimeOutlook:
    """How a match would go in time if it were accepted now; vacations, if allowed, come on top."""

    note: str
    """What the pace gives, in one line."""
    first_due: datetime
    ends_by: datetime
    """When the match is over at the latest, with all time used to the last moment."""
    rounds: str
    weekend_zone: str
    allows_vacation: bool
    is_live: bool


def time_outlook(
    pace: Pace,
    ruleset: Ruleset,
    n_rounds: int,
    weekend_zone: str,
    now: datetime,
    *,
    allows_vacation: bool,
) -> TimeOutlook:
    """Foretell the times of a match."""
    total = n_rounds * longest_game(pace, ruleset.max_turns)
    return TimeOutlook(
        note=pace_note(pace),
        first_due=_after(now, pace.bank, weekend_zone),
        ends_by=_after(now, total, weekend_zone),
        rounds=rounds_text(n_rounds),
        weekend_zone=weekend_zone,
        allows_vacation=allows_vacation,
        is_live=pace.is_live,
    )


def longest_game(pace: Pace, max_turns: int) -> timedelta:
    """Give how long the clocks of a game can run: both banks, and what the turns bring.

    The increment after a player's last turn is of no use any more.
    """
    return 2 * pace.bank + max(max_turns - 2, 0) * pace.increment


def outlook_of(
    data: Mapping[str, object], max_rounds: int, zone: str, now: datetime
) -> TimeOutlook | None:
    """Foretell from the fields of a form as they stand; None where one of them is impossible.

    `zone` is the maker's, by whose weekends clocks would pause.
    """
    pace = PACES.get(str(data.get("pace")))
    rulesets = {f"{each.title}/{each.slug}": each for each in playable_rulesets()}
    ruleset = rulesets.get(str(data.get("ruleset")))
    counts = {str(n): n for n in range(1, max_rounds + 1)}
    n_rounds = counts.get(str(data.get("n_rounds")))
    if pace is None or ruleset is None or n_rounds is None:
        return None
    has_weekends = bool(data.get("has_weekends")) and not pace.is_live
    return time_outlook(
        pace,
        ruleset,
        n_rounds,
        zone if has_weekends else "",
        now,
        allows_vacation=not data.get("is_strict"),
    )


def _after(now: datetime, time: timedelta, weekend_zone: str) -> datetime:
    pauses = clocks.weekends(ZoneInfo(weekend_zone), now) if weekend_zone else ()
    return clocks.deadline(now, time, pauses)
