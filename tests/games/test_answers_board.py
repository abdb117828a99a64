"""Prepared answers on the board of their player: added, raised, removed, and their history."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import PreparedAnswer
from games.services.turns import game_resign
from tests.games.boards import FRAGMENT, text_of
from tests.games.conftest import Cast, client_of, fields, make_match, request_id, running_game
from tests.games.prepared import (
    ANY,
    add,
    fire,
    form,
    lays,
    opponent_plays,
    plan,
    prepare,
    waiting_board,
)


def page_of(client: Client, game: Any) -> str:
    return text_of(client.get(game.get_absolute_url()))


def words(page: str) -> str:
    """Give the panel's words as they are read out."""
    panel = page.partition('id="answers"')[2].partition("</details>")[0]
    panel = re.sub(r'<span aria-hidden="true">.*?</span>|<svg.*?</svg>', "", panel)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", panel)).strip()


def test_the_form_stands_on_the_board_while_the_opponent_is_to_act(
    cast: Cast, owner_client: Client, opponent_client: Client
) -> None:
    game = waiting_board(cast)
    assert "Prepare your answer" in page_of(owner_client, game)
    assert 'id="answers"' not in page_of(opponent_client, game)
    assert 'id="answers"' not in page_of(client_of(cast.stranger), game)
    assert 'id="answers"' not in page_of(Client(), game)


@pytest.mark.parametrize("rest", [{"pace_slug": "live"}])
def test_there_is_none_for_who_sit_at_the_board_together(
    cast: Cast, owner_client: Client, rest: Any
) -> None:
    game = waiting_board(cast, **rest)
    assert 'id="answers"' not in page_of(owner_client, game)
    filled = {"version": "0", "request_id": "x", "answer-when": "any", "answer-card": "G7"}
    filled |= {"answer-stone": "3", "answer-claims": "none"}
    answer = owner_client.post(f"/games/{game.pk}/answers/", filled)
    assert answer.status_code == 403
    assert "answers cannot be prepared" in text_of(answer)


def test_an_answer_is_added_and_told_in_words(cast: Cast, owner_client: Client) -> None:
    game = waiting_board(cast)
    chosen = {"when": "lays", "clan": "P", "value": "1", "where": "1", "claims": "3"}
    answer = add(owner_client, game, **chosen)
    assert answer["Location"] == f"{game.get_absolute_url()}#answers"
    told = words(page_of(owner_client, game))
    assert "If Opponent lays purple 1 at stone 1:" in told
    assert "Lay green 7 at stone 3." in told
    assert "Claim stone 3; if that is not possible, play nothing." in told


def test_a_fragment_is_answered_with_the_board(cast: Cast, owner_client: Client) -> None:
    game = waiting_board(cast)
    page = page_of(owner_client, game)
    filled = form(page, when="any", card="G7", stone="3", claims="none")
    answer = owner_client.post(f"/games/{game.pk}/answers/", filled, headers=FRAGMENT)
    assert answer.status_code == 200
    assert "Whatever Opponent does:" in words(text_of(answer))
    assert "<html" not in text_of(answer)


def test_what_is_missing_is_asked_for_and_what_was_chosen_stays(
    cast: Cast, owner_client: Client
) -> None:
    game = waiting_board(cast)
    answer = add(owner_client, game, stone="")
    assert answer.status_code == 422
    page = text_of(answer)
    assert "Choose one." in page
    assert '<option value="G7" selected>' in page
    assert '<details class="panel answers" id="answers" open>' in page
    assert not PreparedAnswer.objects.exists()


@pytest.mark.parametrize(
    ("chosen", "status"),
    [
        ({"card": "P1"}, 400),
        ({"card": "\0"}, 400),
        ({"when": "draws"}, 400),
        ({"stone": "10"}, 400),
        ({"claims": "x"}, 400),
        ({"when": "claims_not"}, 422),
    ],
)
def test_garbage_is_refused_with_the_board(
    cast: Cast, owner_client: Client, chosen: Any, status: int
) -> None:
    game = waiting_board(cast)
    answer = add(owner_client, game, **chosen)
    assert answer.status_code == status
    assert 'role="alert"' in text_of(answer)
    assert not PreparedAnswer.objects.exists()


