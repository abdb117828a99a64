"""What a player has opened stays open, with the focus in it, when its part comes anew."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Pair
from tests.e2e.stage import Stage


def test_menu_beside_a_name_stays_open_when_the_board_comes_anew(
    sit_down: Callable[..., Pair],
) -> None:
    pair = sit_down()
    page = pair.waiter.page
    page.locator(".player-menu summary").first.click()
    report = page.get_by_role("link", name="Report")
    report.focus()
    pair.mover.play()
    pair.waiter.wait_for(pair.mover.version)
    expect(report).to_be_visible()
    expect(report).to_be_focused()


def test_menu_beside_a_name_stays_open_when_the_lobby_changes(
    enter: Callable[..., Page], stage: Stage
) -> None:
    looker, first, second = (stage.person() for _ in range(3))
    stage.offer(first)
    page = enter(looker)
    page.goto("/lobby/")
    page.get_by_text(f"More about {first.name}").locator("xpath=..").click()
    report = page.get_by_role("link", name="Report")
    expect(report).to_be_visible()
    stage.offer(second)
    page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(page.get_by_text(f"More about {second.name}")).to_have_count(1)
    expect(report).to_be_visible()
