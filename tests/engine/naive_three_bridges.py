"""Three Bridges once more, told as one long story that pauses at every question.

Written from docs/spec/three-bridges.md and records.md alone, for comparing: plain lists and
dictionaries, changed as one would move cards on a table, fractions for points, no thought of
speed. It shares nothing with the engine, so that a mistake would have to be made twice.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from fractions import Fraction
from typing import Any

Json = dict[str, Any]
Story = Generator[Json, Json, Any]
"""Yields what the whole table looks like, with the legal answers; is sent the answer."""


class GivenUp(Exception):
    """A seat resigned or ran out of time."""


def naive_states(record: Json) -> Iterator[Json]:
    """Give the state after 0, 1, 2, … actions of a record."""
    story = tell(record)
    yield next(story)
    for action in record["actions"]:
        yield story.send(action)


def tell(record: Json) -> Story:
    """Play a whole game; the record's own `actions` are not looked at."""
    table: Json = {
        "first": record["first"],
        "starter": record["first"],
        "round": 0,
        "deck": list(record["deck"]),
        "bridges": list(record["bridges"]),
        "hands": [[], []],
        "rows": [[[], []], [[], []], [[], []]],
    }
    for seat in (0, 1):
        for _ in range(4):
            draw(table, seat)
    try:
        for number in (1, 2, 3, 4, 5, 6):
            yield from one_round(table, number)
    except GivenUp as end:
        loser, reason = end.args
        yield over(table, 1 - loser, reason, None, [5 if s != loser else 0 for s in (0, 1)])
        return
    yield scored(table)


def one_round(table: Json, number: int) -> Story:
    starter = table["first"] if number in (1, 3, 5) else 1 - table["first"]
    table["round"], table["starter"] = number, starter
    draw(table, starter)
    draw(table, 1 - starter)
    for seat in (starter, 1 - starter):
        options = [
            {"type": "place", "card": card, "bridge": bridge}
            for card in table["hands"][seat]
            for bridge in (1, 2, 3)
        ]
        chosen = yield from question(table, seat, "place", None, None, options)
        table["hands"][seat].remove(chosen["card"])
        lies = {"card": chosen["card"], "suit": printed_suit(chosen["card"])}
        row_of(table, chosen["bridge"], seat).append({**lies, "turned": False, "face_up": False})
    for seat in (starter, 1 - starter):
        for bridge in (1, 2, 3):
            for card in row_of(table, bridge, seat):
                if not card["face_up"]:
                    card["face_up"] = True
                    yield from use(table, seat, bridge, card)
                    break


def use(table: Json, seat: int, bridge: int, me: Json) -> Story:
    """The abilities of a card that has just come to lie face up."""
    if me["suit"] is None:
        options = [{"type": "name", "suit": suit} for suit in "HBLA"]
        me["suit"] = (yield from question(table, seat, "resolve", "name", me, options))["suit"]
    if me["suit"] == "A":
        draw(table, seat)
    if me["suit"] == "L":
        yield from use_leaf(table, seat, bridge, me)
    figure = "A" if me["card"] in ("C1", "C2") else me["card"][1]
    if figure == "U":
        yield from use_unter(table, seat, bridge, me)
    if figure == "O":
        yield from use_ober(table, seat, bridge, me)
    if figure == "A":
        yield from use_ace(table, seat, me)


def use_leaf(table: Json, seat: int, bridge: int, me: Json) -> Story:
    options = [
        {"type": "turn", "side": side, "index": index}
        for side in (0, 1)
        for index, card in enumerate(row_of(table, bridge, side))
        if card["face_up"] and not card["turned"]
    ]
    chosen = yield from may(table, seat, "turn", me, options)
    if chosen["type"] == "turn":
        row_of(table, bridge, chosen["side"])[chosen["index"]]["turned"] = True


def use_unter(table: Json, seat: int, bridge: int, me: Json) -> Story:
    old = table["bridges"][bridge - 1]
    if printed_suit(old) != me["suit"]:
        return
    chosen = yield from may(table, seat, "swap", me, [{"type": "swap"}])
    if chosen["type"] == "swap":
        table["bridges"][bridge - 1] = me["card"]
        me.update(card=old, suit=printed_suit(old), turned=False)


def use_ober(table: Json, seat: int, bridge: int, me: Json) -> Story:
    options = [
        {"type": "move", "bridge": elsewhere, "index": index}
        for elsewhere in (1, 2, 3)
        if elsewhere != bridge
        for index, card in enumerate(row_of(table, elsewhere, seat))
        if card["face_up"]
    ]
    if not options:
        return
    chosen = yield from may(table, seat, "move", me, options)
    if chosen["type"] == "move":
        moved = row_of(table, chosen["bridge"], seat).pop(chosen["index"])
        row_of(table, bridge, seat).append(moved)


