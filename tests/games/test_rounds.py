"""Rounds of a match: its score, its end, who starts, and playing it again."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from games.engine.registry import get_title
from games.engine.shuffle import NO_NONCE, deal_setup
from games.models import Game, Match, Offer
from games.services.shuffles import secrets_new
from tests.games.conftest import Cast, make_match, make_offer, play_out, running_game
from tests.games.matches import give_up, page_of, play_again, press, round_row


def lot_of(match: Match) -> int:
    """Draw the lot of a match once more, from its secret."""
    one, two = (bytes.fromhex(nonce) for nonce in match.nonces)
    secret = bytes.fromhex(match.secrets[0])
    return deal_setup(get_title(match.title), match.ruleset, secret, (one, two), 1).first


class TestScore:
    def test_fault_124_match_that_cannot_change_hands_ends_at_once(self, match: Match) -> None:
        give_up(match, 0)
        assert match.status == Match.Status.RUNNING
        give_up(match, 0)
        assert (match.status, match.points, match.winner) == (30, (0, 10), 1)
        assert match.ending == Match.Ending.POINTS
        assert match.games.count() == 2
        assert not match.games.filter(status=Game.Status.RUNNING).exists()
        assert not match.games.filter(deadline_at__isnull=False).exists()

    def test_fault_124_lead_of_five_a_round_can_still_be_levelled(self, cast: Cast) -> None:
        match = make_match(cast.owner, cast.opponent, n_rounds=2)
        give_up(match, 1)
        assert (match.points, match.status) == ((5, 0), Match.Status.RUNNING)
        give_up(match, 0)
        assert (match.points, match.winner, match.status) == ((5, 5), None, 30)

    def test_fault_128_drawn_match_is_won_by_nobody(self, cast: Cast, client: Client) -> None:
        match = make_match(cast.owner, cast.opponent, n_rounds=2)
        give_up(match, 1)
        give_up(match, 0)
        page = page_of(client, match)
        assert "The match is drawn" in page
        assert "has won" not in page
        assert match.games.count() == 2

    def test_every_point_is_counted_once(self, match: Match) -> None:
        while match.status == Match.Status.RUNNING:
            play_out(running_game(match))
            match.refresh_from_db()
        games = list(match.games.all())
        assert match.points_0 == sum(game.points_0 for game in games)
        assert match.points_1 == sum(game.points_1 for game in games)
        assert match.winner == (0 if match.points_0 > match.points_1 else 1)
        assert all(5 in (game.points_0, game.points_1) for game in games)

    def test_fault_127_terms_stay_what_they_were(self, match: Match) -> None:
        Offer.objects.filter(pk=match.offer_id).update(n_rounds=1, pace_slug="per-turn-1")
        give_up(match, 0)
        assert (match.n_rounds, match.pace_slug) == (3, "per-turn-3")
        assert match.status == Match.Status.RUNNING


class TestStarter:
    @pytest.mark.parametrize("slug", ["schotten-totten", "three-bridges"])
    def test_fault_126_first_round_is_by_lot_and_fair(self, slug: str) -> None:
        """The lot is drawn 500 times; that a fair one falls outside happens once in 100 000."""
        title, nonces = get_title(slug), (NO_NONCE, NO_NONCE)
        drawn = [bytes.fromhex(secret) for secret in secrets_new(500)]
        ruleset = title.meta.rulesets[0]
        firsts = [deal_setup(title, ruleset, secret, nonces, 1).first for secret in drawn]
        assert 200 <= sum(firsts) <= 300

    def test_fault_126_a_match_begins_with_whom_its_lot_names(self, cast: Cast) -> None:
        matches = [make_match(cast.owner, cast.opponent) for _ in range(12)]
        firsts = [running_game(match).first for match in matches]
        assert {match.starter for match in matches} == {"lot"}
        assert firsts == [lot_of(match) for match in matches]

    @pytest.mark.parametrize("loser", [0, 1])
    def test_fault_126_winner_of_a_round_starts_the_next(self, match: Match, loser: int) -> None:
        give_up(match, loser)
        second = running_game(match)
        assert (second.round, second.first, second.turn) == (2, 1 - loser, 1 - loser)

    def test_fault_126_starter_is_told_and_stays(self, match: Match, client: Client) -> None:
        name = match.players[running_game(match).first].name
        for _ in range(2):
            assert f"<bdi>{name}</bdi> started" in round_row(page_of(client, match), 1)

    @pytest.mark.parametrize("presser", [0, 1])
    def test_fault_126_rematch_exchanges_the_start(self, match: Match, presser: int) -> None:
        starter = match.players[running_game(match).first]
        give_up(match, 0)
        give_up(match, 0)
        again = play_again(match, presser)
        assert again.starter == "agreed"
        assert (
            again.players[running_game(again).first] == match.players[1 - match.seat_of(starter.pk)]
        )


class TestRematch:
    @pytest.fixture
    def over(self, match: Match) -> Match:
        give_up(match, 0)
        give_up(match, 0)
        return match

    def test_is_offered_and_accepted_by_the_other(
        self, over: Match, owner_client: Client, opponent_client: Client
    ) -> None:
        page = press(owner_client, over, "rematch").content.decode()
        assert "You have offered a rematch." in page
        assert "It waits for an answer." in page
        assert "Accept the rematch" in page_of(opponent_client, over)
        answer = press(opponent_client, over, "rematch")
        again = Match.objects.get(rematch_of=over)
        assert answer.redirect_chain == [(f"/games/{running_game(again).pk}/", 302)]
        terms = ("title", "ruleset_slug", "n_rounds", "pace_slug", "is_private")
        assert [getattr(again, k) for k in terms] == [getattr(over, k) for k in terms]
        assert not set(again.secrets) & set(over.secrets)
        board = running_game(again).get_absolute_url()
        assert f'href="{board}">To the rematch' in page_of(owner_client, over)

    def test_is_in_the_lobby_of_the_other(
        self, over: Match, owner_client: Client, opponent_client: Client
    ) -> None:
        press(owner_client, over, "rematch")
        page = opponent_client.get("/lobby/").content.decode()
        assert "Rematch" in page
        offer = Offer.objects.get(rematch_of=over)
        opponent_client.post(f"/offers/{offer.pk}/accept/")
        assert Match.objects.filter(rematch_of=over).count() == 1

    def test_fault_111_both_press_and_get_one_match(
        self, over: Match, owner_client: Client, opponent_client: Client
    ) -> None:
        data = {"request_id": "a"}
        owner_client.post(f"/matches/{over.pk}/rematch/", data)
        opponent_client.post(f"/matches/{over.pk}/rematch/", data)
        owner_client.post(f"/matches/{over.pk}/rematch/", data)
        opponent_client.post(f"/matches/{over.pk}/rematch/", data)
        assert Match.objects.filter(rematch_of=over).count() == 1

    def test_fault_111_pressed_twice_is_one_offer_and_no_game_of_one(
        self, over: Match, owner_client: Client
    ) -> None:
        press(owner_client, over, "rematch")
        owner_client.post(f"/matches/{over.pk}/rematch/", {"request_id": "again"})
        assert Offer.objects.filter(rematch_of=over).count() == 1
        assert not Match.objects.filter(rematch_of=over).exists()

    def test_fault_111_declined_offer_leaves_no_trace_in_the_next(
        self, over: Match, owner_client: Client, opponent_client: Client
    ) -> None:
        press(owner_client, over, "rematch")
        first = Offer.objects.get(rematch_of=over)
        answer = opponent_client.post(f"/offers/{first.pk}/decline/")
        assert answer["Location"] == f"/matches/{over.pk}/"
        assert "Offer a rematch" in page_of(owner_client, over)
        press(opponent_client, over, "rematch")
        second = Offer.objects.get(rematch_of=over, status=Offer.Status.OPEN)
        assert (second.maker, second.addressee) == (over.player_1, over.player_0)
        assert second.secrets != first.secrets

    def test_fault_110_who_offered_it_cannot_accept_it(
        self, over: Match, owner_client: Client
    ) -> None:
        press(owner_client, over, "rematch")
        offer = Offer.objects.get(rematch_of=over)
        answer = owner_client.post(f"/offers/{offer.pk}/accept/")
        assert answer.status_code == 403
        assert "your own offer" in answer.text
        assert Match.objects.count() == 1
        offer.refresh_from_db()
        assert offer.status == Offer.Status.OPEN

    def test_offerer_withdraws(self, over: Match, owner_client: Client) -> None:
        press(owner_client, over, "rematch")
        offer = Offer.objects.get(rematch_of=over)
        owner_client.post(f"/offers/{offer.pk}/withdraw/")
        assert "Offer a rematch" in page_of(owner_client, over)

    @pytest.mark.parametrize("what", ["decline", "withdraw"])
    def test_form_of_a_rematch_that_was_closed_says_so(
        self, over: Match, owner_client: Client, opponent_client: Client, what: str
    ) -> None:
        data = {"request_id": "spent"}
        owner_client.post(f"/matches/{over.pk}/rematch/", data)
        closer = opponent_client if what == "decline" else owner_client
        closer.post(f"/offers/{Offer.objects.get(rematch_of=over).pk}/{what}/")
        answer = owner_client.post(f"/matches/{over.pk}/rematch/", data)
        assert answer.status_code == 409
        assert "This offer is no longer open." in answer.content.decode()
        assert not Offer.objects.filter(rematch_of=over, status=Offer.Status.OPEN).exists()

    def test_form_of_another_offer_is_no_rematch(
        self, cast: Cast, over: Match, owner_client: Client
    ) -> None:
        spent = make_offer(cast.owner).request_id
        answer = owner_client.post(f"/matches/{over.pk}/rematch/", {"request_id": spent})
        assert answer.status_code == 409
        assert "You have sent this form before, with other choices." in answer.content.decode()
        assert not Offer.objects.filter(rematch_of=over).exists()

    def test_running_match_has_none(self, match: Match, owner_client: Client) -> None:
        answer = owner_client.post(f"/matches/{match.pk}/rematch/", {"request_id": "a"})
        assert answer.status_code == 409
        assert "still running" in answer.content.decode()

    @pytest.mark.parametrize("data", [{}, {"request_id": ""}, {"request_id": "x" * 65}])
    def test_broken_form_is_refused(
        self, over: Match, owner_client: Client, data: dict[str, str]
    ) -> None:
        assert owner_client.post(f"/matches/{over.pk}/rematch/", data).status_code == 400

    def test_closed_account_cannot_be_asked(self, over: Match, owner_client: Client) -> None:
        over.player_1.is_active = False
        over.player_1.save(update_fields=["is_active"])
        answer = press(owner_client, over, "rematch", request_id="a")
        assert answer.status_code == 409

    def test_match_has_one_rematch_in_the_database_too(self, over: Match) -> None:
        again = play_again(over, 0)
        with pytest.raises(IntegrityError), transaction.atomic():
            Match.objects.create(
                **{
                    field.attname: getattr(again, field.attname)
                    for field in Match._meta.concrete_fields
                    if field.name not in ("id", "offer")
                }
            )

    def test_called_off_match_can_be_played_again(self, match: Match, owner_client: Client) -> None:
        press(owner_client, match, "abort")
        page = press(owner_client, match, "rematch").content.decode()
        assert "It waits for an answer." in page
