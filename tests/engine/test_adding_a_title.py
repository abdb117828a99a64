"""docs/adding-a-title.md is true: a small title, entered in the list, keeps the contract."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from games.engine.api import AnyTitle, Outcome
from games.engine.registry import TITLES
from tests.engine import contract
from tests.engine.command_line import run
from tests.engine.high_card import HIGH_CARD, META
from tests.engine.test_contract import CHECKS

RULESETS = pytest.mark.parametrize("ruleset", META.rulesets, ids=lambda ruleset: ruleset.slug)


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    title: AnyTitle = HIGH_CARD
    monkeypatch.setitem(TITLES, META.slug, title)


@RULESETS
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_small_title_keeps_the_contract(check, ruleset):
    for seed in range(20):
        check(contract.Played(HIGH_CARD, ruleset, seed))


@RULESETS
@pytest.mark.parametrize("viewer", contract.VIEWERS)
def test_the_small_title_keeps_its_secrets(viewer, ruleset):
    for seed in range(20):
        game = contract.Played(HIGH_CARD, ruleset, seed)
        for n in range(len(game.actions)):
            contract.check_secrets(game, n, viewer)


@RULESETS
def test_the_small_title_may_be_given_up(ruleset):
    contract.check_endings(contract.Played(HIGH_CARD, ruleset, 1))


def test_the_command_line_knows_the_small_title_unasked():
    played = run("selfplay", "--game", META.slug, "--seed", "3")
    record = json.loads(played.out)
    state = json.loads(run("replay", "-", data=played.out).out)
    assert (record["game"], state["phase"], state["reason"]) == (META.slug, "over", "tricks")
    assert run("verify", "-", data=played.out).out == "checked: commitment, deck, first, play\n"


@RULESETS
def test_selfplay_plays_every_ruleset_of_the_small_title(ruleset):
    played = run("selfplay", "--game", META.slug, "--ruleset", ruleset.slug)
    assert json.loads(played.out)["ruleset"] == ruleset.as_json()


def test_a_bot_plays_a_title_that_it_has_not_learnt():
    played = run("selfplay", "--game", META.slug, "--policy", "greedy")
    assert run("replay", "-", data=played.out).code == 0


def show_next(state):
    return {"next": state.deck[:1]}


def show_rest(state):
    return {"rest": list(state.deck)}


def show_all_hands(state):
    return {"held": sorted(state.hands[0] + state.hands[1])}


def merge_hands(state):
    return {"hands": 2 * [sorted(state.hands[0] + state.hands[1])]}


def peek(state):
    """The next card as if it were in the hand already."""
    hands = [sorted(hand) for hand in state.hands]
    return {"hands": [sorted((*hands[0], *state.deck[:1])), hands[1]]}


LEAKS = [show_next, show_rest, show_all_hands, merge_hands, peek]
MOMENTS = (0, 1, 2, 3)


def is_found(viewers=contract.VIEWERS):
    """Say whether the check complains about the small title as it now is."""
    for seed in range(3):
        game = contract.Played(HIGH_CARD, META.rulesets[0], seed)
        for n in MOMENTS:
            for viewer in viewers:
                try:
                    contract.check_secrets(game, n, viewer)
                except AssertionError:
                    return True
    return False


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_in_the_view_would_be_found(leak, monkeypatch):
    view = HIGH_CARD.view
    monkeypatch.setattr(HIGH_CARD, "view", lambda state, seat: view(state, seat) | leak(state))
    assert is_found()


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_that_the_state_and_all_views_share_would_be_found(leak, monkeypatch):
    """What a title's own writer says is not for that reason public."""
    write = HIGH_CARD._write
    monkeypatch.setattr(HIGH_CARD, "_write", lambda state, *more: write(state, *more) | leak(state))
    assert is_found()


def test_a_leak_in_the_redacted_actions_would_be_found(monkeypatch):
    redact = HIGH_CARD.redact

    def leaky(state, actions, viewer):
        return [*redact(state, actions, viewer), {"seat": 0, "type": "see", "card": state.deck[0]}]

    monkeypatch.setattr(HIGH_CARD, "redact", leaky)
    assert is_found(["spectator"])


def test_secrets_are_looked_for_after_every_action_of_a_short_game():
    game = contract.Played(HIGH_CARD, META.rulesets[0], 1)
    assert list(contract.moments(game, 5)) == list(range(len(game.actions)))


def test_secrets_are_looked_for_at_different_moments_of_long_games():
    title = TITLES["schotten-totten"]
    game = contract.Played(title, title.meta.rulesets[0], 1)
    seen = {n for seed in range(12) for n in contract.moments(game, seed)}
    assert seen == set(range(len(game.actions)))


def changed(monkeypatch, **meta):
    monkeypatch.setattr(type(HIGH_CARD), "meta", replace(META, **meta))
    return contract.Played(HIGH_CARD, META.rulesets[0], 1)


def test_actions_that_are_said_to_show_a_card_must_exist(monkeypatch):
    contract.check_shows([changed(monkeypatch, shows=frozenset({"lay"}))])
    with pytest.raises(AssertionError, match=r"no such type of action: .*draw"):
        contract.check_shows([changed(monkeypatch, shows=frozenset({"draw"}))])


def test_open_piles_must_exist(monkeypatch):
    with pytest.raises(AssertionError, match=r"no such pile: .*talon"):
        contract.check_deal(changed(monkeypatch, open_piles=frozenset({"talon"})))


def test_a_pile_that_records_do_not_know_is_told(monkeypatch):
    game = contract.Played(HIGH_CARD, META.rulesets[0], 1)
    game.setup = replace(game.setup, piles=(*game.setup.piles, ("talon", ("A",))))
    with pytest.raises(AssertionError, match="talon is missing in PILES"):
        contract.check_deal(game)
    with pytest.raises(ValueError, match="talon is missing in PILES"):
        game.record()


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (Outcome(0, "tricks", (4, 1)), "a winner has 5 points and a loser fewer, not 4 and 1"),
        (Outcome(1, "tricks", (5, 5)), "a winner has 5 points and a loser fewer, not 5 and 5"),
        (Outcome(0, "More tricks!", (5, 1)), "no slug: 'More tricks!'"),
    ],
)
def test_an_outcome_that_the_site_cannot_use_is_told(outcome, told, monkeypatch):
    game = contract.Played(HIGH_CARD, META.rulesets[0], 1)
    written = {
        "winner": outcome.winner,
        "reason": outcome.reason,
        "drawn": False,
        "points": list(outcome.points),
    }
    monkeypatch.setattr(HIGH_CARD, "outcome", lambda _: outcome)
    monkeypatch.setattr(HIGH_CARD, "state_json", lambda _: written)
    with pytest.raises(AssertionError, match=re.escape(told)):
        contract.check_outcome(game)
