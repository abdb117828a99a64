"""Offers: seeks, challenges, invitations and rematches, from their making to the match.

An offer is checked when it is accepted, under its lock: whoever comes second is told.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime, timedelta
from secrets import token_hex, token_urlsafe
from typing import Final

from django.db import transaction

from accounts.models import User
from accounts.services import users_lock
from games import publish
from games.admission import candidate, may_play
from games.models import Match, Offer
from games.paces import PACES
from games.presence import is_attended
from games.refusals import Code, Refusal
from games.selectors import n_running_of_series
from games.services.matches import match_create
from games.services.notices import challenge_notice_due
from games.services.rows import match_lock, player_seat, request_id_check
from games.services.shuffles import nonce_check, secrets_new, secrets_take, seen_check
from games.services.terms import OfferTerms, terms_check, terms_of

MAX_OPEN_OFFERS = 20

LASTS: Final = {
    Offer.Kind.SEEK: timedelta(days=7),
    Offer.Kind.CHALLENGE: timedelta(days=7),
    Offer.Kind.INVITATION: timedelta(days=14),
}
"""How long an offer stands; a rematch is a challenge."""

LIVE_SEEK_LASTS: Final = timedelta(hours=1)
"""Who seeks live play sits there and waits: not for days."""


def offer_create(
    *,
    maker: User,
    kind: str,
    terms: OfferTerms,
    request_id: str,
    now: datetime,
    addressee: User | None = None,
    nonce: str = "",
    seen: str = "",
) -> Offer:
    """Make an offer; the same request again gives the same offer, open or accepted.

    `nonce` is what the maker's browser drew, in hex, empty where it drew none; `seen` the
    commitment to round 1 on the form, empty where no form was shown.

    Raises `Refusal`: MALFORMED, BAD_NONCE, FORM_EXPIRED (`seen` holds no more), BAD_TERMS,
    NO_SUCH_PLAYER (a challenge to nobody), OWN_OFFER (to oneself), PLAYER_UNAVAILABLE,
    CANNOT_MEET (one has blocked the other),
    NO_RATED_PLAY, REQUEST_REUSED (for another offer), OFFER_CLOSED (the offer of this
    request was withdrawn or declined), TOO_MANY_OFFERS. Locks: the rows of maker and addressee,
    so that two tabs cannot pass the limit or spend a request id together.
    """
    request_id_check(request_id)
    nonce_check(nonce)
    terms_check(terms, kind)
    if (kind == Offer.Kind.CHALLENGE) != (addressee is not None) or kind not in Offer.Kind.values:
        raise Refusal(Code.NO_SUCH_PLAYER)
    if addressee is not None and addressee.pk == maker.pk:
        raise Refusal(Code.OWN_OFFER)
    with transaction.atomic(durable=True):
        players = users_lock(maker.pk, *([] if addressee is None else [addressee.pk]))
        may_play(*players.values(), is_rated=terms.is_rated)
        before = Offer.objects.filter(maker=maker, request_id=request_id).first()
        if before is not None:
            return _same(before, kind, terms, addressee)
        _check_count(maker)
        drawn = secrets_take(maker=maker, request_id=request_id, n_rounds=terms.n_rounds, seen=seen)
        return _offer_write(
            maker, kind, terms, request_id, now, drawn=drawn, nonce=nonce, addressee=addressee
        )


def offer_accept(
    *, offer_id: int, user: User, now: datetime, token: str | None = None, nonce: str = ""
) -> Match:
    """Accept an offer and start its match; the accepter's second click gives the same match.

    `nonce` is what the accepter's browser drew, in hex, empty where it drew none.

    Raises `Refusal`: BAD_NONCE, OWN_OFFER, NOT_ADDRESSEE, OFFER_TAKEN, OFFER_CLOSED,
    OFFER_EXPIRED (and closes it), PLAYER_UNAVAILABLE, CANNOT_MEET, NO_RATED_PLAY,
    RATING_OUTSIDE, RATING_BELOW, RATING_ABOVE, NOT_IN_TIME. Ratings and matches are read as
    they are now. Locks: the rows of both players, then the offer's; for a rated match both
    players' standings, whose ladder they join. After commit: lobbies are told, the bot to move
    is woken.
    """
    nonce_check(nonce)
    with transaction.atomic(durable=True):
        maker_id = Offer.objects.values_list("maker_id", flat=True).get(pk=offer_id)
        players = users_lock(maker_id, user.pk)
        offer = offer_lock(offer_id)
        is_late = offer.is_expired(now)
        if not is_late:
            return _accept(offer, players, user.pk, token, nonce, now)
        offer_close(offer, Offer.Status.EXPIRED, now)
    raise Refusal(Code.OFFER_EXPIRED)


def offer_withdraw(*, offer_id: int, user: User, now: datetime) -> Offer:
    """Take one's own open offer back. Raises `Refusal`: NOT_MAKER, OFFER_TAKEN."""
    with transaction.atomic(durable=True):
        offer = offer_lock(offer_id)
        if offer.maker_id != user.pk:
            raise Refusal(Code.NOT_MAKER)
        return offer_close(offer, Offer.Status.WITHDRAWN, now)


