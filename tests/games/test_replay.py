"""The replay of a finished game: its steps, its addresses, and that a running one has none."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.boards import BOARDS
from games.models import Game
from games.presenters.replay import replay_page
from games.selectors import game_fold
from games.services.matches import match_abort
from games.services.turns import game_resign
from tests.games.boards import FRAGMENT, named_cards
from tests.games.conftest import (
    Cast,
    client_of,
    make_match,
    play_out,
    play_turn,
    request_id,
    running_game,
)
from tests.games.tables import Node, as_shown, parse, table_of
from tests.games.tactics import play_at_random


@pytest.fixture
def finished(cast: Cast) -> Game:
    """The first game of a match of three, played to its end."""
    game = running_game(make_match(cast.owner, cast.opponent))
    play_out(game)
    return read(game)


def read(game: Game) -> Game:
    return Game.objects.select_related("match__player_0", "match__player_1").get(pk=game.pk)


def at(game: Game, step: int) -> str:
    return f"/games/{game.pk}/replay/{step}/"


def states(game: Game) -> list[dict[str, Any]]:
    """Give the engine's word on the state after 0, 1, 2, … actions."""
    folded = game_fold(game)
    state = folded.title.setup(folded.setup)
    told = [folded.title.state_json(state)]
    for action in folded.actions:
        state = folded.title.apply(state, action)
        told.append(folded.title.state_json(state))
    return told


def test_steps_show_both_hands_from_the_viewers_side(
    finished: Game, cast: Cast, client: Client
) -> None:
    told = states(finished)
    sides = ((client, 0), (client_of(cast.owner), 0), (client_of(cast.opponent), 1))
    for step in (0, 1, 2, 17, finished.version - 1, finished.version):
        for browser, bottom in sides:
            page = browser.get(at(finished, step)).text
            assert table_of(page, bottom) == as_shown(told[step])


def test_steps_show_tactics_cards_modes_decks_and_discard(cast: Cast, client: Client) -> None:
    match = make_match(cast.owner, cast.opponent, ruleset_slug="after-play-tactics")
    game = play_at_random(running_game(match), seed=3)
    told = states(game)
    assert told[-1]["discard"]
    assert [mode for stone in told[-1]["stones"] for mode in stone["modes"]]
    for step in range(0, game.version + 1, 3):
        page = client.get(at(game, step)).text
        assert table_of(page, 0) == as_shown(told[step]), step


def test_a_step_has_its_line_marked_in_the_log(finished: Game, client: Client) -> None:
    for step in (0, 1, 5, finished.version):
        root = parse(client.get(at(finished, step)).text)
        (current,) = (node for node in root.all() if node.attributes.get("aria-current") == "step")
        assert current.attributes["href"] == at(finished, step)
        assert current.text.replace(" .", ".")[-10:] == root.by_class("replay__told")[0].text[-10:]
    steps = [node.attributes["href"] for node in root.by_class("replay__step")]
    assert steps == [at(finished, number) for number in range(finished.version + 1)]


def test_every_action_of_a_game_has_words(finished: Game, client: Client) -> None:
    root = parse(client.get(at(finished, 0)).text)
    assert all(node.text for node in root.by_class("replay__step"))


def moves(page: str) -> dict[str, str]:
    """Give where each of the four buttons leads, nothing where it leads nowhere."""
    found: list[Node] = parse(page).by_class("replay__move")
    return {node.attributes["data-move"]: node.attributes.get("href", "") for node in found}


def test_buttons_lead_to_the_steps_around(finished: Game, client: Client) -> None:
    last = finished.version
    assert moves(client.get(at(finished, 5)).text) == {
        "first": at(finished, 0),
        "previous": at(finished, 4),
        "next": at(finished, 6),
        "last": at(finished, last),
    }
    start, end = (moves(client.get(at(finished, step)).text) for step in (0, last))
    assert (start["first"], start["previous"], start["next"]) == ("", "", at(finished, 1))
    assert (end["previous"], end["next"], end["last"]) == (at(finished, last - 1), "", "")


