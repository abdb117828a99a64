"""Celery tasks: thin, by fixed names, safe to run twice or by two workers at once."""

from __future__ import annotations

from celery import shared_task

from games import clock
from games.models import Heartbeat
from ladder import pairings, seasons, services
from ladder.models import Ladder
from ladder.rebuild import counters_differ, differences


class RatingsDiffer(Exception):
    """Standings are not what the rated matches make them: `manage.py ladder_rebuild` tells more."""


@shared_task(name="ladder.match_rate")
def match_rate(match_id: int) -> None:
    """Rate a match that has just ended, or take it out where it was annulled."""
    services.match_rate(match_id=match_id, now=clock.now())
    services.match_correct(match_id=match_id, now=clock.now())


@shared_task(name="ladder.ratings_sweep")
def ratings_sweep() -> None:
    """Rate every match whose own task was lost."""
    services.ratings_sweep(now=clock.now())
    Heartbeat.objects.update_or_create(
        job="ladder.ratings_sweep", defaults={"succeeded_at": clock.now()}
    )


@shared_task(name="ladder.pairing_sweep")
def pairing_sweep() -> None:
    """Start a match for all who wait on a ladder and can be paired."""
    pairings.pairing_sweep(now=clock.now())
    Heartbeat.objects.update_or_create(
        job=pairings.SWEEP_JOB, defaults={"succeeded_at": clock.now()}
    )


@shared_task(name="ladder.seasons_freeze")
def seasons_freeze() -> None:
    """Write the final standings of seasons that are over."""
    seasons.seasons_freeze(now=clock.now())
    Heartbeat.objects.update_or_create(
        job="ladder.seasons_freeze", defaults={"succeeded_at": clock.now()}
    )


@shared_task(name="ladder.rebuild_check")
def rebuild_check() -> None:
    """Rate all matches anew each night, and raise the alarm where a standing is otherwise.

    Raises `RatingsDiffer`; the health page says so until a night finds all in order.
    """
    for ladder in Ladder.objects.order_by("pk"):
        _n, found = differences(ladder)
        if found:
            raise RatingsDiffer(f"{ladder}: {len(found)} standings differ from their matches")
        if counters_differ(ladder):
            raise RatingsDiffer(f"{ladder}: the counters do not add up")
    Heartbeat.objects.update_or_create(
        job="ladder.rebuild_check", defaults={"succeeded_at": clock.now()}
    )
