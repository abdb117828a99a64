"""The fixed cast of every test about games, and matches made for them through the services."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from config.environment import vapid_key_new
from games.models import Game, Match, Offer
from games.services.bots import bot_turn
from games.services.offers import offer_accept, offer_create
from games.services.terms import OfferTerms
from games.services.turns import Submitted, turn_submit
from tests.games.receiver import Receiver, reached, receiver

_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Cast:
    """Who there is: the owner makes offers and holds seat 0, the opponent accepts them."""

    owner: User
    opponent: User
    stranger: User


def make_user(name: str) -> User:
    """Make a user who can log in with no password asked."""
    return User.objects.create_user(name, f"{name.lower()}@example.org")


@pytest.fixture
def cast(db: None) -> Cast:
    return Cast(make_user("Owner"), make_user("Opponent"), make_user("Stranger"))


@pytest.fixture
def owner(cast: Cast) -> User:
    return cast.owner


@pytest.fixture
def opponent(cast: Cast) -> User:
    return cast.opponent


@pytest.fixture
def stranger(cast: Cast) -> User:
    return cast.stranger


def client_of(user: User) -> Client:
    """Give a browser in which the user is logged in."""
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def owner_client(owner: User) -> Client:
    return client_of(owner)


@pytest.fixture
def opponent_client(opponent: User) -> Client:
    return client_of(opponent)


@pytest.fixture
def stranger_client(stranger: User) -> Client:
    return client_of(stranger)


@pytest.fixture
def now() -> datetime:
    """The present moment, for what is handed to services; pages have the same clock."""
    return timezone.now()


def request_id() -> str:
    """Give an id that no form had before."""
    return f"request-{next(_numbers)}"


def terms(**rest: Any) -> OfferTerms:
    """Give the terms of three rounds of the base game, or others by name."""
    told = {"title": "schotten-totten", "ruleset_slug": "after-play", "n_rounds": 3}
    return OfferTerms(**{**told, "pace_slug": "per-turn-3", **rest})


def make_offer(maker: User, kind: str = "seek", to: User | None = None, **rest: Any) -> Offer:
    """Make an offer now; `rest` are terms."""
    return offer_create(
        maker=maker,
        kind=kind,
        terms=terms(**rest),
        request_id=request_id(),
        now=timezone.now(),
        addressee=to,
    )


def make_match(owner: User, opponent: User, at: datetime | None = None, **rest: Any) -> Match:
    """Start a match in which the owner holds seat 0; `rest` are terms."""
    offer = make_offer(owner, **rest)
    return offer_accept(offer_id=offer.pk, user=opponent, now=at or timezone.now())


def running_game(match: Match) -> Game:
    """Read the game that is being played anew from its row."""
    games = Game.objects.select_related("match__player_0", "match__player_1")
    return games.get(match=match, status=Game.Status.RUNNING)


def play_turn(game: Game, at: datetime | None = None) -> Submitted:
    """Make the turn of the seat to act, as the easy bot would."""
    game = Game.objects.select_related("match__player_0", "match__player_1").get(pk=game.pk)
    assert game.turn is not None
    return turn_submit(
        game_id=game.pk,
        user=game.match.players[game.turn],
        actions=bot_turn(game),
        expected_version=game.version,
        request_id=request_id(),
        now=at or timezone.now(),
    )


def play_out(game: Game, at: datetime | None = None) -> Game:
    """Play a game to its end by the easy bot's turns."""
    while game.is_running:
        play_turn(game, at)
        game.refresh_from_db()
    return game


class _Fields(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[dict[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("input", "option", "button"):
            self.found.append(dict(attrs))


def fields(page: str, name: str) -> list[dict[str, str | None]]:
    """Give the attributes of each field of a name on a page, in order."""
    parser = _Fields()
    parser.feed(page)
    return [field for field in parser.found if field.get("name") == name]


@pytest.fixture
def match(cast: Cast) -> Match:
    """A match of three rounds that has just begun: owner in seat 0, opponent in seat 1."""
    return make_match(cast.owner, cast.opponent)


@pytest.fixture
def game(match: Match) -> Game:
    """The first game of `match`, before its first turn."""
    return running_game(match)


@pytest.fixture
def shifted() -> Callable[[timedelta], Any]:
    """Move the clock of pages for a while."""
    from games import clock

    return clock.shifted


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A receiver of pushes and webhooks on this machine, in the place of all the world."""
    with receiver(tmp_path) as running:
        reached(monkeypatch, running)
        yield running


@pytest.fixture
def vapid_key(settings: Any) -> None:
    """Let the site have a key for web push."""
    settings.VAPID_PRIVATE_KEY = vapid_key_new()
