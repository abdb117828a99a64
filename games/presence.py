"""Whether somebody is there who asks for live play: only then is a live seek of use."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q

from games.paces import CORRESPONDENCE

HERE_FOR: Final = timedelta(minutes=5)
"""So long after the last sign of somebody they are taken to be there."""


def is_attended(now: datetime) -> Q:
    """Give the condition under which nobody need miss the maker of an offer at the board.

    Always by correspondence. For live play its maker was seen lately, on any page; to have made
    the offer by hand is as good, for browsers that tell nothing.
    """
    since = now - HERE_FOR
    by_hand = Q(again_of=None, created_at__gte=since)
    return Q(pace_slug__in=CORRESPONDENCE) | by_hand | Q(maker__presence__seen_at__gte=since)
