"""The formula against published tables, exact arithmetic and its own laws."""

from __future__ import annotations

import random
from decimal import Decimal, getcontext, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder import elo
from ladder.elo import POINT, Score, Side, expected_part, k_factor, rate

# FIDE Rating Regulations from 1 March 2024, table 8.1.2: the difference in rating from .. to, and
# the expected score in hundredths of the higher (H) and the lower (L) rated player.
FIDE_TABLE = (
    # D         H    L
    (0, 3, 50, 50),
    (4, 10, 51, 49),
    (11, 17, 52, 48),
    (18, 25, 53, 47),
    (26, 32, 54, 46),
    (33, 39, 55, 45),
    (40, 46, 56, 44),
    (47, 53, 57, 43),
    (54, 61, 58, 42),
    (62, 68, 59, 41),
    (69, 76, 60, 40),
    (77, 83, 61, 39),
    (84, 91, 62, 38),
    (92, 98, 63, 37),
    (99, 106, 64, 36),
    (107, 113, 65, 35),
    (114, 121, 66, 34),
    (122, 129, 67, 33),
    (130, 137, 68, 32),
    (138, 145, 69, 31),
    (146, 153, 70, 30),
    (154, 162, 71, 29),
    (163, 170, 72, 28),
    (171, 179, 73, 27),
    (180, 188, 74, 26),
    (189, 197, 75, 25),
    (198, 206, 76, 24),
    (207, 215, 77, 23),
    (216, 225, 78, 22),
    (226, 235, 79, 21),
    (236, 245, 80, 20),
    (246, 256, 81, 19),
    (257, 267, 82, 18),
    (268, 278, 83, 17),
    (279, 290, 84, 16),
    (291, 302, 85, 15),
    (303, 315, 86, 14),
    (316, 328, 87, 13),
    (329, 344, 88, 12),
    (345, 357, 89, 11),
    (358, 374, 90, 10),
    (375, 391, 91, 9),
    (392, 411, 92, 8),
    (412, 432, 93, 7),
    (433, 456, 94, 6),
    (457, 484, 95, 5),
    (485, 517, 96, 4),
    (518, 559, 97, 3),
    (560, 619, 98, 2),
    (620, 735, 99, 1),
)

# Ryan Hayward, University of Alberta, "Arpad Elo's expected-win-rate scoring system",
# webdocs.cs.ualberta.ca/~hayward/670gga/jem/elo.html, "score differences and win rates": the
# difference in rating, and the expected score by the logistic curve in hundredths.
LOGISTIC_TABLE = (
    (0, 50),
    (50, 57),
    (100, 64),
    (150, 70),
    (200, 76),
    (250, 81),
    (300, 85),
    (350, 88),
    (400, 91),
    (450, 93),
    (500, 95),
)

# Wikipedia, "Elo rating system", mathematical details: a player of 1613 with K 32 meets five
# others. Their ratings, and what was expected against each in hundredths; the scores, and the new
# rating.
WORKED_OPPONENTS = ((1609, 51), (1477, 69), (1388, 79), (1586, 54), (1720, 35))
WORKED_SCORE, WORKED_K, WORKED_RATINGS = 2.5, 32, (1613, 1601)

# Differences below 2000 points whose exact value lies within a millionth of a half: a float may
# not be asked there. Difference, whole.
CLOSE_CALLS = (
    (190_189, 40_000),
    (326_951, 10_000),
    (784_541, 40_000),
    (858_876, 20_000),
    (984_272, 10_000),
    (1_382_312, 10_000),
    (1_720_403, 10_000),
    (1_770_381, 40_000),
    (1_840_820, 20_000),
    (1_961_234, 40_000),
)

ratings = st.integers(-1_000 * POINT, 4_500 * POINT)
sides = st.builds(
    lambda rating, n, above: Side(rating, n, rating + above),
    ratings,
    st.integers(0, 200),
    st.integers(0, 1_000 * POINT),
)
scores = st.sampled_from(Score)


def exactly(difference: int, whole: int) -> int:
    """Compute an expected part by another way: a power of ten, with sixty digits."""
    with localcontext() as context:
        context.prec = 60
        part = whole / (1 + Decimal(10) ** (Decimal(-difference) / 400_000))
        return int(part.to_integral_value("ROUND_HALF_EVEN"))


