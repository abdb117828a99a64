"""Tactics cards on the board, by plain forms: each card's way, its limits, and two decks."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.engine.schotten_totten.meta import TACTICS_NAMES
from games.models import Action, Game
from tests.games.boards import (
    make_board,
    named_cards,
    page_of,
    play_on,
    post,
    shapes,
    text_of,
    turn,
)
from tests.games.conftest import Cast, client_of
from tests.games.plain_browser import PlainBrowser
from tests.games.tables import Node, parse
from tests.games.tactics import RULESETS, armed_game, tactics_game


def seated(cast: Cast, game: Game) -> PlainBrowser:
    """Seat the owner at a browser without script."""
    browser = PlainBrowser()
    browser.enter(cast.owner)
    browser.open(game.get_absolute_url())
    return browser


def last_actions(game: Game, count: int) -> list[dict[str, object]]:
    actions = Action.objects.filter(game=game).order_by("-version")[:count]
    return [action.payload for action in reversed(actions)]


# --- the way of each card -----------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("card", ["JA", "JB", "SP", "SB"])
def test_an_elite_troop_is_laid_like_a_clan_card(cast: Cast, card: str, ruleset: str) -> None:
    game = armed_game(cast, card, ruleset)
    browser = seated(cast, game)
    browser.press("Lay", card=card, stone="4")
    assert f"{TACTICS_NAMES[card]} at stone 4." in browser.text
    browser.press("Confirm, draw a clan card")
    play, draw = last_actions(game, 2)
    assert play == {"seat": 0, "type": "play", "card": card, "stone": 4}
    assert draw == {"seat": 0, "type": "draw", "from": "clan"}
    assert f"your side {TACTICS_NAMES[card]};" in browser.html


@pytest.mark.parametrize("card", ["BB", "MF"])
def test_a_mode_goes_to_any_unclaimed_stone_and_is_shown_there(cast: Cast, card: str) -> None:
    game = armed_game(cast, card)
    turn(game, "R3@1", "draw clan")
    turn(game, "O3@2", "draw clan")
    browser = seated(cast, game)
    assert "1" not in browser.options("stone"), "a full side takes no clan card"
    browser.press("Lay", card=card)
    assert browser.text.count(f"{TACTICS_NAMES[card]}: choose the stone") == 1
    assert list(browser.options("stone")) == list("123456789")
    browser.press("Go on", stone="1")
    assert "Confirm it by a draw" in browser.text
    browser.press("Confirm, draw a tactics card")
    assert last_actions(game, 2)[0] == {"seat": 0, "type": "play", "card": card, "stone": 1}
    for other in (client_of(cast.opponent), Client()):
        page = page_of(other, game)
        assert f"; here {TACTICS_NAMES[card]} counts" in page.replace("&#x27;", "'")


def test_under_mud_fight_a_side_has_four_places(cast: Cast) -> None:
    game = armed_game(cast, "MF")
    turn(game, "MF@1", "draw clan")
    page = page_of(client_of(cast.owner), game)
    column = parse(page).by_id("column-1")
    (bottom,) = column.by_class("side--bottom")
    assert len(bottom.by_class("card")) + len(bottom.by_class("place")) == 4


def test_four_equal_cards_are_called_four_of_a_kind(cast: Cast) -> None:
    game = tactics_game(cast, "MF", draws="Y9 Y1 Y8 B1 Y7 P1")
    answers = iter(("O1@9", "O2@9", "O3@8", "O4@8"))
    for card in ("R1@1", "MF@1", "Y1@1", "B1@1"):
        turn(game, card, "draw tactics" if card == "R1@1" else "draw clan")
        turn(game, next(answers), "draw clan")
    turn(game, "P1@1", "draw clan")
    assert "(Four of a Kind 4)" in page_of(client_of(cast.owner), game)


def test_under_the_bluff_a_full_side_is_a_sum(cast: Cast) -> None:
    game = armed_game(cast, "BB")
    turn(game, "BB@1", "draw clan")
    turn(game, "O3@2", "draw clan")
    turn(game, "R3@1", "draw clan")
    assert "your side red 1, red 2, red 3 (Sum 6)" in page_of(client_of(cast.owner), game)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_strategist_moves_a_card(cast: Cast, ruleset: str) -> None:
    game = armed_game(cast, "ST", ruleset)
    browser = seated(cast, game)
    browser.press("Lay", card="ST")
    assert browser.options("take") == {"R1": "red 1 at stone 1", "R2": "red 2 at stone 1"}
    browser.press("Go on", take="R2")
    assert "choose where red 2 goes" in browser.text
    assert list(browser.options("stone")) == [*"23456789", "discard"]
    browser.press("Go on", stone="5")
    assert "Strategist: red 2 comes to your side of stone 5." in browser.text
    browser.press("Confirm, draw a clan card")
    play = {"seat": 0, "type": "play", "card": "ST", "take": "R2", "to": 5}
    assert last_actions(game, 2)[0] == play
    assert "moves 2red 2 from stone 1 to stone 5" in browser.text


def test_the_strategist_discards_a_card(cast: Cast) -> None:
    game = armed_game(cast, "ST")
    browser = seated(cast, game)
    browser.press("Lay", card="ST")
    browser.press("Go on", take="R1")
    browser.press("Go on", stone="discard")
    assert "Strategist: red 1 goes to the discard." in browser.text
    browser.press("Confirm, draw a clan card")
    assert last_actions(game, 2)[0]["to"] is None
    (discard,) = parse(browser.html).by_class("discard")
    assert [token.text for token in discard.by_class("token")] == [
        "Strategist Strategist",
        "1 red 1",
    ]


def test_the_banshee_discards_a_card_of_the_opponent(cast: Cast) -> None:
    game = armed_game(cast, "BA")
    browser = seated(cast, game)
    browser.press("Lay", card="BA")
    assert list(browser.options("take")) == ["O1", "O2"]
    browser.press("Go on", take="O2")
    assert "Banshee: orange 2 goes to the discard." in browser.text
    browser.press("Confirm, draw a clan card")
    assert last_actions(game, 2)[0] == {"seat": 0, "type": "play", "card": "BA", "take": "O2"}
    for other in (client_of(cast.opponent), Client()):
        (discard,) = parse(page_of(other, game)).by_class("discard")
        assert discard.text.startswith("Discard (2)")
        assert "Banshee" in discard.text


def test_the_traitor_brings_a_card_to_ones_own_side(cast: Cast) -> None:
    game = armed_game(cast, "TR")
    browser = seated(cast, game)
    browser.press("Lay", card="TR")
    assert list(browser.options("take")) == ["O1", "O2"]
    browser.press("Go on", take="O1")
    assert list(browser.options("stone")) == list("123456789"), "its own stone too, no discard"
    browser.press("Go on", stone="1")
    assert "Traitor: orange 1 comes to your side of stone 1." in browser.text
    browser.press("Confirm, draw a clan card")
    play = {"seat": 0, "type": "play", "card": "TR", "take": "O1", "to": 1}
    assert last_actions(game, 2)[0] == play
    assert "your side red 1, red 2, orange 1" in browser.html


def test_the_traitor_takes_no_elite_troop(cast: Cast) -> None:
    game = tactics_game(cast, "TR SP")
    turn(game, "R1@1", "draw tactics")
    turn(game, "O1@1", "draw tactics")
    turn(game, "R2@1", "draw clan")
    turn(game, "SP@2", "draw clan")
    browser = seated(cast, game)
    browser.press("Lay", card="TR")
    assert list(browser.options("take")) == ["O1"]
    browser.press("Go on", take="SP")
    assert browser.status == 422
    assert "clan cards only, not Spy." in heard(browser.html, "board__refusal")


# --- choosing, changing one's mind, what is refused ---------------------------------------------


def test_a_ruse_begun_is_taken_back(cast: Cast) -> None:
    game = armed_game(cast, "ST")
    browser = seated(cast, game)
    browser.press("Lay", card="ST")
    browser.press("Go on", take="R1")
    browser.press("Take back")
    assert browser.options("take") == {}
    assert "Choose a card, then a stone for it." in browser.text
    game.refresh_from_db()
    assert game.version == 8


def test_another_card_can_be_chosen_instead(cast: Cast) -> None:
    game = armed_game(cast, "ST BA")
    browser = seated(cast, game)
    browser.press("Lay", card="ST")
    browser.press("Go on", card="BA", take="R1")
    assert browser.status == 200
    assert list(browser.options("take")) == ["O1", "O2"], "what was chosen for the other is gone"
    browser.press("Go on", card="R3", stone="2")
    assert "Red 3 at stone 2." in browser.text


_UNREADABLE = "That form could not be read."


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ({"card": "BA"}, "Banshee is not in your hand."),
        ({"card": "ST", "picked": "ST", "take": "O1"}, "Strategist cannot take orange 1."),
        ({"card": "ST", "picked": "ST", "take": "R1", "stone": "1"}, "lies at stone 1 already."),
        ({"card": "ST", "picked": "ST", "take": "zz"}, _UNREADABLE),
        ({"card": "zz", "stone": "1"}, _UNREADABLE),
        ({"card": "TR", "picked": "TR", "take": "O1", "stone": "discard"}, _UNREADABLE),
        ({"card": "R3", "stone": "discard"}, "That is not a whole turn yet"),
        ({"back": "R3"}, "Only a Recruiter puts cards back."),
    ],
)
def test_fault_30_what_cannot_be_is_refused_in_words(
    cast: Cast, step: dict[str, str], words: str
) -> None:
    game = armed_game(cast, "ST TR")
    browser = client_of(cast.owner)
    response = post(browser, game, "plan", page_of(browser, game), step="lay", **step)
    assert response.status_code == (400 if words == _UNREADABLE else 422)
    assert words in heard(text_of(response), "board__refusal")
    assert not shapes(text_of(response), "card--planned")
    game.refresh_from_db()
    assert game.version == 8


def heard(page: str, css_class: str) -> str:
    """Give a part of a page as it is read aloud: what is for the eye alone is left out."""
    (part,) = parse(page).by_class(css_class)
    return re.sub(r"\s+([.,;])", r"\1", " ".join(_spoken(part).split()))


def _spoken(node: Node) -> str:
    if node.attributes.get("aria-hidden") == "true":
        return ""
    return " ".join(child if isinstance(child, str) else _spoken(child) for child in node.children)


def test_the_limit_is_told_before_it_is_met(cast: Cast) -> None:
    game = armed_game(cast, "SP ST")
    turn(game, "SP@1", "draw clan")
    turn(game, "O3@3", "draw clan")
    browser = seated(cast, game)
    assert "ST" not in browser.options("card")
    told = "You have played more tactics cards than your opponent"
    assert f"Strategist {told}" in heard(browser.html, "hand__why")
    response = post(client_of(cast.owner), game, "plan", browser.html, step="lay", card="ST")
    assert response.status_code == 422
    assert told in heard(text_of(response), "board__refusal")
    strips = parse(browser.html).by_class("strip")
    assert ["Tactics played 0" in s.text for s in strips] == [True, False]
    assert ["Tactics played 1" in s.text for s in strips] == [False, True]


def test_the_second_joker_says_why_not(cast: Cast) -> None:
    game = tactics_game(cast, "JA SP JB")
    turn(game, "R1@1", "draw tactics")
    turn(game, "O1@1", "draw tactics")
    turn(game, "JA@1", "draw tactics")
    turn(game, "SP@1", "draw clan")
    browser = seated(cast, game)
    assert "JB" not in browser.options("card")
    told = "You have played a Joker already, so you may not play the other."
    assert f"Joker B {told}" in heard(browser.html, "hand__why")


def test_a_ruse_without_a_target_says_so(cast: Cast) -> None:
    game = tactics_game(cast, "BA SP TR")
    turn(game, "R1@1", "draw tactics")
    turn(game, "O1@1", "draw tactics")
    turn(game, "BA O1", "draw tactics")
    turn(game, "SP@2", "draw clan")
    browser = seated(cast, game)
    assert "TR" not in browser.options("card")
    assert heard(browser.html, "hand__why") == (
        "Traitor Nothing lies on the table that it could take."
    )


# --- two decks -------------------------------------------------------------------------------


def test_the_draw_is_chosen_in_confirming(cast: Cast) -> None:
    game = tactics_game(cast, "SP")
    browser = seated(cast, game)
    assert not browser.can_press("Confirm")
    browser.press("Lay", card="R1", stone="1")
    for deck in ("clan", "tactics"):
        assert browser.can_press(f"Confirm, draw a {deck} card")
    before = browser.html
    response = post(client_of(cast.owner), game, "submit", before, step="confirm")
    assert response.status_code == 422
    assert "not a whole turn yet" in text_of(response)
    browser.press("Confirm, draw a tactics card")
    assert last_actions(game, 1) == [{"seat": 0, "type": "draw", "from": "tactics"}]
    assert "Owner draws SpySpy." in browser.text


def test_no_draw_is_tried_out_by_a_plan(cast: Cast) -> None:
    game = tactics_game(cast, "SP", draws="Y9")
    client = client_of(cast.owner)
    page = page_of(client, game)
    for deck in ("clan", "tactics"):
        for ready in (
            page,
            text_of(post(client, game, "plan", page, step="lay", card="R1", stone="1")),
        ):
            answer = text_of(post(client, game, "plan", ready, step=deck))
            assert "Y9" not in named_cards(answer)
            assert "Spy" not in answer
    game.refresh_from_db()
    assert game.version == 0


def test_where_one_deck_is_empty_there_is_nothing_to_choose(cast: Cast) -> None:
    game = tactics_game(cast, "SP SB JA JB BB MF RE ST BA TR")
    empty = Game.objects.get(pk=game.pk)
    for n in range(5):
        for hand in "RO":
            turn(empty, f"{hand}{n + 1}@{n + 1}", "draw tactics")
    browser = seated(cast, game)
    browser.press("Lay", card="R6", stone="6")
    assert browser.can_press("Confirm")
    assert not browser.can_press("Confirm, draw")
    browser.press("Confirm")
    assert last_actions(game, 1) == [{"seat": 0, "type": "draw", "from": "clan"}]


def test_backs_are_of_two_kinds_and_all_alike_within_a_kind(cast: Cast) -> None:
    game = armed_game(cast, "ST TR")
    for browser in (client_of(cast.opponent), Client()):
        root = parse(page_of(browser, game))
        strips = root.by_class("strip")
        backs = [back for strip in strips for back in strip.by_class("back")]
        assert "In hand: clan cards 5, tactics cards 2" in " ".join(s.text for s in strips)
        assert len({str(sorted(back.attributes.items())) for back in backs}) == 2


# --- passing -----------------------------------------------------------------------------------


def test_who_holds_no_clan_card_may_pass_or_play_a_tactics_card(cast: Cast) -> None:
    game = tactics_game(cast, "SP SB JA JB BB MF RE ST BA TR")
    for n in range(7):
        turn(game, f"R{n + 1}@{n // 3 + 1}", "draw tactics")
        if n < 3:
            turn(game, f"O{n + 1}@{n + 4}", "draw tactics")
        else:
            turn(game, f"O{n + 1}@{n + 1}", "draw clan")
    browser = seated(cast, game)
    assert browser.can_press("Pass")
    assert "None of your clan cards fits: you may pass, or play a tactics card." in browser.text
    assert set(browser.options("card")) <= set(TACTICS_NAMES)
    assert browser.options("card")
    browser.press("Pass")
    assert "You pass." in browser.text
    browser.press("Confirm")
    assert last_actions(game, 2)[0] == {"seat": 0, "type": "pass"}


# --- a plan that would end the game ---------------------------------------------------------------


def test_a_plan_that_would_win_does_not_open_the_other_hand(cast: Cast) -> None:
    """Under `automatic` a card alone can win; planned, it is not made yet."""
    game = make_board(cast, "automatic")
    play_on(game, "R7@4", "R8@4", "R9@4", "G7@5", "G8@5", "G9@5", "B7@6", "B8@6")
    browser = client_of(cast.owner)
    page = page_of(browser, game)
    planned = text_of(post(browser, game, "plan", page, step="lay", card="B9", stone="6"))
    assert len(shapes(planned, "stone--bottom")) == 3
    assert parse(planned).by_class("strip--top")[0].by_class("token") == []
    assert len(shapes(planned, "back")) == len(shapes(page, "back"))
    turn(game, "B9@6")
    assert "You have won" in page_of(browser, game)
