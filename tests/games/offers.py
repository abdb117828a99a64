"""What tests do with offers."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from games.models import Offer


def post(client: Client, offer: Offer, what: str, **data: str) -> object:
    return client.post(reverse(f"games:offer_{what}", args=[offer.pk]), data)
