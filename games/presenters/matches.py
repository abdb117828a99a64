"""What a match's page shows, for one user: score, rounds, commitments, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.access import AnyUser
from games.engine.api import Seat
from games.engine.shuffle import NO_NONCE
from games.models import Game, Match, Offer
from games.presenters.offers import GameShown, commitments_to, game_shown
from games.presenters.terms import TermsText, terms_text
from games.selectors import game_running, match_again, match_games, rematch_offer

REASONS: Final[dict[str, Any]] = {
    "adjacent": _("three stones next to each other"),
    "five": _("five stones"),
    "blocked": _("nobody could play any more"),
    "bridges": _("the bridges were counted"),
    "resign": _("by resignation"),
    "timeout": _("on time"),
}
"""How a game ended, by the engine's reason; said after who won."""

ENDINGS: Final[dict[str, Any]] = {
    Match.Ending.POINTS: _("by points"),
    Match.Ending.RESIGN: _("by resignation"),
    Match.Ending.TIMEOUT: _("on time"),
    Match.Ending.ABORT: _("Aborted before both had made a first turn."),
    Match.Ending.ABANDONED: _("Aborted: the first turn was not made in time."),
    Match.Ending.ANNULLED: _("Annulled by a moderator: it counts nowhere."),
    Match.Ending.ACCOUNT: _("since the other account was deleted"),
}
"""How a match ended. Those with a winner have a result before it."""


_LEFT: Final = frozenset({Match.Ending.RESIGN, Match.Ending.TIMEOUT, Match.Ending.ACCOUNT})
"""Endings in which a player left games unplayed that count."""


def ending_text(match: Match, n_games: int) -> str:
    """Tell how a match of which `n_games` were begun ended; empty while it runs."""
    told = str(ENDINGS.get(match.ending, ""))
    if match.ending in _LEFT and n_games < match.n_rounds:
        return gettext("%(ending)s; games not played count 5 : 0") % {"ending": told}
    return told


def reason_text(game: Game, match: Match) -> str:
    """Tell how a finished game ended, said after who won.

    Whoever deletes the account gives up the running game by that: nobody resigned it.
    """
    if match.ending == Match.Ending.ACCOUNT and game.finished_at == match.finished_at:
        return str(ENDINGS[match.ending])
    return str(REASONS.get(game.reason, ""))


@dataclass(frozen=True, slots=True)
class PlayerShown:
    """One of the two, with their points of the match."""

    user: User
    seat: Seat
    points: int
    is_winner: bool
    is_you: bool
    nonce: str
    """What their browser added to the shuffles, in hex; empty where it sent nothing."""


@dataclass(frozen=True, slots=True)
class RoundShown:
    """A round: played, being played, or still to come (then `game` is None).

    `secret` is what the round was dealt from, in hex, once its game is finished.
    """

    number: int
    game: Game | None
    winner: User | None
    starter: User | None
    reason: str
    commitment: str
    secret: str

    @property
    def is_finished(self) -> bool:
        """Say whether the round was played to an end."""
        return self.game is not None and self.game.status == Game.Status.FINISHED


@dataclass(frozen=True, slots=True)
class RematchShown:
    """Where playing again stands: a `match` that came of it, or an `offer` that waits."""

    offer: Offer | None
    match: Match | None
    is_mine: bool
    url: str
    """Where the new match goes on: its running board or its own page; empty without one."""
    commitments: Sequence[str]
    """To the secrets that the rematch is dealt from: those of `offer`, or of the next one."""


@dataclass(frozen=True, slots=True)
class MatchShown:
    """Everything on the page of a match."""

    match: Match
    terms: TermsText
    players: tuple[PlayerShown, PlayerShown]
    rounds: Sequence[RoundShown]
    running: GameShown | None
    """The game that is being played, and whose turn it is."""
    last_game: Game
    """The game whose socket says that something changed here."""
    winner: User | None
    ending: str
    is_player: bool
    can_resign: bool
    can_abort: bool
    rematch: RematchShown | None
    """There for players of a match that is over."""


def match_shown(match: Match, user: AnyUser, now: datetime, *, can_abort: bool) -> MatchShown:
    """Present a match. Three queries at most, whatever the number of its rounds.

    `can_abort`: the match may still be aborted, by one of its players.
    """
    games = match_games(match)
    running = next((game for game in games if game.is_running), None)
    is_player = match.seat_of(user.pk) is not None
    is_over = match.status != Match.Status.RUNNING
    return MatchShown(
        match,
        terms_text(match),
        (_player(match, 0, user), _player(match, 1, user)),
        _rounds(match, games),
        game_shown(running, user, now) if running else None,
        games[-1],
        _seated(match, match.winner),
        ending_text(match, len(games)),
        is_player,
        can_resign=is_player and running is not None,
        can_abort=is_player and can_abort,
        rematch=rematch_shown(match, user) if is_player and is_over else None,
    )


def rematch_shown(match: Match, user: AnyUser) -> RematchShown | None:
    """Say where playing a match again stands; None where one account is closed and there is none.

    Two queries, and one for the board of a rematch.
    """
    offer = rematch_offer(match)
    is_mine = offer is not None and offer.maker_id == user.pk
    again = match_again(match)
    front = again and (game_running(again) or again)
    if again is None and not match.has_both_players:
        return None
    url = front.get_absolute_url() if front else ""
    secrets = match.rematch_secrets if offer is None else offer.secrets
    return RematchShown(offer, again, is_mine, url, commitments_to(secrets))


def _player(match: Match, seat: Seat, user: AnyUser) -> PlayerShown:
    player = match.players[seat]
    return PlayerShown(
        player,
        seat,
        match.points[seat],
        is_winner=match.winner == seat,
        is_you=player.pk == user.pk,
        nonce="" if match.nonces[seat] == NO_NONCE.hex() else match.nonces[seat],
    )


def _rounds(match: Match, games: Sequence[Game]) -> list[RoundShown]:
    by_round = {game.round: game for game in games}
    commitments = commitments_to(match.secrets)
    return [
        _round(match, number, by_round.get(number), commitments[number - 1])
        for number in range(1, match.n_rounds + 1)
    ]


def _round(match: Match, number: int, game: Game | None, commitment: str) -> RoundShown:
    is_finished = game is not None and game.status == Game.Status.FINISHED
    return RoundShown(
        number,
        game,
        winner=_seated(match, game.winner) if game else None,
        starter=_seated(match, game.first) if game else None,
        reason=reason_text(game, match) if game else "",
        commitment=commitment,
        secret=match.secrets[number - 1] if is_finished else "",
    )


def _seated(match: Match, seat: int | None) -> User | None:
    if seat is None:
        return None
    player: User = match.players[seat]
    return player
