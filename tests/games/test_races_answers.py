"""Prepared answers played at the moment at which something else happens, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from games.models import Action, Game, PreparedAnswer, Submission
from games.services.answers import answer_remove
from games.services.firing import answers_fire
from tests.games.conftest import Cast, make_user
from tests.games.prepared import SOON, opponent_plays, prepare, states, waiting_board
from tests.games.races import ROUNDS, mover, quitter, race

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def boards() -> Any:
    """Give boards on which an answer is due."""
    cast = Cast(make_user("Owner"), make_user("Opponent"), make_user("Stranger"))
    for _ in range(ROUNDS):
        game = waiting_board(cast)
        prepare(game)
        opponent_plays(game)
        yield cast, game


def firing(game: Game) -> Callable[[], Any]:
    now = timezone.now() + SOON
    return lambda: answers_fire(game_id=game.pk, now=now) or "void"


def own_plays(game: Game) -> int:
    return Action.objects.filter(game=game, payload__type="play", payload__seat=0).count()


def test_two_workers_play_it_once() -> None:
    """Fault 63: read, chosen and written by two at once, it is one turn."""
    for _cast, game in boards():
        race(*[firing(game)] * 3)
        assert own_plays(game) == 1
        assert Submission.objects.filter(game=game, seat=0).count() == 1
        assert states(game) == [("fired", "")]


def test_a_turn_by_hand_at_the_same_moment() -> None:
    """Faults 62 and 63: one of the two is the turn, the other finds a newer board."""
    for _cast, game in boards():
        by_hand, fired = race(mover(game), firing(game))
        assert own_plays(game) == 1
        is_fired = fired is True
        assert (by_hand == "stale") == is_fired
        assert states(game) == [("fired", "") if is_fired else ("expired", "by_hand")]


def test_an_answer_removed_at_the_same_moment_is_played_or_gone() -> None:
    for cast, game in boards():
        row = PreparedAnswer.objects.get(game=game)
        remove = {"game_id": game.pk, "user": cast.owner, "answer_id": row.pk}
        race(lambda: answer_remove(**remove), firing(game))  # noqa: B023  # run within the loop
        assert states(game) == ([("fired", "")] if own_plays(game) else [])


def test_the_opponent_gives_up_at_the_same_moment() -> None:
    for cast, game in boards():
        race(quitter(game, cast.opponent), firing(game))
        game.refresh_from_db()
        assert not game.is_running or own_plays(game) == 1
