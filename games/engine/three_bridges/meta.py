"""Names, ruleset and refusals of Three Bridges; loadable without its rules."""

from __future__ import annotations

from typing import Final

from games.engine.api import Meta, Ruleset, gettext_noop

SLUG: Final = "three-bridges"

STANDARD: Final = Ruleset(
    title=SLUG,
    slug="standard",
    options=(),
    name=gettext_noop("Three Bridges"),
    summary=gettext_noop(
        "Cards are placed face down at three bridges and can do things when they are turned up;"
        " after six rounds the one with more bridges wins."
    ),
    max_turns=24,  # six rounds: two placings, then each seat's abilities
)

REFUSALS: Final = {
    "game_over": gettext_noop("The game is over."),
    "not_your_turn": gettext_noop("It is not your turn."),
    "must_place": gettext_noop("Now a card must be placed face down at a bridge."),
    "must_answer": gettext_noop("First answer the ability of %(card)s that is being asked for."),
    "must_name": gettext_noop("The Chronicler must be given a suit; that cannot be declined."),
    "not_in_hand": gettext_noop("%(card)s is not in your hand."),
    "card_not_there": gettext_noop("There is no card at that place in the row."),
    "card_face_down": gettext_noop("A card that lies face down cannot be chosen."),
    "card_turned": gettext_noop("%(card)s has been turned already."),
    "same_bridge": gettext_noop("The Ober takes a card from another bridge, not from its own."),
    "wrong_suit": gettext_noop("After %(ace)s comes a card of its own suit or a Chronicler."),
}

META: Final = Meta(
    slug=SLUG,
    name=gettext_noop("Three Bridges"),
    designer=gettext_noop("Unknown; after a Hungarian rules sheet, Három híd"),
    rules_version=1,
    rulesets=(STANDARD,),
    default_rounds=2,
    refusals=REFUSALS,
    open_piles=frozenset({"bridges"}),
)
