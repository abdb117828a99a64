"""What the rules page of Three Bridges draws: the deck, placing, every ability, the scoring.

Suits and figures are listed as the engine lists them: one without an example here is a
`KeyError`, in the tests before anybody else sees it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.engine.api import Ruleset
from games.engine.three_bridges.cards import (
    ACE,
    ACORNS,
    ALL_CARDS,
    BELLS,
    CHRONICLERS,
    HEARTS,
    KING,
    LEAVES,
    N_DEALT,
    OBER,
    RANKS,
    SUITS,
    UNTER,
)
from games.engine.three_bridges.state import N_ROUNDS, Ability
from games.presenters.faces import CardFace
from games.presenters.three_bridges.cards import RANK_OF, SUIT_OF, card_face
from games.presenters.three_bridges.examples import Rows, drawn, played, position
from games.presenters.three_bridges.table import Bridge

CHRONICLER: Final = "C"
"""What stands for the Chroniclers among suits and figures."""

FIGURES: Final = (UNTER, OBER, KING, ACE, CHRONICLER)


@dataclass(frozen=True, slots=True)
class SuitCards:
    """A suit with its eight cards."""

    slug: str
    name: str
    hungarian: str
    cards: tuple[CardFace, ...]


@dataclass(frozen=True, slots=True)
class RankName:
    """What a card bears, and what that is called; figures have a Hungarian name."""

    short: str
    name: str
    hungarian: str


@dataclass(frozen=True, slots=True)
class Step:
    """One picture of an example: bridges as they lie, and what has happened."""

    bridges: tuple[Bridge, ...]
    text: str = ""

    @property
    def is_own_alone(self) -> bool:
        """Say whether the other rows are empty, and need not be drawn."""
        return not any(bridge.top.cards for bridge in self.bridges)


@dataclass(frozen=True, slots=True)
class AbilityExample:
    """What a suit or figure does, with pictures."""

    face: CardFace
    name: str
    hungarian: str
    text: str
    is_scored: bool
    """Whether it works when the game is scored, not when the card is turned up."""
    steps: tuple[Step, ...]
    is_draw: bool = False
    """Whether it draws a card."""

    @property
    def faces(self) -> tuple[CardFace, ...]:
        """Give the card alone, to be drawn like any row of cards."""
        return (self.face,)


@dataclass(frozen=True, slots=True)
class ScoringExample:
    """A bridge counted; the bridge's own lines say how."""

    text: str
    bridge: Bridge


@dataclass(frozen=True, slots=True)
class RulesPage:
    """Everything on the page that is drawn."""

    n_cards: int
    n_dealt: int
    n_rounds: int
    suits: tuple[SuitCards, ...]
    ranks: tuple[RankName, ...]
    chronicler: CardFace
    anatomy: Bridge
    placed: tuple[Step, ...]
    suit_abilities: tuple[AbilityExample, ...]
    figure_abilities: tuple[AbilityExample, ...]
    chain: tuple[Step, ...]
    scoring: tuple[ScoringExample, ...]
    halves: Bridge


@dataclass(frozen=True, slots=True)
class _Ability:
    """An example of an ability: a position, what is asked in it, and what is answered."""

    text: Promise | str
    bridges: str
    rows: Mapping[int, Rows]
    shown: tuple[int, ...]
    caption: Promise | str
    asked: tuple[Ability, int] | None = None
    action: Mapping[str, Any] | None = None
    hand: str = ""
    is_scored: bool = False