def offer_decline(*, offer_id: int, user: User, now: datetime) -> Offer:
    """Say no to a challenge. Raises `Refusal`: NOT_ADDRESSEE, OFFER_TAKEN."""
    with transaction.atomic(durable=True):
        offer = offer_lock(offer_id)
        if offer.addressee_id != user.pk:
            raise Refusal(Code.NOT_ADDRESSEE)
        return offer_close(offer, Offer.Status.DECLINED, now)


def match_rematch(
    *,
    match_id: int,
    user: User,
    request_id: str,
    now: datetime,
    nonce: str = "",
    seen: str = "",
) -> Offer | Match:
    """Offer the same match again with the start exchanged, or accept the other's offer of it.

    Gives the open offer, or the match where the other had offered or accepted already: two
    who press at once get one match. `nonce` and `seen` are as in `offer_create`. Raises
    `Refusal`: MALFORMED, BAD_NONCE, FORM_EXPIRED, NOT_A_PLAYER, MATCH_RUNNING,
    PLAYER_UNAVAILABLE, CANNOT_MEET, TOO_MANY_OFFERS, REQUEST_REUSED (for another offer),
    OFFER_CLOSED (the offer of this request was withdrawn or declined). Locks: the rows of
    both players, then the match's and the offer's.
    """
    request_id_check(request_id)
    nonce_check(nonce)
    with transaction.atomic(durable=True):
        match = Match.objects.get(pk=match_id)
        seat = player_seat(match, user.pk)
        players = users_lock(match.player_0_id, match.player_1_id)
        match = match_lock(match_id)
        if match.status == Match.Status.RUNNING:
            raise Refusal(Code.MATCH_RUNNING)
        # The offer is read before the match: it may be accepted in the lobby in between.
        offer = Offer.objects.filter(rematch_of=match, status=Offer.Status.OPEN).first()
        again = Match.objects.filter(rematch_of=match).first()
        if again is not None:
            return again
        if offer is not None and offer.is_expired(now):
            offer = offer_close(offer_lock(offer.pk), Offer.Status.EXPIRED, now)
        if offer is not None and offer.status == Offer.Status.OPEN:
            if offer.maker_id == user.pk:
                return offer
            return _accept(offer_lock(offer.pk), players, user.pk, None, nonce, now)
        before = Offer.objects.filter(maker=user, request_id=request_id).first()
        if before is not None:
            # An open or accepted rematch was found above: this one was closed, or another offer.
            is_same = before.rematch_of_id == match.pk
            raise Refusal(Code.OFFER_CLOSED if is_same else Code.REQUEST_REUSED)
        may_play(*players.values(), is_rated=match.is_rated)
        _check_count(user)
        seen_check(seen, match.rematch_secrets)
        return _rematch_write(match, seat, user, request_id, nonce, now)


def lasts(kind: str, pace_slug: str) -> timedelta:
    """Give how long an offer stands from when it is made, or made anew."""
    is_live_seek = kind == Offer.Kind.SEEK and PACES[pace_slug].is_live
    return LIVE_SEEK_LASTS if is_live_seek else LASTS[Offer.Kind(kind)]


def offer_lock(offer_id: int) -> Offer:
    """Lock an offer's row. Raises `Offer.DoesNotExist`."""
    offers = Offer.objects.select_related("maker", "addressee", "rematch_of")
    return offers.select_for_update(of=("self",), no_key=True).get(pk=offer_id)


def _accept(
    offer: Offer,
    players: dict[int, User],
    user_id: int,
    token: str | None,
    nonce: str,
    now: datetime,
) -> Match:
    """Start the match of a locked offer. `players` are its maker and who accepts, locked too."""
    if offer.maker_id == user_id:
        raise Refusal(Code.OWN_OFFER)
    if offer.addressee_id not in (None, user_id):
        raise Refusal(Code.NOT_ADDRESSEE)
    if offer.kind == Offer.Kind.INVITATION and token != offer.token:
        raise Refusal(Code.NOT_ADDRESSEE)
    if offer.status == Offer.Status.ACCEPTED:
        match = Match.objects.filter(offer=offer, player_1=user_id).first()
        if match is not None:
            return match
        raise Refusal(Code.OFFER_TAKEN)
    if offer.status == Offer.Status.EXPIRED:
        raise Refusal(Code.OFFER_EXPIRED)
    if offer.status != Offer.Status.OPEN:
        raise Refusal(Code.OFFER_CLOSED)
    may_play(*players.values(), is_rated=offer.is_rated)
    obstacle = candidate(players[user_id], [offer]).obstacle(offer)
    if obstacle is not None:
        raise obstacle
    _mark(offer, Offer.Status.ACCEPTED, now)
    match = match_create(offer, user_id, nonce=nonce, now=now)
    if offer.n_at_once:
        _again_write(offer, now)
    if offer.rematch_of is not None:
        _rematch_tell(offer.rematch_of)
    return match