def test_points_are_those_of_then(cast: Cast, client: Client) -> None:
    """The second game begins with the points of the first, and ends with its own added."""
    match = make_match(cast.owner, cast.opponent)
    first, second = play_out(running_game(match)), play_out(running_game(match))
    sums = (first.points_0 + second.points_0, first.points_1 + second.points_1)
    for step, points in ((3, (first.points_0, first.points_1)), (second.version, sums)):
        root = parse(client.get(at(second, step)).text)
        bottom, top = (root.by_class(f"strip--{place}")[0].text for place in ("bottom", "top"))
        assert f"Points {points[0]}" in bottom
        assert f"Points {points[1]}" in top


def test_the_end_says_who_has_won(finished: Game, client: Client) -> None:
    names = ("Owner", "Opponent")
    assert finished.winner is not None
    end, before = (client.get(at(finished, finished.version - back)).text for back in (0, 1))
    assert f"{names[finished.winner]} has won" in end
    assert "has won" not in before
    assert "is to play" in before


def test_a_resigned_game_ends_with_the_resignation(cast: Cast, client: Client) -> None:
    game = running_game(make_match(cast.owner, cast.opponent))
    play_turn(game)
    game = read(game)
    game_resign(
        game_id=game.pk,
        user=cast.owner,
        expected_version=game.version,
        request_id=request_id(),
        now=timezone.now(),
    )
    page = client.get(at(game, game.version + 1)).text
    assert "Owner resigns. Opponent wins." in parse(page).by_class("replay__told")[0].text


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", 0),
        ("?step=7", 7),
        ("?step=007", 7),
        ("?step=99999", None),
        ("?step=" + "9" * 9, None),
        ("?step=" + "9" * 5000, 0),
        ("?step=-1", 0),
        ("?step=x", 0),
        ("?step=%00", 0),
        ("?step=1.5", 0),
        ("?step=²", 0),
        ("?step=7&step=8", 8),
        ("?go=1", 0),
    ],
)
def test_the_sliders_form_leads_to_a_step(
    finished: Game, client: Client, query: str, expected: int | None
) -> None:
    answer = client.get(f"/games/{finished.pk}/replay/{query}")
    assert answer.status_code == 302
    step = finished.version if expected is None else expected
    assert answer.headers["Location"] == at(finished, step)


def test_steps_that_there_are_not(finished: Game, client: Client) -> None:
    for step in (str(finished.version + 1), "9" * 40, "9" * 5000, "-1", "x", "1.0"):
        assert client.get(f"/games/{finished.pk}/replay/{step}/").status_code == 404
    assert client.get(f"/games/{'9' * 40}/replay/1/").status_code == 404
    assert client.post(at(finished, 1)).status_code == 405


def test_a_fragment_is_the_same_step_with_its_title(finished: Game, client: Client) -> None:
    whole = client.get(at(finished, 9))
    part = client.get(at(finished, 9), headers=FRAGMENT)
    assert "<html" not in part.text
    assert f"<title>Replay 9 of {finished.version} · Owner – Opponent · Marchstone</title>" in (
        " ".join(part.text.split())
    )
    assert part.text[part.text.index("<section") :].strip() in whole.text
    restored = client.get(at(finished, 9), headers={**FRAGMENT, "HX-Request-Type": "full"})
    assert "<html" in restored.text
    for answer in (whole, part):
        assert "HX-Request-Type" in answer.headers["Vary"]
        assert "no-store" in answer.headers["Cache-Control"]


def test_board_match_and_history_lead_to_the_replay(finished: Game, client: Client) -> None:
    link = f'href="/games/{finished.pk}/replay/"'
    pages = (finished.get_absolute_url(), finished.match.get_absolute_url())
    for path in (*pages, "/players/Owner/matches/"):
        assert link in client.get(path).text
    page = client.get(at(finished, 3)).text
    for path in (*pages, f"/games/{finished.pk}/record.json"):
        assert f'href="{path}"' in page


