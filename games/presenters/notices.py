"""What can be told to a player, kind by kind: whether it is still true, and in which words.

A notice names opponent, ruleset, game, score and deadline, and never a card: it is told from the
rows of match and game alone, without a fold.

**To add a kind**: write a function that says whether it is still true and one that tells it, add
a line to `KINDS`, and let the service in which it happens call `services.notices.notice_add`
with that kind and a key that names the event. Mail, summary, web push, webhook, retries and "not
for who is there" follow by themselves; tests/games/test_notice_kinds.py then asks for a game or
an offer to try it with.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.blocks import may_meet
from accounts.models import User, Webhook
from games.models import Game, Match, Notice, Offer
from games.presenters.terms import terms_text
from games.presenters.vacations import why_not_saved


@dataclass(frozen=True, slots=True)
class Told:
    """A notice in the words of the active language, its times in the active zone."""

    kind: str
    subject: str
    lead: str
    """One sentence that says all that matters."""
    facts: tuple[str, ...]
    path: str
    """Where the link leads: the board, or the offer."""
    link: str
    """What the link says, without a colon at its end."""
    topic: str
    """What of several notices replaces the earlier one on a device: at most 32 characters."""
    data: Mapping[str, object] = field(default_factory=dict)
    """The same for a program: no words, moments in ISO 8601."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of notice."""

    is_true: Callable[[Notice, datetime], bool]
    tell: Callable[[Notice, datetime], Told]
    is_urgent: bool = False
    """Never kept for a summary; sent also to who wants no mails but reminders."""
    is_once_a_match: bool = False
    """By mail told once a match until the player was here again."""
    not_before: Callable[[Notice], datetime | None] = lambda notice: None
    """When it becomes true, where that can move: until then it waits."""


def kind_of(notice: Notice) -> Kind:
    """Give a notice's kind."""
    return KINDS[notice.kind]


def tell(notice: Notice, now: datetime) -> Told:
    """Tell a notice in the active language and zone."""
    return kind_of(notice).tell(notice, now)


def _is_turn(notice: Notice, now: datetime) -> bool:
    game = _game(notice)
    to_act = game.match.seat_of(notice.user_id) == game.turn
    return game.is_running and to_act and game.version == notice.version


def _is_short(notice: Notice, now: datetime) -> bool:
    deadline = _game(notice).deadline_at
    if deadline is None or notice.hours is None or not _is_turn(notice, now):
        return False
    return now < deadline <= now + timedelta(hours=notice.hours)


def _short_from(notice: Notice) -> datetime | None:
    deadline = _game(notice).deadline_at
    return deadline - timedelta(hours=notice.hours or 0) if deadline else None


def _is_open(notice: Notice, now: datetime) -> bool:
    offer = _offer(notice)
    is_open = offer.status == Offer.Status.OPEN and offer.maker.is_active
    return is_open and may_meet(offer.maker_id, notice.user_id)


def _is_over(notice: Notice, now: datetime) -> bool:
    return not _game(notice).is_running


def _turn(notice: Notice, now: datetime) -> Told:
    told = _names(notice)
    lead = _("it is your turn against %(opponent)s in %(ruleset)s.") % told
    return _of_game(notice, _("Your turn against %(opponent)s") % told, lead)


def _reminder(notice: Notice, now: datetime) -> Told:
    deadline = _game(notice).deadline_at or now
    left = max(1, math.ceil((deadline - now) / timedelta(hours=1)))
    told = {**_names(notice), "n": left}
    subject = ngettext(
        "Less than %(n)s hour left against %(opponent)s",
        "Less than %(n)s hours left against %(opponent)s",
        left,
    )
    lead = _("it is still your turn against %(opponent)s in %(ruleset)s, and time runs short.")
    return _of_game(notice, subject % told, lead % told)


def _game_ended(notice: Notice, now: datetime) -> Told:
    game, told = _game(notice), {**_names(notice), "round": _game(notice).round}
    outcome = _outcome(game.winner, notice.user_id, game.match)
    lead = {
        True: _("you won game %(round)s against %(opponent)s in %(ruleset)s. The match goes on."),
        False: _("you lost game %(round)s against %(opponent)s in %(ruleset)s. The match goes on."),
        None: _("game %(round)s against %(opponent)s in %(ruleset)s is drawn. The match goes on."),
    }[outcome]
    subject = _("Game %(round)s against %(opponent)s is over")
    return _of_game(notice, subject % told, lead % told)


def _match_ended(notice: Notice, now: datetime) -> Told:
    match, told = _game(notice).match, _names(notice)
    if match.status == Match.Status.ABORTED:
        lead = _("your match against %(opponent)s in %(ruleset)s was ended without a result.")
    else:
        lead = {
            True: _("you won the match against %(opponent)s in %(ruleset)s."),
            False: _("you lost the match against %(opponent)s in %(ruleset)s."),
            None: _("your match against %(opponent)s in %(ruleset)s is drawn."),
        }[_outcome(match.winner, notice.user_id, match)]
    ended = _("How it ended: %(ending)s") % {"ending": match.get_ending_display()}
    why = why_not_saved(match, notice.user_id)
    more = (ended, why) if why else (ended,)
    return _of_game(notice, _("Your match against %(opponent)s is over") % told, lead % told, *more)


