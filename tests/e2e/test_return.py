"""Who comes back to a board: after hours, in a second tab, by the back button, after a day."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.e2e.board import Board, wait_until
from tests.e2e.conftest import Pair

DAY_MS = 24 * 3600 * 1000


def test_plan_change_and_confirm(sit_down: Callable[..., Pair]) -> None:
    """A turn is planned, taken back, planned otherwise, and only the second one is made."""
    pair = sit_down()
    board = pair.mover
    cards = list(board.cards())
    for card in cards[:2]:
        board.page.locator(f"#card-{card}").click()
        board.page.locator("#stone-5").click()
        expect(board.confirm_button).to_be_visible()
        if card == cards[0]:
            board.take_back_button.click()
            expect(board.confirm_button).to_be_hidden()
    name = board.page.locator("#board .card--planned").inner_text()
    board.confirm()
    pair.waiter.wait_for(board.version)
    expect(pair.waiter.page.locator("#column-5 .side--top .card")).to_have_count(1)
    expect(pair.waiter.page.locator("#column-5 .side--top .card")).to_have_text(name)


def test_what_happened_meanwhile_is_stepped_through(
    sit_down: Callable[..., Pair], enter: Callable[..., Page]
) -> None:
    pair = sit_down()
    person = pair.people[pair.scene.waiting]
    pair.waiter.page.close()
    pair.mover.play()
    page = enter(person)
    board = Board(page).open(pair.scene.url)
    news = page.locator("#since")
    expect(news).to_contain_text("Since you were last here")
    news.get_by_role("link", name="Step through it").click()
    expect(page.locator("#replay")).to_have_attribute("data-step", "1")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#replay")).to_have_attribute("data-step", "0")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#replay")).to_have_attribute("data-step", "1")
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile(rf"{pair.scene.url}$"))
    expect(board.root).to_be_visible()
    expect(news).to_have_count(0)


def test_who_looks_back_is_told_when_the_game_goes_on(sit_down: Callable[..., Pair]) -> None:
    pair = sit_down()
    page = pair.waiter.page
    with page.expect_websocket():
        page.goto(f"{pair.scene.url}steps/0/")
    pair.mover.play()
    expect(page.locator("[data-news]")).to_contain_text("The game has gone on")
    expect(page.locator("#replay")).to_have_attribute("data-step", "0")
    page.get_by_role("link", name="Back to now").click()
    pair.waiter.wait_for(pair.mover.version)


def test_two_tabs_of_one_player(sit_down: Callable[..., Pair]) -> None:
    """The turn is made in one; the other follows, and its old form would do nothing."""
    pair = sit_down()
    first = pair.mover
    second = Board(first.page.context.new_page()).open(pair.scene.url)
    second.lay(second.choose())
    first.play()
    second.wait_for(first.version)
    expect(second.confirm_button).to_be_hidden()
    pair.waiter.wait_for(first.version)
    expect(pair.waiter.page.locator(".log__turn")).to_have_count(1)


def test_a_plan_under_way_is_answered_though_the_board_goes_on(
    sit_down: Callable[..., Pair],
) -> None:
    """Another tab makes the turn before the answer comes: that is told all the same."""
    pair = sit_down()
    first, page = pair.mover, pair.mover.page
    second = Board(page.context.new_page()).open(pair.scene.url)
    held: list[Route] = []
    page.route("**/plan/", lambda route: held.append(route))
    choice, before = first.choose(), first.version
    page.locator(f"#card-{choice.card}").click()
    page.locator(f"#stone-{choice.stone}").click()
    wait_until(page, lambda: bool(held))
    with page.expect_response(lambda answer: pair.scene.url in answer.url):
        second.play()
    assert first.version == before
    held[0].continue_()
    expect(first.refusal).to_contain_text("The board has changed in the meantime")
    first.wait_for(second.version)


def test_the_back_button_after_log_out_shows_no_hand(sit_down: Callable[..., Pair]) -> None:
    pair = sit_down()
    page = pair.mover.page
    expect(page.locator("#board .hand .card")).not_to_have_count(0)
    page.goto("/accounts/logout/")
    page.get_by_role("main").get_by_role("button", name="Log out").click()
    expect(page.get_by_role("banner").get_by_role("link", name="Log in")).to_be_visible()
    for _ in range(3):
        page.go_back()
        if page.url.endswith(pair.scene.url):
            break
    expect(pair.mover.root).to_be_visible()
    expect(page.locator("#board .hand .card")).to_have_count(0)
    expect(page.locator("#note")).to_have_count(0)


def test_a_page_left_open_for_a_day(sit_down: Callable[..., Pair]) -> None:
    """Its clock and its news slept; its old form is answered with the board of now."""
    pair = sit_down()
    page = pair.waiter.page
    pair.mover.play()
    pair.waiter.wait_for(pair.mover.version)
    page.clock.install()
    page.route_web_socket("**/ws/games/*/", _silent)
    page.reload()
    old = pair.waiter.version
    pair.waiter.lay(pair.waiter.choose())
    desk = Board(page.context.new_page()).open(pair.scene.url)
    desk.play()
    pair.mover.wait_for(desk.version)
    pair.mover.play()
    assert pair.waiter.version == old
    pair.waiter.confirm_button.click()
    expect(pair.waiter.refusal).to_contain_text("The board has changed in the meantime")
    pair.waiter.wait_for(pair.mover.version)
    page.clock.fast_forward(DAY_MS)
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(page.locator("#board [data-deadline]")).to_contain_text(re.compile(r"\d (day|hour)"))
    pair.waiter.play()
    pair.mover.wait_for(pair.waiter.version)


def _silent(socket: WebSocketRoute) -> None:
    """Connect, and let the page hear nothing."""


def test_notes_save_themselves_and_two_tabs_lose_none(sit_down: Callable[..., Pair]) -> None:
    pair = sit_down()
    first = pair.mover.page
    second = first.context.new_page()
    for page in (first, second):
        page.goto(pair.scene.url)
        page.locator("#note summary").click()
    first.locator("#note-text").press_sequentially("stone 5", delay=20)
    expect(first.locator("#note-state")).to_contain_text("Saved.")
    first.locator("#note-text").press_sequentially(" is mine", delay=20)
    expect(first.locator("#note-state [name=note_version]")).not_to_have_value("1")
    second.locator("#note-text").press_sequentially("other", delay=20)
    expect(second.locator("#note-state")).to_contain_text("stone 5 is mine")
    second.get_by_role("button", name="Save what is written here instead").click()
    expect(second.locator("#note-state")).to_contain_text("Saved.")
    first.reload()
    expect(first.locator("#note-text")).to_have_value("other")


def test_focus_keys_and_sounds(sit_down: Callable[..., Pair]) -> None:
    pair = sit_down()
    page = pair.waiter.page
    page.keyboard.press("f")
    expect(page.get_by_role("banner")).to_be_hidden()
    expect(page.locator("#log")).to_be_hidden()
    page.reload()
    expect(page.get_by_role("banner")).to_be_hidden()
    page.get_by_role("button", name="Focus").click()
    expect(page.get_by_role("banner")).to_be_visible()
    page.keyboard.press("?")
    expect(page.locator(".keys__list")).to_be_visible()
    page.evaluate(
        "window.heard = []; document.addEventListener('board:sound',"
        " ({ detail }) => window.heard.push(detail))"
    )
    page.keyboard.press("s")
    switch = page.locator("#sounds-switch")
    expect(switch).to_have_attribute("aria-pressed", "true")
    pair.mover.play()
    pair.waiter.wait_for(pair.mover.version)
    assert page.evaluate("window.heard.slice(-2)") == ["laid", "turn"]
    page.keyboard.press("s")
    expect(switch).to_have_attribute("aria-pressed", "false")


def test_fault_57_after_three_days_of_sleep_the_site_says_what_is_left(
    sit_down: Callable[..., Pair],
) -> None:
    """Fault 57: the browser's clock is two hours wrong, and slept: shown is the site's time."""
    pair = sit_down()
    page = pair.mover.page
    page.clock.install(time=time.time() + 2 * 3600)
    page.reload()
    left = page.locator("#board [data-deadline]")
    told = left.inner_text()
    assert re.match(r"2 days, 23 hours left|3 days left", told)
    page.clock.fast_forward(2 * DAY_MS)
    expect(left).to_have_text(re.compile(r"^(23 hours|1 day)\b.* left$"))
    page.clock.fast_forward(DAY_MS)
    expect(left).to_have_text("0 seconds left")
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(left).to_have_text(told)
