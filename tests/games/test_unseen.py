"""The list of cards not seen yet: agreed on with the offer, the same help for both players."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from games.boards import BOARDS
from games.engine.api import Viewer
from games.engine.schotten_totten.cards import CLAN_CODES, TACTICS_CODES
from games.engine.three_bridges.cards import ALL_CARDS
from games.models import Game, Match
from games.selectors import game_fold
from games.services.matches import match_abort
from games.services.offers import match_rematch, offer_accept
from tests.games.boards import named_cards, text_of
from tests.games.bridges import deal, make_bridges, step
from tests.games.conftest import (
    Cast,
    client_of,
    make_match,
    make_offer,
    play_turn,
    request_id,
    running_game,
)
from tests.games.tables import parse

VIEWERS: tuple[Viewer, ...] = (0, 1, "spectator")
RETURNED = "What you put back under a deck with a Recruiter is listed too"
SAID = "which cards they have not seen yet"


def browser_of(cast: Cast, viewer: Viewer) -> Client:
    if viewer == "spectator":
        return Client()
    return client_of((cast.owner, cast.opponent)[viewer])


def listed(browser: Client, game: Game) -> str:
    """Give the list on a board as text, nothing where there is none."""
    page = parse(text_of(browser.get(game.get_absolute_url())))
    return " ".join(part.text for part in page.by_class("unseen__kinds"))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_it_lists_what_neither_lies_open_nor_is_in_the_own_hand(cast: Cast, viewer: Viewer) -> None:
    game = running_game(make_match(cast.owner, cast.opponent, has_tracker=True))
    for _ in range(5):
        play_turn(game)
    folded = game_fold(Game.objects.select_related("match").get(pk=game.pk))
    view = folded.title.view(folded.state, viewer)
    seen = {card for stone in view["stones"] for side in stone["sides"] for card in side}
    seen |= {card for hand in view["hands"] if isinstance(hand, list) for card in hand}
    assert named_cards(listed(browser_of(cast, viewer), game)) == {*CLAN_CODES} - seen


def test_with_tactics_both_kinds_are_listed(cast: Cast) -> None:
    terms = {"ruleset_slug": "after-play-tactics", "has_tracker": True}
    game = running_game(make_match(cast.owner, cast.opponent, **terms))
    folded = game_fold(game)
    cards = BOARDS["schotten-totten"].unseen(
        folded.title.view(folded.state, "spectator"), game.match.ruleset
    )
    assert {face.code for kind in cards for face in kind} == {*CLAN_CODES, *TACTICS_CODES}
    assert RETURNED in text_of(browser_of(cast, 0).get(game.get_absolute_url()))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_at_three_bridges_what_others_laid_face_down_is_not_seen(
    cast: Cast, viewer: Viewer
) -> None:
    game = make_bridges(cast, has_tracker=True)
    deal(game, "H9 B9 L9", "HA HX C1 LO", "AU BU B7 A7")
    step(game, "HX@3")
    folded = game_fold(Game.objects.select_related("match").get(pk=game.pk))
    view = folded.title.view(folded.state, viewer)
    own = set() if viewer == "spectator" else {*view["hands"][viewer]}
    own |= {"HX"} if viewer == 0 else set()
    cards = BOARDS["three-bridges"].unseen(view, game.match.ruleset)
    assert {face.code for kind in cards for face in kind} == {*ALL_CARDS} - {"H9", "B9", "L9"} - own
    assert listed(browser_of(cast, viewer), game)


def test_it_is_there_for_who_agreed_on_it_alone(match: Match, cast: Cast) -> None:
    for viewer in VIEWERS:
        assert listed(browser_of(cast, viewer), running_game(match)) == ""


def test_it_is_told_before_an_offer_is_accepted_and_stays(cast: Cast) -> None:
    offers = [make_offer(cast.owner, has_tracker=has) for has in (True, False)]
    browser = client_of(cast.opponent)
    pages = [text_of(browser.get(f"/offers/{offer.pk}/")) for offer in offers]
    assert [SAID in page for page in pages] == [True, False]
    assert text_of(browser.get("/lobby/")).count("Unseen cards listed") == 1
    match = offer_accept(offer_id=offers[0].pk, user=cast.opponent, now=timezone.now())
    assert match.has_tracker
    assert SAID in text_of(browser.get(match.get_absolute_url()))


def test_a_rematch_has_it_too(cast: Cast) -> None:
    match = make_match(cast.owner, cast.opponent, has_tracker=True)
    match_abort(match_id=match.pk, user=cast.owner, now=timezone.now())
    how = {"request_id": request_id(), "now": timezone.now()}
    offer = match_rematch(match_id=match.pk, user=cast.owner, **how)
    assert offer.has_tracker


def test_the_form_offers_it(owner_client: Client, cast: Cast) -> None:
    page = text_of(owner_client.get("/offers/new/?kind=seek"))
    assert 'name="has_tracker"' in page
