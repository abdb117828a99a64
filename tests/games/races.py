"""Races: calls made at the same moment on PostgreSQL, each in a thread of its own.

SQLite would pass them all without any lock, since it lets one writer in at a time.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import clock
from games.models import Game, Match, Offer
from games.refusals import Refusal
from games.selectors import game_fold
from games.services.bots import bot_turn
from games.services.deadlines import deadline_settle
from games.services.matches import match_abort
from games.services.offers import offer_accept
from games.services.turns import game_resign, turn_submit
from tests.games.conftest import request_id

ROUNDS = 8
"""How often a race is run: a fault in the locks shows in most of its runs, not in all."""


def race(*calls: Callable[[], Any]) -> list[Any]:
    """Run calls at the same moment, each in a thread with a connection of its own.

    Gives for each what it returned, or the code of its refusal; anything else is raised.
    """
    assert connection.vendor == "postgresql", "races prove nothing on another database"
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            barrier.wait(timeout=20)
            return call()
        except Refusal as refusal:
            return refusal.code.value
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return [future.result(timeout=60) for future in [pool.submit(run, call) for call in calls]]


def told(results: Sequence[Any]) -> Counter[str]:
    """Count refusals by code, and all that was served as "ok"."""
    return Counter(result if isinstance(result, str) else "ok" for result in results)


def mover(game: Game, now: datetime | None = None, **rest: Any) -> Callable[[], Any]:
    """Prepare the turn of the seat to act, as a form that was rendered by now."""
    game = Game.objects.select_related("match__player_0", "match__player_1").get(pk=game.pk)
    data = {
        "game_id": game.pk,
        "user": game.match.players[game.turn],
        "actions": bot_turn(game),
        "expected_version": game.version,
        "request_id": request_id(),
        "now": now or timezone.now(),
        **rest,
    }
    return lambda: turn_submit(**data)


def quitter(
    game: Game, user: User, what: Callable[..., Any] = game_resign, now: datetime | None = None
) -> Callable[[], Any]:
    """Prepare a resignation on the board as it is now."""
    game.refresh_from_db()
    data = {"game_id": game.pk, "user": user, "expected_version": game.version}
    rest = {"request_id": request_id(), "now": now or timezone.now()}
    return lambda: what(**data, **rest)


def settler(game: Game, now: datetime) -> Callable[[], bool]:
    """Prepare the job that writes a passed deadline."""
    return lambda: deadline_settle(game_id=game.pk, now=now)


def reader(game: Game, now: datetime) -> Callable[[], int]:
    """Prepare a visitor's look at the board at a moment; gives the answer's status."""

    def read() -> int:
        with clock.shifted(now - timezone.now()):
            return Client().get(game.get_absolute_url()).status_code

    return read


def aborter(match: Match, user: User) -> Callable[[], Match]:
    """Prepare the calling off of a match."""
    now = timezone.now()
    return lambda: match_abort(match_id=match.pk, user=user, now=now)


def answerer(
    offer: Offer, user: User, what: Callable[..., Any] = offer_accept
) -> Callable[[], Any]:
    """Prepare the acceptance of an offer, or another answer to it."""
    now = timezone.now()
    return lambda: what(offer_id=offer.pk, user=user, now=now)


def check_sound(game: Game) -> None:
    """Check that a game's rows agree: no gap, no action twice, and the fold gives its state."""
    game = Game.objects.select_related("match").get(pk=game.pk)
    versions = list(game.actions.values_list("version", flat=True))
    assert versions == list(range(1, game.version + 1))
    folded = game_fold(game)
    if game.status != Game.Status.ABORTED:
        assert folded.title.to_act(folded.state) == game.turn
    written = [(s.version_before, s.version_after) for s in game.submissions.order_by("pk")]
    assert all(before < after for before, after in written)
    assert Game.objects.filter(match=game.match_id, status=Game.Status.RUNNING).count() <= 1
