"""Claims of Schotten Totten in words: what the prover says of a player's full sides.

The prover reads public cards only, so nothing here tells where a hidden card is.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext

from games.engine.api import AnyTitle, Json, Seat, gettext_noop
from games.engine.schotten_totten.formations import FORMATION_NAMES, Formation
from games.engine.schotten_totten.proof import Verdict, judge_claim
from games.plans import plan_fold
from games.presenters.log import Sentence, pieces_of, plain
from games.presenters.schotten_totten.cards import face_of

VERDICTS: Final[dict[str, str]] = {
    "unbeatable": gettext_noop(
        "Your %(own)s cannot be beaten any more: the best that can still come is %(theirs)s."
    ),
    "too_few_unseen": gettext_noop(
        "Your %(own)s cannot be beaten: too few cards are left to fill the other side."
    ),
    "stronger": gettext_noop("Your %(own)s beats %(theirs)s."),
    "completed_first": gettext_noop("Both sides are %(own)s, and yours was completed first."),
    "not_proven": gettext_noop(
        "Not yet: %(completion)s could still beat your %(own)s, as %(theirs)s."
    ),
    "weaker": gettext_noop("The other side is stronger: %(theirs)s against your %(own)s."),
    "completed_later": gettext_noop("Both sides are %(own)s, and the other was completed first."),
}
"""Why a claim holds or does not, by the prover's reasons."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What the prover says of the viewer's full side of an unclaimed stone."""

    stone: int
    holds: bool
    can_choose: bool
    is_chosen: bool
    wins: bool
    """Whether this claim alone would win the game."""
    why: Sentence

    @property
    def why_text(self) -> str:
        """Give the reason as plain text."""
        return plain(self.why)


def formation_type(formation: Formation, size: int) -> str:
    """Name a formation of three or four cards."""
    if formation.type == "three-of-a-kind" and size == 4:
        return gettext("Four of a Kind")
    return gettext(FORMATION_NAMES[formation.type])


def formation_name(formation: Formation | None, size: int) -> str:
    """Name a formation with its sum: "Colour-Run 24"; nothing for none."""
    return f"{formation_type(formation, size)} {formation.sum}" if formation else ""


def claims_of(
    title: AnyTitle, state: Any, view: Json, seat: Seat, chosen: Collection[int], *, is_due: bool
) -> tuple[Claim, ...]:
    """Judge each unclaimed stone at which the seat's side is full, in order.

    `chosen` are the stones that the plan claims, `is_due` says whether claims can be planned.
    """
    claims = []
    for number, stone in enumerate(view["stones"], start=1):
        verdict = judge_claim(state, seat, number)
        if stone["owner"] is None and verdict.reason != "not_full":
            why = _why(verdict, 4 if "MF" in stone["modes"] else 3)
            can_choose = is_due and verdict.holds
            claims.append(
                Claim(
                    stone=number,
                    holds=verdict.holds,
                    can_choose=can_choose,
                    is_chosen=can_choose and number in chosen,
                    wins=can_choose and claims_win(title, state, seat, [number]),
                    why=why,
                )
            )
    return tuple(claims)


def claims_win(title: AnyTitle, state: Any, seat: Seat, stones: Collection[int]) -> bool:
    """Say whether claiming these stones, in order, would end the game."""
    actions = [{"type": "claim", "stone": stone} for stone in sorted(stones)]
    return title.to_act(plan_fold(title, state, seat, actions).state) is None


def _why(verdict: Verdict, size: int) -> Sentence:
    params = {
        "own": formation_name(verdict.own, size),
        "theirs": formation_name(verdict.theirs, size),
        "completion": verdict.completion,
    }
    return pieces_of(VERDICTS[verdict.reason], params, {}, face_of)
