"""The record of a finished game, as anybody may download it (docs/spec/records.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from games.engine.api import Json
from games.engine.records import write_record
from games.engine.registry import get_title
from games.engine.shuffle import Shuffle, commitment
from games.models import Game
from games.selectors import game_setup


def game_record(game: Game, payloads: Iterable[Json]) -> Json:
    """Write a finished game and its secret with its actions. Everything in it is open by then.

    Raises `ValueError` for a game that has not been finished: its deal is not to be told.
    """
    if game.status != Game.Status.FINISHED:
        raise ValueError("the game is not finished")
    match, title = game.match, get_title(game.match.title)
    assert game.finished_at is not None
    return write_record(
        title,
        game_setup(game),
        [title.action_json(title.parse_action(payload)) for payload in payloads],
        shuffle=_shuffle(game).as_json(),
        players=[match.player_0.name, match.player_1.name],
        date=game.finished_at.date().isoformat(),
        result={
            "winner": game.winner,
            "reason": game.reason,
            "points": [game.points_0, game.points_1],
        },
        event=f"match {match.pk}, round {game.round} of {match.n_rounds}",
    )


def record_lines(games: Iterable[tuple[Game, Iterable[Json]]]) -> Iterator[str]:
    """Write finished games as JSON Lines: a record a line, as the engine's commands read them."""
    for game, payloads in games:
        yield json.dumps(game_record(game, payloads), ensure_ascii=False) + "\n"


def _shuffle(game: Game) -> Shuffle:
    match = game.match
    secret = bytes.fromhex(match.secrets[game.round - 1])
    maker, accepter = (bytes.fromhex(nonce) for nonce in match.nonces)
    starter = "rule" if game.round > 1 else match.starter
    return Shuffle(
        commitment=commitment(secret),
        secret=secret,
        nonces=(maker, accepter),
        round_number=game.round,
        starter="agreed" if starter == "agreed" else "lot" if starter == "lot" else "rule",
    )
