"""How reliably somebody plays, on profiles: quick and slow answers, and matches lost on time."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Game, Match, Submission
from games.reliability import MIN_ANSWERS, Quartiles, answers_of, timeliness_of
from games.services.bots import ensure_bot
from tests.games.conftest import Cast, make_user
from tests.games.test_history_plans import captured_sql, scans_of

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


def answered(match: Match, waits: list[timedelta]) -> None:
    """Write a game in which seat 0 begins and takes these times, and seat 1 a minute each time.

    A second submission of seat 0 shows a card before its turn ends.
    """
    at = match.started_at
    game = finished_game(match)
    game.save()
    sent: list[tuple[int, datetime]] = []
    for wait in waits:
        sent += [(0, at + wait / 2), (0, at + wait), (1, at + wait + MINUTE)]
        at += wait + MINUTE
    Submission.objects.bulk_create(
        submission(game, n, seat, moment) for n, (seat, moment) in enumerate(sent)
    )


def finished_game(match: Match) -> Game:
    return Game(
        match=match,
        round=1,
        status=Game.Status.FINISHED,
        rules_version=1,
        piles={},
        first=0,
        turn_started_at=match.started_at,
        started_at=match.started_at,
    )


def submission(game: Game, n: int, seat: int, at: datetime) -> Submission:
    return Submission(
        game=game,
        seat=seat,
        request_id=f"r{n}",
        payload_hash="",
        version_before=n,
        version_after=n + 1,
        created_at=at,
    )


def test_quartiles_of_the_answers(cast: Cast) -> None:
    (match,) = written(cast.owner, cast.opponent, 1)
    answered(match, [HOUR * n for n in range(1, 14)])
    found = answers_of(cast.owner)
    assert found == Quartiles(4 * HOUR, 7 * HOUR, 10 * HOUR, 1, 13)
    assert answers_of(cast.opponent) == Quartiles(MINUTE, MINUTE, MINUTE, 1, 13)


def test_a_profile_speaks_of_quarters_once_there_are_many_answers(cast: Cast) -> None:
    one, two = written(cast.owner, cast.opponent, 2)
    answered(one, [HOUR * n for n in range(1, 14)])
    few = unescape(Client().get(cast.owner.get_absolute_url()).text)
    assert "within 7 hours, nights and days off included, over the last 2 matches." in few
    assert "a quarter" not in few
    answered(two, [HOUR * n for n in range(1, 14)] * 3)
    many = unescape(Client().get(cast.owner.get_absolute_url()).text)
    assert (
        "Half of the answers come within 7 hours, a quarter within 4 hours and three quarters "
        "within 10 hours, nights and days off included, over the last 2 matches."
    ) in many


def test_one_match_is_told_as_one(cast: Cast) -> None:
    (match,) = written(cast.owner, cast.opponent, 1)
    answered(match, [MINUTE] * MIN_ANSWERS)
    page = Client().get("/players/Owner/").text
    assert "Half of the answers come within 1 minute" in page
    assert "over the last match." in page


def test_few_answers_live_matches_and_bots_tell_nothing(cast: Cast) -> None:
    few, live, bot = (
        written(cast.owner, cast.opponent, 1),
        written(cast.stranger, cast.opponent, 1, pace_slug="live"),
        written(cast.stranger, ensure_bot(), 1),
    )
    answered(few[0], [HOUR] * (MIN_ANSWERS - 1))
    for match in (*live, *bot):
        answered(match, [HOUR] * MIN_ANSWERS)
    assert answers_of(cast.owner) is None
    assert answers_of(cast.stranger) is None
    assert timeliness_of(cast.stranger.pk).n_finished == 1
    assert "answers come within" not in Client().get("/players/Owner/").text


def written(one: User, two: User, n: int, **rest: object) -> list[Match]:
    """Write finished matches straight into the table, the latest last."""
    now = timezone.now()
    return Match.objects.bulk_create(
        Match(
            title="schotten-totten",
            ruleset_slug="after-play",
            n_rounds=1,
            secrets=["00" * 32],
            nonces=["00" * 16] * 2,
            starter="lot",
            player_0=one,
            player_1=two,
            **{
                "pace_slug": "per-turn-3",
                "status": Match.Status.FINISHED,
                "ending": Match.Ending.POINTS,
                "winner": 1,
                "started_at": now + timedelta(seconds=at),
                "finished_at": now + timedelta(seconds=at),
                **rest,
            },
        )
        for at in range(n)
    )


@pytest.mark.parametrize("seat", [0, 1])
def test_matches_lost_on_time_are_counted_and_what_was_finished_since(
    cast: Cast, seat: int
) -> None:
    me, other = cast.owner, cast.opponent
    pair = (me, other) if seat == 0 else (other, me)
    long_ago = {"finished_at": timezone.now() - timedelta(days=9)}
    written(*pair, 2, **long_ago)
    assert timeliness_of(me.pk).n_late == 0
    page = unescape(Client().get(me.get_absolute_url()).text)
    assert "Nothing lost on time in 2 finished matches." in page
    late = {"ending": Match.Ending.TIMEOUT, "winner": 1 - seat}
    written(*pair, 1, **late, finished_at=timezone.now() - timedelta(days=8))
    # What the other lost on time, what was aborted, and what runs is not this player's.
    written(*pair, 1, **{**late, "winner": seat}, **long_ago)
    written(*pair, 1, status=Match.Status.ABORTED, ending=Match.Ending.ABANDONED, winner=None)
    written(*pair, 3)
    found = timeliness_of(me.pk)
    assert (found.n_finished, found.n_late, found.n_since) == (7, 1, 3)
    assert [found.has_kept(n) for n in (3, 4)] == [True, False]
    page = unescape(Client().get(me.get_absolute_url()).text)
    assert "1 lost on time of 7 finished matches. 3 matches finished since the last one." in page


@pytest.mark.postgres
@pytest.mark.django_db
def test_with_many_matches_only_the_players_own_are_read_by_index() -> None:
    rng, now = random.Random(4), timezone.now()
    users = [make_user(f"Player{n}") for n in range(200)]
    matches = []
    for _ in range(100):
        one, two = rng.sample(users, 2)
        matches += written(one, two, 200, ending=rng.choice(["timeout", "points"]))
    games = Game.objects.bulk_create(finished_game(match) for match in matches)
    Submission.objects.bulk_create(
        submission(game, n, n % 2, now + n * HOUR) for game in games for n in range(6)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    busy = matches[0].player_0
    asked = captured_sql(lambda: (timeliness_of(busy.pk), answers_of(busy)))
    assert len(asked) <= 5
    big = {"games_match", "games_game", "games_submission"}
    for sql in asked:
        for scan in scans_of(sql):
            if scan.get("Relation Name") in big:
                assert scan["Node Type"] != "Seq Scan", sql
