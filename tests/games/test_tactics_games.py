"""Whole games with tactics cards: a person at plain forms against the bot, in every ruleset."""

from __future__ import annotations

import random

import pytest

from games import clock
from games.engine.schotten_totten.meta import TACTICS_NAMES
from games.models import Action, Game
from games.services import bots
from tests.beginner import best_choice
from tests.games.boards import stack
from tests.games.conftest import Cast, make_match, running_game
from tests.games.plain_browser import PlainBrowser
from tests.games.tactics import RULESETS

MAX_STEPS = 60


def play_turn_by_forms(browser: PlainBrowser) -> None:
    """Make a turn, step by step, with whatever the page offers: tactics cards first."""
    browser.reload()
    for _ in range(MAX_STEPS):
        if "data-to-act" not in browser.html:
            return
        step(browser)
        assert browser.status == 200, browser.text
    raise AssertionError("the turn does not end")


def step(browser: PlainBrowser) -> None:
    """Take the next step of a turn."""
    claims = list(browser.options("claim"))
    if browser.options("take"):
        browser.press("Go on", take=max(browser.options("take")))
    elif browser.options("back"):
        browser.press("Put back", back=min(browser.options("back")))
    elif browser.can_press("Draw a"):
        deck = "tactics" if browser.can_press("Draw a tactics") else "clan"
        browser.press(f"Draw a {deck}")
    elif browser.can_press("Go on"):
        browser.press("Go on", stone=min(browser.options("stone")))
    elif browser.can_press("Confirm, draw a tactics"):
        browser.press("Confirm, draw a tactics", claim=claims)
    elif browser.can_press("Confirm") or browser.can_press("End the turn"):
        browser.press("Confirm" if browser.can_press("Confirm") else "End the turn", claim=claims)
    elif browser.options("card"):
        choose_card(browser, claims)
    else:
        browser.press("Pass")


def choose_card(browser: PlainBrowser, claims: list[str]) -> None:
    """Choose a tactics card if there is one, else the clan card that builds most."""
    cards, stones = browser.options("card"), browser.options("stone")
    tactics = sorted(set(cards) & set(TACTICS_NAMES))
    if tactics and (tactics[0] in ("BB", "MF", "RE", "ST", "BA", "TR") or stones):
        elite = {"stone": min(stones)} if tactics[0] in ("JA", "JB", "SP", "SB") else {}
        browser.press("Lay", card=tactics[0], claim=claims, **elite)
    else:
        clan = {card: name for card, name in cards.items() if card not in TACTICS_NAMES}
        choice = best_choice(clan, stones)
        browser.press("Lay", card=choice.card, stone=choice.stone, claim=claims)


def deal(game: Game, seed: int) -> Game:
    """Deal by a seed."""
    rng = random.Random(seed)
    piles = {key: rng.sample(sorted(pile), len(pile)) for key, pile in sorted(game.piles.items())}
    hands = [" ".join(piles["deck"][at : at + 7]) for at in (0, 7)]
    return stack(
        game, *hands, " ".join(piles["deck"][14:]), tactics=" ".join(piles["tactics_deck"])
    )


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_game_against_the_bot_by_plain_forms(cast: Cast, ruleset: str) -> None:
    match = make_match(cast.owner, bots.ensure_bot(), ruleset_slug=ruleset, n_rounds=1)
    game = deal(running_game(match), seed=5)
    browser = PlainBrowser()
    browser.enter(cast.owner)
    browser.open(game.get_absolute_url())
    while game.is_running:
        if game.turn == 0:
            play_turn_by_forms(browser)
        else:
            assert bots.bot_act(game_id=game.pk, now=clock.now())
        game.refresh_from_db()
    browser.reload()
    assert "This game: Owner" in browser.text
    plays = Action.objects.filter(game=game, payload__type="play", payload__seat=0)
    played = {action.payload["card"] for action in plays} & set(TACTICS_NAMES)
    # How many there are is up to the bot: nobody may be two tactics cards ahead.
    assert played
