"""The one table of what each way of ending a match means for score, rating and record.

The help pages show it as it stands here; a new way of ending without a line here is a `KeyError`
in the first match that ends so, and in the tests before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from games.models import Match


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an ending means. `how` tells how it comes about, `score` winner and points; lazy."""

    how: Any
    score: Any
    is_rated: bool
    """Whether a rated match that ended so changes ratings."""
    record: Any
    """What the players' records show of it."""


_UNCOUNTED: Final = _("Shown as aborted, counted nowhere.")
_DECIDED: Final = _("A win or a loss.")

ENDINGS: Final[dict[str, Meaning]] = {
    Match.Ending.POINTS: Meaning(
        how=_("All games are played, or nobody could catch up any more."),
        score=_("Whoever has more points wins; equal points are a draw."),
        is_rated=True,
        record=_("A win, a draw or a loss."),
    ),
    Match.Ending.RESIGN: Meaning(
        how=_("A player gives up the match."),
        score=_("The other player wins the match; games not played count 5 : 0."),
        is_rated=True,
        record=_DECIDED,
    ),
    Match.Ending.TIMEOUT: Meaning(
        how=_("A player who has done something in the match lets a deadline pass."),
        score=_("The player in time wins the match; games not played count 5 : 0."),
        is_rated=True,
        record=_("A win or a loss; the profile of the loser counts it as lost on time."),
    ),
    Match.Ending.ABORT: Meaning(
        how=_("A player aborts the match before both have made a turn or a game is finished."),
        score=_("Aborted before both had made a turn or a game was finished: nobody wins."),
        is_rated=False,
        record=_UNCOUNTED,
    ),
    Match.Ending.ABANDONED: Meaning(
        how=_("A player does nothing at all in the match until the deadline passes."),
        score=_(
            "Time ran out for a player who had not done anything in the match, before a game of it "
            "was finished: nobody wins."
        ),
        is_rated=False,
        record=_UNCOUNTED,
    ),
    Match.Ending.ANNULLED: Meaning(
        how=_("A moderator annuls the match, while it runs or afterwards."),
        score=_("A moderator took the match out: nobody wins, whatever was played."),
        is_rated=False,
        record=_("Shown as annulled, counted nowhere; what it did to ratings is taken back."),
    ),
    Match.Ending.ACCOUNT: Meaning(
        how=_(
            "A player deletes the account, or staff do, while the match can no longer be aborted. "
            "Where it can be, it is aborted instead."
        ),
        score=_("The other player wins the match; games not played count 5 : 0."),
        is_rated=True,
        record=_("A win or a loss, against “deleted player”."),
    ),
}

GAME_RESIGNED: Final = Meaning(
    how=_("A player gives up one game, and the match goes on."),
    score=_("The other player wins this game with 5 points; the match is decided as ever."),
    is_rated=True,
    record=_("One game lost within the match, which counts as it ends."),
)
"""Giving up one game ends no match, unless nobody could catch up any more."""


def ending_rows() -> Iterator[tuple[Any, Meaning]]:
    """Give every line of the table with its name, as help pages show it."""
    for ending, meaning in ENDINGS.items():
        yield Match.Ending(ending).label, meaning
        if ending == Match.Ending.POINTS:
            yield _("one game resigned"), GAME_RESIGNED
