"""What has happened at a board since its viewer last looked, and where to step through it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from django.urls import reverse

from games.models import Desk, Game
from games.presenters.log import LogTurn

_WRITTEN: Final = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,11}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Look:
    """A last look: the version that was shown, and when, where that is known."""

    version: int
    at: datetime | None

    @property
    def written(self) -> str:
        """Write it as pages send it back: a plan and a fetch know what was new when it came."""
        return f"{self.version}.{int(self.at.timestamp())}" if self.at else str(self.version)


@dataclass(frozen=True, slots=True)
class Since:
    """What is new to a player who comes back. `steps_url` leads through just that."""

    look: Look
    turns: tuple[LogTurn, ...]
    n_new: int
    steps_url: str


def look_read(text: str) -> Look | None:
    """Read a look as a page sent it, None for what is none."""
    found = _WRITTEN.fullmatch(text)
    if found is None:
        return None
    moment = datetime.fromtimestamp(int(found[2]), UTC) if found[2] else None
    return Look(int(found[1]), moment)


def look_of(desk: Desk | None, left_at: datetime | None = None) -> Look | None:
    """Give a player's last look, None where there was none: then nothing is new to them.

    `left_at` is when they last did something at the board, where that is known: a board that
    stays open is looked at for longer than it was written down.
    """
    if desk is None or desk.seen_at is None:
        return None
    return Look(desk.seen_version, max(desk.seen_at, left_at or desk.seen_at))


def since_of(game: Game, log: Sequence[LogTurn], look: Look | None) -> Since | None:
    """Tell of a viewer's own log what came after a look, None where nothing did."""
    if look is None or look.version >= game.version:
        return None
    turns = tuple(_after(turn, look.version) for turn in log if turn.versions[-1] > look.version)
    if not turns:
        return None
    first = reverse("games:step", args=[game.pk, look.version + 1])
    return Since(look, turns, game.version - look.version, f"{first}?from={look.version}")


def _after(turn: LogTurn, version: int) -> LogTurn:
    n_old = sum(told <= version for told in turn.versions)
    return replace(turn, sentences=turn.sentences[n_old:], versions=turn.versions[n_old:])
