"""A step of Three Bridges as it is posted: a card to a bridge, or the answer to an ability."""

from __future__ import annotations

from typing import Any

from django import forms

from games.engine.api import AnyTitle, Json, Ruleset, Seat
from games.forms.board import BoardForm
from games.plans import plan_complete
from games.presenters.sight import NO_PLAN, Plan

_STEPS = ("lay", "take_back", "confirm", "decline")
_KINDS = ("place", "name", "turn", "swap", "move", "extra")


class ThreeBridgesTurnForm(BoardForm):
    """What is asked for (`kind`), and what was chosen for it.

    `target` is a card in a row: seat and index for a Leaf, bridge and index for an Ober.
    """

    step = forms.ChoiceField(required=False, choices=[(step, step) for step in _STEPS])
    kind = forms.ChoiceField(choices=[(kind, kind) for kind in _KINDS])
    card = forms.CharField(required=False, max_length=2)
    bridge = forms.IntegerField(required=False, min_value=1, max_value=3)
    suit = forms.CharField(required=False, max_length=1)
    target = forms.RegexField(regex=r"\A[0-3]-[0-9]{1,2}\Z", required=False)

    def plan_of(self) -> Plan:
        """Give the plan after this step: the card and bridge chosen, and nothing else."""
        data = self.cleaned_data
        if data["step"] == "take_back" or not _is_placing(data):
            return NO_PLAN
        return Plan(picked=_placing(data))

    def actions_of(self, ruleset: Ruleset) -> tuple[Json, ...]:
        """Give the one action that is sent; none where something was not chosen."""
        data = self.cleaned_data
        if data["step"] == "decline":
            return ({"type": "skip"},)
        action = _placing(data) if _is_placing(data) else _answer(data)
        return (action,) if action else ()

    def check(self, title: AnyTitle, state: Any, seat: Seat, ruleset: Ruleset) -> None:
        """Raise the `Refusal` that this step meets; nothing is tried out."""
        if self.cleaned_data["step"] != "take_back":
            plan_complete(title, state, seat, self.actions_of(ruleset))


def _is_placing(data: dict[str, Any]) -> bool:
    return data["kind"] in ("place", "extra")


def _placing(data: dict[str, Any]) -> Json:
    if not data["card"] or not data["bridge"]:
        return {}
    return {"type": data["kind"], "card": data["card"], "bridge": data["bridge"]}


def _answer(data: dict[str, Any]) -> Json:
    """Give the use of an ability, empty where its target or suit was not chosen."""
    if data["kind"] == "swap":
        return {"type": "swap"}
    if data["kind"] == "name":
        return {"type": "name", "suit": data["suit"]} if data["suit"] else {}
    if not data["target"]:
        return {}
    place, index = map(int, data["target"].split("-"))
    key = "side" if data["kind"] == "turn" else "bridge"
    return {"type": data["kind"], key: place, "index": index}
