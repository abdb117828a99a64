"""Words and numbers of the ladder, for its pages. Ratings come in thousandths of a point."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.access import is_open_to
from games.endings import ENDINGS
from games.engine.api import Ruleset
from games.hooks import Rating, Section
from games.models import Match, Offer
from games.paces import PACES
from games.presenters.terms import pace_text
from games.titles import playable_rulesets
from ladder import elo
from ladder.memberships import LadderRefusal, Reason
from ladder.models import Ladder, LedgerEntry, Standing
from ladder.pairings import n_waiting, next_sweep_in, outlook_for
from ladder.selectors import entries_of, ladders_with_counts, standings_for

RESULTS: Final = (
    pgettext_lazy("result of a match", "lost"),
    pgettext_lazy("result of a match", "drew"),
    pgettext_lazy("result of a match", "won"),
)
TONES: Final = ("bad", "", "good")

_REASONS: Final = {
    Reason.NO_RATED_PLAY: _("Bots and guests play casual matches only."),
    Reason.MATCHES_RUNNING: _(
        "You can leave once your rated matches on this ladder are over: some are still running."
    ),
    Reason.NOT_A_MEMBER: _("You are not on this ladder."),
    Reason.BAD_WISH: _("Choose 0 to 5 matches, and at least one pace."),
}


@dataclass(frozen=True, slots=True)
class LadderShown:
    """A ladder in a list of all."""

    ruleset: Ruleset
    name: str
    summary: str
    n_active: int
    """Who holds a place on it, as its own page says."""


@dataclass(frozen=True, slots=True)
class EntryShown:
    """A line of a player's ledger: what happened, and the formula with its numbers put in.

    `working` is empty for a correction, which follows from a match that was annulled. Of a
    private match others see what it changed, but not between whom.
    """

    players: tuple[User, User] | None
    opponent: User | None
    match_url: str
    word: str
    when: datetime
    before: str
    after: str
    change: str
    tone: str
    working: str


@dataclass(frozen=True, slots=True)
class WishShown:
    """What a member wishes, in a line; `is_open` says whether anything is wanted."""

    text: str
    is_open: bool
    is_paused: bool


@dataclass(frozen=True, slots=True)
class OutlookShown:
    """What a member can expect of the next pairing: `prospect` chooses the words."""

    prospect: str
    n_waiting: int
    minutes: int
    free_at: datetime | None


@dataclass(frozen=True, slots=True)
class QueueShown:
    """What visitors see of the next pairing: how many wait, and within how many minutes it is."""

    n_waiting: int
    minutes: int


@dataclass(frozen=True, slots=True)
class ChangeShown:
    """What one match did to one player's rating."""

    user: User
    before: str
    after: str
    change: str
    tone: str


def rating_text(rating: int) -> str:
    """Tell a rating in whole points; no comma, as everywhere."""
    return str(rating_points(rating))


