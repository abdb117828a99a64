"""The table of endings, line by line: played through the services, seen on pages and in ratings.

Fault 94 and fault 95: an ending that is rated by another rule than the one that is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import user_delete
from games import clock, signals
from games.endings import ENDINGS, ending_rows
from games.models import Game, Match, Notice
from games.selectors import player_record
from games.services.deadlines import deadlines_sweep
from games.services.matches import match_abort, match_annul
from games.services.turns import game_resign
from ladder.models import LedgerEntry, Standing
from ladder.services import match_rate, ratings_sweep
from tests.games.conftest import (
    Cast,
    make_match,
    play_out,
    play_turn,
    request_id,
    running_game,
)
from tests.games.matches import give_up
from tests.ladder.conftest import resign

LATE = timedelta(days=3, minutes=1)


@dataclass(frozen=True, slots=True)
class Row:
    """What a line of the table promises, for the owner: points, result, rating, in the history."""

    end: Callable[[Match, Cast], object]
    ending: str
    points: tuple[int, int] | None
    winner: int | None
    """The seat that won; for points whoever has more."""
    history: str
    name: str = "Opponent"
    """What the other is called in the history afterwards."""


def both_moved(match: Match) -> None:
    for _ in range(2):
        play_turn(running_game(match))


def by_points(match: Match, cast: Cast) -> None:
    play_out(running_game(match))
    while Match.objects.filter(pk=match.pk, status=Match.Status.RUNNING).exists():
        play_out(running_game(match))


def by_resigned_games(match: Match, cast: Cast) -> None:
    for _ in range(2):
        game = running_game(match)
        game_resign(
            game_id=game.pk,
            user=cast.opponent,
            expected_version=game.version,
            request_id=request_id(),
            now=timezone.now(),
        )


def by_resignation(match: Match, cast: Cast) -> None:
    both_moved(match)
    resign(match, cast.opponent)


def by_time(match: Match, cast: Cast) -> None:
    both_moved(match)
    deadlines_sweep(now=timezone.now() + LATE)


def by_time_seen_by_a_visitor(match: Match, cast: Cast) -> None:
    """No sweep runs: somebody opens the board when the deadline has passed."""
    both_moved(match)
    with clock.shifted(LATE):
        page = Client().get(running_game(match).get_absolute_url()).text
    assert "has run out of time." in page


def by_abort(match: Match, cast: Cast) -> None:
    match_abort(match_id=match.pk, user=cast.opponent, now=timezone.now())


def by_never_starting(match: Match, cast: Cast) -> None:
    deadlines_sweep(now=timezone.now() + LATE)


def by_a_moderator(match: Match, cast: Cast) -> None:
    by_resignation(match, cast)
    ratings_sweep(now=timezone.now())
    match_annul(match_id=match.pk, now=timezone.now())


def by_deletion(match: Match, cast: Cast) -> None:
    both_moved(match)
    user_delete(user_id=cast.opponent.pk, now=timezone.now())


def by_early_deletion(match: Match, cast: Cast) -> None:
    user_delete(user_id=cast.opponent.pk, now=timezone.now())


END = Match.Ending
GONE = "deleted player"
ROWS = [
    Row(by_points, END.POINTS, None, None, "by points"),
    Row(by_resigned_games, END.POINTS, (10, 0), 0, "by points"),
    Row(by_resignation, END.RESIGN, None, 0, "by resignation; games not played count 5 : 0"),
    Row(by_time, END.TIMEOUT, None, None, "on time; games not played count 5 : 0"),
    Row(by_time_seen_by_a_visitor, END.TIMEOUT, None, None, "on time; games not played count"),
    Row(by_abort, END.ABORT, (0, 0), None, "Aborted before both had made a first turn."),
    Row(by_never_starting, END.ABANDONED, (0, 0), None, "the first turn was not made in time."),
    Row(by_a_moderator, END.ANNULLED, None, None, "Annulled by a moderator"),
    Row(by_deletion, END.ACCOUNT, None, 0, "since the other account was deleted", GONE),
    Row(by_early_deletion, END.ABORT, (0, 0), None, "Aborted before both had made", GONE),
]


def tally(player: User) -> tuple[int, int, int]:
    record = player_record(player)
    return record.won, record.drawn, record.lost


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.end.__name__)
def test_fault_94_each_line_of_the_table_does_what_it_says(cast: Cast, row: Row) -> None:
    match = make_match(cast.owner, cast.opponent, n_rounds=3, is_rated=True)
    row.end(match, cast)
    ratings_sweep(now=timezone.now() + LATE)
    match.refresh_from_db()
    is_decided = ENDINGS[row.ending].is_rated
    assert match.ending == row.ending
    # Score: whoever wins has it, and nobody does where nobody wins.
    if row.winner is not None:
        assert match.winner == row.winner
        assert match.points[row.winner] > match.points[1 - row.winner]
    if row.points is not None:
        assert match.points == row.points
    assert match.status == (Match.Status.FINISHED if is_decided else Match.Status.ABORTED)
    # Rating: by the line of the table, and what one gains the other loses.
    counted = 0 if row.ending == END.ANNULLED else 2 * is_decided
    entries = LedgerEntry.objects.filter(match=match, kind=LedgerEntry.Kind.MATCH)
    assert entries.count() == (2 if row.ending == END.ANNULLED else counted)
    ratings = dict(Standing.objects.values_list("user", "rating"))
    assert sum(ratings.values()) == 2 * 1500_000
    assert (ratings[cast.owner.pk] != 1500_000) is (is_decided and match.winner is not None)
    # Record: the history of who stayed, and the sums on the profile.
    page = Client().get("/players/Owner/matches/").text
    assert row.history in page
    assert row.name in page
    won, drawn, lost = tally(cast.owner)
    assert won + drawn + lost == (1 if is_decided else 0)
    assert won == (1 if is_decided and match.winner == 0 else 0)
    assert row.history in Client().get(match.get_absolute_url()).text


@pytest.mark.parametrize("end", [row.end for row in ROWS], ids=lambda end: end.__name__)
def test_fault_95_whatever_ends_a_match_does_all_that_belongs_to_it(
    cast: Cast,
    end: Callable[[Match, Cast], object],
    django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[object]],
) -> None:
    """The ladder is told once, no game goes on and no clock runs; who did not do it is told."""
    match = make_match(cast.owner, cast.opponent, n_rounds=3, is_rated=True)
    heard = []

    def hear(match_id: int, **rest: object) -> None:
        heard.append(match_id)

    signals.match_ended.connect(hear)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            end(match, cast)
    finally:
        signals.match_ended.disconnect(hear)
    assert heard == [match.pk] * (2 if end is by_a_moderator else 1)
    match.refresh_from_db()
    assert match.finished_at is not None
    assert not match.games.filter(status=Game.Status.RUNNING).exists()
    assert not match.games.filter(deadline_at__isnull=False).exists()
    assert not match.games.filter(finished_at=None).exists()
    assert Notice.objects.filter(kind="match_ended", game__match=match).exists()


def test_fault_94_every_line_of_the_table_has_been_played() -> None:
    assert {row.ending for row in ROWS} == set(Match.Ending.values) == set(ENDINGS)


@pytest.mark.parametrize("path", ["/help/matches/", "/ladders/rules/"])
def test_fault_94_help_pages_show_the_one_table(client: Client, path: str) -> None:
    page = unescape(client.get(path).text)
    for name, meaning in ending_rows():
        for text in (name, meaning.how, meaning.score, meaning.record):
            assert str(text) in page


def test_the_help_page_is_led_to_from_matches_and_from_every_page(
    client: Client, cast: Cast
) -> None:
    match = make_match(cast.owner, cast.opponent)
    assert 'href="/help/matches/#endings"' in client.get(match.get_absolute_url()).text
    assert 'href="/help/matches/"' in client.get("/lobby/").text


def test_fault_125_who_leads_and_leaves_loses_with_one_change_of_ratings(cast: Cast) -> None:
    """The owner wins round 1 and never begins round 2: lost by rule, and rated once."""
    match = make_match(cast.owner, cast.opponent, n_rounds=3, is_rated=True)
    both_moved(match)
    give_up(match, 1)
    second = running_game(match)
    assert (match.points, second.turn) == ((5, 0), 0)
    assert ratings_sweep(now=timezone.now()) == 0
    deadlines_sweep(now=second.deadline_at + LATE)
    assert ratings_sweep(now=timezone.now()) == 1
    assert ratings_sweep(now=timezone.now()) == 0
    assert not match_rate(match_id=match.pk, now=timezone.now())
    match.refresh_from_db()
    assert (match.ending, match.points, match.winner) == (Match.Ending.TIMEOUT, (5, 10), 1)
    changes = dict(LedgerEntry.objects.filter(match=match).values_list("user__name", "change"))
    assert LedgerEntry.objects.count() == 2
    assert changes == {"Owner": -20_000, "Opponent": 20_000}
