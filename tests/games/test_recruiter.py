"""The Recruiter, step by step: what shows a card is sent by itself, and can be gone on with."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from games import clock, publish, tasks
from games.models import Action, Game, Notice, Submission
from games.selectors import game_fold
from games.services import bots
from games.services.bots import bot_turn
from tests.games.boards import (
    FRAGMENT,
    form_of,
    named_cards,
    normal,
    page_of,
    post,
    shapes,
    stack,
    text_of,
    turn,
)
from tests.games.conftest import Cast, client_of, make_match, request_id, running_game
from tests.games.plain_browser import PlainBrowser
from tests.games.tables import parse
from tests.games.tactics import HAND_0, HAND_1, RULESETS, tactics_game

TACTICS = "RE SP SB TR"
STEPS = (("RE", "draw clan"), ("draw tactics",), ("draw clan",))


def recruiting(cast: Cast, n_steps: int, ruleset: str = "after-play-tactics") -> Game:
    """Start a game and make the owner's turn with a Recruiter, up to so many submissions.

    The clan cards that come are yellow 3 and 4, the tactics card is the Shield-Bearer.
    """
    game = tactics_game(cast, TACTICS, ruleset, draws="Y3 Y4 Y5")
    turn(game, "R1@1", "draw tactics")
    turn(game, "O1@1", "draw tactics")
    for steps in STEPS[:n_steps]:
        turn(game, *steps)
    game.refresh_from_db()
    return game


def seated(user: Any, game: Game) -> PlainBrowser:
    """Seat somebody at a browser without script."""
    browser = PlainBrowser()
    browser.enter(user)
    browser.open(game.get_absolute_url())
    return browser


def table(page: str) -> str:
    """Give the board of a page with what always differs made constant."""
    return normal(page[page.index('<section id="board"') : page.index("</main>")])


# --- the whole way --------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_step_by_plain_forms(cast: Cast, ruleset: str) -> None:
    game = recruiting(cast, 0, ruleset)
    browser = seated(cast.owner, game)
    browser.press("Lay", card="RE")
    assert "Once the first is drawn there is no way back." in browser.text
    assert browser.can_press("Take back")
    browser.press("Draw a clan card")
    assert "Recruiter: draw 2 more cards." in browser.text
    browser.press("Draw a tactics card")
    assert "Recruiter: draw one more card." in browser.text
    browser.press("Draw a clan card")
    assert "Recruiter: choose 2 cards to put back under their decks" in browser.text
    assert set(browser.options("back")) == {*["R2", "R3", "R4", "R5", "R6", "R7", "Y3", "Y4", "SB"]}
    browser.press("Put back", back="R2")
    assert "Back under the deck: red 2." in browser.text
    browser.press("Put back", back="SB")
    assert "Back under the deck: red 2, Shield-Bearer. Confirm it, or take it back." in browser.text
    browser.press("Confirm")
    assert "Opponent is to play" in browser.text
    told = [action.payload for action in Action.objects.filter(version__gt=4).order_by("version")]
    assert [action["type"] for action in told] == [
        *("play", "draw", "draw", "draw", "return", "return", "end")
    ]
    assert Submission.objects.filter(seat=0, version_before__gte=4).count() == 4
    folded = game_fold(Game.objects.get(pk=game.pk))
    view = folded.title.view(folded.state, 0)
    assert view["hands"][0] == sorted(["R3", "R4", "R5", "R6", "R7", "Y3", "Y4"])
    assert view["decks"] == {"clan": 39, "tactics": 8}


@pytest.mark.parametrize("n_steps", [1, 2, 3])
def test_who_reloads_finds_exactly_that_step_again(cast: Cast, n_steps: int) -> None:
    game = recruiting(cast, n_steps)
    before = table(page_of(client_of(cast.owner), game))
    again = table(page_of(client_of(cast.owner), game))
    assert before == again
    prompts = {
        1: "Recruiter: draw 2 more cards.",
        2: "Recruiter: draw one more card.",
        3: "Recruiter: choose 2 cards to put back",
    }
    assert prompts[n_steps] in again
    assert ("Y3" in named_cards(again), "Shield-Bearer" in again) == (True, n_steps > 1)
    assert "data-take-back" not in again, "there is no way back"


def test_new_is_what_came_last_through_every_step_of_a_recruiter(cast: Cast) -> None:
    """Before its first draw that is the card of the turn before, and no older one."""
    game = recruiting(cast, 0)
    for play in ("R2@2", "O2@2", "R3@2", "O3@2"):
        turn(game, play, "draw clan")
    game.refresh_from_db()
    browser = client_of(cast.owner)
    page = page_of(browser, game)
    assert _marked(page) == ["yellow 5"]
    planned = text_of(post(browser, game, "plan", page, step="lay", card="RE"))
    assert _marked(planned) == ["yellow 5"]
    for n_drawn, steps in enumerate(STEPS, start=1):
        turn(game, *steps)
        game.refresh_from_db()
        page = page_of(browser, game)
        assert len(_marked(page)) == n_drawn
        assert not {"yellow 3", "yellow 5"} & set(_marked(page))
    planned = text_of(post(browser, game, "plan", page, step="lay", back="R4"))
    assert _marked(planned) == _marked(page)


def _marked(page: str) -> list[str]:
    """Name the cards of the hand that are marked as new, whether they can be chosen or not."""
    places = page.split('<li class="hand__place')[1:]
    new = [place.split("</li>")[0] for place in places if place.startswith(" hand__place--new")]
    return [next(filter(None, _NAME.search(place).groups())) for place in new]  # type: ignore[union-attr]


_NAME = re.compile(r'aria-label="([^"]+)"|"visually-hidden">([^<]+)<')


def test_there_is_no_way_back_once_a_card_is_drawn(cast: Cast) -> None:
    game = recruiting(cast, 1)
    browser = client_of(cast.owner)
    page = page_of(browser, game)
    answers = (
        post(browser, game, "plan", page, step="take_back"),
        post(browser, game, "plan", page, step="lay", card="R2", stone="2"),
        post(browser, game, "submit", page, step="confirm", card="R2", stone="2"),
        post(browser, game, "submit", page, step="confirm"),
        post(browser, game, "submit", page, step="pass"),
    )
    for answer in answers:
        assert "Recruiter: draw 2 more cards." in text_of(answer)
    assert "The Recruiter still has cards to draw." in text_of(answers[1])
    game.refresh_from_db()
    assert game.version == 6


def test_returns_can_be_thought_over(cast: Cast) -> None:
    game = recruiting(cast, 3)
    browser = seated(cast.owner, game)
    browser.press("Put back", back="Y3")
    assert "choose 1 card to put back" in browser.text
    assert "Y3" not in browser.options("back")
    browser.press("Take back")
    assert "Y3" in browser.options("back")
    game.refresh_from_db()
    assert game.version == 8


def test_claims_come_after_the_recruiter_with_the_returns(cast: Cast) -> None:
    """The claimant's full side is claimed in the submission that puts cards back."""
    game = running_game(make_match(cast.owner, cast.opponent, ruleset_slug="after-play-tactics"))
    stack(game, "R7 R8 R9 G1 G2 G3 G4", HAND_1, "Y1 Y2 Y3 Y4 Y5 Y6 Y7", tactics="RE")
    for card, other in (("R7@4", "O1@1"), ("R8@4", "O2@1"), ("R9@4", "O3@2")):
        turn(game, card, "draw tactics" if card == "R7@4" else "draw clan")
        turn(game, other, "draw clan")
    browser = seated(cast.owner, game)
    assert list(browser.options("claim")) == ["4"]
    browser.press("Lay", card="RE")
    assert browser.options("claim") == {}, "not before the cards are put back"
    for _ in range(3):
        browser.press("Draw a clan card")
    assert browser.options("claim") == {}
    browser.press("Put back", back="G1")
    browser.press("Put back", back="G2")
    assert list(browser.options("claim")) == ["4"]
    browser.press("Confirm", claim=["4"])
    types = [action.payload["type"] for action in Action.objects.order_by("-version")[:4]]
    assert types == ["end", "claim", "return", "return"]


