"""Fault 43: what is told of a game key by key, and that no credential leaves with a page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from accounts.subscriptions import webhook_set
from games.engine.api import Viewer
from games.models import Game, Match, Offer
from games.selectors import game_fold
from tests.games.boards import FRAGMENT, turn
from tests.games.conftest import Cast, client_of, make_offer, running_game
from tests.games.offers import post
from tests.games.tactics import armed_game

KEYS = {
    "game",
    "turn",
    "phase",
    "hands",
    "decks",
    "stones",
    "discard",
    "tactics_played",
    "jokers_played",
    "recruit",
    "idle_turns",
    "winner",
    "reason",
    "drawn",
    "legal",
}
"""A running game of Schotten Totten, for whoever looks."""
STONE_KEYS = {"owner", "sides", "modes", "completed_first"}
ACTION_KEYS = {"seat", "type", "card", "stone", "from", "take", "to"}
OWN, BACKS = list, {"clan", "tactics"}


@pytest.mark.parametrize(
    ("viewer", "hands", "has_legal"),
    [(0, (OWN, BACKS), True), (1, (BACKS, OWN), False), ("spectator", (BACKS, BACKS), False)],
)
def test_fault_43_a_view_has_these_keys_and_no_others(
    cast: Cast, viewer: Viewer, hands: tuple[Any, Any], has_legal: bool
) -> None:
    game = armed_game(cast, "RE BA ST TR JA")
    turn(game, "RE", "draw clan")
    folded = game_fold(Game.objects.get(pk=game.pk))
    view = folded.title.view(folded.state, viewer)
    assert set(view) == KEYS
    told = [OWN if isinstance(hand, list) else set(hand) for hand in view["hands"]]
    assert tuple(told) == hands
    assert set(view["decks"]) == {"clan", "tactics"}
    assert all(isinstance(count, int) for count in view["decks"].values())
    assert all(set(stone) == STONE_KEYS for stone in view["stones"])
    assert set(view["recruit"]) == {"draws", "returns"}
    assert bool(view["legal"]) == has_legal
    assert {key for action in view["legal"] for key in action} <= ACTION_KEYS


@pytest.mark.parametrize("viewer", [None, -1, 2, 7, "0", ""])
def test_fault_43_there_is_no_view_for_an_unknown_seat(cast: Cast, viewer: Any) -> None:
    folded = game_fold(armed_game(cast, "RE BA ST TR JA"))
    with pytest.raises(ValueError, match="viewer"):
        folded.title.view(folded.state, viewer)


def credentials(*users: Any) -> Iterator[str]:
    """Give what no page may hold before a game is over. Nonces are no secret."""
    for offer in Offer.objects.all():
        yield from offer.secrets
    for match in Match.objects.all():
        yield from (*match.secrets, *match.rematch_secrets)
    for user in users:
        yield user.password
        yield user.webhook.secret
        yield user.email


def test_fault_43_lobby_offers_and_answers_to_joining_hold_no_credential(cast: Cast) -> None:
    """For the maker, who joins, another user and nobody known; whole pages and fragments."""
    for user in (cast.owner, cast.opponent):
        webhook_set(user=user, url="https://receiver.example/")
    kinds = [("seek", None), ("challenge", cast.opponent), ("invitation", None)]
    offers = [make_offer(cast.owner, kind, to) for kind, to in kinds]
    told = []
    browsers = [client_of(cast.owner), client_of(cast.opponent), client_of(cast.stranger), Client()]
    paths = ["/lobby/", "/", *(f"/offers/{offer.pk}/" for offer in offers)]

    def look(*more: str) -> None:
        for browser in browsers:
            for path in (*paths, *more):
                for headers in ({}, FRAGMENT):
                    answer = browser.get(path, headers=headers, follow=True)
                    told.append((path, browser, f"{answer.headers} {answer.text}"))

    look()
    for offer in offers:
        token = offer.token if offer.kind == "invitation" else ""
        answer = post(browsers[1], offer, "accept", token=token)
        assert answer.status_code == 302
        told.append(("accept", browsers[1], str(answer.headers)))
        match = Match.objects.get(offer=offer)
        look(match.get_absolute_url(), running_game(match).get_absolute_url())
    hidden = [text for text in credentials(cast.owner, cast.opponent) if text]
    assert len(hidden) > 20
    for path, _, page in told:
        assert not [text for text in hidden if text in page], path
    invited = offers[2].token
    assert {browser for _, browser, page in told if invited in page} <= {browsers[0]}
