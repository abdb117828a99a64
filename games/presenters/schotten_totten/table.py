"""The table of Schotten Totten for one viewer: nine stones, hands, claims, and what to do now.

Everything is made from the viewer's own view of the state and from the prover.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from games.presenters.faces import CardFace
from games.presenters.schotten_totten.cards import card_face, card_faces
from games.presenters.schotten_totten.claims import Claim, claims_of, claims_win
from games.presenters.schotten_totten.hands import Blocked, Hand, blocked_of, hand_of
from games.presenters.schotten_totten.laying import Laying, lay
from games.presenters.schotten_totten.prompts import prompt_of
from games.presenters.schotten_totten.prospects import Prospect, prospects_of
from games.presenters.schotten_totten.reasons import why_no_card
from games.presenters.schotten_totten.steps import Steps, steps_of
from games.presenters.schotten_totten.stones import Stone, stones_of
from games.presenters.sight import Sight


@dataclass(frozen=True, slots=True)
class Tactics:
    """What only games with tactics cards have on the table."""

    n_deck: int
    played_top: int
    """Tactics cards ever played by the player above the border."""
    played_bottom: int
    discard: tuple[CardFace, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The whole table, and what the viewer can do at it now."""

    stones: tuple[Stone, ...]
    top: Hand
    bottom: Hand
    held_top: int
    """Stones held by the player above the border."""
    held_bottom: int
    n_deck: int
    tactics: Tactics | None
    claims: tuple[Claim, ...]
    prospects: tuple[Prospect, ...]
    prompt: str
    steps: Steps
    win: tuple[int, ...]
    """The stones that win the game if they are claimed now."""
    taken: CardFace | None
    """The card that the chosen ruse takes."""
    blocked: tuple[Blocked, ...]
    is_planned: bool
    plan: str
    """The laid plan as the hidden field carries it."""

    @property
    def open_claims(self) -> tuple[Claim, ...]:
        """Give the claims that can be chosen."""
        return tuple(claim for claim in self.claims if claim.can_choose)

    @property
    def can_take_back(self) -> bool:
        """Say whether anything of the plan can be taken back."""
        return self.is_planned or self.steps.has_own_step


def present(sight: Sight) -> Table:
    """Lay the table for one viewer, their plan on it."""
    laying = lay(sight)
    view, claims = laying.view, _claims(laying)
    steps = steps_of(laying)
    win = _win(laying, claims)
    blocked = blocked_of(laying, steps)
    owners = [stone["owner"] for stone in view["stones"]]
    laid = sight.plan.laid
    return Table(
        stones=stones_of(laying, steps, claims),
        top=hand_of(laying, steps, sight.top),
        bottom=hand_of(
            laying, steps, sight.bottom, lambda code: why_no_card(laying, steps, code, blocked)
        ),
        held_top=owners.count(sight.top),
        held_bottom=owners.count(sight.bottom),
        n_deck=view["decks"]["clan"],
        tactics=_tactics(laying) if laying.has_tactics else None,
        claims=claims,
        prospects=prospects_of(laying),
        prompt=prompt_of(laying, steps, claims, win),
        steps=steps,
        win=win,
        taken=card_face(steps.taken) if steps.taken else None,
        blocked=blocked,
        is_planned=bool(laid),
        plan=json.dumps(list(laid), sort_keys=True) if laid else "",
    )


def _tactics(laying: Laying) -> Tactics:
    view, sight = laying.view, laying.sight
    return Tactics(
        n_deck=view["decks"]["tactics"],
        played_top=view["tactics_played"][sight.top],
        played_bottom=view["tactics_played"][sight.bottom],
        discard=card_faces(view["discard"]),
    )


def _claims(laying: Laying) -> tuple[Claim, ...]:
    """Judge the viewer's full sides as the plan leaves them, or as the turn found them.

    Under `start_of_turn` a side that the planned card fills can only be claimed next turn.
    """
    sight = laying.sight
    if sight.seat is None or not sight.is_running:
        return ()
    is_before = laying.claims_option == "start_of_turn"
    state, view = (sight.state, laying.now) if is_before else (laying.state, laying.view)
    is_due = sight.is_to_act and (
        laying.now["phase"] == "play"
        if is_before
        else laying.claims_option == "after_play" and laying.phase in ("play", "end")
    )
    return claims_of(sight.title, state, view, sight.seat, sight.plan.chosen, is_due=is_due)


def _win(laying: Laying, claims: Sequence[Claim]) -> tuple[int, ...]:
    """Find the fewest stones, lower numbers first, that win the game if they are claimed now."""
    sight = laying.sight
    stones = [claim.stone for claim in claims if claim.can_choose]
    if sight.seat is None or not stones or sight.plan.picked:
        return ()
    is_before = laying.claims_option == "start_of_turn"
    if not is_before and laying.phase != "end":
        return ()
    state = sight.state if is_before else laying.state
    for n in range(1, len(stones) + 1):
        for some in combinations(stones, n):
            if claims_win(sight.title, state, sight.seat, some):
                return some
    return ()
