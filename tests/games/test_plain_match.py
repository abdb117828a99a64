"""A match from registration to its score without JavaScript: only pages, links and forms."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pytest
from django.core.mail import EmailMessage

from tests.beginner import best_choice, held_by
from tests.games.plain_browser import PlainBrowser

PASSWORD = "heather on the hill"
ROUNDS = 3
MAX_TURNS = 80
"""A game of 54 cards is over by then."""


@dataclass
class Player:
    """A person at a browser without script."""

    name: str
    browser: PlainBrowser = field(default_factory=PlainBrowser)
    points: int = 0

    def stones(self) -> list[str]:
        """Give how the nine stones are read aloud."""
        return re.findall(r"Stone \d: your side [^<\"]*", self.browser.html.replace("&#x27;", "'"))

    @property
    def is_to_act(self) -> bool:
        return "data-to-act" in self.browser.html


def register(name: str, outbox: list[EmailMessage]) -> Player:
    """Register, and follow the link in the mail."""
    player = Player(name)
    browser, address = player.browser, f"{name.lower()}@example.org"
    browser.open("/accounts/signup/")
    browser.press("Register", username=name, email=address, password1=PASSWORD, password2=PASSWORD)
    assert "One step left" in browser.text
    (mail,) = [mail for mail in outbox if mail.to == [address]]
    link = re.search(r"http://[^/]+(/\S+)", str(mail.body))
    assert link is not None
    browser.open(link[1])
    browser.press("Yes, confirm it")
    assert f"Good to see you, {name}" in browser.text
    return player


def plan(player: Player, *, twice: bool) -> None:
    """Plan a turn: the page shows it, and asks. Where told so, take it back and plan it again."""
    browser = player.browser
    if browser.can_press("Pass"):
        browser.press("Pass")
        return
    choice = best_choice(browser.options("card"), browser.options("stone"))
    for step in ("Lay", "Take back", "Lay")[0 if twice else 2 :]:
        values = {"card": choice.card, "stone": choice.stone} if step == "Lay" else {}
        browser.press(step, **values)
        assert browser.status == 200
        assert browser.can_press("Confirm") == (step == "Lay")


def play(player: Player, *, twice: bool) -> None:
    """Make a turn, claiming whatever holds: POST, redirect, GET."""
    browser, board = player.browser, player.browser.path
    plan(player, twice=twice)
    browser.press("Confirm", claim=list(browser.options("claim")))
    assert (browser.status, browser.was_redirected, browser.path) == (200, True, board)
    assert not player.is_to_act


def play_game(players: tuple[Player, Player]) -> Player:
    """Play the game that both have open to its end; gives the winner."""
    mover, other = sorted(players, key=lambda player: not player.is_to_act)
    for turn in range(MAX_TURNS):
        play(mover, twice=turn % 10 == 0)
        other.browser.reload()
        if not other.is_to_act:
            break
        mover, other = other, mover
    (winner,) = [player for player in players if "You have won" in player.browser.text]
    return winner


def score(players: tuple[Player, Player], winner: Player) -> None:
    """Count 5 for the winner and a stone each for the loser; both pages say so."""
    stones = winner.stones()
    assert len(stones) == 9
    game = {p.name: 5 if p is winner else held_by(p.name, stones) for p in players}
    for player, other in (players, players[::-1]):
        player.points += game[player.name]
        told = f"This game: {player.name} {game[player.name]}, {other.name} {game[other.name]}."
        assert told in player.browser.text


@pytest.mark.django_db
def test_a_match_by_plain_forms(mailoutbox: list[EmailMessage]) -> None:
    ailsa, brodie = players = (register("Ailsa", mailoutbox), register("Brodie", mailoutbox))
    ailsa.browser.open("/offers/new/")
    ailsa.browser.press("Put it in the lobby", n_rounds=str(ROUNDS), is_bot_welcome="")
    assert "Your offer stands in the lobby." in ailsa.browser.text
    brodie.browser.open("/lobby/")
    brodie.browser.press("Accept the offer of Ailsa")
    assert "Game 1 of 3" in brodie.browser.text
    ailsa.browser.open(brodie.browser.path)
    played = 0
    while True:
        winner = play_game(players)
        score(players, winner)
        played += 1
        if not ailsa.browser.can_follow(f"To game {played + 1} of this match"):
            break
        for player in players:
            player.browser.follow(f"To game {played + 1} of this match")
            assert f"Game {played + 1} of {ROUNDS}" in player.browser.text
        assert winner.is_to_act, "the winner of a round starts the next"
    check_end(players, played)
    play_again(ailsa, brodie)


def check_end(players: tuple[Player, Player], played: int) -> None:
    """Check that the match ended when it had to, with the sum of the points."""
    best, least = sorted(players, key=lambda player: -player.points)
    lead = best.points - least.points
    assert played == ROUNDS or lead > 5 * (ROUNDS - played)
    told = (
        f"{best.name} wins the match, {best.points} to {least.points}."
        if lead
        else f"The match is drawn, {best.points} all."
    )
    for player in players:
        assert told in player.browser.text


def play_again(asking: Player, asked: Player) -> None:
    """Offer a rematch and accept it, a button each."""
    asking.browser.press("Offer a rematch")
    assert "You have offered a rematch." in asking.browser.text
    asked.browser.reload()
    asked.browser.press("Accept the rematch")
    assert "Game 1 of 3" in asked.browser.text