def use_ace(table: Json, seat: int, me: Json) -> Story:
    hand = table["hands"][seat]
    if not hand:
        return
    options = [
        {"type": "extra", "card": card, "bridge": bridge}
        for card in hand
        if printed_suit(card) in (me["suit"], None)
        for bridge in (1, 2, 3)
    ]
    chosen = yield from may(table, seat, "extra", me, options)
    if chosen["type"] == "extra":
        hand.remove(chosen["card"])
        more = {"card": chosen["card"], "suit": me["suit"], "turned": False, "face_up": True}
        row_of(table, chosen["bridge"], seat).append(more)
        yield from use(table, seat, chosen["bridge"], more)


def may(table: Json, seat: int, ability: str, me: Json, options: list[Json]) -> Story:
    answers = [*options, {"type": "skip"}]
    return (yield from question(table, seat, "resolve", ability, me, answers))


def question(
    table: Json,
    seat: int,
    phase: str,
    ability: str | None,
    me: Json | None,
    options: list[Json],
) -> Story:
    asker = None
    for bridge in (1, 2, 3):
        for index, card in enumerate(row_of(table, bridge, seat)):
            if card is me:
                asker = {"card": card["card"], "bridge": bridge, "index": index}
    answer = yield {
        **picture(table),
        "turn": seat,
        "phase": phase,
        "asked": ability,
        "asker": asker,
        "winner": None,
        "reason": None,
        "drawn": False,
        "legal": [{**option, "seat": seat} for option in options],
    }
    if answer["type"] in ("resign", "timeout"):
        raise GivenUp(answer["seat"], answer["type"])
    assert {**answer, "seat": seat} in [{**option, "seat": seat} for option in options]
    return answer


def printed_suit(card: str) -> str | None:
    return None if card[0] == "C" else card[0]


def row_of(table: Json, bridge: int, seat: int) -> list[Json]:
    row: list[Json] = table["rows"][bridge - 1][seat]
    return row


def draw(table: Json, seat: int) -> None:
    table["hands"][seat].append(table["deck"].pop(0))


def picture(table: Json) -> Json:
    """What is the same in every phase, copied, since the table goes on changing."""
    return {
        "game": "three-bridges",
        "round": table["round"],
        "starter": table["starter"],
        "hands": [sorted(hand) for hand in table["hands"]],
        "deck": len(table["deck"]),
        "bridges": list(table["bridges"]),
        "rows": [[[dict(card) for card in row] for row in pair] for pair in table["rows"]],
    }


def over(table: Json, winner: int | None, reason: str, scores: Any, points: list[int]) -> Json:
    return {
        **picture(table),
        "turn": None,
        "phase": "over",
        "asked": None,
        "asker": None,
        "winner": winner,
        "reason": reason,
        "drawn": winner is None,
        "scores": scores,
        "points": points,
        "legal": [],
    }


def scored(table: Json) -> Json:
    scores = [[worth(table, bridge, seat) for seat in (0, 1)] for bridge in (1, 2, 3)]
    won = [sum(pair[seat] > pair[1 - seat] for pair in scores) for seat in (0, 1)]
    winner = None if won[0] == won[1] else won.index(max(won))
    points = [5 if seat == winner else won[seat] for seat in (0, 1)]
    plain = [[float(points) for points in pair] for pair in scores]
    return over(table, winner, "bridges", plain, points)


def worth(table: Json, bridge: int, seat: int) -> Fraction:
    row, facing = row_of(table, bridge, seat), row_of(table, bridge, 1 - seat)
    total = Fraction(0)
    for position, card in enumerate(row):
        rank = card["card"][1] if card["card"] not in ("C1", "C2") else "A"
        value = Fraction({"7": 7, "8": 8, "9": 9, "X": 10}.get(rank, 4))
        value += 2 * (card["suit"] == table["bridges"][bridge - 1][0])
        value -= 2 * card["turned"]
        opposite = facing[position : position + 1]
        total += value / 2 if opposite and opposite[0]["suit"] == "B" else value
        total += len(row) * (rank == "K")
        total += card["suit"] == "H"
    return total


def seen_by(state: Json, viewer: int | str) -> Json:
    """What a viewer may know of a state: here by blacking out, as the engine must not do it."""
    if state["phase"] == "over":
        return state
    return {
        **state,
        "hands": [
            hand if seat == viewer else {"cards": len(hand)}
            for seat, hand in enumerate(state["hands"])
        ],
        "rows": [
            [
                [
                    card
                    if card["face_up"] or seat == viewer
                    else {"card": None, "suit": None, "turned": False, "face_up": False}
                    for card in row
                ]
                for seat, row in enumerate(pair)
            ]
            for pair in state["rows"]
        ],
        "legal": state["legal"] if state["turn"] == viewer else [],
    }
