"""The home page tells of challenges, of what is over and of a vacation what there is to tell."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Match
from games.services.offers import match_rematch
from games.services.turns import match_resign
from games.services.vacations import vacation_end, vacation_start
from tests.games.conftest import (
    Cast,
    make_match,
    make_offer,
    play_turn,
    request_id,
    running_game,
)
from tests.games.matches import give_up

pytestmark = pytest.mark.django_db


def section(client: Client, name: str) -> str:
    """Cut one section out of the home page, in one line."""
    page = client.get("/").text
    return " ".join(page.partition(f'id="{name}"')[2].partition("</section>")[0].split())


def test_a_challenge_has_the_marks_that_it_has_in_the_lobby(
    cast: Cast, opponent_client: Client
) -> None:
    told = ("Rated", "weekends free (UTC)", "without vacations", "Unseen cards listed", "Rematch")
    make_offer(cast.owner, "challenge", cast.opponent)
    plain = section(opponent_client, "offers")
    assert not [each for each in told if each in plain]
    make_offer(
        cast.owner,
        "challenge",
        cast.opponent,
        is_rated=True,
        weekend_zone="UTC",
        allows_vacation=False,
        has_tracker=True,
    )
    match = make_match(cast.owner, cast.opponent, n_rounds=1)
    give_up(match, 0)
    match_rematch(match_id=match.pk, user=cast.owner, request_id=request_id(), now=timezone.now())
    marked = section(opponent_client, "offers")
    assert [each for each in told if each in marked] == [*told]


def test_a_match_that_is_over_is_told_with_its_own_result(
    cast: Cast, opponent_client: Client
) -> None:
    match = make_match(cast.owner, cast.opponent, n_rounds=2)
    for _ in range(2):
        play_turn(running_game(match))
    game = running_game(match)
    match_resign(
        game_id=game.pk,
        user=cast.owner,
        expected_version=game.version,
        request_id=request_id(),
        now=timezone.now(),
    )
    assert Match.objects.get().points == (0, 10)
    over = section(opponent_client, "finished")
    for told in ("10 : 0", "match of 2 games", "You have won", "by resignation; games not played"):
        assert told in over
    assert "game 1 of 2" not in over


def test_a_game_that_is_over_in_a_match_that_goes_on_is_told_as_such(
    cast: Cast, opponent_client: Client
) -> None:
    match = make_match(cast.owner, cast.opponent, n_rounds=3)
    give_up(match, 0)
    over = section(opponent_client, "finished")
    assert "game 1 of 3" in over
    assert "5 : 0" in over
    assert "match of" not in over


def test_a_vacation_is_told_with_the_way_back(cast: Cast, owner_client: Client) -> None:
    assert "You are on vacation" not in owner_client.get("/").text
    vacation = vacation_start(user=cast.owner, now=timezone.now())
    page = owner_client.get("/").text
    line = page.partition('id="on-vacation"')[2].partition("</p>")[0]
    assert "You are on vacation until" in line
    assert 'href="/vacation/"' in line
    vacation_end(user=cast.owner, vacation_id=vacation.pk, now=timezone.now())
    assert "You are on vacation" not in owner_client.get("/").text