@pytest.mark.parametrize(("low", "high", "percent", "percent_lower"), FIDE_TABLE)
def test_expectation_is_near_fides_table(
    low: int, high: int, percent: int, percent_lower: int
) -> None:
    """FIDE's normal curve and the logistic one: within 0.02, up to 300 points within 0.01."""
    margin = 10_000 if high <= 302 else 20_000
    for difference in range(low, high + 1):
        assert abs(expected_part(difference * POINT, 1_000_000) - percent * 10_000) < margin
        lower = expected_part(-difference * POINT, 1_000_000)
        assert abs(lower - percent_lower * 10_000) < margin


def test_fides_table_has_no_gap() -> None:
    ends = [0, *(high + 1 for _low, high, _h, _l in FIDE_TABLE)]
    assert [low for low, *_rest in FIDE_TABLE] == ends[:-1]
    assert all(h + lower == 100 for _low, _high, h, lower in FIDE_TABLE)


@pytest.mark.parametrize(("difference", "percent"), LOGISTIC_TABLE)
def test_expectation_is_the_published_logistic_curve(difference: int, percent: int) -> None:
    assert round(expected_part(difference * POINT, 1_000_000) / 10_000) == percent
    assert round(expected_part(-difference * POINT, 1_000_000) / 10_000) == 100 - percent


def test_ten_to_one_at_four_hundred_points() -> None:
    """By the formula itself: 400 points are odds of ten to one, 800 of a hundred to one."""
    assert expected_part(400 * POINT, 11_000) == 10_000
    assert expected_part(800 * POINT, 101_000) == 100_000


def test_the_worked_example_of_a_tournament() -> None:
    """To the whole point: the example adds expectations that were rounded to a hundredth."""
    own, new = WORKED_RATINGS
    parts = [
        expected_part((own - rating) * POINT, 1_000_000) for rating, _percent in WORKED_OPPONENTS
    ]
    assert [round(part / 10_000) for part in parts] == [each for _r, each in WORKED_OPPONENTS]
    assert round(own + WORKED_K * (WORKED_SCORE - sum(parts) / 1_000_000)) == new


@pytest.mark.parametrize(("difference", "whole"), CLOSE_CALLS)
def test_close_calls_are_decided_exactly(difference: int, whole: int) -> None:
    assert expected_part(difference, whole) == exactly(difference, whole)
    assert expected_part(-difference, whole) == exactly(-difference, whole)


@given(st.integers(-6_000 * POINT, 6_000 * POINT), st.sampled_from((10_000, 20_000, 40_000)))
def test_expectation_is_rounded_once_from_the_exact_value(difference: int, whole: int) -> None:
    assert expected_part(difference, whole) == exactly(difference, whole)


def test_expectation_does_not_depend_on_the_callers_decimal_context() -> None:
    before = getcontext().prec
    with localcontext() as context:
        context.prec = 5
        assert expected_part(*CLOSE_CALLS[0]) == exactly(*CLOSE_CALLS[0])
    assert getcontext().prec == before


def test_the_widest_differences_end_at_nothing_and_everything() -> None:
    far = 1_000_000 * POINT
    assert (expected_part(far, 40_000), expected_part(-far, 40_000)) == (40_000, 0)


@pytest.mark.parametrize(
    ("n_matches", "peak", "k"),
    [
        # FIDE 8.3.3, first to third line
        (0, 1500_000, 40),
        (29, 1500_000, 40),
        (29, 2500_000, 40),
        (30, 1500_000, 20),
        (30, 2399_999, 20),
        (500, 2399_999, 20),
        (30, 2400_000, 10),
        (500, 2650_000, 10),
    ],
)
def test_k(n_matches: int, peak: int, k: int) -> None:
    assert k_factor(Side(1500_000, n_matches, peak)) == k


def test_k_stays_ten_after_a_fall_below_2400() -> None:
    side = Side(2395 * POINT, 100, 2395 * POINT)
    up, _other = rate(side, side, Score.WIN)
    assert (up.k, up.after.rating) == (20, 2405 * POINT)
    down, _other = rate(up.after, Side(1800 * POINT, 100, 1800 * POINT), Score.LOSS)
    assert (down.k, down.after.peak) == (10, 2405 * POINT)
    assert down.after.rating < 2400 * POINT
    again, _other = rate(down.after, side, Score.DRAW)
    assert again.k == 10


@pytest.mark.parametrize(("n_matches", "shown"), [(0, True), (9, True), (10, False), (11, False)])
def test_provisional_for_ten_matches(n_matches: int, shown: bool) -> None:
    assert elo.is_provisional(n_matches) is shown


