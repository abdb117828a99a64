"""Offers: making, accepting, declining, withdrawing them, through the pages."""

from __future__ import annotations

import hashlib

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Match, Offer
from games.refusals import Refusal
from games.services.offers import offer_accept, offer_decline, offer_withdraw
from games.titles import playable_rulesets
from tests.games.boards import FRAGMENT
from tests.games.conftest import (
    Cast,
    fields,
    make_offer,
    make_user,
)
from tests.games.offers import NEW, form, post


class TestMaking:
    def test_form_is_filled_in_with_the_usual_terms(self, owner_client: Client) -> None:
        page = owner_client.get(NEW).content.decode()
        rulesets = fields(page, "ruleset")
        assert [f["value"] for f in rulesets if "checked" in f] == ["schotten-totten/after-play"]
        assert '<option value="3" selected>3</option>' in page
        assert '<option value="per-turn-3" selected>3 days per turn</option>' in page
        assert "Stones are claimed at the start of a turn" in page

    def test_rounds_are_those_usual_for_the_game(self, owner_client: Client) -> None:
        page = owner_client.get(f"{NEW}?rated=three-bridges/standard").content.decode()
        rulesets = fields(page, "ruleset")
        assert [f["value"] for f in rulesets if "checked" in f] == ["three-bridges/standard"]
        assert '<option value="2" selected>2</option>' in page
        assert "Schotten Totten: usually 3 games. Three Bridges: usually 2 games." in page

    @pytest.mark.parametrize("asked", ["three-bridges", "three-bridges/standard"])
    def test_a_link_may_ask_for_a_game(self, owner_client: Client, asked: str) -> None:
        page = owner_client.get(f"{NEW}?ruleset={asked}").content.decode()
        checked = [f["value"] for f in fields(page, "ruleset") if "checked" in f]
        assert checked == ["three-bridges/standard"]
        assert '<option value="2" selected>2</option>' in page
        assert owner_client.get(f"{NEW}?ruleset=chess").status_code == 200

    def test_only_what_the_site_plays_is_listed(self, owner_client: Client) -> None:
        page = owner_client.get(NEW).content.decode()
        assert page.count('name="ruleset"') == len(playable_rulesets())
        for ruleset in playable_rulesets():
            assert ruleset.name in page
            assert ruleset.summary.replace("'", "&#x27;") in page

    def test_seek_stands_in_the_lobby(self, owner_client: Client, owner: User) -> None:
        answer = owner_client.post(NEW, form(), follow=True)
        assert answer.redirect_chain == [("/lobby/", 302)]
        assert "Your offer stands in the lobby." in answer.content.decode()
        offer = Offer.objects.get()
        assert (offer.maker, offer.kind, offer.n_rounds) == (owner, "seek", 3)
        assert not offer.is_bot_welcome
        assert len(offer.secrets) == 3

    def test_bot_is_welcome_where_the_box_is_checked(self, owner_client: Client) -> None:
        owner_client.post(NEW, form(is_bot_welcome="on"))
        assert Offer.objects.get().is_bot_welcome

    def test_challenge_finds_the_player_written_in_any_case(
        self, owner_client: Client, opponent: User
    ) -> None:
        answer = owner_client.post(NEW, form("challenge", addressee=" oPPonent "))
        offer = Offer.objects.get()
        assert answer["Location"] == f"/offers/{offer.pk}/"
        assert (offer.kind, offer.addressee) == ("challenge", opponent)

    def test_challenge_link_fills_in_the_name(self, owner_client: Client) -> None:
        page = owner_client.get(NEW, {"kind": "challenge", "to": "Opponent"}).content.decode()
        assert 'value="Opponent"' in page

    @pytest.mark.parametrize(
        ("name", "told"),
        [
            ("", "Name the player to challenge."),
            ("Nobody", "There is no player with that name."),
            ("a\0b", "Null characters are not allowed."),
            ("x" * 151, "at most 150 characters"),
            ("OWNER", "You cannot challenge yourself."),
        ],
    )
    def test_challenge_says_what_is_wrong_with_the_name(
        self, owner_client: Client, name: str, told: str
    ) -> None:
        answer = owner_client.post(NEW, form("challenge", addressee=name))
        assert answer.status_code == 422
        assert told in answer.content.decode()
        assert not Offer.objects.exists()

    def test_challenge_to_a_closed_account_finds_nobody(
        self, owner_client: Client, opponent: User
    ) -> None:
        User.objects.filter(pk=opponent.pk).update(is_active=False)
        answer = owner_client.post(NEW, form("challenge", addressee="Opponent"))
        assert answer.status_code == 422

    def test_invitation_gives_a_link_to_copy(self, owner_client: Client) -> None:
        answer = owner_client.post(NEW, form("invitation"), follow=True)
        token = Offer.objects.get().token
        assert answer.redirect_chain[-1][0] == f"/invitations/{token}/"
        page = answer.content.decode()
        assert f'value="http://127.0.0.1:8000/invitations/{token}/"' in page
        assert "Send this link" in page

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            *(("n_rounds", n) for n in ["", "0", "-1", "10", "1000000000", "1e1", "2.5", "many"]),
            *(("n_rounds", n) for n in ["0x3", "३", "1" * 5000, "3\0", "nan", "é"]),
            *(
                ("pace", p)
                for p in [
                    "",
                    "per-turn-0",
                    "per-turn-4",
                    "Live",
                    "-1",
                    "per-turn--1",
                    "\0",
                    "x" * 999,
                ]
            ),
            *(("ruleset", r) for r in ["", "schotten-totten", "schotten-totten/", "/", "chess/x"]),
            ("ruleset", "schotten-totten/standard"),
            ("ruleset", "three-bridges/after-play"),
            *(("kind", k) for k in ["", "rematch", "SEEK", "\0"]),
            *(("request_id", r) for r in ["", "r" * 65, "a\0b"]),
        ],
    )
    def test_fault_60_impossible_terms_are_refused_with_a_message(
        self, owner_client: Client, field: str, value: str
    ) -> None:
        answer = owner_client.post(NEW, form(**{field: value}))
        assert answer.status_code == 422
        page = answer.content.decode()
        assert "field__errors" in page or "errorlist" in page
        assert not Offer.objects.exists()

    def test_fault_60_empty_form_is_refused(self, owner_client: Client) -> None:
        assert owner_client.post(NEW, {}).status_code == 422

    def test_refused_form_keeps_what_was_filled_in(self, owner_client: Client) -> None:
        told = form("challenge", addressee="Nobody", n_rounds="7", is_private="on")
        page = owner_client.post(NEW, told).content.decode()
        assert '<option value="7" selected>7</option>' in page
        assert "checked" in fields(page, "is_private")[0]

    def test_same_form_twice_makes_one_offer(self, owner_client: Client) -> None:
        told = form()
        first, second = owner_client.post(NEW, told), owner_client.post(NEW, told)
        assert first["Location"] == second["Location"]
        assert Offer.objects.count() == 1

    def test_form_changed_and_sent_again_is_not_taken_for_the_old_one(
        self, owner_client: Client
    ) -> None:
        told = form()
        owner_client.post(NEW, told)
        answer = owner_client.post(NEW, {**told, "n_rounds": "5"})
        assert answer.status_code == 409
        page = answer.content.decode()
        assert "You have sent this form before, with other choices." in page
        assert str(told["request_id"]) not in page
        assert Offer.objects.count() == 1

    def test_form_of_an_offer_that_was_withdrawn_says_so_and_can_be_sent_anew(
        self, owner_client: Client
    ) -> None:
        told = form()
        owner_client.post(NEW, told)
        post(owner_client, Offer.objects.get(), "withdraw")
        answer = owner_client.post(NEW, told)
        page = answer.content.decode()
        assert answer.status_code == 409
        assert "The offer of this form is no longer open." in page
        again = {**told, "request_id": fields(page, "request_id")[0]["value"]}
        assert owner_client.post(NEW, again).status_code == 302
        assert Offer.objects.filter(status=Offer.Status.OPEN).count() == 1

    def test_form_of_an_offer_that_was_taken_leads_to_its_board(
        self, owner_client: Client, opponent_client: Client
    ) -> None:
        told = form()
        owner_client.post(NEW, told)
        board = post(opponent_client, Offer.objects.get(), "accept")["Location"]
        assert owner_client.post(NEW, told)["Location"] == board

    def test_too_many_open_offers_are_refused(self, owner_client: Client, owner: User) -> None:
        for _ in range(20):
            make_offer(owner)
        answer = owner_client.post(NEW, form())
        assert answer.status_code == 429
        assert "You have 20 open offers" in answer.content.decode()

    def test_who_is_logged_out_logs_in_and_comes_back(self, client: Client, db: None) -> None:
        answer = client.get(NEW + "?kind=invitation")
        assert answer["Location"] == "/accounts/login/?next=/offers/new/%3Fkind%3Dinvitation"


