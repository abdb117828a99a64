"""Boards without a mouse: by keys alone, by touch, small, calm, and in forced colours."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tests.beginner import Choice
from tests.e2e.board import Board
from tests.e2e.conftest import Pair
from tests.e2e.stage import Stage

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def tab_to(page: Page, selector: str, key: str = "Tab") -> None:
    """Press Tab until the focus is there."""
    for _ in range(60):
        if page.evaluate("it => Boolean(document.activeElement?.matches(it))", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{selector} is not reached by {key}")


def arrow_to(page: Page, selector: str) -> None:
    """Walk through a group of radio buttons."""
    for _ in range(10):
        if page.evaluate("it => Boolean(document.activeElement?.matches(it))", selector):
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"{selector} is not reached by arrow keys")


def lay_by_keys(board: Board, choice: Choice) -> None:
    """Choose a card, Enter, choose a stone, Enter: Confirm has the focus then."""
    page = board.page
    tab_to(page, "#board input[name=card]")
    arrow_to(page, f"#card-{choice.card}")
    page.keyboard.press("Enter")
    expect(page.locator("#board input[name=stone]:focus")).to_have_count(1)
    arrow_to(page, f"#stone-{choice.stone}")
    page.keyboard.press("Enter")
    expect(board.confirm_button).to_be_focused()


def test_turns_by_keyboard_alone(sit_down: Callable[..., Pair]) -> None:
    pair = sit_down()
    board, page = pair.mover, pair.mover.page
    for _ in range(3):
        lay_by_keys(board, board.choose())
        page.keyboard.press("Escape")
        expect(board.confirm_button).to_be_hidden()
        expect(page.locator("#board input[name=card]:focus")).to_have_count(1)
        lay_by_keys(board, board.choose())
        tab_to(page, "[data-take-back]")
        page.keyboard.press("Enter")
        expect(board.confirm_button).to_be_hidden()
        lay_by_keys(board, board.choose())
        version = board.version
        page.keyboard.press("Enter")
        board.wait_past(version)
        expect(page.locator("#board :focus, #board:focus")).to_have_count(1)
        pair.waiter.wait_for(board.version)
        pair.waiter.play()
        board.wait_for(pair.waiter.version)
        if board.is_over:
            break


def test_claim_by_keyboard_alone(sit_down: Callable[..., Pair]) -> None:
    pair = sit_down(until="claim")
    board, page = pair.mover, pair.mover.page
    before = board.held_by(pair.scene.to_act)
    lay_by_keys(board, Choice(*pair.scene.hint))
    tab_to(page, "#board input[name=claim]")
    page.keyboard.press("Space")
    expect(page.locator("#board input[name=claim]:focus")).to_be_checked()
    tab_to(page, "#confirm", "Shift+Tab")
    version = board.version
    page.keyboard.press("Enter")
    board.wait_past(version)
    assert board.held_by(pair.scene.to_act) == before + 1


def test_a_key_that_is_held_down_makes_no_turn(sit_down: Callable[..., Pair]) -> None:
    """The first Enter chooses a card; those that a keyboard repeats choose and confirm nothing."""
    board = sit_down().mover
    page, keys = board.page, board.page.keyboard
    tab_to(page, "#board input[name=card]")
    for _ in range(12):
        keys.down("Enter")
        page.wait_for_timeout(60)
    keys.up("Enter")
    expect(page.locator("#board input[name=card]:checked")).to_have_count(1)
    expect(board.confirm_button).to_be_hidden()
    assert board.version == 0


def test_taps_that_go_on_lead_to_no_other_board(
    sit_down: Callable[..., Pair], stage: Stage
) -> None:
    """Where "Confirm" was a link to another game may stand in a moment: it waits for a pause."""
    pair = sit_down(mover=PHONE)
    board, page = pair.mover, pair.mover.page
    person = pair.people[pair.scene.to_act]
    for _ in range(2):  # of two matches, one at least begins with this player
        stage.match(person, stage.person(), until="turns", turns=0)
        stage.match(stage.person(), person, until="turns", turns=1)
    board.lay(board.choose())
    box = board.confirm_button.bounding_box()
    assert box is not None
    at = (box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    for _ in range(9):
        page.touchscreen.tap(*at)
        page.wait_for_timeout(120)
    expect(page).to_have_url(re.compile(rf"{pair.scene.url}$"))
    page.wait_for_timeout(800)
    waiting = page.locator("#board [data-next-waiting]")
    if waiting.count():
        waiting.tap()
        expect(page).not_to_have_url(re.compile(rf"{pair.scene.url}$"))


def test_a_claim_ticked_while_the_plan_is_on_its_way_stays(sit_down: Callable[..., Pair]) -> None:
    board = sit_down(until="claim", ruleset="start-of-turn").mover
    page, held = board.page, list[Route]()
    claim = page.locator("#board input[name=claim]").first
    was_checked, choice = claim.is_checked(), board.choose()
    page.route("**/plan/", lambda route: held.append(route), times=1)
    with page.expect_request("**/plan/"):
        page.locator(f"#card-{choice.card}").click()
        page.locator(f"#stone-{choice.stone}").click()
    claim.set_checked(not was_checked)
    held.pop().continue_()
    expect(board.confirm_button).to_be_visible()
    expect(claim).to_be_checked(checked=not was_checked)


def test_fault_120_turn_by_touch(sit_down: Callable[..., Pair]) -> None:
    pair = sit_down(mover=PHONE)
    board, page = pair.mover, pair.mover.page
    choice = board.choose()
    page.locator(f"#card-{choice.card}").tap()
    page.locator(f"#stone-{choice.stone}").tap()
    board.confirm_button.tap()
    board.wait_past(0)
    pair.waiter.wait_for(board.version)


def test_fault_122_double_tap_neither_zooms_nor_plays_twice(
    sit_down: Callable[..., Pair],
) -> None:
    pair = sit_down(mover=PHONE)
    board, page = pair.mover, pair.mover.page
    choice = board.choose()
    for _ in range(2):
        page.locator(f"#card-{choice.card}").tap()
    page.locator(f"#stone-{choice.stone}").tap()
    expect(board.confirm_button).to_be_visible()
    assert page.evaluate("visualViewport.scale") == 1
    board.confirm_button.tap()
    board.wait_past(0)
    pair.waiter.wait_for(board.version)
    expect(pair.waiter.page.locator(".log__turn")).to_have_count(1)


def test_touch_targets_of_the_board_do_not_overlap(sit_down: Callable[..., Pair]) -> None:
    """Nine columns and six cards on the smallest phone: each can be hit by a finger."""
    pair = sit_down(mover={**PHONE, "viewport": {"width": 320, "height": 640}})
    for name, least in (("stone", 30), ("card", 40)):
        boxes = pair.mover.page.locator(f"#board input[name={name}]").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().toJSON())"
        )
        assert min(box["width"] for box in boxes) >= least
        lefts = [box["left"] for box in boxes]
        rights = [box["right"] for box in boxes]
        assert all(right <= left for right, left in zip(rights, lefts[1:], strict=False))


def test_nothing_moves_where_motion_is_reduced(enter: Callable[..., Page], stage: Stage) -> None:
    people = {person.name: person for person in (stage.person(), stage.person())}
    scene = stage.match(*people.values(), until="claim")
    moving = []
    for motion in ("reduce", "no-preference"):
        board = Board(enter(people[scene.to_act], reduced_motion=motion)).open(scene.url)
        board.lay(Choice(*scene.hint))
        expect(board.page.locator(".stone--claimable")).not_to_have_count(0)
        moving.append(
            board.page.evaluate(
                "document.getAnimations().filter(one => one.playState === 'running'"
                " && one.effect.getComputedTiming().activeDuration > 20).length"
            )
        )
    assert moving[0] == 0
    assert moving[1] > 0


def test_marks_stay_in_forced_colours(sit_down: Callable[..., Pair]) -> None:
    """Where the system takes colours and shadows away, outlines and texts still tell."""
    pair = sit_down(mover={"forced_colors": "active"}, until="claim")
    page, choice = pair.mover.page, Choice(*pair.scene.hint)
    page.locator(f"#card-{choice.card}").click()
    chosen = page.locator(f".hand__card:has(#card-{choice.card}) .card")
    assert _outline(chosen) != "none"
    page.locator(f"#stone-{choice.stone}").click()
    expect(pair.mover.confirm_button).to_be_visible()
    assert _outline(page.locator(".card--planned").first) != "none"
    claimable = page.locator(".stone--claimable .stone__mark").first
    assert _outline(claimable) != "none"
    for value in page.locator(".hand .card__value").all():
        ink, ground = value.evaluate(
            "it => [getComputedStyle(it).color,"
            " getComputedStyle(it.closest('.card__band')).backgroundColor]"
        )
        assert ink != ground


def _outline(mark: object) -> str:
    return str(mark.evaluate("it => getComputedStyle(it).outlineStyle"))  # type: ignore[attr-defined]
