"""Rating, joining and leaving, through the services and what games tell the ladder."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from accounts.models import User
from accounts.services import user_delete
from games.endings import ENDINGS
from games.models import Game, Match
from games.refusals import Code, Refusal
from games.services.bots import bots_sweep, ensure_bot
from games.services.deadlines import deadline_settle, deadlines_sweep
from games.services.matches import match_abort, match_annul
from games.services.offers import offer_accept
from ladder import tasks
from ladder.elo import Side
from ladder.memberships import LadderRefusal, Reason, ladder_join, ladder_leave
from ladder.models import LedgerEntry, Season, Standing
from ladder.selectors import matches_unrated
from ladder.services import match_rate, ratings_sweep
from tests.games.conftest import (
    Cast,
    make_match,
    make_offer,
    make_user,
    play_out,
    play_turn,
    running_game,
)
from tests.ladder.conftest import (
    RULESET,
    TITLE,
    assert_ledger_is_sound,
    beat,
    finished_matches,
    make_players,
    rated_match,
    rating,
    replay,
    resign,
    the_ladder,
)

pytestmark = pytest.mark.django_db


def on(user: User) -> dict[str, object]:
    return {"title": TITLE, "ruleset_slug": RULESET, "user": user, "now": timezone.now()}


def standing(user: User) -> Standing:
    return Standing.objects.get(user=user, ladder=the_ladder())


def test_a_finished_match_moves_both_ratings(cast: Cast) -> None:
    match = beat(cast.owner, cast.opponent)
    assert match_rate(match_id=match.pk, now=timezone.now())
    assert (rating(cast.owner), rating(cast.opponent)) == (1520_000, 1480_000)
    assert standing(cast.owner).n_matches == 1
    assert standing(cast.owner).peak == 1520_000
    assert standing(cast.opponent).peak == 1500_000
    assert standing(cast.owner).active_at == match.finished_at


def test_an_entry_holds_all_that_the_formula_took(cast: Cast) -> None:
    for winner, loser in ((cast.owner, cast.opponent), (cast.opponent, cast.owner)):
        match_rate(match_id=beat(winner, loser).pk, now=timezone.now())
    entry = LedgerEntry.objects.get(user=cast.owner, order_key=2)
    assert (entry.kind, entry.formula, entry.seat, entry.score) == ("match", 1, 1, 0)
    assert (entry.n_before, entry.peak_before, entry.k) == (1, 1520_000, 40)
    assert (entry.rating_before, entry.opponent_rating) == (1520_000, 1480_000)
    # 40 above: 1 / (1 + 10^-0.1) = 0.557312
    assert entry.expected_ppm == 557_312
    assert (entry.change, entry.rating_after) == (-22_292, 1497_708)


def test_rating_twice_changes_nothing(cast: Cast) -> None:
    match = beat(cast.owner, cast.opponent)
    assert [match_rate(match_id=match.pk, now=timezone.now()) for _ in range(20)].count(True) == 1
    tasks.match_rate(match.pk)
    tasks.ratings_sweep()
    assert_ledger_is_sound([match])
    assert rating(cast.owner) == 1520_000


def test_casual_running_and_unknown_matches_are_not_rated(cast: Cast) -> None:
    casual = resign(make_match(cast.owner, cast.opponent), cast.opponent)
    running = rated_match(cast.owner, cast.opponent)
    for match_id in (casual.pk, running.pk, 10**9):
        assert not match_rate(match_id=match_id, now=timezone.now())
    assert ratings_sweep(now=timezone.now()) == 0
    assert not LedgerEntry.objects.exists()


def test_a_draw_between_unequals_moves_them_together(cast: Cast) -> None:
    first, draw = finished_matches(
        [(cast.owner, cast.opponent, 0), (cast.owner, cast.opponent, None)]
    )
    assert ratings_sweep(now=timezone.now()) == 2
    # 40 above, expected 0.557312: a draw costs 40 * 0.057312
    assert (rating(cast.owner), rating(cast.opponent)) == (1517_708, 1482_292)
    assert_ledger_is_sound([first, draw])


def test_the_sweep_rates_in_the_order_of_the_ends(cast: Cast) -> None:
    late, early = (beat(cast.owner, cast.opponent) for _ in range(2))
    Match.objects.filter(pk=early.pk).update(finished_at=early.finished_at - timedelta(days=1))
    assert matches_unrated() == [early.pk, late.pk]
    ratings_sweep(now=timezone.now())
    assert matches_unrated() == []
    keys = dict(LedgerEntry.objects.filter(seat=0).values_list("match_id", "order_key"))
    assert keys == {early.pk: 1, late.pk: 2}


def test_a_broken_match_keeps_no_other_waiting(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = (beat(cast.owner, cast.opponent) for _ in range(2))
    Match.objects.filter(pk=broken.pk).update(ruleset_slug="unheard-of")
    assert ratings_sweep(now=timezone.now()) == 1
    assert f"match {broken.pk} not rated" in caplog.text
    assert LedgerEntry.objects.filter(match=sound).count() == 2


def test_ladders_are_apart(cast: Cast) -> None:
    here = beat(cast.owner, cast.opponent)
    there = resign(rated_match(cast.owner, cast.opponent, ruleset_slug="automatic"), cast.owner)
    ratings_sweep(now=timezone.now())
    assert rating(cast.owner) == 1520_000
    other = Standing.objects.get(user=cast.owner, ladder__ruleset_slug="automatic")
    assert other.rating == 1480_000
    keys = LedgerEntry.objects.filter(seat=0).values_list("match_id", "order_key")
    assert set(keys) == {(here.pk, 1), (there.pk, 1)}


# Joining and leaving


def test_accepting_a_rated_match_joins_both(cast: Cast) -> None:
    offer = make_offer(cast.owner, is_rated=True, n_rounds=1)
    assert not Standing.objects.exists()
    offer_accept(offer_id=offer.pk, user=cast.opponent, now=timezone.now())
    assert {row.user for row in Standing.objects.all()} == {cast.owner, cast.opponent}
    assert all(row.rating == 1500_000 for row in Standing.objects.all())


def test_casual_matches_join_nobody(cast: Cast) -> None:
    make_match(cast.owner, cast.opponent)
    assert not Standing.objects.exists()


def test_a_rematch_is_rated_as_the_match_was(cast: Cast) -> None:
    from games.services.offers import match_rematch

    match = beat(cast.owner, cast.opponent)
    offer = match_rematch(
        match_id=match.pk, user=cast.owner, request_id="again", now=timezone.now()
    )
    assert offer.is_rated


def test_joining_twice_is_as_good_as_once(cast: Cast) -> None:
    assert ladder_join(**on(cast.owner)).pk == ladder_join(**on(cast.owner)).pk
    assert Standing.objects.count() == 1


def test_leaving_keeps_the_rating_for_a_return(cast: Cast) -> None:
    match_rate(match_id=beat(cast.owner, cast.opponent).pk, now=timezone.now())
    ladder_leave(**on(cast.owner))
    assert standing(cast.owner).left_at is not None
    back = ladder_join(**on(cast.owner))
    assert (back.left_at, back.rating, back.n_matches) == (None, 1520_000, 1)


def test_a_rated_match_brings_back_who_had_left(cast: Cast) -> None:
    ladder_join(**on(cast.owner))
    ladder_leave(**on(cast.owner))
    rated_match(cast.owner, cast.opponent)
    assert standing(cast.owner).left_at is None


def test_nobody_leaves_while_a_rated_match_runs(cast: Cast) -> None:
    match = rated_match(cast.owner, cast.opponent)
    for player in (cast.owner, cast.opponent):
        with pytest.raises(LadderRefusal) as refused:
            ladder_leave(**on(player))
        assert refused.value.reason == Reason.MATCHES_RUNNING
    resign(match, cast.owner)
    ladder_leave(**on(cast.owner))


def test_a_rated_match_on_another_ladder_holds_nobody(cast: Cast) -> None:
    ladder_join(**on(cast.owner))
    rated_match(cast.owner, cast.opponent, ruleset_slug="automatic")
    make_match(cast.owner, cast.opponent)
    ladder_leave(**on(cast.owner))
    assert standing(cast.owner).left_at is not None


def test_only_members_can_leave(cast: Cast) -> None:
    ladder_join(**on(cast.owner))
    ladder_leave(**on(cast.owner))
    for user in (cast.owner, cast.stranger):
        with pytest.raises(LadderRefusal) as refused:
            ladder_leave(**on(user))
        assert refused.value.reason == Reason.NOT_A_MEMBER


def test_a_match_that_ended_just_before_leaving_still_counts(cast: Cast) -> None:
    match = beat(cast.owner, cast.opponent)
    ladder_leave(**on(cast.owner))
    assert match_rate(match_id=match.pk, now=timezone.now())
    assert rating(cast.owner) == 1520_000
    assert standing(cast.owner).left_at is not None


@pytest.mark.parametrize("kind", ["is_bot", "is_guest"])
def test_bots_and_guests_play_casual_only(cast: Cast, kind: str) -> None:
    other = make_user("Tam")
    setattr(other, kind, True)
    other.save()
    with pytest.raises(LadderRefusal):
        ladder_join(**on(other))
    with pytest.raises(Refusal) as refused:
        make_offer(cast.owner, "challenge", other, is_rated=True)
    assert refused.value.code == Code.NO_RATED_PLAY
    with pytest.raises(Refusal):
        make_offer(other, is_rated=True)
    offer = make_offer(cast.owner, is_rated=True)
    with pytest.raises(Refusal) as refused:
        offer_accept(offer_id=offer.pk, user=other, now=timezone.now())
    assert refused.value.code == Code.NO_RATED_PLAY
    assert not Match.objects.exists()
    make_match(cast.owner, other)


def test_the_bot_leaves_rated_offers_to_people(cast: Cast) -> None:
    ensure_bot()
    make_offer(cast.owner, is_rated=True)
    assert bots_sweep(now=timezone.now() + timedelta(hours=1)) == 0
    make_offer(cast.owner)
    assert bots_sweep(now=timezone.now() + timedelta(hours=1)) == 1


# The ledger


def test_the_ledger_is_append_only(cast: Cast) -> None:
    match_rate(match_id=beat(cast.owner, cast.opponent).pk, now=timezone.now())
    entry = LedgerEntry.objects.filter(user=cast.owner).get()
    entry.change = 0
    for attempt in (
        entry.save,
        entry.delete,
        LedgerEntry.objects.all().delete,
        lambda: LedgerEntry.objects.update(change=0),
    ):
        with pytest.raises(TypeError):
            attempt()
    assert LedgerEntry.objects.get(pk=entry.pk).change == 20_000


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"user": "opponent", "seat": 1},
        {"user": "stranger"},
        {"user": "stranger", "seat": 1},
        {"user": "stranger", "order_key": 7, "rating_after": 1},
        {"user": "stranger", "order_key": 7, "score": 3},
        {"user": "stranger", "order_key": 7, "k": None},
        {"user": "stranger", "order_key": 7, "seat": 2},
    ],
)
def test_the_database_refuses_unsound_entries(cast: Cast, wrong: dict[str, object]) -> None:
    match_rate(match_id=beat(cast.owner, cast.opponent).pk, now=timezone.now())
    entry = LedgerEntry.objects.get(user=cast.owner)
    values = {field.attname: getattr(entry, field.attname) for field in entry._meta.fields}
    del values["id"]
    if "user" in wrong:
        wrong = {**wrong, "user_id": getattr(cast, str(wrong["user"])).pk}
        del wrong["user"]
    with pytest.raises(IntegrityError), transaction.atomic():
        LedgerEntry.objects.create(**{**values, **wrong})


# Faults


def test_fault_92_the_stored_ratings_are_a_replay_of_the_entries(cast: Cast) -> None:
    """A–B, A–C, B–C: without A–B, a replay gives what a ladder without it would have."""
    a, b, c = cast.owner, cast.opponent, cast.stranger
    first, *others = finished_matches([(a, b, 0), (a, c, 0), (b, c, 1)])
    ratings_sweep(now=timezone.now())
    assert_ledger_is_sound([first, *others])
    without = replay(skip=[first])
    assert without[a.pk] == Side(1520_000, 1, 1520_000)
    assert without[b.pk].rating < 1500_000
    assert sum(side.rating for side in without.values()) == 3 * 1500_000


class Orders(TestCase):
    """Fault 92, as a law: whatever was played, stored standings are a replay of the entries."""

    @settings(max_examples=25, deadline=None)
    @given(
        st.lists(st.tuples(st.permutations(range(4)), st.sampled_from((0, 1, None))), max_size=12)
    )
    def test_fault_92_any_history(self, history: list[tuple[list[int], int | None]]) -> None:
        players = make_players(4)
        matches = finished_matches(
            (players[order[0]], players[order[1]], winner) for order, winner in history
        )
        ratings_sweep(now=timezone.now())
        assert_ledger_is_sound(matches)


def _by_points(match: Match) -> None:
    play_out(running_game(match))


def _by_resignation(match: Match) -> None:
    play_turn(running_game(match))
    resign(match, match.player_0)


def _let_time_pass(match: Match, n_turns: int) -> Game:
    for _ in range(n_turns):
        play_turn(running_game(match))
    return running_game(match)


def _by_time_on_read(match: Match) -> None:
    game = _let_time_pass(match, 2)
    deadline_settle(game_id=game.pk, now=timezone.now() + timedelta(days=4))


def _by_time_in_the_sweep(match: Match) -> None:
    _let_time_pass(match, 2)
    deadlines_sweep(now=timezone.now() + timedelta(days=4))


def _by_abort(match: Match) -> None:
    match_abort(match_id=match.pk, user=match.player_0, now=timezone.now())


def _by_never_starting(match: Match) -> None:
    deadlines_sweep(now=timezone.now() + timedelta(days=4))


def _by_a_moderator(match: Match) -> None:
    play_out(running_game(match))
    match_annul(match_id=match.pk, now=timezone.now())


def _by_deletion(match: Match) -> None:
    for _ in range(2):
        play_turn(running_game(match))
    user_delete(user_id=match.player_1_id, now=timezone.now())


WAYS = [
    (_by_points, Match.Ending.POINTS),
    (_by_resignation, Match.Ending.RESIGN),
    (_by_time_on_read, Match.Ending.TIMEOUT),
    (_by_time_in_the_sweep, Match.Ending.TIMEOUT),
    (_by_abort, Match.Ending.ABORT),
    (_by_never_starting, Match.Ending.ABANDONED),
    (_by_a_moderator, Match.Ending.ANNULLED),
    (_by_deletion, Match.Ending.ACCOUNT),
]


@pytest.mark.parametrize("ending", Match.Ending.values)
def test_fault_94_every_ending_has_its_line(ending: str) -> None:
    assert ENDINGS[ending].is_rated is (ending in ("points", "resign", "timeout", "account"))
    assert any(way_ending == ending for _way, way_ending in WAYS)


@pytest.mark.parametrize(("way", "ending"), WAYS)
def test_fault_94_and_95_each_way_of_ending_is_rated_as_its_line_says(
    cast: Cast,
    way: object,
    ending: str,
    django_capture_on_commit_callbacks: object,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However a match ends, the ladder is told after the commit, and rates by the one table."""
    told: list[tuple[str, tuple[int, ...]]] = []
    monkeypatch.setattr(
        "games.publish.current_app.send_task",
        lambda name, args, **_: told.append((name, tuple(args))),
    )
    match = rated_match(cast.owner, cast.opponent)
    with django_capture_on_commit_callbacks(execute=True):
        way(match)
    match.refresh_from_db()
    assert match.ending == ending
    assert ("ladder.match_rate", (match.pk,)) in told
    assert match_rate(match_id=match.pk, now=timezone.now()) is ENDINGS[ending].is_rated
    assert LedgerEntry.objects.filter(match=match).count() == 2 * ENDINGS[ending].is_rated
    assert matches_unrated() == []


def test_casual_matches_bother_no_worker(
    cast: Cast, django_capture_on_commit_callbacks: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr("games.publish.current_app.send_task", lambda name, **_: told.append(name))
    with django_capture_on_commit_callbacks(execute=True):
        resign(make_match(cast.owner, cast.opponent), cast.owner)
    assert "ladder.match_rate" not in told


@pytest.mark.django_db(transaction=True)
def test_the_demo_fills_the_ladders() -> None:
    """Right after `prepare --demo` the standings show who won what, and a season is over."""
    call_command("prepare", "--demo", stdout=StringIO())
    assert Standing.objects.filter(n_matches__gt=0).count() >= 8
    assert LedgerEntry.objects.count() >= 10
    assert matches_unrated() == []
    assert any(season.n_places >= 5 for season in Season.objects.all())
    assert Match.objects.filter(is_rated=False, status=Match.Status.FINISHED).exists()
