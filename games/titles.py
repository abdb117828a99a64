"""What the site plays so far: rulesets of the registry whose pages are built.

The engine may know more than the site can show; what is not here can be neither offered nor
seen in a form.
"""

from __future__ import annotations

from typing import Final

from games.engine.api import Meta, Ruleset
from games.engine.registry import get_ruleset, get_title

PLAYABLE: Final = (
    ("schotten-totten", "after-play"),
    ("schotten-totten", "start-of-turn"),
    ("schotten-totten", "automatic"),
    ("schotten-totten", "after-play-tactics"),
    ("schotten-totten", "start-of-turn-tactics"),
    ("schotten-totten", "automatic-tactics"),
    ("three-bridges", "standard"),
)
"""Title and ruleset of everything that can be offered, in the order in which it is shown."""


def playable_rulesets() -> tuple[Ruleset, ...]:
    """List the rulesets that can be offered."""
    return tuple(get_ruleset(title, ruleset) for title, ruleset in PLAYABLE)


def default_rounds(title: str) -> int:
    """Give the number of rounds that a title is usually played over."""
    return get_title(title).meta.default_rounds


def playable_titles() -> tuple[Meta, ...]:
    """List the titles that can be offered, once each; `default_rounds` is in them."""
    return tuple(get_title(title).meta for title in dict.fromkeys(title for title, _ in PLAYABLE))
