"""The form of an offer follows what its maker picks, and leaves alone what they chose."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.stage import Stage


def test_a_game_brings_its_usual_number_until_a_number_is_chosen(
    enter: Callable[..., Page], stage: Stage
) -> None:
    page = enter(stage.person())
    page.goto("/offers/new/")
    number = page.get_by_label("Number of games")
    bridges = page.get_by_role("radio", name="Three Bridges")
    stones = page.locator("input[name='ruleset']").first
    expect(number).to_have_value("3")
    bridges.check()
    expect(number).to_have_value("2")
    stones.check()
    expect(number).to_have_value("3")
    number.select_option("5")
    bridges.check()
    expect(number).to_have_value("5")
