"""What can be said in a chat: greetings by code, and text that is nothing but plain text."""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

MAX_TEXT: Final = 500
"""How many characters a message may have, once it is made plain."""

GREETINGS: Final[dict[str, Any]] = {
    "hello": _("Hello!"),
    "luck": _("Good luck!"),
    "fun": _("Have fun!"),
    "nice": _("Nice turn!"),
    "played": _("Well played!"),
    "thanks": _("Thank you!"),
    "sorry": _("Sorry for being slow."),
    "bye": _("Goodbye!"),
}
"""Codes are stored and never change; texts are lazy."""

_JOINERS: Final = "\u200c\u200d"
"""They shape letters of some scripts and join emoji: the only unseen characters that stay."""

_NOT_PLAIN: Final = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Categories of the Unicode Character Database (UAX 44): controls, formats, among them all that
turn the direction of a text (UAX 9), surrogates, private use, and what is not assigned."""

_MAX_MARKS: Final = 3
"""So many marks may stand on a letter; more of them pile up over other lines."""


def plain_text(text: str) -> str:
    """Make a text plain: composed (NFC), without what cannot be seen, in a few lines at most.

    Directions are the reader's page's to keep apart: what would turn them is taken out.
    """
    lines = unicodedata.normalize("NFC", text).replace("\r\n", "\n").split("\n")
    cleaned = "\n".join(_plain_line(line) for line in lines)
    return re.sub(r"\n{3,}", "\n\n", cleaned).strip()


def _plain_line(line: str) -> str:
    kept: list[str] = []
    n_marks = 0
    for character in line.replace("\t", " "):
        category = unicodedata.category(character)
        if category in _NOT_PLAIN and character not in _JOINERS:
            continue
        n_marks = n_marks + 1 if category in ("Mn", "Me") else 0
        if n_marks <= _MAX_MARKS:
            kept.append(character)
    return re.sub(r" {3,}", "  ", "".join(kept)).rstrip()