class TestClosing:
    def test_maker_withdraws(self, cast: Cast, owner_client: Client) -> None:
        offer = make_offer(cast.owner)
        answer = owner_client.post(f"/offers/{offer.pk}/withdraw/", follow=True)
        page = answer.content.decode()
        assert "Your offer has been withdrawn." in page
        assert f'id="offer-{offer.pk}"' not in page
        assert (
            "This offer has been withdrawn."
            in owner_client.get(f"/offers/{offer.pk}/").content.decode()
        )

    def test_others_cannot_withdraw(self, cast: Cast, stranger_client: Client) -> None:
        offer = make_offer(cast.owner)
        assert post(stranger_client, offer, "withdraw").status_code == 403
        offer.refresh_from_db()
        assert offer.status == Offer.Status.OPEN

    def test_addressee_declines(self, cast: Cast, opponent_client: Client) -> None:
        offer = make_offer(cast.owner, "challenge", cast.opponent)
        answer = opponent_client.post(f"/offers/{offer.pk}/decline/", follow=True)
        assert "You have declined." in answer.content.decode()
        assert post(opponent_client, offer, "accept").status_code == 409

    def test_others_cannot_decline(
        self, cast: Cast, owner_client: Client, stranger_client: Client
    ) -> None:
        offer = make_offer(cast.owner, "challenge", cast.opponent)
        assert post(owner_client, offer, "decline").status_code == 403
        assert post(stranger_client, offer, "decline").status_code == 404

    def test_taken_offer_can_be_neither_withdrawn_nor_declined(self, cast: Cast) -> None:
        offer = make_offer(cast.owner, "challenge", cast.opponent)
        now = timezone.now()
        offer_accept(offer_id=offer.pk, user=cast.opponent, now=now)
        with pytest.raises(Refusal, match="offer_taken"):
            offer_withdraw(offer_id=offer.pk, user=cast.owner, now=now)
        with pytest.raises(Refusal, match="offer_taken"):
            offer_decline(offer_id=offer.pk, user=cast.opponent, now=now)

    @pytest.mark.parametrize("what", ["accept", "withdraw", "decline"])
    def test_who_is_logged_out_logs_in_first(self, cast: Cast, client: Client, what: str) -> None:
        offer = make_offer(cast.owner)
        answer = post(client, offer, what)
        assert answer["Location"] == f"/accounts/login/?next=/offers/{offer.pk}/"


