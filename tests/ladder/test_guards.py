"""Fault 97: what is reported to moderators, and that nothing is quietly unrated for it."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from io import StringIO

import pytest
from django.contrib.auth.models import Permission
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from games.models import Match
from games.services.deadlines import deadlines_sweep
from ladder.guards import (
    MUTUAL_LIMIT,
    PAIR_LIMIT,
    REPORT_DAYS,
    SHORT_ACTIONS,
    SHORT_LIMIT,
    mutual_resignations,
    repeated_pairs,
    short_losses,
)
from ladder.services import ratings_sweep
from tests.games.conftest import Cast, client_of, play_turn, running_game
from tests.ladder.conftest import beat, finished_matches, rated_match, rating, resign

pytestmark = pytest.mark.django_db


def report(**options: int) -> list[str]:
    out = StringIO()
    call_command("ladder_report", stdout=out, **options)
    return out.getvalue().splitlines()


def a_week_ago() -> object:
    return timezone.now() - timedelta(days=7)


def test_fault_97_serial_resignations_are_rated_and_reported(cast: Cast) -> None:
    """A resigns ten rated matches before the third move: each counts, and the pattern is told."""
    matches = [beat(cast.opponent, cast.owner) for _ in range(10)]
    assert ratings_sweep(now=timezone.now()) == 10
    assert rating(cast.owner) < 1400_000
    found = short_losses(a_week_ago())
    assert [(loser.name, set(loser.match_ids)) for loser in found] == [
        ("Owner", {match.pk for match in matches})
    ]
    assert any(line.startswith("Owner: gave up 10 rated matches early (") for line in report())


def test_fault_97_a_pair_that_plays_again_and_again_is_reported(cast: Cast) -> None:
    """A and a second account play twenty matches, most won by A."""
    finished_matches(
        (cast.owner, cast.opponent, 0)
        if number % 2
        else (cast.opponent, cast.owner, number % 3 // 2)
        for number in range(20)
    )
    (pair,) = repeated_pairs(a_week_ago())
    assert pair.names == ("Owner", "Opponent")
    assert pair.n_matches == sum(pair.n_won) == 20
    assert ratings_sweep(now=timezone.now()) == 20
    assert report() == [
        f"Owner and Opponent: 20 rated matches, won {pair.n_won[0]} and {pair.n_won[1]}"
    ]


def test_fault_97_mass_time_outs_are_reported(cast: Cast) -> None:
    # The lot decides who is to act in the third turn: one of the two is late often enough.
    for _ in range(2 * SHORT_LIMIT - 1):
        match = rated_match(cast.owner, cast.opponent)
        for _ in range(2):
            play_turn(running_game(match))
    deadlines_sweep(now=timezone.now() + timedelta(days=4))
    late = Match.objects.filter(ending=Match.Ending.TIMEOUT)
    worst = short_losses(a_week_ago())[0]
    assert len(worst.match_ids) >= SHORT_LIMIT
    assert set(worst.match_ids) <= set(late.values_list("pk", flat=True))
    assert ratings_sweep(now=timezone.now()) == late.count() == 2 * SHORT_LIMIT - 1


def test_fault_97_the_rules_tell_by_which_numbers_this_is_reported(client: Client) -> None:
    page = unescape(client.get("/ladders/rules/").text)
    assert f"from the last {REPORT_DAYS} days" in page
    assert f"ended {PAIR_LIMIT} rated matches with each other" in page
    assert f"resigned {SHORT_LIMIT} rated matches or more, or lost them on time" in page
    assert f"after {SHORT_ACTIONS} steps of both players together, or fewer" in page
    assert f"each resigned {MUTUAL_LIMIT} rated matches or more to the other" in page


def test_ordinary_play_is_not_reported(cast: Cast) -> None:
    finished_matches([(cast.owner, cast.opponent, 0)] * (PAIR_LIMIT - SHORT_LIMIT))
    for _ in range(SHORT_LIMIT - 1):
        beat(cast.owner, cast.opponent)
    long = rated_match(cast.owner, cast.stranger)
    while running_game(long).version <= SHORT_ACTIONS:
        play_turn(running_game(long))
    resign(long, cast.stranger)
    assert short_losses(a_week_ago()) == []
    assert repeated_pairs(a_week_ago()) == []


def test_only_the_time_looked_at_counts(cast: Cast) -> None:
    old = timezone.now() - timedelta(days=8)
    for _ in range(SHORT_LIMIT):
        beat(cast.owner, cast.opponent, old)
    assert report() == ["Nothing needs a look."]
    assert len(report(days=30)) == 1


def test_fault_97_two_who_resign_to_each_other_are_reported(cast: Cast) -> None:
    """Wins are exchanged: each resigns to the other in turn, and all of it is rated."""
    pair = (cast.owner, cast.opponent)
    matches = [beat(pair[number % 2], pair[1 - number % 2]) for number in range(2 * MUTUAL_LIMIT)]
    beat(cast.owner, cast.stranger)
    (found,) = mutual_resignations(a_week_ago())
    assert found.names == ("Owner", "Opponent")
    assert found.n_resigned == (MUTUAL_LIMIT, MUTUAL_LIMIT)
    assert set(found.match_ids) == {match.pk for match in matches}
    assert ratings_sweep(now=timezone.now()) == len(matches) + 1
    assert any("resigned to each other, 3 and 3 rated matches" in line for line in report())


def test_who_always_loses_is_not_exchanging_wins(cast: Cast) -> None:
    for _ in range(3 * MUTUAL_LIMIT):
        beat(cast.owner, cast.opponent)
    for _ in range(MUTUAL_LIMIT - 1):
        beat(cast.opponent, cast.owner)
    assert mutual_resignations(a_week_ago()) == []


REPORT = "/staff/ladder/ladder/report/"


def moderator(cast: Cast, *codenames: str) -> Client:
    cast.stranger.is_staff = True
    cast.stranger.save()
    cast.stranger.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return client_of(cast.stranger)


def test_moderators_see_the_report(cast: Cast) -> None:
    client = moderator(cast, "annul_match")
    page = client.get(REPORT).content.decode()
    assert "No two who resigned 3 matches or more to each other." in page
    assert "Nobody who gave up 3 matches or more that had hardly begun." in page
    for number in range(PAIR_LIMIT):
        match = beat(*(cast.owner, cast.opponent)[:: 1 if number % 2 else -1])
    page = client.get(REPORT).content.decode()
    assert "5 : 5" in page
    assert f'href="{match.get_absolute_url()}"' in page
    assert "/players/Owner/" in page
    for days in ("0", "-1", "x", "99999999999", "400"):
        assert client.get(REPORT, {"days": days}).status_code == 200


def test_the_list_of_ladders_leads_to_the_report(cast: Cast) -> None:
    client = moderator(cast, "view_ladder")
    assert REPORT in client.get("/staff/ladder/ladder/").content.decode()
    assert client.get(REPORT).status_code == 200


def test_the_report_is_for_moderators_alone(cast: Cast, client: Client) -> None:
    assert client.get(REPORT).status_code == 302
    assert client_of(cast.owner).get(REPORT).status_code in (302, 403)
    assert moderator(cast, "view_user").get(REPORT).status_code == 403
