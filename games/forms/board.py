"""What the forms of all boards share.

Whatever is posted ends as a valid form or an invalid one, never in an exception; what the rules
say to it is the engine's business.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Final

from django import forms

from games.engine.api import Json

MAX_VERSION: Final = 100_000
MAX_PLAN: Final = 2_000
"""Characters; no plan is nearly as long."""


class BoardForm(forms.Form):
    """What every form of a board carries: the version it was rendered at, and its own id."""

    version = forms.IntegerField(min_value=0, max_value=MAX_VERSION)
    request_id = forms.CharField(max_length=64)


class ResignForm(BoardForm):
    """Giving up: the game, or the match with it."""

    what = forms.ChoiceField(choices=[("game", "game"), ("match", "match")])


def read_plan(text: str, types: Collection[str]) -> tuple[Json, ...]:
    """Read a plan that was laid before, of actions of these types; nothing from nothing.

    Raises `ValidationError`.
    """
    try:
        actions = json.loads(text or "[]")
    except (ValueError, RecursionError) as fault:
        raise forms.ValidationError("not JSON") from fault
    if not isinstance(actions, list) or not all(_is_planned(action, types) for action in actions):
        raise forms.ValidationError("not a plan")
    return tuple(actions)


def _is_planned(action: object, types: Collection[str]) -> bool:
    if not isinstance(action, dict):
        return False
    kind = action.get("type")
    return isinstance(kind, str) and kind in types