def test_where_one_card_is_left_the_turn_is_ended_by_hand(cast: Cast) -> None:
    """The opponent's: after an even number of cards are gone from the deck it is their turn."""
    game = tactics_game(cast, "SP RE")
    for n in range(1, 6):
        turn(game, f"R{n}@{n}", "draw tactics")
        turn(game, f"O{n}@{n}", "draw tactics")
    for _ in range(39):
        play_any(game)
    game.refresh_from_db()
    assert game.turn == 1
    browser = seated(cast.opponent, game)
    (decks,) = parse(browser.html).by_class("decks")
    assert decks.text.startswith("Clan deck: 1 card left Tactics deck: 0 cards left")
    browser.press("Lay", card="RE")
    assert "Recruiter: draw 1 card." in browser.text
    browser.press("Draw a clan card")
    assert "End your turn. You can claim stone" in browser.text, "claims are open, after the play"
    browser.press("End the turn")
    assert "Your turn is done; waiting for Owner" in browser.text


def play_any(game: Game) -> None:
    """Let the seat to act lay a clan card where it may, or whatever is legal, and draw a card."""
    game.refresh_from_db()
    folded = game_fold(game)
    assert game.turn is not None
    legal = folded.title.view(folded.state, game.turn)["legal"]
    play = next(a for a in legal if a["type"] == "play" and len(a) == 4 and a["card"][1].isdigit())
    turn(game, f"{play['card']}@{play['stone']}", "draw clan")


