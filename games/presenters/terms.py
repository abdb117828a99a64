"""Words for what an offer or a match is of: ruleset, rounds, pace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext, gettext_noop, ngettext

from games.engine.api import Ruleset
from games.models import Terms
from games.paces import Pace
from games.presenters.times import lasting

NAMES: Final = {
    "live": gettext_noop("Live"),
    "brisk": gettext_noop("Brisk"),
    "steady": gettext_noop("Steady"),
    "relaxed": gettext_noop("Relaxed"),
}
"""What paces with a bank are called, by slug."""


@dataclass(frozen=True, slots=True)
class TermsText:
    """Terms in words: `name` and `summary` of the ruleset, each one line."""

    name: str
    summary: str
    rounds: str
    pace: str
    is_private: bool
    is_rated: bool
    has_tracker: bool
    rules_url: str
    pace_note: str
    weekends: str
    """The zone by whose weekends the clocks are paused; empty where they are not."""
    has_vacations: bool
    is_live: bool


def terms_text(terms: Terms) -> TermsText:
    """Tell the terms of an offer or a match."""
    ruleset = terms.ruleset
    return TermsText(
        gettext(ruleset.name),
        gettext(ruleset.summary),
        rounds_text(terms.n_rounds),
        pace_text(terms.pace),
        terms.is_private,
        terms.is_rated,
        terms.has_tracker,
        rules_url(ruleset),
        pace_note(terms.pace),
        terms.weekend_zone,
        terms.is_vacation_allowed,
        terms.pace.is_live,
    )


def rules_url(ruleset: Ruleset) -> str:
    """Give the address of a ruleset's page of rules."""
    return reverse("games:rules", args=[ruleset.title, ruleset.slug])


def rounds_text(n_rounds: int) -> str:
    """Tell a number of rounds."""
    return ngettext("%(n)s game", "%(n)s games", n_rounds) % {"n": n_rounds}


def pace_text(pace: Pace) -> str:
    """Name a pace, with what it gives."""
    if pace.is_per_turn:
        days = pace.bank.days
        return ngettext("%(n)s day per turn", "%(n)s days per turn", days) % {"n": days}
    return gettext("%(name)s: %(bank)s + %(increment)s a turn") % {
        "name": gettext(NAMES[pace.slug]),
        "bank": lasting(pace.bank),
        "increment": lasting(pace.increment),
    }


def pace_note(pace: Pace) -> str:
    """Explain a pace in one line."""
    told = {"bank": lasting(pace.bank), "increment": lasting(pace.increment)}
    if pace.is_per_turn:
        return gettext("%(bank)s for each turn; what is left of it is not saved.") % told
    if pace.cap is None:
        text = gettext("%(bank)s each for a game, and %(increment)s more after each turn.") % told
    else:
        text = gettext(
            "%(bank)s each for a game, and %(increment)s more after each turn, up to %(cap)s."
        ) % {**told, "cap": lasting(pace.cap)}
    if pace.is_live:
        return f"{text} {gettext('For two who are at the board together.')}"
    return text
