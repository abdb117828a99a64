"""What the rules page of Schotten Totten draws: deck, formations, claims, ends, tactics cards.

Formations and tactics cards are listed as the engine lists them: one without an example here is
a `KeyError`, in the tests before anybody else sees it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.engine.api import Json, Ruleset, gettext_noop
from games.engine.schotten_totten.cards import (
    CARD_OF,
    ELITE,
    MODES,
    N_CLAN,
    TACTICS_CODES,
)
from games.engine.schotten_totten.formations import FORMATION_NAMES
from games.engine.schotten_totten.meta import RULESETS
from games.engine.schotten_totten.proof import formation_of
from games.engine.schotten_totten.state import rules_of
from games.presenters.faces import CardFace
from games.presenters.log import Sentence, pieces_of
from games.presenters.schotten_totten.cards import CLANS, card_face, card_faces, face_of
from games.presenters.schotten_totten.examples import Drawing, Laid, drawn, played, position
from games.presenters.schotten_totten.stones import SHORT_NAMES

COLOUR_NAMES: Final[dict[str, Promise | str]] = {
    "R": _("Red"),
    "O": _("Orange"),
    "Y": _("Yellow"),
    "G": _("Green"),
    "B": _("Blue"),
    "P": _("Purple"),
}
EMBLEM_NAMES: Final[dict[str, Promise | str]] = {
    "rowan": _("rowan"),
    "oak": _("oak"),
    "sun": _("sun"),
    "pine": _("pine"),
    "wave": _("wave"),
    "thistle": _("thistle"),
}
FORMATIONS: Final[dict[str, tuple[str, Promise | str]]] = {
    "colour-run": ("R7 R8 R9", _("One colour, and values in a row.")),
    "three-of-a-kind": ("G5 B5 Y5", _("Three equal values.")),
    "colour": ("P2 P6 P8", _("One colour, any values.")),
    "run": ("O3 G4 R5", _("Values in a row, any colours. 9 and 1 are not neighbours.")),
    "sum": ("B9 Y6 O2", _("Any other three cards.")),
}
"""An example of each type of formation, and what it is."""


@dataclass(frozen=True, slots=True)
class Colour:
    """The nine cards of one colour."""

    name: str
    emblem: str
    cards: tuple[CardFace, ...]


@dataclass(frozen=True, slots=True)
class FormationExample:
    """A type of formation with three cards that are one; `total` is their sum."""

    slug: str
    name: str
    short: str
    text: str
    cards: tuple[CardFace, ...]
    total: int


@dataclass(frozen=True, slots=True)
class TacticsExample:
    """A tactics card, what it does, and its effect: stones before and after, or cards alone.

    An elite troop has `side`, the side that it makes; a Recruiter has `drawn` and `back`.
    """

    face: CardFace
    text: str
    caption: Sentence
    before: Drawing | None = None
    after: Drawing | None = None
    side: tuple[CardFace, ...] = ()
    drawn: tuple[CardFace, ...] = ()
    back: tuple[CardFace, ...] = ()

    @property
    def is_own_alone(self) -> bool:
        """Say whether the other side is empty throughout, and need not be drawn."""
        stones = (self.before.stones if self.before else ()) + (
            self.after.stones if self.after else ()
        )
        return not any(stone.top.cards for stone in stones)

    @property
    def faces(self) -> tuple[CardFace, ...]:
        """Give the card alone, to be drawn like any row of cards."""
        return (self.face,)


@dataclass(frozen=True, slots=True)
class TacticsClass:
    """Tactics cards of one class: elite troops, combat modes or ruses."""

    slug: str
    name: str
    text: str
    cards: tuple[TacticsExample, ...]


@dataclass(frozen=True, slots=True)
class RulesPage:
    """Everything on the page that is drawn, or follows from the ruleset's options."""

    claims: str
    tactics: bool
    hand_size: int
    n_cards: int
    twin: Ruleset
    """The ruleset with the same claims that has tactics cards where this has none, or lacks them
    where this has them."""
    colours: tuple[Colour, ...]
    formations: tuple[FormationExample, ...]
    tactics_classes: tuple[TacticsClass, ...]
    anatomy: Drawing
    kind_first: Drawing
    sum_next: Drawing
    first_wins: Drawing
    claim_open: Drawing
    claim_proven: Drawing
    claim_done: Drawing
    claim_early: Drawing
    claim_refused: Drawing
    adjacent: Drawing
    five: Drawing