def offer_close(offer: Offer, status: int, now: datetime) -> Offer:
    """Close a locked offer without a match; one that is closed stays as it is.

    Raises `Refusal` OFFER_TAKEN. After commit: lists and waiting pages are told.
    """
    if offer.status == Offer.Status.ACCEPTED:
        raise Refusal(Code.OFFER_TAKEN)
    if offer.status in (Offer.Status.OPEN, Offer.Status.WAITING):
        _mark(offer, status, now)
        offer_tell(offer)
        if offer.rematch_of is not None:
            _rematch_tell(offer.rematch_of)
    return offer


def offer_tell(offer: Offer) -> None:
    """Tell the open lobbies, and the two whom an offer concerns."""
    publish.lobby_changed()
    publish.players_changed(*filter(None, (offer.maker_id, offer.addressee_id)))


def _rematch_tell(match: Match) -> None:
    """Tell the page of the match's last game, where both wait for each other."""
    publish.finished_changed(match.games.order_by("-round")[0])


def _mark(offer: Offer, status: int, now: datetime) -> None:
    offer.status, offer.closed_at = status, now
    offer.save(update_fields=["status", "closed_at"])


def _same(before: Offer, kind: str, terms: OfferTerms, addressee: User | None) -> Offer:
    """Give the offer that a request made before, if it asked for the same and was not closed."""
    made = terms_of(before)
    to = None if addressee is None else addressee.pk
    is_same = (before.kind, made, before.addressee_id) == (kind, terms, to)
    if not is_same or before.rematch_of_id is not None:
        raise Refusal(Code.REQUEST_REUSED)
    if before.status not in (Offer.Status.OPEN, Offer.Status.ACCEPTED):
        raise Refusal(Code.OFFER_CLOSED)
    return before


def has_room(maker: User) -> bool:
    """Say whether a player may have one more open offer. One query."""
    return Offer.objects.filter(Offer.is_live(), maker=maker).count() < MAX_OPEN_OFFERS


def _check_count(maker: User) -> None:
    if not has_room(maker):
        raise Refusal(Code.TOO_MANY_OFFERS, limit=MAX_OPEN_OFFERS)


def _offer_write(
    maker: User,
    kind: str,
    terms: OfferTerms,
    request_id: str,
    now: datetime,
    *,
    drawn: list[str],
    nonce: str,
    addressee: User | None,
    rematch_of: Match | None = None,
    first: int | None = None,
) -> Offer:
    offer = Offer.objects.create(
        maker=maker,
        kind=kind,
        addressee=addressee,
        **asdict(terms),
        secrets=drawn,
        nonce=nonce,
        token=token_urlsafe(24),
        request_id=request_id,
        rematch_of=rematch_of,
        first=first,
        created_at=now,
        expires_at=now + lasts(kind, terms.pace_slug),
    )
    challenge_notice_due(offer=offer, now=now)
    offer_tell(offer)
    if rematch_of is not None:
        _rematch_tell(rematch_of)
    return offer


def _again_write(taken: Offer, now: datetime) -> None:
    """Offer a seek again that was just taken: at once, or when a match of it has ended.

    Once for each that is taken; for live play only while its maker is there to play. No browser
    of the maker's is asked: zeros stand for its nonce.
    """
    if not Offer.objects.filter(is_attended(now), pk=taken.pk).exists():
        return
    series_id = taken.series_id or taken.pk
    is_full = n_running_of_series(series_id) >= taken.n_at_once
    Offer.objects.create(
        **asdict(terms_of(taken)),
        maker_id=taken.maker_id,
        kind=taken.kind,
        status=Offer.Status.WAITING if is_full else Offer.Status.OPEN,
        secrets=secrets_new(taken.n_rounds),
        token=token_urlsafe(24),
        request_id=token_hex(16),
        again_of=taken,
        series_id=series_id,
        created_at=now,
        expires_at=now + lasts(taken.kind, taken.pace_slug),
    )


def _rematch_write(
    match: Match, seat: int, user: User, request_id: str, nonce: str, now: datetime
) -> Offer:
    """Write the rematch: the maker sits in seat 0, who did not start last time starts.

    Its secrets are spent: should it come to nothing, the next offer has others.
    """
    terms = OfferTerms(
        match.title,
        match.ruleset_slug,
        match.n_rounds,
        match.pace_slug,
        match.is_private,
        is_rated=match.is_rated,
        weekend_zone=match.weekend_zone,
        allows_vacation=match.allows_vacation,
        has_tracker=match.has_tracker,
    )
    drawn = match.rematch_secrets or secrets_new(match.n_rounds)
    match.rematch_secrets = secrets_new(match.n_rounds)
    match.save(update_fields=["rematch_secrets"])
    starter_before = match.games.order_by("round").values_list("first", flat=True)[0]
    return _offer_write(
        user,
        Offer.Kind.CHALLENGE,
        terms,
        request_id,
        now,
        drawn=drawn,
        nonce=nonce,
        addressee=match.player_1 if seat == 0 else match.player_0,
        rematch_of=match,
        first=1 if starter_before == seat else 0,
    )
