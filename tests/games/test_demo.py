"""What a newcomer finds after `make run`."""

from __future__ import annotations

import io
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from games import clock, demo
from games.models import Game, Heartbeat, Match, Notice, Offer
from games.selectors import game_fold
from games.services import deadlines, outages
from games.services.bots import bot_turn

pytestmark = pytest.mark.django_db(transaction=True)


def load() -> str:
    out = io.StringIO()
    call_command("demo", stdout=out)
    return out.getvalue()


def test_the_demo_is_a_site_in_the_middle_of_its_life() -> None:
    told = load()
    assert all(name in told for name in (*demo.DEMO_USERS, demo.PASSWORD))
    assert User.objects.filter(is_bot=False).count() == 12
    endings = set(Match.objects.values_list("ending", flat=True))
    assert endings == {"", "points", "resign", "timeout", "abort"}
    started = Match.objects.order_by("started_at").values_list("started_at", flat=True)
    assert clock.now() - started[0] > timedelta(days=50)
    assert all(user.date_joined < started[0] for user in User.objects.filter(is_bot=False))
    assert Offer.objects.filter(status=Offer.Status.OPEN).count() == 3
    assert not Notice.objects.exists()
    check_running_games()
    check_demo_users()
    n_matches = Match.objects.count()
    assert demo.PASSWORD in load()
    assert Match.objects.count() == n_matches


def check_running_games() -> None:
    """Nobody's clock has run out, and every game can go on."""
    running = Game.objects.filter(status=Game.Status.RUNNING)
    assert running.count() >= 5
    for game in running:
        assert game.deadline_at is not None
        assert game.deadline_at > clock.now() + timedelta(hours=12)
        folded = game_fold(game)
        folded.title.check(folded.state)


def check_demo_users() -> None:
    """The two have a game with a claim ready, and one near its end; both can log in."""
    for name in demo.DEMO_USERS:
        answer = Client().post(
            "/accounts/login/", {"login": name, "password": demo.PASSWORD}, follow=True
        )
        assert answer.context["user"].name == name
    first, second = (User.objects.get(name=name) for name in demo.DEMO_USERS)
    of_stones = Game.objects.filter(match__title="schotten-totten", status=Game.Status.RUNNING)
    ready = of_stones.get(match__player_0=first, match__player_1=second)
    assert any(action["type"] == "claim" for action in bot_turn(ready))
    ending = of_stones.get(match__player_0=second, match__player_1=first)
    assert len(demo._think(ending)) <= 2
    bridges = Match.objects.filter(title="three-bridges", player_0__in=(first, second))
    assert bridges.filter(player_1__in=(first, second)).count() == 2
    assert set(bridges.values_list("status", flat=True)) == {
        Match.Status.RUNNING,
        Match.Status.FINISHED,
    }


def test_a_break_in_the_middle_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "_open_offers", stop)
    monkeypatch.setattr(demo, "SCRIPTS", demo.SCRIPTS[-1:])
    with pytest.raises(KeyboardInterrupt):
        load()
    assert not User.objects.exists()
    assert not Match.objects.exists()


def cut_off() -> None:
    """Leave what a `kill -9` in the first matches leaves."""
    users = demo._users(clock.now())
    demo._play(demo.SCRIPTS[-1], users, clock.now())


def test_a_load_that_was_killed_is_done_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_off()
    monkeypatch.setattr(demo, "SCRIPTS", demo.SCRIPTS[-2:])
    assert "Demo data loaded" in load()
    assert Match.objects.count() == 2
    assert "Demo data loaded" not in load()


def test_people_beside_a_killed_load_keep_all(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_off()
    User.objects.create_user("Fiona", "fiona@example.org", "peat")
    load()
    assert User.objects.filter(name="Fiona").exists()
    assert Match.objects.count() == 1


def test_it_is_refused_where_a_database_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.management.commands.demo.connection.vendor", "postgresql")
    with pytest.raises(CommandError, match="DATABASE_URL"):
        load()
    assert not User.objects.exists()


def test_deadlines_move_on_by_the_time_the_site_was_off() -> None:
    cut_off()
    game = Game.objects.get()
    now = clock.now()
    Heartbeat.objects.create(job=outages.SWEEP_JOB, succeeded_at=now - timedelta(days=10))
    assert outages.site_pulse(now=now) == timedelta(days=10)
    assert outages.site_pulse(now=now) == timedelta(0)
    assert deadlines.deadlines_sweep(now=now) == 0
    game.refresh_from_db()
    began = max(game.turn_started_at, now - timedelta(days=10))
    assert game.deadline_at == now + timedelta(days=3) - (began - game.turn_started_at)