class TestClosed:
    """Who may not see all of a game gets no replay of it, whatever they ask for."""

    ADDRESSES = ("", "?step=3", "0/", "1/", "3/", "99/")

    @pytest.fixture
    def running(self, cast: Cast) -> Game:
        game = running_game(make_match(cast.owner, cast.opponent))
        for _ in range(5):
            play_turn(game)
        return read(game)

    @pytest.mark.parametrize("headers", [{}, FRAGMENT], ids=["page", "fragment"])
    @pytest.mark.parametrize("address", ADDRESSES)
    def test_fault_36_a_running_game_leads_to_its_board(
        self, running: Game, cast: Cast, client: Client, address: str, headers: dict[str, str]
    ) -> None:
        for browser in (client, client_of(cast.stranger), client_of(cast.owner)):
            answer = browser.get(f"/games/{running.pk}/replay/{address}", headers=headers)
            assert answer.status_code == 302
            assert answer.headers["Location"] == running.get_absolute_url()
            assert answer.content == b""

    def test_the_board_says_why(self, running: Game, client: Client) -> None:
        page = client.get(at(running, 3), follow=True).text
        assert "This game is still being played" in page
        public = {
            card for s in self._view(running)["stones"] for side in s["sides"] for card in side
        }
        assert named_cards(parse(page).by_id("board").text) == public

    def _view(self, game: Game) -> dict[str, Any]:
        folded = game_fold(game)
        return folded.title.view(folded.state, "spectator")

    def test_a_game_called_off_stays_closed(self, cast: Cast, client: Client) -> None:
        game = running_game(make_match(cast.owner, cast.opponent))
        play_turn(game)
        match_abort(match_id=game.match_id, user=cast.owner, now=timezone.now())
        page = client.get(at(game, 1), follow=True).text
        assert "This game was aborted" in page
        assert len(named_cards(parse(page).by_id("board").text)) == 1
        assert client.get(f"/games/{game.pk}/record.json").status_code == 404

    def test_a_game_lost_on_time_opens_with_its_board(
        self, running: Game, client: Client, shifted: Any
    ) -> None:
        with shifted(timedelta(days=4)):
            board = client.get(at(running, 3), follow=True).text
            assert f"/games/{running.pk}/replay/" in board
            assert client.get(at(running, 3)).status_code == 200

    @pytest.mark.parametrize("query", ["?as=0", "?seat=1", "?viewer=0", "?seat=-1", "?seat=7"])
    def test_fault_43_no_query_opens_it(self, running: Game, client: Client, query: str) -> None:
        assert client.get(at(running, 2) + query).status_code == 302

    def test_a_private_game_is_not_there_for_others(self, cast: Cast, client: Client) -> None:
        game = play_out(running_game(make_match(cast.owner, cast.opponent, is_private=True)))
        for browser in (client, client_of(cast.stranger)):
            for address in self.ADDRESSES:
                path = f"/games/{game.pk}/replay/{address}"
                assert browser.get(path).status_code == 404
        assert client_of(cast.opponent).get(at(game, 3)).status_code == 200

    def test_the_presenter_itself_refuses(self, running: Game, finished: Game) -> None:
        from games.access import game_access

        board = BOARDS["schotten-totten"]
        seen = game_access(running.pk, running.match.player_0)
        with pytest.raises(ValueError, match="not finished"):
            replay_page(seen, game_fold(running), board, 1, (0, 0))
        seen = game_access(finished.pk, finished.match.player_0)
        with pytest.raises(ValueError, match="no such step"):
            replay_page(seen, game_fold(finished), board, finished.version + 1, (0, 0))


def test_fault_36_finished_games_are_the_same_for_all(
    finished: Game, cast: Cast, client: Client
) -> None:
    """Spectators, strangers and both players are shown the same cards at every step."""
    for step in (0, 8, finished.version):
        browsers = (client, client_of(cast.stranger), client_of(cast.owner))
        tables = [table_of(browser.get(at(finished, step)).text, 0) for browser in browsers]
        tables.append(table_of(client_of(cast.opponent).get(at(finished, step)).text, 1))
        assert all(table == tables[0] for table in tables)


@pytest.mark.parametrize("step", [0, 30])
def test_query_counts(
    finished: Game,
    client: Client,
    owner_client: Client,
    django_assert_num_queries: DjangoAssertNumQueries,
    step: int,
) -> None:
    with django_assert_num_queries(3):  # the game, its actions, the points before it
        client.get(at(finished, step))
    with django_assert_num_queries(5):  # session and user besides
        owner_client.get(at(finished, step), headers=FRAGMENT)
    with django_assert_num_queries(1):
        client.get(f"/games/{finished.pk}/replay/?step={step}")


def test_the_record_is_what_is_replayed(finished: Game, client: Client) -> None:
    record = json.loads(client.get(f"/games/{finished.pk}/record.json").content)
    assert len(record["actions"]) == finished.version
