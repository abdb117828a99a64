"""What a page shows of a table: cards, owners, hands and deck, read from its HTML as drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from games.engine.schotten_totten.meta import TACTICS_NAMES

_VOID = {"br", "hr", "img", "input", "link", "meta", "use"}
_CLANS = {clan: clan[0].upper() for clan in ("red", "orange", "yellow", "green", "blue", "purple")}


@dataclass
class Node:
    """An element with what is in it, in order."""

    tag: str
    attributes: dict[str, str]
    children: list[Node | str] = field(default_factory=list)

    @property
    def classes(self) -> set[str]:
        return set(self.attributes.get("class", "").split())

    @property
    def text(self) -> str:
        told = (child if isinstance(child, str) else child.text for child in self.children)
        return " ".join(" ".join(told).split())

    def all(self) -> Iterator[Node]:
        """Give the element and everything in it, in the order of the page."""
        yield self
        for child in self.children:
            if isinstance(child, Node):
                yield from child.all()

    def by_class(self, css_class: str) -> list[Node]:
        return [node for node in self.all() if css_class in node.classes]

    def by_id(self, name: str) -> Node:
        (found,) = (node for node in self.all() if node.attributes.get("id") == name)
        return found


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Node("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(node)
        if tag not in _VOID:
            self.open.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID and any(node.tag == tag for node in self.open):
            while self.open.pop().tag != tag:
                pass

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parse(page: str) -> Node:
    """Read a page, or a part of one."""
    builder = _Builder()
    builder.feed(page)
    return builder.open[0]


def _codes(nodes: list[Node]) -> list[str]:
    """Give the codes of cards that are drawn: by their clan's style and number, or their name."""
    return [_code(node) for node in nodes]


def _code(node: Node) -> str:
    (clan,) = (name[5:] for name in node.classes if name.startswith("clan-"))
    if clan not in _CLANS:
        return next(code for name, code in _TACTICS.items() if name in node.text)
    (value,) = re.findall(r"\b[1-9]\b", node.text)[:1]
    return f"{_CLANS[clan]}{value}"


def _spoken(text: str) -> list[str]:
    """Give the codes of cards that are named for those who listen."""
    found = _NAMED.finditer(text)
    return [_TACTICS.get(it[0]) or f"{_CLANS[it[1]]}{it[2]}" for it in found]


_TACTICS = {name: code for code, name in TACTICS_NAMES.items()}
_NAMED = re.compile(rf"\b({'|'.join(_CLANS)}) ([1-9])\b|{'|'.join(_TACTICS)}")


def table_of(page: str, bottom: int) -> dict[str, Any]:
    """Read a table as the engine writes a state, as far as a page shows it.

    `bottom` is the seat that sits below the border. What is drawn and what is read aloud must
    be the same.
    """
    root = parse(page.partition("<aside")[0])
    (border,) = root.by_class("border")
    stones = [_stone(column, bottom) for column in border.by_class("stone")]
    hands: dict[int, list[str]] = {bottom: _hand(root), 1 - bottom: _top_hand(root)}
    return {"stones": stones, "hands": [hands[0], hands[1]], **_piles(root)}


def _piles(root: Node) -> dict[str, Any]:
    """Read the number of cards in each deck, and the discard, which is there with tactics."""
    decks = re.findall(r"[Dd]eck: (\d+)", root.by_class("decks")[0].text)
    discard = [
        _code(token) for pile in root.by_class("discard") for token in pile.by_class("token")
    ]
    deck, tactics_deck = map(int, decks if len(decks) == 2 else (*decks, 0))
    return {"deck": deck, "tactics_deck": tactics_deck, "discard": discard}


def _stone(column: Node, bottom: int) -> dict[str, Any]:
    top, own = (column.by_class(f"side--{place}")[0] for place in ("top", "bottom"))
    sides = {bottom: _codes(own.by_class("card")), 1 - bottom: _codes(top.by_class("card"))[::-1]}
    modes = [_TACTICS[chip.attributes["title"]] for chip in column.by_class("mode")]
    (label,) = column.by_class("visually-hidden")
    assert _spoken(label.text) == [*sides[bottom], *sides[1 - bottom], *modes]
    owner = next((name for name in ("top", "bottom") if f"stone--{name}" in column.classes), None)
    assert ("held by" in label.text) == (owner is not None)
    seats = {"bottom": bottom, "top": 1 - bottom, None: None}
    return {"owner": seats[owner], "sides": [sides[0], sides[1]], "modes": modes}


def _hand(root: Node) -> list[str]:
    places = root.by_class("hand__place")
    cards = [card for place in places for card in _codes(place.by_class("card"))]
    told = (node for place in places for node in place.by_class("visually-hidden"))
    assert cards == [card for node in told for card in _spoken(node.text)]
    return sorted(cards)


def _top_hand(root: Node) -> list[str]:
    return sorted(_codes(root.by_class("strip--top")[0].by_class("token")))


def as_shown(state: dict[str, Any]) -> dict[str, Any]:
    """Give of an engine's state what a page shows of it."""
    stones = [{key: stone[key] for key in ("owner", "sides", "modes")} for stone in state["stones"]]
    hands = [sorted(hand) for hand in state["hands"]]
    decks = {"deck": state["decks"]["clan"], "tactics_deck": state["decks"]["tactics"]}
    return {"stones": stones, "hands": hands, **decks, "discard": state["discard"]}
