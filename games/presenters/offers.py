"""What the lobby and an offer's page show, for one user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext

from accounts.models import User
from games.access import AnyUser, is_open_to
from games.admission import Candidate, candidate
from games.engine.shuffle import commitment
from games.hooks import Rating, hooks
from games.models import Game, Match, Offer
from games.paces import is_expired
from games.pauses import vacations_now
from games.presenters.refusals import refusal_text
from games.presenters.terms import TermsText, terms_text
from games.presenters.times import lasting
from games.refusals import Code, Refusal
from games.selectors import (
    games_begun_for,
    lobby_offers,
    offers_by,
    offers_for,
    running_games,
)

NEWS: Final = timedelta(days=1)
"""How long the lobby tells a maker that an offer was accepted."""
NO_RATINGS: Final[Mapping[int, Rating]] = {}
NOBODY_AWAY: Final[Mapping[int, datetime]] = {}


@dataclass(frozen=True, slots=True)
class OfferShown:
    """An offer as one user sees it; `link` is there for the maker of an invitation alone.

    `maker_rating` stands beside rated offers: the maker's on the ladder of that game.
    """

    offer: Offer
    terms: TermsText
    is_mine: bool
    can_accept: bool
    can_decline: bool
    can_withdraw: bool
    link: str = ""
    maker_rating: Rating | None = None
    commitments: Sequence[str] = ()
    asks: Sequence[str] = ()
    """What it asks of who accepts, and how often it is offered, in words."""
    why_not: str = ""
    """What keeps this user from accepting it."""
    is_expired: bool = False
    away_until: datetime | None = None
    """Until when the maker is on vacation, if that is so and somebody else looks."""

    @property
    def expires_at(self) -> datetime | None:
        """Give until when it stands; None for one that does not."""
        is_open = self.offer.status == Offer.Status.OPEN and not self.is_expired
        return self.offer.expires_at if is_open else None

    @property
    def is_waiting(self) -> bool:
        """Say whether it is offered again once a match of it ends."""
        return self.offer.status == Offer.Status.WAITING

    @property
    def is_rematch(self) -> bool:
        """Say whether it asks for a match once more."""
        return self.offer.rematch_of_id is not None


@dataclass(frozen=True, slots=True)
class GameShown:
    """A running game as a line of a list. `is_late`: the time of who is to act has run out."""

    game: Game
    terms: TermsText
    to_act: User
    is_late: bool
    is_mine: bool
    is_my_turn: bool
    left: str
    """How long it is until the deadline, for one of the two."""


@dataclass(frozen=True, slots=True)
class Lobby:
    """Everything that the lobby lists."""

    seeks: Sequence[OfferShown]
    """What the user may accept, and their own."""
    barred: Sequence[OfferShown]
    """Seeks that ask for something which the user has not, and say so."""
    challenges: Sequence[OfferShown]
    own: Sequence[OfferShown]
    """The user's challenges and invitations, and seeks that wait or expired lately; own open
    seeks stand among the seeks."""
    games: Sequence[GameShown]
    accepted: Sequence[Game]
    """The boards of the user's offers that somebody has just accepted."""

    @property
    def has_provisional(self) -> bool:
        """Say whether a rating is marked as provisional, so that the mark is to be explained."""
        ratings = (shown.maker_rating for shown in (*self.seeks, *self.challenges))
        return any(rating is not None and rating.is_provisional for rating in ratings)


def lobby_shown(user: AnyUser, now: datetime) -> Lobby:
    """Gather the lobby for a user.

    Five queries, one more each where there are offers of others and where something is rated,
    and up to three where seeks ask for ratings or reliability.
    """
    seeks = lobby_offers(user, now)
    challenges = offers_for(user, now) if isinstance(user, User) else []
    own = offers_by(user, now) if isinstance(user, User) else []
    accepted = games_begun_for(user, now - NEWS) if isinstance(user, User) else []
    ratings = maker_ratings([*seeks, *challenges])
    away = makers_away([*seeks, *challenges], user, now)
    asked = candidate(user, seeks) if isinstance(user, User) else None
    shown = [
        offer_shown(offer, user, now, ratings=ratings, asked=asked, away=away) for offer in seeks
    ]
    listed = {offer.pk for offer in seeks}
    return Lobby(
        [each for each in shown if not each.why_not],
        [each for each in shown if each.why_not],
        [offer_shown(offer, user, now, ratings=ratings, away=away) for offer in challenges],
        [offer_shown(offer, user, now) for offer in own if offer.pk not in listed],
        [game_shown(game, user, now) for game in running_games()],
        accepted,
    )


