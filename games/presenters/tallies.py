"""What sums over matches show, and a player's matches as a table for a spreadsheet."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from io import StringIO
from typing import Final

from django.utils.translation import gettext, ngettext

from accounts.models import User
from games.engine.api import Seat, other
from games.engine.registry import get_ruleset
from games.models import Match
from games.presenters.history import result_for
from games.tallies import Tally

COLUMNS: Final = (
    "match", "game", "ruleset", "rounds", "pace", "rated", "begun", "ended", "opponent", "seat",
    "result", "ending", "points", "opponent_points",
)  # fmt: skip
"""Names for machines, so the same in every language."""

FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet may take for the beginning of a formula."""


@dataclass(frozen=True, slots=True)
class TallyShown:
    """A line of sums: of one ruleset, or of all."""

    name: str
    tally: Tally
    length: str


def tallies_shown(found: Sequence[tuple[tuple[str, str], Tally]]) -> Sequence[TallyShown]:
    """Present sums by ruleset, all together first; nothing where nothing was played."""
    if not found:
        return []
    total = sum((tally for _ruleset, tally in found), Tally())
    lines = [(gettext("All games"), total)]
    lines += [(gettext(get_ruleset(*ruleset).name), tally) for ruleset, tally in found]
    return [TallyShown(name, tally, length_text(tally.average_length)) for name, tally in lines]


def length_text(length: timedelta) -> str:
    """Tell a length in days, below two days in hours, below two hours in minutes."""
    minutes = round(length.total_seconds() / 60)
    if minutes < 120:
        return ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
    hours = round(minutes / 60)
    if hours < 48:
        return ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours}
    days = round(hours / 24)
    return ngettext("%(n)d day", "%(n)d days", days) % {"n": days}


def csv_lines(player: User, matches: Iterable[Match]) -> Iterator[str]:
    """Write matches as a table, from the player's side; times in UTC as ISO 8601."""
    text = StringIO()
    table = csv.writer(text)
    table.writerow(COLUMNS)
    for match in matches:
        table.writerow(_cells(player, match))
        yield text.getvalue()
        text.seek(0)
        text.truncate()
    yield text.getvalue()


def _cells(player: User, match: Match) -> Sequence[object]:
    seat: Seat = 0 if match.player_0_id == player.pk else 1
    return (
        match.pk,
        match.title,
        match.ruleset_slug,
        match.n_rounds,
        match.pace_slug,
        "yes" if match.is_rated else "no",
        match.started_at.isoformat(timespec="seconds"),
        match.finished_at.isoformat(timespec="seconds") if match.finished_at else "",
        _plain(match.players[other(seat)].name),
        seat,
        result_for(match, seat).value,
        match.ending,
        match.points[seat],
        match.points[other(seat)],
    )


def _plain(text: str) -> str:
    """Keep a spreadsheet from reckoning what somebody chose as a name."""
    return f"'{text}" if text.startswith(FORMULA_SIGNS) else text
