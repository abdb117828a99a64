"""What the board refuses, in words and with the fresh board; nothing posted is ever a 500."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from games.models import Action, Game
from tests.games.boards import (
    FRAGMENT,
    form_of,
    make_board,
    named_cards,
    page_of,
    play_on,
    post,
    shapes,
    text_of,
)
from tests.games.conftest import Cast, client_of, fields


@pytest.fixture
def board(cast: Cast) -> Game:
    """A game that the owner can win with stones 4, 5 and 6."""
    return make_board(cast, "after-play")


def test_a_stone_without_room_is_refused_in_words(board: Game, owner_client: Client) -> None:
    play_on(board, "R7@4", "R8@4", "R9@4")
    page = page_of(owner_client, board)
    response = post(owner_client, board, "plan", page, step="lay", card="G7", stone="4")
    assert response.status_code == 422
    assert "Your side of stone 4 is full." in text_of(response)


def test_fault_30_a_card_of_the_opponent_is_refused(board: Game, owner_client: Client) -> None:
    page = page_of(owner_client, board)
    for what in ("plan", "submit"):
        response = post(owner_client, board, what, page, step="lay", card="P1", stone="4")
        assert response.status_code == 422
        assert "purple 1" in text_of(response)
        assert "is not in your hand." in text_of(response)
    board.refresh_from_db()
    assert board.version == 0


def test_what_is_refused_of_an_unknown_card_does_not_tell_where_it_is(
    board: Game, owner_client: Client
) -> None:
    """In the opponent's hand and in the deck: the same words."""
    page = page_of(owner_client, board)
    answers = [
        text_of(post(owner_client, board, "plan", page, step="lay", card=card, stone="4"))
        for card in ("P1", "P9")
    ]
    told = [
        answer[answer.index('role="alert"') :][:900].replace("purple 9", "purple 1")
        for answer in answers
    ]
    assert (
        told[0].replace(">9<", ">1<").split("</p>")[0]
        == told[1].replace(">9<", ">1<").split("</p>")[0]
    )


@pytest.mark.parametrize("what", ["plan", "submit"])
def test_who_is_not_to_act_is_refused(board: Game, opponent_client: Client, what: str) -> None:
    form = {"version": "0", "request_id": "x", "card": "P1", "stone": "1", "step": "lay"}
    response = opponent_client.post(f"/games/{board.pk}/{what}/", form)
    assert response.status_code == 403
    assert "It is not your turn." in text_of(response)


@pytest.mark.parametrize("what", ["plan", "submit", "resign"])
def test_who_does_not_play_is_refused(
    board: Game, stranger_client: Client, client: Client, what: str
) -> None:
    form = {"version": "0", "request_id": "x", "card": "R7", "stone": "1", "what": "game"}
    for browser in (stranger_client, client):
        response = browser.post(f"/games/{board.pk}/{what}/", form)
        assert response.status_code == 403
        assert "Only the two players can do that." in text_of(response)
        assert named_cards(text_of(response)) == set()
    board.refresh_from_db()
    assert board.version == 0