SUIT_ABILITIES: Final[dict[str, _Ability]] = {
    HEARTS: _Ability(
        _("Each Heart brings its row 1 point."),
        "A9 LK B7",
        {1: ("", "H7 H8")},
        (1,),
        _("7 and 8, and 1 point for each of the two Hearts: 17."),
        is_scored=True,
    ),
    BELLS: _Ability(
        _("A Bell halves the card that faces it. Half points are kept."),
        "H9 LK B7",
        {1: ("LX L9", "B8 A7")},
        (1,),
        _("The Bell faces the first card of the other row: 10 counts 5."),
        is_scored=True,
    ),
    LEAVES: _Ability(
        _(
            "You may turn one card at this bridge sideways, in either row. It then counts 2 less."
            " The bridge itself cannot be turned."
        ),
        "B9 LK A9",
        {1: ("HX", "A7 L8")},
        (1,),
        _("The Ten of Hearts is turned."),
        asked=("turn", 1),
        action={"type": "turn", "side": 1, "index": 0},
    ),
    ACORNS: _Ability(
        _("You draw a card. It happens by itself."),
        "H9 LK B7",
        {1: ("", "A8")},
        (1,),
        _("One card more in your hand."),
    ),
}
"""What each suit does, with an example that the engine plays or counts."""

FIGURE_ABILITIES: Final[dict[str, _Ability]] = {
    UNTER: _Ability(
        _(
            "If it has the suit of the bridge, it may change places with the bridge card. The"
            " bridge keeps its suit."
        ),
        "LX HK B7",
        {1: ("", "A7 LU")},
        (1,),
        _("The Unter is the bridge now, and the Ten counts for you."),
        asked=("swap", 1),
        action={"type": "swap"},
    ),
    OBER: _Ability(
        _("You may fetch one of your face-up cards from another bridge, to the end of its row."),
        "A9 LK B7",
        {1: ("", "HO"), 2: ("", "BX H7")},
        (1, 2),
        _("The Ten of Bells comes over, and the row it left closes up."),
        asked=("move", 1),
        action={"type": "move", "bridge": 2, "index": 0},
    ),
    KING: _Ability(
        _("Each King brings its row 1 point for every card in the row, itself included."),
        "A9 LX B7",
        {1: ("", "LK B8 L7")},
        (1,),
        _("4, 8 and 7, and 3 points for the King: 22."),
        is_scored=True,
    ),
    ACE: _Ability(
        _(
            "You may at once play one more card of its suit from your hand, face up at any bridge."
            " That card's abilities follow at once."
        ),
        "A9 LK B7",
        {1: ("", "HA")},
        (1, 2),
        _("The Ten of Hearts follows, at another bridge."),
        asked=("extra", 1),
        action={"type": "extra", "card": "HX", "bridge": 2},
        hand="HX A8",
    ),
    CHRONICLER: _Ability(
        _(
            "When it is turned up you name a suit. From then on it is the Ace of that suit, with"
            " both its abilities. The two Chroniclers belong to no suit before."
        ),
        "H9 LK B7",
        {1: ("", "C1")},
        (1,),
        _("Named Acorns, it draws a card, and one more Acorn may follow."),
        asked=("name", 1),
        action={"type": "name", "suit": "A"},
        hand="L8",
    ),
}
"""What each figure does, and a Chronicler."""

_ROWS: Final = "AK H7 HX"
SCORING: Final[tuple[tuple[Promise | str, Rows], ...]] = (
    (_("Nothing faces your row."), ("", _ROWS)),
    (_("A Bell faces your Ten: it is halved, after its suit was counted."), ("L9 A7 B8", _ROWS)),
    (_("And a Leaf has turned your Ten, which is halved after that."), ("L9 A7 B8", _ROWS + "/")),
)
"""The same row at a bridge of Hearts, three times."""


def present_rules(ruleset: Ruleset) -> RulesPage:
    """Draw the rules. There is one ruleset so far, so it makes no difference which."""
    (halves,) = drawn(position("A9 LK HX", {1: ("B9 H8", "B8 H7")}), 1)
    return RulesPage(
        n_cards=len(ALL_CARDS),
        n_dealt=N_DEALT,
        n_rounds=N_ROUNDS,
        suits=tuple(_suit(letter) for letter in SUITS),
        ranks=tuple(_rank(letter) for letter in RANKS),
        chronicler=card_face(CHRONICLERS[0]),
        anatomy=drawn(position("HU LK B7", {1: ("L9 A8", "A7 H7 LX")}), 1)[0],
        placed=_placed(),
        suit_abilities=tuple(suit_ability(letter) for letter in SUITS),
        figure_abilities=tuple(figure_ability(letter) for letter in FIGURES),
        chain=_chain(),
        scoring=tuple(_scored(str(text), rows) for text, rows in SCORING),
        halves=halves,
    )