# --- what others see --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n_steps", "words"),
    [
        (1, "the Recruiter draws 2 more cards."),
        (2, "the Recruiter draws 1 more card."),
        (3, "the Recruiter puts 2 cards back."),
    ],
)
def test_others_see_the_step_and_no_card(cast: Cast, n_steps: int, words: str) -> None:
    game = recruiting(cast, n_steps)
    for browser in (client_of(cast.opponent), Client()):
        page = page_of(browser, game)
        assert "Owner is to play:</strong>" in page
        assert words in page
        assert f'data-version="{game.version}"' in page
        assert not {"Y3", "Y4"} & named_cards(page)
        assert "Shield-Bearer" not in page
        assert "Owner</bdi> draws a clan card." in page
        assert len(shapes(page, "strip--to-act")) == 1


def test_others_see_to_which_decks_cards_went_back(cast: Cast) -> None:
    game = recruiting(cast, 3)
    turn(game, "return R2", "return SB")
    for browser in (client_of(cast.opponent), Client()):
        log = parse(page_of(browser, game)).by_class("log__turns")[0].text
        assert "puts a card back under the clan deck." in log
        assert "puts a card back under the tactics deck." in log
        assert "Shield-Bearer" not in log
    own = parse(page_of(client_of(cast.owner), game)).by_class("log__turns")[0].text
    assert "Shield-Bearer" in own


