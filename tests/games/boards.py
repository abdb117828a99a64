"""Boards for tests: stacked decks, turns by words, and what a page shows of a board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html.parser import HTMLParser
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from games.engine.schotten_totten.cards import CLAN_CODES, TACTICS_CODES
from games.models import Action, Game
from games.services.turns import turn_submit
from tests.games.conftest import Cast, fields, make_match, request_id, running_game

FRAGMENT = {"HX-Request": "true", "HX-Request-Type": "partial"}
_NAMED = re.compile(r"\b(red|orange|yellow|green|blue|purple) ([1-9])\b")


def stack(
    game: Game,
    hand_0: str,
    hand_1: str,
    draws: str = "",
    first: int = 0,
    tactics: str | None = None,
) -> Game:
    """Deal anew: both hands, then what is drawn, then all other cards in order.

    A hand is of six cards, of seven with tactics cards: `tactics` are those on top of their deck.
    """
    piles = {"deck": _pile(f"{hand_0} {hand_1} {draws}", CLAN_CODES)}
    if tactics is not None:
        piles["tactics_deck"] = _pile(tactics, TACTICS_CODES)
    Game.objects.filter(pk=game.pk).update(piles=piles, first=first, turn=first)
    game.refresh_from_db()
    return game


def _pile(top: str, codes: Sequence[str]) -> list[str]:
    named = top.split()
    return named + [code for code in codes if code not in named]


def turn(game: Game, *steps: str) -> None:
    """Make the turn of the seat to act through the service.

    Steps are `R7@3`, `claim 3`, `pass`, and with tactics `RE`, `BA R7`, `ST R7>3`, `ST R7>discard`,
    `draw clan`, `return R7`.
    """
    game = Game.objects.select_related("match__player_0", "match__player_1").get(pk=game.pk)
    assert game.turn is not None
    turn_submit(
        game_id=game.pk,
        user=game.match.players[game.turn],
        actions=[_action(step) for step in steps],
        expected_version=game.version,
        request_id=request_id(),
        now=timezone.now(),
    )


def _action(step: str) -> dict[str, Any]:
    word, _, rest = step.partition(" ")
    match word:
        case "claim":
            return {"type": "claim", "stone": int(rest)}
        case "pass":
            return {"type": "pass"}
        case "draw":
            return {"type": "draw", "from": rest}
        case "return":
            return {"type": "return", "card": rest}
        case "RE" | "ST" | "BA" | "TR":
            return {"type": "play", "card": word, **_taking(rest)}
    card, stone = step.split("@")
    return {"type": "play", "card": card, "stone": int(stone)}


def _taking(rest: str) -> dict[str, Any]:
    take, _, to = rest.partition(">")
    goal = {"to": None if to == "discard" else int(to)} if to else {}
    return {"take": take, **goal} if take else {}


def text_of(response: Any) -> str:
    """Give a response's body as text, without the rules panel, which has examples of cards."""
    text = b"".join(response).decode()
    return re.sub(r'<details class="panel rules-panel".*?</details>', "", text, flags=re.DOTALL)


def form_of(page: str, **changes: Any) -> dict[str, Any]:
    """Give the turn form of a page as a browser would post it, with some fields set."""
    data: dict[str, Any] = {}
    for name in ("version", "request_id", "plan", "kind"):
        found = fields(page, name)
        if found:
            data[name] = found[0].get("value") or ""
    claims = [field["value"] for field in fields(page, "claim") if "checked" in field]
    return {**data, "claim": claims, **changes}


def post(client: Client, game: Game, what: str, page: str, **changes: Any) -> HttpResponse:
    """Post a page's turn form to `plan` or `submit` as a plain form."""
    return client.post(f"/games/{game.pk}/{what}/", form_of(page, **changes))  # type: ignore[return-value]  # the client's response is one


def named_cards(page: str) -> set[str]:
    """Give the codes of all cards that a page names or draws."""
    codes = {f"{clan[0].upper()}{value}" for clan, value in _NAMED.findall(page)}
    return codes | {field["value"] or "" for field in fields(page, "card")}


class _Shapes(HTMLParser):
    def __init__(self, wanted: str) -> None:
        super().__init__()
        self.wanted = wanted
        self.shapes: list[tuple[Any, ...]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.wanted in (dict(attrs).get("class") or "").split():
            self.shapes.append((tag, *sorted(attrs)))


def shapes(page: str, css_class: str) -> list[tuple[Any, ...]]:
    """Give tag and attributes of each element of a class, in order."""
    parser = _Shapes(css_class)
    parser.feed(page)
    return parser.shapes


def normal(text: str, *ids: Iterable[str]) -> str:
    """Replace what differs from render to render: tokens, request ids and dates."""
    text = re.sub(r'(name="csrfmiddlewaretoken" value=")[^"]*', r"\1TOKEN", text)
    text = re.sub(r'(name="(?:request_id|page)" value=")[^"]*', r"\1REQUEST", text)
    text = re.sub(r'(datetime|data-(?:deadline|now|left|run))="[^"]*"', r'\1="DATE"', text)
    text = re.sub(r'("made_at": )"[^"]*"', r'\1"DATE"', text)
    text = re.sub(r"<time[^>]*>[^<]*</time>", "<time>DATE</time>", text)
    return re.sub(r'(class="deadline__left"[^>]*>)[^<]*', r"\1LEFT", text)


HIGH = "R7 R8 R9 G7 G8 G9"
LOW = "P1 P2 P3 O1 O2 O3"
DRAWS = "B7 Y1 B8 Y2 B9 Y3"


def make_board(cast: Cast, ruleset: str) -> Game:
    """Start a game in which the owner can win with stones 4, 5 and 6."""
    game = running_game(make_match(cast.owner, cast.opponent, ruleset_slug=ruleset))
    return stack(game, HIGH, LOW, draws=DRAWS)


def play_on(game: Game, *cards: str) -> None:
    """Let the owner play these cards; the opponent lays low cards at stones 1, 8 and 9."""
    answers = iter(
        f"{card}@{stone}"
        for card, stone in zip(f"{LOW} Y1 Y2 Y3".split(), "111888999", strict=True)
    )
    done = Action.objects.filter(game=game, payload__type="play").count() // 2
    for _ in range(done):
        next(answers)
    for card in cards:
        turn(game, card)
        turn(game, next(answers))
    game.refresh_from_db()


def page_of(client: Client, game: Game) -> str:
    """Open the board."""
    return text_of(client.get(game.get_absolute_url()))
