"""The board of Three Bridges under what it has to refuse, and what it must not tell."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from games.bots import BOTS
from games.engine.api import Viewer
from games.models import Game
from tests.games.boards import FRAGMENT, normal, text_of
from tests.games.bridges import deal, make_bridges, place, read, submit, view_of
from tests.games.conftest import Cast, client_of

MOMENTS = range(4)
"""When the board is looked at: at first, and after each three steps of the bot."""
VIEWERS: tuple[Viewer, ...] = (0, 1, "spectator")


@pytest.fixture
def known(cast: Cast) -> Game:
    return deal(make_bridges(cast), "H9 B9 L9", "HA HX H7 LO", "AU BU B7 A7", "C1 LU")


def post(client: Client, game: Game, what: str = "submit", **data: Any) -> Any:
    """Post a form of the board as it stands, with these fields."""
    version = read(game).version
    form = {"version": version, "request_id": "one", "kind": "place", **data}
    return client.post(f"/games/{game.pk}/{what}/", form)


def refused(response: Any, *told: str, status: int = 422) -> None:
    assert response.status_code == status
    page = text_of(response)
    assert 'role="alert"' in page
    for words in told:
        assert words in page


@pytest.mark.parametrize("what", ["plan", "submit"])
def test_refusals_say_why(known: Game, owner_client: Client, what: str) -> None:
    refused(post(owner_client, known, what, card="B7", bridge=1), "is not in your hand")
    refused(post(owner_client, known, what, card="HX"), "That is not a whole turn yet")
    refused(post(owner_client, known, what, card="ZZ", bridge=1), "could not be read", status=400)
    refused(post(owner_client, known, what, step="decline"), "must be placed face down")
    assert read(known).version == 0


def test_an_ability_refuses_what_it_cannot_use(known: Game, owner_client: Client) -> None:
    place(known, "LO@3", "A7@1")
    for target, told in (("1-0", "no card at that place"), ("0-9", "no card at that place")):
        refused(post(owner_client, known, kind="turn", target=target), told)
    refused(post(owner_client, known, kind="swap"), "First answer the ability of")
    refused(post(owner_client, known, card="HX", bridge=1), "First answer the ability of")
    refused(post(owner_client, known, kind="turn"), "That is not a whole turn yet")
    assert read(known).version == 2


def test_a_face_down_card_cannot_be_turned_and_is_not_named(
    known: Game, owner_client: Client
) -> None:
    place(known, "LO@3", "A7@3")
    answer = post(owner_client, known, kind="turn", target="1-0")
    refused(answer, "A card that lies face down cannot be chosen.")
    assert "Seven of Acorns" not in text_of(answer)


def test_an_ace_wants_its_own_suit(known: Game, owner_client: Client) -> None:
    place(known, "HA@3", "A7@1")
    for what in ("plan", "submit"):
        refused(
            post(owner_client, known, what, kind="extra", card="LO", bridge=1),
            "comes a card of its own suit or a Chronicler",
        )


def test_a_chronicler_must_be_named(known: Game, owner_client: Client) -> None:
    place(known, "C1@3", "A7@1")
    refused(post(owner_client, known, kind="name", step="decline"), "cannot be declined")
    refused(post(owner_client, known, kind="name", suit="Q"), "could not be read", status=400)


def test_who_is_not_to_act_or_does_not_play_is_refused(
    known: Game, opponent_client: Client, stranger_client: Client, client: Client
) -> None:
    for browser in (opponent_client, stranger_client, client):
        for what in ("plan", "submit"):
            assert post(browser, known, what, card="B7", bridge=1).status_code == 403
    assert read(known).version == 0


def test_fault_62_double_click_uses_an_ability_once(known: Game, owner_client: Client) -> None:
    place(known, "HA@3", "A7@1")
    form = {"version": 2, "request_id": "two", "kind": "extra", "card": "HX", "bridge": 3}
    path = f"/games/{known.pk}/submit/"
    assert [owner_client.post(path, form).status_code for _ in range(3)] == [302] * 3
    assert read(known).version == 3
    stale = owner_client.post(path, {**form, "request_id": "three", "card": "H7"})
    refused(stale, "The board has changed in the meantime.", status=409)


def test_garbage_is_never_an_error(known: Game, owner_client: Client) -> None:
    dice = random.Random(1)
    place(known, "LO@3", "A7@1")
    values = ["", "0", "1", "-1", "4", "x", "C1", "HX", "H", "1-0", "9-9", "0-99", "٣", "{}", "\0"]
    values += ["9" * 30, "place", "turn", "move", "name", "extra", "confirm", "lay", "decline"]
    names = ["version", "request_id", "kind", "step", "card", "bridge", "suit", "target"]
    for _ in range(60):
        form = {name: dice.choice(values) for name in dice.sample(names, dice.randint(0, 8))}
        if dice.random() < 0.5:
            form |= {"version": "2", "request_id": "g", "kind": dice.choice(["move", "name"])}
        response = owner_client.post(f"/games/{known.pk}/{dice.choice(['plan', 'submit'])}/", form)
        assert response.status_code < 500
    assert read(known).version == 2


def hidden_from(game: Game, viewer: Viewer) -> list[int]:
    """Give the places in the deck of all cards that a viewer cannot know."""
    view = view_of(game, viewer)  # type: ignore[arg-type]  # spectators have views too
    known = [card for hand in view["hands"] if isinstance(hand, list) for card in hand]
    known += [laid["card"] for pair in view["rows"] for row in pair for laid in row]
    known += view["bridges"]
    return [at for at, card in enumerate(game.piles["deck"]) if card not in known]


def permuted(game: Game, viewer: Viewer, seed: int) -> dict[str, list[str]]:
    """Exchange the cards that a viewer cannot know; their actions are changed with them."""
    deck, places = list(game.piles["deck"]), hidden_from(game, viewer)
    moved = places[:]
    random.Random(seed).shuffle(moved)
    for at, origin in zip(places, moved, strict=True):
        deck[at] = game.piles["deck"][origin]
    return {**game.piles, "deck": deck}


def looks(game: Game, browser: Client) -> Iterator[str]:
    """Give all that a viewer is shown of a game, and the answers that change nothing."""
    url = game.get_absolute_url()
    for headers in ({}, FRAGMENT):
        yield normal(text_of(browser.get(url, headers=headers)))
    for step in ({"step": "take_back"}, {"kind": "turn", "target": "0-0"}, {"card": "ZZ"}):
        yield normal(text_of(post(browser, game, "plan", **{"bridge": 1, **step})))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_nothing_changes_with_the_cards_one_cannot_know(cast: Cast, viewer: Viewer) -> None:
    game, n_compared = make_bridges(cast), 0
    browser = Client() if viewer == "spectator" else client_of(game.match.players[viewer])
    for _ in MOMENTS:
        list(looks(game, browser))  # The first look alone tells what is new since the last.
        before, now = list(looks(game, browser)), read(game)
        piles = permuted(now, viewer, seed=now.version)
        exchanged = dict(zip(now.piles["deck"], piles["deck"], strict=True))
        exchange(game, piles, exchanged)
        assert list(looks(game, browser)) == before
        exchange(game, now.piles, {new: old for old, new in exchanged.items()})
        n_compared += piles != now.piles
        for _ in range(3):
            submit(game, BOTS["greedy"](view_of(game)))
    assert n_compared == len(MOMENTS)


def exchange(game: Game, piles: dict[str, list[str]], cards: dict[str, str]) -> None:
    """Put other cards into the deal and into the placing that is not yet turned up."""
    Game.objects.filter(pk=game.pk).update(piles=piles)
    for action in game.actions.all():
        card = action.payload.get("card")
        if card is not None and cards.get(card, card) != card:
            action.payload["card"] = cards[card]
            type(action).objects.filter(pk=action.pk).update(payload=action.payload)
