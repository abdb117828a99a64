"""The only doors to rows that a user may see: each right is checked here, once."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.http import Http404

from accounts.models import User
from games.chat_models import Room
from games.chats import rooms_for
from games.engine.api import Seat, Viewer
from games.models import Game, Match, Offer

AnyUser = User | AnonymousUser


@dataclass(frozen=True, slots=True)
class Seen:
    """A game as one user may open it: their seat, or None for those who only watch."""

    game: Game
    match: Match
    seat: Seat | None

    @property
    def viewer(self) -> Viewer:
        """Give the engine's word for who looks."""
        return "spectator" if self.seat is None else self.seat


def game_access(game_id: int, user: AnyUser) -> Seen:
    """Find a game for a user. Raises `Http404` for none and for a private one of others."""
    game = (
        Game.objects.select_related("match__player_0", "match__player_1").filter(pk=game_id).first()
    )
    if game is None or not is_open_to(game.match, user.pk):
        raise Http404
    return Seen(game, game.match, game.match.seat_of(user.pk))


def plays_in(game_id: int, user: AnyUser) -> bool:
    """Say whether a game exists and a user is one of its two players. One query."""
    is_player = Q(match__player_0=user.pk) | Q(match__player_1=user.pk)
    return Game.objects.filter(is_player, pk=game_id).exists()


def match_access(match_id: int, user: AnyUser) -> tuple[Match, Seat | None]:
    """Find a match and the user's seat. Raises `Http404` as `game_access` does."""
    match = Match.objects.select_related("player_0", "player_1").filter(pk=match_id).first()
    if match is None or not is_open_to(match, user.pk):
        raise Http404
    return match, match.seat_of(user.pk)


def chat_access(match_id: int, room: str, user: User) -> tuple[Match, Room]:
    """Find a room of a match that a user sees. Raises `Http404` as if there were no other."""
    match, _seat = match_access(match_id, user)
    if room not in Room.values or Room(room) not in rooms_for(match, user):
        raise Http404
    return match, Room(room)


def offer_access(offer_id: int, user: AnyUser) -> Offer:
    """Find an offer that a user may see by its number. Raises `Http404` otherwise.

    Seeks are for everybody, challenges for the two they concern; an invitation is seen by its
    maker here, and by others through its link alone.
    """
    offer = _offers().filter(pk=offer_id).first()
    if offer is None or not _may_see(offer, user):
        raise Http404
    return offer


def invitation_access(token: str) -> Offer:
    """Find an invitation by the secret of its link. Raises `Http404` for none."""
    if "\0" in token:
        raise Http404
    offer = _offers().filter(token=token, kind=Offer.Kind.INVITATION).first()
    if offer is None:
        raise Http404
    return offer


def _offers() -> QuerySet[Offer]:
    return Offer.objects.select_related("maker", "addressee", "match__player_1")


def is_open_to(match: Match, user_id: int | None) -> bool:
    """Say whether a user may open a match and its games: private ones are for the two alone."""
    return not match.is_private or match.seat_of(user_id) is not None


def _may_see(offer: Offer, user: AnyUser) -> bool:
    if offer.maker_id == user.pk:
        return True
    if offer.kind == Offer.Kind.SEEK:
        return True
    return offer.kind == Offer.Kind.CHALLENGE and offer.addressee_id == user.pk
