"""What the list of a player's matches shows: each match with its games, from the player's side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import pgettext, pgettext_lazy

from accounts.models import User
from games.engine.api import Seat, other
from games.history import Result
from games.models import Game, Match
from games.paces import is_expired
from games.presenters.matches import ending_text, reason_text
from games.presenters.terms import TermsText, terms_text

RESULTS: Final[dict[Result, Any]] = {
    Result.WON: pgettext_lazy("result of a match", "Won"),
    Result.DRAWN: pgettext_lazy("result of a match", "Drawn"),
    Result.LOST: pgettext_lazy("result of a match", "Lost"),
    Result.RUNNING: pgettext_lazy("result of a match", "Running"),
    Result.ABORTED: pgettext_lazy("result of a match", "Aborted"),
}
"""What came of a match or a game for the player whose list it is."""


@dataclass(frozen=True, slots=True)
class GamePlayed:
    """A game of a match. `replay_url` is there once it is finished."""

    round: int
    result: Result
    result_text: str
    own_points: int
    their_points: int
    reason: str
    url: str
    replay_url: str

    @property
    def is_finished(self) -> bool:
        """Say whether the game has points to show."""
        return self.result in (Result.WON, Result.DRAWN, Result.LOST)


@dataclass(frozen=True, slots=True)
class MatchPlayed:
    """A match as a line of the list."""

    match: Match
    opponent: User
    terms: TermsText
    result: Result
    result_text: str
    own_points: int
    their_points: int
    ending: str
    games: Sequence[GamePlayed]


def matches_played(
    player: User, matches: Sequence[Match], games: Mapping[int, Sequence[Game]], now: datetime
) -> list[MatchPlayed]:
    """Present matches with their games. Asks for nothing itself."""
    return [_match(player, match, games.get(match.pk, ()), now) for match in matches]


def _match(player: User, match: Match, games: Sequence[Game], now: datetime) -> MatchPlayed:
    seat: Seat = 0 if match.player_0_id == player.pk else 1
    result = result_for(match, seat)
    is_late = any(game.is_running and is_expired(game.deadline_at, now) for game in games)
    return MatchPlayed(
        match,
        opponent=match.players[other(seat)],
        terms=terms_text(match),
        result=result,
        result_text=_time_is_up() if is_late else str(RESULTS[result]),
        own_points=match.points[seat],
        their_points=match.points[other(seat)],
        ending=ending_text(match, len(games)),
        games=[_game(game, match, seat, now) for game in games],
    )


def _game(game: Game, match: Match, seat: Seat, now: datetime) -> GamePlayed:
    result = result_for(game, seat)
    is_late = game.is_running and is_expired(game.deadline_at, now)
    is_finished = game.status == Game.Status.FINISHED
    points = (game.points_0, game.points_1)
    return GamePlayed(
        game.round,
        result,
        _game_text(result, is_late=is_late),
        points[seat],
        points[other(seat)],
        reason=reason_text(game, match) if is_finished else "",
        url=game.get_absolute_url(),
        replay_url=reverse("games:replay", args=[game.pk]) if is_finished else "",
    )


def _game_text(result: Result, *, is_late: bool) -> str:
    """Tell what came of a game; the match beside it says already that it runs."""
    if is_late:
        return _time_is_up()
    if result == Result.RUNNING:
        return pgettext("result of a game", "being played")
    return str(RESULTS[result])


def _time_is_up() -> str:
    """Tell that a deadline has passed: it only has to be written down."""
    return pgettext("result of a match", "Time is up")


def result_for(played: Match | Game, seat: Seat) -> Result:
    """Say what came of a match or a game for a seat; both have the same statuses."""
    if played.status == Match.Status.RUNNING:
        return Result.RUNNING
    if played.status == Match.Status.ABORTED:
        return Result.ABORTED
    if played.winner is None:
        return Result.DRAWN
    return Result.WON if played.winner == seat else Result.LOST
