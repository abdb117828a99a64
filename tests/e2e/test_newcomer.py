"""A newcomer finds somebody to play with at once: the bot, played by the site's own worker."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.beginner import Choice
from tests.e2e.board import Board
from tests.e2e.conftest import Enter
from tests.e2e.site import Site
from tests.e2e.stage import Stage
from tests.e2e.test_match import register

HANDS = ("R7 R8 R9 G7 G8 G9", "P1 P2 P3 O1 O2 O3")
TURNS = [["R7@4"], ["P1@1"], ["R8@4"], ["P2@1"]]

BOT_WAIT_MS = 60_000
"""The bot gives people 20 s; then it comes with the next sweep."""


def test_a_newcomer_plays_the_bot(enter: Enter, site: Site, stage: Stage) -> None:
    bot = stage.bot()
    page = register(enter(), site, "Catriona").page
    page.get_by_role("main").get_by_role("link", name="To the lobby").click()
    page.get_by_role("link", name="Offer a match").click()
    expect(page.get_by_label("A bot may accept")).to_be_checked()
    page.get_by_label("Number of games").select_option("1")
    page.get_by_role("button", name="Put it in the lobby").click()
    game = page.locator("#lobby .row", has_text=bot).get_by_role("link")
    expect(game).to_be_visible(timeout=BOT_WAIT_MS)
    game.click()
    board = Board(page)
    board.mark()
    for _ in range(4):
        expect(board.root).to_have_attribute("data-to-act", "")
        board.play()
        expect(page.locator(".log__turn")).not_to_have_count(0)
    expect(board.root).to_have_attribute("data-to-act", "")
    board.expect_never_reloaded()


@pytest.mark.parametrize("size", [(1280, 800), (1280, 650), (844, 390), (390, 844)])
def test_the_border_the_prompt_and_the_hand_are_in_sight(
    enter: Enter, stage: Stage, size: tuple[int, int]
) -> None:
    owner, opponent = stage.person(), stage.person()
    scene = stage.dealt(owner, opponent, hands=HANDS, ruleset="after-play", turns=TURNS)
    page = enter(owner, viewport={"width": size[0], "height": size[1]})
    board = Board(page).open(scene.url)
    board.lay(Choice("R9", "4"))
    assert page.evaluate("scrollY") == 0
    for part in (".border", ".turn__line", ".hand", "#confirm", "#claim-4"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    border, desk = (page.locator(part).bounding_box() for part in (".border", ".desk"))
    assert border is not None
    assert desk is not None
    assert border["y"] + border["height"] <= desk["y"] or border["x"] + border["width"] <= desk["x"]


def test_the_prompt_goes_along_and_says_why_not(enter: Enter, stage: Stage) -> None:
    owner, opponent = stage.person(), stage.person()
    turns = [*TURNS, ["R9@4"], ["P3@2"]]
    scene = stage.dealt(owner, opponent, hands=HANDS, ruleset="after-play", turns=turns)
    page = enter(owner)
    board = Board(page).open(scene.url)
    prompt, voice = page.locator("[data-prompt]"), page.locator("[data-board-voice]")
    expect(prompt).to_contain_text("You can claim stone 4 as well.")
    page.locator("#card-G7").check()
    expect(prompt).to_have_text("Now choose a stone for green 7.")
    expect(voice).to_contain_text("Now choose a stone for green 7.")
    page.locator("#column-4").click(position={"x": 5, "y": 5})
    expect(prompt).to_have_text("Your side of stone 4 is full.")
    expect(voice).to_contain_text("Your side of stone 4 is full.")
    page.locator("#stone-5").click()
    expect(prompt).to_contain_text("Green 7 at stone 5. Confirm it, or take it back.")
    page.locator("#claim-4").check()
    expect(prompt).to_have_text("Stone 4 will be claimed with this turn.")
    board.confirm()
    expect(page.locator(".turn__line")).to_contain_text("Your turn is done; waiting for")
    page.locator(".hand__card").first.click()
    expect(prompt).to_contain_text("It is not your turn")
