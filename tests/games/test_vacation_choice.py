"""May a vacation begin by itself? The question, the answer, and what is said where none began."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from games.mails import mail_send
from games.models import Game, Notice, Vacation, VacationChoice
from games.services.deadlines import deadlines_sweep
from games.services.vacations import vacation_choose
from tests.games.boards import text_of
from tests.games.conftest import Cast, client_of, make_match, play_turn, running_game

QUESTION = "May a vacation start by itself"
DAY = timedelta(days=1)


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_it_is_asked_at_the_first_match_until_it_is_answered(
    cast: Cast, owner_client: Client, opponent_client: Client, answer: str
) -> None:
    board = running_game(make_match(cast.owner, cast.opponent)).get_absolute_url()
    for browser in (owner_client, opponent_client, owner_client):
        assert QUESTION in text_of(browser.get(board))
    assert QUESTION not in text_of(Client().get(board))
    asked = {"is_automatic": answer, "next": board}
    told = text_of(owner_client.post("/vacation/choose/", asked, follow=True))
    assert ("A vacation will begin by itself" in told) == (answer == "yes")
    assert QUESTION not in told
    assert QUESTION in text_of(opponent_client.get(board))
    assert VacationChoice.objects.get(user=cast.owner).is_automatic == (answer == "yes")


@pytest.mark.parametrize("terms", [{"pace_slug": "live"}, {"allows_vacation": False}])
def test_it_is_not_asked_where_no_vacation_pauses_the_clocks(
    cast: Cast, owner_client: Client, terms: dict[str, Any]
) -> None:
    board = running_game(make_match(cast.owner, cast.opponent, **terms)).get_absolute_url()
    assert QUESTION not in text_of(owner_client.get(board))


@pytest.mark.parametrize(
    ("terms", "days_left", "is_chosen", "told"),
    [
        ({"allows_vacation": False}, 30, True, "this match was agreed without vacations."),
        ({"pace_slug": "live"}, 30, True, "live clocks are never paused."),
        ({}, 0, True, "you had no days left."),
        ({"allows_vacation": False}, 30, False, ""),
    ],
)
def test_fault_48_who_loses_on_time_is_told_why_no_vacation_began(
    cast: Cast, terms: dict[str, Any], days_left: int, is_chosen: bool, told: str
) -> None:
    """Fault 48: not started where it is forbidden, and the player told so: board and mail."""
    began = timezone.now() - 40 * DAY
    game = running_game(make_match(cast.owner, cast.opponent, at=began, **terms))
    for _ in "12":
        play_turn(game, began)
    game = Game.objects.get(pk=game.pk)
    assert game.turn is not None
    assert game.deadline_at is not None
    loser = game.match.players[game.turn]
    vacation_choose(user=loser, is_automatic=is_chosen, now=began)
    if not days_left:
        _use_up(loser.pk, game)
    deadlines_sweep(now=game.deadline_at + timedelta(hours=1))
    reason, board = "No vacation began by itself", game.get_absolute_url()
    page = text_of(client_of(loser).get(board))
    assert "You have lost" in page
    assert (f"{reason}: {told}" in page) if told else (reason not in page)
    winner = game.match.players[1 - game.turn]
    for browser in (client_of(winner), Client()):
        assert reason not in text_of(browser.get(board))
    mail.outbox.clear()
    notice = Notice(kind="match_ended", game=Game.objects.get(pk=game.pk), user=loser)
    mail_send(loser, [notice], name="told", now=timezone.now())
    assert (told or reason) in str(mail.outbox[0].body) or not told


def _use_up(user_id: int, game: Game) -> None:
    """Let the days of the year of a game's deadline, and of the next, be used before it."""
    assert game.deadline_at is not None
    end = game.turn_started_at
    Vacation.objects.create(
        user_id=user_id,
        starts_at=end - 30 * DAY,
        ends_at=end,
        planned_end_at=end,
        created_at=end,
        is_applied=True,
    )
