"""The main job: two people register, agree on a match, and play all of it on live boards.

A visitor looks on, whose page is never loaded anew either.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.beginner import best_choice, careless_choice
from tests.e2e.board import Board, Judge
from tests.e2e.conftest import SMALL
from tests.e2e.site import Site

PASSWORD = "heather on the hill"
ROUNDS = 3


@dataclass
class Player:
    """A person at a browser."""

    name: str
    board: Board
    points: int = 0

    @property
    def page(self) -> Page:
        return self.board.page


def register(page: Page, site: Site, name: str, judge: Judge = best_choice) -> Player:
    """Register on the pages, and follow the link in the mail that lies in the folder."""
    address = f"{name.lower()}@example.org"
    page.goto("/")
    page.get_by_role("banner").get_by_role("link", name="Register").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("E-mail address").fill(address)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password, once more").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Register").click()
    expect(page.get_by_text(str(site.folder / "mail"))).to_be_visible()
    (mail,) = site.mails_to(address)
    link = re.search(rf"{site.url}/\S+", mail)
    assert link is not None, mail
    page.goto(link[0])
    page.get_by_role("button", name="Yes, confirm it").click()
    expect(page.get_by_role("heading", name=f"Good to see you, {name}")).to_be_visible()
    return Player(name, Board(page, judge))


def offer_match(page: Page) -> None:
    page.goto("/lobby/")
    page.get_by_role("link", name="Offer a match").click()
    page.get_by_role("radio", name="Schotten Totten", exact=False).first.check()
    page.get_by_label("Number of games").select_option(str(ROUNDS))
    page.get_by_label("A bot may accept").uncheck()
    page.get_by_role("button", name="Put it in the lobby").click()
    expect(page.get_by_text("Your offer stands in the lobby.")).to_be_visible()


def play_round(players: tuple[Player, Player], watcher: Board) -> Player:
    """Play one game to its end; gives its winner. Each turn shows on the other pages."""
    boards = (players[0].board, players[1].board, watcher)
    for board in boards:
        board.mark()
    while not players[0].board.is_over:
        mover, other = players if players[0].board.is_to_act else players[::-1]
        mover.board.play()
        for board in (other.board, watcher):
            board.wait_for(mover.board.version)
    for board in boards:
        board.expect_never_reloaded()
        expect(board.result).to_be_visible()
    for player in players:
        assert watcher.held_by(player.name) == players[0].board.held_by(player.name)
    (winner,) = (p for p in players if p.board.result.get_by_text("You have won").count())
    return winner


def score(players: tuple[Player, Player], winner: Player) -> None:
    """Add the points by the 5-point rule, and check that both pages say the same."""
    shown = players[0].board
    game = {p.name: 5 if p is winner else shown.held_by(p.name) for p in players}
    for player in players:
        player.points += game[player.name]
    for player in players:
        (other,) = (p for p in players if p is not player)
        told = f"{player.name} {game[player.name]}, {other.name} {game[other.name]}."
        expect(player.board.result).to_contain_text(told)


def next_game(*boards: Board) -> bool:
    """Follow the link to the next game where there is one; says whether the match goes on."""
    links = [board.result.get_by_role("link", name="of this match") for board in boards]
    if not links[0].count():
        assert not any(link.count() for link in links)
        return False
    for board, link in zip(boards, links, strict=True):
        with board.page.expect_websocket():
            link.click()
        board.wait_for(0)
    return True


def test_a_match_played_end_to_end(enter: Callable[..., Page], site: Site) -> None:
    ailsa = register(enter(**SMALL), site, "Ailsa")
    brodie = register(enter(**SMALL), site, "Brodie", careless_choice)
    players = (ailsa, brodie)
    brodie.page.goto("/lobby/")
    brodie.board.mark()
    offer_match(ailsa.page)
    row = brodie.page.locator(".offer", has_text="Ailsa")
    expect(row).to_be_visible()
    brodie.board.expect_never_reloaded()
    row.get_by_role("button", name="Accept").click()
    expect(brodie.board.root).to_be_visible()
    path = urlsplit(brodie.page.url).path
    ailsa.board.open(path)
    watcher = Board(enter(**SMALL)).open(path)
    played = 0
    while True:
        score(players, play_round(players, watcher))
        played += 1
        if not next_game(ailsa.board, brodie.board, watcher):
            break
    best, least = sorted(players, key=lambda player: -player.points)
    assert played == ROUNDS or best.points - least.points > 5 * (ROUNDS - played)
    ending = (
        f"{best.name} wins the match, {best.points} to {least.points}."
        if best.points > least.points
        else f"The match is drawn, {best.points} all."
    )
    for player in players:
        expect(player.board.result).to_contain_text(ending)
    play_again(ailsa, brodie)


def play_again(asking: Player, asked: Player) -> None:
    """One click offers a rematch, one on the other page accepts it and opens its board."""
    asking.board.result.get_by_role("button", name="Offer a rematch").click()
    asked.board.result.get_by_role("button", name="Accept the rematch").click()
    expect(asked.board.root).to_have_attribute("data-version", "0")
    asking.page.get_by_role("link", name="To the rematch").click()
    expect(asking.page).to_have_url(asked.page.url)
