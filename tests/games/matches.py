"""What tests do on the page of a match."""

from __future__ import annotations

from django.test import Client
from django.utils import timezone

from games.models import Match
from games.services.offers import match_rematch
from games.services.turns import game_resign
from tests.games.conftest import fields, request_id, running_game


def page_of(client: Client, match: Match, **headers: str) -> str:
    """Give the match's page as this browser shows it."""
    return client.get(f"/matches/{match.pk}/", headers=headers).content.decode()


def press(client: Client, match: Match, what: str, **changed: str) -> object:
    """Press a button of the match's page, with the hidden fields that stand there."""
    page = page_of(client, match)
    form = page.partition(f'action="/matches/{match.pk}/{what}/"')[2].partition("</form>")[0]
    data = {
        name: fields(form, name)[0]["value"]
        for name in ("request_id", "game", "version")
        if fields(form, name)
    }
    return client.post(f"/matches/{match.pk}/{what}/", {**data, **changed}, follow=True)


def give_up(match: Match, seat: int) -> None:
    """Let a seat resign the running game, so that the other wins it with 5 : 0."""
    game = running_game(match)
    game_resign(
        game_id=game.pk,
        user=match.players[seat],
        expected_version=game.version,
        request_id=request_id(),
        now=timezone.now(),
    )
    match.refresh_from_db()


def round_row(page: str, number: int) -> str:
    """Cut one round out of the page."""
    return page.partition(f'id="round-{number}"')[2].partition("</li>")[0]


def play_again(match: Match, presser: int) -> Match:
    """Let one player offer a rematch and the other press the same button."""
    for seat in (presser, 1 - presser):
        result = match_rematch(
            match_id=match.pk, user=match.players[seat], request_id=request_id(), now=timezone.now()
        )
    assert isinstance(result, Match)
    return result
