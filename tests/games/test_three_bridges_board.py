"""The board of Three Bridges: what it shows, and whole games by plain forms."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import clock
from games.bots import BOTS
from games.engine.api import Json
from games.engine.three_bridges import THREE_BRIDGES
from games.engine.three_bridges.meta import STANDARD
from games.engine.three_bridges.scoring import told_points
from games.models import Game
from games.presenters.three_bridges.table import target_of
from games.services import turns
from games.services.bots import bot_act
from tests.games.boards import FRAGMENT, text_of
from tests.games.bridges import deal, make_bridges, place, read, submit, view_of
from tests.games.conftest import Cast
from tests.games.plain_browser import PlainBrowser

BRIDGES = "H9 B9 L9"
ABILITIES = {"place", "name", "turn", "swap", "move", "extra", "skip"}


@pytest.fixture
def bridges(cast: Cast) -> Game:
    return make_bridges(cast)


def browsers(game: Game) -> tuple[PlainBrowser, PlainBrowser]:
    both = PlainBrowser(), PlainBrowser()
    for browser, user in zip(both, game.match.players, strict=True):
        browser.enter(user)
    return both


PRESS = {"name": "Name this suit", "turn": "Turn it", "swap": "Change places", "move": "Fetch it"}


def do(browser: PlainBrowser, action: Json) -> None:
    """Make a step as a person without script would, by what the page offers."""
    kind = action["type"]
    if kind == "skip":
        browser.press("Decline")
    elif kind in ("place", "extra"):
        assert action["card"] in browser.options("card")
        assert str(action["bridge"]) in browser.options("bridge")
        browser.press("Lay", card=action["card"], bridge=str(action["bridge"]))
        assert browser.can_press("Take back")
        browser.press("Confirm")
    elif kind == "name":
        assert action["suit"] in browser.options("suit")
        browser.press(PRESS[kind], suit=action["suit"])
    elif kind == "swap":
        browser.press(PRESS[kind])
    else:
        assert browser.options("target")[target_of(action)]
        browser.press(PRESS[kind], target=target_of(action))
    assert browser.status == 200
    assert browser.was_redirected


def check_offer(browser: PlainBrowser, legal: list[Json]) -> None:
    """See that the page offers what is legal and nothing else."""
    types = {action["type"] for action in legal}
    targets = {target_of(action) for action in legal} - {""}
    assert set(browser.options("target")) == targets
    placed = [action for action in legal if action["type"] in ("place", "extra")]
    assert set(browser.options("card")) == {action["card"] for action in placed}
    assert set(browser.options("bridge")) == {str(action["bridge"]) for action in placed}
    assert len(browser.options("suit")) == (4 if "name" in types else 0)
    assert browser.can_press("Decline") == ("skip" in types)
    assert browser.can_press("Change places") == ("swap" in types)


def play_by_forms(game: Game, choose: Callable[[Json], Json]) -> set[str]:
    """Play a game to its end on both players' pages; give the types of its actions."""
    both, used = browsers(game), set()
    while read(game).is_running:
        turn = read(game).turn
        assert turn is not None
        browser = both[turn]
        browser.open(game.get_absolute_url())
        view = view_of(game)
        check_offer(browser, view["legal"])
        action = choose(view)
        used.add(action["type"])
        do(browser, action)
    for browser in both:
        browser.open(game.get_absolute_url())
        assert browser.status == 200
    assert "this bridge," in both[0].text
    return used


def test_the_form_can_say_whatever_the_bot_chooses(bridges: Game) -> None:
    assert "place" in play_by_forms(bridges, BOTS["greedy"])


def test_a_chosen_deal_uses_every_ability_in_one_game(bridges: Game) -> None:
    """Dice of this seed deal and play a game in which all six things are asked and declined."""
    dice = random.Random(26)
    piles = {key: list(cards) for key, cards in THREE_BRIDGES.deal(STANDARD, dice.randrange)}
    Game.objects.filter(pk=bridges.pk).update(piles=piles, first=0, turn=0)
    assert play_by_forms(bridges, lambda view: dice.choice(view["legal"])) == ABILITIES


