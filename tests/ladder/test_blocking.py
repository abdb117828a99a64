"""What a block does on a ladder: the rows "pairing" and "rating" of the table."""

from __future__ import annotations

import pytest
from django.utils import timezone

from accounts.blocks import block_lift, block_set
from accounts.models import User
from games.models import Match
from ladder import pairings
from ladder.services import match_rate
from tests.games.conftest import Cast, client_of
from tests.ladder.conftest import beat, rated_match, rating, resign
from tests.ladder.test_pairings import players_of, wish

PAGE = "/ladders/schotten-totten/after-play/"

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("is_turned", [False, True])
def test_pairing(cast: Cast, is_turned: bool) -> None:
    """Fault 105: who is blocked is never paired with the blocker, and both with others."""
    pair = (cast.opponent, cast.owner) if is_turned else (cast.owner, cast.opponent)
    block_set(blocker=pair[0], blocked=pair[1], now=timezone.now())
    for user in pair:
        wish(user)
    assert pairings.pairing_sweep(now=timezone.now()) == 0
    wish(cast.stranger, 2)
    assert pairings.pairing_sweep(now=timezone.now()) == 2
    assert all("Stranger" in players_of(match) for match in Match.objects.all())
    for user in pair:
        wish(user, 2)
    assert pairings.pairing_sweep(now=timezone.now()) == 0
    block_lift(blocker=pair[0], blocked=pair[1])
    assert pairings.pairing_sweep(now=timezone.now()) == 1


def test_who_waits_is_not_told_of_the_block(cast: Cast) -> None:
    """Nothing about pairing tells of it; the button that challenges does, to its two."""
    block_set(blocker=cast.owner, blocked=cast.opponent, now=timezone.now())
    for user in (cast.owner, cast.opponent):
        wish(user)
    for user in (cast.owner, cast.opponent):
        page = client_of(user).get(PAGE).text.partition("<table")[0]
        assert "blocked" not in page
        assert "cannot play each other" not in page


def test_challenging_from_the_standings(cast: Cast) -> None:
    """The blocker is told plainly; who was blocked reads what stands everywhere."""
    block_set(blocker=cast.owner, blocked=cast.opponent, now=timezone.now())
    for user in (cast.owner, cast.opponent, cast.stranger):
        wish(user)
    pages = {user.name: client_of(user).get(PAGE).text for user in User.objects.all()}
    assert "You have blocked Opponent." in pages["Owner"]
    assert "You two cannot play each other." not in pages["Owner"]
    assert "You two cannot play each other." in pages["Opponent"]
    assert "You have blocked" not in pages["Opponent"]
    for name, to in (("Owner", "Opponent"), ("Opponent", "Owner")):
        assert f"kind=challenge&amp;to={to}&amp;" not in pages[name]
        assert "kind=challenge&amp;to=Stranger&amp;" in pages[name]
    assert pages["Stranger"].count("kind=challenge&amp;") == 2


def test_rating(cast: Cast) -> None:
    """What was played counts, and so does what is still being played."""
    match_rate(match_id=beat(cast.owner, cast.opponent).pk, now=timezone.now())
    before = rating(cast.owner), rating(cast.opponent)
    running = rated_match(cast.owner, cast.opponent)
    block_set(blocker=cast.opponent, blocked=cast.owner, now=timezone.now())
    assert (rating(cast.owner), rating(cast.opponent)) == before
    match_rate(match_id=resign(running, cast.opponent).pk, now=timezone.now())
    assert rating(cast.owner) > before[0]
