"""Whole games of Three Bridges with chosen deals, in which every ability is used.

One is live in two browsers, with a reload, another device and a crash in the middle of a chain of
Aces; one is played by keys against plain forms.
"""

from __future__ import annotations

from typing import Protocol

from playwright.sync_api import Page, expect

from tests.e2e.board import Board
from tests.e2e.conftest import SMALL, Enter
from tests.e2e.site import Site
from tests.e2e.stage import Stage
from tests.e2e.test_access import arrow_to, tab_to

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
DEAL = {
    "bridges": "H9 B9 L9",
    "hands": ("HA HX C1 LO", "AU BU B7 A7"),
    "draws": "H7 C2 A8 L7 H8 LK BK AX B8 HO L8 LX A9 HK",
}
CHAIN = (("owner", "HA@1"), ("other", "A7@3"), ("owner", "C1@2"))
AFTER_THE_CHAIN = (
    ("owner", "HX@1"),
    ("other", "BU@2"),
    ("owner", "LO@3"),
    ("other", "swap"),
    ("owner", "turn 1-0"),
    ("owner", "move 2-0"),
    ("owner", "H7@1"),
    ("other", "AU@1"),
    ("other", "C2@2"),
    ("owner", "H8@3"),
    ("other", "name B"),
    ("other", "B7@2"),
    ("owner", "LK@3"),
    ("other", "L7@3"),
    ("owner", "decline"),
    ("other", "turn 0-3"),
    ("other", "A8@1"),
    ("owner", "HO@2"),
    ("owner", "decline"),
)
ASKED = "After your Chronicler as Ace of Hearts you may play one more card of Hearts"


class Seat(Protocol):
    """Somebody at a board; `do` makes one step and sees it made."""

    page: Page

    def do(self, told: str) -> None: ...


def choices(told: str) -> tuple[str, list[str]]:
    """Give the button of a step, and the fields that are chosen for it, card first."""
    word, _, rest = told.partition(" ")
    match word:
        case "name":
            return "#use", [f"#suit-{rest}"]
        case "turn" | "move":
            return "#use", [f"#target-{rest}"]
        case "swap":
            return "#use", []
        case "decline":
            return "#decline", []
    card, bridge = told.split("@")
    return "#confirm", [f"#card-{card}", f"#choose-bridge-{bridge}"]


class Mouse:
    """Clicks on cards, bridges and buttons."""

    def __init__(self, board: Board) -> None:
        self.board, self.page = board, board.page

    def do(self, told: str) -> None:
        button, chosen = choices(told)
        for field in chosen:
            self.page.locator(field).click()
        version = self.board.version
        self.page.locator(button).click()
        self.board.wait_past(version)


class Keys:
    """Uses nothing but Tab, arrows and Enter."""

    def __init__(self, board: Board) -> None:
        self.board, self.page = board, board.page

    def do(self, told: str) -> None:
        button, chosen = choices(told)
        if button == "#use" and chosen:
            expect(self.page.locator(button)).to_be_disabled()
        for field in chosen:
            group = self.page.locator(field).get_attribute("name")
            tab_to(self.page, f"#board input[name={group}]")
            arrow_to(self.page, field)
            self.page.keyboard.press("Enter")
        if chosen:
            expect(self.page.locator(button)).to_be_focused()
        version = self.board.version
        tab_to(self.page, button)
        self.page.keyboard.press("Enter")
        self.board.wait_past(version)


class Plain:
    """Has no script: radio buttons, buttons, and pages that are loaded anew."""

    def __init__(self, page: Page, url: str) -> None:
        self.page, self.url = page, url

    def do(self, told: str) -> None:
        self.page.goto(self.url)
        button, chosen = choices(told)
        for field in chosen:
            self.page.locator(field).check()
        if button == "#confirm":
            self.page.get_by_role("button", name="Lay").click()
        version = self.page.locator("#board").get_attribute("data-version")
        self.page.locator(button).click()
        expect(self.page.locator(f"#board[data-version='{version}']")).to_have_count(0)


