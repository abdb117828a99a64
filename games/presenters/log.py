"""The log: what happened, in words, turn by turn, for one viewer in one language."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext, pgettext

from games.engine.api import AnyTitle, Event, Phrase, Seat, Viewer, other
from games.presenters.faces import CardFace, Faces

_PLACE: Final = re.compile(r"%\((\w+)\)s")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a sentence: plain text, a player's name, or a card."""

    text: str = ""
    player: str = ""
    card: CardFace | None = None


Sentence = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class LogTurn:
    """The sentences of one seat's turn; `seat` is None for what nobody did."""

    number: int
    seat: Seat | None
    sentences: tuple[Sentence, ...]
    versions: tuple[int, ...]
    """The version that each sentence tells of."""
    is_forced: bool = False
    """Whether the site took it, as the only turn possible."""


def pieces_of(
    msgid: str, params: dict[str, Any], players: dict[str, str], faces: Faces
) -> Sentence:
    """Part a translated sentence at its places; each is filled by a card, a name or text."""
    told: list[Piece] = []
    for at, part in enumerate(_PLACE.split(gettext(msgid))):
        if at % 2 == 0:
            told += [Piece(text=part.replace("%%", "%"))] if part else []
        elif part in players:
            told.append(Piece(player=players[part]))
        else:
            told += _pieces_of_value(params.get(part, ""), faces)
    return tuple(told)


def _pieces_of_value(value: Any, faces: Faces) -> list[Piece]:
    if isinstance(value, (list, tuple)):
        comma = Piece(text=pgettext("between two cards", ", "))
        parts = [_pieces_of_value(item, faces) for item in value]
        return [piece for at, part in enumerate(parts) for piece in ([comma] if at else []) + part]
    face = faces(value)
    return [Piece(text=str(value)) if face is None else Piece(card=face)]


def plain(sentence: Sentence) -> str:
    """Write a sentence as text alone, cards by their names."""
    return "".join(
        piece.card.name if piece.card else piece.player or piece.text for piece in sentence
    )


def sentence_of(phrase: Phrase, seat: Seat | None, names: Sequence[str], faces: Faces) -> Sentence:
    """Tell an engine's phrase: `player` is who sits in `seat`, `opponent` the other."""
    players = {}
    if seat is not None:
        players = {"player": names[seat], "opponent": names[other(seat)]}
    return pieces_of(phrase.msgid, dict(phrase.params), players, faces)


def log_turns(
    title: AnyTitle,
    events: Iterable[tuple[int, Event]],
    seats: Sequence[Seat],
    viewer: Viewer,
    names: Sequence[str],
    faces: Faces,
    *,
    is_over: bool,
    forced: Collection[int] = (),
) -> tuple[LogTurn, ...]:
    """Tell a game's events turn by turn, the first turn first.

    `seats` says who made each action, by version from 1 on; `names` are the players' by seat;
    `forced` are the versions of actions that the site took.
    """
    turns: list[tuple[Seat, list[Sentence], list[int]]] = []
    for version, event in events:
        seat = seats[version - 1]
        if not turns or turns[-1][0] != seat:
            turns.append((seat, [], []))
        phrase = title.describe(event, viewer, is_over=is_over)
        turns[-1][1].append(sentence_of(phrase, event.seat, names, faces))
        turns[-1][2].append(version)
    return tuple(
        LogTurn(number, seat, tuple(sentences), tuple(versions), versions[0] in forced)
        for number, (seat, sentences, versions) in enumerate(turns, start=1)
    )
