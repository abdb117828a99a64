"""The same board without JavaScript: radio buttons, check boxes and whole pages."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.beginner import Choice
from tests.e2e.board import Board
from tests.e2e.conftest import Enter
from tests.e2e.stage import Person, Stage


def _lay(board: Board, choice: Choice) -> None:
    page = board.page
    page.locator(f"#card-{choice.card}").check()
    page.locator(f"#stone-{choice.stone}").check()
    page.get_by_role("button", name="Lay").click()
    expect(board.confirm_button).to_be_visible()


def _seats(
    enter: Enter, stage: Stage, **terms: object
) -> tuple[Board, Board, Callable[[], None], Choice | None]:
    """Seat who acts at a browser without script, and the other at a live board."""
    people: dict[str, Person] = {person.name: person for person in (stage.person(), stage.person())}
    scene = stage.match(*people.values(), **terms)
    plain = Board(enter(people[scene.to_act], java_script_enabled=False))
    plain.page.goto(scene.url)
    live = Board(enter(people[scene.waiting])).open(scene.url)
    hint = Choice(*scene.hint) if scene.hint else None
    return plain, live, lambda: plain.page.goto(scene.url) and None, hint


def test_turns_by_plain_forms(enter: Enter, stage: Stage) -> None:
    plain, live, look_again, _ = _seats(enter, stage)
    here = plain.page.url
    for _ in range(3):
        _lay(plain, plain.choose())
        plain.take_back_button.click()
        expect(plain.confirm_button).to_have_count(0)
        _lay(plain, plain.choose())
        plain.confirm_button.click()
        expect(plain.page).to_have_url(here)
        expect(plain.page.locator("#board input[name=card]")).to_have_count(0)
        live.wait_for(plain.version)
        live.play()
        look_again()
        plain.wait_for(live.version)


def test_claim_by_plain_forms(enter: Enter, stage: Stage) -> None:
    plain, live, _, hint = _seats(enter, stage, until="claim")
    assert hint is not None
    _lay(plain, hint)
    held = sum("; held by" in label for label in plain.stone_labels())
    plain.page.locator("#board input[name=claim]").first.check()
    plain.confirm_button.click()
    expect(plain.page.locator("#confirm")).to_have_count(0)
    live.wait_for(plain.version)
    assert sum("; held by" in label for label in live.stone_labels()) == held + 1


def test_fault_62_plain_form_sent_twice_plays_once(enter: Enter, stage: Stage) -> None:
    plain, live, _, _ = _seats(enter, stage)
    _lay(plain, plain.choose())
    plain.confirm_button.dblclick()
    expect(plain.page.locator("#board input[name=card]")).to_have_count(0)
    live.wait_for(plain.version)
    expect(plain.refusal).to_have_count(0)
    for board in (plain, live):
        expect(board.page.locator(".log__turn")).to_have_count(1)


def test_half_a_choice_is_told_by_plain_forms(enter: Enter, stage: Stage) -> None:
    """Lay without a stone changes nothing, says what is missing, and goes on from there."""
    plain, _, _, _ = _seats(enter, stage)
    choice = plain.choose()
    plain.page.locator(f"#card-{choice.card}").check()
    plain.page.get_by_role("button", name="Lay").click()
    expect(plain.refusal).to_contain_text("That is not a whole turn yet")
    _lay(plain, choice)
    assert plain.version == 0
