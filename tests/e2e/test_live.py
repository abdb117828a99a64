"""Boards that stay as new as the site: through swaps, lost networks, restarts and bad closes."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.e2e.board import Board, wait_until
from tests.e2e.conftest import SMALL, Pair
from tests.e2e.site import Site
from tests.e2e.stage import Stage

OFFLINE = "Offline: trying to reach the site again"
STOPPED = "This page is no longer connected. Reload it to go on."


def test_fault_69_controls_work_after_each_of_thirty_swaps(sit_down: Callable[..., Pair]) -> None:
    """Where a game is over before, thirty are made full in the next game of the match."""
    pair = sit_down(mover=SMALL, waiter=SMALL, rounds=3)
    boards = (pair.mover, pair.waiter)
    for board in boards:
        board.mark()
    for turn in range(30):
        if pair.mover.is_over:
            to_the_next_game(*boards)
        mover, other = pair.acting
        if turn % 3 == 0:
            mover.lay(mover.choose())
            mover.take_back_button.click()
            expect(mover.take_back_button).to_be_hidden()
        mover.play()
        other.wait_for(mover.version)
    for board in boards:
        board.expect_never_reloaded()


def to_the_next_game(*boards: Board) -> None:
    """Let both follow the link from the game that is over; neither page was reloaded so far."""
    for board in boards:
        board.expect_never_reloaded()
        url = board.result.get_by_role("link", name="of this match").get_attribute("href")
        assert url
        board.open(url)
        board.mark()


def test_fault_65_offline_board_catches_up(
    sit_down: Callable[..., Pair], enter: Callable[..., Page]
) -> None:
    """The desk loses its network; the same player goes on at the phone."""
    pair = sit_down()
    desk = pair.mover
    desk.mark()
    phone = Board(enter(pair.people[pair.scene.to_act])).open(pair.scene.url)
    desk.page.context.set_offline(True)
    for mover, other in ((phone, pair.waiter), (pair.waiter, phone), (phone, pair.waiter)):
        mover.play()
        other.wait_for(mover.version)
    desk.page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(desk.page.get_by_text(OFFLINE)).to_be_visible()
    assert desk.version == 0
    desk.page.context.set_offline(False)
    desk.wait_for(phone.version)
    expect(desk.page.get_by_text(OFFLINE)).to_be_hidden()
    pair.waiter.play()
    desk.wait_for(pair.waiter.version)
    desk.expect_never_reloaded()
    assert desk.is_to_act


def test_fault_71_boards_come_back_after_a_restart(
    sit_down: Callable[..., Pair], site: Site
) -> None:
    pair = sit_down()
    pair.mover.lay(pair.mover.choose())
    for board in (pair.mover, pair.waiter):
        board.mark()
    assert site.stop() == 0
    for board in (pair.mover, pair.waiter):
        expect(board.page.get_by_text(OFFLINE)).to_be_visible()
    site.start()
    for board in (pair.mover, pair.waiter):
        expect(board.page.get_by_text(OFFLINE)).to_be_hidden(timeout=60_000)
    pair.mover.confirm()
    pair.waiter.wait_for(pair.mover.version)
    for board in (pair.mover, pair.waiter):
        board.expect_never_reloaded()


def test_fault_53_a_turn_answered_with_success_outlives_a_kill(
    sit_down: Callable[..., Pair], site: Site
) -> None:
    """The site dies with the answer; what was answered is there, and sent again it counts once."""
    pair = sit_down()
    mover, other = pair.mover, pair.waiter
    posts: list[Route] = []
    mover.plan()
    mover.page.route("**/submit/", lambda route: posts.append(route), times=1)
    with mover.page.expect_request("**/submit/"):
        mover.confirm_button.click()
    answer = posts[0].fetch()
    site.kill()
    assert answer.ok
    posts[0].fulfill(response=answer)
    mover.wait_past(0)
    version, told = mover.version, mover.stone_labels()
    site.start()
    other.wait_for(version)
    assert mover.page.request.fetch(posts[0].request).ok
    for board in (mover, other):
        board.page.reload()
        board.wait_for(version)
        expect(board.page.locator(".log__turn")).to_have_count(1)
    assert mover.stone_labels() == told
    other.play()
    mover.wait_for(other.version)


def test_fault_71_version_heard_on_reconnect_is_fetched(
    sit_down: Callable[..., Pair],
) -> None:
    """What was missed while the socket was away comes with the first frame of the next one."""
    pair = sit_down()
    page = pair.waiter.page
    sockets: list[WebSocketRoute] = []
    page.route_web_socket("**/ws/games/*/", lambda ws: _deaf_at_first(ws, sockets))
    pair.waiter.page.reload()
    expect(pair.waiter.root).to_be_visible()
    pair.mover.play()
    assert pair.waiter.version == 0
    sockets[0].close(code=1001)
    pair.waiter.wait_for(pair.mover.version)


def test_fault_65_a_page_that_is_looked_at_asks_what_it_may_have_missed(
    sit_down: Callable[..., Pair],
) -> None:
    """The news of a turn get lost; a minute later, the socket still open, the page knows it."""
    pair = sit_down()
    page = pair.waiter.page
    page.clock.install()
    page.route_web_socket("**/ws/games/*/", _lose_all_news)
    page.reload()
    expect(pair.waiter.root).to_be_visible()
    pair.mover.play()
    assert pair.waiter.version == 0
    page.clock.fast_forward(61_000)
    pair.waiter.wait_for(pair.mover.version)


def _lose_all_news(ws: WebSocketRoute) -> None:
    """Pass on what the site says first and what it answers, and nothing else."""
    server = ws.connect_to_server()
    n_due = 1

    def ask(message: str | bytes) -> None:
        nonlocal n_due
        n_due += 1
        server.send(message)

    def tell(message: str | bytes) -> None:
        nonlocal n_due
        if n_due > 0:
            n_due -= 1
            ws.send(message)

    ws.on_message(ask)
    server.on_message(tell)


def _deaf_at_first(ws: WebSocketRoute, sockets: list[WebSocketRoute]) -> None:
    """Let the first socket hear nothing, and connect the next ones to the site."""
    sockets.append(ws)
    if len(sockets) > 1:
        ws.connect_to_server()


def test_fault_71_other_closes_are_followed_by_a_new_connection(
    enter: Callable[..., Page], stage: Stage
) -> None:
    page = enter(stage.person())
    sockets: list[WebSocketRoute] = []
    page.route_web_socket("**/ws/lobby/", lambda ws: sockets.append(ws))
    page.goto("/lobby/")
    for count, code in enumerate((1000, 1001, 1005, 1006, 1011, 1012, 3000), start=1):
        wait_until(page, lambda count=count: len(sockets) == count)
        expect(page.get_by_text(OFFLINE)).to_be_hidden()
        sockets[-1].close(code=code)
    wait_until(page, lambda: len(sockets) == count + 1)


@pytest.mark.parametrize("code", [4403, 4404])
def test_fault_71_page_that_must_not_come_back_says_so_and_stays(
    enter: Callable[..., Page], stage: Stage, code: int
) -> None:
    page, connections = enter(stage.person()), 0

    def close(ws: WebSocketRoute) -> None:
        nonlocal connections
        connections += 1
        ws.close(code=code)

    page.route_web_socket("**/ws/lobby/", close)
    page.goto("/lobby/")
    expect(page.get_by_text(STOPPED)).to_be_visible()
    for event in ("focus", "online"):
        page.evaluate("name => window.dispatchEvent(new Event(name))", event)
    with page.expect_websocket(timeout=10_000):
        page.evaluate("new WebSocket(`ws://${location.host}/ws/lobby/?last`)")
    assert connections == 1
    expect(page.get_by_text(STOPPED)).to_be_visible()


def test_fault_68_going_back_gives_whole_pages(sit_down: Callable[..., Pair], site: Site) -> None:
    pair = sit_down()
    page = pair.mover.page
    pair.mover.play()
    for here in (pair.scene.url, "/lobby/", f"/matches/{pair.scene.match}/"):
        page.goto(here)
        page.goto("/rules/schotten-totten/")
        page.go_back()
        expect(page).to_have_url(site.url + here)
        expect(page.get_by_role("banner")).to_be_visible()
        expect(page.get_by_role("main")).to_have_count(1)
    page.goto(pair.scene.url)
    page.goto("/rules/schotten-totten/")
    pair.waiter.play()
    page.go_back()
    pair.mover.wait_for(pair.waiter.version)
    pair.mover.play()


def test_fault_68_page_kept_by_the_browser_looks_again(sit_down: Callable[..., Pair]) -> None:
    """A page that comes back from the back-forward cache is shown as it was left."""
    pair = sit_down()
    page = pair.waiter.page
    page.evaluate("window.dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
    pair.mover.play()
    page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    pair.waiter.wait_for(pair.mover.version)
    pair.waiter.play()
    pair.mover.wait_for(pair.waiter.version)


def test_fault_62_double_click_on_confirm_plays_once(sit_down: Callable[..., Pair]) -> None:
    pair = sit_down()
    mover, other = pair.mover, pair.waiter
    mover.lay(mover.choose())
    held: list[Route] = []
    mover.page.route("**/submit/", lambda route: held.append(route))
    with mover.page.expect_request("**/submit/"):
        mover.confirm_button.dblclick()
    for route in held:
        route.continue_()
    mover.wait_past(0)
    other.wait_for(mover.version)
    expect(mover.refusal).to_have_count(0)
    for board in (mover, other):
        expect(board.page.locator(".log__turn")).to_have_count(1)


def test_news_that_crosses_ones_own_answer_is_not_lost(sit_down: Callable[..., Pair]) -> None:
    """The opponent answers before one's own turn is answered, as bots do."""
    pair = sit_down()
    mover, other = pair.mover, pair.waiter
    posts: list[Route] = []
    gets: list[Route] = []
    mover.lay(mover.choose())
    mover.page.route("**/submit/", lambda route: posts.append(route))
    mover.page.route(f"**{pair.scene.url}", lambda route: gets.append(route))
    with mover.page.expect_request("**/submit/"):
        mover.confirm_button.click()
    with mover.page.expect_request(f"**{pair.scene.url}"):
        answer = posts[0].fetch()
        other.wait_past(0)
        other.play()
    posts[0].fulfill(response=answer)
    mover.wait_past(0)
    mover.page.unroute(f"**{pair.scene.url}")
    for route in gets:
        route.continue_()
    mover.wait_for(other.version)


