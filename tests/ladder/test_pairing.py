"""Who is paired with whom: properties of the pure function, and what a member can expect."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import combinations, pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.paces import PACES, slowest
from ladder.pairing import (
    NOT_AGAIN_FOR,
    PATIENCE,
    Couple,
    Meeting,
    Pair,
    Prospect,
    Waiting,
    Wish,
    common_pace,
    free_at,
    outlook,
    pair_up,
    starter,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAY = timedelta(days=1)
calm = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
SLUGS = ["per-turn-1", "per-turn-3", "per-turn-7"]


def waits(
    user_id: int, rating: int = 1500, n: int = 1, paces: str = "3", days: float = 0
) -> Waiting:
    slugs = frozenset(f"per-turn-{pace}" for pace in paces)
    return Waiting(user_id, rating * 1000, n, slugs, NOW - days * DAY)


def met(days: float, ended: float | None = 0) -> Meeting:
    return Meeting(NOW - days * DAY, None if ended is None else NOW - ended * DAY)


members = st.builds(
    lambda rating, n, paces, hours: (rating * 1000, n, frozenset(paces), NOW - hours * DAY / 24),
    st.integers(1400, 1410),
    st.integers(1, 3),
    st.sets(st.sampled_from(SLUGS), min_size=1),
    st.integers(0, 48),
)
queues = st.lists(members, max_size=9).map(
    lambda rows: [Waiting(number, *row) for number, row in enumerate(rows, start=1)]
)
meetings_between_nine = st.dictionaries(
    st.sampled_from(list(combinations(range(1, 10), 2))),
    st.builds(
        lambda days, share: met(days, None if share is None else days * share),
        st.floats(0, 13),
        st.none() | st.floats(0, 1),
    ),
    max_size=12,
)


def by_id(waiting: list[Waiting]) -> dict[int, Waiting]:
    return {member.user_id: member for member in waiting}


def can_play(
    one: Waiting, two: Waiting, meetings: dict[Couple, Meeting], *, fresh: bool = False
) -> bool:
    couple = (one.user_id, two.user_id)
    moment = free_at(one, two, meetings)
    is_free = moment is not None and moment <= NOW
    return bool(one.paces & two.paces) and is_free and not (fresh and couple in meetings)


def distance(one: Waiting, two: Waiting) -> tuple[int, datetime, datetime]:
    return (abs(one.rating - two.rating), *sorted((one.since, two.since)))


@calm
@given(queues, meetings_between_nine)
def test_whatever_waits(waiting: list[Waiting], meetings: dict[Couple, Meeting]) -> None:
    pairs = pair_up(waiting, meetings, NOW)
    member = by_id(waiting)
    left = {one.user_id: one.n_free for one in waiting}
    for pair in pairs:
        one, two = (member[user_id] for user_id in pair.couple)
        assert one.user_id < two.user_id
        assert can_play(one, two, meetings)
        assert pair.pace_slug in one.paces & two.paces
        left[one.user_id] -= 1
        left[two.user_id] -= 1
    couples = [pair.couple for pair in pairs]
    assert len(set(couples)) == len(couples)
    assert min(left.values(), default=0) >= 0
    # Nobody who is left could have been paired with another who is left.
    still = [one for one in waiting if left[one.user_id]]
    for one, two in combinations(still, 2):
        assert (one.user_id, two.user_id) in couples or not can_play(one, two, meetings)
    # Two who met lately are paired only where both had nobody new left who waits.
    for pair in pairs:
        if pair.couple in meetings:
            for user_id in pair.couple:
                for other in still:
                    couple = tuple(sorted((user_id, other.user_id)))
                    if other.user_id != user_id and couple not in couples:
                        one, two = (member[pk] for pk in couple)
                        assert not can_play(one, two, meetings, fresh=True)


@calm
@given(queues, meetings_between_nine, st.randoms())
def test_the_order_of_those_who_wait_does_not_matter(
    waiting: list[Waiting], meetings: dict[Couple, Meeting], rng: object
) -> None:
    pairs = set(pair_up(waiting, meetings, NOW))
    shuffled = list(waiting)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    assert set(pair_up(shuffled, meetings, NOW)) == pairs


@calm
@given(queues, meetings_between_nine)
def test_with_one_match_each_it_is_always_the_nearest_two_who_are_left(
    waiting: list[Waiting], meetings: dict[Couple, Meeting]
) -> None:
    """Against a plain search: how near the pairs are, one after the other."""
    waiting = [Waiting(one.user_id, one.rating, 1, one.paces, one.since) for one in waiting]
    pairs = pair_up(waiting, meetings, NOW)
    member, free, expected = by_id(waiting), list(waiting), []
    for fresh in (True, False):
        while near := [
            (distance(one, two), one, two)
            for one, two in combinations(free, 2)
            if can_play(one, two, meetings, fresh=fresh)
        ]:
            best = min(near, key=lambda found: found[0])[0]
            # Of equally near pairs the one that was chosen is as good as any.
            chosen = next(
                (one, two)
                for found, one, two in near
                if found == best
                and (
                    sum(row[0] == best for row in near) == 1
                    or any(pair.couple == (one.user_id, two.user_id) for pair in pairs)
                )
            )
            expected.append(best)
            free = [one for one in free if one not in chosen]
    found = [distance(*(member[user_id] for user_id in pair.couple)) for pair in pairs]
    assert found == expected


def test_the_nearest_are_paired_first() -> None:
    pairs = pair_up([waits(1, 1500), waits(2, 1600), waits(3, 1520), waits(4, 1900)], {}, NOW)
    assert [pair.couple for pair in pairs] == [(1, 3), (2, 4)]


def test_where_two_are_as_near_who_waits_longest_comes_first() -> None:
    queue = [waits(1, 1500), waits(2, 1500, days=1), waits(3, 1500, days=3), waits(4, 1500, days=2)]
    assert [pair.couple for pair in pair_up(queue[:3], {}, NOW)] == [(2, 3)]
    assert [pair.couple for pair in pair_up(queue, {}, NOW)] == [(3, 4), (1, 2)]


def test_a_match_for_everybody_comes_before_a_second_for_anybody() -> None:
    """The one in the midst is the nearest to all, and would take two matches in a row."""
    queue = [waits(1, 1500, n=2), waits(2, 1501), waits(3, 1502), waits(4, 1600)]
    assert [pair.couple for pair in pair_up(queue, {}, NOW)] == [(1, 2), (3, 4)]
    assert [pair.couple for pair in pair_up(queue[:3], {}, NOW)] == [(1, 2), (1, 3)]


def test_nobody_is_paired_twice_at_once_with_the_same() -> None:
    assert len(pair_up([waits(1, n=5), waits(2, n=5)], {}, NOW)) == 1
    meetings = {(1, 2): met(20, None)}
    assert pair_up([waits(1, n=4, days=9), waits(2, n=4, days=9)], meetings, NOW) == []


def test_the_slowest_common_pace_is_taken() -> None:
    assert common_pace(waits(1, paces="1357"), waits(2, paces="135")) == "per-turn-5"
    assert common_pace(waits(1, paces="1"), waits(2, paces="2")) is None
    assert pair_up([waits(1, paces="1"), waits(2, paces="2")], {}, NOW) == []
    everything = Waiting(1, 0, 1, frozenset(PACES), NOW)
    assert common_pace(everything, everything) == "per-turn-14"


def test_nobody_is_paired_for_a_live_match() -> None:
    present = [Waiting(n, 1500, 1, frozenset({"live"}), NOW) for n in (1, 2)]
    assert pair_up(present, {}, NOW) == []
    assert not Wish(1, frozenset({"live"})).is_possible
    assert Wish(1, frozenset({"brisk", "relaxed"})).is_possible


def test_banks_are_as_slow_as_what_a_turn_brings() -> None:
    order = ["brisk", "per-turn-1", "steady", "per-turn-2", "relaxed", "per-turn-3"]
    for fast, slow in pairwise(order):
        assert slowest(frozenset({fast, slow})) == slow


def test_not_again_within_14_days_while_another_waits() -> None:
    queue = [waits(1, 1500, days=5), waits(2, 1500, days=5), waits(3, 1900)]
    for days, ended in ((13.9, 13.5), (2, 1.5)):
        found = pair_up(queue, {(1, 2): met(days, ended)}, NOW)
        assert [pair.couple for pair in found] in ([(1, 3)], [(2, 3)])


def test_two_alone_are_paired_again_after_a_day_of_patience() -> None:
    meetings = {(1, 2): met(5, 1)}
    assert len(pair_up([waits(1, days=1), waits(2, days=2)], meetings, NOW)) == 1
    for queue, meeting in (
        ([waits(1, days=0.9), waits(2, days=2)], met(5, 1)),
        ([waits(1, days=3), waits(2, days=2)], met(5, 0.9)),
    ):
        assert pair_up(queue, {(1, 2): meeting}, NOW) == []


def test_free_again_after_14_days_or_a_day_of_patience() -> None:
    one, two = waits(1, days=0), waits(2, days=2)
    assert free_at(one, two, {(1, 2): met(13.5, 13)}) == NOW - 13.5 * DAY + NOT_AGAIN_FOR
    assert free_at(one, two, {(1, 2): met(5, 4)}) == NOW + PATIENCE
    assert free_at(one, two, {(1, 2): met(5, None)}) is None


@pytest.mark.parametrize(
    ("n_started", "last", "chosen"),
    [
        ({}, None, None),
        ({7: 3, 9: 3}, None, None),
        ({7: 3, 9: 3}, 7, 9),
        ({7: 3, 9: 3}, 9, 7),
        ({7: 4, 9: 3}, 9, 9),
        ({7: 1}, None, 9),
        ({9: 1}, 7, 7),
    ],
)
def test_who_starts(n_started: dict[int, int], last: int | None, chosen: int | None) -> None:
    assert starter((7, 9), n_started, last) == chosen


# What a member can expect


def prospect(queue: list[Waiting], meetings: dict[Couple, Meeting] | None = None) -> Prospect:
    return outlook(queue[0], queue, meetings or {}, NOW).prospect


def test_outlooks() -> None:
    assert prospect([waits(1)]) == Prospect.ALONE
    assert prospect([waits(1, paces="1"), waits(2, paces="27")]) == Prospect.NO_COMMON_PACE
    assert prospect([waits(1), waits(2)]) == Prospect.PAIRED
    assert prospect([waits(1, 1900), waits(2), waits(3)]) == Prospect.NEXT_TIME


def test_who_met_everybody_lately_hears_when_they_are_free() -> None:
    queue = [waits(1), waits(2, days=1), waits(3, paces="3")]
    meetings = {(1, 2): met(13.5), (1, 3): met(13.8), (2, 3): met(5, None)}
    found = outlook(queue[0], queue, meetings, NOW)
    assert (found.prospect, found.n_waiting) == (Prospect.MET_LATELY, 2)
    assert found.free_at == NOW + 0.2 * DAY
    playing = {(1, 2): met(3, None)}
    assert outlook(queue[0], queue[:2], playing, NOW).free_at is None


@calm
@given(queues, meetings_between_nine)
def test_an_outlook_says_what_the_pairing_does(
    waiting: list[Waiting], meetings: dict[Couple, Meeting]
) -> None:
    paired: set[int] = {pk for pair in pair_up(waiting, meetings, NOW) for pk in pair.couple}
    for member in waiting:
        found = outlook(member, waiting, meetings, NOW)
        assert (found.prospect == Prospect.PAIRED) == (member.user_id in paired)
        assert found.n_waiting == len(waiting) - 1
        if found.prospect == Prospect.MET_LATELY and found.free_at:
            assert found.free_at > NOW


def test_five_thousand_wait_and_nobody_is_left() -> None:
    """No pair is looked at that cannot be: the work does not grow with the square."""
    queue = [waits(number, 1000 + number * 7 % 1200, n=2) for number in range(5000)]
    pairs = pair_up(queue, {}, NOW)
    assert len(pairs) == 5000
    assert isinstance(pairs[0], Pair)
