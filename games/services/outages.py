"""Outages: times in which the site was down, which nobody's clock counts.

The site is up while a web process lives: as long as pages are served a player can make a turn,
whatever workers and timers do. Each web process leaves a pulse in a row; a pulse that comes after
a gap records the gap as an outage. While the pulse is old nobody loses on time.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction

from games.models import Heartbeat, Outage

PULSE_JOB: Final = "web.pulse"
SWEEP_JOB: Final = "games.deadlines_sweep"

OFF_AT_LEAST: Final = timedelta(minutes=1)
"""A shorter gap is no outage."""


def site_pulse(*, now: datetime) -> timedelta:
    """Leave a sign of life, and write down the time in which there was none; gives how long.

    Safe to run twice: the second time finds the site just back. It does the same however many
    games run, or the pulse after it would come late and be an outage in its turn: deadlines
    follow in the sweep, and are looked up before anybody loses. Locks: the row of the pulse.
    """
    with transaction.atomic(durable=True):
        off = outage_record(now=now)
        Heartbeat.objects.update_or_create(job=PULSE_JOB, defaults={"succeeded_at": now})
    return off


def outage_record(*, now: datetime) -> timedelta:
    """Write down a gap in the pulse that ends now, if there is one; gives how long it was.

    Only what serves players may call this: it says that the site is up. Where no pulse was ever
    left, as on a site that comes from an earlier release, the last sweep stands for it. Locks:
    the row of the pulse; a transaction must be open. The caller lets the games follow.
    """
    beats = Heartbeat.objects.select_for_update().filter(job__in=(PULSE_JOB, SWEEP_JOB))
    found = {beat.job: beat for beat in beats.order_by("job")}
    beat = found.get(PULSE_JOB) or found.get(SWEEP_JOB)
    if settings.SIMULATED_CLOCK or beat is None or now - beat.succeeded_at < OFF_AT_LEAST:
        return timedelta(0)
    outage, _ = Outage.objects.get_or_create(
        started_at=beat.succeeded_at, defaults={"ended_at": now}
    )
    beat.succeeded_at = now
    beat.save(update_fields=["succeeded_at"])
    return outage.ended_at - outage.started_at


def is_site_down(now: datetime) -> bool:
    """Say whether no web process has left a sign of life for a while. One query.

    A site that never had one, in tests or a simulation, is up.
    """
    if settings.SIMULATED_CLOCK:
        return False
    return Heartbeat.objects.filter(job=PULSE_JOB, succeeded_at__lte=now - OFF_AT_LEAST).exists()