def test_the_easy_bot_plays_against_a_person(cast: Cast) -> None:
    User.objects.filter(pk=cast.opponent.pk).update(is_bot=True)
    game = make_bridges(cast)
    person = PlainBrowser()
    person.enter(cast.owner)
    while read(game).is_running:
        bot_act(game_id=game.pk, now=timezone.now())
        if read(game).is_running:
            person.open(game.get_absolute_url())
            do(person, view_of(game, 0)["legal"][0])
    person.open(game.get_absolute_url())
    assert "this bridge," in person.text


@pytest.fixture
def known(bridges: Game) -> Game:
    """The owner can chain Aces of Hearts; the opponent holds what the other abilities need."""
    return deal(bridges, BRIDGES, "HA HX H7 LO", "AU BU B7 A7", "C1 LU")


def test_rows_are_read_aloud_card_by_card(known: Game, opponent_client: Client) -> None:
    place(known, "H7@2", "A7@2", "B7@2")
    page = text_of(opponent_client.get(known.get_absolute_url()))
    assert "Bridge 2, your row: Seven of Acorns, Seven of Bells, face down; 7 points" in page
    assert "Bridge 2, opponent&#x27;s row: Seven of Hearts; 8 points" in page
    assert "Owner is ahead, 8 to 7." in page


def test_the_opponent_sees_where_a_card_lies_and_not_what_it_is(
    known: Game, opponent_client: Client
) -> None:
    place(known, "HX@3")
    page = text_of(opponent_client.get(known.get_absolute_url()))
    assert "Bridge 3, opponent&#x27;s row: face-down card; 0 points" in page
    assert "Ten of Hearts" not in page
    assert "Both cards are turned up then, Owner&#x27;s first." in page


def test_round_starter_deck_and_hands_are_told(known: Game, owner_client: Client) -> None:
    page = PlainBrowser()
    page.enter(known.match.player_0)
    page.open(known.get_absolute_url())
    assert "Round 1 of 6 · Owner places first · 21 cards in the deck" in page.text
    assert "Choose a card, then the bridge where you place it face down." in page.text


def test_each_card_in_hand_says_what_it_does(known: Game) -> None:
    page = PlainBrowser()
    page.enter(known.match.player_0)
    page.open(known.get_absolute_url())
    ace = "Ace of Hearts: counts 4, brings its row 1 point, lets you play one more card of its suit"
    assert ace in page.text
    assert "Chronicler: counts 4, becomes the Ace of a suit that you name." in page.text
    page.press("Lay", card="HX", bridge="2")
    assert "Ten of Hearts: counts 10, brings its row 1 point." in page.text
    assert ace not in page.text


def test_a_plan_is_shown_and_can_be_taken_back(known: Game) -> None:
    page = PlainBrowser()
    page.enter(known.match.player_0)
    page.open(known.get_absolute_url())
    page.press("Lay", card="HX", bridge="2")
    assert "Ten of Hearts at bridge 2, face down. Confirm it, or take it back." in page.text
    assert read(known).version == 0
    page.press("Take back")
    assert "HX" in page.options("card")
    assert read(known).version == 0


def test_planning_the_second_card_does_not_turn_up_the_first(known: Game) -> None:
    place(known, "HX@3")
    page = PlainBrowser()
    page.enter(known.match.player_1)
    page.open(known.get_absolute_url())
    page.press("Lay", card="A7", bridge="3")
    assert "Ten of Hearts" not in page.text.partition("The rules on one page")[0]
    assert "opponent's row: face-down card; 0 points" in page.text


