"""Who sees which room of a chat: players, watchers, visitors, staff; pages, sockets, reports."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone

from accounts.blocks import block_set
from accounts.conduct import Report
from accounts.models import User
from games.chat_models import Room
from games.models import Match
from games.services.chat import message_remove
from tests.games.boards import FRAGMENT, normal
from tests.games.conftest import Cast, client_of, make_match, make_user
from tests.games.talk import post, read, say, url
from tests.games.test_sockets import frame_of, socket, table

SECRETS = {"players": "Between the two", "watchers": "They hold all reds"}
KINDS = ("owner", "opponent", "stranger", "visitor", "staff")


def browsers(cast: Cast) -> dict[str, Client]:
    """Give a browser of each kind of viewer; the staff do not play."""
    staff = User.objects.create_superuser("Rook", "rook@example.org")
    users = {"owner": cast.owner, "opponent": cast.opponent, "stranger": cast.stranger}
    found = {kind: client_of(user) for kind, user in users.items()}
    return {**found, "staff": client_of(staff), "visitor": Client()}


def talk(match: Match, cast: Cast) -> None:
    """Say something in each room."""
    say(match, cast.owner, SECRETS["players"])
    if not match.is_private:
        say(match, make_user("Watcher"), SECRETS["watchers"], room=Room.WATCHERS)


def told(client: Client, match: Match) -> set[str]:
    """Look everywhere, and name the rooms of which something was told."""
    game = match.games.get()
    paths = [game.get_absolute_url(), match.get_absolute_url(), "/", "/lobby/", "/players/Owner/"]
    paths += [url(match, room) for room in (*SECRETS, "referees")]
    pages = [client.get(path, headers=head).text for path in paths for head in ({}, FRAGMENT)]
    return {room for room, secret in SECRETS.items() if any(secret in page for page in pages)}


def end(match: Match) -> None:
    ended = {"status": Match.Status.FINISHED, "finished_at": timezone.now()}
    Match.objects.filter(pk=match.pk).update(**ended)


@pytest.mark.parametrize(
    ("kind", "running", "over"),
    [
        ("owner", {"players"}, {"players", "watchers"}),
        ("opponent", {"players"}, {"players", "watchers"}),
        ("stranger", {"watchers"}, {"watchers"}),
        ("staff", {"watchers"}, {"watchers"}),
        ("visitor", set(), set()),
    ],
)
def test_each_viewer_reads_their_rooms(
    cast: Cast, match: Match, kind: str, running: set[str], over: set[str]
) -> None:
    talk(match, cast)
    browser = browsers(cast)[kind]
    assert told(browser, match) == running
    end(match)
    assert told(browser, match) == over


@pytest.mark.parametrize("kind", KINDS)
def test_a_private_match_has_the_players_room_alone(cast: Cast, kind: str) -> None:
    match = make_match(cast.owner, cast.opponent, is_private=True)
    talk(match, cast)
    browser = browsers(cast)[kind]
    for _ in range(2):
        assert told(browser, match) == ({"players"} if kind in ("owner", "opponent") else set())
        end(match)


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_writes_where_they_do_not_read(cast: Cast, match: Match, kind: str) -> None:
    browser = browsers(cast)[kind]
    can = {"owner": "players", "opponent": "players", "stranger": "watchers", "staff": "watchers"}
    for room in SECRETS:
        answer = browser.post(url(match, room), {"text": "Hear me", "request_id": f"r-{room}"})
        is_visitor = kind == "visitor"
        assert answer.status_code == (302 if is_visitor or can[kind] == room else 404)
        if is_visitor:
            assert answer.headers["Location"].startswith("/accounts/login/")
    assert match.messages.count() == (0 if kind == "visitor" else 1)


def test_players_only_read_what_was_said_while_they_played(cast: Cast, match: Match) -> None:
    talk(match, cast)
    end(match)
    page = read(client_of(cast.owner), match, "watchers")
    assert "Nobody could read it while you played." in page
    assert "<textarea" not in page
    sent = {"text": "Ha", "request_id": "r"}
    assert client_of(cast.owner).post(url(match, "watchers"), sent).status_code == 403


def test_those_who_watch_talk_among_themselves(cast: Cast, match: Match) -> None:
    other = make_user("Watcher")
    post(client_of(other), match, "watchers", text="Stone 5 is lost")
    assert "Stone 5 is lost" in read(client_of(cast.stranger), match, "watchers")
    block_set(blocker=cast.stranger, blocked=other, now=timezone.now())
    say(match, cast.stranger, "Is it?", room=Room.WATCHERS)
    assert "Stone 5 is lost" not in read(client_of(cast.stranger), match, "watchers")
    assert "Is it?" not in read(client_of(other), match, "watchers")


def test_removed_words_are_gone_for_all(cast: Cast, match: Match) -> None:
    message = say(match, cast.owner, "Foul words")
    assert message_remove(message_id=message.pk, now=timezone.now())
    assert not message_remove(message_id=message.pk, now=timezone.now())
    for user in (cast.owner, cast.opponent):
        page = read(client_of(user), match)
        assert "Foul words" not in page
        assert "Removed by a moderator." in page


class TestReports:
    def tell(self, client: Client, name: str, about: str, number: int) -> Any:
        data = {"category": "insult", "text": "", "about": about, "about_id": number}
        return client.post(f"/players/{name}/report/", data)

    def test_a_message_is_reported_with_its_words(self, cast: Cast, match: Match) -> None:
        message = say(match, cast.opponent, "You cheat!")
        client = client_of(cast.owner)
        link = f"/players/Opponent/report/?about=message&amp;about_id={message.pk}"
        assert link in read(client, match)
        assert "You cheat!" in client.get(link.replace("&amp;", "&")).text
        answer = self.tell(client, "Opponent", "message", message.pk)
        assert answer.headers["Location"] == url(match)
        report = Report.objects.get()
        assert (report.quote, report.about, report.about_id) == (
            "You cheat!",
            "message",
            message.pk,
        )

    @pytest.mark.parametrize("kind", ["stranger", "staff"])
    def test_what_one_cannot_read_cannot_be_reported(
        self, cast: Cast, match: Match, kind: str
    ) -> None:
        """Else a report would tell its words, or that there is such a message."""
        message = say(match, cast.opponent, SECRETS["players"])
        client = browsers(cast)[kind]
        answer = self.tell(client, "Opponent", "message", message.pk)
        assert answer.status_code == 404
        page = f"/players/Opponent/report/?about=message&about_id={message.pk}"
        assert client.get(page).status_code == 404
        nothing = self.tell(client, "Opponent", "message", 10**6)
        assert normal(nothing.text) == normal(answer.text)
        assert not Report.objects.exists()

    def test_players_cannot_report_what_they_may_not_see_yet(
        self, cast: Cast, match: Match
    ) -> None:
        message = say(match, cast.stranger, SECRETS["watchers"], room=Room.WATCHERS)
        for status in (404, 302):
            answer = self.tell(client_of(cast.owner), "Stranger", "message", message.pk)
            assert answer.status_code == status
            end(match)

    def test_a_match_is_reported_by_who_may_see_it(self, cast: Cast) -> None:
        private = make_match(cast.owner, cast.opponent, is_private=True)
        for user, name, status in (
            (cast.owner, "Opponent", 302),
            (cast.stranger, "Opponent", 404),
            (cast.owner, "Stranger", 404),
        ):
            assert self.tell(client_of(user), name, "match", private.pk).status_code == status

    def test_staff_read_and_remove_what_was_reported_alone(self, cast: Cast, match: Match) -> None:
        message = say(match, cast.opponent, "You cheat!")
        quiet = make_match(cast.owner, cast.stranger)
        kept = say(quiet, cast.owner, "Between the two")
        staff = browsers(cast)["staff"]
        assert "You cheat!" not in staff.get("/staff/games/chatmessage/").text
        self.tell(client_of(cast.owner), "Opponent", "message", message.pk)
        page = staff.get("/staff/games/chatmessage/").text
        assert "You cheat!" in page
        assert "Between the two" not in page
        assert staff.get(f"/staff/games/chatmessage/{kept.pk}/change/").status_code == 302
        report = staff.get(f"/staff/accounts/report/{Report.objects.get().pk}/change/").text
        assert f"/staff/games/chatmessage/{message.pk}/change/" in report
        for pk in (message.pk, kept.pk):
            staff.post("/staff/games/chatmessage/", {"action": "remove", "_selected_action": [pk]})
        message.refresh_from_db()
        kept.refresh_from_db()
        assert message.removed_at is not None
        assert kept.removed_at is None
        assert [entry.object_id for entry in LogEntry.objects.all()] == [str(message.pk)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_sockets_tell_each_viewer_of_their_room_alone() -> None:
    """A frame says that a match's chat is at a version, and nothing else."""
    cast, game = await table()
    boards = {"visitor": socket(f"/ws/games/{game.pk}/")}
    for kind in ("owner", "opponent", "stranger"):
        client = await sync_to_async(client_of)(getattr(cast, kind))
        boards[kind] = socket(f"/ws/games/{game.pk}/", client)
    for board in boards.values():
        assert (await board.connect())[0]
        assert (await frame_of(board))["type"] == "game"
    await sync_to_async(say)(game.match, cast.owner)
    frame = {"type": "chat", "match": game.match_id, "room": "players", "version": 1}
    heard = [await frame_of(boards["opponent"]) for _ in range(2)]
    assert frame in heard
    assert {"type": "waiting"} in heard
    assert await frame_of(boards["owner"]) == frame
    watched = await sync_to_async(say)(game.match, cast.stranger, room=Room.WATCHERS)
    assert watched.number == 1
    assert await frame_of(boards["stranger"]) == {**frame, "room": "watchers"}
    for board in boards.values():
        assert await board.receive_nothing(timeout=0.2)
        await board.disconnect()


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_a_board_that_opens_or_asks_hears_where_the_talk_is() -> None:
    cast, game = await table()
    await sync_to_async(say)(game.match, cast.owner)
    client = await sync_to_async(client_of)(cast.opponent)
    board = socket(f"/ws/games/{game.pk}/", client)
    await board.connect()
    frame = {"type": "chat", "match": game.match_id, "room": "players", "version": 1}
    assert [(await frame_of(board))["type"], await frame_of(board)] == ["game", frame]
    await board.send_to(text_data="?")
    assert [(await frame_of(board))["type"], await frame_of(board)] == ["game", frame]
    await board.disconnect()
