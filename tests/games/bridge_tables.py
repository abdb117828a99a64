"""What a page shows of a table of Three Bridges: rows, bridges, hands, deck, read from its HTML."""

from __future__ import annotations

import re
from typing import Any

from games.engine.three_bridges.cards import ALL_CARDS, SUITS
from games.presenters.three_bridges.cards import card_name
from tests.games.tables import Node, parse

_NAMES = [card_name(code) for code in ALL_CARDS if code[0] != "C"]


def bridges_table_of(page: str, bottom: int) -> dict[str, Any]:
    """Read a table as far as it is told to those who listen; `bottom` is the seat below.

    What is drawn must be as many cards as are told.
    """
    root = parse(page.partition("<aside")[0])
    told = [_bridge(bridge, bottom) for bridge in root.by_class("bridge")]
    hands = {bottom: _hand(root, "hand"), 1 - bottom: _hand(root, "strip--top")}
    deck = re.search(r"(\d+) cards? in the deck", root.text)
    assert deck is not None
    return {
        "bridges": [bridge["card"] for bridge in told],
        "rows": [bridge["rows"] for bridge in told],
        "hands": [hands[0], hands[1]],
        "deck": int(deck[1]),
    }


def bridges_as_shown(state: dict[str, Any]) -> dict[str, Any]:
    """Give of an engine's state what a page tells of it."""
    return {
        "bridges": [card_name(card) for card in state["bridges"]],
        "rows": [[[_laid(laid) for laid in row] for row in pair] for pair in state["rows"]],
        "hands": [sorted(map(card_name, hand)) for hand in state["hands"]],
        "deck": state["deck"],
    }


def _laid(laid: dict[str, Any]) -> str:
    if not laid["face_up"]:
        return f"{card_name(laid['card'])}, face down"
    name = card_name(laid["card"], laid["suit"])
    return f"{name}, turned sideways" if laid["turned"] else name


def _bridge(bridge: Node, bottom: int) -> dict[str, Any]:
    (title,) = (node for node in bridge.all() if node.tag == "h3")
    rows = {}
    for place, seat in (("bottom", bottom), ("top", 1 - bottom)):
        (row,) = bridge.by_class(f"lane--{place}")
        rows[seat] = _row(row)
    return {"card": title.text.partition(", ")[2], "rows": [rows[0], rows[1]]}


def _row(row: Node) -> list[str]:
    label = row.by_class("visually-hidden")[0].text
    told = label.partition(": ")[2].rpartition("; ")[0]
    cards = re.findall(rf"(?:{_NAME})(?:, face down|, turned sideways)?", told)
    assert len(row.by_class("card")) + len(row.by_class("down")) == len(cards)
    assert ", ".join(cards) == ("" if told == "empty" else told)
    return cards


def _hand(root: Node, place: str) -> list[str]:
    told = (node.text for part in root.by_class(place) for node in part.by_class("visually-hidden"))
    return sorted(name for name in told if re.fullmatch(_NAME, name))


_ACES = [card_name("C1", suit) for suit in SUITS]
_NAME = "|".join([*_NAMES, *_ACES, "Chronicler"])
