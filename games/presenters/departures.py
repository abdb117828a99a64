"""What deleting an account would end, in numbers; and what a player's own data hold of games."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse

from accounts.models import User
from games.engine.api import Seat, other
from games.models import Game, Match, Offer
from games.presenters.history import result_for
from games.selectors import matches_abortable, matches_all, offers_by, running_match_ids


@dataclass(frozen=True, slots=True)
class DepartureShown:
    """How many matches would be aborted and lost, and how many offers withdrawn."""

    n_aborted: int
    n_lost: int
    n_offers: int


def departure_shown(player: User, now: datetime) -> DepartureShown:
    """Count what would end with an account. Three queries."""
    running = running_match_ids(player)
    n_aborted = len(matches_abortable(running))
    return DepartureShown(
        n_aborted,
        len(running) - n_aborted,
        sum(offer.status != Offer.Status.EXPIRED for offer in offers_by(player, now)),
    )


def matches_export(player: User) -> list[dict[str, Any]]:
    """List a player's matches; the records of finished games are named by their addresses."""
    return [_match(match, match.seat_of(player.pk) or 0) for match in matches_all(player)]


def _match(match: Match, seat: Seat) -> dict[str, Any]:
    return {
        "match": match.pk,
        "game": match.title,
        "ruleset": match.ruleset_slug,
        "pace": match.pace_slug,
        "rated": match.is_rated,
        "private": match.is_private,
        "seat": seat,
        "opponent": match.players[other(seat)].name,
        "begun": match.started_at,
        "ended": match.finished_at,
        "result": result_for(match, seat).value,
        "ending": match.ending,
        "points": match.points[seat],
        "opponent_points": match.points[other(seat)],
        "games": [_game(game) for game in sorted(match.games.all(), key=lambda game: game.round)],
    }


def _game(game: Game) -> dict[str, Any]:
    is_open = game.status == Game.Status.FINISHED
    return {
        "round": game.round,
        "begun": game.started_at,
        "ended": game.finished_at,
        "result": game.reason,
        "record": reverse("games:game_record", args=[game.pk]) if is_open else None,
    }