def test_fault_62_double_click_plays_once(board: Game, owner_client: Client) -> None:
    page = page_of(owner_client, board)
    planned = text_of(post(owner_client, board, "plan", page, step="lay", card="R7", stone="4"))
    answers = [post(owner_client, board, "submit", planned, step="confirm") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [302] * 3
    board.refresh_from_db()
    assert board.version == 2


def test_fault_62_one_form_with_two_turns_is_refused(board: Game, owner_client: Client) -> None:
    page = page_of(owner_client, board)
    post(owner_client, board, "submit", page, card="R7", stone="4")
    again = post(owner_client, board, "submit", page, card="R8", stone="5")
    assert again.status_code == 409
    board.refresh_from_db()
    assert board.version == 2


def test_fault_63_of_two_tabs_one_turn_is_made_and_the_other_told(
    board: Game, owner_client: Client
) -> None:
    tabs = [page_of(owner_client, board) for _ in range(2)]
    post(owner_client, board, "submit", tabs[0], card="R7", stone="4")
    late = post(owner_client, board, "submit", tabs[1], card="R8", stone="5")
    assert late.status_code == 409
    assert 'data-version="2"' in text_of(late)
    assert Action.objects.filter(game=board, payload__type="play").count() == 1


def test_fault_64_an_old_version_gets_a_fresh_board_and_nothing_is_done(
    board: Game, owner_client: Client
) -> None:
    old = page_of(owner_client, board)
    play_on(board, "R7@4")
    for what in ("plan", "submit"):
        response = post(owner_client, board, what, old, step="lay", card="R8", stone="4")
        assert response.status_code == 409
        text = text_of(response)
        assert 'data-version="4"' in text
        assert "The board has changed in the meantime." in text
        assert len(shapes(text, "card--planned")) == 1
    board.refresh_from_db()
    assert board.version == 4


def test_fault_32_commands_name_cards_not_places_in_the_hand(
    board: Game, owner_client: Client
) -> None:
    values = {field["value"] for field in fields(page_of(owner_client, board), "card")}
    assert values == {"R7", "R8", "R9", "G7", "G8", "G9"}


def test_fault_41_there_is_no_taking_back_once_a_card_was_drawn(
    board: Game, owner_client: Client
) -> None:
    page = page_of(owner_client, board)
    planned = text_of(post(owner_client, board, "plan", page, step="lay", card="R7", stone="4"))
    post(owner_client, board, "submit", planned, step="confirm")
    before = page_of(owner_client, board)
    assert "Take back" not in before
    refused = post(owner_client, board, "plan", planned, step="take_back")
    assert refused.status_code == 409
    board.refresh_from_db()
    assert board.version == 2
    assert "blue 7" in text_of(refused)


def test_fault_29_a_plan_cannot_give_up(board: Game, owner_client: Client) -> None:
    page = page_of(owner_client, board)
    for plan in ('[{"type":"resign"}]', '[{"type":"timeout"}]', '[{"type":"draw","from":"clan"}]'):
        response = post(owner_client, board, "submit", page, plan=plan)
        assert response.status_code == 400
    board.refresh_from_db()
    assert (board.version, board.is_running) == (0, True)


def test_a_game_that_is_over_takes_no_turn(board: Game, owner_client: Client) -> None:
    page = page_of(owner_client, board)
    resign = {"version": "0", "request_id": "r", "what": "game"}
    owner_client.post(f"/games/{board.pk}/resign/", resign)
    for what in ("plan", "submit"):
        response = post(owner_client, board, what, page, step="lay", card="R7", stone="4")
        assert response.status_code == 409
        assert "The game is over." in text_of(response)


GARBAGE: list[dict[str, Any]] = [
    {"version": ""},
    {"version": "x"},
    {"version": "-1"},
    {"version": "9" * 400},
    {"version": "1e1"},
    {"request_id": ""},
    {"request_id": "r" * 65},
    {"request_id": "a\0b"},
    {"stone": "-1"},
    {"stone": "0"},
    {"stone": "10"},
    {"stone": "9e9"},
    {"stone": "1e1"},
    {"stone": "9" * 5000},
    {"stone": "³"},
    {"card": "R0"},
    {"card": "ZZ"},
    {"card": "R" * 10_000},
    {"card": "\0"},
    {"card": "JA"},
    {"card": "🂡"},
    {"claim": ["0"]},
    {"claim": ["x", "1"]},
    {"claim": ["1"] * 500},
    {"step": "x"},
    {"plan": "x"},
    {"plan": "[" * 1999},
    {"plan": "[" * 5000},
    {"plan": "{}"},
    {"plan": "null"},
    {"plan": "[1]"},
    {"plan": '[{"type":"play"}]'},
    {"plan": '[{"type":["play"]}]'},
    {"plan": '[{"type":"play","card":7,"stone":"x"}]'},
    {"plan": '[{"type":"play","card":"R7","stone":1e400}]'},
    {"plan": '[{"type":"play","card":"R7","stone":NaN}]'},
    {"plan": '[{"type":"play","card":"R7","stone":true}]'},
    {"plan": '[{"type":"play","card":{"a":[]},"stone":1}]'},
    {"plan": '[{"type":"play","card":"R7","stone":1,"seat":1},{"type":"pass"}]'},
    {"plan": '[{"type":"play","card":"ST","take":[],"to":{}}]'},
    {"plan": '["\\ud800"]'},
]


@pytest.mark.parametrize("what", ["plan", "submit"])
@pytest.mark.parametrize("garbage", GARBAGE, ids=lambda g: f"{next(iter(g))}-{str(g)[:40]}")
def test_fault_30_no_garbage_is_a_500_or_changes_anything(
    board: Game, owner_client: Client, what: str, garbage: dict[str, Any]
) -> None:
    sound = {"version": "0", "request_id": "r", "step": "lay", "card": "R7", "stone": "4"}
    form = {**sound, **garbage}
    if "plan" in garbage:
        form["step"] = "confirm"
    response = owner_client.post(f"/games/{board.pk}/{what}/", form)
    assert 400 <= response.status_code < 500
    assert 'id="board"' in text_of(response)
    board.refresh_from_db()
    assert board.version == 0


@pytest.mark.parametrize("what", ["plan", "submit", "resign"])
@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"", "application/x-www-form-urlencoded"),
        (b"\xff\xfe%zz&=&&==", "application/x-www-form-urlencoded"),
        (b'{"version": 0}', "application/json"),
        (b"--x\r\nbroken", "multipart/form-data; boundary=x"),
        (b"--x\r\nbroken", "multipart/form-data"),
        (b"a=1", "text/plain; charset=nonsense"),
        (b"a=1&" * 3000, "application/x-www-form-urlencoded"),
    ],
)
def test_no_body_is_a_500(
    board: Game, owner_client: Client, what: str, body: bytes, content_type: str
) -> None:
    response = owner_client.generic(
        "POST", f"/games/{board.pk}/{what}/", body, content_type=content_type
    )
    assert 400 <= response.status_code < 500
    board.refresh_from_db()
    assert board.version == 0


