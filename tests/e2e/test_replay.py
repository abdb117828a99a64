"""A finished game stepped through in the browser: by button, key, slider, log and address."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.board import PATIENCE_S
from tests.e2e.conftest import SMALL
from tests.e2e.site import Site
from tests.e2e.stage import Person, Scene, Stage
from tests.engine.command_line import run
from tests.games.bridge_tables import bridges_as_shown, bridges_table_of
from tests.games.tables import as_shown, table_of

Enter = Callable[..., Page]

READERS = {
    "schotten-totten": (table_of, as_shown),
    "three-bridges": (bridges_table_of, bridges_as_shown),
}
"""For each title what reads a page, and what says of the engine's state what a page shows."""
SHOWN_AT = f"""step => new Promise((done, fail) => {{
  const until = performance.now() + {1000 * PATIENCE_S};
  const look = () => {{
    const part = document.querySelector("#replay");
    if (part.dataset.step === step) done(part.outerHTML);
    else if (performance.now() > until) fail(new Error(`step ${{step}} was not shown`));
    else requestAnimationFrame(look);
  }};
  look();
}})"""
"""Waits for a step, and gives what is shown then: faster than asking again and again from here."""


@pytest.fixture(scope="module")
def players(stage: Stage) -> tuple[Person, Person]:
    return stage.person(), stage.person()


@pytest.fixture(scope="module")
def scene(stage: Stage, players: tuple[Person, Person]) -> Scene:
    """A match of one round that is over."""
    return stage.match(*players, until="over")


def expect_step(page: Page, scene: Scene, step: int) -> None:
    """The step is shown, its address stands in the bar, and its line is marked in the log."""
    expect(page.locator("#replay")).to_have_attribute("data-step", str(step))
    expect(page).to_have_url(re.compile(rf"{scene.url}replay/{step}/$"))
    current = page.locator("#replay [aria-current=step]")
    expect(current).to_have_attribute("href", f"{scene.url}replay/{step}/")
    expect(page.locator("#replay-step")).to_have_value(str(step))
    expect(page).to_have_title(re.compile(rf"^Replay {step} of "))


def n_steps(page: Page) -> int:
    return int(page.locator("#replay").get_attribute("data-steps") or "")


def trace(page: Page, folder: Path) -> list[dict[str, Any]]:
    """Download the record, and give the engine's states after 0, 1, 2, … actions."""
    record = folder / "record.json"
    with page.expect_download() as download:
        page.get_by_role("link", name="Record").click()
    download.value.save_as(record)
    assert run("verify", str(record)).code == 0
    return [json.loads(line) for line in run("replay", "--trace", str(record)).out.splitlines()]


def test_every_step_by_the_arrow_key_is_what_the_engine_says(
    enter: Enter, scene: Scene, tmp_path: Path
) -> None:
    page = enter()
    page.goto(scene.url)
    page.get_by_role("link", name="Replay", exact=True).click()
    states = trace(page, tmp_path)
    assert len(states) == n_steps(page) + 1
    for step, state in enumerate(states):
        if step:
            page.keyboard.press("ArrowRight")
            expect(page.locator("#replay")).to_have_attribute("data-step", str(step))
        html = page.locator("#replay").evaluate("part => part.outerHTML")
        assert table_of(html, 0) == as_shown(state), step
    expect_step(page, scene, len(states) - 1)
    expect(page.locator(".turn__line")).to_contain_text("has won")


def test_every_step_of_ten_demo_games_is_what_the_engine_says(
    enter: Enter, demo: Site, demo_stage: Stage, tmp_path: Path
) -> None:
    page = enter(**SMALL)
    games = demo_stage.demo_games()
    assert len(games) == 10
    for game, title in games:
        page.goto(f"{demo.url}/games/{game}/replay/0/")
        read, told = READERS[title]
        states = trace(page, tmp_path)
        assert len(states) == n_steps(page) + 1
        for step, state in enumerate(states):
            if step:
                page.keyboard.press("ArrowRight")
            html = page.evaluate(SHOWN_AT, str(step))
            assert read(html, 0) == told(state), (game, step)


