"""A rated match from its offer to the ladder, both histories and the replay, in two browsers."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.beginner import careless_choice
from tests.e2e.board import Board
from tests.e2e.conftest import SMALL
from tests.e2e.stage import Person, Stage

LADDER = "/ladders/schotten-totten/after-play/"


def offer_rated(page: Page) -> None:
    """Go from the ladder to the form, and offer one round."""
    page.goto(LADDER)
    page.get_by_role("button", name="Join the ladder").click()
    expect(page.get_by_text("You have joined.")).to_be_visible()
    page.get_by_role("link", name="Offer a rated match").click()
    expect(page.get_by_label("Rated")).to_be_checked()
    page.get_by_label("Number of games").select_option("1")
    page.get_by_role("button", name="Put it in the lobby").click()
    expect(page.get_by_text("Your offer stands in the lobby.")).to_be_visible()


def play_out(first: Board, second: Board) -> Board:
    """Play the game to its end; gives the winner's board."""
    while not first.is_over:
        mover, other = (first, second) if first.is_to_act else (second, first)
        mover.play()
        other.wait_for(mover.version)
    (winner,) = (
        board for board in (first, second) if board.result.get_by_text("You have won").count()
    )
    return winner


def wait_for_rating(page: Page) -> None:
    """Load the ladder anew until a worker has rated the match."""
    for _ in range(60):
        page.goto(LADDER)
        if page.get_by_role("row").filter(has_text="1520").count():
            return
        page.wait_for_timeout(500)
    raise AssertionError("nobody has rated the match")


def expect_on_ladder(page: Page, person: Person, rating: str, last: str) -> None:
    line = page.get_by_role("row", name=person.name)
    expect(line).to_contain_text(rating)
    expect(line).to_contain_text(last)


def test_a_rated_match_moves_the_ladder(enter: Callable[..., Page], stage: Stage) -> None:
    fiona, gordon = stage.person("Fiona"), stage.person("Gordon")
    pages = {person.name: enter(person, **SMALL) for person in (fiona, gordon)}
    offer_rated(pages["Fiona"])
    pages["Gordon"].goto("/lobby/")
    row = pages["Gordon"].locator(".offer", has_text="Fiona")
    expect(row.get_by_text("Accepting also joins you to the ladder")).to_be_visible()
    expect(row).to_contain_text("(1500? provisional)")
    row.get_by_role("button", name="Accept").click()
    boards = {"Gordon": Board(pages["Gordon"], careless_choice)}
    expect(boards["Gordon"].root).to_be_visible()
    boards["Fiona"] = Board(pages["Fiona"]).open(urlsplit(pages["Gordon"].url).path)
    winning = play_out(boards["Fiona"], boards["Gordon"])
    winner, loser = (fiona, gordon) if winning is boards["Fiona"] else (gordon, fiona)

    page = pages[winner.name]
    wait_for_rating(page)
    expect_on_ladder(page, winner, "1520?", "+20.0")
    expect_on_ladder(page, loser, "1480?", "−20.0")
    page.get_by_role("row", name=winner.name).get_by_role("link", name="1520").click()
    page.get_by_role("link", name=f"won against {loser.name}").click()
    expect(page.get_by_text("(+20.0)")).to_be_visible()
    changes = ((winner, "won", "1500 → 1520 (+20.0)"), (loser, "lost", "1500 → 1480 (−20.0)"))
    for person, result, change in changes:
        page.goto(f"/players/{person.name}/")
        expect(page.get_by_text("1 rated match")).to_be_visible()
        page.get_by_role("link", name="All matches").click()
        played = page.locator(".played")
        expect(played).to_have_count(1)
        expect(played).to_contain_text("rated")
        expect(played).to_have_attribute("data-result", result)
        played.get_by_role("link", name="Against").click()
        expect(page.get_by_role("definition").filter(has_text=change)).to_be_visible()
        page.go_back()
    page.get_by_role("link", name="Replay").click()
    expect(page).to_have_url(re.compile("/replay/"))
    page.keyboard.press("End")
    replay = page.locator("#replay")
    expect(replay).to_have_attribute("data-step", replay.get_attribute("data-steps") or "")
    expect(page.locator(".turn__line")).to_contain_text(f"{winner.name} has won")
