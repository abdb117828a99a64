"""Names and addresses: what is allowed, and which ones count as the same.

Source: Unicode UTS 39 (confusables, mixed scripts), UTS 36, NFKC, full case folding.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from confusable_homoglyphs import categories, confusables
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

NAME_LENGTH = 30
"""The longest name, in characters after NFKC."""

NAME_KEY_LENGTH = 120
"""Room for the longest key: case folding makes at most three characters of one."""

_SEPARATORS = " -_.'’·"
_WORD_CATEGORIES = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd"})
_LOOSE_MARKS = re.compile(r"[\u0300-\u036f]")
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u17b4\u17b5\u034f\u180f\U00016fe4")
"""Letters and marks that show nothing, though Unicode calls them letters and marks."""
_VARIATIONS = re.compile(r"[\u180b-\u180d\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_SCRIPTS_TOGETHER = (
    {"LATIN", "HAN", "HIRAGANA", "KATAKANA"},
    {"LATIN", "HAN", "HANGUL"},
    {"LATIN", "HAN", "BOPOMOFO"},
)
"""Scripts that people write together; apart from these a name keeps to one (UTS 39, 5.2)."""
_ASCII_TWINS = str.maketrans({"1": "l", "i": "l", "|": "l", "0": "o"})
_KEYS_OF_CAPITALS = str.maketrans({"n": "v", "y": "u"})
"""What keys hold for the two letters, Ν and Υ, that look like another one than ν and υ do."""

_RESERVED = """
about accounts admin administrator anonymous api bot computer deleted everybody everyone guest
help home info invitation lobby mail marchstone match me moderator new news nobody none noreply
null offer official operator player postmaster referee root rules seat security settings
spectator staff static superuser support sysop system team undefined user webmaster you
"""
"""Names that would speak for the site or nobody."""


def clean_name(text: str) -> str:
    """Give a name as it is stored: NFKC, single blanks.

    Raises `ValidationError` where it is empty, too long, reserved, mixes scripts or holds
    anything but letters, digits and single separators.
    """
    name = re.sub(" {2,}", " ", unicodedata.normalize("NFKC", text)).strip(" ")
    if not name:
        raise ValidationError(_("Choose a name."), code="name_empty")
    if len(name) > NAME_LENGTH:
        raise ValidationError(
            _("A name has at most %(most)d characters."),
            code="name_long",
            params={"most": NAME_LENGTH},
        )
    if not all(map(_is_allowed, name)) or not _is_well_formed(name):
        raise ValidationError(
            _(
                "A name is made of letters and digits, with single blanks, hyphens, dots, "
                "underscores or apostrophes between them."
            ),
            code="name_characters",
        )
    if not _is_one_script(name):
        raise ValidationError(
            _("Keep to one alphabet: letters that look alike could deceive others."),
            code="name_scripts",
        )
    if not _RESERVED_KEYS.isdisjoint(_readings(name)) or _is_like_deleted(name):
        raise ValidationError(_("This name is kept for the site."), code="name_reserved")
    return name


def name_key(name: str) -> str:
    """Give the key under which a name is unique and found.

    The same for names that differ by case, by look-alike letters, by what cannot be seen,
    or by blanks and punctuation. Accents count: `Ádám` is not `Adam`.
    """
    return _joined(map(_skeleton, _letters(name)))


def name_print(name: str) -> str:
    """Give the fingerprint of a name's key: it tells the name to nobody who does not guess it."""
    return _print_of(name_key(name))


def look_alike_prints(name: str) -> set[str]:
    """Give the fingerprints under which retired look-alikes of a name would be found."""
    return {_print_of(key) for key in look_alike_keys(name)}


def _print_of(key: str) -> str:
    return salted_hmac("accounts.names", key, algorithm="sha256").hexdigest()


def is_look_alike(name: str, other: str) -> bool:
    """Say whether two names look alike in small letters or in capitals: ΑΝΝΑ is ANNA, αννα avva.

    Not an equivalence, so it cannot be a key.
    """
    return not _readings(name).isdisjoint(_readings(other))


