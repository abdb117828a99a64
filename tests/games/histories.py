"""Pasts for tests: many matches of one player written straight into the tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction
from django.test import Client

from accounts.models import User
from games.engine.schotten_totten.cards import CLAN_CODES
from games.models import Game, Match

BEGIN = datetime(2026, 1, 1, 12, tzinfo=UTC)
FINISHED = {"status": Match.Status.FINISHED, "ending": Match.Ending.POINTS}


@contextmanager
def written_once(blocker: Any) -> Iterator[None]:
    """Open the database for a fixture that outlives a test; what it writes is taken back."""
    with blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


def past_match(player_0: User, player_1: User, number: int, **rest: Any) -> Match:
    """Give an unsaved match of one round that seat 0 has won; it began `number` hours after."""
    at = BEGIN + timedelta(hours=number)
    told = {"winner": 0, "points_0": 5, "points_1": 2, **FINISHED, "finished_at": at}
    return Match(
        title="schotten-totten",
        n_rounds=1,
        pace_slug="per-turn-3",
        secrets=["ab" * 32],
        nonces=["00" * 16] * 2,
        starter="lot",
        player_0=player_0,
        player_1=player_1,
        started_at=at,
        **{"ruleset_slug": "after-play", **told, **rest},
    )


def write_past(matches: list[Match]) -> list[Match]:
    """Save matches, each with its one game."""
    saved = Match.objects.bulk_create(matches, batch_size=2000)
    Game.objects.bulk_create([_game_of(match) for match in saved], batch_size=2000)
    return saved


def _game_of(match: Match) -> Game:
    is_finished = match.status == Match.Status.FINISHED
    return Game(
        match=match,
        round=1,
        status=match.status,
        rules_version=1,
        piles={"deck": list(CLAN_CODES)},
        first=0,
        turn=None if match.status != Match.Status.RUNNING else 0,
        turn_started_at=match.started_at,
        winner=match.winner,
        reason="five" if is_finished else "",
        points_0=match.points_0,
        points_1=match.points_1,
        started_at=match.started_at,
        finished_at=match.finished_at,
    )


def shown(client: Client, path: str) -> list[int]:
    """Give the ids of the matches that a page of history lists, in order."""
    return [int(number) for number in re.findall(r'id="match-(\d+)"', client.get(path).text)]


def link(client: Client, path: str, rel: str) -> str:
    """Give the address of the next or previous page, empty where there is none."""
    found = re.search(rf'rel="{rel}" href="(\?[^"]*)"', client.get(path).text)
    return path.partition("?")[0] + found[1].replace("&amp;", "&") if found else ""
