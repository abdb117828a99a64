"""The clock as arithmetic: pauses never give time back, and every hour is an hour."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import clocks
from games.clocks import Span
from games.paces import CORRESPONDENCE, DAYS_PER_TURN, PACES

START = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
US = timedelta(microseconds=1)
few = settings(max_examples=60, deadline=None)
ZONES = ["Europe/Prague", "America/New_York", "Asia/Kathmandu", "UTC"]


def at(hours: float) -> datetime:
    return START + hours * HOUR


def span(start: float, end: float) -> Span:
    return Span(at(start), at(end))


hours = st.floats(-200, 400, allow_nan=False)
spans = st.builds(lambda a, b: span(min(a, b), max(a, b)), hours, hours)
pauses = st.lists(spans, max_size=8).map(sorted)
banks = st.timedeltas(timedelta(0), 10 * DAY)
moments = st.floats(0, 400, allow_nan=False).map(at)


class TestEveryScheduleOfPauses:
    @few
    @given(bank=banks, pauses=pauses, now=moments)
    def test_used_and_left_are_the_bank(
        self, bank: timedelta, pauses: list[Span], now: datetime
    ) -> None:
        used, left = clocks.used(START, now, pauses), clocks.left(START, bank, now, pauses)
        assert timedelta(0) <= used <= now - START
        assert left == max(bank - used, timedelta(0))

    @few
    @given(bank=banks, pauses=pauses, one=moments, two=moments)
    def test_used_time_is_never_given_back(
        self, bank: timedelta, pauses: list[Span], one: datetime, two: datetime
    ) -> None:
        early, late = sorted((one, two))
        assert clocks.used(START, early, pauses) <= clocks.used(START, late, pauses)
        assert clocks.left(START, bank, early, pauses) >= clocks.left(START, bank, late, pauses)

    @few
    @given(bank=banks, pauses=pauses)
    def test_at_the_deadline_the_bank_is_used_up_and_not_before(
        self, bank: timedelta, pauses: list[Span]
    ) -> None:
        deadline = clocks.deadline(START, bank, pauses)
        assert clocks.used(START, deadline, pauses) == bank
        assert clocks.used(START, deadline + US, pauses) > bank

    @few
    @given(bank=banks, pauses=pauses, more=spans)
    def test_one_more_pause_never_brings_a_deadline_nearer_nor_more_than_it_lasts(
        self, bank: timedelta, pauses: list[Span], more: Span
    ) -> None:
        before = clocks.deadline(START, bank, pauses)
        after = clocks.deadline(START, bank, sorted([*pauses, more]))
        assert after >= before
        assert clocks.used(START, before, sorted([*pauses, more])) <= bank

    @few
    @given(bank=banks, pauses=pauses, more=spans, now=moments)
    def test_a_pause_of_later_changes_nothing_of_what_was_used(
        self, bank: timedelta, pauses: list[Span], more: Span, now: datetime
    ) -> None:
        later = Span(max(more.start, now), max(more.end, now))
        with_it = sorted([*pauses, later])
        assert clocks.used(START, now, with_it) == clocks.used(START, now, pauses)

    @few
    @given(pauses=pauses, bank=banks, more=banks)
    def test_a_larger_bank_never_ends_sooner(
        self, pauses: list[Span], bank: timedelta, more: timedelta
    ) -> None:
        assert clocks.deadline(START, bank, pauses) <= clocks.deadline(START, bank + more, pauses)

    @few
    @given(bank=banks, pauses=pauses)
    def test_overlapping_pauses_count_once(self, bank: timedelta, pauses: list[Span]) -> None:
        twice = list(clocks.merged(pauses, pauses))
        assert clocks.deadline(START, bank, twice) == clocks.deadline(START, bank, pauses)

    @few
    @given(
        slug=st.sampled_from(sorted(PACES)),
        turns=st.lists(st.tuples(st.floats(0, 1), pauses), max_size=12),
    )
    def test_banks_over_many_turns_never_go_below_zero_nor_over_their_cap(
        self, slug: str, turns: list[tuple[float, list[Span]]]
    ) -> None:
        pace = PACES[slug]
        bank = total = pace.bank
        spent = timedelta(0)
        for part, schedule in turns:
            deadline = clocks.deadline(START, bank, schedule)
            now = START + part * (deadline - START)
            spent += clocks.used(START, now, schedule)
            bank = pace.bank_after(clocks.left(START, bank, now, schedule))
            total += pace.increment
            assert timedelta(0) <= bank
            assert pace.cap is None or bank <= pace.cap
            assert spent + bank <= total


class TestPauses:
    def test_fault_46_a_pause_leaves_exactly_what_was_left(self) -> None:
        ten_minutes = timedelta(minutes=10)
        bank = 2 * HOUR + ten_minutes
        pause = [span(2, 3)]
        assert clocks.left(START, bank, at(2), pause) == ten_minutes
        assert clocks.left(START, bank, at(3), pause) == ten_minutes
        assert clocks.deadline(START, bank, pause) == at(3) + ten_minutes
        assert clocks.covering(at(2.5), pause) == at(3)
        assert clocks.covering(at(3), pause) is None

    def test_pauses_of_three_kinds_over_each_other_count_once(self) -> None:
        schedule = list(clocks.merged([span(10, 60)], [span(20, 30)], [span(50, 70)]))
        assert clocks.deadline(START, 24 * HOUR, schedule) == at(84)
        assert clocks.covering(at(15), schedule) == at(70)

    def test_a_pause_that_began_before_the_turn_counts_from_its_start(self) -> None:
        assert clocks.deadline(START, DAY, [span(-100, 5)]) == at(29)

    def test_a_pause_that_begins_when_the_time_is_just_up_still_helps(self) -> None:
        assert clocks.deadline(START, DAY, [span(24, 48)]) == at(48)
        assert clocks.deadline(START, DAY - US, [span(24, 48)]) == at(24) - US


class TestWeekends:
    def test_a_turn_stands_still_from_saturday_to_monday(self) -> None:
        friday = datetime(2026, 3, 6, 12, tzinfo=UTC)
        weekends = clocks.weekends(ZoneInfo("UTC"), friday)
        assert clocks.deadline(friday, DAY, weekends) == datetime(2026, 3, 9, 12, tzinfo=UTC)

    def test_a_long_turn_has_all_its_weekends(self) -> None:
        weekends = clocks.weekends(ZoneInfo("UTC"), START)
        assert clocks.deadline(START, 14 * DAY, weekends) == START + 18 * DAY

    @pytest.mark.parametrize(
        ("zone", "hours"),
        [("Europe/Prague", 47), ("America/New_York", 48), ("Asia/Kathmandu", 48), ("UTC", 48)],
    )
    def test_fault_58_the_night_in_which_clocks_go_forward(self, zone: str, hours: int) -> None:
        """The European change is on 29 March; on 8 March it is America's."""
        monday = datetime(2026, 3, 23, 12, tzinfo=ZoneInfo(zone))
        weekend = next(iter(clocks.weekends(ZoneInfo(zone), monday)))
        if weekend.end <= monday:
            weekend = list(islice(clocks.weekends(ZoneInfo(zone), monday), 2))[1]
        assert weekend.end - weekend.start == hours * HOUR
        local = [moment.astimezone(ZoneInfo(zone)) for moment in weekend]
        assert [(m.isoweekday(), m.hour, m.minute) for m in local] == [(6, 0, 0), (1, 0, 0)]

    @pytest.mark.parametrize("zone", ZONES)
    @pytest.mark.parametrize("month", [3, 10, 11])
    def test_fault_58_time_left_is_the_same_on_both_sides_of_every_weekend(
        self, zone: str, month: int
    ) -> None:
        start = datetime(2026, month, 2, 9, tzinfo=ZoneInfo(zone))
        for weekend in islice(clocks.weekends(ZoneInfo(zone), start), 1, 5):
            pauses = list(islice(clocks.weekends(ZoneInfo(zone), start), 8))
            before = clocks.left(start, 40 * DAY, weekend.start, pauses)
            assert before == clocks.left(start, 40 * DAY, weekend.end, pauses) > timedelta(0)

    @pytest.mark.parametrize("zone", ZONES)
    @pytest.mark.parametrize("day", [(3, 7), (3, 28), (10, 24), (10, 31)])
    def test_fault_58_days_are_hours_in_every_night(self, zone: str, day: tuple[int, int]) -> None:
        start = datetime(2026, *day, 12, tzinfo=ZoneInfo(zone))
        deadline = clocks.deadline(start, 2 * DAY, ())
        assert deadline.astimezone(UTC) - start.astimezone(UTC) == 48 * HOUR

    def test_a_midnight_that_is_left_out_is_the_moment_after(self) -> None:
        beirut = ZoneInfo("Asia/Beirut")  # on 29 March 2026 the day begins at 1:00
        saturday = datetime(2026, 3, 28, 12, tzinfo=beirut)
        first = next(iter(clocks.weekends(beirut, saturday)))
        assert first.end - first.start == 47 * HOUR


