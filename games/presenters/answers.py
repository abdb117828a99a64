"""A player's prepared answers as their board shows them. For their eyes alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.functional import Promise

from accounts.models import User
from games.access import Seen
from games.engine.api import Json, Ruleset, Seat
from games.models import PreparedAnswer
from games.presenters.faces import Faces
from games.presenters.log import LogTurn, Sentence
from games.presenters.refusals import refusal_sentence
from games.refusals import Code, Refusal

STATUS = PreparedAnswer.Status


@dataclass(frozen=True, slots=True)
class AnswerWords:
    """How a title tells conditions and plans, and the form that asks for them."""

    condition: Callable[[Json, str, Ruleset], Sentence]
    plan: Callable[[Json, Ruleset], tuple[Sentence, ...]]
    form: Callable[..., Any]
    """Made from posted data or none, with the ruleset and the player's hand."""


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One answer: what it says, and what became of it."""

    pk: int
    condition: Sentence
    plan: tuple[Sentence, ...]
    status: str
    status_text: str | Promise
    why: str | Promise | Sentence
    is_sentence: bool
    """Whether `why` is a sentence with cards in it."""
    is_waiting: bool
    is_chosen: bool
    """Whether it fits the opponent's turn, and is about to be played."""
    can_rise: bool
    place: int
    """Where it stands now: forms send it back."""


@dataclass(frozen=True, slots=True)
class AnswersPanel:
    """All answers of a player in a game, the latest turn's first, and the form for another."""

    opponent: str
    lines: tuple[AnswerLine, ...]
    """Those to the latest turn that has any."""
    earlier: tuple[AnswerLine, ...]
    form: Any | None
    """None where none can be prepared now."""
    is_own_turn: bool
    due_at: datetime | None
    """From when on the chosen answer is played."""
    is_open: bool
    """Whether the panel is shown unfolded."""
    n_waiting: int
    played_since: tuple[int, ...]
    """The versions from which on the opponent made the turns that an answer was played to."""


def turns_as_prepared(
    panel: AnswersPanel | None, seat: Seat | None, log: Sequence[LogTurn]
) -> frozenset[int]:
    """Number the turns of the log that were prepared answers of who looks: nobody else is told."""
    since = () if panel is None else panel.played_since
    own = [turn for turn in log if turn.seat == seat]
    answers = (next((turn for turn in own if turn.versions[0] > at), None) for at in since)
    return frozenset(turn.number for turn in answers if turn)


def answers_panel(
    seen: Seen,
    words: AnswerWords,
    faces: Faces,
    rows: Sequence[PreparedAnswer],
    *,
    form: Any | None,
    chosen: PreparedAnswer | None,
    due_at: datetime | None,
) -> AnswersPanel:
    """Present a player's answers; `chosen` is the one that is about to be played."""
    assert seen.seat is not None
    opponent = seen.match.players[1 - seen.seat].name
    ruleset, is_over = seen.match.ruleset, not seen.game.is_running
    waiting = [row for row in rows if row.status == STATUS.WAITING and not is_over]
    lines = tuple(
        AnswerLine(
            pk=row.pk,
            condition=words.condition(row.condition, opponent, ruleset),
            plan=words.plan(row.plan, ruleset),
            status=_status(row, is_over=is_over).value,
            status_text=_status(row, is_over=is_over).label,
            why=_why(row, faces, is_over=is_over),
            is_sentence=row.refusal is not None,
            is_waiting=row in waiting,
            is_chosen=row == chosen,
            can_rise=row in waiting[1:],
            place=row.position,
        )
        for row in rows
    )
    latest = [row for row in rows if row.since_version == rows[0].since_version]
    n_latest, has_failed = len(latest), any(row.status == STATUS.FAILED for row in latest)
    is_bound = form is not None and form.is_bound
    return AnswersPanel(
        opponent=opponent,
        lines=lines[:n_latest],
        earlier=lines[n_latest:],
        form=form,
        is_own_turn=seen.game.is_running and seen.game.turn == seen.seat,
        due_at=due_at,
        is_open=bool(waiting) or is_bound or (has_failed and not is_over),
        n_waiting=len(waiting),
        played_since=tuple(row.since_version for row in rows if row.status == STATUS.FIRED),
    )


def answers_export(player: User) -> list[dict[str, Any]]:
    """List a player's prepared answers of all games, for their own data."""
    return [
        {
            "game": row.game_id,
            "condition": row.condition,
            "turn": row.plan,
            "status": row.status,
            "why": row.why,
            "prepared": row.created_at,
            "closed": row.closed_at,
        }
        for row in PreparedAnswer.objects.filter(user=player).order_by("pk")
    ]


def _status(row: PreparedAnswer, *, is_over: bool) -> PreparedAnswer.Status:
    """Give what became of an answer; one that waits in a game that is over has expired."""
    status = PreparedAnswer.Status(row.status)
    return STATUS.EXPIRED if is_over and status == STATUS.WAITING else status


def _why(row: PreparedAnswer, faces: Faces, *, is_over: bool) -> str | Promise | Sentence:
    """Say why an answer was not used, or could not be."""
    if row.refusal is not None:
        return refusal_sentence(Refusal(Code(row.refusal["code"]), **row.refusal["params"]), faces)
    if _status(row, is_over=is_over) != STATUS.EXPIRED:
        return ""
    return PreparedAnswer.Why(row.why or PreparedAnswer.Why.OVER).label
