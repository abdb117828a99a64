"""Turns that the site takes for who asked for it: where all can see that no other is possible.

They are written with the turn before them, under the same lock and in the same transaction, so
that no worker, sweep or second try has a part in it.
"""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any

from games.engine.api import AnyTitle, Json, Seat
from games.models import PreparedAnswer
from games.services.answers import answers_close
from games.services.rows import Writing, actions_write

log = logging.getLogger(__name__)


def forced_turns_write(writing: Writing, now: datetime) -> Any:
    """Take forced turns, one after another, for players who chose so; gives the state then.

    A turn that ends the game is the last; the caller ends the game. Locks: the game's row is held.
    After commit: the game's open pages are told.
    """
    game, title, state = writing.game, writing.title, writing.state
    while game.turn is not None and game.match.players[game.turn].takes_forced_turns:
        forced = title.forced_turn(game.match.ruleset, title.view(state, "spectator"))
        if not forced or not _is_only_turn(title, state, forced):
            break
        seat: Seat = 0 if game.turn == 0 else 1
        state = actions_write(Writing(game, title, state), forced, now, is_forced=True)
        answers_close(game, seat, now, why=PreparedAnswer.Why.FORCED)
    return state


def _is_only_turn(title: AnyTitle, state: Any, forced: tuple[Json, ...]) -> bool:
    """Check what the title said: a fault there must not stop the turn that was made before."""
    for payload in forced:
        action = title.parse_action(payload)
        if list(title.legal_actions(state)) != [action]:
            log.error("a turn of %s was called forced and is not", title.meta.slug)
            return False
        state = title.apply(state, action)
    return True
