"""Offers: accepting them, and whoever may not."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounts.services import user_admission_set, user_delete
from games.models import Game, Match, Offer
from games.refusals import Refusal
from games.services.offers import offer_accept
from games.services.vacations import vacation_start
from tests.games.conftest import (
    Cast,
    client_of,
    make_match,
    make_offer,
)
from tests.games.offers import NEW, card, form, is_on, post


class TestAccepting:
    def test_seek_becomes_a_match(self, cast: Cast, opponent_client: Client) -> None:
        offer = make_offer(cast.owner, is_private=True)
        answer = post(opponent_client, offer, "accept")
        match = Match.objects.get()
        assert answer["Location"] == f"/games/{match.games.get().pk}/"
        assert (match.player_0, match.player_1) == (cast.owner, cast.opponent)
        assert (match.title, match.ruleset_slug) == ("schotten-totten", "after-play")
        assert (match.n_rounds, match.pace_slug, match.is_private) == (3, "per-turn-3", True)
        assert match.secrets == offer.secrets

    def test_visitor_logs_in_and_comes_back_to_the_offer(self, cast: Cast, client: Client) -> None:
        offer = make_offer(cast.owner)
        answer = post(client, offer, "accept")
        assert answer["Location"] == f"/accounts/login/?next=/offers/{offer.pk}/"
        page = client.get(f"/offers/{offer.pk}/").content.decode()
        assert f"/accounts/login/?next=%2Foffers%2F{offer.pk}%2F" in page

    def test_challenge_is_for_the_player_it_names(
        self, cast: Cast, opponent_client: Client, stranger_client: Client, client: Client
    ) -> None:
        offer = make_offer(cast.owner, "challenge", cast.opponent)
        assert stranger_client.get(f"/offers/{offer.pk}/").status_code == 404
        assert client.get(f"/offers/{offer.pk}/").status_code == 404
        assert post(stranger_client, offer, "accept").status_code == 404
        assert not Match.objects.exists()
        assert post(opponent_client, offer, "accept").status_code == 302
        assert Match.objects.count() == 1

    def test_double_click_on_accept_leads_to_the_one_match(
        self, cast: Cast, opponent_client: Client
    ) -> None:
        offer = make_offer(cast.owner)
        first = post(opponent_client, offer, "accept")
        second = post(opponent_client, offer, "accept")
        assert first["Location"] == second["Location"]
        assert Match.objects.count() == 1

    def test_fault_107_who_comes_second_is_told_with_the_fresh_lobby(
        self, cast: Cast, opponent_client: Client, stranger_client: Client
    ) -> None:
        offer, other = make_offer(cast.owner), make_offer(cast.owner, n_rounds=9)
        post(opponent_client, offer, "accept")
        answer = post(stranger_client, offer, "accept")
        assert answer.status_code == 409
        page = answer.content.decode()
        assert "Somebody else was faster" in page
        assert f'id="offer-{offer.pk}"' not in page
        assert f'id="offer-{other.pk}"' in page
        assert Match.objects.count() == 1

    @pytest.mark.parametrize("kind", ["seek", "challenge"])
    @pytest.mark.parametrize("reason", ["withdrawn", "banned", "deleted"])
    def test_fault_108_an_old_card_is_refused_and_gone_for_both(
        self, cast: Cast, kind: str, reason: str
    ) -> None:
        maker, other = client_of(cast.owner), client_of(cast.opponent)
        offer = make_offer(cast.owner, kind, cast.opponent if kind == "challenge" else None)
        assert is_on(other, offer)
        match reason:
            case "withdrawn":
                post(maker, offer, "withdraw")
            case "banned":
                user_admission_set(user=cast.owner, is_active=False)
            case "deleted":
                user_delete(user_id=cast.owner.pk, now=timezone.now())
        answer = post(other, offer, "accept")
        assert answer.status_code == 409
        assert "no longer open" in answer.text or "cannot play at the moment" in answer.text
        assert card(offer) not in answer.text
        assert not is_on(other, offer)
        assert not is_on(maker, offer)
        assert not Match.objects.exists()

    def test_fault_108_at_the_limit_a_repeated_seek_is_refused_and_gone(
        self, cast: Cast, opponent_client: Client, owner_client: Client
    ) -> None:
        """It may be played once at a time: taken by one, it waits until that match is over."""
        offer = make_offer(cast.owner, n_at_once=1)
        assert is_on(opponent_client, offer)
        offer_accept(offer_id=offer.pk, user=cast.stranger, now=timezone.now())
        for old in (offer, Offer.objects.get(again_of=offer)):
            answer = post(opponent_client, old, "accept")
            assert answer.status_code == 409
            assert card(old) not in answer.text
            assert not is_on(opponent_client, old)
        assert not is_on(owner_client, offer)
        assert "Offered again as soon as" in owner_client.get("/lobby/").text
        assert Match.objects.count() == 1

    def test_fault_108_on_vacation_one_can_be_played_with_and_loses_no_time(
        self, cast: Cast, opponent_client: Client
    ) -> None:
        """No reason to refuse here: a vacation stops clocks, and its player may go on playing."""
        offer = make_offer(cast.owner)
        Offer.objects.filter(pk=offer.pk).update(first=0)
        vacation = vacation_start(user=cast.owner, now=timezone.now())
        assert is_on(opponent_client, offer)
        assert post(opponent_client, offer, "accept").status_code == 302
        game = Game.objects.get()
        assert game.deadline_at == vacation.ends_at + timedelta(days=3)

    @pytest.mark.parametrize("number", ["0", "999999", "9" * 30])
    def test_unknown_offer_is_not_found(self, owner_client: Client, number: str) -> None:
        assert owner_client.get(f"/offers/{number}/").status_code == 404
        assert owner_client.post(f"/offers/{number}/accept/").status_code == 404

    def test_get_accepts_nothing(self, cast: Cast, opponent_client: Client) -> None:
        offer = make_offer(cast.owner)
        assert opponent_client.get(f"/offers/{offer.pk}/accept/").status_code == 405
        assert not Match.objects.exists()


class TestFault110NobodyPlaysThemself:
    def test_fault_110_own_seek_by_direct_post(self, cast: Cast, owner_client: Client) -> None:
        answer = post(owner_client, make_offer(cast.owner), "accept")
        assert answer.status_code == 403
        assert "your own offer" in answer.content.decode()

    def test_fault_110_own_invitation_by_its_link(self, cast: Cast, owner_client: Client) -> None:
        offer = make_offer(cast.owner, "invitation")
        answer = post(owner_client, offer, "accept", token=offer.token)
        assert answer.status_code == 403

    def test_fault_110_own_challenge_by_direct_post(self, cast: Cast, owner_client: Client) -> None:
        offer = make_offer(cast.owner, "challenge", cast.opponent)
        assert post(owner_client, offer, "accept").status_code == 403

    def test_second_browser(self, cast: Cast) -> None:
        offer = make_offer(cast.owner)
        assert post(client_of(cast.owner), offer, "accept").status_code == 403

    def test_fault_110_challenge_to_oneself_in_another_case(self, owner_client: Client) -> None:
        answer = owner_client.post(NEW, form("challenge", addressee="oWNER"))
        assert answer.status_code == 422

    def test_fault_110_challenge_to_oneself_by_the_service(self, cast: Cast) -> None:
        with pytest.raises(Refusal, match="own_offer"):
            make_offer(cast.owner, "challenge", cast.owner)

    def test_database_holds_no_such_rows(self, cast: Cast) -> None:
        match = make_match(cast.owner, cast.opponent)
        offer = make_offer(cast.owner, "challenge", cast.opponent)
        with pytest.raises(IntegrityError), transaction.atomic():
            Match.objects.filter(pk=match.pk).update(player_1=cast.owner)
        with pytest.raises(IntegrityError), transaction.atomic():
            Offer.objects.filter(pk=offer.pk).update(addressee=cast.owner)

    @pytest.fixture(autouse=True)
    def _nobody_did(self, db: None) -> Iterator[None]:
        yield
        assert all(match.player_0 != match.player_1 for match in Match.objects.all())


def test_fault_113_taken_withdrawn_and_taken_again_is_one_seat(
    cast: Cast, owner_client: Client, opponent_client: Client
) -> None:
    offer = make_offer(cast.owner)
    post(opponent_client, offer, "accept")
    board = post(owner_client, offer, "withdraw")["Location"]
    assert board == Game.objects.get().get_absolute_url()
    post(opponent_client, offer, "accept")
    post(client_of(cast.opponent), offer, "accept")
    assert Match.objects.count() == 1
    assert Game.objects.count() == 1
