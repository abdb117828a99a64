"""Joining with what one wishes, changing it, pausing and going on."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from ladder.memberships import LadderRefusal, Reason, ladder_join, ladder_leave, ladder_pause
from ladder.models import Standing
from ladder.pairing import Wish
from tests.games.conftest import Cast, client_of
from tests.ladder.conftest import RULESET, TITLE, rated_match

pytestmark = pytest.mark.django_db

PAGE = f"/ladders/{TITLE}/{RULESET}/"


def post(user: User, verb: str = "join", **data: Any) -> tuple[int, str]:
    response = client_of(user).post(f"{PAGE}{verb}/", data, follow=True)
    return response.status_code, unescape(response.content.decode())


def on(user: User, **rest: Any) -> dict[str, Any]:
    return {"title": TITLE, "ruleset_slug": RULESET, "user": user, "now": timezone.now(), **rest}


def standing(user: User) -> Standing:
    return Standing.objects.get(user=user)


def test_one_joins_with_a_wish_and_sees_it(cast: Cast) -> None:
    status, page = post(cast.owner, n_wanted="2", paces=["per-turn-5", "per-turn-2"])
    assert status == 200
    assert "You have joined." in page
    assert "2 matches at once · 2 days per turn or 5 days per turn" in page
    assert standing(cast.owner).paces == ["per-turn-2", "per-turn-5"]


def test_a_visitor_is_offered_what_suits_most(cast: Cast) -> None:
    page = client_of(cast.owner).get(PAGE).content.decode()
    assert '<option value="1" selected>1 match</option>' in page
    assert page.count(" checked") == 1


def test_who_wants_none_needs_no_pace_and_is_not_paired(cast: Cast) -> None:
    status, page = post(cast.owner, n_wanted="0")
    assert status == 200
    assert "only your own offers and challenges bring matches" in page
    assert "/pause/" not in page


@pytest.mark.parametrize(
    "data",
    [
        {"n_wanted": "6", "paces": ["per-turn-3"]},
        {"n_wanted": "-1", "paces": ["per-turn-3"]},
        {"n_wanted": "x", "paces": ["per-turn-3"]},
        {"n_wanted": "1"},
        {"n_wanted": "1", "paces": ["per-turn-4"]},
        {"n_wanted": "\x00", "paces": ["\x00"]},
    ],
)
def test_an_impossible_wish_is_marked_and_nothing_written(cast: Cast, data: Any) -> None:
    status, page = post(cast.owner, **data)
    assert status == 422
    assert "Please look at what is marked below." in page
    assert not Standing.objects.exists()


def test_the_service_refuses_impossible_wishes_too(cast: Cast) -> None:
    for wish in (
        Wish(6, frozenset({"per-turn-3"})),
        Wish(1, frozenset()),
        Wish(0, frozenset({"hasty"})),
    ):
        with pytest.raises(LadderRefusal) as refused:
            ladder_join(**on(cast.owner, wish=wish))
        assert refused.value.reason == Reason.BAD_WISH


def test_a_changed_wish_keeps_the_place_in_the_queue(cast: Cast) -> None:
    before = timezone.now() - timedelta(days=1)
    wish = Wish(1, frozenset({"per-turn-3"}))
    ladder_join(**on(cast.owner, now=before, wish=wish))
    status, page = post(cast.owner, change="1", n_wanted="3", paces=["per-turn-7"])
    assert (status, "Saved." in page) == (200, True)
    row = standing(cast.owner)
    assert (row.n_wanted, row.paces, row.waiting_since) == (3, ["per-turn-7"], before)
    assert (row.joined_at, row.left_at) == (before, None)


def test_pause_and_go_on(cast: Cast) -> None:
    post(cast.owner, n_wanted="1", paces=["per-turn-3"])
    for _ in range(2):
        _status, page = post(cast.owner, "pause")
        assert "You are paused" in page
        assert "Go on" in page
        assert standing(cast.owner).paused_at is not None
    for _ in range(2):
        _status, page = post(cast.owner, "go-on")
        assert "You wait for matches again." in page
        assert standing(cast.owner).paused_at is None


def test_a_second_pause_does_not_move_the_first(cast: Cast) -> None:
    now = timezone.now()
    ladder_join(**on(cast.owner, wish=Wish(1, frozenset({"per-turn-3"}))))
    for later in range(2):
        then = now + timedelta(hours=later)
        ladder_pause(**on(cast.owner, now=then, is_paused=True))
    assert standing(cast.owner).paused_at == now


def test_only_members_pause(cast: Cast) -> None:
    for verb in ("pause", "go-on"):
        assert post(cast.owner, verb)[0] == 409
        assert client_of(cast.owner).get(f"{PAGE}{verb}/").status_code == 405


def test_a_rated_match_joins_without_a_wish(cast: Cast) -> None:
    rated_match(cast.owner, cast.opponent)
    assert {row.n_wanted for row in Standing.objects.all()} == {0}


def test_who_leaves_and_comes_back_by_a_match_is_not_paired(cast: Cast) -> None:
    ladder_join(**on(cast.owner, wish=Wish(2, frozenset({"per-turn-3"}))))
    ladder_pause(**on(cast.owner, is_paused=True))
    ladder_leave(**on(cast.owner))
    rated_match(cast.owner, cast.opponent)
    row = standing(cast.owner)
    assert (row.left_at, row.n_wanted, row.paused_at) == (None, 0, None)