def look_alike_keys(name: str) -> set[str]:
    """Give the keys under which all look-alikes of a name are found, and maybe others."""
    capitals = "".join(map(_capital_skeleton, _letters(name)))
    return {*_readings(name), _joined(capitals.translate(_KEYS_OF_CAPITALS))}


def _readings(name: str) -> set[str]:
    return {name_key(name), _joined(map(_capital_skeleton, _letters(name)))}


def _letters(name: str) -> str:
    """Give a name's letters, digits and accents, folded and taken apart."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    composed = _LOOSE_MARKS.sub("", unicodedata.normalize("NFC", folded))
    letters = (c for c in composed if unicodedata.category(c) in _WORD_CATEGORIES)
    return unicodedata.normalize("NFD", "".join(c for c in letters if not _is_unseen(c)))


def _joined(skeletons: Iterable[str]) -> str:
    skeleton = "".join(skeletons).translate(_ASCII_TWINS)
    return skeleton.replace("rn", "m").replace("vv", "w")[:NAME_KEY_LENGTH]


def clean_email(text: str) -> str:
    """Give an address as it is stored and compared.

    Raises `ValidationError` where it is no address, or where letters outside ASCII remain
    after NFKC: folding those (ß, İ) would give an address that belongs to somebody else.
    """
    email = email_key(text)
    if not (unicodedata.normalize("NFKC", text.strip()).isascii() and email.isascii()):
        raise ValidationError(
            _("Write the address with plain Latin letters, without accents."),
            code="email_letters",
        )
    validate_email(email)
    return email


def email_key(text: str) -> str:
    """Give the form in which addresses are compared: NFKC, case-folded, trimmed."""
    folded = unicodedata.normalize("NFKC", text.strip()).casefold()
    return unicodedata.normalize("NFKC", folded).strip()


def _is_allowed(character: str) -> bool:
    if character in _SEPARATORS:
        return True
    return unicodedata.category(character) in _WORD_CATEGORIES and not _is_unseen(character)


def _is_unseen(character: str) -> bool:
    return character in _FILLERS or _VARIATIONS.match(character) is not None


def _is_well_formed(name: str) -> bool:
    """Say whether a name begins with a letter or digit and nothing piles up in it (J. R. may)."""
    kinds = "".join(_kind(character) for character in name.replace(". ", "."))
    return kinds[0] == "w" and "ss" not in kinds and "sm" not in kinds and "mmm" not in kinds


def _kind(character: str) -> str:
    """Sort a character: s for a separator, m for a mark on a letter, w for the rest."""
    if character in _SEPARATORS:
        return "s"
    return "m" if unicodedata.category(character) == "Mn" else "w"


def _is_one_script(name: str) -> bool:
    scripts = categories.unique_aliases(name) - {"COMMON", "INHERITED"}
    return len(scripts) <= 1 or any(scripts <= together for together in _SCRIPTS_TOGETHER)


@lru_cache(maxsize=4096)
def _skeleton(character: str) -> str:
    """Give the ASCII look-alike of a character, or of its capital, else the character.

    The capital matters because the key is made of small letters: Н looks like H, н does not.
    """
    if character.isascii():
        return character
    return _ascii_twin(character) or _ascii_twin(character.upper()) or character


@lru_cache(maxsize=4096)
def _capital_skeleton(character: str) -> str:
    """Give the look-alike of a character's capital first: Ν looks like N, ν like v."""
    if character.isascii():
        return character
    return _ascii_twin(character.upper()) or _skeleton(character)


def _ascii_twin(character: str) -> str:
    if len(character) != 1:
        return ""
    found = confusables.is_confusable(character, greedy=True) or []
    twins = (str(twin["c"]) for entry in found for twin in entry["homoglyphs"])
    return next((twin.casefold() for twin in twins if twin.isascii() and twin.isalnum()), "")


_DELETED_KEY = name_key("deleted player")
"""How the names of deleted accounts begin."""


def _is_like_deleted(name: str) -> bool:
    return any(key.startswith(_DELETED_KEY) for key in _readings(name))


_RESERVED_KEYS = frozenset(map(name_key, _RESERVED.split()))
