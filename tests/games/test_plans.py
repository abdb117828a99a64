"""Plans and submissions: what shows a card ends a submission, and is never tried out."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.api import Json, Setup
from games.engine.errors import MalformedRecord
from games.engine.registry import TITLES, get_ruleset, get_title
from games.engine.schotten_totten.cards import CLAN_CODES, TACTICS_CODES
from games.plans import plan_complete, plan_fold
from games.refusals import Code, Refusal

TITLE = get_title("schotten-totten")
RECRUITER: Json = {"type": "play", "card": "RE"}
CLAN: Json = {"type": "draw", "from": "clan"}
TACTICS: Json = {"type": "draw", "from": "tactics"}


def recruiting() -> Any:
    """Give a state in which seat 0 holds the Recruiter and is to play."""
    tactics = ("RE", *(code for code in TACTICS_CODES if code != "RE"))
    ruleset = get_ruleset("schotten-totten", "after-play-tactics")
    state = TITLE.setup(Setup(ruleset, 0, (("deck", CLAN_CODES), ("tactics_deck", tactics))))
    first: list[Json] = [
        {"seat": 0, "type": "play", "card": "R1", "stone": 1},
        {"seat": 0, **TACTICS},
        {"seat": 1, "type": "play", "card": "O1", "stone": 1},
        {"seat": 1, **CLAN},
    ]
    for payload in first:
        state = TITLE.apply(state, TITLE.parse_action(payload))
    return state


def types(actions: tuple[Json, ...]) -> list[str]:
    return [action["type"] for action in actions]


def test_a_draw_that_leaves_the_turn_open_is_not_closed() -> None:
    assert types(plan_complete(TITLE, recruiting(), 0, [RECRUITER, CLAN])) == ["play", "draw"]


@pytest.mark.parametrize("guess", ["Y9", "G1", "R2", "JA"])
def test_no_answer_tells_of_a_card_before_it_is_drawn(guess: str) -> None:
    """Whether a guessed card could be put back would tell what lies on top of a deck."""
    returned = {"type": "return", "card": guess}
    with pytest.raises(Refusal) as caught:
        plan_complete(TITLE, recruiting(), 0, [RECRUITER, CLAN, CLAN, CLAN, returned])
    assert caught.value.code == Code.MALFORMED


def test_no_draw_is_tried_out() -> None:
    with pytest.raises(MalformedRecord):
        plan_fold(TITLE, recruiting(), 0, [RECRUITER, CLAN])


def test_where_two_decks_have_cards_the_player_chooses() -> None:
    play = {"type": "play", "card": "R3", "stone": 1}
    with pytest.raises(Refusal) as caught:
        plan_complete(TITLE, recruiting(), 0, [play])
    assert caught.value.code == Code.INCOMPLETE
    assert plan_complete(TITLE, recruiting(), 0, [play, TACTICS])[-1]["from"] == "tactics"


def test_a_turn_that_only_has_to_be_ended_is_ended_by_an_empty_plan() -> None:
    state = recruiting()
    for payload in (RECRUITER, CLAN, CLAN, CLAN):
        state = TITLE.apply(state, TITLE.parse_action({**payload, "seat": 0}))
    with pytest.raises(Refusal) as caught:
        plan_complete(TITLE, state, 0, [])
    assert caught.value.code == Code.INCOMPLETE
    returns = [{"type": "return", "card": card} for card in ("R3", "R4")]
    assert types(plan_complete(TITLE, state, 0, returns)) == ["return", "return", "end"]
    for payload in returns:
        state = TITLE.apply(state, TITLE.parse_action({**payload, "seat": 0}))
    assert types(plan_complete(TITLE, state, 0, [])) == ["end"]


def test_where_a_title_says_nothing_every_action_may_show_a_card() -> None:
    meta = TITLES["three-bridges"].meta
    assert meta.shows is None
    assert meta.may_show("place")
    assert TITLE.meta.may_show("draw")
    assert not TITLE.meta.may_show("play")
    assert not TITLE.meta.may_show(["draw"])
