"""Invitations: a link that lets one other player in."""

from __future__ import annotations

import pytest
from django.test import Client

from games.models import Game, Match
from tests.games.conftest import Cast, make_offer
from tests.games.offers import post


class TestInvitation:
    def test_visitor_is_told_who_invites_to_what(self, cast: Cast, client: Client) -> None:
        offer = make_offer(cast.owner, "invitation", n_rounds=5, pace_slug="per-turn-1")
        page = client.get(f"/invitations/{offer.token}/").content.decode()
        assert "<bdi>Owner</bdi> invites you to a match" in page
        assert "5 games" in page
        assert "1 day per turn" in page
        next_ = f"next=%2Finvitations%2F{offer.token}%2F"
        assert f"/accounts/login/?{next_}" in page
        assert f"/accounts/signup/?{next_}" in page

    def test_whoever_has_the_link_accepts(self, cast: Cast, stranger_client: Client) -> None:
        offer = make_offer(cast.owner, "invitation")
        page = stranger_client.get(f"/invitations/{offer.token}/").content.decode()
        assert f'name="token" value="{offer.token}"' in page
        answer = post(stranger_client, offer, "accept", token=offer.token)
        assert answer["Location"] == f"/games/{Game.objects.get().pk}/"
        assert Match.objects.get().player_1 == cast.stranger

    @pytest.mark.parametrize("token", ["", "wrong"])
    def test_nobody_accepts_without_the_link(
        self, cast: Cast, stranger_client: Client, token: str
    ) -> None:
        offer = make_offer(cast.owner, "invitation")
        assert stranger_client.get(f"/offers/{offer.pk}/").status_code == 404
        assert post(stranger_client, offer, "accept", token=token).status_code == 404
        assert not Match.objects.exists()

    def test_link_of_another_offer_opens_no_door(self, cast: Cast, stranger_client: Client) -> None:
        wanted = make_offer(cast.owner, "invitation")
        known = make_offer(cast.opponent, "invitation")
        assert post(stranger_client, wanted, "accept", token=known.token).status_code == 404
        assert not Match.objects.exists()

    def test_seek_has_no_invitation_page(self, cast: Cast, client: Client) -> None:
        offer = make_offer(cast.owner)
        assert client.get(f"/invitations/{offer.token}/").status_code == 404

    @pytest.mark.parametrize("token", ["nothing", "%00", "x" * 500, "%F0%9F%98%80"])
    def test_unknown_link_is_not_found(self, client: Client, db: None, token: str) -> None:
        assert client.get(f"/invitations/{token}/").status_code == 404

    def test_second_visitor_is_told_on_the_invitation_itself(
        self, cast: Cast, opponent_client: Client, stranger_client: Client
    ) -> None:
        offer = make_offer(cast.owner, "invitation")
        post(opponent_client, offer, "accept", token=offer.token)
        answer = post(stranger_client, offer, "accept", token=offer.token)
        assert answer.status_code == 409
        page = answer.content.decode()
        assert "Somebody else was faster" in page
        assert '<button class="button">Accept' not in page

    def test_accepted_private_match_is_linked_for_its_players_only(
        self, cast: Cast, owner_client: Client, opponent_client: Client, stranger_client: Client
    ) -> None:
        offer = make_offer(cast.owner, "invitation", is_private=True)
        post(opponent_client, offer, "accept", token=offer.token)
        link = f"/matches/{Match.objects.get().pk}/"
        page = f"/invitations/{offer.token}/"
        assert link in owner_client.get(page).content.decode()
        assert link in opponent_client.get(page).content.decode()
        assert link not in stranger_client.get(page).content.decode()
