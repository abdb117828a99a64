"""What can be done now, in one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext, ngettext, pgettext

from games.engine.api import Json, gettext_noop
from games.presenters.schotten_totten.cards import card_face, name_cards
from games.presenters.schotten_totten.claims import Claim
from games.presenters.schotten_totten.laying import Laying
from games.presenters.schotten_totten.steps import Steps

_PICKED: Final[dict[str, str]] = {
    "BB": gettext_noop("Blind-Man's Bluff: choose the stone at which only sums will count."),
    "MF": gettext_noop("Mud Fight: choose the stone at which four cards a side will count."),
    "ST": gettext_noop("Strategist: choose one of your own cards to move or to discard."),
    "BA": gettext_noop("Banshee: choose one of your opponent's cards to discard."),
    "TR": gettext_noop("Traitor: choose one of your opponent's clan cards to bring to your side."),
}
_TAKEN: Final[dict[str, str]] = {
    "ST": gettext_noop("Strategist: choose where %(card)s goes."),
    "TR": gettext_noop("Traitor: choose the stone to which %(card)s comes on your side."),
}


def prompt_of(
    laying: Laying, steps: Steps, claims: Sequence[Claim], win: Sequence[int] = ()
) -> str:
    """Say in one line what the viewer can do now; to others, what is being done.

    `win` are stones that win the game if they are claimed now.
    """
    if not laying.sight.is_to_act:
        return _watched(laying)
    if laying.phase == "recruit":
        return _recruiting(laying)
    if laying.sight.plan.laid:
        asked = _how_to_win(win) if win else _how_to_confirm(steps)
        return f"{_planned(laying.sight.plan.laid)} {asked}"
    if win:
        return _how_to_win(win)
    if laying.phase == "end":
        return f"{gettext('End your turn.')} {_claimable(steps, claims)}".strip()
    return f"{_to_play(laying, steps)} {_claimable(steps, claims)}".strip()


def _watched(laying: Laying) -> str:
    """Tell of a Recruiter who is at work; what can be seen of it is public."""
    recruit = laying.view["recruit"]
    if recruit is None or not laying.sight.is_running:
        return ""
    if recruit["draws"]:
        return ngettext(
            "the Recruiter draws %(n)s more card.",
            "the Recruiter draws %(n)s more cards.",
            recruit["draws"],
        ) % {"n": recruit["draws"]}
    return ngettext(
        "the Recruiter puts %(n)s card back.",
        "the Recruiter puts %(n)s cards back.",
        recruit["returns"],
    ) % {"n": recruit["returns"]}


def _recruiting(laying: Laying) -> str:
    """Ask for a Recruiter's next draw or return."""
    n_draws, n_returns = laying.view["recruit"]["draws"], laying.view["recruit"]["returns"]
    if laying.now["phase"] == "play":
        return ngettext(
            "Recruiter: draw %(n)s card. Once it is drawn there is no way back.",
            "Recruiter: draw %(n)s cards, one by one, each from the deck you choose."
            " Once the first is drawn there is no way back.",
            n_draws,
        ) % {"n": n_draws}
    if n_draws:
        return ngettext(
            "Recruiter: draw one more card.", "Recruiter: draw %(n)s more cards.", n_draws
        ) % {"n": n_draws}
    told = _planned(laying.sight.plan.laid) + " " if laying.sight.plan.laid else ""
    ask = ngettext(
        "Recruiter: choose %(n)s card to put back under its deck.",
        "Recruiter: choose %(n)s cards to put back under their decks, one by one.",
        n_returns,
    ) % {"n": n_returns}
    return told + ask


def _to_play(laying: Laying, steps: Steps) -> str:
    if steps.taken:
        return gettext(_TAKEN[steps.picked]) % {"card": card_face(steps.taken).name}
    if steps.has_own_step:
        return gettext(_PICKED[steps.picked])
    if steps.can_pass:
        if steps.cards:
            return gettext("None of your clan cards fits: you may pass, or play a tactics card.")
        return gettext("None of your cards fits anywhere: pass.")
    return gettext("Choose a card, then a stone for it.")


def _planned(laid: Sequence[Json]) -> str:
    """Tell what the plan does."""
    first = laid[0]
    if first["type"] == "pass":
        return gettext("You pass.")
    if first["type"] == "return":
        named = name_cards(action["card"] for action in laid)
        return gettext("Back under the deck: %(cards)s.") % {"cards": named}
    if "take" in first:
        return _ruse(first)
    return gettext("%(card)s at stone %(stone)s.") % {
        "card": _capital(card_face(first["card"]).name),
        "stone": first["stone"],
    }


def _ruse(play: Json) -> str:
    """Tell what a Strategist, Banshee or Traitor does."""
    params = {
        "ruse": card_face(play["card"]).name,
        "card": card_face(play["take"]).name,
        "stone": play.get("to"),
    }
    if play.get("to") is None:
        return gettext("%(ruse)s: %(card)s goes to the discard.") % params
    return gettext("%(ruse)s: %(card)s comes to your side of stone %(stone)s.") % params


def _how_to_win(win: Sequence[int]) -> str:
    return ngettext(
        "You can win now: claim stone %(stones)s.",
        "You can win now: claim stones %(stones)s.",
        len(win),
    ) % {"stones": _numbers(win)}


def _claimable(steps: Steps, claims: Sequence[Claim]) -> str:
    """Say which stones can be claimed with this turn; nothing while a ruse is being played."""
    stones = [claim.stone for claim in claims if claim.can_choose]
    if steps.has_own_step or not stones:
        return ""
    return ngettext(
        "You can claim stone %(stones)s as well.",
        "You can claim stones %(stones)s as well.",
        len(stones),
    ) % {"stones": _numbers(stones)}


def _numbers(stones: Sequence[int]) -> str:
    return pgettext("between two stones", ", ").join(str(stone) for stone in stones)


def _how_to_confirm(steps: Steps) -> str:
    if len(steps.closings) > 1:
        return gettext("Confirm it by a draw, or take it back.")
    return gettext("Confirm it, or take it back.")


def _capital(text: str) -> str:
    """Begin a sentence with a name."""
    return text[:1].upper() + text[1:]