def present_rules(ruleset: Ruleset) -> RulesPage:
    """Draw the rules of one ruleset."""
    rules = rules_of(ruleset)
    return RulesPage(
        claims=rules.claims,
        tactics=rules.tactics,
        hand_size=rules.hand_size,
        n_cards=N_CLAN,
        twin=_twin(ruleset),
        colours=tuple(_colour(letter) for letter in CLANS),
        formations=tuple(_formation(slug) for slug in reversed(FORMATION_NAMES)),
        tactics_classes=tactics_classes() if rules.tactics else (),
        **_drawings(),
    )


def _twin(ruleset: Ruleset) -> Ruleset:
    options = dict(ruleset.options)
    options["tactics"] = not options["tactics"]
    return next(other for other in RULESETS if dict(other.options) == options)


def _colour(letter: str) -> Colour:
    return Colour(
        name=str(COLOUR_NAMES[letter]),
        emblem=str(EMBLEM_NAMES[CLANS[letter].emblem]),
        cards=card_faces(code for code in CARD_OF if code[0] == letter and code[1].isdigit()),
    )


def _formation(slug: str) -> FormationExample:
    codes, text = FORMATIONS[slug]
    told = formation_of(tuple(CARD_OF[code] for code in codes.split()), bluff=False)
    return FormationExample(
        slug=told.type,
        name=gettext(FORMATION_NAMES[slug]),
        short=str(SHORT_NAMES[slug]),
        text=str(text),
        cards=card_faces(codes.split()),
        total=told.sum,
    )


def _drawings() -> dict[str, Drawing]:
    """Draw the stones of the base game, by the page's names for them."""
    proof: dict[int, Laid] = {3: ("B8 B9", "G4 G5 G6")}
    seen: dict[int, Laid] = {**proof, 5: ("B7", "Y2 R2")}
    adjacent, five = ((2,), (4, 5, 6)), ((2, 4, 9), (1, 3, 5, 6, 8))
    return {
        "anatomy": drawn(position({3: ("B8 B9", "G4 G5 G6")}), 3),
        "kind_first": drawn(position({4: ("R9 G9 Y9", "B1 B2 B3")}), 4, judged=4),
        "sum_next": drawn(position({4: ("O2 O6 O9", "P4 P6 P8")}), 4, judged=4),
        "first_wins": drawn(position({4: ("P4 P5 P6", "G4 G5 G6")}), 4, judged=4),
        "claim_open": drawn(position(proof), 3, judged=3),
        "claim_proven": drawn(position(seen), 3, 5, judged=3),
        "claim_done": drawn(position(seen, owned=((3,), ())), 3, 5),
        "claim_early": drawn(position({6: ("B8 R2", "G4 G5 G6")}), 6, judged=6),
        "claim_refused": drawn(position({6: ("", "R6 R7 R8")}), 6, judged=6),
        "adjacent": drawn(position({}, owned=(adjacent[1], adjacent[0])), *range(1, 10)),
        "five": drawn(position({}, owned=(five[1], five[0])), *range(1, 10)),
    }


@dataclass(frozen=True, slots=True)
class _Play:
    """An example of a tactics card: stones, what is played, and which stones show it."""

    text: Promise | str
    caption: str
    stones: Mapping[int, Laid]
    action: Mapping[str, Any]
    shown: tuple[int, ...]
    params: Mapping[str, Any]


TACTICS: Final[dict[str, _Play]] = {
    "JA": _Play(
        _("Any colour, any value from 1 to 9. Nobody may play both Jokers."),
        gettext_noop("Here it stands for %(as)s: %(own)s."),
        {4: ("", "R7 R9")},
        {"stone": 4},
        (4,),
        {"as": "R8"},
    ),
    "JB": _Play(
        _("The same. The two differ by a letter only."),
        gettext_noop("Here it is a third 5: %(own)s."),
        {4: ("", "G5 B5")},
        {"stone": 4},
        (4,),
        {},
    ),
    "SP": _Play(
        _("Any colour, always a 7."),
        gettext_noop("Here it stands for %(as)s: %(own)s."),
        {4: ("", "B6 B8")},
        {"stone": 4},
        (4,),
        {"as": "B7"},
    ),
    "SB": _Play(
        _("Any colour, and 1, 2 or 3."),
        gettext_noop("Here it stands for %(as)s: %(own)s."),
        {4: ("", "Y2 Y4")},
        {"stone": 4},
        (4,),
        {"as": "Y3"},
    ),
    "BB": _Play(
        _("At this stone only the sum of the values counts. A Joker is 9, the Shield-Bearer 3."),
        gettext_noop("%(before)s was stronger. Now your %(own)s beats their %(theirs)s."),
        {4: ("R7 R8 R9", "B9 G9 P8")},
        {"stone": 4},
        (4,),
        {},
    ),
    "MF": _Play(
        _("Four cards a side at this stone: a run of four, four of a kind, and so on."),
        gettext_noop("Both sides have room for one more card, yours too."),
        {4: ("G8 G9", "R4 R5 R6")},
        {"stone": 4},
        (4,),
        {},
    ),
    "RE": _Play(
        _(
            "Draw three cards one by one, each from the deck you choose. Then put any two cards"
            " of your hand under their decks. That is your draw for the turn."
        ),
        gettext_noop("The cards put back may be among those just drawn."),
        {},
        {},
        (),
        {},
    ),
    "ST": _Play(
        _("Move a card of yours to another stone with room on your side, or discard it."),
        gettext_noop("%(take)s moves over: %(own)s."),
        {4: ("", "P3 R8"), 5: ("", "R7 R9")},
        {"take": "R8", "to": 5},
        (4, 5),
        {"take": "R8"},
    ),
    "BA": _Play(
        _("Discard one of your opponent's cards."),
        gettext_noop("%(take)s is gone. The place is free again."),
        {4: ("B7 B8 B9", "P5 P6")},
        {"take": "B9"},
        (4,),
        {"take": "B9"},
    ),
    "TR": _Play(
        _("Bring one of your opponent's clan cards to your side of a stone with room."),
        gettext_noop("%(take)s changes sides: %(own)s."),
        {4: ("G5 G8", "G6 G7")},
        {"take": "G5", "to": 4},
        (4,),
        {"take": "G5"},
    ),
}
"""Each tactics card: what it does, and an example that the engine plays."""

