"""Offers in the course of time: what they ask of who accepts, how they expire and are repeated."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Match, Offer
from games.refusals import Code, Refusal
from games.services.deadlines import deadlines_sweep
from games.services.matches import match_abort
from games.services.offers import offer_accept, offer_create, offer_withdraw
from games.services.standing_offers import offers_sweep
from ladder.locking import ladder_of
from ladder.models import Standing
from tests.games.conftest import (
    Cast,
    client_of,
    fields,
    make_match,
    make_offer,
    make_user,
    play_turn,
    request_id,
    running_game,
    terms,
)
from tests.ladder.conftest import RULESET, TITLE, resign

WEEK = timedelta(days=7)
MINUTE = timedelta(minutes=1)


def stand(user: User, points: int, n_matches: int = 20) -> None:
    """Put a player on the ladder with a rating in whole points."""
    now = timezone.now()
    Standing.objects.update_or_create(
        ladder=ladder_of(TITLE, RULESET),
        user=user,
        defaults={
            "rating": points * 1000,
            "peak": 9_000_000,
            "n_matches": n_matches,
            "joined_at": now,
            "active_at": now,
        },
    )


def accept(offer: Offer, user: User, at: datetime | None = None) -> Match:
    return offer_accept(offer_id=offer.pk, user=user, now=at or timezone.now())


def refused(offer: Offer, user: User, at: datetime | None = None) -> Code:
    with pytest.raises(Refusal) as caught:
        accept(offer, user, at)
    return caught.value.code


def lobby(user: User) -> str:
    return client_of(user).get("/lobby/").text


def is_barred(page: str, offer: Offer) -> bool:
    """Say whether an offer stands among those that are not for who looks."""
    assert f'id="offer-{offer.pk}"' in page
    return f'id="offer-{offer.pk}"' in page.partition('id="barred"')[2].partition("</details>")[0]


RANGES: list[tuple[dict[str, int], int | None, bool]] = [
    ({"rating_low": 1400, "rating_high": 1600}, 1500, True),
    ({"rating_low": 1400, "rating_high": 1600}, 1601, False),
    ({"rating_low": 1400, "rating_high": 1600}, 1600, True),
    ({"rating_low": 1400, "rating_high": 1600}, 1399, False),
    ({"rating_low": 1400, "rating_high": 1600}, None, True),
    ({"rating_low": 1501}, None, False),
    ({"rating_high": 1499}, None, False),
    ({"rating_within": 100}, 1700, True),
    ({"rating_within": 100}, 1701, False),
    ({"rating_within": 100}, 1499, False),
]


class TestRatings:
    @pytest.mark.parametrize(("asked", "points", "is_let_in"), RANGES)
    @pytest.mark.parametrize("is_rated", [True, False])
    def test_fault_114_the_range_is_checked_on_every_path_and_said(
        self, cast: Cast, asked: dict[str, int], points: int | None, is_let_in: bool, is_rated: bool
    ) -> None:
        """Fault 114: provisional players count as they stand; page, form and service agree."""
        stand(cast.owner, 1600)
        if points is not None:
            stand(cast.opponent, points, n_matches=0)
        offer = make_offer(cast.owner, is_rated=is_rated, **asked)
        browser = client_of(cast.opponent)
        assert is_barred(lobby(cast.opponent), offer) is not is_let_in
        own_page = browser.get(f"/offers/{offer.pk}/").text
        assert (f"/offers/{offer.pk}/accept/" in own_page) is is_let_in
        answer = browser.post(f"/offers/{offer.pk}/accept/")
        assert answer.status_code == (302 if is_let_in else 403)
        assert Match.objects.exists() is is_let_in
        if not is_let_in:
            assert f"yours is {points or 1500}." in answer.text
            both = {Code.RATING_OUTSIDE, Code.RATING_BELOW, Code.RATING_ABOVE}
            assert refused(offer, cast.opponent) in both

    def test_fault_114_what_counts_is_the_rating_at_the_click(self, cast: Cast) -> None:
        """Fault 114: the rating of either changes between page and click."""
        stand(cast.owner, 1500)
        stand(cast.opponent, 1590)
        offer = make_offer(cast.owner, rating_within=100)
        assert not is_barred(lobby(cast.opponent), offer)
        stand(cast.owner, 1480)
        assert refused(offer, cast.opponent) == Code.RATING_OUTSIDE
        stand(cast.opponent, 1580)
        accept(offer, cast.opponent)

    def test_own_offers_and_visitors_see_no_bar(self, cast: Cast, client: Client) -> None:
        offer = make_offer(cast.owner, rating_low=2000)
        assert not is_barred(lobby(cast.owner), offer)
        page = client.get("/lobby/").text
        assert not is_barred(page, offer)
        assert "ratings from 2000" in page


def lose_on_time(loser: User, other: User) -> None:
    """Let a player lose a match on time after a turn."""
    match = make_match(loser, other)
    while running_game(match).turn != 0 or running_game(match).version < 3:
        play_turn(running_game(match))
    deadlines_sweep(now=timezone.now() + timedelta(days=4))
    match.refresh_from_db()
    assert (match.ending, match.winner) == (Match.Ending.TIMEOUT, 1)


class TestReliability:
    def test_who_lost_on_time_lately_is_told_and_let_in_later(self, cast: Cast) -> None:
        offer = make_offer(cast.owner, in_time=2)
        assert not is_barred(lobby(cast.stranger), offer)
        lose_on_time(cast.stranger, cast.opponent)
        assert is_barred(lobby(cast.stranger), offer)
        assert refused(offer, cast.stranger) == Code.NOT_IN_TIME
        answer = client_of(cast.stranger).post(f"/offers/{offer.pk}/accept/")
        assert "lost none of their last 2 matches on time, and you have finished 0" in answer.text
        later = timezone.now() + timedelta(days=5)
        for _ in range(2):
            match = make_match(cast.stranger, cast.opponent, later, n_rounds=1)
            resign(match, cast.opponent, later)
        assert not is_barred(lobby(cast.stranger), offer)
        accept(offer, cast.stranger)


class TestExpiry:
    @pytest.mark.parametrize(("kind", "days"), [("seek", 7), ("challenge", 7), ("invitation", 14)])
    def test_what_nobody_took_vanishes_and_its_maker_is_told(
        self, cast: Cast, kind: str, days: int, shifted: Any
    ) -> None:
        offer = make_offer(cast.owner, kind, cast.opponent if kind == "challenge" else None)
        token = offer.token if kind == "invitation" else None
        late = timedelta(days=days, minutes=1)
        with shifted(timedelta(days=days) - MINUTE):
            assert "stands until" in lobby(cast.owner)
        with shifted(late):
            assert f'/offers/{offer.pk}/accept/"' not in lobby(cast.opponent)
            own = lobby(cast.owner)
            assert "This offer has expired" in own
            assert f"/offers/new/?kind={kind}&amp;ruleset={TITLE}/{RULESET}" in own
        with pytest.raises(Refusal) as caught:
            offer_accept(
                offer_id=offer.pk, user=cast.opponent, now=timezone.now() + late, token=token
            )
        assert caught.value.code == Code.OFFER_EXPIRED
        offer.refresh_from_db()
        assert offer.status == Offer.Status.EXPIRED

    def test_the_sweep_closes_and_tells_open_pages_once(
        self, cast: Cast, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[str] = []
        monkeypatch.setattr("games.publish.lobby_changed", lambda: told.append("lobby"))
        offer = make_offer(cast.owner)
        told.clear()
        assert offers_sweep(now=timezone.now() + WEEK - MINUTE) == 0
        assert offers_sweep(now=timezone.now() + WEEK) == 1
        assert offers_sweep(now=timezone.now() + WEEK) == 0
        assert told == ["lobby"]
        offer.refresh_from_db()
        assert offer.status == Offer.Status.EXPIRED

    def test_an_expired_rematch_makes_place_for_the_next(self, cast: Cast) -> None:
        from games.services.offers import match_rematch

        match = make_match(cast.owner, cast.opponent, n_rounds=1)
        resign(match, cast.owner)
        first = match_rematch(
            match_id=match.pk, user=cast.owner, request_id=request_id(), now=timezone.now()
        )
        later = timezone.now() + WEEK + MINUTE
        second = match_rematch(
            match_id=match.pk, user=cast.opponent, request_id=request_id(), now=later
        )
        assert isinstance(first, Offer)
        assert isinstance(second, Offer)
        assert (second.maker, second.first) == (cast.opponent, 1 - (first.first or 0))
        first.refresh_from_db()
        assert first.status == Offer.Status.EXPIRED


class TestRepeated:
    def test_a_seek_is_offered_again_up_to_its_number_and_when_a_match_ends(
        self, cast: Cast
    ) -> None:
        others = [make_user(f"Taker{n}") for n in range(4)]
        offer = make_offer(cast.owner, n_at_once=2)
        one = accept(offer, others[0])
        again = Offer.objects.get(again_of=offer)
        assert (again.status, again.n_at_once) == (Offer.Status.OPEN, 2)
        assert again.secrets != offer.secrets
        accept(again, others[1])
        last = Offer.objects.get(again_of=again)
        assert last.status == Offer.Status.WAITING
        assert f'id="offer-{last.pk}"' not in lobby(others[2])
        assert "Offered again as soon as one of its matches ends." in lobby(cast.owner)
        assert refused(last, others[2]) == Code.OFFER_CLOSED
        assert offers_sweep(now=timezone.now()) == 0
        match_abort(match_id=one.pk, user=others[0], now=timezone.now())
        assert offers_sweep(now=timezone.now()) == 1
        assert f'id="offer-{last.pk}"' in lobby(others[2])
        accept(last, others[2])
        assert Offer.objects.filter(status=Offer.Status.OPEN).count() == 0
        assert Match.objects.filter(status=Match.Status.RUNNING).count() == 2

    def test_it_stops_when_it_is_withdrawn_also_while_it_waits(self, cast: Cast) -> None:
        offer = make_offer(cast.owner, n_at_once=1)
        match = accept(offer, cast.opponent)
        waiting = Offer.objects.get(again_of=offer)
        answer = client_of(cast.owner).post(f"/offers/{waiting.pk}/withdraw/")
        assert answer.status_code == 302
        match_abort(match_id=match.pk, user=cast.owner, now=timezone.now())
        assert offers_sweep(now=timezone.now()) == 0
        waiting.refresh_from_db()
        assert waiting.status == Offer.Status.WITHDRAWN

    def test_it_stops_when_its_maker_does_not_come(self, cast: Cast) -> None:
        offer = make_offer(cast.owner, n_at_once=1)
        match = accept(offer, cast.opponent)
        if running_game(match).turn == 1:
            play_turn(running_game(match))
        later = timezone.now() + timedelta(days=4)
        deadlines_sweep(now=later)
        offers_sweep(now=later)
        assert Offer.objects.get(again_of=offer).status == Offer.Status.WITHDRAWN

    def test_a_waiting_seek_counts_as_an_offer_and_is_the_makers_alone(self, cast: Cast) -> None:
        offer = make_offer(cast.owner, n_at_once=1)
        accept(offer, cast.opponent)
        waiting = Offer.objects.get(again_of=offer)
        with pytest.raises(Refusal) as caught:
            offer_withdraw(offer_id=waiting.pk, user=cast.opponent, now=timezone.now())
        assert caught.value.code == Code.NOT_MAKER


class TestForm:
    def post(self, user: User, **changed: str) -> Any:
        browser = client_of(user)
        page = browser.get("/offers/new/?kind=seek").text
        data = {
            "kind": "seek",
            "request_id": str(fields(page, "request_id")[0]["value"]),
            "ruleset": f"{TITLE}/{RULESET}",
            "n_rounds": "3",
            "pace": "per-turn-3",
        }
        return browser.post("/offers/new/?kind=seek", {**data, **changed})

    def test_the_form_makes_what_it_asks(self, owner: User) -> None:
        made = self.post(owner, ratings="range", rating_low="1400", in_time="5", n_at_once="2")
        assert made.status_code == 302
        offer = Offer.objects.get()
        assert (offer.rating_low, offer.rating_high, offer.rating_within) == (1400, None, None)
        assert (offer.in_time, offer.n_at_once) == (5, 2)
        page = lobby(owner)
        for told in ("ratings from 1400", "none of the last 5 matches", "offered again when taken"):
            assert told in page

    @pytest.mark.parametrize(
        ("changed", "said"),
        [
            ({"ratings": "range"}, "Give at least one end of the range."),
            (
                {"ratings": "range", "rating_low": "1600", "rating_high": "1400"},
                "The range ends before it begins.",
            ),
            ({"ratings": "range", "rating_low": "x"}, "Give a whole number."),
            ({"ratings": "range", "rating_low": "-1"}, "greater than or equal to 0"),
            ({"ratings": "50"}, "Choose one of the ranges listed."),
            ({"in_time": "4"}, "Choose one of the answers listed."),
            ({"n_at_once": "9"}, "Choose one of the answers listed."),
        ],
    )
    def test_what_makes_no_sense_is_said_and_nothing_is_made(
        self, owner: User, changed: dict[str, str], said: str
    ) -> None:
        answer = self.post(owner, **changed)
        assert answer.status_code == 422
        assert said in answer.text
        assert not Offer.objects.exists()

    @pytest.mark.parametrize(
        ("kind", "asked"),
        [
            ("challenge", {"rating_low": 1400}),
            ("invitation", {"n_at_once": 2}),
            ("seek", {"rating_low": 1600, "rating_high": 1400}),
            ("seek", {"rating_low": 1600, "rating_within": 100}),
            ("seek", {"n_at_once": 6}),
            ("seek", {"in_time": -1}),
        ],
    )
    def test_services_refuse_it_too(self, cast: Cast, kind: str, asked: dict[str, int]) -> None:
        with pytest.raises(Refusal) as caught:
            offer_create(
                maker=cast.owner,
                kind=kind,
                terms=terms(**asked),
                request_id=request_id(),
                now=timezone.now(),
                addressee=cast.opponent if kind == "challenge" else None,
            )
        assert caught.value.code == Code.BAD_TERMS
