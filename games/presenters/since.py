"""What has happened at a board since its viewer last looked, and where to step through it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from games.access import Seen
from games.chats import messages_since
from games.models import Desk, Outage, Vacation
from games.presenters.chat import message_words
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
class Pause:
    """A time in which clocks stood still: `words` say whose and why."""

    words: str
    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Said:
    """What the other player has written."""

    id: int
    author: User
    words: str


@dataclass(frozen=True, slots=True)
class Since:
    """What is new to a player who comes back. `steps_url` leads through the turns of it."""

    look: Look
    turns: tuple[LogTurn, ...]
    pauses: tuple[Pause, ...]
    said: tuple[Said, ...]
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


def since_of(seen: Seen, log: Sequence[LogTurn], look: Look | None, now: datetime) -> Since | None:
    """Tell a player what came after a look, None where nothing did or nobody plays who looks.

    Turns are those of the viewer's own log. Four queries at most.
    """
    if look is None or seen.seat is None:
        return None
    turns = tuple(_after(turn, look.version) for turn in log if turn.versions[-1] > look.version)
    pauses = tuple(_pauses(seen, look.at, now)) if look.at else ()
    said = tuple(_said(seen, look.at)) if look.at else ()
    if not turns and not pauses and not said:
        return None
    first = reverse("games:step", args=[seen.game.pk, min(look.version + 1, seen.game.version)])
    return Since(look, turns, pauses, said, f"{first}?from={look.version}")


def _said(seen: Seen, moment: datetime) -> Iterator[Said]:
    assert seen.seat is not None
    for message in messages_since(seen.match, moment, seen.match.players[seen.seat]):
        yield Said(message.pk, message.author, message_words(message))


def _pauses(seen: Seen, moment: datetime, now: datetime) -> Iterator[Pause]:
    """Give what has stopped a clock of the match since a moment: vacations, and the site itself."""
    match, game = seen.match, seen.game
    until = game.finished_at or now
    new = {"started_at__lt": until, "ended_at__gt": max(moment, game.started_at)}
    for outage in Outage.objects.filter(**new).order_by("started_at"):
        words = _("The site could not be reached: nobody's clock ran.")
        yield Pause(words, outage.started_at, outage.ended_at)
    if not match.is_vacation_allowed:
        return
    yield from _vacations(seen, max(moment, game.started_at), min(until, now), now)


def _vacations(seen: Seen, moment: datetime, until: datetime, now: datetime) -> Iterator[Pause]:
    """Give what began or ended in a span of time that the match has run through.

    One's own is news only where it began by itself.
    """
    began = Q(starts_at__gt=moment, starts_at__lte=until)
    ended = Q(ends_at__gt=moment, ends_at__lte=until)
    rows = Vacation.objects.filter(began | ended, user__in=seen.match.players)
    for row in rows.filter(ends_at__gt=F("starts_at")).order_by("starts_at"):
        is_own = seen.seat is not None and row.user_id == seen.match.player_id(seen.seat)
        if is_own and not row.is_automatic:
            continue
        name = seen.match.players[0 if row.user_id == seen.match.player_0_id else 1].name
        is_over = row.ends_at <= now
        yield Pause(_vacation_words(row, name, is_over=is_over), row.starts_at, row.ends_at)


def _vacation_words(row: Vacation, name: str, *, is_over: bool) -> str:
    told = {"name": name}
    if row.is_automatic:
        return _("Vacation of %(name)s, begun by itself.") % told
    return (_("Vacation of %(name)s, over now.") if is_over else _("Vacation of %(name)s.")) % told


def _after(turn: LogTurn, version: int) -> LogTurn:
    n_old = sum(told <= version for told in turn.versions)
    return replace(turn, sentences=turn.sentences[n_old:], versions=turn.versions[n_old:])
