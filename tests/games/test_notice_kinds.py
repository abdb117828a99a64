"""What is told, when, to whom: each kind of notice, and who needs none."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.utils import timezone

from accounts.models import User
from accounts.subscriptions import seen_note, was_on_board
from games import clock, tasks
from games.models import Game, Notice
from games.presenters.notices import KINDS
from games.services.deadlines import deadlines_sweep
from games.services.matches import match_abort, match_annul
from games.services.turns import game_resign, match_resign
from games.views.notices import MOST_HERE
from tests.games.conftest import (
    Cast,
    client_of,
    make_match,
    make_offer,
    play_turn,
    request_id,
    running_game,
)

pytestmark = pytest.mark.django_db

LATER = timedelta(minutes=2)


def sweep(by: timedelta = LATER) -> list[mail.EmailMessage]:
    before = len(mail.outbox)
    with clock.shifted(by):
        tasks.notices_sweep()
    return mail.outbox[before:]


def to_act(game: Game) -> User:
    user: User = game.match.players[game.turn or 0]
    return user


def waits(game: Game) -> User:
    user: User = game.match.players[1 - (game.turn or 0)]
    return user


def give_up(what: Callable[..., Any], game: Game, user: User) -> None:
    game.refresh_from_db()
    what(
        game_id=game.pk,
        user=user,
        expected_version=game.version,
        request_id=request_id(),
        now=timezone.now(),
    )


def before_deadline(game: Game, **left: float) -> timedelta:
    """Give by how much the clock is to be shifted for so much to be left of a turn."""
    game.refresh_from_db()
    assert game.deadline_at is not None
    return game.deadline_at - timedelta(**left) - timezone.now()


def here(user: User, game: Game, by: timedelta = timedelta(0)) -> None:
    """Let a board tell that its player does something on it."""
    with clock.shifted(by):
        assert client_of(user).post("/here/", {"game": str(game.pk)}).status_code == 204


class TestReminders:
    def test_one_at_24_8_and_2_hours_each_once(self, cast: Cast, game: Game) -> None:
        sweep()
        subjects = []
        for left in (30, 23.9, 20, 10, 7.9, 6, 3, 1.9, 1, 0.1):
            sweep(before_deadline(game, hours=left))
            subjects += [
                m.subject for m in sweep(before_deadline(game, hours=left) + timedelta(minutes=2))
            ]
        name = waits(game).name
        assert subjects == [f"Less than {n} hours left against {name}" for n in (24, 8, 2)]
        assert mail.outbox[-1].to == [to_act(game).email]
        assert "Your turn is due before" in str(mail.outbox[-1].body)

    @pytest.mark.parametrize(
        ("pace", "hours"),
        [
            ("live", []),
            ("per-turn-1", [8, 2]),
            ("brisk", [8, 2]),
            ("per-turn-2", [24, 8, 2]),
            ("per-turn-14", [24, 8, 2]),
        ],
    )
    def test_only_those_that_make_sense_for_the_pace(
        self, cast: Cast, pace: str, hours: list[int]
    ) -> None:
        game = running_game(make_match(cast.owner, cast.opponent, pace_slug=pace))
        for left in (23, 7, 1, 0.05):
            sweep(before_deadline(game, hours=left))
        reminders = Notice.objects.filter(kind="reminder").order_by("pk")
        assert list(reminders.values_list("hours", flat=True)) == hours

    def test_who_comes_late_hears_of_the_nearest_alone(self, cast: Cast, game: Game) -> None:
        """After an hour in which no worker ran there is one reminder, not three."""
        sweep(before_deadline(game, hours=1))
        (sent,) = sweep(before_deadline(game, minutes=50))
        assert "less than 1 hour left" in sent.subject.lower()
        assert Notice.objects.filter(kind="reminder").count() == 1

    def test_a_deadline_that_moved_is_told_when_it_is_near(self, cast: Cast, game: Game) -> None:
        """A pause begins just after the reminder arose: nothing is told until time is short."""
        sweep(before_deadline(game, hours=7.99))
        Game.objects.update(deadline_at=game.deadline_at + timedelta(days=4))
        assert not [m for m in sweep(timedelta(days=3)) if "left" in m.subject]
        sweep(before_deadline(game, hours=23))
        told = sweep(before_deadline(game, hours=22))
        told += sweep(before_deadline(game, hours=7.9))
        told += sweep(before_deadline(game, hours=7.5))
        assert [m.subject.split(" left")[0] for m in told] == [
            "Less than 22 hours",
            "Less than 8 hours",
        ]

    def test_none_for_a_turn_that_was_made_or_a_game_that_is_over(
        self, cast: Cast, game: Game
    ) -> None:
        at = before_deadline(game, hours=7)
        sweep(at)
        play_turn(game)
        assert not [m for m in sweep(at + LATER) if "left" in m.subject]
        assert Notice.objects.get(kind="reminder", version=0).is_dropped

    def test_none_for_who_is_busy_on_that_board(self, cast: Cast, game: Game) -> None:
        sweep()
        at = before_deadline(game, hours=7)
        sweep(at)
        here(to_act(game), game, at + timedelta(seconds=30))
        assert sweep(at + LATER) == []

    def test_none_for_who_wants_none(self, cast: Cast, game: Game) -> None:
        answer = client_of(to_act(game)).post(
            "/preferences/notices/", {"mail": "each", "mail_every_h": "6", "mail_hour": "8"}
        )
        assert answer.status_code == 302
        sweep()
        at = before_deadline(game, hours=7)
        sweep(at)
        assert sweep(at + LATER) == []


class TestEndings:
    def test_the_other_hears_who_won_a_game_and_that_the_match_goes_on(
        self, cast: Cast, game: Game
    ) -> None:
        give_up(game_resign, game, cast.owner)
        following = running_game(game.match)
        sent = {m.to[0]: m for m in sweep()}
        if following.match.players[following.turn or 0] == cast.opponent:
            assert "Your turn against" in sent[cast.opponent.email].subject
            assert "Game 2 of 3" in str(sent[cast.opponent.email].body)
        else:
            assert "Game 1 against Owner is over" in sent[cast.opponent.email].subject
            assert "you won game 1 against Owner" in str(sent[cast.opponent.email].body)
        told = Notice.objects.filter(is_dropped=False).values_list("user__name", "kind")
        assert ("Owner", "game_ended") not in told

    def test_a_match_that_was_resigned_is_told_to_the_other(self, cast: Cast, game: Game) -> None:
        give_up(match_resign, game, cast.owner)
        (sent,) = sweep()
        assert sent.to == [cast.opponent.email]
        assert sent.subject == "Your match against Owner is over"
        for part in ("you won the match", "resigned", "you 15", f"/games/{game.pk}/"):
            assert part in str(sent.body)

    def test_a_match_lost_on_time_is_told_to_both(self, cast: Cast, game: Game) -> None:
        play_turn(game)
        play_turn(game)
        game.refresh_from_db()
        assert game.deadline_at is not None
        deadlines_sweep(now=game.deadline_at + timedelta(minutes=1))
        sent = sweep(timedelta(days=4))
        assert {m.to[0] for m in sent} == {cast.owner.email, cast.opponent.email}
        assert all("lost on time" in str(m.body) for m in sent)
        assert {"you won the match" in str(m.body) for m in sent} == {True, False}

    @pytest.mark.parametrize("how", [match_abort, match_annul])
    def test_a_match_that_ended_without_a_result_is_told_once(
        self, cast: Cast, game: Game, now: datetime, how: Any
    ) -> None:
        who = {"user": cast.owner} if how is match_abort else {}
        how(match_id=game.match_id, now=now, **who)
        here(cast.owner, game, timedelta(seconds=10))
        (sent,) = sweep()
        assert sent.to == [cast.opponent.email]
        assert "without a result" in str(sent.body)
        assert sweep() == []


class TestPresence:
    def test_fault_61_who_answers_within_the_delay_gets_no_mail(
        self, cast: Cast, game: Game
    ) -> None:
        """Fault 61, first half: online, and the answer comes within ten seconds."""
        user = to_act(game)
        with clock.shifted(timedelta(seconds=10)):
            play_turn(game)
        assert not [m for m in sweep() if m.to == [user.email]]

    def test_fault_61_who_left_30_s_before_does_get_it(self, cast: Cast, game: Game) -> None:
        """Fault 61, second half: the page was closed just before the opponent's turn."""
        sweep()
        waiting = waits(game)
        here(waiting, game, timedelta(minutes=10))
        with clock.shifted(timedelta(minutes=10, seconds=30)):
            play_turn(game, at=clock.now())
        assert sweep(timedelta(minutes=11)) == []
        (sent,) = sweep(timedelta(minutes=12))
        assert sent.to == [waiting.email]

    def test_who_is_busy_on_the_board_gets_none(self, cast: Cast, game: Game) -> None:
        here(to_act(game), game, timedelta(seconds=30))
        assert sweep() == []

    def test_being_busy_on_another_board_does_not_count(self, cast: Cast, game: Game) -> None:
        other = running_game(make_match(cast.owner, cast.stranger))
        here(to_act(game), other, timedelta(seconds=30))
        assert [m for m in sweep() if m.to == [to_act(game).email]]

    def test_an_open_socket_or_a_fetched_fragment_does_not_count(
        self, cast: Cast, game: Game
    ) -> None:
        fragment = {"HX-Request": "true", "HX-Request-Type": "partial"}
        client_of(to_act(game)).get(game.get_absolute_url(), headers=fragment)
        assert len(sweep()) == 1

    @pytest.mark.parametrize("told", ["", "x", "-1", "9" * 40, "\u0663", "1 OR 1"])
    def test_what_is_no_board_is_no_error(self, cast: Cast, game: Game, told: str) -> None:
        assert client_of(cast.owner).post("/here/", {"game": told}).status_code == 204
        assert len(sweep()) == 1

    def test_boards_of_others_and_none_are_left_out(self, cast: Cast, game: Game) -> None:
        board = str(game.pk)
        for user, told in ((cast.stranger, board), (cast.owner, str(game.pk + 1000))):
            assert client_of(user).post("/here/", {"game": told}).status_code == 204
            assert not was_on_board(user.pk, int(told), timezone.now() - timedelta(hours=1))
        assert client_of(cast.owner).post("/here/", {"game": board}).status_code == 204
        assert was_on_board(cast.owner.pk, game.pk, timezone.now() - timedelta(hours=1))

    def test_no_number_of_boards_crowds_a_rate_limit_out(self, cast: Cast) -> None:
        cache.set("limit", 5, 300)
        browser = client_of(cast.owner)
        for n in range(MOST_HERE):
            browser.post("/here/", {"game": str(n)})
            for k in range(400):
                seen_note(user=cast.owner, now=timezone.now(), game_id=400 * n + k)
        assert cache.get("limit") == 5
        assert browser.post("/here/", {"game": "1"}).status_code == 429

    def test_visitors_and_reads_change_nothing(self, cast: Cast, client: Any) -> None:
        assert client.post("/here/").status_code == 204
        assert client_of(cast.owner).get("/here/").status_code == 405


def test_each_kind_can_be_told(cast: Cast, game: Game) -> None:
    """A new kind needs a row here that it can be told from, or its own fields do."""
    offer = make_offer(cast.owner, "challenge", cast.opponent)
    for kind, does in KINDS.items():
        notice = Notice(kind=kind, user=cast.opponent, game=game, offer=offer, version=0, hours=8)
        told = does.tell(notice, timezone.now())
        assert told.kind == kind
        assert cast.owner.name in told.subject or kind == "webhook_off"
        assert told.lead[-1] in ".:"
        assert told.path.startswith("/")
        assert len(told.topic) <= 32
        assert len(kind) <= Notice._meta.get_field("kind").max_length


def test_old_rows_are_deleted(cast: Cast, game: Game) -> None:
    sweep()
    tasks.notices_forget()
    assert Notice.objects.exists()
    with clock.shifted(timedelta(days=91)):
        tasks.notices_forget()
    assert not Notice.objects.exists()
