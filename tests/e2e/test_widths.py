"""Boards at the widths between a phone and a wide desk: nothing lies over anything else."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import Page

from tests.e2e.conftest import Enter
from tests.e2e.stage import Stage
from tests.e2e.test_tactics import DRAWS, HANDS, TACTICS

WIDTHS = range(1000, 1301, 50)
NARROWEST_DESK = 1024
SLACK_PX = 1
LEAST_CARD_PX = 40

EDGES = """all => all.map((one) => {
  const { left, right } = one.getBoundingClientRect();
  return [left, right];
})"""


def test_the_hand_stays_on_the_table_and_the_log_beside_it(enter: Enter, stage: Stage) -> None:
    """With six cards and with seven, on the board and where one looks back."""
    people = stage.person(), stage.person()
    scenes = [
        stage.dealt(*people, hands=HANDS, draws=DRAWS, tactics=TACTICS),
        stage.match(*people),
    ]
    page = enter(people[0])
    for scene in scenes:
        for path in (scene.url, f"{scene.url}steps/"):
            page.goto(path)
            for width in (*WIDTHS, NARROWEST_DESK):
                page.set_viewport_size({"width": width, "height": 800})
                _check(page, width)


def _check(page: Page, width: int) -> None:
    ((left, right),) = _edges(page, ".table")
    ((log, end),) = _edges(page, ".board__aside")
    cards = _edges(page, ".hand .card")
    assert left - SLACK_PX <= min(card[0] for card in cards), width
    assert max(card[1] for card in cards) <= right + SLACK_PX, width
    assert min(card[1] - card[0] for card in cards) >= LEAST_CARD_PX, width
    if width >= NARROWEST_DESK:
        assert right <= log, width
        assert end > width * 0.95, width


def _edges(page: Page, selector: str) -> Sequence[tuple[float, float]]:
    found: list[tuple[float, float]] = page.locator(selector).evaluate_all(EDGES)
    return found
