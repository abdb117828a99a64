"""Pairings as members see them: matches made by the task, their terms, who starts, lapses."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.engine.shuffle import NO_NONCE
from games.models import Game, Heartbeat, Match, Notice
from games.services.deadlines import deadlines_sweep
from games.services.matches import match_abort
from ladder import pairings, tasks
from ladder.memberships import ladder_join, ladder_leave, ladder_pause
from ladder.models import Standing
from ladder.pairing import N_ROUNDS, Wish
from ladder.services import ratings_sweep
from tests.games.conftest import Cast, client_of, play_turn, running_game
from tests.ladder.conftest import RULESET, TITLE, beat, make_players, rated_match, resign

pytestmark = pytest.mark.django_db


def wish(user: User, n: int = 1, paces: str = "3", at: datetime | None = None) -> Standing:
    """Let a player join, or change what they wish."""
    return ladder_join(
        title=TITLE,
        ruleset_slug=RULESET,
        user=user,
        now=at or timezone.now(),
        wish=Wish(n, frozenset(f"per-turn-{pace}" for pace in paces)),
    )


def on(user: User, **rest: Any) -> dict[str, Any]:
    return {"title": TITLE, "ruleset_slug": RULESET, "user": user, "now": timezone.now(), **rest}


def sweep(at: datetime | None = None) -> int:
    return pairings.pairing_sweep(now=at or timezone.now())


def players_of(match: Match) -> set[str]:
    return {match.player_0.name, match.player_1.name}


def test_two_who_wait_get_a_rated_match(cast: Cast) -> None:
    wish(cast.owner, paces="135")
    wish(cast.opponent, paces="137")
    tasks.pairing_sweep()
    match = Match.objects.get()
    assert players_of(match) == {"Owner", "Opponent"}
    assert (match.title, match.ruleset_slug, match.n_rounds) == (TITLE, RULESET, N_ROUNDS)
    assert (match.is_rated, match.is_private, match.pace_slug) == (True, False, "per-turn-3")
    assert match.is_paired
    assert running_game(match).deadline_at is not None
    assert Heartbeat.objects.filter(job="ladder.pairing_sweep").exists()


def test_both_hear_of_it(cast: Cast) -> None:
    """Who starts gets the usual notice; both find the game on their home page."""
    wish(cast.owner)
    wish(cast.opponent)
    sweep()
    game = running_game(Match.objects.get())
    assert [notice.user_id for notice in Notice.objects.all()] == [
        (game.match.player_0_id, game.match.player_1_id)[game.turn or 0]
    ]
    for user in (cast.owner, cast.opponent):
        assert game.get_absolute_url() in client_of(user).get("/").content.decode()


def test_however_often_it_runs_each_pair_is_made_once(cast: Cast) -> None:
    """Fault 112: a sweep that was run again made a second match for each pair."""
    wish(cast.owner, 3)
    wish(cast.opponent, 3)
    assert [sweep() for _ in range(5)] == [1, 0, 0, 0, 0]


def test_the_deal_is_committed_and_no_browser_is_said_to_have_added_to_it(
    cast: Cast, client: Client
) -> None:
    wish(cast.owner)
    wish(cast.opponent)
    sweep()
    match = Match.objects.get()
    assert match.nonces == [NO_NONCE.hex()] * 2
    assert len(set(match.secrets)) == N_ROUNDS
    page = client.get(match.get_absolute_url()).content.decode()
    assert "no browser was there to add a number" in page
    assert page.count("nothing; zeros stand for it") == 2
    assert "before the match was agreed on" not in page
    assert "The ladder brought the two together." in page
    offered = rated_match(cast.owner, cast.stranger)
    page = client.get(offered.get_absolute_url()).content.decode()
    assert "no browser was there" not in page
    for secret in match.secrets:
        assert secret not in client.get(match.get_absolute_url()).content.decode()


def test_nobody_gets_more_than_wanted_however_the_matches_came_about(cast: Cast) -> None:
    rated_match(cast.owner, cast.stranger)
    wish(cast.owner, 1)
    wish(cast.opponent, 5)
    assert sweep() == 0
    wish(cast.owner, 2)
    assert sweep() == 1
    assert sweep() == 0


def test_only_ladder_matches_of_this_ladder_count(cast: Cast) -> None:
    rated_match(cast.owner, cast.stranger, ruleset_slug="start-of-turn")
    wish(cast.owner)
    wish(cast.opponent)
    assert sweep() == 1


def test_who_paused_left_or_is_barred_is_not_paired(cast: Cast) -> None:
    wish(cast.owner)
    wish(cast.opponent)
    ladder_pause(**on(cast.opponent, is_paused=True))
    assert sweep() == 0
    ladder_pause(**on(cast.opponent, is_paused=False))
    cast.opponent.is_active = False
    cast.opponent.save()
    assert sweep() == 0
    wish(cast.stranger)
    ladder_leave(**on(cast.stranger))
    assert sweep() == 0
    cast.opponent.is_active = True
    cast.opponent.save()
    assert sweep() == 1


def test_who_has_not_met_is_preferred_to_who_is_nearer(cast: Cast) -> None:
    now = timezone.now()
    beat(cast.owner, cast.opponent, now)
    ratings_sweep(now=now)
    for user in (cast.owner, cast.opponent, cast.stranger):
        wish(user, at=now - timedelta(days=2))
    assert sweep(now) == 1
    assert "Stranger" in players_of(Match.objects.latest("pk"))


def test_two_alone_are_not_paired_again_at_once(cast: Cast) -> None:
    now = timezone.now()
    beat(cast.owner, cast.opponent, now)
    ratings_sweep(now=now)
    for user in (cast.owner, cast.opponent):
        wish(user)
    assert sweep(now + timedelta(hours=23)) == 0
    assert sweep(now + timedelta(hours=25)) == 1


def test_a_match_that_was_called_off_counts_as_a_meeting(cast: Cast) -> None:
    """Or one could call off until a weaker opponent comes along."""
    for user in (cast.owner, cast.opponent):
        wish(user)
    sweep()
    match_abort(match_id=Match.objects.get().pk, user=cast.owner, now=timezone.now())
    assert sweep() == 0


def test_starts_are_balanced(cast: Cast) -> None:
    """The first is by lot; after that whoever started less often starts."""
    now = timezone.now()
    wish(cast.owner, at=now)
    wish(cast.opponent, at=now)
    starters = []
    for number in range(6):
        then = now + timedelta(days=20 * number)
        assert sweep(then) == 1
        match = Match.objects.latest("pk")
        game = Game.objects.get(match=match, round=1)
        starters.append((match.starter, match.players[game.first].pk))
        resign(match, cast.owner, then)
        ratings_sweep(now=then)
    assert [how for how, _who in starters] == ["lot"] + ["agreed"] * 5
    first = starters[0][1]
    other = ({cast.owner.pk, cast.opponent.pk} - {first}).pop()
    assert [who for _how, who in starters] == [first, other] * 3


def test_who_let_a_pairing_lapse_is_paused(cast: Cast) -> None:
    wish(cast.owner)
    wish(cast.opponent)
    sweep()
    match = Match.objects.get()
    play_turn(running_game(match))
    late = running_game(match)
    at_fault = match.players[late.turn or 0]
    then = timezone.now() + timedelta(days=4)
    deadlines_sweep(now=then)
    match.refresh_from_db()
    assert match.ending == Match.Ending.ABANDONED
    assert sweep(then) == 0
    paused = Standing.objects.filter(paused_at__isnull=False)
    assert [row.user_id for row in paused] == [at_fault.pk]
    ladder_pause(**on(at_fault, is_paused=False, now=then))
    wish(cast.stranger)
    assert sweep(then) == 1
    assert Standing.objects.filter(paused_at__isnull=False).count() == 0


def test_who_never_started_is_at_fault_and_not_the_one_who_waited(cast: Cast) -> None:
    wish(cast.owner)
    wish(cast.opponent)
    sweep()
    game = running_game(Match.objects.get())
    at_fault = game.match.players[game.turn or 0]
    then = timezone.now() + timedelta(days=4)
    deadlines_sweep(now=then)
    sweep(then)
    paused = Standing.objects.filter(paused_at__isnull=False)
    assert [row.user_id for row in paused] == [at_fault.pk]


def test_a_fault_in_one_pair_keeps_no_other_waiting(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = [cast.owner, cast.opponent, *make_players(2)]
    for user in users:
        wish(user)
    real, calls = pairings.match_pair, []

    def fail_once(**terms: Any) -> Match:
        calls.append(terms)
        if len(calls) == 1:
            real(**terms)
            raise RuntimeError
        return real(**terms)

    monkeypatch.setattr(pairings, "match_pair", fail_once)
    assert sweep() == 1
    assert Match.objects.count() == 1
    assert sweep() == 1
    assert Match.objects.count() == 2


def test_the_queries_of_a_sweep_grow_with_the_pairs_alone(
    cast: Cast, django_assert_max_num_queries: Any
) -> None:
    for user in make_players(40):
        wish(user, paces="1" if user.pk % 2 else "3")
    for user in User.objects.filter(name__startswith="Player")[:20]:
        rated_match(user, cast.owner)
    Standing.objects.filter(user__in=User.objects.all()[:22]).update(n_wanted=0)
    with django_assert_max_num_queries(200):
        assert sweep() > 5
    with django_assert_max_num_queries(10):
        assert sweep() == 0


def test_the_task_runs_every_quarter_of_an_hour() -> None:
    entry = settings.CELERY_BEAT_SCHEDULE["pairings"]
    assert entry["task"] == pairings.SWEEP_JOB == tasks.pairing_sweep.name
    assert entry["schedule"] == pairings.SWEEP_EVERY
