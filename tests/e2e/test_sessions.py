"""Sessions that end or change in another tab (fault 103): a clear word, never a foreign page."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.board import Board
from tests.e2e.stage import Person, Stage

PASSWORD = "heather on the hill"
LOGGED_OUT = "You are no longer logged in here."


def _at_the_board(enter: Callable[..., Page], stage: Stage) -> tuple[Person, Board]:
    """Seat one who knows their password and whose turn it is."""
    people = [stage.person(password=PASSWORD), stage.person(password=PASSWORD)]
    scene = stage.match(*people)
    (mover,) = (person for person in people if person.name == scene.to_act)
    board = Board(enter(mover)).open(scene.url)
    board.mark()
    return mover, board


def _log_out(page: Page) -> None:
    page.goto("/")
    page.get_by_role("banner").locator("summary").click()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("banner").get_by_role("link", name="Log in")).to_be_visible()


def _log_in(page: Page, person: Person) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("Name or e-mail address").fill(person.name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name=f"Good to see you, {person.name}")).to_be_visible()


def _is_board_alone(board: Board) -> None:
    """Check that no other page was put inside the board, nor the board lost."""
    board.expect_never_reloaded()
    expect(board.root).to_have_count(1)
    expect(board.page.get_by_role("banner")).to_have_count(1)
    expect(board.page.get_by_label("Password")).to_have_count(0)


def test_fault_103_log_out_in_another_tab(enter: Callable[..., Page], stage: Stage) -> None:
    _, board = _at_the_board(enter, stage)
    choice = board.choose()
    _log_out(board.page.context.new_page())
    expect(board.page.get_by_text(LOGGED_OUT)).to_be_visible()
    board.page.locator(f"#card-{choice.card}").click()
    board.page.locator(f"#stone-{choice.stone}").click()
    expect(board.refusal).to_have_text("Only the two players can do that. Are you logged in?")
    _is_board_alone(board)
    assert board.version == 0
    expect(board.page.locator("#board input[name=card]")).to_have_count(0)


def test_fault_103_confirm_after_log_out_in_another_tab(
    enter: Callable[..., Page], stage: Stage
) -> None:
    _, board = _at_the_board(enter, stage)
    board.lay(board.choose())
    _log_out(board.page.context.new_page())
    board.confirm_button.click()
    expect(board.refusal).to_be_visible()
    _is_board_alone(board)
    assert board.version == 0


def test_fault_103_token_that_log_in_in_another_tab_has_changed(
    enter: Callable[..., Page], stage: Stage
) -> None:
    mover, board = _at_the_board(enter, stage)
    choice = board.choose()
    other_tab = board.page.context.new_page()
    _log_out(other_tab)
    _log_in(other_tab, mover)
    board.page.locator(f"#card-{choice.card}").click()
    board.page.locator(f"#stone-{choice.stone}").click()
    notice = board.page.locator("#reload-notice")
    expect(notice).to_contain_text("This page is out of date")
    _is_board_alone(board)
    notice.get_by_role("link", name="Reload the page to go on").click()
    expect(notice).to_have_count(0)
    board.play()
    assert board.version > 0


def test_fault_103_token_that_is_gone_from_a_page_without_script(
    enter: Callable[..., Page], stage: Stage
) -> None:
    """A plain form with a stale token ends on a page that says so."""
    person = stage.person()
    page = enter(person)
    page.goto("/offers/new/")
    page.context.clear_cookies(name="csrftoken")
    page.get_by_role("button", name="Put it in the lobby").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("what you sent was not done")