class TestPaces:
    def test_are_those_of_the_rules(self) -> None:
        told = {
            slug: (pace.bank, pace.increment, pace.cap)
            for slug, pace in PACES.items()
            if not pace.is_per_turn
        }
        assert told == {
            "live": (timedelta(minutes=10), timedelta(seconds=30), None),
            "brisk": (DAY, 12 * HOUR, 3 * DAY),
            "steady": (3 * DAY, DAY, 5 * DAY),
            "relaxed": (7 * DAY, 2 * DAY, 14 * DAY),
        }

    def test_fault_60_none_contradicts_itself(self) -> None:
        for pace in PACES.values():
            assert timedelta(0) < pace.increment
            assert timedelta(0) < pace.bank
            assert pace.cap is None or pace.cap >= max(pace.bank, pace.increment)

    @pytest.mark.parametrize("days", DAYS_PER_TURN)
    def test_per_turn_saves_nothing(self, days: int) -> None:
        pace = CORRESPONDENCE[f"per-turn-{days}"]
        assert pace.bank_after(timedelta(0)) == pace.bank_after(pace.bank) == days * DAY

    def test_a_bank_grows_up_to_its_cap(self) -> None:
        steady = PACES["steady"]
        assert steady.bank_after(2 * DAY) == 3 * DAY
        assert steady.bank_after(4.5 * DAY) == 5 * DAY
        assert PACES["live"].bank_after(50 * HOUR) == 50 * HOUR + timedelta(seconds=30)
