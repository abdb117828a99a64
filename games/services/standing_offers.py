"""Offers in the course of time: they expire, and repeated seeks are offered anew."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.db import transaction

from accounts.services import users_lock
from games.models import Match, Offer, Submission
from games.presence import is_attended
from games.selectors import n_running_of_series
from games.services.offers import lasts, offer_close, offer_lock, offer_tell

log = logging.getLogger(__name__)

MOST_A_SWEEP: Final = 500


def offers_sweep(*, now: datetime) -> int:
    """Close what expired, and offer anew what waited for a match to end; gives how many."""
    expired = Offer.objects.filter(status=Offer.Status.OPEN, expires_at__lte=now)
    due = expired.order_by("expires_at").values_list("pk", flat=True)[:MOST_A_SWEEP]
    waiting = Offer.objects.filter(status=Offer.Status.WAITING).order_by("pk")
    n_closed = sum(_alone(offer_expire, offer_id, now) for offer_id in list(due))
    found = list(waiting.values_list("pk", flat=True))
    return n_closed + sum(_alone(seek_reopen, offer_id, now) for offer_id in found)


def offer_expire(*, offer_id: int, now: datetime) -> bool:
    """Close an offer whose time is over; says whether this call did. Twice is as good as once.

    Its maker finds it among the own offers for a day. Locks: the offer's row. After commit:
    lists and waiting pages are told.
    """
    with transaction.atomic(durable=True):
        offer = offer_lock(offer_id)
        is_late = offer.is_expired(now)
        if is_late:
            offer_close(offer, Offer.Status.EXPIRED, now)
    return is_late


def seek_reopen(*, offer_id: int, now: datetime) -> bool:
    """Offer a repeated seek anew once fewer matches of it run; says whether this call did.

    Not for a maker who lost the last of them on time, or never came, nor for one who is not there
    to play live: it is withdrawn then.
    Locks: the maker's row, then the offer's. After commit: lists are told.
    """
    with transaction.atomic(durable=True):
        maker_id = Offer.objects.values_list("maker_id", flat=True).get(pk=offer_id)
        users_lock(maker_id)
        offer = offer_lock(offer_id)
        series_id = offer.series_id or offer.pk
        if offer.status != Offer.Status.WAITING:
            return False
        if n_running_of_series(series_id) >= offer.n_at_once:
            return False
        is_attended_now = Offer.objects.filter(is_attended(now), pk=offer.pk).exists()
        if not is_attended_now or _was_away(series_id):
            offer_close(offer, Offer.Status.WITHDRAWN, now)
            return False
        offer.status, offer.created_at = Offer.Status.OPEN, now
        offer.expires_at = now + lasts(offer.kind, offer.pace_slug)
        offer.save(update_fields=["status", "created_at", "expires_at"])
        offer_tell(offer)
    return True


def _was_away(series_id: int) -> bool:
    """Say whether the maker let the last match of a series lapse; they sit in seat 0."""
    ended = Match.objects.filter(offer__series=series_id) | Match.objects.filter(offer=series_id)
    last = ended.exclude(finished_at=None).order_by("-finished_at").first()
    if last is None:
        return False
    if last.ending == Match.Ending.ABANDONED:
        return not Submission.objects.filter(game__match=last, seat=0).exists()
    return last.ending == Match.Ending.TIMEOUT and last.winner == 1


def _alone(work: Callable[..., bool], offer_id: int, now: datetime) -> bool:
    """Do one offer of many: a fault in it is told, and keeps no other waiting."""
    try:
        return work(offer_id=offer_id, now=now)
    except Exception:
        log.exception("offer %s not seen to", offer_id)
        return False