def test_secrets_are_committed_before_anybody_accepts(cast: Cast, client: Client) -> None:
    offer = make_offer(cast.owner)
    page = client.get(f"/offers/{offer.pk}/").content.decode()
    for secret in offer.secrets:
        told = hashlib.sha256(b"marchstone-shuffle/1\n" + bytes.fromhex(secret)).hexdigest()
        assert told in page
        assert secret not in page


def test_secrets_of_offers_never_repeat(cast: Cast) -> None:
    secrets = [secret for _ in range(5) for secret in make_offer(cast.owner).secrets]
    assert len(set(secrets)) == len(secrets) == 15
    assert all(len(bytes.fromhex(secret)) == 32 for secret in secrets)


def test_names_with_markup_are_shown_as_text(client: Client, db: None) -> None:
    maker = make_user("Ann & Bob")
    page = client.get(f"/offers/{make_offer(maker).pk}/").content.decode()
    assert "Ann &amp; Bob" in page


@pytest.mark.parametrize("kind", ["seek", "challenge", "invitation"])
def test_makers_page_of_an_offer_listens_and_says_who_accepted(
    cast: Cast, owner_client: Client, opponent_client: Client, kind: str
) -> None:
    offer = make_offer(cast.owner, kind, cast.opponent if kind == "challenge" else None)
    page = owner_client.get(f"/offers/{offer.pk}/", follow=True).content.decode()
    address = page.partition('data-url="')[2].partition('"')[0]
    assert 'data-socket="/ws/player/"' in page
    post(opponent_client, offer, "accept", token=offer.token if kind == "invitation" else "")
    fragment = owner_client.get(address, headers=FRAGMENT).content.decode()
    assert "<html" not in fragment
    assert "<bdi>Opponent</bdi> has accepted your offer." in fragment
    assert f'href="/matches/{Match.objects.get().pk}/"' in fragment


def test_page_of_somebody_elses_seek_does_not_listen(cast: Cast, client: Client) -> None:
    offer = make_offer(cast.owner)
    assert "data-socket" not in client.get(f"/offers/{offer.pk}/").content.decode()


def test_a_challenge_at_home_says_its_pace(cast: Cast, opponent_client: Client) -> None:
    make_offer(cast.owner, "challenge", cast.opponent, pace_slug="live")
    page = opponent_client.get("/").content.decode()
    challenge = page.partition('id="offers"')[2].partition("</section>")[0]
    assert "Live: 10 minutes + 30 seconds a turn" in challenge
