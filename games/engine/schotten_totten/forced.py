"""Turns that everybody can see to be the only ones: told from what a spectator sees, alone."""

from __future__ import annotations

from games.engine.api import Json, Ruleset, Seat
from games.engine.schotten_totten.cards import BB, BIT, CARD_OF, CLAN, MF, N_CLAN, Card
from games.engine.schotten_totten.proof import holds
from games.engine.schotten_totten.state import Cards, Stone, rules_of


def forced_turn(ruleset: Ruleset, view: Json) -> tuple[Json, ...]:
    """Give the whole turn of the seat to act where public cards leave no other; else nothing.

    `view` is a spectator's, so no card of a hand can count, only their backs. Such a turn is a
    pass with what follows from it: where a claim holds, a tactics card may be played, or both
    decks could be drawn from, the player has a choice.
    """
    rules, seat = rules_of(ruleset), view["turn"]
    if view["phase"] != "play" or _may_play(view, seat):
        return ()
    if rules.claims != "automatic" and _may_claim(view, seat):
        return ()
    backs = view["hands"][seat]
    decks = [deck for deck, n_cards in view["decks"].items() if n_cards]
    if backs["clan"] + backs["tactics"] >= rules.hand_size or not decks:
        return ({"seat": seat, "type": "pass"}, {"seat": seat, "type": "end"})
    if len(decks) > 1:
        return ()
    draw = {"seat": seat, "type": "draw", "from": decks[0]}
    return ({"seat": seat, "type": "pass"}, draw)


def _may_play(view: Json, seat: Seat) -> bool:
    """Tell whether the backs of the hand leave it open that a card can be played."""
    backs, played = view["hands"][seat], view["tactics_played"]
    if backs["tactics"] and played[seat] <= played[1 - seat]:
        return True
    return bool(backs["clan"]) and any(
        stone["owner"] is None and len(stone["sides"][seat]) < _size(stone)
        for stone in view["stones"]
    )


def _may_claim(view: Json, seat: Seat) -> bool:
    """Tell whether a claim of the seat holds."""
    unseen = _unseen(view)
    return any(
        stone["owner"] is None
        and len(stone["sides"][seat]) == _size(stone)
        and holds(_stone(stone), seat, unseen)
        for stone in view["stones"]
    )


def _unseen(view: Json) -> int:
    """Give the set of clan cards that lie nowhere face up."""
    lying = [code for stone in view["stones"] for side in stone["sides"] for code in side]
    unseen = CLAN
    for card in _cards([*lying, *view["discard"]]):
        if card < N_CLAN:
            unseen &= ~BIT[card]
    return unseen


def _stone(written: Json) -> Stone:
    """Read a stone as a view writes it."""
    modes = _cards(written["modes"])
    sides = (_cards(written["sides"][0]), _cards(written["sides"][1]))
    return Stone(sides, written["completed_first"], _size(written), BB in modes, modes)


def _size(written: Json) -> int:
    return 4 if MF in _cards(written["modes"]) else 3


def _cards(codes: list[str]) -> Cards:
    cards: tuple[Card, ...] = tuple(CARD_OF[code] for code in codes)
    return cards
