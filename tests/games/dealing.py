"""Matches made one after the other, by processes of their own: `python -m tests.games.dealing`.

It is told how many, and the ids of the two who play. A second half is made by a process forked
from the first, as a worker of Celery is.
"""

from __future__ import annotations

import os
import sys
import uuid


def deal(count: int, owner_id: int, opponent_id: int) -> None:
    """Start so many matches through the services, with no browser that adds to their shuffles."""
    from django.utils import timezone

    from accounts.models import User
    from games.services.offers import offer_accept, offer_create
    from tests.games.conftest import terms

    owner, opponent = (User.objects.get(pk=pk) for pk in (owner_id, opponent_id))
    for _ in range(count):
        now = timezone.now()
        asked = {"maker": owner, "kind": "seek", "terms": terms(), "request_id": str(uuid.uuid4())}
        offer_accept(offer_id=offer_create(**asked, now=now).pk, user=opponent, now=now)


def _main(count: int, *players: int) -> int:
    import django
    from django.db import connections

    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()
    deal(count - count // 2, *players)
    connections.close_all()
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    deal(count // 2, *players)
    return 0


if __name__ == "__main__":
    sys.exit(_main(*map(int, sys.argv[1:])))