def test_buttons_keys_slider_log_and_the_way_back(enter: Enter, scene: Scene) -> None:
    page = enter()
    page.goto(f"{scene.url}replay/")
    last = n_steps(page)
    page.evaluate("window.isSamePage = true")
    expect_step(page, scene, 0)
    page.get_by_role("link", name="Forward").click()
    expect_step(page, scene, 1)
    page.keyboard.press("End")
    expect_step(page, scene, last)
    page.get_by_role("link", name="Back").click()
    expect_step(page, scene, last - 1)
    page.keyboard.press("ArrowLeft")
    expect_step(page, scene, last - 2)
    page.keyboard.press("Home")
    expect_step(page, scene, 0)
    page.locator("#replay-log [data-to='7']").click()
    expect_step(page, scene, 7)
    page.locator("#replay-step").fill("12")
    expect_step(page, scene, 12)
    page.locator("#replay-step").press("ArrowRight")
    expect_step(page, scene, 13)
    expect(page.locator("#replay-step")).to_be_focused()
    page.go_back()
    expect_step(page, scene, 12)
    page.go_back()
    expect_step(page, scene, 7)
    page.go_forward()
    expect_step(page, scene, 12)
    page.keyboard.press("ArrowRight")
    expect_step(page, scene, 13)
    assert page.evaluate("window.isSamePage") is True
    page.reload()
    expect_step(page, scene, 13)


def test_a_held_key_goes_on_without_waiting(enter: Enter, scene: Scene) -> None:
    page = enter()
    page.goto(f"{scene.url}replay/0/")
    for _ in range(20):
        page.keyboard.down("ArrowRight")
    page.keyboard.up("ArrowRight")
    expect_step(page, scene, 20)
    for _ in range(30):
        page.keyboard.down("ArrowLeft")
    page.keyboard.up("ArrowLeft")
    expect_step(page, scene, 0)


def test_focus_and_voice_stay_with_who_steps(enter: Enter, scene: Scene) -> None:
    page = enter()
    page.goto(f"{scene.url}replay/2/")
    forward = page.get_by_role("link", name="Forward")
    forward.focus()
    page.keyboard.press("Enter")
    expect_step(page, scene, 3)
    expect(forward).to_be_focused()
    told = page.locator("[data-told]").inner_text()
    expect(page.locator("[data-replay-voice]")).to_have_text(told)
    page.keyboard.press("End")
    expect_step(page, scene, n_steps(page))
    expect(forward).to_be_focused()
    expect(forward).to_have_attribute("aria-disabled", "true")


def test_keys_with_a_modifier_are_the_browsers(enter: Enter, scene: Scene) -> None:
    page = enter()
    page.goto(f"{scene.url}replay/4/")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Control+End")
    expect_step(page, scene, 4)
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Forward").click(modifiers=["Control"])
    expect_step(opened.value, scene, 5)
    expect_step(page, scene, 4)


def test_without_script_links_and_the_form_do_it(
    enter: Enter, scene: Scene, players: tuple[Person, Person]
) -> None:
    page = enter(players[1], java_script_enabled=False)
    page.goto(f"{scene.url}replay/")
    for step in (1, 2):
        page.get_by_role("link", name="Forward").click()
        expect_step(page, scene, step)
    page.get_by_role("link", name="End", exact=True).click()
    expect(page.get_by_text("winner")).to_be_visible()
    page.get_by_role("slider").fill("9")
    page.get_by_role("button", name="Go").click()
    expect_step(page, scene, 9)
    page.locator("#replay-log [data-to='4']").click()
    expect_step(page, scene, 4)


def test_a_session_that_ends_shows_a_page_of_its_own(
    enter: Enter, stage: Stage, players: tuple[Person, Person]
) -> None:
    """The game is private: after the log-out in another tab nothing foreign is put in here."""
    private = stage.match(*players, until="over", is_private=True)
    page = enter(players[0])
    page.goto(f"{private.url}replay/3/")
    page.context.clear_cookies()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="Nothing but heather here")).to_be_visible()
    expect(page.locator("#replay")).to_have_count(0)
