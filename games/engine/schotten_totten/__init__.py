"""Schotten Totten, complete: base game and tactics, with all three ways of claiming."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.engine.api import Ruleset
from games.engine.schotten_totten import actions, legal, state, turns
from games.engine.schotten_totten import describe as telling
from games.engine.schotten_totten import view as showing
from games.engine.schotten_totten.cards import CLAN_CODES, TACTICS_CODES
from games.engine.schotten_totten.forced import forced_turn
from games.engine.schotten_totten.meta import META
from games.engine.shuffle import shuffled


def deal(ruleset: Ruleset, below: Callable[[int], int]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Shuffle the clan deck, then with tactics the tactics deck (docs/spec/shuffle.md, 7)."""
    piles = [("deck", shuffled(CLAN_CODES, below))]
    if state.rules_of(ruleset).tactics:
        piles.append(("tactics_deck", shuffled(TACTICS_CODES, below)))
    return tuple(piles)


class SchottenTotten:
    """The title, meeting `games.engine.api.Title`."""

    meta = META
    setup = staticmethod(state.set_up)
    deal = staticmethod(deal)
    to_act = staticmethod(state.to_act)
    legal_actions = staticmethod(legal.legal_actions)
    forced_turn = staticmethod(forced_turn)
    apply = staticmethod(turns.apply)
    events = staticmethod(telling.events)
    outcome = staticmethod(state.outcome)
    next_first = staticmethod(state.next_first)
    parse_action = staticmethod(actions.parse_action)
    action_json = staticmethod(actions.action_json)
    resign = staticmethod(actions.resign)
    timeout = staticmethod(actions.timeout)
    state_json = staticmethod(showing.state_json)
    view = staticmethod(showing.view)
    redact = staticmethod(showing.redact)
    describe = staticmethod(telling.describe)
    check = staticmethod(state.check)


SCHOTTEN_TOTTEN: Final = SchottenTotten()
