"""Two at once in a chat: each message once, numbers without a gap, nothing unread forgotten."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts.blocks import block_set
from accounts.conduct import Block
from accounts.models import User
from games.chat_models import ChatMessage, ChatPlace
from games.models import Match
from games.services.chat import chat_seen
from tests.games.conftest import Cast, make_match
from tests.games.races import ROUNDS, race, told
from tests.games.talk import say

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def sayer(match: Match, user: User, **rest: Any) -> Callable[[], Any]:
    return lambda: say(match, user, **rest)


def test_a_double_post_is_one_message(cast: Cast) -> None:
    for n in range(ROUNDS):
        match = make_match(cast.owner, cast.opponent)
        results = race(*[sayer(match, cast.owner, request_id=f"r{n}")] * 3)
        assert len({message.pk for message in results}) == 1
        assert match.messages.count() == 1
        assert ChatPlace.objects.get(match=match).n_unread == 1


def test_both_at_once_have_numbers_without_a_gap(cast: Cast) -> None:
    match = make_match(cast.owner, cast.opponent)
    for n in range(4):
        race(*[sayer(match, user) for user in (cast.owner, cast.opponent)])
        numbers = list(match.messages.order_by("number").values_list("number", flat=True))
        assert numbers == list(range(1, 2 * n + 3))


def test_reading_against_writing_forgets_nothing(cast: Cast) -> None:
    for _ in range(ROUNDS):
        match = make_match(cast.owner, cast.opponent)
        say(match, cast.owner, at=timezone.now().replace(year=2020))
        race(
            sayer(match, cast.owner, at=timezone.now().replace(year=2021)),
            lambda match=match: chat_seen(match_id=match.pk, user=cast.opponent, number=1),
        )
        assert ChatPlace.objects.get(match=match).n_unread == 1
        ChatMessage.objects.all().delete()


def test_blocking_against_writing(cast: Cast) -> None:
    """It was said before the block or is refused; afterwards nothing can be said."""
    match = make_match(cast.owner, cast.opponent)
    for n in range(ROUNDS):
        results = race(
            sayer(match, cast.owner, at=timezone.now().replace(year=2000 + n)),
            lambda: block_set(blocker=cast.opponent, blocked=cast.owner, now=timezone.now()),
        )
        assert told(results[:1]) in ({"ok": 1}, {"chat_shut": 1})
        assert told(race(sayer(match, cast.owner))) == {"chat_shut": 1}
        Block.objects.all().delete()