def test_abilities_are_asked_for_in_plain_words(known: Game) -> None:
    both = browsers(known)
    place(known, "LO@3", "A7@1")
    both[0].open(known.get_absolute_url())
    assert "Your Ober of Leaves may turn a card at bridge 3 sideways" in both[0].text
    both[1].open(known.get_absolute_url())
    assert "Owner is to play: Ober of Leaves may turn a card at bridge 3" in both[1].text
    do(both[0], {"type": "turn", "side": 0, "index": 0})
    both[1].reload()
    assert "opponent's row: Ober of Leaves, turned sideways; 4 points" in both[1].text
    place(known, "BU@2", "C1@1")
    both[1].open(known.get_absolute_url())
    assert "Your Unter of Bells may change places with Nine of Bells" in both[1].text
    do(both[1], {"type": "swap"})
    both[0].open(known.get_absolute_url())
    assert "Your Chronicler at bridge 1 becomes an Ace: name its suit." in both[0].text
    do(both[0], {"type": "name", "suit": "H"})
    assert "Chronicler as Ace of Hearts" in both[0].text


@pytest.mark.parametrize("where", [1, 3])
def test_reload_in_an_ace_chain_finds_the_same_step(known: Game, where: int) -> None:
    place(known, "HA@1", "A7@2")
    both = browsers(known)
    both[0].open(known.get_absolute_url())
    do(both[0], {"type": "extra", "card": "C1", "bridge": where})
    for _ in range(2):
        both[0].reload()
        assert "After your Chronicler as Ace of Hearts you may play one more card" in both[0].text
        assert set(both[0].options("card")) == {"HX", "H7"}
        assert both[0].can_press("Decline")
    both[1].open(known.get_absolute_url())
    assert "one more card of its suit may be played" in both[1].text
    assert not both[1].can_press("Decline")
    do(both[0], {"type": "skip"})
    assert view_of(known, 0)["phase"] == "place"


def test_the_end_explains_each_bridge(bridges: Game) -> None:
    while read(bridges).is_running:
        submit(bridges, BOTS["greedy"](view_of(bridges)))
    page = PlainBrowser()
    page.open(bridges.get_absolute_url())
    for scores in view_of(bridges, 0)["scores"]:
        for points in scores:
            assert f"Together {told_points(int(points * 2))} " in page.text
    assert page.html.count('class="why"') == 3
    assert "<dt>Hand</dt>" not in page.html
    assert page.text.count("this bridge,") + page.text.count("points each.") >= 3


def test_query_counts_do_not_grow(
    bridges: Game,
    client: Client,
    owner_client: Client,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """They are those of the other title, at every stage of a game; a look is one write more.

    A page by itself asks besides whether its player has chosen about vacations.
    """
    url, form = bridges.get_absolute_url(), {"kind": "place", "card": "HX", "bridge": "1"}
    sent = {**form, "request_id": "x", "step": "lay"}
    n_since = 0
    while read(bridges).is_running:
        n = 15
        with django_assert_num_queries(n + 2 + n_since):
            owner_client.get(url)
        n_since = 3  # Who was here before is told what has been said and paused since.
        with django_assert_num_queries(4):  # the game, its actions, and what pauses its clock
            client.get(url, headers=FRAGMENT)
        sent["version"] = str(read(bridges).version)
        with django_assert_num_queries(n + 1 + n_since):
            owner_client.post(f"{url}plan/", sent)
        for _ in range(6):
            if read(bridges).is_running:
                submit(bridges, BOTS["greedy"](view_of(bridges)))


def test_replay_shows_steps_with_all_cards_open(bridges: Game, client: Client) -> None:
    while read(bridges).is_running:
        submit(bridges, BOTS["greedy"](view_of(bridges)))
    for step in (0, 1, 2, 5, read(bridges).version):
        response = client.get(f"{bridges.get_absolute_url()}replay/{step}/")
        assert response.status_code == 200
        assert text_of(response).count("bridge__middle") == 3


def test_the_rules_have_a_page(client: Client) -> None:
    assert client.get("/rules/three-bridges/").status_code == 200


def test_nobody_places_first_once_the_game_is_over(known: Game, owner_client: Client) -> None:
    turns.game_resign(
        game_id=known.pk,
        user=known.match.player_0,
        expected_version=known.version,
        request_id="give up",
        now=clock.now(),
    )
    page = text_of(owner_client.get(known.get_absolute_url()))
    assert "Round 1 of 6" in page
    assert "places first" not in page