def test_open_pages_are_told_of_every_step(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    game = recruiting(cast, 0)
    told: list[int] = []

    def hear(messages: dict[str, dict[str, Any]]) -> None:
        told.append(messages[publish.game_group(game.pk)]["version"])

    monkeypatch.setattr(publish, "_send", hear)
    for steps in STEPS:
        with django_capture_on_commit_callbacks(execute=True):
            turn(game, *steps)
    assert told == [6, 7, 8]


# --- clock, notices, double sending -------------------------------------------------------------


def test_the_turn_and_its_clock_go_on(cast: Cast) -> None:
    game = recruiting(cast, 0)
    started, deadline, notices = (
        game.turn_started_at,
        game.deadline_at,
        Notice.objects.count(),
    )
    for at, steps in enumerate(STEPS, start=1):
        with clock.shifted(timedelta(hours=at)):
            turn(game, *steps)
        game.refresh_from_db()
        assert (game.turn, game.turn_started_at, game.deadline_at) == (0, started, deadline)
        assert Notice.objects.count() == notices
    turn(game, "return R2", "return R3")
    game.refresh_from_db()
    assert game.turn == 1
    assert game.deadline_at != deadline
    assert Notice.objects.latest("pk").user == cast.opponent


def test_fault_62_a_step_sent_twice_draws_once(cast: Cast) -> None:
    game = recruiting(cast, 0)
    browser = client_of(cast.owner)
    page = text_of(post(browser, game, "plan", page_of(browser, game), step="lay", card="RE"))
    for _ in range(2):
        answer = post(browser, game, "submit", page, step="clan")
        assert answer.status_code == 302
    game.refresh_from_db()
    assert game.version == 6
    page = page_of(browser, game)
    for _ in range(2):
        form = form_of(page, step="tactics")
        answer = browser.post(f"/games/{game.pk}/submit/", form, headers=FRAGMENT)
        assert answer.status_code == 200
        assert "Recruiter: draw one more card." in text_of(answer)
    game.refresh_from_db()
    assert game.version == 7


def test_fault_62_the_other_button_of_the_same_form_draws_nothing_more(cast: Cast) -> None:
    game = recruiting(cast, 1)
    browser = client_of(cast.owner)
    page = page_of(browser, game)
    post(browser, game, "submit", page, step="clan")
    answer = post(browser, game, "submit", page, step="tactics")
    assert answer.status_code == 409
    assert "Recruiter: draw one more card." in text_of(answer)
    game.refresh_from_db()
    assert game.version == 7


def test_a_second_tab_is_stale_and_shows_the_step(cast: Cast) -> None:
    game = recruiting(cast, 1)
    browser = client_of(cast.owner)
    tabs = [page_of(browser, game) for _ in range(2)]
    post(browser, game, "submit", tabs[0], step="clan")
    answer = post(browser, game, "submit", tabs[1], step="clan")
    assert answer.status_code == 409
    assert "The board has changed in the meantime." in text_of(answer)
    assert "Recruiter: draw one more card." in text_of(answer)


def test_giving_up_in_the_middle(cast: Cast) -> None:
    game = recruiting(cast, 2)
    browser = seated(cast.owner, game)
    browser.press("Yes, resign the game")
    assert "You have lost" in browser.text
    assert "Recruiter: draw" not in browser.text


# --- the bot --------------------------------------------------------------------------------------


def bot_recruiting(cast: Cast) -> Game:
    """Bring a bot to where its Recruiter has drawn one card."""
    game = running_game(make_match(bots.ensure_bot(), cast.opponent, ruleset_slug=RULESETS[0]))
    stack(game, HAND_0, HAND_1, "Y1 Y2 Y3 Y4", tactics="RE SP")
    for steps in (["R1@1", "draw tactics"], ["O1@1", "draw tactics"], ["RE", "draw clan"]):
        turn(game, *steps)
    return Game.objects.select_related("match__player_0", "match__player_1").get(pk=game.pk)


@pytest.mark.parametrize("n_steps", [1, 2, 3])
def test_fault_24_the_opponent_moves_not_while_a_recruiter_is_under_way(
    cast: Cast, n_steps: int
) -> None:
    """Both look anew, and see the Recruiter on the discard and counted; B's turn is refused."""
    game = recruiting(cast, n_steps)
    owner, opponent = client_of(cast.owner), client_of(cast.opponent)
    for browser in (owner, opponent):
        page = parse(page_of(browser, game))
        assert "Recruiter" in page.by_class("discard")[0].text
        assert "Tactics played 1" in page.by_class("strip--to-act")[0].text
    form = form_of(page_of(owner, game), step="lay", card="O2", stone="2", claim=[])
    for step in ("lay", "clan", "tactics", "confirm"):
        for what in ("plan", "submit"):
            asked = {**form, "step": step, "request_id": request_id()}
            answer = opponent.post(f"/games/{game.pk}/{what}/", asked)
            assert answer.status_code == 403
            assert "It is not your turn" in text_of(answer)
    assert Game.objects.get(pk=game.pk).version == game.version
    if n_steps == 3:
        assert "Recruiter: choose 2 cards to put back" in page_of(owner, game)


def test_the_bot_draws_one_by_one(cast: Cast) -> None:
    game = bot_recruiting(cast)
    tasks.bot_act(game.pk)
    game.refresh_from_db()
    assert game.turn == 1
    sent = Submission.objects.filter(version_before__gte=6).order_by("version_before")
    assert [row.version_after - row.version_before for row in sent] == [1, 1, 3]


def test_the_bot_does_not_know_a_card_before_it_is_drawn(cast: Cast) -> None:
    """Whatever lies on the deck, its next submission is the same, and ends with the draw."""
    game = bot_recruiting(cast)
    chosen = bot_turn(game)
    assert [action["type"] for action in chosen] == ["draw"]
    for _ in range(5):
        deck = game.piles["deck"]
        game.piles["deck"] = [*deck[:16], *deck[20:], *deck[16:20]]
        assert bot_turn(game) == chosen
