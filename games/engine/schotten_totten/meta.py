"""Names, rulesets and refusals of Schotten Totten; loadable without its rules."""

from __future__ import annotations

from typing import Final

from games.engine.api import Meta, Ruleset, gettext_noop

SLUG: Final = "schotten-totten"

MAX_TURNS: Final = {False: 74, True: 96}
"""By whether tactics are on. A player has 27 places to fill, 28 with Mud Fight and four more where
ruses took cards away, and lays six tactics cards at most that take none: 54 turns of both, or 76.
Of later ones at least every second claims one of the nine stones, or two idle ones end the game."""


def _ruleset(slug: str, claims: str, tactics: bool, name: str, summary: str) -> Ruleset:
    """Make a ruleset of this title."""
    options = (("claims", claims), ("tactics", tactics))
    return Ruleset(SLUG, slug, options, name, summary, MAX_TURNS[tactics])


RULESETS: Final = (
    _ruleset(
        "after-play",
        "after_play",
        False,
        gettext_noop("Schotten Totten"),
        gettext_noop("Play a card, claim stones, draw: the rules of the current editions."),
    ),
    _ruleset(
        "start-of-turn",
        "start_of_turn",
        False,
        gettext_noop("Schotten Totten, experts"),
        gettext_noop("Stones are claimed at the start of a turn: the experts' rules of 1999."),
    ),
    _ruleset(
        "automatic",
        "automatic",
        False,
        gettext_noop("Schotten Totten, automatic claims"),
        gettext_noop("A stone goes over by itself as soon as it is decided."),
    ),
    _ruleset(
        "after-play-tactics",
        "after_play",
        True,
        gettext_noop("Schotten Totten, tactics"),
        gettext_noop("With the ten tactics cards; play a card, claim stones, draw."),
    ),
    _ruleset(
        "start-of-turn-tactics",
        "start_of_turn",
        True,
        gettext_noop("Schotten Totten, experts with tactics"),
        gettext_noop("With the ten tactics cards; stones are claimed at the start of a turn."),
    ),
    _ruleset(
        "automatic-tactics",
        "automatic",
        True,
        gettext_noop("Schotten Totten, automatic claims with tactics"),
        gettext_noop("With the ten tactics cards; a stone goes over as soon as it is decided."),
    ),
)

TACTICS_NAMES: Final[dict[str, str]] = {
    "JA": gettext_noop("Joker A"),
    "JB": gettext_noop("Joker B"),
    "SP": gettext_noop("Spy"),
    "SB": gettext_noop("Shield-Bearer"),
    "BB": gettext_noop("Blind-Man's Bluff"),
    "MF": gettext_noop("Mud Fight"),
    "RE": gettext_noop("Recruiter"),
    "ST": gettext_noop("Strategist"),
    "BA": gettext_noop("Banshee"),
    "TR": gettext_noop("Traitor"),
}
"""The ten tactics cards; the two Jokers are alike and told apart by a letter."""

REFUSALS: Final[dict[str, str]] = {
    "game_over": gettext_noop("The game is over."),
    "not_your_turn": gettext_noop("It is not your turn."),
    "play_first": gettext_noop("First play a card."),
    "already_played": gettext_noop("You have played in this turn already."),
    "not_in_hand": gettext_noop("%(card)s is not in your hand."),
    "stone_claimed": gettext_noop("Stone %(stone)s has been claimed already."),
    "side_full": gettext_noop("Your side of stone %(stone)s is full."),
    "must_play": gettext_noop("You can play a clan card, so you may not pass."),
    "must_draw": gettext_noop("Draw a card first."),
    "hand_full": gettext_noop("Your hand is full, so you may not draw."),
    "no_tactics": gettext_noop("This game is played without tactics cards."),
    "deck_empty": gettext_noop("That deck is empty."),
    "decks_empty": gettext_noop("Both decks are empty, so the Recruiter has nobody to call."),
    "claims_automatic": gettext_noop("In this game stones go over by themselves."),
    "claim_before_play": gettext_noop("In this game stones are claimed before the play."),
    "claim_after_play": gettext_noop("In this game stones are claimed after the play."),
    "side_not_full": gettext_noop("Your side of stone %(stone)s is not full yet."),
    "claim_not_proven": gettext_noop(
        "Stone %(stone)s cannot be claimed yet: %(completion)s could still beat your side."
    ),
    "claim_beaten": gettext_noop("The other side of stone %(stone)s is stronger than yours."),
    "claim_tied": gettext_noop(
        "Both sides of stone %(stone)s are equal, and the other was completed first."
    ),
    "tactics_limit": gettext_noop(
        "You have played more tactics cards than your opponent, so you may not play one now."
    ),
    "second_joker": gettext_noop("You have played a Joker already, so you may not play the other."),
    "no_target": gettext_noop("%(card)s cannot take %(take)s."),
    "no_elite": gettext_noop("The Traitor takes clan cards only, not %(take)s."),
    "same_stone": gettext_noop("The card lies at stone %(stone)s already."),
    "recruiter_draws": gettext_noop("The Recruiter still has cards to draw."),
    "recruiter_returns": gettext_noop("The Recruiter still has cards to put back."),
    "no_return": gettext_noop("Only a Recruiter puts cards back."),
}

META: Final = Meta(
    slug=SLUG,
    name=gettext_noop("Schotten Totten"),
    designer="Reiner Knizia",
    rules_version=1,
    rulesets=RULESETS,
    default_rounds=3,
    refusals=REFUSALS,
    shows=frozenset({"draw"}),
)
