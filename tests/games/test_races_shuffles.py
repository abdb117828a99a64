"""Two at once with one form's shuffle: what was shown is what is dealt, and it is used once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from games.models import DrawnSecrets, Match, Offer
from games.presenters.offers import commitments_to
from games.services.offers import match_rematch, offer_accept, offer_create
from games.services.shuffles import MAX_DRAWN, secrets_draw
from games.services.turns import match_resign
from tests.games.conftest import Cast, make_match, make_offer, request_id, running_game, terms
from tests.games.races import ROUNDS, quitter, race, told

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

NONCES = ("5a" * 16, "c3" * 16)


def drawer(cast: Cast, form: str) -> Callable[[], Any]:
    return lambda: secrets_draw(maker=cast.owner, request_id=form, now=timezone.now())


def sender(cast: Cast, form: str, drawn: list[str], nonce: str = "") -> Callable[[], Any]:
    seen = commitments_to(drawn)[0]
    data: dict[str, Any] = {"maker": cast.owner, "kind": "seek", "terms": terms()}
    return lambda: offer_create(**data, request_id=form, now=timezone.now(), nonce=nonce, seen=seen)


def test_a_form_that_is_shown_twice_at_once_has_one_shuffle(cast: Cast) -> None:
    for number in range(1, ROUNDS + 1):
        results = race(*[drawer(cast, f"form-{number}")] * 3)
        assert results[0] == results[1] == results[2]
        assert DrawnSecrets.objects.count() == number


def test_a_form_that_is_sent_twice_at_once_uses_its_shuffle_once(cast: Cast) -> None:
    for number in range(1, ROUNDS + 1):
        form = request_id()
        drawn = drawer(cast, form)()
        results = race(*[sender(cast, form, drawn, nonce) for nonce in NONCES * 2])
        assert len({offer.pk for offer in results}) == 1
        assert len({offer.nonce for offer in results}) == 1
        assert results[0].secrets == drawn[:3]
        assert Offer.objects.count() == number
        assert not DrawnSecrets.objects.exists()


def test_a_form_is_sent_while_new_ones_make_it_give_way(cast: Cast) -> None:
    for _ in range(ROUNDS):
        form = request_id()
        drawn = drawer(cast, form)()
        for _ in range(MAX_DRAWN - 1):
            drawer(cast, request_id())()
        sent, *_rest = race(
            sender(cast, form, drawn), *[drawer(cast, request_id()) for _ in range(3)]
        )
        offers = Offer.objects.filter(request_id=form)
        if sent == "form_expired":
            assert not offers.exists()
        else:
            assert offers.get().secrets == drawn[:3]
        Offer.objects.all().delete()


def test_an_offer_accepted_twice_at_once_takes_one_nonce(cast: Cast) -> None:
    for _ in range(ROUNDS):
        offer = make_offer(cast.owner)
        results = race(
            *[
                lambda nonce=nonce, offer=offer: offer_accept(
                    offer_id=offer.pk, user=cast.opponent, now=timezone.now(), nonce=nonce
                )
                for nonce in NONCES
            ]
        )
        match = Match.objects.get(offer=offer)
        assert {result.pk for result in results} == {match.pk}
        assert match.nonces[1] in NONCES


def test_a_rematch_pressed_by_both_is_dealt_from_what_both_saw(cast: Cast) -> None:
    for _ in range(ROUNDS):
        match = make_match(cast.owner, cast.opponent)
        quitter(running_game(match), cast.owner, match_resign)()
        match.refresh_from_db()
        drawn = match.rematch_secrets
        seen = commitments_to(drawn)[0]
        data = {"match_id": match.pk, "now": timezone.now(), "seen": seen}
        results = race(
            *[
                lambda user=user, nonce=nonce, data=data: match_rematch(
                    **data, user=user, nonce=nonce, request_id=request_id()
                )
                for user, nonce in zip((cast.owner, cast.opponent), NONCES, strict=True)
            ]
        )
        assert told(results) == {"ok": 2}
        again = Match.objects.get(rematch_of=match)
        assert again.secrets == drawn
        assert set(again.nonces) == set(NONCES)
        match.refresh_from_db()
        assert not set(match.rematch_secrets) & set(drawn)
