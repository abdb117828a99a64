"""The pages of rules: one for each ruleset, with an example of everything the engine knows."""

from __future__ import annotations

import re
from html import unescape
from typing import Any, get_args

import pytest
from django.test import Client

from games.engine.api import Ruleset
from games.engine.registry import TITLES
from games.engine.schotten_totten.cards import COLOURS, TACTICS_CODES
from games.engine.schotten_totten.formations import FORMATION_NAMES
from games.engine.schotten_totten.meta import RULESETS, TACTICS_NAMES
from games.engine.three_bridges.cards import FIGURE, SUITS
from games.engine.three_bridges.meta import STANDARD
from games.engine.three_bridges.state import Ability
from games.models import Match
from games.presenters.schotten_totten import rules as schotten_totten
from games.presenters.three_bridges import rules as three_bridges
from games.presenters.three_bridges.cards import RANK_OF, SUIT_OF
from games.titles import playable_rulesets
from tests.games.conftest import make_offer

ALL = [ruleset for title in TITLES.values() for ruleset in title.meta.rulesets]
WITH_TACTICS = [ruleset for ruleset in RULESETS if dict(ruleset.options)["tactics"]]


def text_of(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return unescape(response.content.decode())


def page_of(client: Client, ruleset: Ruleset) -> str:
    return text_of(client, f"/rules/{ruleset.title}/{ruleset.slug}/")


def slug_of(ruleset: Any) -> str:
    return f"{ruleset.title}-{ruleset.slug}"


@pytest.mark.parametrize("ruleset", ALL, ids=slug_of)
def test_every_ruleset_has_its_page(client: Client, ruleset: Ruleset) -> None:
    page = page_of(client, ruleset)
    assert f"<h1>{ruleset.name}</h1>" in page
    assert TITLES[ruleset.title].meta.designer in page
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)
    mark = '<p class="ruling"><b class="ruling__mark">Ruling</b> '
    assert f"{mark}A lead of more than 5 points for each game left cannot be caught up" in page


def test_the_index_lists_every_ruleset_with_what_it_is(client: Client) -> None:
    page = text_of(client, "/rules/")
    for ruleset in ALL:
        assert f'href="/rules/{ruleset.title}/{ruleset.slug}/"' in page
        assert ruleset.summary in page
    assert "Reiner Knizia" in page


def test_a_title_without_ruleset_shows_its_first(client: Client) -> None:
    for title in TITLES.values():
        page = text_of(client, f"/rules/{title.meta.slug}/")
        assert f"<h1>{title.meta.rulesets[0].name}</h1>" in page


@pytest.mark.parametrize(
    "path",
    ["/rules/nothing/", "/rules/schotten-totten/nothing/", "/rules/three-bridges/after-play/"],
)
def test_unknown_rules_are_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("ruleset", RULESETS, ids=slug_of)
def test_every_formation_has_its_example(client: Client, ruleset: Ruleset) -> None:
    page = page_of(client, ruleset)
    shown = re.findall(r'id="formation-([^"]+)"', page)
    assert shown == list(reversed(FORMATION_NAMES))
    assert all(name in page for name in FORMATION_NAMES.values())


def test_examples_of_formations_are_what_they_stand_for() -> None:
    assert set(schotten_totten.FORMATIONS) == set(FORMATION_NAMES)
    for slug, example in zip(
        reversed(FORMATION_NAMES),
        schotten_totten.present_rules(RULESETS[0]).formations,
        strict=True,
    ):
        assert example.slug == slug


@pytest.mark.parametrize("ruleset", WITH_TACTICS, ids=slug_of)
def test_every_tactics_card_has_its_example(client: Client, ruleset: Ruleset) -> None:
    page = page_of(client, ruleset)
    shown = re.findall(r'id="card-([^"]+)"', page)
    assert sorted(shown) == sorted(TACTICS_CODES)
    assert all(f"<h4>{name}</h4>" in page for name in TACTICS_NAMES.values())
    assert "dealt 7 clan cards" in page


def test_pages_without_tactics_link_to_those_with_them(client: Client) -> None:
    page = page_of(client, RULESETS[0])
    assert "Tactics cards</h2>" not in page
    assert "dealt 6 clan cards" in page
    assert 'href="/rules/schotten-totten/after-play-tactics/"' in page


def test_each_way_to_claim_is_told_where_it_holds(client: Client) -> None:
    told = {
        "after_play": "any stones you can prove: one, several, or none.",
        "start_of_turn": "can be claimed in your next turn at the earliest",
        "automatic": "by themselves as soon as they are decided",
    }
    for ruleset in RULESETS:
        page = page_of(client, ruleset)
        claims = dict(ruleset.options)["claims"]
        assert [way for way, text in told.items() if text in page] == [claims]


def test_the_prover_itself_explains_the_example_of_a_claim(client: Client) -> None:
    rules = schotten_totten.present_rules(RULESETS[0])
    assert (rules.claim_open.holds, rules.claim_proven.holds) == (False, True)
    assert (rules.claim_early.holds, rules.claim_refused.holds) == (True, False)
    assert len(rules.colours) == len(COLOURS)
    page = page_of(client, RULESETS[0])
    assert "Your Colour-Run 15 cannot be beaten any more" in page
    assert "The claim is refused." in page


def test_every_suit_figure_and_ability_has_its_example(client: Client) -> None:
    examples = {**three_bridges.SUIT_ABILITIES, **three_bridges.FIGURE_ABILITIES}
    asked = {example.asked[0] for example in examples.values() if example.asked}
    assert asked == set(get_args(Ability))
    assert set(three_bridges.SUIT_ABILITIES) == set(SUITS)
    figures = {figure for figure in FIGURE.values() if figure} | {three_bridges.CHRONICLER}
    assert set(three_bridges.FIGURE_ABILITIES) == figures == set(three_bridges.FIGURES)
    page = page_of(client, STANDARD)
    for name in (
        *(str(suit.name) for suit in SUIT_OF.values()),
        *(str(rank.name) for rank in RANK_OF.values() if rank.hungarian),
        "Chronicler",
    ):
        assert f"<h3>{name}" in page


def test_the_scoring_example_counts_what_the_spec_counts(client: Client) -> None:
    """docs/spec/three-bridges.md, Check figures."""
    examples = three_bridges.present_rules(STANDARD).scoring
    assert [example.bridge.bottom.points for example in examples] == ["30", "24", "23"]


def test_a_face_down_card_of_the_other_player_is_drawn_as_its_back() -> None:
    both_down = three_bridges.present_rules(STANDARD).placed[0].bridges[0]
    assert both_down.top.cards[0].face is None


def test_offer_form_offer_and_match_link_to_their_rules(owner_client: Client, match: Match) -> None:
    form = text_of(owner_client, "/offers/new/")
    for ruleset in playable_rulesets():
        assert f'href="/rules/{ruleset.title}/{ruleset.slug}/"' in form
    link = f'href="/rules/{match.title}/{match.ruleset_slug}/"'
    assert link in text_of(owner_client, match.get_absolute_url())
    offer = make_offer(match.player_0)
    assert link in text_of(owner_client, f"/offers/{offer.pk}/")