def maker_ratings(offers: Sequence[Offer]) -> Mapping[int, Rating]:
    """Give the makers' ratings, by offer id, for the rated ones among some offers."""
    rated = [offer for offer in offers if offer.is_rated]
    return hooks.maker_ratings(rated) if rated else {}


def makers_away(offers: Sequence[Offer], user: AnyUser, now: datetime) -> Mapping[int, datetime]:
    """Give until when the makers of others' offers are on vacation, by user id."""
    return vacations_now({o.maker_id for o in offers if o.maker_id != user.pk}, now)


def offer_shown(
    offer: Offer,
    user: AnyUser,
    now: datetime,
    *,
    has_link: bool = False,
    ratings: Mapping[int, Rating] = NO_RATINGS,
    asked: Candidate | None = None,
    away: Mapping[int, datetime] = NOBODY_AWAY,
) -> OfferShown:
    """Say what a user may do with an offer. `has_link`: they came by an invitation's link.

    `asked` is the user, where the offer may ask something of them; `away` says until when makers
    are on vacation.
    """
    is_mine = offer.maker_id == user.pk
    is_expired = offer.status == Offer.Status.EXPIRED or offer.is_expired(now)
    is_open = offer.status == Offer.Status.OPEN and not is_expired
    obstacle = None if asked is None or is_mine or not is_open else asked.obstacle(offer)
    is_addressee = offer.addressee_id is not None and offer.addressee_id == user.pk
    is_for_all = offer.kind == Offer.Kind.SEEK or has_link
    is_invitation = offer.kind == Offer.Kind.INVITATION
    return OfferShown(
        offer,
        terms_text(offer),
        is_mine,
        can_accept=is_open and not is_mine and (is_for_all or is_addressee) and not obstacle,
        can_decline=is_open and is_addressee,
        can_withdraw=is_mine and (is_open or offer.status == Offer.Status.WAITING),
        link=invitation_link(offer) if is_mine and is_invitation else "",
        maker_rating=ratings.get(offer.pk),
        commitments=commitments_to(offer.secrets),
        asks=asks_text(offer),
        why_not=refusal_text(obstacle) if obstacle else "",
        is_expired=is_expired,
        away_until=None if is_mine or not is_open else away.get(offer.maker_id),
    )


def asks_text(offer: Offer) -> Sequence[str]:
    """Tell what a seek asks of who accepts it, and how often it is offered."""
    told = []
    if offer.rating_within:
        told.append(gettext("ratings within %(n)s points") % {"n": offer.rating_within})
    elif offer.rating_high is None and offer.rating_low is not None:
        told.append(gettext("ratings from %(low)s") % {"low": offer.rating_low})
    elif offer.rating_low is None and offer.rating_high is not None:
        told.append(gettext("ratings up to %(high)s") % {"high": offer.rating_high})
    elif offer.rating_low is not None:
        bounds = {"low": offer.rating_low, "high": offer.rating_high}
        told.append(gettext("ratings from %(low)s to %(high)s") % bounds)
    if offer.in_time:
        told.append(gettext("none of the last %(n)s matches lost on time") % {"n": offer.in_time})
    if offer.n_at_once:
        told.append(gettext("offered again when taken"))
    return told


def invitation_link(offer: Offer) -> str:
    """Give the whole address of an invitation, to be sent to somebody."""
    return settings.SITE_URL + reverse("games:invitation", args=[offer.token])


def offer_match_url(offer: Offer, user: AnyUser) -> str:
    """Give the address of the match that came of an offer, where the user may open it."""
    if offer.status != Offer.Status.ACCEPTED or not hasattr(offer, "match"):
        return ""
    match: Match = offer.match
    return match.get_absolute_url() if is_open_to(match, user.pk) else ""


def commitments_to(secrets: Sequence[str]) -> list[str]:
    """Give the commitment to each round's secret, in order (docs/spec/shuffle.md, 2)."""
    return [commitment(bytes.fromhex(secret)) for secret in secrets]


def game_shown(game: Game, user: AnyUser, now: datetime) -> GameShown:
    """Present a running game."""
    match = game.match
    to_act = match.player_0 if game.turn == 0 else match.player_1
    is_mine = match.seat_of(user.pk) is not None
    is_late = is_expired(game.deadline_at, now)
    return GameShown(
        game,
        terms_text(match),
        to_act,
        is_late=is_late,
        is_mine=is_mine,
        is_my_turn=to_act.pk == user.pk,
        left=lasting(game.deadline_at - now)
        if is_mine and game.deadline_at and not is_late
        else "",
    )


def offer_refusal_text(refusal: Refusal) -> str:
    """Tell why nothing came of an offer."""
    if refusal.code == Code.REQUEST_REUSED:
        return gettext("You have sent this form before, with other choices. Send it once more.")
    return refusal_text(refusal)
