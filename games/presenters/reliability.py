"""How reliably a player plays, in sentences for the profile."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext, ngettext

from accounts.models import User
from games.presenters.tallies import length_text
from games.reliability import (
    MANY_ANSWERS,
    N_MATCHES,
    Quartiles,
    Timeliness,
    answers_of,
    timeliness_of,
)


def reliability_shown(player: User) -> list[str]:
    """Tell how quickly a player answers, and how many matches were lost on time.

    Nothing of bots, and of who has finished no match with a person. At most five queries.
    """
    if player.is_bot:
        return []
    timeliness = timeliness_of(player.pk)
    if not timeliness.n_finished:
        return []
    answers = answers_of(player)
    told = [_timeliness_text(timeliness)]
    return told if answers is None else [_answers_text(answers), *told]


def _answers_text(answers: Quartiles) -> str:
    n = min(answers.n_matches, N_MATCHES)
    since = ngettext("over the last match", "over the last %(n)s matches", n) % {"n": n}
    text = gettext(
        "Half of the answers come within %(half)s, nights and days off included, %(since)s."
    )
    if answers.n_answers >= MANY_ANSWERS:
        text = gettext(
            "Half of the answers come within %(half)s, a quarter within %(quarter)s and three "
            "quarters within %(three_quarters)s, nights and days off included, %(since)s."
        )
    return text % {
        "half": _within(answers.half),
        "quarter": _within(answers.quarter),
        "three_quarters": _within(answers.three_quarters),
        "since": since,
    }


def _within(wait: timedelta) -> str:
    """Tell a time, a minute at least: nobody answers within nothing."""
    return length_text(max(wait, timedelta(minutes=1)))


def _timeliness_text(timeliness: Timeliness) -> str:
    n = timeliness.n_finished
    finished = ngettext("%(n)s finished match", "%(n)s finished matches", n) % {"n": n}
    if not timeliness.n_late:
        return gettext("Nothing lost on time in %(finished)s.") % {"finished": finished}
    since = ngettext(
        "%(n)s match finished since the last one.",
        "%(n)s matches finished since the last one.",
        timeliness.n_since,
    ) % {"n": timeliness.n_since}
    late = gettext("%(n)s lost on time of %(finished)s.")
    return f"{late % {'n': timeliness.n_late, 'finished': finished}} {since}"
