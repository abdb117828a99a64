"""The contract of docs/adding-a-title.md, on every ruleset of every registered title, unasked."""

from __future__ import annotations

import pytest

from games.engine.registry import TITLES, get_ruleset, get_title
from tests.engine import contract
from tests.engine.contract import VIEWERS, Played

RULESETS = [
    pytest.param(title, ruleset, id=f"{title.meta.slug} {ruleset.slug}")
    for title in TITLES.values()
    for ruleset in title.meta.rulesets
]
every_ruleset = pytest.mark.parametrize(("title", "ruleset"), RULESETS)
CHECKS = [
    contract.check_deal,
    contract.check_states,
    contract.check_actions,
    contract.check_refusals,
    contract.check_outcome,
    contract.check_events,
    contract.check_views,
    contract.check_replay,
]


@every_ruleset
def test_200_random_games_end(title, ruleset):
    for seed in range(200):
        game = Played(title, ruleset, seed)
        assert title.outcome(game.states[-1]) is not None
        assert contract.n_turns(game) <= ruleset.max_turns


@every_ruleset
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_random_games_keep_the_contract(check, title, ruleset):
    for seed in range(12):
        check(Played(title, ruleset, seed))


@every_ruleset
def test_either_seat_may_give_up_at_any_moment(title, ruleset):
    for seed in range(3):
        contract.check_endings(Played(title, ruleset, seed))


@every_ruleset
def test_forced_turns_are_the_only_ones(title, ruleset):
    n_forced = sum(contract.check_forced(Played(title, ruleset, seed)) for seed in range(60))
    assert bool(n_forced) == (title.meta.slug == "schotten-totten")


@every_ruleset
@pytest.mark.parametrize("viewer", VIEWERS)
def test_hidden_cards_change_nothing_that_is_shown(viewer, title, ruleset):
    for seed in range(12):
        game = Played(title, ruleset, seed)
        for n in contract.moments(game, seed):
            contract.check_secrets(game, n, viewer)


@every_ruleset
def test_rulesets_are_found_by_their_slugs(title, ruleset):
    assert get_title(title.meta.slug) is title
    assert get_ruleset(title.meta.slug, ruleset.slug) is ruleset
    assert ruleset.title == title.meta.slug
    assert ruleset.name
    assert ruleset.summary


@pytest.mark.parametrize("title", TITLES.values(), ids=lambda title: title.meta.slug)
def test_actions_that_may_show_a_card_exist(title):
    rulesets = title.meta.rulesets
    contract.check_shows([Played(title, rules, seed) for rules in rulesets for seed in range(6)])


@pytest.mark.parametrize("title", TITLES.values(), ids=lambda title: title.meta.slug)
def test_meta_is_sound(title):
    meta = title.meta
    assert len({ruleset.slug for ruleset in meta.rulesets}) == len(meta.rulesets)
    assert len({ruleset.options for ruleset in meta.rulesets}) == len(meta.rulesets)
    assert meta.default_rounds > 0
    assert meta.rules_version > 0
    assert meta.designer
    assert all(code.replace("_", "").islower() for code in meta.refusals)
