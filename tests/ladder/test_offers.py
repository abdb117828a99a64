"""Rated offers on the pages: made, shown for what they are, accepted, played and rated."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Match, Offer
from games.services.bots import ensure_bot
from ladder.models import Standing
from ladder.services import match_rate, ratings_sweep
from tests.games.conftest import Cast, client_of, fields, make_offer, request_id
from tests.ladder.conftest import beat, rating, resign

pytestmark = pytest.mark.django_db

PROVISIONAL = (
    '<abbr title="provisional" aria-hidden="true">?</abbr>'
    '<span class="visually-hidden"> provisional</span>'
)
FORM = {
    "kind": "seek",
    "ruleset": "schotten-totten/after-play",
    "n_rounds": "1",
    "pace": "per-turn-3",
    "is_rated": "on",
    "is_bot_welcome": "on",
}


def post(client: Client, **rest: str) -> Offer:
    response = client.post("/offers/new/", {**FORM, "request_id": request_id(), **rest})
    assert response.status_code == 302, response.content.decode()
    return Offer.objects.latest("pk")


def page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_the_form_says_what_rated_means(cast: Cast) -> None:
    form = page(client_of(cast.owner), "/offers/new/")
    assert "joins it when the match begins" in form
    assert "checked" not in fields(form, "is_rated")[0]


def test_the_ladder_leads_to_a_rated_offer_of_its_game(cast: Cast) -> None:
    form = page(client_of(cast.owner), "/offers/new/?rated=schotten-totten/automatic")
    assert "checked" in fields(form, "is_rated")[0]
    chosen = [field["value"] for field in fields(form, "ruleset") if "checked" in field]
    assert chosen == ["schotten-totten/automatic"]


def test_an_unheard_of_ladder_gives_the_usual_form(cast: Cast) -> None:
    form = page(client_of(cast.owner), "/offers/new/?rated=chess/blitz")
    assert "checked" not in fields(form, "is_rated")[0]


def test_from_the_offer_to_the_ladder(cast: Cast) -> None:
    """Made, accepted and played on the pages; then both ratings stand on the ladder."""
    offer = post(client_of(cast.owner))
    assert (offer.is_rated, offer.is_bot_welcome) == (True, False)
    response = client_of(cast.opponent).post(f"/offers/{offer.pk}/accept/")
    assert response.status_code == 302
    match = Match.objects.get()
    assert match.is_rated
    assert Standing.objects.count() == 2
    resign(match, cast.owner)
    ratings_sweep(now=timezone.now())
    assert (rating(cast.owner), rating(cast.opponent)) == (1480_000, 1520_000)


def test_a_casual_offer_stays_casual(cast: Cast) -> None:
    client = client_of(cast.owner)
    values = {key: value for key, value in FORM.items() if key != "is_rated"}
    client.post("/offers/new/", {**values, "request_id": request_id()})
    assert not Offer.objects.get().is_rated
    assert "The ratings stay as they are." in page(client, f"/offers/{Offer.objects.get().pk}/")


def test_everybody_sees_that_an_offer_is_rated_and_what_accepting_means(cast: Cast) -> None:
    match_rate(match_id=beat(cast.owner, cast.stranger).pk, now=timezone.now())
    offer = make_offer(cast.owner, is_rated=True)
    client = client_of(cast.opponent)
    lobby = page(client, "/lobby/")
    assert "Rated" in lobby
    assert "Accepting also joins you to the ladder of this game." in lobby
    assert f"(1520{PROVISIONAL})" in lobby
    shown = page(client, f"/offers/{offer.pk}/")
    assert "changes the ratings of both players" in shown
    assert f"<bdi>Owner</bdi>: 1520{PROVISIONAL}" in shown


def test_who_never_played_is_shown_with_the_first_rating(cast: Cast) -> None:
    make_offer(cast.owner, is_rated=True)
    lobby = page(client_of(cast.opponent), "/lobby/")
    assert f"(1500{PROVISIONAL})" in lobby
    assert "marks a provisional rating" in lobby


def test_the_maker_is_not_told_to_accept(cast: Cast) -> None:
    make_offer(cast.owner, is_rated=True)
    assert "Accepting also joins you" not in page(client_of(cast.owner), "/lobby/")


def test_a_rated_challenge_to_a_bot_is_refused_in_words(cast: Cast) -> None:
    bot = ensure_bot()
    response = client_of(cast.owner).post(
        "/offers/new/",
        {**FORM, "kind": "challenge", "addressee": bot.name, "request_id": request_id()},
    )
    assert response.status_code == 422
    assert "casual matches only" in response.content.decode()
    assert not Offer.objects.exists()


def test_the_same_form_with_another_choice_is_no_repeat(cast: Cast) -> None:
    client = client_of(cast.owner)
    form = {**FORM, "request_id": request_id()}
    client.post("/offers/new/", form)
    del form["is_rated"]
    assert client.post("/offers/new/", form).status_code == 409
    assert Offer.objects.count() == 1


def test_without_a_provisional_rating_no_mark_is_explained(cast: Cast) -> None:
    make_offer(cast.owner)
    assert "provisional" not in page(client_of(cast.opponent), "/lobby/")
