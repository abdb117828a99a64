"""How often mails come, in whose words and hours, and the way out of them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.core.cache import caches
from django.test import Client
from django.utils import timezone, translation
from django.utils.translation import trans_real

from accounts.models import NoticeChoice, User
from accounts.services import user_delete
from accounts.subscriptions import stop_token
from games import clock, tasks
from games.models import Game
from tests.games.conftest import Cast, client_of, make_match, make_offer, play_turn, running_game

pytestmark = pytest.mark.django_db

LATER = timedelta(minutes=2)
PAGE = "/preferences/notices/"


def sweep(by: timedelta = LATER) -> list[mail.EmailMessage]:
    before = len(mail.outbox)
    with clock.shifted(by):
        tasks.notices_sweep()
    return mail.outbox[before:]


def to_act(game: Game) -> User:
    user: User = game.match.players[game.turn or 0]
    return user


def choose(user: User, how: str, **rest: Any) -> None:
    told = {"mail": how, "mail_every_h": "6", "mail_hour": "8", "reminders": "on", **rest}
    assert client_of(user).post(PAGE, told).status_code == 302


def turns_of(cast: Cast, user: User, other: User, n: int) -> None:
    """Let so many games wait for a user, each of a match of its own."""
    found = 0
    while found < n:
        game = running_game(make_match(user, other))
        if to_act(game) != user:
            play_turn(game)
        found += 1


class TestEach:
    def test_what_is_due_at_the_same_time_goes_in_one_mail(self, cast: Cast) -> None:
        turns_of(cast, cast.owner, cast.opponent, 3)
        (sent,) = [m for m in sweep() if m.to == [cast.owner.email]]
        assert sent.subject == "3 pieces of news from your matches"
        body = str(sent.body)
        assert body.count("Your turn against Opponent") == 3
        assert len(set(re.findall(r"/games/\d+/", body))) == 3

    def test_a_match_is_told_once_in_an_absence(self, cast: Cast, game: Game) -> None:
        """The opponent gives up and a new game waits: the mail of before still says all."""
        user, other = to_act(game), game.match.players[1 - (game.turn or 0)]
        seen(user)
        assert [m.to for m in sweep(timedelta(minutes=5))] == [[user.email]]
        make_turn_again(game, user)
        assert not [m for m in sweep(timedelta(hours=1)) if m.to == [user.email]]
        seen(user, timedelta(hours=2))
        make_turn_again(game, user)
        told = [m for m in sweep(timedelta(hours=3)) if m.to == [user.email]]
        assert len(told) == 1
        assert other.name in told[0].subject


class TestOnce:
    def test_one_mail_until_the_player_was_here_again(self, cast: Cast) -> None:
        choose(cast.owner, "once")
        seen(cast.owner)
        turns_of(cast, cast.owner, cast.opponent, 1)
        assert len(mails_to(cast.owner, timedelta(minutes=5))) == 1
        with clock.shifted(timedelta(hours=1)):
            turns_of(cast, cast.owner, cast.stranger, 2)
        assert mails_to(cast.owner, timedelta(hours=2)) == []
        seen(cast.owner, timedelta(hours=3))
        with clock.shifted(timedelta(hours=4)):
            turns_of(cast, cast.owner, cast.stranger, 1)
        assert len(mails_to(cast.owner, timedelta(hours=5))) == 1


class TestSummaries:
    def test_everything_that_is_still_true_comes_once_a_day(self, cast: Cast) -> None:
        choose(cast.owner, "daily", mail_hour="8")
        turns_of(cast, cast.owner, cast.opponent, 3)
        answered = running_game(make_match(cast.owner, cast.opponent))
        if to_act(answered) != cast.owner:
            play_turn(answered)
        assert mails_to(cast.owner, timedelta(minutes=5)) == []
        play_turn(answered)
        at = NoticeChoice(mail="daily", mail_hour=8).summary_at(ZoneInfo("UTC"), datetime.now(UTC))
        assert at is not None
        until = at - datetime.now(UTC)
        if until > timedelta(minutes=15):
            assert mails_to(cast.owner, until - timedelta(minutes=10)) == []
        (sent,) = mails_to(cast.owner, until + timedelta(days=1, minutes=1))
        assert sent.subject == "3 pieces of news from your matches"
        assert mails_to(cast.owner, until + timedelta(days=1, minutes=2)) == []

    def test_reminders_do_not_wait_for_it(self, cast: Cast, game: Game) -> None:
        user = to_act(game)
        choose(user, "daily", mail_hour="8")
        assert game.deadline_at is not None
        at = game.deadline_at - timedelta(hours=1, minutes=50) - datetime.now(UTC)
        sweep(at)
        assert [m.subject[:9] for m in mails_to(user, at + LATER) if "left" in m.subject]

    @pytest.mark.parametrize(
        ("zone", "hour", "now", "due"),
        [
            ("Europe/Prague", 8, "2026-07-01 05:59", "2026-07-01 06:00"),
            ("Europe/Prague", 8, "2026-07-01 06:00", "2026-07-02 06:00"),
            ("Europe/Prague", 8, "2026-03-28 12:00", "2026-03-29 06:00"),  # summer time begins
            ("Europe/Prague", 8, "2026-10-24 12:00", "2026-10-25 07:00"),  # and ends
            ("Europe/Prague", 2, "2026-03-28 12:00", "2026-03-29 01:00"),  # that hour is left out
            ("America/New_York", 20, "2026-01-05 00:30", "2026-01-05 01:00"),
            ("Asia/Kathmandu", 0, "2026-05-01 12:00", "2026-05-01 18:15"),
        ],
    )
    def test_the_hour_is_that_of_the_players_own_zone(
        self, zone: str, hour: int, now: str, due: str
    ) -> None:
        choice = NoticeChoice(mail="daily", mail_hour=hour)
        moment = datetime.fromisoformat(f"{now}+00:00")
        assert choice.summary_at(ZoneInfo(zone), moment) == datetime.fromisoformat(f"{due}+00:00")

    @pytest.mark.parametrize(
        ("now", "due"),
        [
            ("2026-07-01 05:00", "2026-07-01 10:00"),
            ("2026-07-01 10:00", "2026-07-01 16:00"),
            ("2026-07-01 20:00", "2026-07-01 22:00"),
        ],
    )
    def test_every_few_hours_counts_from_midnight_there(self, now: str, due: str) -> None:
        choice = NoticeChoice(mail="hours", mail_every_h=6)
        moment = datetime.fromisoformat(f"{now}+00:00")
        told = choice.summary_at(ZoneInfo("Europe/Prague"), moment)
        assert told == datetime.fromisoformat(f"{due}+00:00")


class TestNone:
    def test_no_mails_but_reminders_for_who_wants_those_alone(self, cast: Cast, game: Game) -> None:
        user = to_act(game)
        choose(user, "none")
        assert sweep() == []
        assert game.deadline_at is not None
        at = game.deadline_at - timedelta(hours=1, minutes=50) - datetime.now(UTC)
        sweep(at)
        assert len(mails_to(user, at + LATER)) == 1

    def test_a_choice_made_meanwhile_holds(self, cast: Cast, game: Game) -> None:
        choose(to_act(game), "daily")
        sweep()
        choose(to_act(game), "none")
        assert sweep(timedelta(days=1)) == []


class TestStop:
    def test_a_mail_program_ends_them_with_one_post(self, cast: Cast, game: Game) -> None:
        """RFC 8058: a POST to the address in the header, without cookies or a token of a form."""
        user = to_act(game)
        (sent,) = sweep()
        headers = sent.message()
        assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        url = headers["List-Unsubscribe"].strip("<>")
        path = url.removeprefix("http://127.0.0.1:8000")
        assert path in str(sent.body)
        anybody = Client(enforce_csrf_checks=True)
        assert "Send me no more mails" in anybody.get(path).text
        assert not NoticeChoice.objects.exists(), "looking changes nothing"
        for _ in range(2):
            answer = anybody.post(path, {"List-Unsubscribe": "One-Click"})
            assert answer.status_code == 200
        assert "No more mails" in answer.content.decode()
        assert NoticeChoice.objects.get(user=user).mail == "none"
        play_turn(game)
        play_turn(game)
        assert not mails_to(user, timedelta(days=1))

    def test_the_link_of_a_deleted_account_is_answered_and_leaves_nothing(
        self, cast: Cast, client: Client
    ) -> None:
        path = f"/notices/stop/{stop_token(cast.stranger)}/"
        user_delete(user_id=cast.stranger.pk, now=timezone.now())
        assert "No more mails" in client.post(path).text
        assert not NoticeChoice.objects.exists()

    def test_a_link_that_was_made_up_is_none(self, cast: Cast, client: Client) -> None:
        good = stop_token(cast.owner)
        other = good.replace(str(cast.owner.pk), str(cast.opponent.pk), 1)
        for token in ("x", other, good[:-1], good + "x", "1:2:3"):
            assert client.post(f"/notices/stop/{token}/").status_code == 404
        assert not NoticeChoice.objects.exists()


class TestLanguage:
    def test_a_notice_is_told_in_the_players_language_and_zone(
        self, cast: Cast, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        user, opponent = to_act(game), game.match.players[1 - (game.turn or 0)]
        user.language, user.time_zone = "de", "Asia/Kathmandu"
        user.save(update_fields=["language", "time_zone"])
        catalogue = trans_real.translation("de")
        words = {
            "Your turn against %(opponent)s": "Du bist am Zug gegen %(opponent)s",
            "Open the board": "Zum Brett",
        }
        known = catalogue.gettext
        monkeypatch.setattr(
            catalogue, "gettext", lambda text: words[text] if text in words else known(text)
        )
        with translation.override("en"):
            (sent,) = sweep()
        assert sent.subject == f"Du bist am Zug gegen {opponent.name}"
        assert "Zum Brett: http" in str(sent.body)
        assert "(Asia/Kathmandu)" in str(sent.body)
        assert '<html lang="de">' in str(sent.alternatives[0].content)  # type: ignore[attr-defined]
        assert translation.get_language() == "en-us" or translation.get_language() == "en"

    def test_a_zone_that_is_gone_is_utc(self, cast: Cast, game: Game) -> None:
        User.objects.update(time_zone="Mars/Olympus")
        (sent,) = sweep()
        assert "(UTC)" in str(sent.body)


def test_the_page_keeps_what_was_chosen(cast: Cast) -> None:
    choose(cast.owner, "hours", mail_every_h="12", mail_hour="20", reminders="")
    row = NoticeChoice.objects.get()
    assert (row.mail, row.mail_every_h, row.mail_hour, row.reminders) == ("hours", 12, 20, False)
    page = client_of(cast.owner).get(PAGE).text
    assert re.search(r'value="hours"[^>]* checked', page)
    assert re.search(r'value="12" selected', page)


@pytest.mark.parametrize(
    "wrong", [{"mail": "x"}, {"mail_hour": "24"}, {"mail_every_h": "0"}, {"mail": "\0"}]
)
def test_what_cannot_be_chosen_is_refused(cast: Cast, wrong: dict[str, str]) -> None:
    told = {"mail": "each", "mail_every_h": "6", "mail_hour": "8", **wrong}
    assert client_of(cast.owner).post(PAGE, told).status_code == 422
    assert not NoticeChoice.objects.exists()


def test_a_name_puts_no_line_into_a_subject(cast: Cast) -> None:
    User.objects.filter(pk=cast.owner.pk).update(name="A\r\nBcc: x@example.org")
    make_offer(cast.owner, "challenge", cast.opponent)
    (sent,) = sweep()
    assert "\n" not in sent.subject
    assert "Bcc" not in sent.message()


def seen(user: User, by: timedelta = timedelta(0)) -> None:
    """Let a player do something on some page, but on no board."""
    caches["presence"].delete(f"seen:{user.pk}")
    with clock.shifted(by):
        client_of(user).post("/here/")


def mails_to(user: User, by: timedelta) -> list[mail.EmailMessage]:
    return [m for m in sweep(by) if m.to == [user.email]]


def make_turn_again(game: Game, user: User) -> None:
    """Let it be the user's turn once more, as two turns taken elsewhere would do."""
    game.refresh_from_db()
    play_turn(game)
    play_turn(game)
