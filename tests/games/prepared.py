"""What tests of prepared answers share: boards on which the opponent is to act, and forms."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from games.models import Game, PreparedAnswer
from games.prepared.answers import Answer
from games.services.answers import Prepared, answer_add
from games.services.firing import answers_fire
from tests.games.boards import HIGH, LOW, stack, text_of, turn
from tests.games.conftest import Cast, fields, make_match, request_id, running_game

SOON = timedelta(minutes=1)
"""Later than any answer waits."""
ANY = {"when": "any"}


def waiting_board(cast: Cast, ruleset: str = "after-play", **rest: Any) -> Game:
    """Start a game in which the opponent is to act; the owner holds R7 R8 R9 G7 G8 G9."""
    game = running_game(make_match(cast.owner, cast.opponent, ruleset_slug=ruleset, **rest))
    return stack(game, HIGH, LOW, draws="B7 Y1 B8 Y2 B9 Y3", first=1)


def lays(stone: int | None = None, clan: str = "", value: int | None = None) -> dict[str, Any]:
    return {"when": "lays", "clan": clan, "value": value, "stone": stone}


def plan(card: str = "G7", stone: int = 3, claims: Any = "none", draw: str = "clan") -> Any:
    return {"card": card, "stone": stone, "claims": claims, "draw": draw}


def prepare(
    game: Game, condition: Any = ANY, answer: Any = None, seat: int = 0, **rest: Any
) -> PreparedAnswer:
    """Prepare an answer as the owner, or another seat, on the board as it is now."""
    game = Game.objects.select_related("match__player_0", "match__player_1").get(pk=game.pk)
    asked = Prepared(
        game.pk,
        game.match.players[seat],
        Answer(condition, answer or plan()),
        rest.get("expected_version", game.version),
        rest.get("form_id", request_id()),
    )
    answer_add(asked, now=timezone.now())
    return PreparedAnswer.objects.filter(game=game, seat=seat).latest("pk")


def fire(game: Game, now: datetime | None = None) -> bool:
    """Play the answer that is due, a minute from now."""
    return answers_fire(game_id=game.pk, now=now or timezone.now() + SOON)


def states(game: Game) -> list[tuple[str, str]]:
    """Give status and reason of each answer, in the order of the list."""
    rows = PreparedAnswer.objects.filter(game=game).order_by("position", "pk")
    return [(row.status, row.why) for row in rows]


def form(page: str, **chosen: Any) -> dict[str, Any]:
    """Fill in the form of a page: version and request id as they stand there."""
    part = page.partition('class="answers__form"')[2]
    hidden = {name: fields(part, name)[0]["value"] for name in ("version", "request_id")}
    return {**hidden, **{f"answer-{name}": value for name, value in chosen.items()}}


def add(client: Client, game: Game, **chosen: Any) -> HttpResponse:
    """Fill in and send the form as it stands on the board."""
    page = text_of(client.get(game.get_absolute_url()))
    told = {"when": "any", "card": "G7", "stone": "3", "claims": "none", **chosen}
    return client.post(f"/games/{game.pk}/answers/", form(page, **told))  # type: ignore[return-value]  # the client's response is one


def opponent_plays(game: Game, *steps: str) -> None:
    """Make the opponent's turn: P1 to stone 1, or other steps."""
    turn(game, *(steps or ("P1@1",)))
