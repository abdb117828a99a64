"""What opens on demand stands where HTML allows it, so that a browser leaves its row whole."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.games.conftest import Cast, make_match, make_offer, make_user, running_game

TORN = re.compile(r"<p\b(?:(?!</p>).)*?<details", re.DOTALL)


def paragraphs_torn(page: str) -> list[str]:
    """Give the paragraphs that a browser would end early, at a block within them."""
    return TORN.findall(page)


@pytest.mark.parametrize(
    "path", ["/lobby/", "/offers/{offer}/", "/matches/{match}/", "/games/{game}/"]
)
def test_no_paragraph_is_ended_by_a_menu(cast: Cast, client: Client, path: str) -> None:
    offer = make_offer(make_user("Maker"))
    game = running_game(make_match(cast.owner, cast.opponent))
    client.force_login(cast.owner)
    address = path.format(offer=offer.pk, match=game.match_id, game=game.pk)
    page = client.get(address).content.decode()
    assert "player-menu" in page
    assert paragraphs_torn(page) == []
