"""Every match is dealt anew, whichever process deals it: here, beside this one, after a restart."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from games.engine.shuffle import NO_NONCE
from games.models import Match, Offer
from tests.games.conftest import Cast, running_game
from tests.games.dealing import deal
from tests.workers import ROOT, beside

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def dealer(folder: Path, count: int, *players: int) -> subprocess.Popen[str]:
    """Start a process that makes so many matches."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.games.dealing", *map(str, (count, *players))],
        cwd=ROOT,
        env=beside(folder),
        stderr=subprocess.PIPE,
        text=True,
    )


def done(process: subprocess.Popen[str]) -> None:
    """Wait until a process has made its matches."""
    _, told = process.communicate(timeout=120)
    assert process.returncode == 0, told


def test_fault_39_no_deal_comes_twice_in_any_process(cast: Cast, tmp_path: Path) -> None:
    """Fifty matches here, and fifty by two processes at once and one that is started after them.

    Browsers draw the nonces, and there is none: it is by the site's own secrets that no two
    deals are alike.
    """
    players = (cast.owner.pk, cast.opponent.pk)
    for process in [dealer(tmp_path, 16, *players) for _ in "12"]:
        done(process)
    done(dealer(tmp_path, 18, *players))
    deal(50, *players)
    matches = list(Match.objects.all())
    assert len(matches) == 100
    assert {nonce for match in matches for nonce in match.nonces} == {NO_NONCE.hex()}
    assert len({tuple(running_game(match).piles["deck"]) for match in matches}) == 100
    drawn = [secret for match in matches for secret in (*match.secrets, *match.rematch_secrets)]
    assert len(set(drawn)) == len(drawn) == 600
    assert len(set(Offer.objects.values_list("token", flat=True))) == 100