def rating_points(rating: int) -> int:
    """Give a rating in whole points, half a point and more upwards."""
    return (rating + elo.POINT // 2) // elo.POINT


def maker_ratings(offers: Sequence[Offer]) -> dict[int, Rating]:
    """Tell the makers' ratings on the ladders of their offers, by offer id. One query."""
    rating = rating_lookup({offer.maker_id for offer in offers})
    return {offer.pk: rating(offer.maker_id, offer.title, offer.ruleset_slug) for offer in offers}


def rating_lookup(user_ids: Collection[int]) -> Callable[[int, str, str], Rating]:
    """Read users' ratings, to be asked for by user, title and ruleset. One query, none for none."""
    standings = standings_for(user_ids) if user_ids else {}

    def rating(user_id: int, title: str, ruleset_slug: str) -> Rating:
        standing = standings.get((user_id, title, ruleset_slug))
        if standing is None:
            return Rating(rating_text(elo.START), is_provisional=True)
        points = rating_points(standing.rating)
        return Rating(str(points), standing.is_provisional, points)

    return rating


def change_text(change: int) -> str:
    """Tell a change in tenths of a point, with its sign."""
    sign = "+" if change > 0 else "−" if change < 0 else "±"
    return f"{sign}{_decimal(abs(change), elo.POINT, 1)}"


def refusal_text(refusal: LadderRefusal) -> str:
    """Tell why nobody joined or left."""
    return str(_REASONS[refusal.reason])


def wish_shown(standing: Standing | None) -> WishShown | None:
    """Tell what a member wishes; None for everybody else."""
    if standing is None:
        return None
    n = standing.n_wanted
    if not n:
        text = gettext("You are not paired: only your own offers and challenges bring matches.")
        return WishShown(text, is_open=False, is_paused=False)
    paces = [pace_text(PACES[slug]) for slug in PACES if slug in standing.paces]
    at_once = ngettext("%(n)s match at once", "%(n)s matches at once", n) % {"n": n}
    text = " · ".join([at_once, gettext(" or ").join(paces)])
    return WishShown(text, is_open=True, is_paused=standing.paused_at is not None)


def outlook_shown(ladder: Ladder, standing: Standing, now: datetime) -> OutlookShown | None:
    """Present what a member can expect of the next pairing; None for who waits for none.

    Three queries for who wants matches.
    """
    found = outlook_for(ladder, standing, now)
    if found is None:
        return None
    return OutlookShown(found.prospect.value, found.n_waiting, _minutes(now), found.free_at)


def queue_shown(ladder: Ladder, now: datetime) -> QueueShown:
    """Present who waits to somebody who is not on the ladder. Three queries."""
    return QueueShown(n_waiting(ladder, now), _minutes(now))


def _minutes(now: datetime) -> int:
    """Tell within how many minutes the next pairing is made."""
    return -(-int(next_sweep_in(now).total_seconds()) // 60)


def entry_shown(entry: LedgerEntry, viewer_id: int | None) -> EntryShown:
    """Present a line of a player's ledger."""
    match = entry.match
    is_open = is_open_to(match, viewer_id)
    return EntryShown(
        match.players if is_open else None,
        match.players[1 if entry.user_id == match.player_0_id else 0] if is_open else None,
        match.get_absolute_url() if is_open else "",
        "" if entry.score is None else str(RESULTS[entry.score]),
        entry.created_at if entry.score is None else match.finished_at or entry.created_at,
        rating_text(entry.rating_before),
        rating_text(entry.rating_after),
        change_text(entry.change),
        tone_of(entry.change),
        _working(entry),
    )


def _working(entry: LedgerEntry) -> str:
    """Put an entry's numbers into K × (S − E)."""
    if entry.score is None or entry.expected_ppm is None:
        return ""
    score = _decimal(entry.score, 2, entry.score % 2)
    expected = _decimal(entry.expected_ppm, 1_000_000, 3)
    change = _decimal(abs(entry.change), elo.POINT, 3)
    sign = "−" if entry.change < 0 else ""
    return f"{entry.k} × ({score} − {expected}) = {sign}{change}"


def ladders_shown() -> Sequence[LadderShown]:
    """Present a ladder for each ruleset that can be played. One query."""
    counts = ladders_with_counts()
    return [
        LadderShown(
            ruleset,
            gettext(ruleset.name),
            gettext(ruleset.summary),
            counts.get((ruleset.title, ruleset.slug), 0),
        )
        for ruleset in playable_rulesets()
    ]


def match_section(match: Match) -> Section | None:
    """Give what a rated match did to the ratings, for its page. One query, for rated ones."""
    if not match.is_rated:
        return None
    changes = [
        ChangeShown(
            match.players[entry.seat or 0],
            rating_text(entry.rating_before),
            rating_text(entry.rating_after),
            change_text(entry.change),
            tone_of(entry.change),
        )
        for entry in entries_of(match)
    ]
    is_unrated = bool(match.ending) and not ENDINGS[match.ending].is_rated
    is_annulled = match.ending == Match.Ending.ANNULLED
    content = {
        "match": match,
        "changes": [] if is_annulled else changes,
        "is_unrated": is_unrated,
        "is_annulled": is_annulled,
    }
    return Section("ladder/_match.html", content)


def result_section(match: Match) -> Section | None:
    """Give what a rated match did to the ratings, in a line for the board. One query if rated."""
    section = match_section(match)
    return section and Section("ladder/_result.html", section.content)


def account_url(ladder: Ladder, player: User) -> str:
    """Give the address of a player's ledger on a ladder."""
    return reverse("ladder:account", args=[ladder.title, ladder.ruleset_slug, player.name])


def _decimal(part: int, whole: int, places: int) -> str:
    """Tell a fraction in decimals. Django's own formatting would cut instead of rounding."""
    value = Decimal(part) / whole
    return number_format(value.quantize(Decimal(1).scaleb(-places)), decimal_pos=places)


def tone_of(change: int) -> str:
    """Say whether a change is good or bad; empty for none."""
    return "good" if change > 0 else "bad" if change < 0 else ""