def test_a_live_game_in_which_every_ability_is_used(enter: Enter, stage: Stage, site: Site) -> None:
    morag, hamish = stage.person(), stage.person()
    scene = stage.bridges(morag, hamish, **DEAL)
    owner = Mouse(Board(enter(morag, **SMALL)).open(scene.url))
    other = Mouse(Board(enter(hamish, **SMALL)).open(scene.url))
    seats = {"owner": owner, "other": other}

    def play(*steps: tuple[str, str]) -> None:
        for who, told in steps:
            seats[who].do(told)
            for seat in seats.values():
                seat.board.wait_for(seats[who].board.version)

    play(*CHAIN)
    _chain_goes_on(owner, other, enter(morag, **PHONE), scene.url, site)
    play(*AFTER_THE_CHAIN)
    _check_end(owner.page, other.page)


def _chain_goes_on(owner: Mouse, other: Mouse, phone: Page, url: str, site: Site) -> None:
    """Find the Chronicler's question again: after a reload, on a phone, and after a crash."""

    def expect_the_question(page: Page) -> None:
        expect(page.locator(".turn__line")).to_contain_text(ASKED)
        expect(page.locator("#board input[name=card]")).to_have_count(2)
        for card in ("HX", "H7"):
            expect(page.locator(f"#card-{card}")).to_be_visible()
        expect(page.locator("#decline")).to_be_visible()

    def expect_to_wait(page: Page) -> None:
        expect(page.locator(".turn__line")).to_contain_text(
            "after Chronicler as Ace of Hearts one more card of its suit may be played"
        )
        assert "Ten of Hearts" not in page.locator("#board").inner_html()

    owner.page.reload()
    other.page.reload()
    phone.goto(url)
    site.kill()
    for page in (owner.page, phone):
        expect_the_question(page)
    expect_to_wait(other.page)
    site.start()
    for page in (owner.page, phone, other.page):
        expect(page.locator("[data-live-banner]")).to_be_hidden(timeout=60_000)
        page.reload()
    for page in (owner.page, phone):
        expect_the_question(page)
    expect_to_wait(other.page)
    phone.close()


def _check_end(*pages: Page) -> None:
    """Both see how the game went, and why each bridge counts what it counts."""
    for page in pages:
        expect(page.locator(".result")).to_be_visible()
        expect(page.locator(".why[open]")).to_have_count(3)
        log = page.locator("#log-turns").inner_text()
        for told in ("names Bells", "sideways", "from bridge 2 to bridge 3", "for the Acorn"):
            assert told in log, told
    why = pages[0].locator("#score-1").inner_text()
    assert "+2 for the bridge's suit" in why
    assert "Each Heart: +1 for its row" in why


def test_a_game_by_keys_against_plain_forms(enter: Enter, stage: Stage) -> None:
    morag, hamish = stage.person(), stage.person()
    scene = stage.bridges(morag, hamish, **DEAL)
    plain = Plain(enter(hamish, java_script_enabled=False, **SMALL), scene.url)
    keys = Keys(Board(enter(morag, **SMALL)).open(scene.url))
    for version, (who, told) in enumerate((*CHAIN, *AFTER_THE_CHAIN), start=1):
        (keys if who == "owner" else plain).do(told)
        keys.board.wait_for(version)
    plain.page.goto(scene.url)
    _check_end(keys.page, plain.page)


def test_on_a_phone_no_bridge_is_covered_once_a_card_is_chosen(enter: Enter, stage: Stage) -> None:
    owner, other = stage.person(), stage.person()
    page = enter(owner, **PHONE)
    page.goto(stage.bridges(owner, other, **DEAL).url)
    card = page.locator(".hand__card").first
    card.click()
    name = card.locator("input").get_attribute("aria-label")
    expect(page.locator(".turn__line")).to_contain_text(f"Now choose a bridge for {name}.")
    place = page.locator("#bridge-3 .place").bounding_box()
    dock = page.locator(".dock--own").bounding_box()
    assert place is not None
    assert dock is not None
    assert place["y"] + place["height"] <= dock["y"]
    page.locator("#choose-bridge-3").first.click()
    expect(page.locator("#confirm")).to_be_visible()
