"""An account deleted at the very moment something else is done: no match is left with nobody."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models import Q
from django.utils import timezone

from accounts.models import User
from accounts.services import user_delete
from games.models import Match, Notice, Offer
from games.services.notices import notice_add, notice_settle
from games.services.offers import match_rematch
from ladder.locking import ladder_of
from ladder.memberships import LadderRefusal, Reason, ladder_join
from ladder.models import Ladder, Standing
from ladder.pairing import Wish
from ladder.pairings import pairings_make
from ladder.rebuild import counters_differ, differences
from ladder.services import ratings_sweep
from tests.games.conftest import (
    Cast,
    make_match,
    make_offer,
    make_user,
    play_turn,
    request_id,
    running_game,
)
from tests.games.races import ROUNDS, answerer, check_sound, mover, race, told
from tests.ladder.conftest import RULESET, TITLE, beat

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


HOUR = timedelta(hours=1)


def deleter(user: User) -> Callable[[], bool]:
    return lambda: user_delete(user_id=user.pk, now=timezone.now())


def assert_nothing_is_left(user: User) -> None:
    mine = Q(player_0=user) | Q(player_1=user)
    assert not Match.objects.filter(mine, status=Match.Status.RUNNING).exists()
    concerned = Q(maker=user) | Q(addressee=user)
    assert not Offer.objects.filter(concerned, Offer.is_live()).exists()
    assert not Standing.objects.filter(user=user, left_at__isnull=True).exists()


def pair(number: int) -> tuple[User, User]:
    return make_user(f"One{number}"), make_user(f"Two{number}")


def test_deleting_against_a_move_of_either(cast: Cast) -> None:
    for number in range(ROUNDS):
        one, two = pair(number)
        match = make_match(one, two, is_rated=True)
        for _ in range(2 + number % 2):
            play_turn(running_game(match))
        game = running_game(match)
        results = race(deleter(one), mover(game))
        assert told(results) in ({"ok": 2}, {"ok": 1, "game_over": 1})
        match.refresh_from_db()
        assert (match.ending, match.winner) == (Match.Ending.ACCOUNT, 1)
        check_sound(game)
        assert_nothing_is_left(one)


def test_twice_at_once_is_once(cast: Cast) -> None:
    make_match(cast.owner, cast.opponent)
    assert sorted(race(deleter(cast.owner), deleter(cast.owner))) == [False, True]
    assert_nothing_is_left(cast.owner)


def test_both_players_of_many_matches_go_at_once() -> None:
    for number in range(ROUNDS):
        one, two = pair(number)
        for n in range(3):
            match = make_match(*((one, two) if n % 2 else (two, one)), is_rated=True)
            for _ in range(2):
                play_turn(running_game(match))
        assert race(deleter(one), deleter(two)) == [True, True]
        for user in (one, two):
            assert_nothing_is_left(user)
    ratings_sweep(now=timezone.now())
    assert differences(Ladder.objects.get())[1] == []
    assert not counters_differ(Ladder.objects.get())


def test_fault_108_deleting_against_accepting_and_playing_again(cast: Cast) -> None:
    """Fault 108: of a deletion and an acceptance at once the second sees the first."""
    for number in range(ROUNDS):
        one, two = pair(number)
        offer = make_offer(one, is_rated=True)
        old = beat(two, one)

        def again(match: Match = old, user: User = two) -> object:
            return match_rematch(
                match_id=match.pk, user=user, request_id=request_id(), now=timezone.now()
            )

        results = race(deleter(one), answerer(offer, two), again)
        assert results[0] is True
        assert_nothing_is_left(one)


def test_deleting_while_notices_of_the_player_are_settled(cast: Cast) -> None:
    """What settling makes of a notice goes with it, whichever came first."""
    game = running_game(make_match(cast.owner, cast.opponent))
    for number in range(5 * ROUNDS):
        user, now = make_user(f"One{number}"), timezone.now()
        for key in "abc":
            notice_add(user=user, kind="match_ended", key=key, now=now - HOUR, game=game)
        ids = list(Notice.objects.filter(user=user).values_list("pk", flat=True))

        def settle(ids: list[int] = ids) -> None:
            for notice_id in ids:
                notice_settle(notice_id=notice_id, now=timezone.now())

        assert race(deleter(user), settle)[0] is True
        assert not Notice.objects.filter(user=user).exists()


def test_deleting_against_joining() -> None:
    for number in range(ROUNDS):
        one, _ = pair(number)

        def join(user: User = one) -> object:
            try:
                return ladder_join(title=TITLE, ruleset_slug=RULESET, user=user, now=timezone.now())
            except LadderRefusal as refusal:
                return refusal.reason

        assert race(deleter(one), join)[0] is True
        assert_nothing_is_left(one)
        assert join() == Reason.NO_RATED_PLAY


def test_deleting_against_pairing() -> None:
    ladder = ladder_of(TITLE, RULESET)
    for number in range(ROUNDS):
        players = pair(number)
        for user in players:
            wish = Wish(1, frozenset({"per-turn-3"}))
            now = timezone.now()
            ladder_join(title=TITLE, ruleset_slug=RULESET, user=user, now=now, wish=wish)
        race(deleter(players[0]), lambda: pairings_make(ladder=ladder, now=timezone.now()))
        assert_nothing_is_left(players[0])
        user_delete(user_id=players[1].pk, now=timezone.now())
    assert not counters_differ(Ladder.objects.get())
