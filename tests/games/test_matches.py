"""The page of a match: what it tells whom, what it shows of shuffles, and leaving it."""

from __future__ import annotations

import hashlib
from datetime import timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games import clock
from games.models import Game, Match
from games.services.deadlines import GRACE, deadline_settle
from tests.games.conftest import Cast, make_match, play_out, play_turn, request_id, running_game
from tests.games.matches import give_up, page_of, press, round_row

FRAGMENT = {"HX-Request": "true", "HX-Request-Type": "partial"}


class TestPage:
    def test_tells_who_plays_what(self, match: Match, client: Client) -> None:
        page = page_of(client, match)
        assert "<bdi>Owner</bdi>" in page
        assert "<bdi>Opponent</bdi>" in page
        assert "Play a card, claim stones, draw" in page
        assert "3 games" in page
        assert "3 days per turn" in page
        assert "0 : 0" in page

    def test_leads_to_the_running_board(self, game: Game, owner_client: Client) -> None:
        page = page_of(owner_client, game.match)
        assert "Game 1 of 3" in page
        assert f'<a class="button" href="/games/{game.pk}/">To the board</a>' in page
        assert "being played" in round_row(page, 1)
        assert "still to come" in round_row(page, 2)

    def test_spectator_is_offered_nothing_to_press(self, match: Match, client: Client) -> None:
        page = page_of(client, match)
        assert "Watch the game" in page
        assert "<form" not in page

    def test_rounds_tell_winner_points_and_how_they_ended(
        self, match: Match, client: Client
    ) -> None:
        first = play_out(running_game(match))
        give_up(match, 0)
        page = page_of(client, match)
        row = round_row(page, 1)
        winner = match.players[first.winner].name
        how = {"adjacent": "three stones next to each other", "five": "five stones"}
        assert f"<bdi>{winner}</bdi> won: {how[first.reason]}" in row
        assert f"{first.points_0} : {first.points_1}" in row
        assert "<bdi>Opponent</bdi> won: by resignation" in round_row(page, 2)
        assert f"{match.points_0} : {match.points_1}" in page

    @pytest.mark.parametrize("path", ["", "resign/", "abort/", "rematch/"])
    def test_private_match_is_found_by_its_players_alone(
        self, cast: Cast, owner_client: Client, stranger_client: Client, path: str
    ) -> None:
        match = make_match(cast.owner, cast.opponent, is_private=True)
        assert owner_client.get(f"/matches/{match.pk}/").status_code == 200
        if path:
            assert stranger_client.post(f"/matches/{match.pk}/{path}").status_code == 404
        else:
            assert stranger_client.get(f"/matches/{match.pk}/").status_code == 404
            assert Client().get(f"/matches/{match.pk}/").status_code == 404

    @pytest.mark.parametrize("number", ["0", "999", "9" * 25])
    def test_unknown_match_is_not_found(self, owner_client: Client, number: str) -> None:
        assert owner_client.get(f"/matches/{number}/").status_code == 404

    def test_fault_68_fragment_for_htmx_and_the_page_for_all_others(
        self, match: Match, client: Client
    ) -> None:
        fragment = page_of(client, match, **FRAGMENT)
        assert "<html" not in fragment
        assert "<html" in page_of(client, match)
        full = {"HX-Request": "true", "HX-Request-Type": "full"}
        assert "<html" in page_of(client, match, **full)
        answer = client.get(f"/matches/{match.pk}/")
        assert {"HX-Request", "HX-Request-Type"} <= set(answer["Vary"].split(", "))

    @pytest.mark.parametrize("n_rounds", [1, 9])
    def test_costs_a_player_no_more_with_more_rounds(
        self,
        cast: Cast,
        owner_client: Client,
        django_assert_num_queries: DjangoAssertNumQueries,
        n_rounds: int,
    ) -> None:
        match = make_match(cast.owner, cast.opponent, n_rounds=n_rounds)
        for at in range(n_rounds - 1):
            give_up(match, at % 2)
        with django_assert_num_queries(10):  # session, user, match, games, first turns; 5 of chat
            page_of(owner_client, match)
        give_up(match, 0)
        assert match.status == Match.Status.FINISHED
        with django_assert_num_queries(13):  # instead of first turns: offer and rematch; 7 of chat
            page_of(owner_client, match)

    def test_costs_two_queries_for_a_visitor(
        self, match: Match, client: Client, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_num_queries(2):
            page_of(client, match)


class TestShuffles:
    def test_all_commitments_are_shown_and_secrets_of_finished_rounds(
        self, match: Match, client: Client
    ) -> None:
        give_up(match, 0)
        page = page_of(client, match)
        for number, secret in enumerate(match.secrets, start=1):
            digest = hashlib.sha256(b"marchstone-shuffle/1\n" + bytes.fromhex(secret)).hexdigest()
            assert digest in page
            assert (secret in page) == (number == 1)

    def test_commitments_are_those_of_the_offer(self, match: Match) -> None:
        assert match.secrets == match.offer.secrets

    def test_no_secret_of_a_running_match_is_on_its_page(
        self, match: Match, owner_client: Client
    ) -> None:
        page = page_of(owner_client, match)
        assert all(secret not in page for secret in match.secrets)

    def test_record_is_linked_once_there_is_one(self, match: Match, client: Client) -> None:
        first = running_game(match)
        link = f"/games/{first.pk}/record.json"
        assert link not in page_of(client, match)
        give_up(match, 0)
        assert link in page_of(client, match)
        assert client.get(link).json()["shuffle"]["secret"] == match.secrets[0]


class TestLeaving:
    def test_resigned_match_is_lost_and_rounds_left_count_five(
        self, match: Match, owner_client: Client
    ) -> None:
        give_up(match, 1)
        answer = press(owner_client, match, "resign")
        page = answer.content.decode()
        match.refresh_from_db()
        assert "You have resigned the match." in page
        assert "<bdi>Opponent</bdi> has won the match" in page
        assert "not played" in round_row(page, 3)
        assert (match.points, match.winner, match.ending) == ((5, 10), 1, "resign")

    def test_no_games_are_left_in_a_match_of_one(self, cast: Cast, owner_client: Client) -> None:
        match = make_match(cast.owner, cast.opponent, n_rounds=1)
        assert "not played" not in page_of(owner_client, match)
        page = press(owner_client, match, "resign").content.decode()
        assert "by resignation" in page
        assert "not played" not in page
        history = owner_client.get(f"/players/{cast.owner.name}/matches/").content.decode()
        assert "by resignation" in history
        assert "not played" not in history

    def test_resigning_asks_before_it_is_done(self, match: Match, owner_client: Client) -> None:
        page = page_of(owner_client, match)
        for what, told in (("match", "Games not played count 5 : 0"), ("abort", "for nobody")):
            question = page.partition(f'<details class="ask" id="ask-{what}">')[2]
            question = question.partition("</details>")[0]
            assert "</summary>" in question.partition("<form")[0]
            assert told in question
            assert ">Yes, " in question

    def test_resigning_twice_is_as_good_as_once(self, match: Match, owner_client: Client) -> None:
        game = running_game(match)
        data = {"request_id": request_id(), "game": game.pk, "version": game.version}
        for _ in range(2):
            answer = owner_client.post(f"/matches/{match.pk}/resign/", data)
            assert answer["Location"] == f"/matches/{match.pk}/"
        assert match.games.count() == 1

    def test_stale_resignation_is_refused_with_the_page_as_it_is(
        self, match: Match, game: Game, owner_client: Client
    ) -> None:
        play_turn(game)
        answer = press(owner_client, match, "resign", version="0")
        assert answer.status_code == 409
        match.refresh_from_db()
        assert match.status == Match.Status.RUNNING

    @pytest.mark.parametrize(
        "changed",
        [
            {"version": ""},
            {"version": "-1"},
            {"version": "1e3"},
            {"version": "9" * 30},
            {"game": "none"},
            {"game": "0"},
            {"game": "9" * 30},
            {"game": "987654"},
            {"request_id": ""},
            {"request_id": "a\0"},
            {"request_id": "r" * 65},
        ],
    )
    def test_broken_form_is_refused(
        self, match: Match, owner_client: Client, changed: dict[str, str]
    ) -> None:
        answer = press(owner_client, match, "resign", **changed)
        assert answer.status_code == 400
        match.refresh_from_db()
        assert match.status == Match.Status.RUNNING

    def test_game_of_another_match_cannot_be_resigned_here(
        self, cast: Cast, match: Match, owner_client: Client
    ) -> None:
        other = make_match(cast.owner, cast.stranger)
        answer = press(owner_client, match, "resign", game=str(running_game(other).pk))
        assert answer.status_code == 400
        other.refresh_from_db()
        assert other.status == Match.Status.RUNNING

    @pytest.mark.parametrize("what", ["resign", "abort", "rematch"])
    def test_stranger_is_refused(self, match: Match, stranger_client: Client, what: str) -> None:
        game = running_game(match)
        data = {"request_id": request_id(), "game": game.pk, "version": game.version}
        answer = stranger_client.post(f"/matches/{match.pk}/{what}/", data)
        assert answer.status_code == 403
        match.refresh_from_db()
        assert match.status == Match.Status.RUNNING

    @pytest.mark.parametrize("what", ["resign", "abort", "rematch"])
    def test_who_is_logged_out_logs_in_first(self, match: Match, client: Client, what: str) -> None:
        answer = client.post(f"/matches/{match.pk}/{what}/")
        assert answer["Location"] == f"/accounts/login/?next=/matches/{match.pk}/"

    def test_called_off_before_both_made_a_turn(
        self, match: Match, game: Game, owner_client: Client
    ) -> None:
        play_turn(game)
        page = press(owner_client, match, "abort").content.decode()
        match.refresh_from_db()
        assert "Aborted before both had made a first turn." in page
        assert "aborted" in round_row(page, 1)
        assert (match.status, match.winner, match.points) == (31, None, (0, 0))

    def test_called_off_by_both_is_called_off_once(
        self, match: Match, owner_client: Client, opponent_client: Client
    ) -> None:
        for client in (owner_client, opponent_client, owner_client):
            answer = client.post(f"/matches/{match.pk}/abort/")
            assert answer["Location"] == f"/matches/{match.pk}/"

    def test_too_late_to_call_off_once_both_made_a_turn(
        self, match: Match, game: Game, owner_client: Client
    ) -> None:
        play_turn(game)
        play_turn(game)
        assert "Abort the match" not in page_of(owner_client, match)
        answer = owner_client.post(f"/matches/{match.pk}/abort/")
        assert answer.status_code == 409
        assert "can no longer be aborted" in answer.content.decode()

    def test_calling_off_too_late_finds_the_deadline_written(
        self, match: Match, game: Game, owner_client: Client, opponent_client: Client
    ) -> None:
        first = match.players[game.turn]
        give_up(match, 0 if first == match.player_0 else 1)
        assert match.status == Match.Status.RUNNING
        late = running_game(match)
        clients = (owner_client, opponent_client)
        # The winner starts round 2 and has never acted; the game that they won stands all the same.
        with clock.shifted(timedelta(days=3, minutes=1)):
            answer = clients[late.turn].post(f"/matches/{match.pk}/abort/")
        assert answer.status_code == 409
        match.refresh_from_db()
        assert (match.ending, match.winner) == (Match.Ending.TIMEOUT, 1 - late.turn)

    @pytest.mark.parametrize("leaver", [0, 1])
    def test_a_game_that_was_resigned_cannot_be_undone_by_calling_the_match_off(
        self, match: Match, owner_client: Client, opponent_client: Client, leaver: int
    ) -> None:
        """Resigned before the other made a turn: the other's points stay."""
        give_up(match, leaver)
        client = (owner_client, opponent_client)[leaver]
        board = client.get(running_game(match).get_absolute_url()).content.decode()
        for page in (page_of(client, match), board):
            assert f"/matches/{match.pk}/abort/" not in page
        assert client.post(f"/matches/{match.pk}/abort/").status_code == 409
        match.refresh_from_db()
        assert match.status == Match.Status.RUNNING
        assert match.points[1 - leaver] == 5

    def test_ended_match_can_be_left_no_more(self, match: Match, owner_client: Client) -> None:
        give_up(match, 0)
        give_up(match, 0)
        assert "Leave the match" not in page_of(owner_client, match)
        assert owner_client.post(f"/matches/{match.pk}/abort/").status_code == 409
        last = match.games.get(round=2)
        data = {"request_id": request_id(), "game": last.pk, "version": last.version}
        assert owner_client.post(f"/matches/{match.pk}/resign/", data).status_code == 409

    def test_fault_125_leaving_between_rounds_loses_the_match_on_time(
        self, match: Match, game: Game, client: Client
    ) -> None:
        play_turn(game)
        play_turn(game)
        give_up(match, 1)
        second = running_game(match)
        now = second.deadline_at
        deadline_settle(game_id=second.pk, now=now + GRACE)
        match.refresh_from_db()
        loser = second.turn
        assert (match.ending, match.winner) == (Match.Ending.TIMEOUT, 1 - loser)
        assert match.finished_at == now
        won = (5, 0) if loser == 1 else (0, 5)
        assert match.points == (5 + 2 * won[0], 2 * won[1])
        page = page_of(client, match)
        assert "on time; games not played count 5 : 0" in page