@pytest.mark.parametrize(
    "chosen",
    [{"clan": "R"}, {"value": "3"}, {"where": "5"}, {"when": "claims", "clan": "R"}],
)
def test_a_condition_that_would_not_count_is_refused_and_kept(
    cast: Cast, owner_client: Client, chosen: Any
) -> None:
    """Whoever leaves "anything" and chooses a clan does not get an answer to whatever comes."""
    game = waiting_board(cast)
    answer = add(owner_client, game, **chosen)
    assert answer.status_code == 422
    page = text_of(answer)
    assert "a part of the condition would not count" in page
    assert "This does not count for" in page
    name, value = list(chosen.items())[-1]
    field = page.partition(f'name="answer-{name}"')[2].partition("</select>")[0]
    assert f'<option value="{value}" selected>' in field
    assert not PreparedAnswer.objects.exists()


def test_an_answer_behind_one_that_always_fits_is_refused(cast: Cast, owner_client: Client) -> None:
    game = waiting_board(cast)
    add(owner_client, game)
    answer = add(owner_client, game, when="lays", clan="R")
    assert answer.status_code == 422
    assert "would never be played" in text_of(answer)
    assert PreparedAnswer.objects.count() == 1


def test_a_board_of_before_is_refused(cast: Cast, owner_client: Client) -> None:
    """Fault 64: the opponent has acted meanwhile; nothing is added, the board is fresh."""
    game = waiting_board(cast)
    filled = form(page_of(owner_client, game), when="any", card="G7", stone="3", claims="none")
    opponent_plays(game)
    answer = owner_client.post(f"/games/{game.pk}/answers/", filled)
    assert answer.status_code == 409
    assert "It is your turn already" in text_of(answer)
    assert not PreparedAnswer.objects.exists()


def test_only_the_player_may_use_these_addresses(
    cast: Cast, stranger_client: Client, opponent_client: Client
) -> None:
    game = waiting_board(cast)
    row = prepare(game)
    for path in ("", f"{row.pk}/"):
        address = f"/games/{game.pk}/answers/{path}"
        assert stranger_client.post(address, {"do": "remove"}).status_code == 403
        assert Client().post(address, {"do": "remove"}).status_code == 403
        assert stranger_client.get(address)["Location"] == game.get_absolute_url()
    opponent_client.post(f"/games/{game.pk}/answers/{row.pk}/", {"do": "remove"})
    assert PreparedAnswer.objects.get().status == "waiting"


def test_answers_are_raised_and_removed_by_buttons(cast: Cast, owner_client: Client) -> None:
    game = waiting_board(cast)
    first, second = prepare(game, lays(1)), prepare(game, lays(2))
    page = page_of(owner_client, game)
    assert page.count('value="raise"') == 1
    assert page.count('value="remove"') == 2
    assert fields(page, "do")
    address = f"/games/{game.pk}/answers/{second.pk}/"
    assert [field["value"] for field in fields(page, "place")] == ["1", "2"]
    for _ in range(2):  # a double click raises it once
        assert owner_client.post(address, {"do": "raise", "place": "2"}).status_code == 302
    for place in ("", "-1", "x", "9" * 30):
        assert owner_client.post(address, {"do": "raise", "place": place}).status_code == 400
    told = words(page_of(owner_client, game))
    assert told.index("stone 2:") < told.index("stone 1:")
    owner_client.post(f"/games/{game.pk}/answers/{first.pk}/", {"do": "remove"})
    assert "stone 1:" not in words(page_of(owner_client, game))
    assert owner_client.post(f"/games/{game.pk}/answers/{second.pk}/", {}).status_code == 400
    huge = f"/games/{game.pk}/answers/{10**30}/"
    assert owner_client.post(huge, {"do": "remove"}).status_code == 302


def test_what_is_half_filled_in_stays_when_another_answer_goes(
    cast: Cast, owner_client: Client
) -> None:
    game = waiting_board(cast)
    first = prepare(game, lays(1))
    filled = {"answer-when": "lays", "answer-where": "7", "answer-stone": "8", "answer-card": "??"}
    address = f"/games/{game.pk}/answers/{first.pk}/"
    page = text_of(owner_client.post(address, {"do": "remove", **filled}, headers=FRAGMENT))
    assert "stone 1:" not in words(page)
    chosen = re.findall(r'<option value="([^"]*)" selected>', page)
    assert chosen.count("lays") == chosen.count("7") == chosen.count("8") == 1
    assert "Choose one." not in words(page)
    again = page_of(owner_client, game)
    assert '<option value="8" selected>' not in again