# Worked by hand from the formula: both ratings, matches before, first player's score, changes.
@pytest.mark.parametrize(
    ("ratings_before", "n_before", "score", "changes"),
    [
        ((1500_000, 1500_000), 0, Score.WIN, (20_000, -20_000)),
        ((1500_000, 1500_000), 0, Score.DRAW, (0, 0)),
        ((1500_000, 1500_000), 30, Score.LOSS, (-10_000, 10_000)),
        # 400 above: expected 10/11
        ((1900_000, 1500_000), 30, Score.WIN, (1_818, -1_818)),
        ((1900_000, 1500_000), 30, Score.DRAW, (-8_182, 8_182)),
        ((1900_000, 1500_000), 30, Score.LOSS, (-18_182, 18_182)),
    ],
)
def test_examples(
    ratings_before: tuple[int, int], n_before: int, score: Score, changes: tuple[int, int]
) -> None:
    one, two = (Side(rating, n_before, rating) for rating in ratings_before)
    steps = rate(one, two, score)
    assert (steps[0].change, steps[1].change) == changes


@given(sides, sides, scores)
def test_equal_k_gives_exact_opposites(one: Side, two: Side, score: Score) -> None:
    first, second = rate(one, two, score)
    if first.k == second.k:
        assert first.change + second.change == 0
    assert first.expected_ppm + second.expected_ppm == 1_000_000


@given(sides, sides, scores)
def test_a_step_tells_all_that_it_took(one: Side, two: Side, score: Score) -> None:
    first, second = rate(one, two, score)
    for step, before, other in ((first, one, two), (second, two, one)):
        assert (step.before, step.opponent_rating) == (before, other.rating)
        assert step.after.rating == before.rating + step.change
        assert step.after.n_matches == before.n_matches + 1
        assert step.after.peak == max(before.peak, step.after.rating)
    assert first.score + second.score == 2


@given(sides, sides, scores)
def test_sides_can_be_told_in_either_order(one: Side, two: Side, score: Score) -> None:
    assert rate(one, two, score) == rate(two, one, score.other)[::-1]


@given(sides, sides)
def test_fault_93_no_floor_and_no_gain_by_losing(one: Side, two: Side) -> None:
    """There is no floor, so nobody can gain by losing, however low they stand."""
    win, _lost = rate(one, two, Score.WIN)
    draw, _drawn = rate(one, two, Score.DRAW)
    loss, _won = rate(one, two, Score.LOSS)
    assert loss.change <= 0 <= win.change
    assert loss.change <= draw.change <= win.change


@pytest.mark.parametrize("rating", [800, 801, 100, 0, -50])
def test_fault_93_losers_lose_at_any_height(rating: int) -> None:
    low = Side(rating * POINT, 50, 1500 * POINT)
    loser, winner = rate(low, low, Score.LOSS)
    assert (loser.change, winner.change) == (-10 * POINT, 10 * POINT)


def test_fault_96_a_loss_is_no_draw() -> None:
    """1500 against 1500: plus and minus half of K, and nothing for a draw."""
    new = Side()
    assert [step.change for step in rate(new, new, Score.WIN)] == [20_000, -20_000]
    assert [step.change for step in rate(new, new, Score.DRAW)] == [0, 0]
    assert [step.change for step in rate(new, new, Score.LOSS)] == [-20_000, 20_000]


def test_fault_96_a_giant_against_a_beginner() -> None:
    """2400 against 1000 with K 20: expected 1/(1+10^-3.5) = 0.999684, so 0.006 for a win."""
    giant, other = Side(2399 * POINT, 99, 2399 * POINT), Side(999 * POINT, 99, 1500 * POINT)
    assert [step.change for step in rate(giant, other, Score.WIN)] == [6, -6]
    assert [step.change for step in rate(giant, other, Score.LOSS)] == [-19_994, 19_994]


def test_fault_96_no_drift_over_ten_thousand_matches() -> None:
    """With one K for all, the sum of all ratings stays what it was, to the last thousandth."""
    rng = random.Random(96)
    players = [Side(1500 * POINT, 100, 1500 * POINT) for _ in range(40)]
    for _ in range(10_000):
        one, two = rng.sample(range(40), 2)
        first, second = rate(players[one], players[two], Score(rng.randrange(3)))
        assert first.k == second.k == 20
        players[one], players[two] = first.after, second.after
    assert sum(player.rating for player in players) == 40 * 1500 * POINT


def test_expected_scores_of_multiples_of_400_are_the_known_fractions() -> None:
    for n in range(4):
        exact = Fraction(1_000_000 * 10**n, 10**n + 1)
        assert expected_part(n * 400 * POINT, 1_000_000) == round(exact)
