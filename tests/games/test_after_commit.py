"""Fault 83: no task starts before its rows are saved, and none for rows that were rolled back."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.db import transaction
from django.test import Client

from games import clock, publish, tasks
from games.models import Game, Notice
from games.services.deadlines import deadline_settle
from games.services.notices import DELAY, notice_due
from tests.games.boards import form_of, text_of
from tests.games.conftest import Cast, make_match, play_turn, running_game

APPS = ("accounts", "games", "ladder", "config")
STARTS = {"delay", "apply_async", "send_task", "apply"}
"""What starts a task. Only the one sender may, and it does so after commit."""
SENDER = "games/publish.py"


def sources() -> Iterator[tuple[str, ast.Module]]:
    for app in APPS:
        for path in sorted((Path(settings.BASE_DIR) / app).rglob("*.py")):
            if "migrations" not in path.parts:
                name = path.relative_to(settings.BASE_DIR).as_posix()
                yield name, ast.parse(path.read_text(encoding="utf-8"))


def calls(tree: ast.AST, names: set[str]) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in names
    ]


def is_of_a_title(call: ast.Call) -> bool:
    """Say whether this `apply` is that of the rules: `title.apply(state, action)`."""
    assert isinstance(call.func, ast.Attribute)
    return call.func.attr == "apply" and len(call.args) == 2


def test_fault_83_tasks_are_started_by_the_one_sender_alone() -> None:
    """Fault 83: a task that starts before the commit finds no row, or tells of what never was."""
    found = {
        name
        for name, tree in sources()
        if any(not is_of_a_title(call) for call in calls(tree, STARTS))
    }
    assert found == {SENDER}


def test_fault_83_the_sender_starts_them_after_commit() -> None:
    """Fault 83: each start stands within a call that is handed to `transaction.on_commit`."""
    tree = dict(sources())[SENDER]
    starts = calls(tree, STARTS)
    assert starts
    handed = [
        inner
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id == "_after_commit"
        for inner in calls(call, STARTS)
    ]
    assert len(handed) == len(starts)


def test_fault_81_no_task_waits_longer_than_a_quarter_of_an_hour() -> None:
    """Fault 81: nothing is put off by a countdown or a moment: rows and sweeps do that."""
    for name, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.keyword):
                assert node.arg not in ("countdown", "eta"), name


@pytest.mark.django_db(transaction=True)
def test_fault_83_nothing_of_a_turn_that_was_rolled_back_is_told(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fault 83: neither the task nor the row is there after the rollback."""
    started: list[str] = []

    def note(name: str, **rest: Any) -> None:
        started.append(name)

    monkeypatch.setattr(publish.current_app, "send_task", note)
    match = make_match(cast.owner, cast.opponent)
    game = Game.objects.get(match=match)
    Notice.objects.all().delete()
    with transaction.atomic():
        notice_due(game=game, user=cast.owner, now=clock.now())
        publish.task("games.notices_sweep")
        transaction.set_rollback(True)
    with clock.shifted(2 * DELAY):
        tasks.notices_sweep()
    assert started == []
    assert mail.outbox == []


def test_fault_82_a_job_that_fires_late_does_nothing(cast: Cast) -> None:
    """Fault 82: jobs of before a turn are run again after it; nobody loses, nothing is told."""
    match = make_match(cast.owner, cast.opponent)
    game = running_game(match)
    late = game.deadline_at
    assert late is not None
    with clock.shifted(late - clock.now() - timedelta(minutes=1)):
        play_turn(game, clock.now())
    before = running_game(match)
    with clock.shifted(late - clock.now() + timedelta(minutes=1)):
        assert not deadline_settle(game_id=game.pk, now=clock.now())
        for _ in "12":
            tasks.bot_act(game.pk)
            tasks.deadlines_sweep()
    after = running_game(match)
    assert (after.version, after.deadline_at) == (before.version, before.deadline_at)


def test_fault_49_a_turn_that_was_made_is_not_taken_back(
    cast: Cast, owner_client: Client, opponent_client: Client
) -> None:
    """Fault 49: there is no take-back, by agreement or alone, and so no deadline of before it."""
    game = running_game(make_match(cast.owner, cast.opponent))
    assert game.turn is not None
    browsers = (owner_client, opponent_client)
    mover = browsers[game.turn]
    form = form_of(text_of(mover.get(game.get_absolute_url())))
    play_turn(game)
    made = running_game(game.match)
    for browser in browsers:
        page = text_of(browser.get(game.get_absolute_url()))
        assert "take_back" not in page
        assert "Take back" not in page
    mover.post(f"/games/{game.pk}/plan/", {**form, "step": "take_back"})
    after = running_game(game.match)
    assert (after.version, after.deadline_at) == (made.version, made.deadline_at)
