"""The page that checks the deal of a finished game: what is compared, in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.engine.api import Json
from games.engine.shuffle import NO_NONCE
from games.models import Game, Match
from games.presenters.terms import TermsText, terms_text


@dataclass(frozen=True, slots=True)
class Step:
    """One comparison, by the verifier's key: what it asks, and both answers."""

    key: str
    what: str
    yes: str
    no: str


@dataclass(frozen=True, slots=True)
class Pile:
    """A pile as the game was dealt it, top first, by its key in records."""

    key: str
    name: str
    cards: Sequence[str]


@dataclass(frozen=True, slots=True)
class CheckPage:
    """A game with its shuffle. The lists are empty unless the game is finished."""

    game: Game
    match: Match
    terms: TermsText
    file_name: str
    steps: Sequence[Step] = ()
    starter: str = ""
    silent: Sequence[User] = ()
    """Whose browser added nothing to the shuffle; a bot has none."""
    shuffle: Json | None = None
    piles: Sequence[Pile] = ()


_PILES: Final[dict[str, Any]] = {
    "deck": _("The deck"),
    "tactics_deck": _("The deck of tactics cards"),
    "bridges": _("The bridges"),
}
_STARTERS: Final[dict[str, Any]] = {
    "agreed": _("Who starts was agreed on beforehand, so it is not part of the shuffle."),
    "rule": _("Who starts this game follows from the rules, so it is not part of the shuffle."),
}


def check_page(game: Game, record: Json | None) -> CheckPage:
    """Say what is checked of a game. `record` is its own, None while there is none."""
    match, file_name = game.match, f"marchstone-{game.pk}.json"
    if record is None:
        return CheckPage(game, match, terms_text(match), file_name)
    shuffle = record["shuffle"]
    piles = [Pile(key, str(_PILES.get(key, key)), game.piles[key]) for key in game.piles]
    pairs = zip(match.players, match.nonces, strict=True)
    return CheckPage(
        game,
        match,
        terms_text(match),
        file_name,
        steps=_steps(piles, shuffle["starter"]),
        starter=str(_STARTERS.get(shuffle["starter"], "")),
        silent=[player for player, nonce in pairs if nonce == NO_NONCE.hex()],
        shuffle=shuffle,
        piles=piles,
    )


def _steps(piles: Sequence[Pile], starter: str) -> list[Step]:
    steps = [
        Step(
            "commitment",
            gettext("The secret is the one that was promised"),
            gettext("The secret of this game gives exactly the commitment to it."),
            gettext("The secret does not give the commitment: another one was promised."),
        )
    ]
    steps += [_pile_step(pile) for pile in piles]
    if starter == "lot":
        steps.append(
            Step(
                "first",
                gettext("Who starts"),
                gettext("The lot that follows from the numbers fell on the player who started."),
                gettext("The lot that follows from the numbers fell on the other player."),
            )
        )
    return steps


def _pile_step(pile: Pile) -> Step:
    n = len(pile.cards)
    return Step(
        pile.key,
        pile.name,
        gettext("Shuffled anew from the numbers, all %(n)d cards lie as they were dealt.")
        % {"n": n},
        gettext("Shuffled anew from the numbers, the cards do not lie as they were dealt."),
    )
