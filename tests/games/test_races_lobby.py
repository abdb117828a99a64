"""Two at once in the lobby: one match, one offer, and the other is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Game, Match, Offer
from games.services.offers import match_rematch, offer_create, offer_decline, offer_withdraw
from games.services.turns import match_resign
from tests.games.conftest import (
    Cast,
    make_match,
    make_offer,
    make_user,
    request_id,
    running_game,
    terms,
)
from tests.games.races import ROUNDS, answerer, quitter, race, told

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


class TestOffers:
    def test_fault_107_twenty_accept_one_seek(self, cast: Cast) -> None:
        others = [make_user(f"Player{n}") for n in range(20)]
        offer = make_offer(cast.owner)
        results = race(*[answerer(offer, other) for other in others])
        assert told(results) == {"ok": 1, "offer_taken": 19}
        match = Match.objects.get()
        served = next(at for at, result in enumerate(results) if not isinstance(result, str))
        assert match.player_1 == others[served]
        assert Game.objects.count() == 1

    def test_fault_113_one_player_in_two_tabs_has_one_seat(self, cast: Cast) -> None:
        for number in range(1, ROUNDS + 1):
            offer = make_offer(cast.owner)
            results = race(*[answerer(offer, cast.opponent)] * 3)
            assert len({result.pk for result in results}) == 1
            assert Match.objects.count() == Game.objects.count() == number

    def test_fault_108_accepting_against_withdrawing(self, cast: Cast) -> None:
        for _ in range(ROUNDS):
            offer = make_offer(cast.owner)
            results = race(
                answerer(offer, cast.opponent), answerer(offer, cast.owner, offer_withdraw)
            )
            assert told(results) in ({"ok": 1, "offer_closed": 1}, {"ok": 1, "offer_taken": 1})
            is_taken = results[1] == "offer_taken"
            assert Match.objects.filter(offer=offer).exists() == is_taken
            offer.refresh_from_db()
            assert offer.status == (20 if is_taken else 30)

    def test_two_who_challenge_each_other_get_what_they_accept(self, cast: Cast) -> None:
        one = make_offer(cast.owner, "challenge", cast.opponent)
        two = make_offer(cast.opponent, "challenge", cast.owner)
        results = race(answerer(one, cast.opponent), answerer(two, cast.owner))
        assert told(results) == {"ok": 2}
        assert Match.objects.count() == 2

    def test_same_form_twice_makes_one_offer(self, cast: Cast) -> None:
        for number in range(1, ROUNDS + 1):
            data = {"maker": cast.owner, "kind": "seek", "terms": terms()}
            rest = {"request_id": request_id(), "now": timezone.now()}
            results = race(*[lambda data=data, rest=rest: offer_create(**data, **rest)] * 3)
            assert len({offer.pk for offer in results}) == 1
            assert Offer.objects.count() == number

    def test_limit_holds_in_many_tabs(self, cast: Cast) -> None:
        for _ in range(18):
            make_offer(cast.owner)
        results = race(*[lambda: make_offer(cast.owner)] * 6)
        assert told(results) == {"ok": 2, "too_many_offers": 4}
        assert Offer.objects.filter(status=Offer.Status.OPEN).count() == 20


class TestRematches:
    @pytest.fixture
    def over(self, cast: Cast) -> Callable[[], Match]:
        """Make matches that are over."""

        def make() -> Match:
            match = make_match(cast.owner, cast.opponent)
            quitter(running_game(match), cast.owner, match_resign)()
            match.refresh_from_db()
            return match

        return make

    def presser(self, match: Match, user: User) -> Callable[[], Any]:
        data = {"match_id": match.pk, "user": user}
        rest = {"request_id": request_id(), "now": timezone.now()}
        return lambda: match_rematch(**data, **rest)

    def test_fault_111_pressed_by_both_gives_one_match(
        self, cast: Cast, over: Callable[[], Match]
    ) -> None:
        for _ in range(ROUNDS):
            match = over()
            results = race(self.presser(match, cast.owner), self.presser(match, cast.opponent))
            assert sorted(type(result).__name__ for result in results) == ["Match", "Offer"]
            again = Match.objects.get(rematch_of=match)
            assert {again.player_0, again.player_1} == {cast.owner, cast.opponent}
            assert again.games.count() == 1

    def test_fault_111_pressed_by_both_twice_gives_one_match(
        self, cast: Cast, over: Callable[[], Match]
    ) -> None:
        for _ in range(ROUNDS):
            match = over()
            users = [cast.owner, cast.opponent] * 3
            race(*[self.presser(match, user) for user in users])
            assert Match.objects.filter(rematch_of=match).count() == 1
            assert not Offer.objects.filter(rematch_of=match, status=Offer.Status.OPEN).exists()

    def test_one_request_id_for_a_seek_and_a_rematch_makes_one_of_them(
        self, cast: Cast, over: Callable[[], Match]
    ) -> None:
        for _ in range(ROUNDS):
            match, shared, now = over(), request_id(), timezone.now()
            user = {"request_id": shared, "now": now}
            results = race(
                lambda user=user: offer_create(
                    maker=cast.owner, kind="seek", terms=terms(), **user
                ),
                lambda match=match, user=user: match_rematch(
                    match_id=match.pk, user=cast.owner, **user
                ),
            )
            assert told(results) == {"ok": 1, "request_reused": 1}
            offer = Offer.objects.get(request_id=shared)
            assert (offer.rematch_of == match) == (results[0] == "request_reused")
            offer_withdraw(offer_id=offer.pk, user=cast.owner, now=now)

    def test_pressed_while_the_offer_is_accepted_in_the_lobby(
        self, cast: Cast, over: Callable[[], Match]
    ) -> None:
        for _ in range(ROUNDS):
            match = over()
            offer = self.presser(match, cast.owner)()
            results = race(
                answerer(offer, cast.opponent),
                self.presser(match, cast.opponent),
                self.presser(match, cast.owner),
            )
            assert told(results) == {"ok": 3}
            assert Match.objects.filter(rematch_of=match).count() == 1
            assert Offer.objects.filter(rematch_of=match).count() == 1

    def test_pressed_while_the_offer_is_declined(
        self, cast: Cast, over: Callable[[], Match]
    ) -> None:
        for _ in range(ROUNDS):
            match = over()
            offer = self.presser(match, cast.owner)()
            results = race(
                answerer(offer, cast.opponent, offer_decline),
                self.presser(match, cast.opponent),
            )
            assert "ok" in told(results)
            assert set(told(results)) <= {"ok", "offer_taken", "offer_closed"}
            assert Match.objects.filter(rematch_of=match).count() <= 1
            assert Offer.objects.filter(rematch_of=match, status=10).count() <= 1
