"""Planning a turn, taking it back and confirming it, by plain forms and by htmx."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Action, Game, Submission
from tests.games.boards import (
    FRAGMENT,
    form_of,
    make_board,
    named_cards,
    page_of,
    play_on,
    post,
    shapes,
    stack,
    text_of,
    turn,
)
from tests.games.conftest import Cast, fields, make_match, running_game


@pytest.fixture
def board(cast: Cast) -> Game:
    return make_board(cast, "after-play")


# --- planning -----------------------------------------------------------------------------


def test_a_planned_card_lies_there_and_nothing_is_stored(board: Game, owner_client: Client) -> None:
    page = page_of(owner_client, board)
    planned = text_of(post(owner_client, board, "plan", page, step="lay", card="R7", stone="4"))
    assert len(shapes(planned, "card--planned")) == 1
    assert "Red 7 at stone 4." in planned
    assert "Confirm" in planned
    assert "Take back" in planned
    board.refresh_from_db()
    assert board.version == 0
    assert not Action.objects.exists()
    assert not Submission.objects.exists()


def test_a_plan_is_shown_to_nobody_else(
    board: Game, owner_client: Client, opponent_client: Client, client: Client
) -> None:
    page = page_of(owner_client, board)
    post(owner_client, board, "plan", page, step="lay", card="R7", stone="4")
    for browser in (opponent_client, client):
        assert "R7" not in named_cards(page_of(browser, board))
    assert shapes(page_of(owner_client, board), "card--planned") == []


def test_taken_back_the_card_is_in_hand_again(board: Game, owner_client: Client) -> None:
    page = page_of(owner_client, board)
    planned = text_of(post(owner_client, board, "plan", page, step="lay", card="R7", stone="4"))
    assert fields(planned, "card") == []
    again = text_of(post(owner_client, board, "plan", planned, step="take_back"))
    assert {field["value"] for field in fields(again, "card")} == {
        "R7",
        "R8",
        "R9",
        "G7",
        "G8",
        "G9",
    }
    assert shapes(again, "card--planned") == []


def test_a_plan_in_htmx_is_the_same_board_as_a_fragment(board: Game, owner_client: Client) -> None:
    page = page_of(owner_client, board)
    form = form_of(page, step="lay", card="R7", stone="4")
    fragment = owner_client.post(f"/games/{board.pk}/plan/", form, headers=FRAGMENT)
    assert fragment.status_code == 200
    assert "<html" not in text_of(fragment)
    assert len(shapes(text_of(fragment), "card--planned")) == 1


def test_confirmed_the_turn_is_made_and_the_board_is_opened_anew(
    board: Game, owner_client: Client
) -> None:
    page = page_of(owner_client, board)
    planned = text_of(post(owner_client, board, "plan", page, step="lay", card="R7", stone="4"))
    response = post(owner_client, board, "submit", planned, step="confirm")
    assert response.status_code == 302
    assert response.headers["Location"] == board.get_absolute_url()
    board.refresh_from_db()
    assert (board.version, board.turn) == (2, 1)


def test_confirmed_in_htmx_the_answer_is_the_new_board(board: Game, owner_client: Client) -> None:
    page = page_of(owner_client, board)
    planned = text_of(post(owner_client, board, "plan", page, step="lay", card="R7", stone="4"))
    form = form_of(planned, step="confirm")
    response = owner_client.post(f"/games/{board.pk}/submit/", form, headers=FRAGMENT)
    assert response.status_code == 200
    assert 'data-version="2"' in text_of(response)
    assert "Opponent is to play" in text_of(response)


def test_card_and_stone_alone_can_be_confirmed_at_once(board: Game, owner_client: Client) -> None:
    page = page_of(owner_client, board)
    post(owner_client, board, "submit", page, card="R7", stone="4")
    board.refresh_from_db()
    assert board.version == 2


@pytest.mark.parametrize("chosen", [{}, {"card": "R7"}, {"stone": "4"}])
def test_half_a_choice_is_asked_for_again(
    board: Game, owner_client: Client, chosen: dict[str, str]
) -> None:
    page = page_of(owner_client, board)
    for what in ("plan", "submit"):
        response = post(owner_client, board, what, page, step="lay", **chosen)
        assert response.status_code == 422
        assert 'role="alert"' in text_of(response)
        assert "That is not a whole turn yet" in text_of(response)


# --- claims, after the play ------------------------------------------------------------------


def test_a_claimable_stone_glows_and_says_why(board: Game, owner_client: Client) -> None:
    play_on(board, "R7@4", "R8@4")
    page = page_of(owner_client, board)
    planned = text_of(post(owner_client, board, "plan", page, step="lay", card="R9", stone="4"))
    assert len(shapes(planned, "stone--claimable")) == 1
    assert "Your Colour-Run 24 cannot be beaten any more" in planned
    assert [field["value"] for field in fields(planned, "claim")] == ["4"]
    assert "; claimable" in planned


def test_a_chosen_claim_is_made_with_the_card(board: Game, owner_client: Client) -> None:
    play_on(board, "R7@4", "R8@4")
    page = page_of(owner_client, board)
    planned = text_of(post(owner_client, board, "plan", page, step="lay", card="R9", stone="4"))
    post(owner_client, board, "submit", planned, step="confirm", claim=["4"])
    assert "Owner</bdi> claims stone 4." in page_of(owner_client, board)


def test_fault_17_no_claim_is_compulsory_and_it_waits(board: Game, owner_client: Client) -> None:
    play_on(board, "R7@4", "R8@4", "R9@4")
    page = page_of(owner_client, board)
    assert [field["value"] for field in fields(page, "claim")] == ["4"]


def test_claims_chosen_before_the_card_are_kept(board: Game, owner_client: Client) -> None:
    play_on(board, "R7@4", "R8@4", "R9@4")
    page = page_of(owner_client, board)
    laid = {"step": "lay", "card": "G7", "stone": "5", "claim": ["4"]}
    planned = text_of(post(owner_client, board, "plan", page, **laid))
    assert [("checked" in field) for field in fields(planned, "claim")] == [True]
    post(owner_client, board, "submit", planned, step="confirm")
    assert "claims stone 4." in page_of(owner_client, board)


def test_a_claim_that_does_not_hold_says_what_would_beat_it(
    board: Game, owner_client: Client
) -> None:
    stack(board, "R1 R2 R3 G7 G8 G9", "P1 P2 P3 O1 O2 O3", draws="B7 Y1 B8 Y2 B9 Y3")
    play_on(board, "R1@4", "R2@4")
    page = page_of(owner_client, board)
    planned = text_of(post(owner_client, board, "plan", page, step="lay", card="R3", stone="4"))
    assert fields(planned, "claim") == []
    assert "Not yet:" in planned
    refused = post(owner_client, board, "submit", planned, step="confirm", claim=["4"])
    assert refused.status_code == 422
    text = text_of(refused)
    assert "Stone 4 cannot be claimed yet" in text
    assert len(shapes(text, "card--planned")) == 1
    board.refresh_from_db()
    assert board.version == 8


def test_winning_claims_end_the_game_and_later_ones_are_not_made(
    board: Game, owner_client: Client
) -> None:
    play_on(board, "R7@4", "R8@4", "R9@4", "G7@5", "G8@5", "G9@5", "B7@6", "B8@6")
    page = page_of(owner_client, board)
    planned = text_of(post(owner_client, board, "plan", page, step="lay", card="B9", stone="6"))
    post(owner_client, board, "submit", planned, step="confirm", claim=["4", "5", "6"])
    board.refresh_from_db()
    assert (board.winner, board.reason) == (0, "adjacent")
    assert "You have won" in page_of(owner_client, board)


def test_a_claim_that_wins_says_so(board: Game, owner_client: Client) -> None:
    play_on(board, "R7@4", "R8@4", "R9@4", "G7@5", "G8@5", "G9@5", "B7@6", "B8@6")
    page = page_of(owner_client, board)
    laid = {"step": "lay", "card": "B9", "stone": "6"}
    planned = post(owner_client, board, "plan", page, **laid)
    post(owner_client, board, "submit", text_of(planned), step="confirm", claim=["4", "5"])
    turn(board, "Y3@9")
    page = page_of(owner_client, board)
    card = fields(page, "card")[0]["value"]
    planned = text_of(post(owner_client, board, "plan", page, step="lay", card=card, stone="2"))
    assert "wins the game" in planned


# --- claims at the start of the turn, and automatic ones ----------------------------------------


def test_at_the_start_of_a_turn_claims_come_before_the_card(
    cast: Cast, owner_client: Client
) -> None:
    board = make_board(cast, "start-of-turn")
    play_on(board, "R7@4", "R8@4")
    page = page_of(owner_client, board)
    planned = text_of(post(owner_client, board, "plan", page, step="lay", card="R9", stone="4"))
    assert fields(planned, "claim") == []
    post(owner_client, board, "submit", planned, step="confirm")
    turn(board, "P3@1")
    page = page_of(owner_client, board)
    assert [field["value"] for field in fields(page, "claim")] == ["4"]
    laid = {"step": "lay", "card": "G7", "stone": "5", "claim": ["4"]}
    planned = text_of(post(owner_client, board, "plan", page, **laid))
    assert "checked" in fields(planned, "claim")[0]
    post(owner_client, board, "submit", planned, step="confirm")
    told = list(
        Action.objects.filter(game=board, payload__seat=0).values_list("payload", flat=True)
    )
    assert [action["type"] for action in told[-3:]] == ["claim", "play", "draw"]


def test_a_claim_that_ends_the_game_needs_no_card(cast: Cast, owner_client: Client) -> None:
    board = make_board(cast, "start-of-turn")
    play_on(board, "R7@4", "R8@4", "R9@4", "G7@5", "G8@5", "G9@5", "B7@6", "B8@6", "B9@6")
    page = page_of(owner_client, board)
    assert "Claim and win" in page
    some = post(owner_client, board, "submit", page, step="confirm", claim=["4", "5"])
    assert some.status_code == 422
    post(
        owner_client,
        board,
        "submit",
        page_of(owner_client, board),
        step="confirm",
        claim=["4", "5", "6"],
    )
    board.refresh_from_db()
    assert (board.winner, board.reason) == (0, "adjacent")


WINNING = "R7@4 R8@4 R9@4 G7@5 G8@5 G9@5 B7@6 B8@6"


@pytest.mark.parametrize("ruleset", ["start-of-turn", "after-play"])
def test_the_claim_that_wins_is_one_press_and_the_prompt_says_so(
    cast: Cast, owner_client: Client, ruleset: str
) -> None:
    board = make_board(cast, ruleset)
    play_on(board, *WINNING.split())
    if ruleset == "start-of-turn":
        play_on(board, "B9@6")
        page = page_of(owner_client, board)
    else:
        laid = {"step": "lay", "card": "B9", "stone": "6"}
        page = text_of(post(owner_client, board, "plan", page_of(owner_client, board), **laid))
        assert 'class="button button--quiet" id="confirm"' in page
    assert "You can win now: claim stones 4, 5, 6." in page
    assert 'class="button" id="win"' in page
    win = [field["value"] for field in fields(page, "win")]
    response = post(owner_client, board, "submit", page, step="win", win=win)
    assert response.status_code == 302
    board.refresh_from_db()
    assert (board.winner, board.reason) == (0, "adjacent")
    page = page_of(owner_client, board)
    assert page.split("</title>")[1].count("You have won") == 1


def test_the_prompt_names_what_can_be_claimed_beside_the_confirm(
    board: Game, owner_client: Client
) -> None:
    play_on(board, "R7@4", "R8@4", "R9@4")
    page = page_of(owner_client, board)
    assert "Choose a card, then a stone for it. You can claim stone 4 as well." in page
    laid = {"step": "lay", "card": "G7", "stone": "5"}
    planned = text_of(post(owner_client, board, "plan", page, **laid))
    form = planned[planned.index('id="turn"') : planned.index('id="confirm"')]
    assert "Claim stone 4" in form
    assert "could be claimed now" in form


def test_what_cannot_be_chosen_says_why(
    board: Game, owner_client: Client, opponent_client: Client, client: Client
) -> None:
    play_on(board, "R7@4", "R8@4", "R9@4")
    assert 'data-why="Your side of stone 4 is full."' in page_of(owner_client, board)
    assert "It is not your turn: Owner is to play." in page_of(opponent_client, board)
    assert "data-why" not in page_of(client, board)
    laid = {"step": "lay", "card": "G7", "stone": "5"}
    page = page_of(owner_client, board)
    planned = text_of(post(owner_client, board, "plan", page, **laid))
    assert "confirm it, or take it back first." in planned
    post(owner_client, board, "submit", planned, step="confirm", claim=["4"])
    page = page_of(owner_client, board)
    assert "Stone 4 is held by Owner: no more cards go there." in page
    assert "Your turn is done; waiting for Opponent." in " ".join(
        page.replace("</strong>", "").split()
    )


def test_the_deck_is_nobody_s(board: Game, owner_client: Client) -> None:
    assert "Deck: 42 cards left" in page_of(owner_client, board)


def test_automatic_stones_go_over_in_the_plan_and_without_a_form(
    cast: Cast, owner_client: Client
) -> None:
    board = make_board(cast, "automatic")
    play_on(board, "R7@4", "R8@4")
    page = page_of(owner_client, board)
    planned = text_of(post(owner_client, board, "plan", page, step="lay", card="R9", stone="4"))
    assert len(shapes(planned, "stone--bottom")) == 1
    assert fields(planned, "claim") == []
    post(owner_client, board, "submit", planned, step="confirm")
    page = page_of(owner_client, board)
    assert "Stone 4 goes to" in page
    assert len(shapes(page, "stone--last")) == 1


def test_a_pass_is_offered_exactly_where_it_is_legal(board: Game, owner_client: Client) -> None:
    page = page_of(owner_client, board)
    assert "pass" not in {field.get("value") for field in fields(page, "step")}
    refused = post(owner_client, board, "plan", page, step="pass")
    assert refused.status_code == 422
    assert "You can play a clan card, so you may not pass." in text_of(refused)


def test_fault_28_who_has_no_place_is_offered_the_pass(cast: Cast, owner_client: Client) -> None:
    board = running_game(make_match(cast.owner, cast.opponent))
    _leave_no_room(board)
    page = page_of(owner_client, board)
    assert "None of your cards fits anywhere: pass." in page
    assert fields(page, "card") == []
    planned = text_of(post(owner_client, board, "plan", page, step="pass"))
    assert "You pass." in planned
    version = board.version
    post(owner_client, board, "submit", planned, step="confirm")
    board.refresh_from_db()
    assert board.version > version
    assert "Owner</bdi> passes." in page_of(owner_client, board)


def _leave_no_room(game: Game) -> None:
    """Play until seat 0 is to act and has cards, but no room where nobody has claimed.

    The opponent takes stones 1, 3, 5 and 7 before a card lies against them.
    """
    own = [f"{colour}{value}" for colour in "RO" for value in range(1, 10)]
    taking = [f"{colour}{value}" for colour in "PBGY" for value in (7, 8, 9)]
    other = [*taking, "P1", "P2", "P3", "B1"]
    drawn = zip(own[6:], [*other[6:], "B2", "B3"], strict=True)
    stack(game, " ".join(own[:6]), " ".join(other[:6]), " ".join(map(" ".join, drawn)))
    for at in range(15):
        turn(game, f"{own[at]}@{(2, 4, 6, 8, 9)[at // 3]}")
        stone = (1, 3, 5, 7, 2)[at // 3]
        claims = [f"claim {stone}"] if at in (2, 5, 8, 11) else []
        turn(game, f"{other[at]}@{stone}", *claims)
    game.refresh_from_db()
