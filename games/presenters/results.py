"""How a player has done, for the profile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from accounts.models import User
from games.access import AnyUser
from games.history import Filters
from games.presenters.tallies import TallyShown, tallies_shown
from games.results import Starts, Streaks, opponents_most, starts, streaks
from games.tallies import Tally, tallies


@dataclass(frozen=True, slots=True)
class OpponentShown:
    """A line of an opponent: `url` leads to the two against each other, if the account is open."""

    user: User
    tally: Tally
    url: str


@dataclass(frozen=True, slots=True)
class ResultsShown:
    """All that a player's finished matches came to."""

    tallies: Sequence[TallyShown]
    opponents: Sequence[OpponentShown]
    starts: Starts
    streaks: Streaks


def results_shown(player: User, viewer: AnyUser) -> ResultsShown | None:
    """Present how a player has done; None where no match is over. Nine queries at most."""
    found = tallies(player, viewer, Filters())
    if not found:
        return None
    opponents = [
        OpponentShown(
            user,
            tally,
            reverse("games:against", args=[player.name, user.name]) if user.is_active else "",
        )
        for user, tally in opponents_most(player, viewer)
    ]
    begun, in_a_row = starts(player, viewer), streaks(player, viewer)
    return ResultsShown(tallies_shown(found), opponents, begun, in_a_row)
