"""Boards at the widths between a phone and a wide desk: nothing lies over anything else."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Enter
from tests.e2e.stage import Stage
from tests.e2e.test_tactics import DRAWS, HANDS, TACTICS

WIDTHS = range(1000, 1301, 50)
NARROWEST_DESK = 1024
SLACK_PX = 1
LEAST_CARD_PX = 40

EDGES = """(all, [from, to]) => all.map((one) => {
  const box = one.getBoundingClientRect();
  return [box[from], box[to]];
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


def test_a_long_list_of_targets_leaves_ones_own_half_in_sight(enter: Enter, stage: Stage) -> None:
    people = stage.person(), stage.person()
    owns, others = (hand.split() for hand in HANDS)
    turns = [
        [f"{card}@{stone}", "draw tactics" if stone == 1 and hand is owns else "draw clan"]
        for stone, pair in enumerate(zip(owns, others, strict=True), start=1)
        for hand, card in zip((owns, others), pair, strict=True)
    ]
    page = enter(people[0], viewport={"width": 1280, "height": 800})
    page.goto(stage.dealt(*people, hands=HANDS, tactics="TR", draws=DRAWS, turns=turns).url)
    page.locator("#card-TR").click()
    targets = page.locator("#board input[name=take]")
    expect(targets).to_have_count(7)
    own = max(bottom for _, bottom in _edges(page, ".side--bottom .card", "top", "bottom"))
    ((desk, _),) = _edges(page, ".desk", "top", "bottom")
    assert own <= desk
    targets.last.focus()
    expect(targets.last).to_be_in_viewport()


def test_a_phone_on_its_side_shows_ones_name(enter: Enter, stage: Stage) -> None:
    people = stage.person(), stage.person()
    page = enter(people[0], viewport={"width": 844, "height": 390}, has_touch=True)
    page.goto(stage.dealt(*people, hands=HANDS, tactics=TACTICS, draws=DRAWS).url)
    name = page.locator(".desk .strip__name")
    assert name.evaluate("one => one.scrollWidth <= one.clientWidth")


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


def _edges(
    page: Page, selector: str, start: str = "left", end: str = "right"
) -> Sequence[tuple[float, float]]:
    found: list[tuple[float, float]] = page.locator(selector).evaluate_all(EDGES, [start, end])
    return found