@pytest.mark.parametrize(
    ("asked", "status"), [({"do": "raise", "place": "2"}, 422), ({"do": "x"}, 400)]
)
def test_what_is_half_filled_in_stays_when_nothing_is_moved(
    cast: Cast, owner_client: Client, asked: dict[str, str], status: int
) -> None:
    """An answer to anything at all cannot stand before others."""
    game = waiting_board(cast)
    prepare(game, lays(1))
    last = prepare(game, ANY)
    address = f"/games/{game.pk}/answers/{last.pk}/"
    filled = {**asked, "answer-stone": "8"}
    answer = owner_client.post(address, filled, headers=FRAGMENT)
    assert answer.status_code == status
    assert '<option value="8" selected>' in text_of(answer)


def test_the_player_sees_what_fits_and_then_what_became_of_all(
    cast: Cast, owner_client: Client
) -> None:
    game = waiting_board(cast)
    prepare(game, lays(9), plan("R7"))
    prepare(game, lays(1), plan("R8"))
    opponent_plays(game)
    told = words(page_of(owner_client, game))
    assert told.count("This one fits: it is about to be played.") == 1
    fire(game)
    told = words(page_of(owner_client, game))
    assert "not used Another answer fitted." in told
    assert "played" in told
    assert "Whatever" not in told


def test_the_log_tells_its_player_alone_what_was_played_as_prepared(
    cast: Cast, owner_client: Client, opponent_client: Client, client: Client
) -> None:
    game = waiting_board(cast)
    prepare(game, lays(1), plan("R8"))
    assert "Played as prepared." not in page_of(owner_client, game)
    opponent_plays(game)
    fire(game)
    log = page_of(owner_client, game).split('id="log-turns"')[1].split("</ol>")[0]
    latest, *earlier = log.split("</li>")
    assert "Played as prepared." in latest
    assert "Played as prepared." not in "".join(earlier)
    for other in (opponent_client, client):
        assert "Played as prepared." not in page_of(other, game)


def test_the_player_is_told_why_an_answer_could_not_be_played(
    cast: Cast, owner_client: Client
) -> None:
    game = waiting_board(cast)
    prepare(game, ANY, plan("R7", 3, 3))
    opponent_plays(game)
    fire(game)
    page = page_of(owner_client, game)
    assert "could not be played Your side of stone 3 is not full yet." in words(page)
    assert '<details class="panel answers" id="answers" open>' in page


def test_what_was_prepared_stays_with_the_finished_game_for_its_player(
    cast: Cast, owner_client: Client, opponent_client: Client
) -> None:
    game = waiting_board(cast)
    prepare(game, lays(9))
    game_resign(
        game_id=game.pk,
        user=cast.opponent,
        expected_version=0,
        request_id=request_id(),
        now=game.started_at,
    )
    assert "The game ended first." in words(page_of(owner_client, game))
    assert 'id="answers"' not in page_of(opponent_client, game)


@pytest.mark.parametrize("ruleset", ["automatic", "start-of-turn", "after-play-tactics"])
def test_the_form_asks_what_the_ruleset_has(cast: Cast, owner_client: Client, ruleset: str) -> None:
    game = waiting_board(cast)
    game = running_game(make_match(cast.owner, cast.opponent, ruleset_slug=ruleset))
    if game.turn == 0:
        game.match.games.update(turn=1, first=1)
    page = page_of(owner_client, game)
    assert ("answer-claims" in page) == (ruleset != "automatic")
    assert ("answer-draw" in page) == (ruleset == "after-play-tactics")
    assert ("plays a tactics card" in page) == (ruleset == "after-play-tactics")


def test_queries_do_not_grow_with_the_list(
    cast: Cast, owner_client: Client, django_assert_num_queries: Any
) -> None:
    game = waiting_board(cast)
    prepare(game, lays(9))
    page_of(owner_client, game)
    with CaptureQueriesContext(connection) as asked:
        page_of(owner_client, game)
    for stone in range(1, 6):
        prepare(game, lays(stone))
    with django_assert_num_queries(len(asked)):
        page_of(owner_client, game)