def test_fault_70_a_part_that_is_missing_holds_no_other_up(
    sit_down: Callable[..., Pair],
) -> None:
    """Board and chat live on one page and hear by one socket; either may be gone from it."""
    pair = sit_down()
    mover, other = pair.mover, pair.waiter
    mover.play()
    other.wait_for(mover.version)
    mover.mark()
    mover.root.evaluate("part => part.remove()")
    other.play()
    _greet(other.page, "luck")
    expect(mover.page.locator(".chat__words")).to_have_text(["Good luck!"])
    mover.expect_never_reloaded()

    mover.open(pair.scene.url)
    other.mark()
    other.page.locator("#chat-players").evaluate("part => part.remove()")
    _greet(mover.page, "thanks")
    expect(mover.page.locator(".chat__words")).to_have_count(2)
    mover.play()
    other.wait_for(mover.version)
    other.expect_never_reloaded()


def _greet(page: Page, what: str) -> None:
    if page.locator("#chat-players-fold[open]").count() == 0:
        page.click("#chat-players-fold > summary")
    page.click(f"#chat-players button[value={what}]")


def test_match_page_follows_the_match_into_its_next_game(
    sit_down: Callable[..., Pair], enter: Callable[..., Page]
) -> None:
    """The page was opened in game 1; it hears of turns in game 2, and is never reloaded."""
    pair = sit_down(rounds=2)
    page = enter(pair.people[pair.scene.to_act])
    page.goto(f"/matches/{pair.scene.match}/")
    page.evaluate("window.isTheSamePage = true")
    second = f"#match [data-listen]:not([data-listen='/ws{pair.scene.url}'])"
    board = pair.mover.page
    board.get_by_text("Give up", exact=True).click()
    board.get_by_text("Resign the game", exact=True).click()
    board.get_by_role("button", name="Yes, resign the game").click()
    expect(page.locator(second)).to_have_count(1)
    expect(page.get_by_text("Your turn")).to_have_count(0)
    pair.waiter.open(page.get_by_role("link", name="To the board").get_attribute("href"))
    pair.waiter.play()
    expect(page.locator("#match").get_by_text("Your turn")).to_be_visible()
    assert page.evaluate("window.isTheSamePage")


def test_who_logs_out_in_another_tab_is_led_to_log_in_and_back(
    sit_down: Callable[..., Pair],
) -> None:
    pair = sit_down()
    page = pair.waiter.page
    page.context.new_page().goto("/accounts/logout/")
    page.context.pages[-1].get_by_role("main").get_by_role("button", name="Log out").click()
    expect(page.get_by_text("You are no longer logged in here.")).to_be_visible()
    link = page.get_by_role("status").get_by_role("link", name="Log in to go on")
    expect(link).to_have_attribute("href", re.compile(rf"/login/\?next={pair.scene.url}$|%2F"))


def test_trouble_is_forgotten_once_the_site_is_back(
    sit_down: Callable[..., Pair], site: Site
) -> None:
    pair = sit_down()
    pair.mover.plan()
    trouble = pair.mover.page.locator("[data-board-trouble]")
    assert site.stop() == 0
    pair.mover.confirm_button.click()
    expect(trouble).to_be_visible()
    site.start()
    expect(trouble).to_be_hidden(timeout=60_000)
