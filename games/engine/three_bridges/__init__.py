"""Three Bridges (Három híd), complete. Source of the rules: docs/spec/three-bridges.md."""

from __future__ import annotations

from typing import Final

from games.engine.three_bridges import actions, legal, state, turns
from games.engine.three_bridges import describe as telling
from games.engine.three_bridges import view as showing
from games.engine.three_bridges.meta import META


class ThreeBridges:
    """The title, meeting `games.engine.api.Title`."""

    meta = META
    setup = staticmethod(state.set_up)
    deal = staticmethod(state.deal)
    to_act = staticmethod(state.to_act)
    legal_actions = staticmethod(legal.legal_actions)
    forced_turn = staticmethod(legal.forced_turn)
    apply = staticmethod(turns.apply)
    events = staticmethod(turns.events)
    outcome = staticmethod(showing.outcome)
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


THREE_BRIDGES: Final = ThreeBridges()
