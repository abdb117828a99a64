"""Boards on a phone: what is looked at stays where it is while parts of the page are exchanged."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Pair

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

SLACK_PX = 60
"""What the page may go along by, where the desk grows a line and would cover the border."""

LISTEN = """
document.addEventListener("htmx:before:swap", () => { window.scrolledBefore = window.scrollY; });
window.scrollTo(0, 180);
"""


def expect_to_have_stayed(page: Page) -> None:
    """Check that the page is where it was before its board was exchanged."""
    before, after = page.evaluate("[window.scrolledBefore, window.scrollY]")
    assert before > 0
    assert abs(after - before) < SLACK_PX


def test_the_page_stays_at_the_board_through_a_turn_and_the_answer(
    sit_down: Callable[..., Pair],
) -> None:
    pair = sit_down(mover=PHONE)
    phone, page = pair.mover, pair.mover.page
    page.evaluate(LISTEN)
    choice = phone.choose()
    page.locator(f"#card-{choice.card}").tap()
    page.locator(f"#stone-{choice.stone}").tap()
    expect(phone.confirm_button).to_be_visible()
    expect_to_have_stayed(page)
    phone.confirm_button.tap()
    phone.wait_past(0)
    expect_to_have_stayed(page)
    pair.waiter.play()
    phone.wait_for(pair.waiter.version)
    expect_to_have_stayed(page)
