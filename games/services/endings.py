"""The only ways in which games and matches end, and the next game begins.

Rules of the match: docs/spec/schotten-totten.md, "Matches"; resignation, time-out and abort:
docs/decisions.md, "How a match can end".
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from games import publish, signals
from games.engine.api import Outcome, Seat
from games.engine.registry import get_title
from games.engine.shuffle import deal_setup
from games.models import Game, Match
from games.services.clocks import CLOCK_FIELDS, clock_start, clock_stop
from games.services.notices import game_ended_notice_due, match_ended_notice_due
from games.services.rows import match_lock

WINNER_POINTS = 5
"""What a won game brings; what the loser gets is the title's affair and never more."""

END = Match.Ending


def game_finish(
    game: Game, outcome: Outcome, *, now: datetime, match_ending: str | None = None
) -> Match:
    """End a locked game by its outcome, and move its match on: next game, or its end.

    `match_ending` is RESIGN or TIMEOUT where the loser of the game loses the match with it.
    Locks: the game's row is held, the match's is taken. After commit: pages are told, and
    `match_ended` is sent where the match is over.
    """
    _game_close(game, outcome, now)
    match = match_lock(game.match_id)
    match.points_0 += outcome.points[0]
    match.points_1 += outcome.points[1]
    n_left = match.n_rounds - game.round
    if match_ending is not None and outcome.winner is not None:
        _forfeit_score(match, outcome.winner, n_left)
        _match_close(match, Match.Status.FINISHED, match_ending, outcome.winner, now)
    elif is_decided(match.points, n_left):
        _match_close(match, Match.Status.FINISHED, END.POINTS, _leader(match), now)
    else:
        match.save(update_fields=["points_0", "points_1"])
        seat = get_title(match.title).next_first(0 if game.first == 0 else 1, outcome)
        following = game_start(match, game.round + 1, first=seat, now=now)
        game_ended_notice_due(game=game, following=following, now=now)
        publish.lobby_changed()
    return match


def is_decided(points: tuple[int, int], n_left: int) -> bool:
    """Say whether a match is over: no round is left, or those left could not level the score."""
    return n_left == 0 or abs(points[0] - points[1]) > WINNER_POINTS * n_left


def match_abort_now(game: Game, *, ending: str, now: datetime) -> Match:
    """End a match that never got going: no winner, no points.

    Locks: the row of its running game is held, the match's is taken.
    """
    game.status = Game.Status.ABORTED
    game.finished_at = now
    clock_stop(game, now)
    game.save(update_fields=["status", "finished_at", *CLOCK_FIELDS])
    publish.game_changed(game)
    match = match_lock(game.match_id)
    _match_close(match, Match.Status.ABORTED, ending, None, now)
    return match


def match_annul_now(match: Match) -> None:
    """Take a locked match that is over out of all counts. Its games stay as they were played.

    Locks: the match's row is held.
    """
    assert match.finished_at is not None
    _match_close(match, Match.Status.ABORTED, END.ANNULLED, None, match.finished_at)


def game_start(match: Match, round_: int, *, first: Seat | None, now: datetime) -> Game:
    """Deal and start a round. `first` is None where the lot decides (round 1 alone)."""
    title = get_title(match.title)
    setup = deal_setup(
        title,
        match.ruleset,
        bytes.fromhex(match.secrets[round_ - 1]),
        (bytes.fromhex(match.nonces[0]), bytes.fromhex(match.nonces[1])),
        round_,
        first,
    )
    game = Game(
        match=match,
        round=round_,
        rules_version=title.meta.rules_version,
        piles={key: list(cards) for key, cards in setup.piles},
        first=setup.first,
        started_at=now,
        bank_0=match.pace.bank,
        bank_1=match.pace.bank,
    )
    clock_start(game, title.to_act(title.setup(setup)), now)
    game.save(force_insert=True)
    return game


def _game_close(game: Game, outcome: Outcome, now: datetime) -> None:
    game.status = Game.Status.FINISHED
    game.winner, game.reason = outcome.winner, outcome.reason
    game.points_0, game.points_1 = outcome.points
    game.finished_at = now
    fields = ["status", "winner", "reason", "points_0", "points_1"]
    game.save(update_fields=[*fields, "finished_at"])
    publish.game_changed(game)


def _forfeit_score(match: Match, winner: Seat, n_left: int) -> None:
    """Count each round that is not played any more as 5 : 0 for the winner."""
    if winner == 0:
        match.points_0 += WINNER_POINTS * n_left
    else:
        match.points_1 += WINNER_POINTS * n_left


def _leader(match: Match) -> Seat | None:
    if match.points_0 == match.points_1:
        return None
    return 0 if match.points_0 > match.points_1 else 1


def _match_close(
    match: Match, status: int, ending: str, winner: Seat | None, now: datetime
) -> None:
    match.status, match.ending, match.winner, match.finished_at = status, ending, winner, now
    fields = ["status", "ending", "winner", "finished_at", "points_0", "points_1"]
    match.save(update_fields=fields)
    match_ended_notice_due(match=match, now=now)
    publish.lobby_changed()
    match_id = match.pk
    transaction.on_commit(lambda: signals.match_ended.send(Match, match_id=match_id), robust=True)