RECRUIT: Final = (("P6", "JB", "O3"), ("Y1", "O3"))
"""What a Recruiter draws in the example, and what goes back."""

_CLASSES: Final[tuple[tuple[str, Promise | str, Promise | str], ...]] = (
    (
        "elite",
        _("Elite troops"),
        _(
            "They lie on your side like a clan card. Each time the stone is judged they count as"
            " whatever is best for you."
        ),
    ),
    (
        "mode",
        _("Combat modes"),
        _(
            "They lie at the stone itself and change what counts there, for both sides. Any stone"
            " that nobody holds will do, and both modes may lie at one."
        ),
    ),
    (
        "ruse",
        _("Ruses"),
        _(
            "They do their work once and go to the discard, which everybody may look through."
            " They touch neither a stone that is held nor a combat mode."
        ),
    ),
)


def class_of(code: str) -> str:
    """Name the class of a tactics card."""
    card = CARD_OF[code]
    return "elite" if card in ELITE else "mode" if card in MODES else "ruse"


def tactics_classes() -> tuple[TacticsClass, ...]:
    """Draw every tactics card with an example of its effect."""
    return tuple(
        TacticsClass(
            slug,
            str(name),
            str(text),
            tuple(tactics_example(code) for code in TACTICS_CODES if class_of(code) == slug),
        )
        for slug, name, text in _CLASSES
    )


def tactics_example(code: str) -> TacticsExample:
    """Play a tactics card in a position laid for it."""
    play = TACTICS[code]
    face, text = card_face(code), str(play.text)
    if code == "RE":
        gains, backs = (card_faces(codes) for codes in _recruit())
        return TacticsExample(face, text, _caption(play, {}), drawn=gains, back=backs)
    before = position(play.stones, hand=code)
    after = played(before, {"type": "play", "card": code, **play.action})
    numbers = play.shown
    drawn_before, drawn_after = drawn(before, *numbers), drawn(after, *numbers)
    old, new = drawn_before.stones[-1], drawn_after.stones[-1]
    params = {
        "own": f"{new.bottom.formation} {new.bottom.total}",
        "theirs": f"{new.top.formation} {new.top.total}",
        "before": f"{old.top.formation} {old.top.total}",
    }
    told = _caption(play, params)
    if class_of(code) == "elite":
        return TacticsExample(face, text, told, side=tuple(laid.face for laid in new.bottom.cards))
    return TacticsExample(face, text, told, before=drawn_before, after=drawn_after)


def _caption(play: _Play, params: Json) -> Sentence:
    return pieces_of(play.caption, {**params, **play.params}, {}, face_of)


def _recruit() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Let the engine play the Recruiter; gives what it drew and what went back."""
    gains, backs = RECRUIT
    state = position({}, hand="Y1 RE", deck=" ".join(gains))
    draws = [{"type": "draw", "from": _deck_of(code)} for code in gains]
    returns = [{"type": "return", "card": code} for code in backs]
    played(state, {"type": "play", "card": "RE"}, *draws, *returns)
    return gains, backs


def _deck_of(code: str) -> str:
    return "clan" if CARD_OF[code] < N_CLAN else "tactics"
