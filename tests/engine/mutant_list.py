"""Plausible faults, each a small change of the engine's source: see `mutants.py`."""

from __future__ import annotations

from dataclasses import dataclass

SCHOTTEN_TOTTEN = "games/engine/schotten_totten"
THREE_BRIDGES = "games/engine/three_bridges"


@dataclass(frozen=True)
class Mutant:
    """A fault: in this file, the wrong source stands in the place of the right one."""

    name: str
    file: str
    right: str
    wrong: str


def schotten(name: str, file: str, right: str, wrong: str) -> Mutant:
    """Describe a fault of Schotten Totten."""
    return Mutant(f"Schotten Totten: {name}", f"{SCHOTTEN_TOTTEN}/{file}.py", right, wrong)


def bridges(name: str, file: str, right: str, wrong: str) -> Mutant:
    """Describe a fault of Three Bridges."""
    return Mutant(f"Three Bridges: {name}", f"{THREE_BRIDGES}/{file}.py", right, wrong)


def engine(name: str, file: str, right: str, wrong: str) -> Mutant:
    """Describe a fault of records or shuffles."""
    return Mutant(f"{file}: {name}", f"games/engine/{file}.py", right, wrong)


MUTANTS: tuple[Mutant, ...] = (
    # Formations.
    schotten(
        "a run that is still to come may have a gap",
        "formations",
        "        if lying & ~window:\n            continue\n        if not troops:",
        "        if (lying & ~window).bit_count() > 1:\n            continue\n"
        "        if not troops:",
    ),
    schotten(
        "two equal values in a run that is still to come are overlooked",
        "formations",
        "    if lying.bit_count() < len(clan):\n        return\n",
        "",
    ),
    schotten(
        "a run that is still to come goes round from 9 to 1",
        "formations",
        "        for start in range(10 - size, 0, -1)\n    )\n",
        "        for start in range(10 - size, 0, -1)\n    ) + ((0b100000011, 12),)\n",
    ),
    schotten(
        "Run beats Colour",
        "formations",
        "SUM, RUN, COLOUR, KIND, COLOUR_RUN = ",
        "SUM, COLOUR, RUN, KIND, COLOUR_RUN = ",
    ),
    schotten(
        "Colour beats Three of a Kind",
        "formations",
        "SUM, RUN, COLOUR, KIND, COLOUR_RUN = ",
        "SUM, RUN, KIND, COLOUR, COLOUR_RUN = ",
    ),
    schotten(
        "the Shield-Bearer goes up to 4",
        "cards",
        "    SB: 0b111,\n",
        "    SB: 0b1111,\n",
    ),
    schotten(
        "the Spy is an 8",
        "cards",
        "    SP: 1 << 6,\n",
        "    SP: 1 << 7,\n",
    ),
    schotten(
        "in a run the Spy stands for anything",
        "formations",
        "(SP not in troops or bool(values & ELITE_VALUES[SP])) and (",
        "(",
    ),
    schotten(
        "elite troops count nothing in a sum",
        "formations",
        "sum(VALUE[card] if card < N_CLAN else ELITE_BEST[card] for card in side)",
        "sum(VALUE[card] for card in side if card < N_CLAN)",
    ),
    schotten(
        "a wild card is fixed at 9 when it is no run",
        "formations",
        "    for troop in troops:\n        values &= ELITE_VALUES[troop]\n",
        "    for troop in troops:\n        values &= 1 << 8\n",
    ),
    schotten(
        "under the Bluff types count",
        "formations",
        "    if bluff:\n        return SUM + plain_sum(side)\n",
        "",
    ),
    schotten(
        "three of four alike are enough for Three of a Kind",
        "formations",
        "    if high == low:\n",
        "    if len(set(sorted(values)[:3])) == 1:\n",
    ),
    schotten(
        "a run may have a gap",
        "formations",
        "high - low == len(side) - 1 and",
        "high - low <= len(side) and",
    ),
    schotten(
        "two equal values in a run are overlooked",
        "formations",
        "    if high - low == len(side) - 1 and len(set(values)) == len(side):\n",
        "    if high - low == len(side) - 1:\n",
    ),
    schotten(
        "9-1 is consecutive",
        "formations",
        "    if high - low == len(side) - 1 and",
        "    if high - low in (len(side) - 1, 8) and",
    ),
    schotten(
        "runs are compared in the order of play",
        "formations",
        "    low, high, total = min(values), max(values), sum(values)\n",
        "    low, high, total = values[0], values[-1], sum(values)\n",
    ),
    # The prover.
    schotten(
        "the first of two equal open sides loses",
        "proof",
        ") >= _needed(stone, seat, unseen)",
        ") > _needed(stone, seat, unseen)",
    ),
    schotten(
        "a tie goes to the side completed later",
        "proof",
        "    return strength_of(theirs, bluff) + (first != seat)",
        "    return strength_of(theirs, bluff) + (first == seat)",
    ),
    schotten(
        "a tie goes to the claimant",
        "proof",
        "    return strength_of(theirs, bluff) + (first != seat)",
        "    return strength_of(theirs, bluff)",
    ),
    schotten(
        "too few unseen cards do not matter",
        "proof",
        "    if unseen.bit_count() < missing:\n        return 0\n",
        "",
    ),
    schotten(
        "one card more must be unseen than is needed",
        "proof",
        "        if (mask & unseen).bit_count() >= missing:",
        "        if (mask & unseen).bit_count() > missing:",
    ),
    schotten(
        "the prover forgets plain runs",
        "proof",
        "    if runs:\n        presence",
        "    if runs and not missing:\n        presence",
    ),
    schotten(
        "the prover finds colours only where one lies already",
        "proof",
        "(one_colour or range(6))) if len(one_colour) <= 1 else ()",
        "one_colour)",
    ),
    schotten(
        "the prover takes the highest card once for each that is missing",
        "proof",
        "        if here >= count:\n",
        "        if here:\n",
    ),
    schotten(
        "the prover ignores the Bluff",
        "proof",
        "    if bluff:\n        return SUM + base + _highest_total(unseen, missing)\n",
        "",
    ),
    schotten(
        "the completion shown is the last of equal ones",
        "proof",
        "        return cards_in(mask & unseen)[: outline.missing]",
        "        return cards_in(mask & unseen)[-outline.missing :]",
    ),
    schotten(
        "of equal colours the last is shown",
        "proof",
        "(outline.highest[unseen >> c & 511], -c)",
        "(outline.highest[unseen >> c & 511], c)",
    ),
    schotten(
        "of equal runs the last is shown",
        "proof",
        "    return min(\n        tuple(sorted(",
        "    return max(\n        tuple(sorted(",
    ),
    schotten(
        "the completion of a sum is in the order of values",
        "proof",
        "return tuple(sorted(_highest_of_all(unseen, outline.missing)))",
        "return _highest_of_all(unseen, outline.missing)",
    ),
    # What is unseen.
    schotten(
        "cards that lie open elsewhere count as unseen",
        "board",
        "    if card < N_CLAN:\n        unseen ^= BIT[card]\n",
        "",
    ),
    schotten(
        "a discarded card counts as unseen again",
        "tactics",
        '    """Put a lifted card in the discard."""\n',
        '    """Put a lifted card in the discard."""\n'
        "    if card < N_CLAN:\n        state = state._replace(unseen=state.unseen | 1 << card)\n",
    ),
    schotten(
        "the claimant's own hand counts as seen",
        "legal",
        "    seat, stones, unseen = state.turn, state.stones, state.unseen\n",
        "    seat, stones, unseen = state.turn, state.stones, state.unseen\n"
        "    unseen &= ~sum(1 << card for card in state.hands[seat])\n",
    ),
    schotten(
        "the opponent's hand alone can complete a side",
        "legal",
        "    seat, stones, unseen = state.turn, state.stones, state.unseen\n",
        "    seat, stones, unseen = state.turn, state.stones, state.unseen\n"
        "    unseen &= sum(1 << card for card in state.hands[1 - seat])\n",
    ),
    # Completed first.
    schotten(
        "completed first is not cleared by Mud Fight",
        "board",
        "modes=modes, size=4, first=None)",
        "modes=modes, size=4)",
    ),
    schotten(
        "completed first is kept when a card is taken away",
        "board",
        "    elif first == seat:\n",
        "    elif first == seat and False:\n",
    ),
    schotten(
        "completed first is cleared for both when one loses a card",
        "board",
        "first = other(seat) if len(stone.sides[other(seat)]) == stone.size else None",
        "first = None",
    ),
    schotten(
        "the later completion takes the place of the earlier",
        "board",
        "        first = seat if first is None else first\n        room = put",
        "        first = seat\n        room = put",
    ),
    # Turns.
    schotten(
        "passing is always legal",
        "turns",
        '        raise IllegalAction("must_play")\n',
        "        pass\n",
    ),
    schotten(
        "passing is not offered where a tactics card can be played",
        "legal",
        "    if not actions:\n        actions.append(PASS[seat])\n    if state.rules.tactics:\n"
        "        actions += _tactics_plays(state)\n",
        "    if state.rules.tactics:\n        actions += _tactics_plays(state)\n"
        "    if not actions:\n        actions.append(PASS[seat])\n",
    ),
    schotten(
        "a draw may be left out",
        "turns",
        '    if must_draw(state):\n        raise IllegalAction("must_draw")\n',
        "",
    ),
    schotten(
        "experts claim after the play too",
        "legal",
        'if state.ripe[seat] and state.rules.claims == "after_play":',
        'if state.ripe[seat] and state.rules.claims != "automatic":',
    ),
    schotten(
        "automatic stones go to the opponent first",
        "turns",
        "_go_over(_go_over(after, after.turn), other(after.turn))",
        "_go_over(_go_over(after, other(after.turn)), after.turn)",
    ),
    schotten(
        "automatic stones go over after the end",
        "turns",
        "        if state.ending is None and holds(",
        "        if holds(",
    ),
    schotten(
        "a claimed stone keeps its room",
        "turns",
        "        room=(room[0] & left, room[1] & left),\n",
        "        room=room,\n",
    ),
    schotten(
        "a claim without a full side passes",
        "turns",
        "    return bool(state.ripe[seat] >> at & 1) and holds(",
        "    return holds(",
    ),
    # Ends.
    schotten(
        "four stones win",
        "turns",
        "mine.bit_count() == 5",
        "mine.bit_count() == 4",
    ),
    schotten(
        "where both ends hold the reason is five",
        "turns",
        "    if mine & mine >> 1 & mine >> 2:\n",
        "    if mine & mine >> 1 & mine >> 2 and mine.bit_count() < 5:\n",
    ),
    schotten(
        "a claim does not make a passing turn busy",
        "turns",
        "if state.passed and not state.claimed else 0",
        "if state.passed else 0",
    ),
    schotten(
        "idle turns need not be in a row",
        "turns",
        "if state.passed and not state.claimed else 0",
        "if state.passed and not state.claimed else state.idle_turns",
    ),
    schotten(
        "blocked stones go first to who passed last",
        "turns",
        "    for seat in (state.turn, other(state.turn)):\n",
        "    for seat in (other(state.turn), state.turn):\n",
    ),
    schotten(
        "blocked stones need a claim that holds",
        "turns",
        "(is_theirs_open or holds_for(state, seat, at))",
        "holds_for(state, seat, at)",
    ),
    schotten(
        "after a drawn game the same seat starts",
        "state",
        "return other(first) if ended.winner is None",
        "return first if ended.winner is None",
    ),
    schotten(
        "the loser gets no points for stones",
        "state",
        "(5, held[1]) if winner == 0 else (held[0], 5)",
        "(5, 0) if winner == 0 else (0, 5)",
    ),
    # Tactics.
    schotten(
        "the limit is off by one",
        "legal",
        "    return played[state.turn] <= played[1 - state.turn]",
        "    return played[state.turn] < played[1 - state.turn] + 2",
    ),
    schotten(
        "ruses do not count for the limit",
        "tactics",
        "        return tactics._replace(played=played, discard=",
        "        return tactics._replace(discard=",
    ),
    schotten(
        "both Jokers may be played",
        "tactics",
        "    if card in JOKERS and state.tactics.jokers[state.turn]:\n",
        "    if card in JOKERS and state.tactics.jokers[state.turn] > 1:\n",
    ),
    schotten(
        "a mode may lie at a claimed stone",
        "tactics",
        "    if not state.unclaimed >> at & 1:\n",
        "    if at > 8:\n",
    ),
    schotten(
        "a mode needs room at the stone",
        "legal",
        "        yield from placings(seat, state.unclaimed)[card]",
        "        yield from placings(seat, state.room[seat])[card]",
    ),
    schotten(
        "a Recruiter with few cards left returns two all the same",
        "tactics",
        "recruit=(left, left - 1)",
        "recruit=(left, 2)",
    ),
    schotten(
        "returned cards lie on top of the deck",
        "tactics",
        "deck=(*state.deck, card)",
        "deck=(card, *state.deck)",
    ),
    schotten(
        "a Strategist may leave the card where it is",
        "legal",
        "(ruse(seat, card, take, to) for to in room if to != at)",
        "(ruse(seat, card, take, to) for to in room)",
    ),
    schotten(
        "a Traitor takes elite troops",
        "tactics",
        '    if take >= N_CLAN:\n        raise IllegalAction("no_elite", {"take": CODES[take]})\n',
        "",
    ),
    schotten(
        "a ruse reaches claimed stones",
        "board",
        "    for at in places(state.unclaimed):\n",
        "    for at in range(9):\n",
    ),
    schotten(
        "a removed card lies in the discard before its ruse",
        "tactics",
        "discard=(*tactics.discard, card)))",
        "discard=(*tactics.discard[:-1], card, tactics.discard[-1])))",
    ),
    # Views and words.
    schotten(
        "a spectator sees seat 0's hand",
        "view",
        "if seat == viewer else _backs(hand)",
        'if seat == viewer or viewer == "spectator" and seat == 0 else _backs(hand)',
    ),
    schotten(
        "a returned card is shown to the other seat",
        "view",
        'if is_open or action.type != "return" or action.seat == viewer',
        'if is_open or action.type != "return" or viewer != "spectator"',
    ),
    schotten(
        "a Joker has the back of a clan card",
        "view",
        "sum(card < N_CLAN for card in hand)",
        "sum(card <= N_CLAN for card in hand)",
    ),
    schotten(
        "after resignation a view stays closed",
        "view",
        "    if state.ending is not None:\n        return state_json(state)\n",
        '    if state.ending is not None and state.ending.reason != "resign":\n'
        "        return state_json(state)\n",
    ),
    schotten(
        "blocked stones are told of the wrong seat first",
        "describe",
        'first = action.seat if action.type == "play" else other(action.seat)',
        "first = action.seat",
    ),
    schotten(
        "a Strategist needs not say where to",
        "actions",
        'if card == ST and _read(payload, "to") is None:',
        'if card == ST and payload.get("to") is None:',
    ),
    schotten(
        "legal actions are shown to both seats",
        "view",
        "_legal(state) if viewer == state.turn else []",
        '_legal(state) if viewer != "spectator" else []',
    ),
    schotten(
        "a drawn card is told to both seats",
        "describe",
        "    may_see = is_over or viewer == event.seat",
        '    may_see = is_over or viewer != "spectator"',
    ),
    # Records and shuffles.
    engine(
        "true is taken for 1",
        "records",
        "        and all(type(told[key]) is type(options[key]) for key in options)\n",
        "",
    ),
    engine(
        "a seat may be true",
        "records",
        "    if type(first) is int and first in (0, 1):",
        "    if isinstance(first, int) and first in (0, 1):",
    ),
    engine(
        "a key may stand twice",
        "records",
        "    if len(read) != len(pairs):\n",
        "    if len(read) > len(pairs):\n",
    ),
    engine(
        "numbers beyond the last whole range are not rejected",
        "shuffle",
        "        limit = WORD_RANGE // n * n\n",
        "        limit = WORD_RANGE\n",
    ),
    engine(
        "the shuffle leaves out the last card",
        "shuffle",
        "    for i in range(len(pile) - 1, 0, -1):",
        "    for i in range(len(pile) - 2, 0, -1):",
    ),
    engine(
        "the shuffle never leaves a card in its place",
        "shuffle",
        "        j = below(i + 1)\n",
        "        j = below(i)\n",
    ),
    engine(
        "nonces are told in the wrong order",
        "shuffle",
        "{nonces[0].hex()}\\n{nonces[1].hex()}",
        "{nonces[1].hex()}\\n{nonces[0].hex()}",
    ),
    engine(
        "white space behind a secret is overlooked",
        "shuffle",
        'isinstance(told, str) and re.fullmatch(f"[0-9a-f]{{{2 * size}}}", told)',
        'isinstance(told, str) and re.match(f"[0-9a-f]{{{2 * size}}}$", told)',
    ),
    engine(
        "one action more than there are may be asked for",
        "__main__",
        "at > len(record.payloads)",
        "at > len(record.payloads) + 1",
    ),
    engine(
        "a trace goes on beyond what was asked for",
        "__main__",
        "islice(record.states(), None if options.at is None else options.at + 1)",
        "record.states()",
    ),
    engine(
        "many records are shown to everybody",
        "__main__",
        "writer(record, options.viewer)(state_after(record, options.at))",
        "writer(record, None)(state_after(record, options.at))",
    ),
    # Three Bridges.
    bridges(
        "a turned Bell does not halve",
        "scoring",
        "facing[index].suit == BELLS and facing[index].face_up",
        "facing[index].suit == BELLS and not facing[index].turned",
    ),
    bridges(
        "Kings count themselves only",
        "scoring",
        "    return total + 2 * kings * len(row)",
        "    return total + 2 * kings",
    ),
    bridges(
        "turning is taken off after halving",
        "scoring",
        "        if laid.turned:\n            points -= 2\n        total += points",
        "        if laid.turned:\n            total -= 4\n        total += points",
    ),
    bridges(
        "an Ober reaches its own bridge",
        "legal",
        "            if bridge != asked.bridge\n",
        "",
    ),
    bridges(
        "an Ace asks only who holds a card that fits",
        "turns",
        "        if figure == ACE and self.hands[seat]:\n",
        "        if figure == ACE and any(\n"
        "            SUIT[card] == SUIT[asker.card] for card in self.hands[seat]\n        ):\n",
    ),
    bridges(
        "the same seat starts every round",
        "turns",
        "            self.begin_round(other(self.state.starter))",
        "            self.begin_round(self.state.starter)",
    ),
    bridges(
        "an exchanged bridge card lies turned",
        "turns",
        "asked.index, lay(old, SUIT[old]))",
        "asked.index, lay(old, SUIT[old], turned=True))",
    ),
    bridges(
        "a face-down card is shown to the other seat",
        "view",
        '        written["card"] = None\n',
        "        pass\n",
    ),
)
