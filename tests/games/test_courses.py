"""Every course a match can take: won, lost and drawn rounds in any order, and the clock."""

from __future__ import annotations

from itertools import product

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from games.engine.api import Outcome, other
from games.models import Game, Match
from games.services.deadlines import GRACE, deadline_settle
from games.services.endings import game_finish, is_decided
from games.services.rows import running_game_lock
from tests.games.bridges import make_bridges, play_drawn, read
from tests.games.conftest import Cast, make_match, running_game
from tests.games.matches import give_up, page_of, round_row

Points = tuple[int, int]

RESULTS: dict[str, tuple[int | None, Points]] = {
    "+": (0, (5, 1)),
    "-": (1, (1, 5)),
    "=": (None, (1, 1)),
}
"""How a round can end for seat 0: won, lost, drawn; and what each seat scores."""
EXTREMES: tuple[Points, ...] = ((5, 0), (0, 5), (1, 1))

COURSES = ["".join(course) for n in range(1, 6) for course in product("+-=", repeat=n)]


def score(course: str) -> Points:
    """Add up the points of rounds."""
    told = [RESULTS[letter][1] for letter in course]
    return (sum(one for one, _ in told), sum(two for _, two in told))


def leader(points: Points) -> int | None:
    return None if points[0] == points[1] else int(points[1] > points[0])


def is_settled(points: Points, n_left: int) -> bool:
    """Try out all that could still come: has it all the same winner?"""
    winners = {leader(points)}
    for rest in product(EXTREMES, repeat=n_left):
        ends = (points[0] + sum(r[0] for r in rest), points[1] + sum(r[1] for r in rest))
        winners.add(leader(ends))
    return n_left == 0 or (len(winners) == 1 and winners != {None})


def n_played(course: str) -> int:
    """Count the rounds of a course that are played: none after it is settled."""
    n_rounds = len(course)
    return next(n for n in range(1, n_rounds + 1) if is_settled(score(course[:n]), n_rounds - n))


@pytest.mark.parametrize("n_rounds", [1, 2, 3, 4, 5])
def test_fault_124_a_match_is_over_exactly_where_nothing_could_change_it(n_rounds: int) -> None:
    courses = [course for course in COURSES if len(course) == n_rounds]
    assert len(courses) == 3**n_rounds
    for course in courses:
        for n in range(1, n_rounds + 1):
            points, n_left = score(course[:n]), n_rounds - n
            assert is_decided(points, n_left) == is_settled(points, n_left), course


def end_round(match: Match, letter: str) -> Match:
    """End the running game of a match with a result, by the one function that ends games."""
    winner, points = RESULTS[letter]
    with transaction.atomic():
        game = running_game_lock(match.pk)
        assert game is not None
        outcome = Outcome(None if winner is None else 1 if winner else 0, "bridges", points)
        return game_finish(game, outcome, now=timezone.now())


@pytest.mark.parametrize("course", [course for course in COURSES if len(course) <= 3])
def test_fault_124_no_round_begins_once_a_match_is_over(cast: Cast, course: str) -> None:
    """Through the service: the score, the winner, who begins each round, and no further one."""
    match = make_bridges(cast, n_rounds=len(course)).match
    firsts = [running_game(match).first]
    for letter in course[: n_played(course)]:
        assert match.status == Match.Status.RUNNING
        match = end_round(match, letter)
        if match.status == Match.Status.RUNNING:
            firsts.append(running_game(match).first)
    played = course[: n_played(course)]
    assert (match.status, match.ending) == (Match.Status.FINISHED, Match.Ending.POINTS)
    assert (match.points, match.winner) == (score(played), leader(score(played)))
    assert match.games.count() == len(played)
    assert not match.games.exclude(status=Game.Status.FINISHED).exists()
    assert firsts == [firsts[0] if n % 2 == 0 else 1 - firsts[0] for n in range(len(played))]


@pytest.mark.parametrize("round_", [2, 3])
def test_fault_124_the_last_point_may_come_by_time_out(cast: Cast, round_: int) -> None:
    """Who leads is met by a time-out in the round that decides: no other begins, no clock runs."""
    match = make_match(cast.owner, cast.opponent)
    give_up(match, 1)
    if round_ == 3:
        give_up(match, 0)
    game = running_game(match)
    loser = 0 if game.turn == 0 else 1
    assert game.round == round_
    assert deadline_settle(game_id=game.pk, now=game.deadline_at + GRACE)
    match.refresh_from_db()
    assert (match.status, match.ending) == (Match.Status.FINISHED, Match.Ending.TIMEOUT)
    assert match.winner == other(loser)
    before = (5, 0) if round_ == 2 else (5, 5)
    added = 5 * (3 - round_ + 1)
    assert match.points[other(loser)] == before[other(loser)] + added
    assert match.points[loser] == before[loser]
    assert match.games.count() == round_
    assert not match.games.filter(deadline_at__isnull=False).exists()


class TestFault128DrawnRounds:
    def test_fault_128_a_drawn_round_scores_for_both_and_the_other_begins(
        self, cast: Cast, client: Client
    ) -> None:
        """Really played to a draw: the bridges are shared, and it is not played again."""
        game = make_bridges(cast, n_rounds=2)
        first = game.first
        drawn = play_drawn(game)
        assert (drawn.status, drawn.winner, drawn.points_0, drawn.points_1) == (
            Game.Status.FINISHED,
            None,
            1,
            1,
        )
        match = read(game).match
        assert (match.status, match.points) == (Match.Status.RUNNING, (1, 1))
        following = running_game(match)
        assert (following.round, following.first) == (2, 1 - first)
        assert "drawn" in round_row(page_of(client, match), 1)
        give_up(match, 0)
        assert (match.status, match.points, match.winner) == (Match.Status.FINISHED, (1, 6), 1)
        assert match.games.count() == 2

    def test_fault_128_two_drawn_rounds_are_a_drawn_match_of_two_rounds(
        self, cast: Cast, client: Client
    ) -> None:
        match = make_bridges(cast, n_rounds=2).match
        for _ in "12":
            play_drawn(running_game(match))
        match.refresh_from_db()
        assert (match.status, match.points, match.winner) == (Match.Status.FINISHED, (2, 2), None)
        assert match.games.count() == 2
        assert "The match is drawn" in page_of(client, match)
