"""Periodic work in real Celery workers that are killed in the midst of it."""

from __future__ import annotations

from email import message_from_bytes
from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone

from games.models import Delivery, Game, Match, Notice
from tests.games.conftest import Cast, make_offer
from tests.games.races import check_sound
from tests.games.test_races_clock import begin
from tests.waiting import is_another_waiting, wait_for
from tests.workers import Workers

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.redis,
    pytest.mark.django_db(transaction=True),
]


def test_fault_53_a_sweep_of_deadlines_killed_in_the_midst(workers: Workers) -> None:
    """One game is ended, the worker dies over the next: two more sweeps end that one, once."""
    games = begin(1, 3)
    workers.start()
    with transaction.atomic():
        Game.objects.select_for_update().get(pk=games[1].pk)
        workers.send("games.deadlines_sweep")
        wait_for(is_another_waiting)
        workers.kill()
    assert Match.objects.filter(status=Match.Status.RUNNING).exists()
    workers.start()
    workers.send("games.deadlines_sweep")
    workers.send("games.deadlines_sweep")
    wait_for(lambda: not Match.objects.filter(status=Match.Status.RUNNING).exists())
    for game in games:
        check_sound(game)
        assert game.actions.filter(payload__type="timeout").count() == 1


def test_fault_53_a_sweep_of_notices_killed_in_the_midst(
    workers: Workers, tmp_path: Path, cast: Cast
) -> None:
    """Nothing was sent to the second player yet: two more sweeps send each mail once."""
    for addressee in (cast.owner, cast.opponent):
        make_offer(cast.stranger, "challenge", addressee)
    Notice.objects.update(due_at=timezone.now())
    workers.start()
    with transaction.atomic():
        Notice.objects.select_for_update().get(user=cast.opponent)
        workers.send("games.notices_sweep")
        wait_for(is_another_waiting)
        workers.kill()
    workers.start()
    workers.send("games.notices_sweep")
    workers.send("games.notices_sweep")
    wait_for(lambda: Delivery.objects.filter(result="sent").count() == 2)
    mails = [message_from_bytes(path.read_bytes()) for path in (tmp_path / "mail").glob("*.log")]
    assert sorted(mail["To"] for mail in mails) == [cast.opponent.email, cast.owner.email]
