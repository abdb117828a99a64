"""The one list of titles. A new title is one package and one line here."""

from __future__ import annotations

from games.engine.api import AnyTitle, Ruleset
from games.engine.errors import MalformedRecord, shown
from games.engine.schotten_totten import SCHOTTEN_TOTTEN
from games.engine.three_bridges import THREE_BRIDGES

TITLES: dict[str, AnyTitle] = {title.meta.slug: title for title in (SCHOTTEN_TOTTEN, THREE_BRIDGES)}


def get_title(slug: object) -> AnyTitle:
    """Find a title by its slug. Raises `MalformedRecord` for an unknown one."""
    if isinstance(slug, str) and slug in TITLES:
        return TITLES[slug]
    raise MalformedRecord(f"unknown game {shown(slug)}")


def get_ruleset(title_slug: str, ruleset_slug: str) -> Ruleset:
    """Find a ruleset by both slugs. Raises `MalformedRecord` for an unknown one."""
    for ruleset in get_title(title_slug).meta.rulesets:
        if ruleset.slug == ruleset_slug:
            return ruleset
    raise MalformedRecord(f"unknown ruleset {shown(ruleset_slug)} of {title_slug}")
