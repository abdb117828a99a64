"""The lobby: what it lists for whom, as a page and as a fragment, and what it costs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games import clock
from games.models import Game, Match
from games.services.matches import match_abort
from tests.games.conftest import (
    Cast,
    make_match,
    make_offer,
    make_user,
    play_turn,
    running_game,
)

FRAGMENT = {"HX-Request": "true", "HX-Request-Type": "partial"}


def lobby(client: Client, **headers: str) -> str:
    """Give the lobby as this browser shows it."""
    return client.get("/lobby/", headers=headers).content.decode()


def section(page: str, title: str) -> str:
    """Cut one list out of the lobby."""
    after = page.partition(f">{title}</h2>")[2]
    return after.partition("</section>")[0]


def test_empty_lobby_says_so(client: Client, db: None) -> None:
    page = lobby(client)
    assert "Nobody is looking for a match just now." in page
    assert "No game is being played that others may watch." in page


def test_seek_is_listed_with_its_terms(cast: Cast, client: Client) -> None:
    offer = make_offer(cast.owner, n_rounds=5, pace_slug="per-turn-7", is_private=True)
    row = section(lobby(client), "Open offers")
    assert f'id="offer-{offer.pk}"' in row
    assert "Play a card, claim stones, draw" in row
    assert "5 games" in row
    assert "7 days per turn" in row
    assert "<bdi>Owner</bdi>" in row
    assert "Private" in row
    assert f'<time datetime="{offer.created_at:%Y-%m-%dT%H:%M}' in row


def test_others_accept_a_seek_and_its_maker_withdraws_it(
    cast: Cast, client: Client, owner_client: Client, opponent_client: Client
) -> None:
    offer = make_offer(cast.owner)
    accept, withdraw = f"/offers/{offer.pk}/accept/", f"/offers/{offer.pk}/withdraw/"
    own, others, visitors = lobby(owner_client), lobby(opponent_client), lobby(client)
    assert (accept in own, withdraw in own) == (False, True)
    assert (accept in others, withdraw in others) == (True, False)
    assert (accept in visitors, withdraw in visitors) == (False, False)
    assert f"/accounts/login/?next=/offers/{offer.pk}/" in visitors


def test_challenge_is_listed_for_the_two_alone(
    cast: Cast, client: Client, owner_client: Client, opponent_client: Client
) -> None:
    offer = make_offer(cast.owner, "challenge", cast.opponent)
    row = f'id="offer-{offer.pk}"'
    asked = section(lobby(opponent_client), "You are challenged")
    assert row in asked
    assert f"/offers/{offer.pk}/accept/" in asked
    assert f"/offers/{offer.pk}/decline/" in asked
    waiting = section(lobby(owner_client), "Waiting for an answer")
    assert row in waiting
    assert "<bdi>Opponent</bdi>" in waiting
    assert row not in lobby(client)


def test_invitation_is_listed_with_its_link_for_its_maker_alone(
    cast: Cast, client: Client, owner_client: Client, opponent_client: Client
) -> None:
    offer = make_offer(cast.owner, "invitation")
    assert f"/invitations/{offer.token}/" in section(lobby(owner_client), "Waiting for an answer")
    assert offer.token not in lobby(opponent_client)
    assert offer.token not in lobby(client)


def test_no_secret_of_an_offer_is_on_the_page(cast: Cast, opponent_client: Client) -> None:
    seek, challenge = make_offer(cast.owner), make_offer(cast.owner, "challenge", cast.opponent)
    page = lobby(opponent_client)
    for offer in (seek, challenge):
        assert offer.token not in page
        assert all(secret not in page for secret in offer.secrets)


class TestAccepted:
    NEWS = "<bdi>Opponent</bdi> has accepted your offer."

    @pytest.mark.parametrize("is_private", [False, True])
    def test_maker_is_told_with_the_board_one_click_away(
        self, cast: Cast, owner_client: Client, opponent_client: Client, is_private: bool
    ) -> None:
        game = running_game(make_match(cast.owner, cast.opponent, is_private=is_private))
        page = lobby(owner_client)
        assert self.NEWS in page
        assert f'href="{game.get_absolute_url()}">To the board' in page
        assert "has accepted" not in lobby(opponent_client)

    def test_news_is_over_once_the_maker_has_played_or_a_day_is(
        self, game: Game, owner_client: Client
    ) -> None:
        with clock.shifted(timedelta(days=1, seconds=1)):
            assert self.NEWS not in lobby(owner_client)
        assert self.NEWS in lobby(owner_client)
        play_turn(game)
        play_turn(game)
        assert self.NEWS not in lobby(owner_client)


class TestRunningGames:
    def test_game_is_listed_with_players_round_score_and_turn(
        self, match: Match, game: Game, client: Client
    ) -> None:
        Match.objects.filter(pk=match.pk).update(points_0=5, points_1=2)
        row = section(lobby(client), "Games being played")
        assert f"/games/{game.pk}/" in row
        assert "<bdi>Owner</bdi>" in row
        assert "<bdi>Opponent</bdi>" in row
        assert "game 1 of 3" in row
        assert "5 : 2" in row
        to_move = "Owner" if game.turn == 0 else "Opponent"
        assert f"<bdi>{to_move}</bdi> to move" in row

    def test_own_turn_is_called_so(
        self, game: Game, owner_client: Client, opponent_client: Client
    ) -> None:
        pages = [lobby(owner_client), lobby(opponent_client)]
        assert ["Your turn" in page for page in pages] == [game.turn == 0, game.turn == 1]

    def test_turn_moves_on(self, game: Game, client: Client) -> None:
        play_turn(game)
        to_move = "Opponent" if game.turn == 0 else "Owner"
        assert f"<bdi>{to_move}</bdi> to move" in lobby(client)

    def test_private_game_is_listed_for_nobody(
        self, cast: Cast, client: Client, owner_client: Client
    ) -> None:
        game = running_game(make_match(cast.owner, cast.opponent, is_private=True))
        assert f"/games/{game.pk}/" not in lobby(client)
        assert f"/games/{game.pk}/" not in section(lobby(owner_client), "Games being played")

    def test_ended_match_is_gone(self, match: Match, game: Game, client: Client) -> None:
        match_abort(match_id=match.pk, user=match.player_0, now=timezone.now())
        assert f"/games/{game.pk}/" not in lobby(client)

    def test_fault_59_passed_deadline_shows_before_anybody_opens_the_game(
        self, game: Game, client: Client
    ) -> None:
        with clock.shifted(timedelta(days=3, seconds=1)):
            row = section(lobby(client), "Games being played")
        late = "Owner" if game.turn == 0 else "Opponent"
        assert f"Time is up for <bdi>{late}</bdi>" in row
        assert "to move" not in row


class TestFragment:
    def test_htmx_gets_the_lists_alone(self, cast: Cast, client: Client) -> None:
        offer = make_offer(cast.owner)
        fragment = lobby(client, **FRAGMENT)
        assert "<html" not in fragment
        assert f'id="offer-{offer.pk}"' in fragment
        assert fragment.strip() in lobby(client)

    @pytest.mark.parametrize(
        "headers",
        [
            {},
            {"HX-Request": "true", "HX-Request-Type": "full"},
            {"HX-Request-Type": "partial"},
        ],
    )
    def test_fault_68_everybody_else_gets_the_whole_page(
        self, client: Client, db: None, headers: dict[str, str]
    ) -> None:
        assert "<html" in lobby(client, **headers)

    @pytest.mark.parametrize("headers", [{}, FRAGMENT])
    def test_fault_68_caches_are_told_what_decides(
        self, client: Client, db: None, headers: dict[str, str]
    ) -> None:
        answer = client.get("/lobby/", headers=headers)
        assert {"HX-Request", "HX-Request-Type"} <= set(answer["Vary"].split(", "))
        assert "no-store" in answer["Cache-Control"]

    def test_page_says_where_it_listens(self, client: Client, db: None) -> None:
        assert 'data-socket="/ws/lobby/"' in lobby(client)


class TestCost:
    def fill(self, cast: Cast, n: int) -> None:
        """Put n of everything that the lobby can list into it, each of other players."""
        for number in range(n):
            one, two = make_user(f"One{number}"), make_user(f"Two{number}")
            make_match(one, two)
            make_offer(one)
            make_offer(two, "challenge", cast.owner)
            make_offer(cast.owner, "challenge", one)
            make_offer(cast.owner, "invitation")

    @pytest.mark.parametrize("n", [1, 6])
    def test_player_costs_eight_queries_however_much_there_is(
        self,
        cast: Cast,
        owner_client: Client,
        django_assert_num_queries: DjangoAssertNumQueries,
        n: int,
    ) -> None:
        self.fill(cast, n)
        # Session, user, seeks, challenges, own, accepted, games, and makers who are on vacation.
        with django_assert_num_queries(8):
            page = lobby(owner_client)
        assert page.count('class="row offer"') == 4 * n
        assert page.count('id="game-') == n

    @pytest.mark.parametrize("n", [1, 6])
    def test_visitor_costs_three_queries(
        self,
        cast: Cast,
        client: Client,
        django_assert_num_queries: DjangoAssertNumQueries,
        n: int,
    ) -> None:
        self.fill(cast, n)
        with django_assert_num_queries(3):
            page: Any = lobby(client)
        assert page.count('class="row offer"') == n

    def test_fragment_costs_no_more(
        self, cast: Cast, owner_client: Client, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        self.fill(cast, 2)
        with django_assert_num_queries(8):
            lobby(owner_client, **FRAGMENT)


def test_lists_end_somewhere(cast: Cast, client: Client) -> None:
    makers = [make_user(f"Maker{n}") for n in range(6)]
    offers = [make_offer(maker) for maker in makers for _ in range(18)]
    page = lobby(client)
    assert page.count('class="row offer"') == 100
    assert f'id="offer-{offers[-1].pk}"' in page
