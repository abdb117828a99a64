"""The chat in two browsers: messages arrive, and what one does meanwhile stays."""

from __future__ import annotations

from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import Pair

FOLD = "#chat-players-fold > summary"
FIELD = "#chat-players-text"
WORDS = "#chat-players .chat__words"


def open_chat(page: Page) -> Page:
    """Open the chat beneath the board, if it is shut."""
    if page.locator("#chat-players-fold[open]").count() == 0:
        page.click(FOLD)
    return page


def test_messages_arrive_and_nothing_that_one_does_is_lost(sit_down: Callable[..., Pair]) -> None:
    pair = sit_down()
    one, two = open_chat(pair.mover.page), open_chat(pair.waiter.page)
    two.fill(FIELD, "half a sentence")
    one.fill(FIELD, "Hello <b>there</b>")
    one.keyboard.press("Enter")
    expect(two.locator(WORDS).last).to_have_text("Hello <b>there</b>")
    expect(one.locator(WORDS)).to_have_count(1)
    expect(one.locator(FIELD)).to_have_value("")
    expect(one.locator(FIELD)).to_be_focused()
    expect(two.locator(FIELD)).to_have_value("half a sentence")
    expect(two.locator(FIELD)).to_be_focused()
    two.click("#chat-players button[value=thanks]")
    expect(one.locator(WORDS).last).to_have_text("Thank you!")
    expect(two.locator(FIELD)).to_have_value("half a sentence")
    log = two.get_by_role("log")
    expect(log).to_have_attribute("aria-live", "polite")
    expect(log.locator(".chat__line")).to_have_count(2)
    faults = Axe().run(two, context="#chat-players").response["violations"]
    assert not [fault["id"] for fault in faults if fault["impact"] in ("serious", "critical")]


def test_what_is_typed_while_a_message_is_on_its_way_stays(sit_down: Callable[..., Pair]) -> None:
    one, held = open_chat(sit_down().mover.page), list[Route]()
    one.route("**/chat/players/", lambda route: held.append(route), times=1)
    one.fill(FIELD, "first")
    with one.expect_request("**/chat/players/"):
        one.keyboard.press("Enter")
    one.fill(FIELD, "second, typed at once")
    held.pop().continue_()
    expect(one.locator(WORDS)).to_have_text("first")
    expect(one.locator(FIELD)).to_have_value("second, typed at once")


def test_a_message_is_marked_until_it_is_looked_at(sit_down: Callable[..., Pair]) -> None:
    pair = sit_down()
    one, two = open_chat(pair.mover.page), pair.waiter.page
    one.click("#chat-players button[value=luck]")
    mark = two.get_by_role("link", name="1 new message")
    with two.expect_response("**/chat-seen/"):
        mark.click()
    expect(two.locator(WORDS)).to_have_text("Good luck!")
    expect(mark).to_be_hidden()
    two.reload()
    expect(two.locator("[data-chat-mark]")).to_be_hidden()


def test_keys_of_the_board_are_letters_in_the_chat(sit_down: Callable[..., Pair]) -> None:
    pair = sit_down()
    board, page = pair.mover, open_chat(pair.mover.page)
    board.lay(board.choose())
    expect(board.confirm_button).to_be_visible()
    page.fill(FIELD, "wait")
    page.keyboard.press("Escape")
    expect(board.confirm_button).to_be_visible()
    menu = page.locator(".strip .player-menu")
    menu.locator("summary").click()
    expect(menu.get_by_role("link", name="Report")).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu.get_by_role("link", name="Report")).to_be_hidden()
    expect(board.confirm_button).to_be_visible()
