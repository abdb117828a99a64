"""What is left of a text that is made plain."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.words import plain_text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Good game", "Good game"),
        ("  two  lines \r\n here ", "two  lines\n here"),
        ("a\n\n\n\n\nb", "a\n\nb"),
        ("a\tb", "a b"),
        ("a" + " " * 40 + "b", "a  b"),
        ("nul\0 bell\x07 esc\x1b[31m", "nul bell esc[31m"),
        ("abc\u202ekcatta\u202c", "abckcatta"),  # turns the direction
        ("\u2066x\u2069\u200e\u200f\u061c", "x"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("soft\u00adhyphen", "softhyphen"),
        ("lines\u2028and\u2029paragraphs", "linesandparagraphs"),
        ("\ue000\udc00\U000e0041", ""),
        ("می\u200cروم", "می\u200cروم"),  # the joiner belongs to the word
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("e\u0301", "é"),
        ("Z" + "\u0316" * 30, "Z" + "\u0316" * 3),
        ("שלום", "שלום"),
    ],
)
def test_what_cannot_be_seen_is_taken_out(text: str, plain: str) -> None:
    assert plain_text(text) == plain


@given(st.text())
def test_nothing_turns_and_nothing_changes_twice(text: str) -> None:
    plain = plain_text(text)
    assert plain_text(plain) == plain
    turning = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    assert not any(unicodedata.bidirectional(character) in turning for character in plain)
    assert not any(unicodedata.category(c) in ("Cc", "Cs") for c in plain if c != "\n")