def suit_ability(letter: str) -> AbilityExample:
    """Draw what a suit does."""
    face = card_face(next(c for c in ALL_CARDS if c[0] == letter))
    suit = SUIT_OF[letter]
    return _example(face, str(suit.name), suit.hungarian, SUIT_ABILITIES[letter])


def figure_ability(letter: str) -> AbilityExample:
    """Draw what a figure does, or a Chronicler."""
    ability = FIGURE_ABILITIES[letter]
    if letter == CHRONICLER:
        face = card_face(CHRONICLERS[0])
        return _example(face, face.name, "krónikás", ability)
    suit = ability.rows[1][1].split()[0 if letter == KING else -1][0]
    rank = RANK_OF[letter]
    return _example(card_face(suit + letter), str(rank.name), rank.hungarian, ability)


def _example(face: CardFace, name: str, hungarian: str, ability: _Ability) -> AbilityExample:
    before = position(ability.bridges, ability.rows, hand=ability.hand, asked=ability.asked)
    steps: tuple[Step, ...] = (Step(drawn(before, *ability.shown), str(ability.caption)),)
    if ability.action is not None:
        after = played(before, dict(ability.action))
        steps = (
            replace(steps[0], text=""),
            replace(steps[0], bridges=drawn(after, *ability.shown)),
        )
    return AbilityExample(
        face,
        name,
        hungarian,
        str(ability.text),
        ability.is_scored,
        steps,
        is_draw=ability is SUIT_ABILITIES[ACORNS],
    )


def _suit(letter: str) -> SuitCards:
    suit = SUIT_OF[letter]
    cards = tuple(card_face(code) for code in ALL_CARDS if code[0] == letter)
    return SuitCards(suit.slug, str(suit.name), suit.hungarian, cards)


def _rank(letter: str) -> RankName:
    rank = RANK_OF[letter]
    return RankName(str(rank.short), str(rank.name), rank.hungarian)


def _placed() -> tuple[Step, ...]:
    """Draw a round: both cards face down, the starter's up, then the other."""
    rows: tuple[tuple[Rows, Promise | str], ...] = (
        (("(L9)", "(A8)"), _("Both cards lie face down.")),
        (("L9", "(A8)"), _("The starter's card is turned up and used.")),
        (("L9", "A8"), _("Then the other card.")),
    )
    return tuple(Step(drawn(position("HU LK B7", {1: laid}), 1), str(text)) for laid, text in rows)


def _chain() -> tuple[Step, ...]:
    """Let the engine play an Ace, a Chronicler after it, and a third card after that."""
    begun = position("A9 LK B7", {1: ("", "HA")}, hand="C1 H9", asked=("extra", 1))
    follows = played(begun, {"type": "extra", "card": "C1", "bridge": 2})
    done = played(follows, {"type": "extra", "card": "H9", "bridge": 1})
    told = (
        (begun, _("The Ace of Hearts asks: is there another Heart?")),
        (follows, _("A Chronicler follows. After this Ace it is an Ace of Hearts, unasked.")),
        (done, _("It asks again, and the Nine of Hearts ends the chain.")),
    )
    return tuple(Step(drawn(state, 1, 2), str(text)) for state, text in told)


def _scored(text: str, rows: Rows) -> ScoringExample:
    (bridge,) = drawn(position("H9 LK A9", {1: rows}), 1)
    return ScoringExample(text, bridge)
