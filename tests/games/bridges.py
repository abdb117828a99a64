"""Games of Three Bridges for tests: matches, chosen deals, and steps through the service."""

from __future__ import annotations

from functools import reduce
from itertools import count
from random import Random
from typing import Any

from django.utils import timezone

from games.engine.api import Json, Seat, Setup
from games.engine.selfplay import play, random_policy
from games.engine.three_bridges import THREE_BRIDGES
from games.engine.three_bridges.cards import ALL_CARDS
from games.models import Game
from games.selectors import game_fold
from games.services.turns import turn_submit
from tests.games.conftest import Cast, make_match, request_id, running_game


def read(game: Game) -> Game:
    """Read the row anew."""
    return Game.objects.select_related("match__player_0", "match__player_1").get(pk=game.pk)


def make_bridges(cast: Cast, n_rounds: int = 1, **rest: Any) -> Game:
    """Start a match of Three Bridges in which the owner holds seat 0."""
    terms: dict[str, Any] = {"title": "three-bridges", "ruleset_slug": "standard"}
    return running_game(make_match(cast.owner, cast.opponent, n_rounds=n_rounds, **terms, **rest))


def deal(game: Game, bridges: str, hand_0: str, hand_1: str, draws: str = "") -> Game:
    """Deal anew: bridges, four cards each, then what is drawn; the owner starts.

    The first two draws belong to round 1, the starter's first.
    """
    named = f"{hand_0} {hand_1} {draws}".split()
    up = bridges.split()
    rest = [code for code in ALL_CARDS if code not in (*named, *up)]
    piles = {"bridges": up, "deck": named + rest}
    Game.objects.filter(pk=game.pk).update(piles=piles, first=0, turn=0)
    return read(game)


def submit(game: Game, action: Json) -> None:
    """Make one step of the seat to act through the service."""
    game = read(game)
    assert game.turn is not None
    turn_submit(
        game_id=game.pk,
        user=game.match.players[game.turn],
        actions=[action],
        expected_version=game.version,
        request_id=request_id(),
        now=timezone.now(),
    )


def place(game: Game, *cards: str) -> None:
    """Place cards in turn, each written `HX@2`."""
    for told in cards:
        card, bridge = told.split("@")
        submit(game, {"type": "place", "card": card, "bridge": int(bridge)})


def step(game: Game, told: str) -> None:
    """Make one step: `HX@2`, `name B`, `turn 1-0` (seat, index), `move 2-0` (bridge, index),
    `swap` or `decline`."""
    word, _, rest = told.partition(" ")
    match word:
        case "name":
            action: Json = {"type": "name", "suit": rest}
        case "turn" | "move":
            place, index = map(int, rest.split("-"))
            action = {"type": word, "side" if word == "turn" else "bridge": place, "index": index}
        case "swap":
            action = {"type": "swap"}
        case "decline":
            action = {"type": "skip"}
        case _:
            card, bridge = told.split("@")
            kind = "extra" if view_of(game)["asked"] else "place"
            action = {"type": kind, "card": card, "bridge": int(bridge)}
    submit(game, action)


def view_of(game: Game, seat: Seat | None = None) -> Json:
    """Give the view of a seat, else of the seat to act."""
    game = read(game)
    folded = game_fold(game)
    if seat is None:
        seat = 1 if game.turn == 1 else 0
    return folded.title.view(folded.state, seat)


def play_drawn(game: Game) -> Game:
    """Deal a game anew and play it through the service to an end that nobody wins."""
    piles, actions = _drawn_game(0 if game.first == 0 else 1)
    Game.objects.filter(pk=game.pk).update(piles=piles)
    for action in actions:
        submit(game, action)
    return read(game)


def _drawn_game(first: Seat) -> tuple[dict[str, Any], list[Json]]:
    """Find a deal, and turns of it, that nobody wins; about one in seventeen is like that."""
    (ruleset,) = THREE_BRIDGES.meta.rulesets
    for seed in count():
        below = Random(seed).randrange
        setup = Setup(ruleset, first, THREE_BRIDGES.deal(ruleset, below))
        actions = play(THREE_BRIDGES, setup, random_policy, below)
        state = reduce(THREE_BRIDGES.apply, actions, THREE_BRIDGES.setup(setup))
        outcome = THREE_BRIDGES.outcome(state)
        if outcome is not None and outcome.winner is None:
            piles = {name: list(cards) for name, cards in setup.piles}
            return piles, [THREE_BRIDGES.action_json(action) for action in actions]
    raise AssertionError("seeds do not end")