def _is_rescued(notice: Notice, now: datetime) -> bool:
    return bool(_game(notice).rescues.filter(user_id=notice.user_id, ends_at__gt=now).exists())


def _vacation(notice: Notice, now: datetime) -> Told:
    told = _names(notice)
    lead = _(
        "your time against %(opponent)s in %(ruleset)s had run out, so your vacation has begun by "
        "itself, as you chose. You can play in it; make this turn before it ends."
    )
    return _of_game(
        notice, _("Your vacation saved your game against %(opponent)s") % told, lead % told
    )


def _challenge(notice: Notice, now: datetime) -> Told:
    offer = _offer(notice)
    terms, told = terms_text(offer), {"opponent": offer.maker.name}
    if offer.rematch_of_id is not None:
        subject = _("%(opponent)s asks for a rematch")
        lead = _("%(opponent)s asks you for a rematch:")
    else:
        subject = _("%(opponent)s challenges you")
        lead = _("%(opponent)s challenges you to a match:")
    rated = _("Rated") if terms.is_rated else _("Casual")
    return Told(
        kind=notice.kind,
        subject=subject % told,
        lead=lead % told,
        facts=(terms.name, terms.rounds, terms.pace, rated),
        path=reverse("games:offer", args=[offer.pk]),
        link=_("Accept or decline it"),
        topic=f"offer-{offer.pk}",
        data={
            "offer": offer.pk,
            "opponent": offer.maker.name,
            "title": offer.title,
            "ruleset": offer.ruleset_slug,
            "n_rounds": offer.n_rounds,
            "pace": offer.pace_slug,
            "is_rated": offer.is_rated,
            "is_rematch": offer.rematch_of_id is not None,
        },
    )


def _is_off(notice: Notice, now: datetime) -> bool:
    return bool(Webhook.objects.filter(user=notice.user_id, is_off=True).exists())


def _webhook_off(notice: Notice, now: datetime) -> Told:
    return Told(
        kind=notice.kind,
        subject=_("Your webhook is switched off"),
        lead=_("your webhook failed too often in a row, so it is told nothing more."),
        facts=(_("Why it failed stands on the page of your notices."),),
        path=reverse("games:notices"),
        link=_("Look at it, and switch it on again"),
        topic="webhook",
    )


def _of_game(notice: Notice, subject: str, lead: str, *more: str) -> Told:
    """Tell something of a game: which it is, how the match stands, and by when to act."""
    game = _game(notice)
    match, seat = game.match, game.match.seat_of(notice.user_id) or 0
    numbers = {"round": game.round, "n_rounds": match.n_rounds}
    points = {"own_points": match.points[seat], "their_points": match.points[1 - seat]}
    facts = [
        _("Game %(round)s of %(n_rounds)s") % numbers,
        _("Match points: you %(own_points)s, your opponent %(their_points)s") % points,
        *more,
    ]
    is_due = game.is_running and game.turn == seat and game.deadline_at is not None
    if is_due:
        facts.append(_due(game.deadline_at))
    return Told(
        kind=notice.kind,
        subject=subject,
        lead=lead,
        facts=tuple(facts),
        path=game.get_absolute_url(),
        link=_("Open the board"),
        topic=f"game-{game.pk}",
        data={
            "game": game.pk,
            "match": match.pk,
            "version": game.version,
            "opponent": _opponent(notice).name,
            "title": match.title,
            "ruleset": match.ruleset_slug,
            **numbers,
            **points,
            "deadline": game.deadline_at.isoformat() if is_due and game.deadline_at else None,
        },
    )


def _due(deadline: datetime | None) -> str:
    assert deadline is not None
    local = timezone.localtime(deadline)
    told = {"deadline": date_format(local, "DATETIME_FORMAT"), "zone": local.tzinfo}
    return _("Your turn is due before %(deadline)s (%(zone)s).") % told


def _names(notice: Notice) -> dict[str, object]:
    match = _game(notice).match
    return {"opponent": _opponent(notice).name, "ruleset": _(match.ruleset.name)}


def _opponent(notice: Notice) -> User:
    match = _game(notice).match
    opponent: User = match.players[1 - (match.seat_of(notice.user_id) or 0)]
    return opponent


def _outcome(winner: int | None, user_id: int, match: Match) -> bool | None:
    return None if winner is None else winner == match.seat_of(user_id)


def _game(notice: Notice) -> Game:
    assert notice.game is not None
    return notice.game


def _offer(notice: Notice) -> Offer:
    assert notice.offer is not None
    return notice.offer


KINDS: dict[str, Kind] = {
    "turn": Kind(_is_turn, _turn, is_once_a_match=True),
    "reminder": Kind(_is_short, _reminder, is_urgent=True, not_before=_short_from),
    "challenge": Kind(_is_open, _challenge),
    "vacation": Kind(_is_rescued, _vacation, is_urgent=True),
    "game_ended": Kind(_is_over, _game_ended),
    "match_ended": Kind(_is_over, _match_ended),
    "webhook_off": Kind(_is_off, _webhook_off),
}
"""Every kind there is, by the word that rows keep."""
