"""A whole game with tactics cards in two browsers: every card is played, and a Recruiter is met by
a reload and a crash. One player has a mouse, the other keys alone."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.beginner import careless_choice
from tests.e2e.board import Board
from tests.e2e.conftest import SMALL, Enter
from tests.e2e.site import Site
from tests.e2e.stage import Stage
from tests.e2e.test_access import arrow_to, tab_to

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
HANDS = ("R1 R4 R5 R6 G4 G5 G6", "O1 P1 P2 B1 B2 Y1 Y2")
DRAWS = "G1 Y9 B9"
TACTICS = "RE BB MF JA SP SB JB ST BA TR"
MAX_TURNS = 60


class Seat:
    """Somebody at a board with tactics cards."""

    def __init__(self, board: Board, *, by_keys: bool = False) -> None:
        self.board = board
        self.page: Page = board.page
        self.by_keys = by_keys
        self.prompt = board.page.locator(".turn__line")

    def play(self, card: str, take: str = "", to: str = "", draw: str = "") -> None:
        """Play a card and confirm it by a draw, or by the one button that there is."""
        self.choose("#board input[name=card]", f"#card-{card}")
        if take:
            self.choose("#board input[name=take]", f"#take-{take}")
        if to:
            self.choose("#board input[name=stone]", f"#stone-{to}")
        self.press(f"#confirm-{draw}" if draw else "#confirm")

    def choose(self, group: str, choice: str) -> None:
        """Choose one of a group of radio buttons; a card at a stone is tapped itself."""
        if self.by_keys:
            tab_to(self.page, group)
            arrow_to(self.page, choice)
            self.page.keyboard.press("Enter")
        elif choice.startswith("#take-"):
            self.page.locator(f".card[for={choice[1:]}] .card__band").click()
        else:
            self.page.locator(choice).click()
        if group.endswith("[name=card]"):
            return
        expect(self.page.locator(f"{choice}:not([type=hidden])")).to_have_count(0)

    def press(self, button: str) -> None:
        """Press a button that sends something, and wait for the answer."""
        version = self.board.version
        expect(self.page.locator(button)).to_be_visible()
        if self.by_keys:
            tab_to(self.page, button)
            self.page.keyboard.press("Enter")
        else:
            self.page.locator(button).click()
        self.board.wait_past(version)


def test_a_game_in_which_every_tactics_card_is_played(
    enter: Enter, stage: Stage, site: Site
) -> None:
    morag, hamish = stage.person(), stage.person()
    scene = stage.dealt(morag, hamish, hands=HANDS, draws=DRAWS, tactics=TACTICS)
    owner = Seat(Board(enter(morag, **SMALL)).open(scene.url))
    keys = Board(enter(hamish, **SMALL), judge=careless_choice).open(scene.url)
    other = Seat(keys, by_keys=True)

    def turn(seat: Seat, *play: str, draw: str) -> None:
        seat.play(*play, draw=draw)
        for board in (owner.board, other.board):
            board.wait_for(seat.board.version)

    turn(owner, "R1", "", "1", draw="tactics")
    turn(other, "O1", "", "1", draw="tactics")
    _recruit(owner, other, enter(morag, **PHONE), site)
    turn(other, "BB", "", "2", draw="tactics")
    turn(owner, "MF", "", "3", draw="tactics")
    turn(other, "JA", "", "1", draw="tactics")
    turn(owner, "SP", "", "3", draw="tactics")
    turn(other, "SB", "", "1", draw="tactics")
    turn(owner, "JB", "", "3", draw="tactics")
    turn(other, "ST", "O1", "discard", draw="tactics")
    turn(owner, "BA", "SB", draw="")
    turn(other, "TR", "R1", "5", draw="")
    _check_table(owner)
    for _ in range(MAX_TURNS):
        for board, watcher in ((owner.board, other.board), (other.board, owner.board)):
            if not board.is_over:
                board.play()
                watcher.wait_for(board.version)
        if owner.board.is_over:
            break
    for board in (owner.board, other.board):
        expect(board.result).to_be_visible()
    played = owner.page.locator("#log-turns").inner_text()
    for name in ("Recruiter", "Strategist", "Banshee", "Traitor", "Joker A", "Joker B", "Spy"):
        assert name in played
    for name in ("Shield-Bearer", "Mud Fight", "Blind-Man's Bluff"):
        assert name in played


def _recruit(owner: Seat, other: Seat, phone: Page, site: Site) -> None:
    """Play the Recruiter, with a reload, another device and a crash between its steps."""
    owner.choose("#board input[name=card]", "#card-RE")
    owner.press("#draw-clan")
    expect(owner.prompt).to_contain_text("Recruiter: draw 2 more cards.")
    owner.page.reload()
    phone.goto(owner.page.url)
    for page in (owner.page, phone):
        expect(page.locator(".turn__line")).to_contain_text("Recruiter: draw 2 more cards.")
        expect(page.locator("#card-G1, .hand__card", has_text="green 1")).to_have_count(1)
    other.board.wait_for(owner.board.version)
    expect(other.prompt).to_contain_text("the Recruiter draws 2 more cards.")
    assert "green 1" not in other.page.content()

    site.kill()
    site.start()
    for page in (owner.page, other.page):
        expect(page.locator("[data-live-banner]")).to_be_hidden(timeout=60_000)
    expect(owner.prompt).to_contain_text("Recruiter: draw 2 more cards.")
    owner.press("#draw-tactics")
    other.board.wait_for(owner.board.version)
    expect(other.prompt).to_contain_text("the Recruiter draws 1 more card.")
    owner.press("#draw-clan")
    for card in ("Y9", "G1"):
        owner.choose("#board input[name=back]", f"#card-{card}")
    owner.press("#confirm")
    other.board.wait_for(owner.board.version)
    expect(other.page.locator("#log-turns")).to_contain_text("puts a card back under the clan deck")
    assert "yellow 9" not in other.page.content()


def _check_table(owner: Seat) -> None:
    """What the modes and ruses have left is there to be seen."""
    (first, second, third, *_, fifth) = owner.board.stone_labels()[:5]
    assert "your side empty; opponent's side Joker A" in first
    assert "Blind-Man's Bluff" in second
    assert "your side Spy, Joker B; opponent's side empty; here Mud Fight" in third
    assert "opponent's side red 1" in fifth
    discard = owner.page.locator("#discard")
    discard.locator("summary").click()
    expect(discard.locator("li")).to_have_count(6)


def test_who_is_quicker_than_the_site_loses_no_tap(enter: Enter, stage: Stage) -> None:
    """The stone is tapped while the card's own step is on its way: it is chosen all the same."""
    morag, hamish = stage.person(), stage.person()
    opening = (["R1@1", "draw tactics"], ["O1@1", "draw clan"])
    scene = stage.dealt(
        morag, hamish, hands=HANDS, draws=DRAWS, tactics="MF ST SP", turns=[*opening]
    )
    board = Board(enter(morag, **SMALL)).open(scene.url)
    page, held = board.page, list[Route]()
    page.route("**/plan/", lambda route: held.append(route), times=1)
    with page.expect_request("**/plan/"):
        page.locator("#card-MF").click()
    page.locator("#stone-3").click()
    page.locator("#stone-3").click()
    held.pop().continue_()
    expect(page.locator("#confirm-clan")).to_be_visible()
    expect(page.locator("#column-3")).to_contain_text("Mud Fight")


