"""The deal of a finished game, checked in the browser; and both browsers' part in the shuffle."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.stage import Person, Scene, Stage

Enter = Callable[..., Page]
Change = Callable[[dict[str, Any]], None]

NO_WEB_CRYPTO = "Object.defineProperty(Crypto.prototype, 'subtle', { get: () => undefined })"
STARTER_BY_RULE = "Who starts this game follows from the rules"


@pytest.fixture(scope="module")
def players(stage: Stage) -> tuple[Person, Person]:
    return stage.person(), stage.person()


@pytest.fixture(scope="module")
def scene(stage: Stage, players: tuple[Person, Person]) -> Scene:
    """A match of one round with tactics that is over; the lot said who begins."""
    return stage.match(*players, until="over", ruleset="after-play-tactics")


@pytest.fixture(scope="module")
def second_round(stage: Stage, players: tuple[Person, Person]) -> Scene:
    """The second round of Three Bridges: it has a pile of bridges, and a rule says who begins."""
    return stage.match(*players, until="over", ruleset="standard", rounds=2)


def verdicts(page: Page) -> dict[str, str]:
    """Give the word in front of each step that was checked."""
    steps = page.locator("[data-step]:visible").all()
    return {
        step.get_attribute("data-step") or "": step.locator("strong:visible").inner_text()
        for step in steps
        if step.locator("strong:visible").count()
    }


def expect_sum(page: Page, text: str) -> None:
    expect(page.get_by_role("status")).to_contain_text(text, use_inner_text=True)


def tamper(page: Page, change: Change) -> None:
    """Let the record arrive changed."""

    def answer(route: Route) -> None:
        record = route.fetch().json()
        change(record)
        route.fulfill(json=record)

    page.route("**/record.json", answer)


def exchange_cards(record: dict[str, Any]) -> None:
    deck = record["deck"]
    deck[20], deck[21] = deck[21], deck[20]


def exchange_tactics(record: dict[str, Any]) -> None:
    record["tactics_deck"].reverse()


def exchange_bridges(record: dict[str, Any]) -> None:
    record["bridges"].reverse()


def change_card(record: dict[str, Any]) -> None:
    record["deck"][0] = record["deck"][1]


def change_secret(record: dict[str, Any]) -> None:
    record["shuffle"]["secret"] = "5a" * 32


def change_nonce(record: dict[str, Any]) -> None:
    record["shuffle"]["nonces"][1] = "c3" * 16


def change_commitment(record: dict[str, Any]) -> None:
    record["shuffle"]["commitment"] = "5a" * 32


def change_starter(record: dict[str, Any]) -> None:
    record["first"] = 1 - record["first"]


@pytest.mark.parametrize("has_web_crypto", [True, False], ids=["https", "plain http"])
def test_a_true_game_is_found_true(enter: Enter, scene: Scene, has_web_crypto: bool) -> None:
    page = enter()
    if not has_web_crypto:
        page.add_init_script(NO_WEB_CRYPTO)
    page.goto(scene.url)
    page.get_by_role("link", name="Check the deal").click()
    expect_sum(page, "Yes: this deal follows from the numbers")
    steps = ("commitment", "deck", "tactics_deck", "first")
    assert verdicts(page) == dict.fromkeys(steps, "Yes.")
    expect(page.get_by_text("Web Crypto")).to_be_visible(visible=not has_web_crypto)
    page.get_by_text("The numbers", exact=True).click()
    dealt = page.locator("[data-dealt=deck]").inner_text()
    assert len(dealt.split()) == 54
    expect(page.locator("[data-shuffled=deck]")).to_have_text(dealt)
    expect(page.locator("[data-number=seed]")).to_have_text(re.compile("^[0-9a-f]{64}$"))


def test_a_second_round_with_bridges_is_found_true(enter: Enter, second_round: Scene) -> None:
    """No lot was drawn for who begins: there is nothing to check, and the page says why."""
    page = enter()
    page.goto(f"{second_round.url}check/")
    expect_sum(page, "Yes: this deal follows from the numbers")
    assert verdicts(page) == dict.fromkeys(("commitment", "deck", "bridges"), "Yes.")
    expect(page.get_by_text(STARTER_BY_RULE)).to_be_visible()
    page.get_by_text("The numbers", exact=True).click()
    expect(page.locator("[data-number=round]")).to_have_text("2")
    for pile, n_cards in (("deck", 31), ("bridges", 3)):
        dealt = page.locator(f"[data-dealt={pile}]").inner_text()
        assert len(dealt.split()) == n_cards
        expect(page.locator(f"[data-shuffled={pile}]")).to_have_text(dealt)


def test_a_deal_with_a_changed_card_is_not_true(enter: Enter, scene: Scene) -> None:
    page = enter()
    tamper(page, change_card)
    page.goto(f"{scene.url}check/")
    expect_sum(page, "No: the record of this game cannot be true:")
    expect_sum(page, "the deal must hold each card once, in its pile")
    assert "Yes." not in verdicts(page).values()


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (exchange_cards, {"deck"}),
        (exchange_tactics, {"tactics_deck"}),
        (change_secret, {"commitment", "deck", "tactics_deck"}),
        (change_nonce, {"deck", "tactics_deck"}),
        (change_commitment, {"commitment"}),
        (change_starter, {"first"}),
    ],
)
def test_a_changed_game_is_found_out(
    enter: Enter, scene: Scene, change: Change, wrong: set[str]
) -> None:
    page = enter()
    tamper(page, change)
    page.goto(f"{scene.url}check/")
    expect_sum(page, "No: this is not the deal")
    told = verdicts(page)
    # The lot falls on the same player every other time.
    assert {step for step, word in told.items() if word == "No."} - {"first"} == wrong - {"first"}
    assert ("first" in wrong) <= (told["first"] == "No.")
    expect(page.locator("[data-step=deck]")).to_contain_text(
        "do not lie as" if "deck" in wrong else "cards lie as", use_inner_text=True
    )


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (exchange_bridges, {"bridges"}),
        (exchange_cards, {"deck"}),
        (change_secret, {"commitment", "deck", "bridges"}),
    ],
)
def test_a_changed_second_round_is_found_out(
    enter: Enter, second_round: Scene, change: Change, wrong: set[str]
) -> None:
    page = enter()
    tamper(page, change)
    page.goto(f"{second_round.url}check/")
    expect_sum(page, "No: this is not the deal")
    told = verdicts(page)
    assert {step for step, word in told.items() if word == "No."} == wrong
    assert set(told) == {"commitment", "deck", "bridges"}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda record: record["shuffle"].pop("secret"), "the secret has not been published"),
        (lambda record: record.pop("shuffle"), "the record has no shuffle"),
        (lambda record: record.pop("tactics_deck"), "tactics_deck is missing"),
    ],
)
def test_a_broken_record_is_not_called_true(
    enter: Enter, scene: Scene, change: Change, told: str
) -> None:
    page = enter()
    tamper(page, change)
    page.goto(f"{scene.url}check/")
    expect_sum(page, "No: the record of this game cannot be true:")
    expect_sum(page, told)
    assert verdicts(page) == {}


def test_a_record_that_does_not_arrive_is_not_called_false(enter: Enter, scene: Scene) -> None:
    page = enter()
    page.route("**/record.json", lambda route: route.abort())
    page.goto(f"{scene.url}check/")
    expect_sum(page, "did not arrive")
    assert verdicts(page) == {}


def test_without_script_the_page_tells_how_to_check(enter: Enter, scene: Scene) -> None:
    page = enter(java_script_enabled=False)
    page.goto(f"{scene.url}check/")
    expect(page.get_by_text("cannot check anything by itself")).to_be_visible()
    command = f"python -m games.engine verify marchstone-{scene.game}.json"
    expect(page.get_by_text(command)).to_be_visible()
    assert verdicts(page) == {}


def test_it_fits_a_phone(enter: Enter, scene: Scene) -> None:
    page = enter(viewport={"width": 360, "height": 740})
    page.goto(f"{scene.url}check/")
    expect_sum(page, "Yes")
    page.get_by_text("The numbers", exact=True).click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_both_browsers_add_to_the_deal_and_remember_it(enter: Enter, stage: Stage) -> None:
    """From the form to the check; a browser that remembers another number says so."""
    maker, accepter = stage.person(), stage.person()
    one, other = enter(maker), enter(accepter)
    one.goto(f"/offers/new/?kind=challenge&to={accepter.name}")
    one.locator("[name=n_rounds]").select_option("1")
    one.get_by_text("How the cards will be dealt").click()
    promised = one.locator(".commitments code").first.inner_text()
    one.get_by_role("button", name="Send the challenge").click()
    expect(one.locator(".commitments code")).to_have_text([promised])
    other.goto(one.url)
    expect(other.locator(".commitments code")).to_have_text([promised])
    other.get_by_role("button", name="Accept").click()
    other.wait_for_url("**/games/*/")
    game = other.url
    other.locator(".board__match a").first.click()
    other.get_by_text("Leave the match").click()
    other.get_by_text("Resign the match", exact=True).click()
    other.get_by_role("button", name="Yes, resign the match").click()
    expect(other.get_by_text("You have resigned the match.")).to_be_visible()
    for page in (one, other):
        page.goto(f"{game}check/")
        expect_sum(page, "Yes")
        assert verdicts(page)["memory"] == "Yes."
    record = json.loads(other.evaluate(f"fetch('{game}record.json').then((r) => r.text())"))
    assert record["shuffle"]["commitment"] == promised
    first, second = record["shuffle"]["nonces"]
    assert len({first, second, "0" * 32}) == 3
    one.evaluate(
        "localStorage.shuffles = JSON.stringify(JSON.parse(localStorage.shuffles)"
        ".map((note) => ({ ...note, nonce: '5a'.repeat(16) })))"
    )
    one.reload()
    expect_sum(one, "No")
    assert verdicts(one)["memory"] == "No."


def test_without_script_a_player_adds_nothing_and_is_told(enter: Enter, stage: Stage) -> None:
    maker, accepter = stage.person(), stage.person()
    page = enter(maker, java_script_enabled=False)
    page.goto("/offers/new/?kind=challenge")
    page.get_by_text("How the cards will be dealt").click()
    expect(page.get_by_text("Where scripts are switched off")).to_be_visible()
    page.get_by_label("Player", exact=True).fill(accepter.name)
    page.get_by_role("button", name="Send the challenge").click()
    page.get_by_text("How the cards will be dealt").click()
    expect(page.get_by_text("has added no number")).to_be_visible()
