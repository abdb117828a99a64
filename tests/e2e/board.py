"""A board as a player sees it: what it offers is read from the page, and done by clicks.

Nothing here knows the engine. Cards and stones are known by their accessible names.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from playwright.sync_api import Locator, Page, WebSocket, expect

from tests.beginner import Choice, best_choice, held_by

Judge = Callable[[Mapping[str, str], Mapping[str, str]], Choice]

PATIENCE_S = 20.0
"""How long to wait for what should happen at once, on a machine that does other things too."""


class Board:
    """The board on a page."""

    def __init__(self, page: Page, judge: Judge = best_choice) -> None:
        self.page = page
        self.judge = judge
        self.root = page.locator("#board")
        # By role and name they are found too, but slowly: a whole game asks for them often.
        self.confirm_button = page.locator("#board [data-confirm]", has_text="Confirm")
        self.take_back_button = page.locator("#board [data-take-back]")
        self.pass_button = page.locator("#board [data-pass]")
        self.result = page.locator(".result")
        self.refusal = page.locator(".board__refusal")

    def open(self, url: str) -> Board:
        """Go to the board's address, and wait until it hears of changes."""
        heard: list[bool] = []

        def listen(socket: WebSocket) -> None:
            # From its beginning on: the first frame may come before the page is loaded.
            if socket.url.endswith(f"/ws{url}"):
                socket.on("framereceived", lambda _frame: heard.append(True))

        self.page.on("websocket", listen)
        self.page.goto(url)
        wait_until(self.page, lambda: bool(heard))
        self.page.remove_listener("websocket", listen)
        return self

    @property
    def version(self) -> int:
        """The version that is shown."""
        return int(self.root.get_attribute("data-version") or -1)

    @property
    def is_to_act(self) -> bool:
        """Whether it is this viewer's turn."""
        return self.root.get_attribute("data-to-act") is not None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.result.count() > 0

    def cards(self) -> dict[str, str]:
        """Give the cards that can be chosen: value to accessible name."""
        return _named(self.page.locator("#board input[name=card]"))

    def stones(self) -> dict[str, str]:
        """Give the stones that can be chosen: value to accessible name."""
        return _named(self.page.locator("#board input[name=stone]"))

    def stone_labels(self) -> list[str]:
        """Give how each of the nine stones is read aloud."""
        labels = self.page.locator("#board .stone").evaluate_all(
            "all => all.map(one => one.querySelector('input[name=stone]')?.ariaLabel"
            " ?? one.querySelector('.visually-hidden').textContent)"
        )
        return [str(label) for label in labels]

    def held_by(self, name: str) -> int:
        """Count the stones that a player holds."""
        return held_by(name, self.stone_labels())

    def choose(self) -> Choice:
        """Think of a turn, as `judge` does."""
        return self.judge(self.cards(), self.stones())

    def lay(self, choice: Choice) -> None:
        """Click a card and a stone, and wait for the board as it would be."""
        self.page.locator(f"#card-{choice.card}").click()
        self.page.locator(f"#stone-{choice.stone}").click()
        expect(self.confirm_button).to_be_visible()

    def plan(self) -> None:
        """Plan a turn with all claims that hold."""
        if self.pass_button.count():
            self.pass_button.click()
            expect(self.confirm_button).to_be_visible()
        else:
            self.lay(self.choose())
        for claim in self.page.locator("#board input[name=claim]").all():
            claim.check()

    def confirm(self) -> None:
        """Confirm, and wait until the site has answered with the next board."""
        shown = self.version
        self.confirm_button.click()
        self.wait_past(shown)

    def play(self) -> None:
        """Make a whole turn."""
        self.plan()
        self.confirm()

    def wait_past(self, version: int) -> None:
        """Wait until the page shows a newer version."""
        expect(self.root).not_to_have_attribute("data-version", str(version))

    def wait_for(self, version: int) -> None:
        """Wait until the page shows this version."""
        expect(self.root).to_have_attribute("data-version", str(version))

    def mark(self) -> None:
        """Leave a mark that a reload of the page would wipe away."""
        self.page.evaluate("window.isSamePage = true")

    def expect_never_reloaded(self) -> None:
        """Check that the mark is still there."""
        assert self.page.evaluate("window.isSamePage === true"), "the page was loaded anew"


def wait_until(page: Page, condition: Callable[[], bool]) -> None:
    """Let the page go on until something has reached this side of the test."""
    patience = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < patience
        page.wait_for_timeout(20)


def _named(inputs: Locator) -> dict[str, str]:
    pairs = inputs.evaluate_all("all => all.map(one => [one.value, one.ariaLabel])")
    return {str(value): str(name) for value, name in pairs}