def test_ruses_without_script(enter: Enter, stage: Stage) -> None:
    """Radio buttons and whole pages lead through a Strategist and a Recruiter."""
    morag, hamish = stage.person(), stage.person()
    opening = (["R1@1", "draw tactics"], ["O1@1", "draw clan"])
    scene = stage.dealt(
        morag, hamish, hands=HANDS, draws=DRAWS, tactics="ST RE SP", turns=[*opening]
    )
    page = enter(morag, java_script_enabled=False, viewport={"width": 360, "height": 740})
    page.goto(scene.url)

    def step(button: str, *choices: str) -> None:
        for choice in choices:
            page.locator(choice).check()
        page.get_by_role("button", name=button).click()

    step("Lay", "#card-ST")
    step("Go on", "#take-R1")
    step("Go on", "#stone-4")
    step("Confirm, draw a tactics card")
    expect(page.locator("#log-turns")).to_contain_text("plays the Strategist and moves")
    stage.turns(scene, ["P1@2", "draw clan"])
    page.goto(scene.url)
    expect(page.locator(".hand__why")).to_contain_text("You have played more tactics cards")
    step("Lay", "#card-R4", "#stone-4")
    step("Confirm, draw a clan card")
    stage.turns(scene, ["P2@2", "draw tactics"], ["R5@4", "draw clan"], ["SP@3", "draw clan"])
    page.goto(scene.url)
    step("Lay", "#card-RE")
    step("Draw a clan card")
    step("Draw a clan card")
    step("Draw a tactics card")
    for _ in range(2):
        page.locator("#board input[name=back]").first.check()
        step("Put back")
    step("Confirm")
    expect(page.locator(".turn__line")).to_contain_text("Your turn is done; waiting for")


@pytest.mark.parametrize(("pile", "cards"), [("clan", ("G1", "Y9")), ("tactics", ("RE", "MF"))])
def test_fault_42_a_page_asks_for_the_same_whatever_card_is_drawn(
    enter: Enter, stage: Stage, pile: str, cards: tuple[str, str]
) -> None:
    """Opponent and visitor look on; their pages ask for the board, and for the icon of a turn."""
    drawer, other = stage.person(), stage.person()
    board = Board(enter(drawer, **SMALL))
    for card in cards:
        top = {"draws": card, "tactics": "BB"} if pile == "clan" else {"tactics": card}
        scene = stage.dealt(drawer, other, hands=HANDS, **top)
        board.open(scene.url)
        watchers = [Board(enter(person, **SMALL)).open(scene.url) for person in (other, None)]
        asked = [_asked_by(watcher.page) for watcher in watchers]
        Seat(board).play("R1", to="1", draw=pile)
        expect(board.page.locator(f"#board [value={card}]")).to_have_count(1)
        for watcher, addresses in zip(watchers, asked, strict=True):
            watcher.wait_for(board.version)
            watcher.page.wait_for_load_state("networkidle")
            news = {address for address in addresses if "/img/favicon" not in address}
            assert news - {"/here/"} == {scene.url}


def _asked_by(page: Page) -> list[str]:
    """Give the list of what a page asks for from now on."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    return asked
