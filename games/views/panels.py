"""What a board shows to one of its players alone, looked up for the page."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from games.access import Seen
from games.boards import BOARDS
from games.paces import is_expired
from games.pauses import has_chosen
from games.presenters.answers import AnswersPanel, answers_panel
from games.selectors import Folded, prepared_answers
from games.services.answers import may_prepare
from games.services.firing import choose


def prepared_panel(
    seen: Seen, folded: Folded, now: datetime, form: Any | None = None
) -> AnswersPanel | None:
    """Look up a player's prepared answers, and the form for another where one can be prepared.

    None for all others, and where there is nothing to show. `form` is one that was refused. One
    query for a player.
    """
    if seen.seat is None or not may_prepare(seen.match, seen.seat):
        return None
    rows = prepared_answers(seen.game, seen.seat)
    if not _is_open(seen, now):
        form = None
    elif form is None:
        form = blank_form(seen, folded)
    if not rows and form is None:
        return None
    is_own_turn = seen.game.turn == seen.seat
    chosen = choose(seen.game, folded) if is_own_turn and rows else None
    return answers_panel(
        seen,
        BOARDS[seen.match.title].answers,
        BOARDS[seen.match.title].faces,
        rows,
        form=form,
        chosen=chosen.answer if chosen else None,
        due_at=chosen.due_at if chosen and chosen.answer else None,
    )


def blank_form(seen: Seen, folded: Folded, data: Any = None) -> Any:
    """Give the form for an answer, with what was posted if anything was."""
    assert seen.seat is not None
    hand = folded.title.view(folded.state, seen.seat)["hands"][seen.seat]
    return BOARDS[seen.match.title].answers.form(data, ruleset=seen.match.ruleset, hand=hand)


def half_filled_form(seen: Seen, folded: Folded, data: Mapping[str, str]) -> Any:
    """Give the form for an answer with what was chosen in it so far, not yet judged."""
    form = blank_form(seen, folded)
    names = {name: form.add_prefix(name) for name in (*form.of_condition, *form.of_plan)}
    form.initial = {name: data[key] for name, key in names.items() if key in data}
    return form


def _is_open(seen: Seen, now: datetime) -> bool:
    """Say whether the opponent's turn is under way."""
    is_late = is_expired(seen.game.deadline_at, now)
    return seen.game.is_running and not is_late and seen.game.turn != seen.seat


def is_choice_open(seen: Seen) -> bool:
    """Say whether to ask a player if a vacation may begin by itself: until they have answered.

    It is asked where it matters: in a match against a person that a vacation pauses. One query
    there.
    """
    if seen.seat is None or not (seen.game.is_running and seen.match.is_vacation_allowed):
        return False
    player, opponent = seen.match.players[seen.seat], seen.match.players[1 - seen.seat]
    return not opponent.is_bot and not has_chosen(player.pk)
