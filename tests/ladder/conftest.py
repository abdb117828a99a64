"""Players, rated matches made for them through the services, and the ladder computed anew."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.utils import timezone

from accounts.models import User
from games.models import Match
from games.services.turns import match_resign
from ladder.elo import Score, Side, rate
from ladder.models import Ladder, LedgerEntry, Standing
from tests.games.conftest import cast, make_match, make_user, request_id, running_game

__all__ = ["cast"]

TITLE, RULESET = "schotten-totten", "after-play"


def make_players(count: int, prefix: str = "Player") -> list[User]:
    """Make players who can log in with no password asked."""
    return [make_user(f"{prefix}{number}") for number in range(1, count + 1)]


def rated_match(one: User, two: User, **rest: Any) -> Match:
    """Start a rated match of one round: `one` holds seat 0."""
    return make_match(one, two, n_rounds=1, is_rated=True, **rest)


def resign(match: Match, loser: User, at: datetime | None = None) -> Match:
    """Let a player resign a running match."""
    game = running_game(match)
    match_resign(
        game_id=game.pk,
        user=loser,
        expected_version=game.version,
        request_id=request_id(),
        now=at or timezone.now(),
    )
    match.refresh_from_db()
    return match


def beat(winner: User, loser: User, at: datetime | None = None) -> Match:
    """Give a finished rated match that `winner` won; nobody has rated it yet."""
    return resign(rated_match(winner, loser), loser, at)


def finished_matches(results: Iterable[tuple[User, User, int | None]]) -> list[Match]:
    """Write finished rated matches straight into the table: players and the seat that won."""
    now = timezone.now()
    return Match.objects.bulk_create(
        Match(
            title=TITLE,
            ruleset_slug=RULESET,
            n_rounds=1,
            pace_slug="per-turn-3",
            is_rated=True,
            secrets=["00" * 32],
            nonces=["00" * 16] * 2,
            starter="lot",
            player_0=one,
            player_1=two,
            winner=winner,
            status=Match.Status.FINISHED,
            ending=Match.Ending.POINTS,
            started_at=now,
            finished_at=now,
        )
        for one, two, winner in results
    )


def the_ladder() -> Ladder:
    """Give the ladder of all these matches."""
    return Ladder.objects.get(title=TITLE, ruleset_slug=RULESET)


def rating(user: User) -> int:
    """Read a player's rating anew."""
    return Standing.objects.get(ladder=the_ladder(), user=user).rating


def replay(skip: Iterable[Match] = ()) -> dict[int, Side]:
    """Compute every standing anew from the ledger's matches alone, in the order of their keys."""
    skipped = {match.pk for match in skip}
    entries = LedgerEntry.objects.filter(kind=LedgerEntry.Kind.MATCH, seat=0)
    sides: dict[int, Side] = {}
    for entry in entries.select_related("match").order_by("ladder", "order_key"):
        if entry.match_id in skipped:
            continue
        ids = (entry.match.player_0_id, entry.match.player_1_id)
        winner = entry.match.winner
        score = Score.DRAW if winner is None else Score.WIN if winner == 0 else Score.LOSS
        steps = rate(sides.get(ids[0], Side()), sides.get(ids[1], Side()), score)
        sides |= {user_id: step.after for user_id, step in zip(ids, steps, strict=True)}
    return sides


def assert_ledger_is_sound(matches: Iterable[Match]) -> None:
    """One entry per match and player, standings as a serial replay has them, nothing created."""
    expected = {
        (match.pk, pk) for match in matches for pk in (match.player_0_id, match.player_1_id)
    }
    entries = list(LedgerEntry.objects.order_by("order_key", "seat"))
    found = [(entry.match_id, entry.user_id) for entry in entries]
    assert len(found) == len(set(found))
    assert set(found) == expected
    keys = [entry.order_key for entry in entries if entry.seat == 0]
    assert keys == list(range(1, len(keys) + 1))
    standings = {row.user_id: row.side for row in Standing.objects.all() if row.n_matches}
    assert standings == replay()
    for first, second in zip(entries[::2], entries[1::2], strict=True):
        assert (first.seat, second.seat) == (0, 1)
        if first.k == second.k:
            assert first.change + second.change == 0
    if all(entry.k == entries[0].k for entry in entries):
        assert sum(entry.change for entry in entries) == 0
