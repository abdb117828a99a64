"""A block at the same moment as a match begins: one of the two came first, and it shows."""

from __future__ import annotations

import pytest
from django.utils import timezone

from accounts.blocks import block_set
from accounts.conduct import Block
from games.models import Match, Offer
from tests.games.conftest import Cast, make_offer
from tests.games.races import ROUNDS, answerer, race, told

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def test_fault_105_blocking_against_accepting(cast: Cast) -> None:
    """The match began before the block, and runs, or is refused; afterwards all are refused."""
    for _ in range(ROUNDS):
        offer, later = make_offer(cast.owner), make_offer(cast.owner)
        results = race(
            answerer(offer, cast.opponent),
            lambda: block_set(blocker=cast.owner, blocked=cast.opponent, now=timezone.now()),
        )
        assert results[1] is True
        assert Match.objects.filter(offer=offer).exists() == (results[0] != "cannot_meet")
        assert told(race(answerer(later, cast.opponent))) == {"cannot_meet": 1}
        Block.objects.all().delete()
        Offer.objects.filter(status=Offer.Status.OPEN).update(status=Offer.Status.WITHDRAWN)


def test_blocked_in_two_tabs_by_both_is_two_blocks(cast: Cast) -> None:
    pairs = [(cast.owner, cast.opponent), (cast.opponent, cast.owner)]
    for _ in range(ROUNDS):
        race(
            *[
                lambda pair=pair: block_set(blocker=pair[0], blocked=pair[1], now=timezone.now())
                for pair in pairs * 3
            ]
        )
        assert Block.objects.count() == 2
        Block.objects.all().delete()
