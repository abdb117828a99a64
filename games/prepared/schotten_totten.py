"""Prepared answers of Schotten Totten.

Conditions: `{"when": "any"}`, `{"when": "tactics"}`, `{"when": "lays", "clan": "R" or "", "value":
1 to 9 or None, "stone": 1 to 9 or None}`, `{"when": "claims" or "claims_not", "stone": …}`.
Plans: `{"card": code, "stone": 1 to 9, "claims": "none", "holds" or a stone, "draw": deck}`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.engine.api import AnyTitle, Json, Ruleset, Seat
from games.engine.errors import IllegalAction
from games.engine.schotten_totten.cards import BA, CARD_OF, CODES, N_CLAN, RE, ST, TR
from games.plans import illegal, plan_fold
from games.prepared.answers import Answer, PublicEvent
from games.refusals import Code, Refusal

WHEN: Final = ("any", "lays", "claims", "claims_not", "tactics")
TO_STONES: Final = frozenset(CODES) - {CODES[ruse] for ruse in (RE, ST, BA, TR)}
"""The cards that are laid at a stone and ask for nothing else: others cannot be prepared."""

_RUSES: Final = (
    "recruiter",
    "strategist_moves",
    "strategist_discards",
    "banshee",
    "traitor",
)


class SchottenTottenAnswers:
    """Meets `games.prepared.answers.TitleAnswers`."""

    def check(
        self, title: AnyTitle, ruleset: Ruleset, view: Json, seat: Seat, answer: Answer
    ) -> None:
        """Raise the `Refusal` that an answer meets now."""
        _check_condition(ruleset, answer.condition)
        _check_play(title, ruleset, view, seat, answer.plan)

    def is_met(self, condition: Json, events: Sequence[PublicEvent], opponent: Seat) -> bool:
        """Say whether the opponent's turn meets a condition."""
        when = condition["when"]
        theirs = [event for event in events if event.seat == opponent]
        if when == "lays":
            return any(_is_laid(condition, event) for event in theirs)
        if when == "tactics":
            return any(_is_tactics(event) for event in theirs)
        if when in ("claims", "claims_not"):
            return any(_is_claimed(condition, event) for event in theirs) is (when == "claims")
        return bool(when == "any")

    def actions(
        self, title: AnyTitle, ruleset: Ruleset, state: Any, seat: Seat, plan: Json
    ) -> tuple[Json, ...]:
        """Give the actions of a plan: claims where the ruleset has them, the draw last.

        Where one deck is left, or nothing is to be drawn, the choice of deck does not count.
        """
        play = ({"type": "play", "card": plan["card"], "stone": plan["stone"]},)
        rule = dict(ruleset.options)["claims"]
        before: tuple[Json, ...] = ()
        if rule == "start_of_turn":
            before = _claims(title, state, seat, plan, ())
        laid = (*before, *play)
        if rule == "after_play":
            laid += _claims(title, state, seat, plan, laid)
        folded = plan_fold(title, state, seat, laid)
        if folded.refused is not None or title.to_act(folded.state) != seat:
            return laid
        n_draws = sum(a["type"] == "draw" for a in title.view(folded.state, seat)["legal"])
        return (*laid, {"type": "draw", "from": plan["draw"]}) if n_draws > 1 else laid


def _check_condition(ruleset: Ruleset, condition: Json) -> None:
    if condition.get("when") not in WHEN:
        raise Refusal(Code.MALFORMED)
    if condition["when"] == "tactics" and not _has_tactics(ruleset):
        raise Refusal(Code.MALFORMED)
    if condition["when"] == "claims_not" and condition["stone"] is None:
        raise Refusal(Code.INCOMPLETE)


def _check_play(title: AnyTitle, ruleset: Ruleset, view: Json, seat: Seat, plan: Json) -> None:
    """Refuse what no turn of the opponent can make possible."""
    card, stone = plan["card"], view["stones"][plan["stone"] - 1]
    if card not in view["hands"][seat]:
        raise illegal(title, IllegalAction("not_in_hand", {"card": card}))
    if card not in TO_STONES:
        raise Refusal(Code.NOT_PREPARED)
    if stone["owner"] is not None:
        raise illegal(title, IllegalAction("stone_claimed", {"stone": plan["stone"]}))
    is_full = len(stone["sides"][seat]) >= 3 and card in CODES[:N_CLAN]
    if is_full and not _has_tactics(ruleset):
        raise illegal(title, IllegalAction("side_full", {"stone": plan["stone"]}))


def _has_tactics(ruleset: Ruleset) -> bool:
    return bool(dict(ruleset.options)["tactics"])


def _is_laid(condition: Json, event: PublicEvent) -> bool:
    """Say whether a card like this was laid; where clan or value counts, only clan cards do."""
    if event.kind != "play" or condition["stone"] not in (None, event.get("stone")):
        return False
    card = event.get("card")
    if not condition["clan"] and condition["value"] is None:
        return True
    if CARD_OF[card] >= N_CLAN:
        return False
    return condition["clan"] in ("", card[0]) and condition["value"] in (None, int(card[1]))


def _is_tactics(event: PublicEvent) -> bool:
    if event.kind == "play":
        return CARD_OF[event.get("card")] >= N_CLAN
    return event.kind in _RUSES


def _is_claimed(condition: Json, event: PublicEvent) -> bool:
    is_claim = event.kind in ("claim", "goes_over")
    return is_claim and condition["stone"] in (None, event.get("stone"))


def _claims(
    title: AnyTitle, state: Any, seat: Seat, plan: Json, laid: tuple[Json, ...]
) -> tuple[Json, ...]:
    """Give the claims of a plan: the one stone named, or each that holds then, in order."""
    if plan["claims"] == "none":
        return ()
    if plan["claims"] != "holds":
        return ({"type": "claim", "stone": plan["claims"]},)
    folded = plan_fold(title, state, seat, laid)
    if folded.refused is not None or title.to_act(folded.state) != seat:
        return ()
    legal = title.view(folded.state, seat)["legal"]
    return tuple(action for action in legal if action["type"] == "claim")
