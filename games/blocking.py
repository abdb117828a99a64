"""The one table of what a block between two players does; a help page shows it as it stands.

A block works both ways, whoever set it, and no message tells of it. Each row has a test of its
name (tests/games/test_blocking.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Effect:
    """What becomes of one thing between two players of whom one has blocked the other."""

    what: Any
    is_possible: bool
    """Whether the two can still do it."""
    how: Any
    """The rest of the sentence. Texts are lazy."""


EFFECTS: Final[dict[str, Effect]] = {
    "chat": Effect(
        _("Chat"), False, _("Neither sees what the other writes or has written, in any room.")
    ),
    "challenge": Effect(
        _("Challenges"),
        False,
        _(
            "Neither can challenge the other. Open ones are closed: the blocker's own as "
            "withdrawn, the other player's as declined."
        ),
    ),
    "rematch": Effect(
        _("Rematches"),
        False,
        _("Neither can offer or accept one. One that was offered is closed as a challenge is."),
    ),
    "invitation": Effect(
        _("Invitations by link"), False, _("Neither can accept the other's invitation.")
    ),
    "seek": Effect(
        _("Open offers"),
        False,
        _("Neither sees the other's offers in the lobby, or can accept them by their address."),
    ),
    "pairing": Effect(_("Ladder pairing"), False, _("The two are never paired.")),
    "running": Effect(
        _("Matches that run"),
        True,
        _("They go on and count as before. Resigning or aborting is for the players to decide."),
    ),
    "pages": Effect(
        _("Profiles, standings and records"), True, _("What everybody can see stays so.")
    ),
    "watching": Effect(
        _("Watching"), True, _("Games that everybody may watch can be watched as before.")
    ),
    "rating": Effect(
        _("Ratings"), True, _("A block changes no rating, and no result that there is.")
    ),
}
