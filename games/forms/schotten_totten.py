"""A turn of Schotten Totten as it is posted: a step of planning it, or all of it to be made."""

from __future__ import annotations

from typing import Any, Final

from django import forms

from games.engine.api import AnyTitle, Json, Ruleset, Seat
from games.engine.errors import MalformedRecord
from games.forms.board import MAX_PLAN, BoardForm, read_plan
from games.plans import illegal, plan_check
from games.presenters.schotten_totten.steps import DISCARD, MOVERS, OWN_STEP, TAKERS, pick_refusal
from games.presenters.sight import Plan
from games.refusals import Code, Refusal

PLANNED: Final = ("play", "pass", "return")
"""The actions that a plan may hold. Claims are check boxes, a draw is the button that sends the
plan, and giving up has its own form."""
DRAWS: Final = ("clan", "tactics")
STEPS: Final = ("lay", "pass", "take_back", "confirm", "win", *DRAWS)


class SchottenTottenTurnForm(BoardForm):
    """What has been chosen in this step, the plan that was laid before, and claims.

    `win` are the stones that the button "Claim and win" claims, ticked or not.
    `picked` is the card that the page had asked about when it was rendered: what is posted of
    `take` belongs to it.
    """

    step = forms.ChoiceField(required=False, choices=[(step, step) for step in STEPS])
    plan = forms.CharField(required=False, max_length=MAX_PLAN)
    card = forms.CharField(required=False, max_length=2)
    picked = forms.CharField(required=False, max_length=2)
    take = forms.CharField(required=False, max_length=2)
    stone = forms.ChoiceField(
        required=False, choices=[(goal, goal) for goal in (*"123456789", DISCARD)]
    )
    back = forms.CharField(required=False, max_length=2)
    claim = forms.TypedMultipleChoiceField(
        required=False, coerce=int, choices=[(str(n), str(n)) for n in range(1, 10)]
    )

    win = forms.TypedMultipleChoiceField(
        required=False, coerce=int, choices=[(str(n), str(n)) for n in range(1, 10)]
    )

    def clean_plan(self) -> tuple[Json, ...]:
        """Read the plan that was laid before."""
        return read_plan(self.cleaned_data["plan"], PLANNED)

    def plan_of(self) -> Plan:
        """Give the plan after this form's step; nothing is asked of the rules here."""
        data = self.cleaned_data
        laid = self._laid(data)
        picked = {} if laid or data["step"] == "take_back" else _picked(data)
        chosen = data["win"] if data["step"] == "win" else data["claim"]
        return Plan(laid, frozenset(chosen), picked)

    def actions_of(self, ruleset: Ruleset) -> tuple[Json, ...]:
        """Give what confirming sends, in the order that the ruleset wants; a draw comes last."""
        plan, step = self.plan_of(), self.cleaned_data["step"]
        claims = tuple({"type": "claim", "stone": stone} for stone in sorted(plan.chosen))
        actions = claims + plan.laid if _claims_first(ruleset) else plan.laid + claims
        return (*actions, {"type": "draw", "from": step}) if step in DRAWS else actions

    def check(self, title: AnyTitle, state: Any, seat: Seat, ruleset: Ruleset) -> None:
        """Raise the `Refusal` that this step meets; that the plan is not whole yet is none."""
        plan = self.plan_of()
        if self.cleaned_data["step"] == "lay" and not plan.laid:
            _check_picked(title, state, seat, plan.picked)
        if plan.laid or _claims_first(ruleset):
            plan_check(title, state, seat, self.actions_of(ruleset))

    def _laid(self, data: dict[str, Any]) -> tuple[Json, ...]:
        plan: tuple[Json, ...] = data["plan"]
        if data["step"] == "take_back":
            return ()
        if data["step"] == "pass":
            return ({"type": "pass"},)
        if data["step"] == "lay" and data["back"]:
            return (*plan, {"type": "return", "card": data["back"]})
        return _play(_picked(data)) if data["step"] == "lay" or not plan else plan


def _claims_first(ruleset: Ruleset) -> bool:
    return dict(ruleset.options)["claims"] == "start_of_turn"


def _picked(data: dict[str, Any]) -> Json:
    """Give what has been chosen of a play."""
    keys = ("card", "take", "stone") if data["picked"] == data["card"] else ("card", "stone")
    return {key: data[key] for key in keys if data[key]}


def _play(picked: Json) -> tuple[Json, ...]:
    """Give the play that was chosen; nothing where a part of it is still to be chosen."""
    card, take, goal = picked.get("card"), picked.get("take"), picked.get("stone")
    stone = int(goal) if goal and goal != DISCARD else None
    play: Json = {"type": "play", "card": card}
    if card == "RE":
        return (play,)
    if card in MOVERS and take and goal:
        return ({**play, "take": take, "to": stone},)
    if card in TAKERS:
        return ({**play, "take": take},) if take and card not in MOVERS else ()
    return ({**play, "stone": stone},) if card and stone else ()


def _check_picked(title: AnyTitle, state: Any, seat: Seat, picked: Json) -> None:
    """Raise the `Refusal` that a half-chosen play meets.

    A clan card or elite troop comes with its stone; all others are asked about step by step.
    """
    if picked.get("card") not in OWN_STEP:
        raise Refusal(Code.INCOMPLETE)
    try:
        refused = pick_refusal(title, state, seat, picked)
    except MalformedRecord as fault:
        raise Refusal(Code.MALFORMED) from fault
    if refused is not None:
        raise illegal(title, refused)
