"""What the home page lists, ready to be shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from accounts.models import User
from games import selectors
from games.chat_models import ChatPlace
from games.chats import other_player, unread_places
from games.models import Game, Match, Offer, Vacation
from games.paces import is_expired
from games.pauses import vacation_now
from games.presenters.matches import ending_text
from games.presenters.terms import TermsText, terms_text
from games.presenters.times import lasting

N_WATCHED = 6
"""How many running games a visitor is shown."""
UNSEEN_FOR = timedelta(days=30)
"""How long a game that is over waits to be looked at."""


@dataclass(frozen=True, slots=True)
class OwnGame:
    """A running game of the player who looks."""

    game: Game
    opponent: User
    own_points: int
    their_points: int
    is_to_act: bool
    is_late: bool
    """The deadline has passed; it only has to be written down."""
    left: str
    """How long it is until the deadline."""
    n_unread: int
    """How many messages of its match the player has not seen."""


@dataclass(frozen=True, slots=True)
class Talk:
    """A match that is over, in which the other player has said something since."""

    match: Match
    opponent: User
    n_unread: int


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge that waits for the player who looks."""

    offer: Offer
    terms: TermsText
    is_rematch: bool


class Ending(StrEnum):
    """How a game ended for the player who looks."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True)
class EndedGame:
    """A game that is over, with its own points; with the match's where that ended with it."""

    game: Game
    opponent: User
    is_match: bool
    how: str
    """How the match ended; empty where it goes on."""
    own_points: int
    their_points: int
    ending: Ending


@dataclass(frozen=True, slots=True)
class OwnPage:
    """The home page of a player: what waits, what runs, what was offered."""

    waiting: tuple[OwnGame, ...]
    running: tuple[OwnGame, ...]
    finished: tuple[EndedGame, ...]
    """Games that are over and that the player has not opened since."""
    challenges: Sequence[Challenge]
    talks: Sequence[Talk]
    n_offers: int
    """So many offers of the player's own wait for an answer."""
    vacation: Vacation | None
    """The one that the player is on."""


def own_page(user: User, now: datetime) -> OwnPage:
    """Collect a player's home page. Six queries, however much is shown."""
    unread = {place.match_id: place for place in unread_places(user)}
    games = [_own_game(game, user, now, unread) for game in selectors.games_running_for(user)]
    return OwnPage(
        waiting=tuple(game for game in games if game.is_to_act and not game.is_late),
        running=tuple(game for game in games if not game.is_to_act or game.is_late),
        finished=tuple(
            _ended_game(game, user) for game in selectors.games_unseen_for(user, now - UNSEEN_FOR)
        ),
        challenges=[
            Challenge(offer, terms_text(offer), offer.rematch_of_id is not None)
            for offer in selectors.offers_for(user, now)
        ],
        talks=[_talk(place, user) for place in unread.values() if place.match.finished_at],
        n_offers=sum(offer.is_open for offer in selectors.offers_by(user, now)),
        vacation=vacation_now(user.pk, now),
    )


def _talk(place: ChatPlace, user: User) -> Talk:
    return Talk(place.match, other_player(place.match, user), place.n_unread)


def _own_game(game: Game, user: User, now: datetime, unread: Mapping[int, ChatPlace]) -> OwnGame:
    match = game.match
    seat = match.seat_of(user.pk) or 0
    return OwnGame(
        game=game,
        opponent=match.players[1 - seat],
        own_points=match.points[seat],
        their_points=match.points[1 - seat],
        is_to_act=game.turn == seat,
        is_late=is_expired(game.deadline_at, now),
        left=lasting(game.deadline_at - now) if game.deadline_at else "",
        n_unread=unread[match.pk].n_unread if match.pk in unread else 0,
    )


def _ended_game(game: Game, user: User) -> EndedGame:
    match = game.match
    seat = match.seat_of(user.pk) or 0
    is_match = game.finished_at == match.finished_at and match.ending != Match.Ending.ANNULLED
    points = match.points if is_match else (game.points_0, game.points_1)
    return EndedGame(
        game=game,
        opponent=match.players[1 - seat],
        is_match=is_match,
        how=ending_text(match, game.round) if is_match else "",
        own_points=points[seat],
        their_points=points[1 - seat],
        ending=_ending(match if is_match else game, seat),
    )


def _ending(ended: Game | Match, seat: int) -> Ending:
    if ended.status in (Game.Status.ABORTED, Match.Status.ABORTED):
        return Ending.ABORTED
    if ended.winner is None:
        return Ending.DRAWN
    return Ending.WON if ended.winner == seat else Ending.LOST
