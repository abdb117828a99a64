"""Chat between two players: what arrives, what is refused and why, and what is new to whom."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.blocks import block_set
from accounts.models import User
from accounts.services import user_delete
from games.chat_models import ChatMessage, ChatPlace, Room
from games.chats import messages_since
from games.models import Game, Match
from games.refusals import Refusal
from games.services.chat import PER_MINUTE, chat_mute, chat_send
from games.words import GREETINGS
from tests.games.boards import FRAGMENT
from tests.games.conftest import (
    Cast,
    client_of,
    fields,
    make_match,
    make_user,
    play_turn,
    request_id,
)
from tests.games.matches import page_of
from tests.games.talk import post, read, say, url


def level(user: User, chat: str) -> None:
    User.objects.filter(pk=user.pk).update(chat=chat)


def end(match: Match, days_ago: float = 0) -> None:
    at = timezone.now() - timedelta(days=days_ago)
    Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED, finished_at=at)


def code_of(match: Match, user: User, **rest: Any) -> str:
    """Give the code with which a message is refused; "" where it is taken."""
    try:
        say(match, user, **rest)
    except Refusal as refusal:
        return refusal.code.value
    return ""


class TestSending:
    def test_a_message_is_read_by_the_other(
        self, match: Match, owner_client: Client, opponent_client: Client
    ) -> None:
        answer = post(owner_client, match, text="Snow at the border?")
        assert answer.redirect_chain == [(f"/matches/{match.pk}/#chat-players", 302)]
        assert "Snow at the border?" in answer.text
        for page in (read(opponent_client, match), page_of(opponent_client, match)):
            assert "Snow at the border?" in page

    def test_it_leads_back_to_the_board_that_it_was_sent_from(
        self, game: Game, owner_client: Client
    ) -> None:
        answer = post(owner_client, game.match, text="Hm.", game=str(game.pk))
        assert answer.redirect_chain == [(f"/games/{game.pk}/#chat-players", 302)]
        elsewhere = make_match(game.match.player_0, make_user("Other")).games.get()
        answer = post(owner_client, game.match, text="Hm.", game=str(elsewhere.pk))
        assert answer.redirect_chain == [(f"/matches/{game.match_id}/#chat-players", 302)]

    def test_htmx_gets_the_room_alone(self, match: Match, owner_client: Client) -> None:
        sent = {"text": "Aye.", "request_id": "r1"}
        page = owner_client.post(url(match), sent, headers=FRAGMENT).text
        assert "<html" not in page
        assert 'id="chat-players"' in page
        assert "Aye." in page
        room = read(owner_client, match, **FRAGMENT)
        assert "<textarea" not in room
        assert 'role="log"' in room
        assert 'aria-live="polite"' in room

    def test_a_greeting_is_read_in_the_readers_language(
        self, match: Match, owner_client: Client, opponent_client: Client, settings: Any
    ) -> None:
        post(owner_client, match, greeting="played")
        assert "Well played!" in read(opponent_client, match)
        stored = ChatMessage.objects.get()
        assert (stored.greeting, stored.text) == ("played", "")

    def test_a_greeting_keeps_what_is_typed(self, match: Match, owner_client: Client) -> None:
        sent = {"text": "half a sen", "greeting": "luck", "request_id": "r1"}
        page = owner_client.post(url(match), sent, headers=FRAGMENT).text
        assert ">half a sen</textarea>" in page
        assert ChatMessage.objects.get().greeting == "luck"

    def test_a_double_post_is_one_message(self, match: Match, owner_client: Client) -> None:
        sent = {"text": "Twice?", "request_id": "r1"}
        answers = [owner_client.post(url(match), sent) for _ in range(3)]
        assert {answer.status_code for answer in answers} == {302}
        assert ChatMessage.objects.count() == 1
        answer = owner_client.post(url(match), {**sent, "text": "Other words"})
        assert answer.status_code == 409
        assert ">Other words</textarea>" in answer.text

    def test_text_is_shown_as_text(self, match: Match, cast: Cast, opponent_client: Client) -> None:
        text = '<script>alert(1)</script> <a href="//evil.example">x</a> https://evil.example'
        say(match, cast.owner, text)
        page = read(opponent_client, match)
        assert "<script>alert" not in page
        assert 'href="//evil' not in page
        assert 'href="https://evil' not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page

    @pytest.mark.parametrize(
        ("data", "status"),
        [
            ({"text": ""}, 422),
            ({"text": " \u202e\u200b "}, 422),
            ({"text": "x" * 501}, 422),
            ({"text": "x" * 4001}, 400),
            ({"greeting": "curse"}, 422),
            ({"text": "x", "request_id": ""}, 400),
            ({"text": "x", "request_id": "x" * 65}, 400),
            ({"text": "x", "game": "y"}, 400),
            ({"text": "x", "seen": str(2**63)}, 400),
            ({"text": "a\0b"}, 400),
        ],
    )
    @pytest.mark.parametrize("headers", [{}, FRAGMENT])
    def test_bad_messages_are_refused_with_what_was_typed(
        self,
        match: Match,
        owner_client: Client,
        data: dict[str, str],
        status: int,
        headers: dict[str, str],
    ) -> None:
        sent = {"request_id": "r1", **data}
        answer = owner_client.post(url(match), sent, headers=headers)
        assert answer.status_code == status
        assert 'role="alert"' in answer.text
        assert "<textarea" in answer.text
        assert not ChatMessage.objects.exists()

    def test_so_many_a_minute(self, cast: Cast) -> None:
        matches = [make_match(cast.owner, cast.opponent) for _ in range(2)]
        now = timezone.now()
        for n in range(PER_MINUTE):
            say(matches[n % 2], cast.owner, at=now)
        assert code_of(matches[0], cast.owner, at=now) == "too_many_messages"
        assert code_of(matches[0], cast.opponent, at=now) == ""
        assert code_of(matches[0], cast.owner, at=now + timedelta(seconds=61)) == ""

    def test_numbers_have_no_gap(self, match: Match, cast: Cast) -> None:
        for user in (cast.owner, cast.opponent, cast.owner):
            say(match, user)
        assert list(match.messages.values_list("number", flat=True)) == [1, 2, 3]

    def test_fault_50_a_message_touches_no_clock(self, game: Game, cast: Cast) -> None:
        """Fault 50: an hour after the end, a chat line changes nothing of the result."""
        play_turn(game)
        end(game.match)
        before = Game.objects.filter(pk=game.pk).values().get()
        match_before = Match.objects.filter(pk=game.match_id).values().get()
        say(game.match, cast.owner, at=timezone.now() + timedelta(hours=1))
        assert Game.objects.filter(pk=game.pk).values().get() == before
        assert Match.objects.filter(pk=game.match_id).values().get() == match_before


class TestWhoChats:
    @pytest.mark.parametrize(
        ("own", "theirs", "text", "greeting"),
        [
            ("all", "all", "", ""),
            ("greetings", "all", "greetings_only", ""),
            ("all", "greetings", "greetings_only", ""),
            ("none", "all", "chat_shut", "chat_shut"),
            ("all", "none", "chat_shut", "chat_shut"),
            ("none", "greetings", "chat_shut", "chat_shut"),
        ],
    )
    def test_the_lower_of_two_levels_holds_for_both(
        self, match: Match, cast: Cast, own: str, theirs: str, text: str, greeting: str
    ) -> None:
        level(cast.owner, own)
        level(cast.opponent, theirs)
        for user in (cast.owner, cast.opponent):
            assert code_of(match, user) == text
            assert code_of(match, user, greeting="luck") == greeting

    def test_the_other_is_told_plainly(
        self, match: Match, cast: Cast, owner_client: Client, opponent_client: Client
    ) -> None:
        say(match, cast.owner, "Before that")
        level(cast.opponent, "none")
        page = read(owner_client, match)
        assert "Opponent does not chat." in page
        assert "Before that" in page
        assert "<textarea" not in page
        assert 'name="greeting"' not in page
        assert "You have switched chat off in your preferences." in read(opponent_client, match)
        level(cast.opponent, "greetings")
        page = read(owner_client, match)
        assert "Opponent takes part in greetings only." in page
        assert page.count('name="greeting"') == len(GREETINGS)
        assert "<textarea" not in page

    def test_chat_is_switched_off_in_one_match(
        self, match: Match, cast: Cast, owner_client: Client, opponent_client: Client
    ) -> None:
        elsewhere = make_match(cast.owner, cast.opponent)
        answer = opponent_client.post(
            f"/matches/{match.pk}/chat-mute/", {"is_muted": "on"}, follow=True
        )
        assert "Switch chat on again in this match" in answer.text
        assert "Opponent does not chat." in read(owner_client, match)
        assert code_of(match, cast.owner) == "chat_shut"
        assert code_of(elsewhere, cast.owner) == ""
        opponent_client.post(f"/matches/{match.pk}/chat-mute/", {})
        assert code_of(match, cast.owner) == ""

    @pytest.mark.parametrize("is_turned", [False, True])
    def test_chat_is_hidden_both_ways_by_a_block(
        self, match: Match, cast: Cast, is_turned: bool
    ) -> None:
        """The row "chat" of the table of blocks. Fault 105."""
        say(match, cast.owner, "From the owner")
        say(match, cast.opponent, "From the other")
        pair = (cast.opponent, cast.owner) if is_turned else (cast.owner, cast.opponent)
        block_set(blocker=pair[0], blocked=pair[1], now=timezone.now())
        for user, other in ((cast.owner, "other"), (cast.opponent, "owner")):
            page = read(client_of(user), match)
            assert f"From the {other}" not in page
            assert "There is no chat between you two." in page
            assert "<textarea" not in page
            assert code_of(match, user, greeting="luck") == "chat_shut"
            for path in ("/", match.get_absolute_url()):
                assert "1 new message" not in client_of(user).get(path).text

    def test_a_bot_does_not_chat(self, cast: Cast) -> None:
        bot = User.objects.create_user("Robot", is_bot=True)
        match = make_match(cast.owner, bot)
        page = read(client_of(cast.owner), match)
        assert "Robot is a bot and does not chat." in page
        assert code_of(match, cast.owner, greeting="luck") == "chat_shut"

    def test_who_is_kept_from_writing_is_told_until_when(
        self, match: Match, cast: Cast, owner_client: Client
    ) -> None:
        until = timezone.now() + timedelta(days=1)
        User.objects.filter(pk=cast.owner.pk).update(chat_muted_until=until)
        assert "A moderator keeps you from writing until" in read(owner_client, match)
        assert code_of(match, cast.owner, greeting="luck") == "chat_shut"
        assert code_of(match, cast.owner, at=until + timedelta(seconds=1)) == ""

    def test_it_stays_open_for_a_week(self, match: Match, cast: Cast, owner_client: Client) -> None:
        say(match, cast.opponent, "Well fought")
        end(match, days_ago=6.9)
        assert "It stays open until" in read(owner_client, match)
        assert code_of(match, cast.owner) == ""
        end(match, days_ago=7.1)
        page = read(owner_client, match)
        assert "the chat can be read, and is closed" in page
        assert "Well fought" in page
        assert code_of(match, cast.owner, greeting="thanks") == "chat_shut"

    def test_an_account_that_is_deleted_leaves_no_words(
        self, match: Match, cast: Cast, opponent_client: Client
    ) -> None:
        say(match, cast.owner, "My own words")
        say(match, cast.owner, greeting="luck")
        end(match)
        user_delete(user_id=cast.owner.pk, now=timezone.now())
        page = read(opponent_client, match)
        assert "My own words" not in page
        assert "Erased with the account." in page
        assert "Good luck!" in page
        assert "Owner" not in page
        assert "has closed the account" in page


class TestNew:
    def test_new_messages_are_marked_where_one_looks(
        self, game: Game, cast: Cast, owner_client: Client, opponent_client: Client
    ) -> None:
        for _ in range(2):
            say(game.match, cast.owner)
        assert "2 new messages" in owner_board(opponent_client, game)
        assert "2 new messages" in opponent_client.get("/").text
        assert "new message" not in owner_client.get("/").text
        page = read(opponent_client, game.match)
        assert page.count("chat__line--new") == 2
        assert "2 new messages" not in opponent_client.get("/").text
        assert "chat__line--new" not in read(opponent_client, game.match)

    def test_a_fragment_or_a_look_at_the_board_reads_nothing(
        self, game: Game, cast: Cast, opponent_client: Client
    ) -> None:
        """A page that is open in a hidden tab fetches, and nobody has read it."""
        say(game.match, cast.owner)
        opponent_client.get(game.get_absolute_url())
        read(opponent_client, game.match, **FRAGMENT)
        assert ChatPlace.objects.get(user=cast.opponent).n_unread == 1

    def test_the_open_page_says_what_was_seen(
        self, match: Match, cast: Cast, opponent_client: Client
    ) -> None:
        for _ in range(3):
            say(match, cast.owner)
        seen = f"/matches/{match.pk}/chat-seen/"
        for number, left in ((2, 1), (1, 1), (3, 0)):
            assert opponent_client.post(seen, {"number": number}).status_code == 204
            assert ChatPlace.objects.get(user=cast.opponent).n_unread == left
        for wrong in ("", "x", "-1", str(2**63)):
            assert opponent_client.post(seen, {"number": wrong}).status_code == 400

    def test_who_answers_has_read_what_stood_above(
        self, match: Match, cast: Cast, opponent_client: Client
    ) -> None:
        say(match, cast.owner)
        opponent_client.post(url(match), {"text": "Aye", "request_id": "r1", "seen": "1"})
        assert ChatPlace.objects.get(user=cast.opponent).n_unread == 0

    def test_home_tells_of_matches_that_are_over_too(
        self, match: Match, cast: Cast, opponent_client: Client
    ) -> None:
        say(match, cast.owner, greeting="played")
        match.games.update(status=Game.Status.FINISHED)
        end(match)
        page = opponent_client.get("/").text
        assert f'href="/matches/{match.pk}/chat/players/"' in page

    def test_messages_since_a_moment_are_the_others(self, match: Match, cast: Cast) -> None:
        before = timezone.now()
        one = say(match, cast.owner, "One")
        say(match, cast.opponent, "Two")
        gone = say(match, cast.owner, "Three")
        ChatMessage.objects.filter(pk=gone.pk).update(removed_at=timezone.now())
        assert messages_since(match, before, cast.opponent) == [one]
        assert messages_since(match, timezone.now(), cast.opponent) == []
        assert messages_since(match, before, cast.stranger) == []


def owner_board(client: Client, game: Game) -> str:
    return str(client.get(game.get_absolute_url()).text)


def test_queries_do_not_grow_with_what_was_said(
    match: Match, cast: Cast, owner_client: Client, django_assert_num_queries: Any
) -> None:
    now = timezone.now()
    for n in range(8):
        say(match, cast.opponent, f"Message {n}", at=now + n * timedelta(minutes=1))
        if n in (0, 7):
            # session, user, match, and the room: place, mutes, block, messages, version
            with django_assert_num_queries(8):
                read(owner_client, match, **FRAGMENT)


def test_a_long_chat_is_whole_on_its_own_page(
    match: Match, cast: Cast, owner_client: Client
) -> None:
    now = timezone.now()
    for n in range(60):
        say(match, cast.opponent, f"Message {n}.", at=now + n * timedelta(minutes=1))
    beside = page_of(owner_client, match)
    assert "Message 9." not in beside
    assert "All messages" in beside
    assert "Message 59." in beside
    assert "Message 0." in read(owner_client, match)


def test_the_form_works_by_its_hidden_fields(match: Match, owner_client: Client) -> None:
    page = read(owner_client, match)
    assert fields(page, "request_id")[0]["value"]
    assert 'for="chat-players-text"' in page
    assert 'id="chat-players-text"' in page


def test_services_refuse_who_does_not_play(match: Match, cast: Cast) -> None:
    for room, user in ((Room.PLAYERS, cast.stranger), (Room.WATCHERS, cast.owner)):
        with pytest.raises(Refusal, match="not_a_player"):
            chat_send(
                match_id=match.pk,
                user=user,
                room=room,
                request_id=request_id(),
                now=timezone.now(),
                greeting="luck",
            )
    with pytest.raises(Refusal, match="not_a_player"):
        chat_mute(match_id=match.pk, user=cast.stranger, is_muted=True)
