"""What tests do with offers."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from games.models import Offer
from tests.games.conftest import request_id

NEW = "/offers/new/"


def post(client: Client, offer: Offer, what: str, **data: str) -> object:
    return client.post(reverse(f"games:offer_{what}", args=[offer.pk]), data)


def card(offer: Offer) -> str:
    return f'id="offer-{offer.pk}"'


def is_on(client: Client, offer: Offer) -> bool:
    """Say whether a browser finds an offer in the lobby."""
    return card(offer) in client.get("/lobby/").text


def form(kind: str = "seek", **rest: object) -> dict[str, object]:
    """Give what a browser sends with the form of a new offer."""
    told = {
        "kind": kind,
        "request_id": request_id(),
        "ruleset": "schotten-totten/after-play",
        "n_rounds": "3",
        "pace": "per-turn-3",
    }
    return {**told, **rest}
