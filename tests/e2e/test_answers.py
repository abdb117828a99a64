"""A prepared answer: said in the other's turn, played by the site, told to its owner alone."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.conftest import Pair
from tests.e2e.stage import Stage


def test_a_prepared_answer_is_played_and_told(sit_down: Callable[..., Pair], stage: Stage) -> None:
    pair = sit_down()
    page, panel = pair.waiter.page, pair.waiter.page.locator("#answers")
    panel.locator("summary").first.click()
    panel.get_by_label("Does what").select_option(label="anything")
    lay = panel.get_by_label("Lay", exact=True)
    lay.select_option(index=1)
    card = lay.locator("option:checked").inner_text()
    panel.get_by_label("At stone", exact=True).select_option("4")
    panel.get_by_role("button", name="Add this answer").click()
    expect(panel.locator(".answer")).to_have_count(1)
    expect(pair.mover.page.locator(".answer")).to_have_count(0)
    stage.hasten(pair.scene)

    pair.mover.play()
    expect(page.locator("#column-4 .side--bottom .card")).to_have_count(1)
    assert f"your side {card}" in pair.waiter.stone_labels()[3]
    pair.mover.wait_for(pair.waiter.version)
    expect(pair.mover.page.locator("#column-4 .side--top .card")).to_have_count(1)
    expect(panel).to_contain_text("played")
    assert pair.mover.is_to_act