def test_other_methods_are_refused(board: Game, owner_client: Client) -> None:
    assert owner_client.post(board.get_absolute_url()).status_code == 405
    assert owner_client.put(f"/games/{board.pk}/submit/").status_code == 405
    assert owner_client.delete(f"/games/{board.pk}/plan/").status_code == 405


def test_csrf_is_asked_for(cast: Cast, board: Game) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(cast.owner)
    form = {"version": "0", "request_id": "r", "card": "R7", "stone": "4"}
    assert strict.post(f"/games/{board.pk}/submit/", form).status_code == 403
    board.refresh_from_db()
    assert board.version == 0


def test_opponent_and_owner_play_on_by_htmx_for_thirty_turns(cast: Cast, board: Game) -> None:
    """Fault 69 by forms: each fragment's own controls make the next turn."""
    browsers = (client_of(cast.owner), client_of(cast.opponent))
    pages = [text_of(b.get(board.get_absolute_url(), headers=FRAGMENT)) for b in browsers]
    for _ in range(30):
        board.refresh_from_db()
        assert board.turn is not None
        seat = board.turn
        pages[seat] = text_of(browsers[seat].get(board.get_absolute_url(), headers=FRAGMENT))
        card = fields(pages[seat], "card")[0]["value"]
        stone = fields(pages[seat], "stone")[0]["value"]
        form = form_of(pages[seat], step="lay", card=card, stone=stone)
        planned = browsers[seat].post(f"/games/{board.pk}/plan/", form, headers=FRAGMENT)
        done = browsers[seat].post(
            f"/games/{board.pk}/submit/",
            form_of(text_of(planned), step="confirm"),
            headers=FRAGMENT,
        )
        assert done.status_code == 200
    board.refresh_from_db()
    assert board.version == 60
