"""How a title is shown and read on the site: what its line in `games/boards.py` holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from django.utils.functional import Promise

from games.engine.api import AnyTitle, Json, Ruleset, Seat
from games.presenters.answers import AnswerWords
from games.presenters.faces import CardFace, Faces
from games.presenters.sight import Plan, Sight


class TurnForm(Protocol):
    """A posted step of a turn. Its `cleaned_data` has `version` and `request_id`."""

    cleaned_data: dict[str, Any]

    def is_valid(self) -> bool:
        """Say whether what was posted can be read; the rules are not asked."""

    def plan_of(self) -> Plan:
        """Give the plan after this step; nothing is asked of the rules here."""

    def actions_of(self, ruleset: Ruleset) -> tuple[Json, ...]:
        """Give what confirming sends: the plan's actions in the order that the ruleset wants."""

    def check(self, title: AnyTitle, state: Any, seat: Seat, ruleset: Ruleset) -> None:
        """Raise the `Refusal` that this step meets; that the plan is not whole yet is none."""


@dataclass(frozen=True, slots=True)
class TitleBoard:
    """How a title is shown: table and cards as values, the templates that draw them, its form.

    The table has a `prompt`, and `held` by seat position in `held_top` and `held_bottom`.
    `styles` are style sheets besides css/board.css.
    """

    present: Callable[[Sight], Any]
    faces: Faces
    turn_form: Callable[[Any], TurnForm]
    """Made from the posted data."""
    template: str
    unseen: Callable[[Json, Ruleset], tuple[tuple[CardFace, ...], ...]]
    """Lists the cards that a viewer has not seen, kind by kind, from their view of a game."""
    rules: Callable[[Ruleset], Any]
    """Draws what the rules page of a ruleset shows."""
    rules_template: str
    summary_template: str
    resign_text: str | Promise
    """What resigning a game means, told before it is done."""
    text: str | Promise
    """What the title is, in one line."""
    answers: AnswerWords
    """How turns are prepared while the opponent is to act."""
    styles: tuple[str, ...] = ()
