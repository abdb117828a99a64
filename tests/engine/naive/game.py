"""A second turn machine for Schotten Totten, written from docs/spec alone.

Cards are their codes, actions the JSON of a record, and a game is one object that changes.
"""

from __future__ import annotations

from typing import Any

from tests.engine.naive.strength import CLAN, ELITE, claim_holds

Action = dict[str, Any]


class NaiveStone:
    """One stone of the border."""

    def __init__(self) -> None:
        self.owner: int | None = None
        self.sides: list[list[str]] = [[], []]
        self.modes: list[str] = []
        self.full_at: list[int | None] = [None, None]

    @property
    def size(self) -> int:
        return 4 if "MF" in self.modes else 3

    def has_room(self, seat: int) -> bool:
        return self.owner is None and len(self.sides[seat]) < self.size

    def note_moments(self, now: int) -> None:
        """Keep since when each side is full."""
        for seat in (0, 1):
            if len(self.sides[seat]) < self.size:
                self.full_at[seat] = None
            elif self.full_at[seat] is None:
                self.full_at[seat] = now

    def completed_first(self) -> int | None:
        full = [(at, seat) for seat, at in enumerate(self.full_at) if at is not None]
        return min(full)[1] if full else None


class NaiveGame:
    """A game of Schotten Totten from a record's keys."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.claims: str = record["ruleset"]["claims"]
        self.tactics: bool = record["ruleset"]["tactics"]
        self.hand_size = 7 if self.tactics else 6
        deck = list(record["deck"])
        self.hands = [deck[: self.hand_size], deck[self.hand_size : 2 * self.hand_size]]
        self.decks = {
            "clan": deck[2 * self.hand_size :],
            "tactics": list(record.get("tactics_deck", [])),
        }
        self.stones = [NaiveStone() for _ in range(9)]
        self.discard: list[str] = []
        self.played = [0, 0]
        self.jokers = [0, 0]
        self.turn = int(record["first"])
        self.phase = "play"
        self.recruit: dict[str, int] | None = None
        self.now = 0
        self.idle = 0
        self.has_passed = self.has_claimed = False
        self.winner: int | None = None
        self.reason: str | None = None
        self._verdicts: dict[Any, bool] = {}

    # What can be seen.

    def unseen(self) -> list[str]:
        open_cards = set(self.discard)
        for stone in self.stones:
            open_cards.update(stone.sides[0] + stone.sides[1])
        return [card for card in CLAN if card not in open_cards]

    def holds(self, seat: int, stone: NaiveStone) -> bool:
        """Tell whether the seat may claim an unclaimed stone; asked once for each position."""
        if stone.owner is not None or len(stone.sides[seat]) < stone.size:
            return False
        unseen = self.unseen()
        mine, theirs = stone.sides[seat], stone.sides[1 - seat]
        first = stone.completed_first() == seat
        bluff = "BB" in stone.modes
        key = (tuple(mine), tuple(theirs), stone.size, bluff, first, tuple(unseen))
        if key not in self._verdicts:
            self._verdicts[key] = claim_holds(
                mine, theirs, size=stone.size, bluff=bluff, unseen=unseen, mine_first=first
            )
        return self._verdicts[key]

    # What may be done.

    def legal(self) -> list[Action]:
        if self.phase == "over":
            return []
        bare = {"play": self._plays, "recruit": self._recruits, "end": self._ends}[self.phase]()
        claims_now = {"start_of_turn": "play", "after_play": "end"}.get(self.claims)
        if self.phase == claims_now:
            for number, stone in enumerate(self.stones, start=1):
                if self.holds(self.turn, stone):
                    bare.append({"type": "claim", "stone": number})
        return [{"seat": self.turn, **action} for action in bare]

    def _recruits(self) -> list[Action]:
        assert self.recruit
        if self.recruit["draws"]:
            return self._draws()
        return [{"type": "return", "card": card} for card in self.hands[self.turn]]

    def _draws(self) -> list[Action]:
        return [{"type": "draw", "from": name} for name, deck in self.decks.items() if deck]

    def _ends(self) -> list[Action]:
        if len(self.hands[self.turn]) < self.hand_size and self._draws():
            return self._draws()
        return [{"type": "end"}]

    def _numbers_with_room(self) -> list[int]:
        return [n for n, stone in enumerate(self.stones, 1) if stone.has_room(self.turn)]

    def _plays(self) -> list[Action]:
        hand = self.hands[self.turn]
        plays = [
            {"type": "play", "card": card, "stone": number}
            for card in hand
            if card in CLAN
            for number in self._numbers_with_room()
        ]
        if not plays:
            plays = [{"type": "pass"}]
        if self.played[self.turn] <= self.played[1 - self.turn]:
            for card in hand:
                if card not in CLAN:
                    plays += [{"type": "play", "card": card, **how} for how in self._ways(card)]
        return plays

    def _lying(self, seat: int) -> list[tuple[int, str]]:
        """List what lies on a seat's sides of unclaimed stones, with the stones' numbers."""
        return [
            (number, card)
            for number, stone in enumerate(self.stones, 1)
            if stone.owner is None
            for card in stone.sides[seat]
        ]

    def _ways(self, card: str) -> list[Action]:
        """List how a tactics card may be played, the limit left aside."""
        room = self._numbers_with_room()
        if card in ELITE:
            if card[0] == "J" and self.jokers[self.turn] > 0:
                return []
            return [{"stone": number} for number in room]
        if card in ("BB", "MF"):
            return [{"stone": n} for n, stone in enumerate(self.stones, 1) if stone.owner is None]
        if card == "RE":
            return [{}] if self.decks["clan"] or self.decks["tactics"] else []
        own, their = self._lying(self.turn), self._lying(1 - self.turn)
        if card == "ST":
            return [
                {"take": taken, "to": to}
                for number, taken in own
                for to in [None, *room]
                if to != number
            ]
        if card == "BA":
            return [{"take": taken} for _, taken in their]
        return [{"take": taken, "to": to} for _, taken in their if taken in CLAN for to in room]

    # What it does.

    def do(self, action: Action) -> None:
        """Do a legal action, a resignation or a time-out."""
        self.now += 1
        if action["type"] in ("resign", "timeout"):
            self._finish(1 - action["seat"], action["type"])
            return
        getattr(self, "_do_" + action["type"])(action)
        for stone in self.stones:
            stone.note_moments(self.now)
        if action["type"] == "play" and self.claims == "automatic":
            self._go_over()

    def _do_play(self, action: Action) -> None:
        card = action["card"]
        self.hands[self.turn].remove(card)
        self.phase = "end"
        if card not in CLAN:
            self.played[self.turn] += 1
        if card in CLAN or card in ELITE:
            if card[0] == "J":
                self.jokers[self.turn] += 1
            self.stones[action["stone"] - 1].sides[self.turn].append(card)
        elif card in ("BB", "MF"):
            self.stones[action["stone"] - 1].modes.append(card)
        else:
            self.discard.append(card)
            self._do_ruse(card, action)

    def _do_ruse(self, card: str, action: Action) -> None:
        if card == "RE":
            draws = min(3, len(self.decks["clan"]) + len(self.decks["tactics"]))
            self.recruit = {"draws": draws, "returns": draws - 1}
            self.phase = "recruit"
            return
        for stone in self.stones:
            for side in stone.sides:
                if action["take"] in side:
                    side.remove(action["take"])
            # A side that a card leaves is not full any more, even if the card comes back at once.
            stone.note_moments(self.now)
        if action.get("to") is None:
            self.discard.append(action["take"])
        else:
            self.stones[action["to"] - 1].sides[self.turn].append(action["take"])

    def _do_pass(self, action: Action) -> None:
        self.has_passed = True
        self.phase = "end"

    def _do_claim(self, action: Action) -> None:
        self.has_claimed = True
        self._give(self.turn, self.stones[action["stone"] - 1])

    def _do_draw(self, action: Action) -> None:
        self.hands[self.turn].append(self.decks[action["from"]].pop(0))
        if self.recruit:
            self.recruit["draws"] -= 1
            self._recruit_on()
        else:
            self._next_turn(idle=False)

    def _do_return(self, action: Action) -> None:
        card = action["card"]
        self.hands[self.turn].remove(card)
        self.decks["clan" if card in CLAN else "tactics"].append(card)
        assert self.recruit
        self.recruit["returns"] -= 1
        self._recruit_on()

    def _recruit_on(self) -> None:
        if self.recruit == {"draws": 0, "returns": 0}:
            self.recruit = None
            self.phase = "end"

    def _do_end(self, action: Action) -> None:
        self._next_turn(idle=self.has_passed and not self.has_claimed)

    def _next_turn(self, *, idle: bool) -> None:
        self.idle = self.idle + 1 if idle else 0
        self.turn = 1 - self.turn
        self.phase = "play"
        self.has_passed = self.has_claimed = False
        if self.idle == 2:
            self._blocked()

    # How stones change hands and games end.

    def _give(self, seat: int, stone: NaiveStone) -> None:
        stone.owner = seat
        held = [stone.owner == seat for stone in self.stones]
        if any(held[i] and held[i + 1] and held[i + 2] for i in range(7)):
            self._finish(seat, "adjacent")
        elif sum(held) >= 5:
            self._finish(seat, "five")

    def _finish(self, winner: int | None, reason: str) -> None:
        self.phase = "over"
        self.recruit = None
        self.winner, self.reason = winner, reason

    def _go_over(self) -> None:
        for seat in (self.turn, 1 - self.turn):
            for stone in self.stones:
                if self.phase != "over" and self.holds(seat, stone):
                    self._give(seat, stone)

    def _blocked(self) -> None:
        for seat in (self.turn, 1 - self.turn):
            for stone in self.stones:
                if self.phase == "over" or stone.owner is not None:
                    continue
                full = [len(side) == stone.size for side in stone.sides]
                if full[seat] and (not full[1 - seat] or self.holds(seat, stone)):
                    self._give(seat, stone)
        if self.phase != "over":
            held = self.held()
            ahead = None if held[0] == held[1] else held.index(max(held))
            self._finish(ahead, "blocked")

    def held(self) -> list[int]:
        return [sum(stone.owner == seat for stone in self.stones) for seat in (0, 1)]

    # How it looks.

    def state(self) -> dict[str, Any]:
        """Give the state as docs/spec/records.md writes it, `legal` left out."""
        is_over = self.phase == "over"
        state = {
            "game": "schotten-totten",
            "turn": None if is_over else self.turn,
            "phase": self.phase,
            "hands": [sorted(hand) for hand in self.hands],
            "decks": {name: len(deck) for name, deck in self.decks.items()},
            "stones": [
                {
                    "owner": stone.owner,
                    "sides": stone.sides,
                    "modes": stone.modes,
                    "completed_first": stone.completed_first(),
                }
                for stone in self.stones
            ],
            "discard": self.discard,
            "tactics_played": self.played,
            "jokers_played": self.jokers,
            "recruit": self.recruit,
            "idle_turns": self.idle,
            "winner": self.winner,
            "reason": self.reason,
            "drawn": is_over and self.winner is None,
        }
        if is_over:
            points = self.held()
            if self.winner is not None:
                points[self.winner] = 5
            state["points"] = points
        return state
