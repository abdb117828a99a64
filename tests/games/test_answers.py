"""Prepared answers: which one is played, when, and what becomes of the others."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from games import tasks
from games.models import Action, Game, Notice, PreparedAnswer, Submission
from games.refusals import Code, Refusal
from games.services.answers import MAX_WAITING, answer_raise, answer_remove
from games.services.firing import answers_sweep
from games.services.outages import site_pulse
from games.services.turns import game_resign
from tests.games.boards import HIGH, LOW, stack, turn
from tests.games.bridges import deal, make_bridges, read, step, view_of
from tests.games.conftest import Cast, request_id, running_game
from tests.games.prepared import (
    ANY,
    SOON,
    fire,
    lays,
    opponent_plays,
    plan,
    prepare,
    states,
    waiting_board,
)

TACTICS = "after-play-tactics"
DEAL = ("H7 L7 A9", "B9 B7 B8 BX", "HX H8 H9 A7", "BK AK")
"""Bridges, both hands, and the draws of the first round: no card that can do anything."""
HAND_0 = {"card": "B8", "bridge": 2}


def laid(game: Game, seat: int) -> list[tuple[str, int]]:
    """Give the cards that a seat has laid, with their stones, in order."""
    actions = Action.objects.filter(game=game, payload__type="play", payload__seat=seat)
    return [(action.payload["card"], action.payload["stone"]) for action in actions]


def refused(code: Code, *args: Any, **kwargs: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        prepare(*args, **kwargs)
    assert caught.value.code == code
    return caught.value


def test_an_answer_that_fits_is_played_after_a_while(cast: Cast) -> None:
    game = waiting_board(cast)
    row = prepare(game, lays(1))
    opponent_plays(game)
    assert 20 <= row.delay_s <= 45
    over_at = Action.objects.filter(game=game).latest("version").created_at
    assert not fire(game, over_at + timedelta(seconds=row.delay_s, milliseconds=-1))
    assert states(game) == [("waiting", "")]
    assert fire(game, over_at + timedelta(seconds=row.delay_s))
    assert laid(game, 0) == [("G7", 3)]
    assert running_game(game.match).turn == 1
    assert states(game) == [("fired", "")]


def test_it_is_a_turn_like_any_other(cast: Cast) -> None:
    """A submission of its own, a draw at the end, and a notice for the opponent."""
    game = waiting_board(cast)
    row = prepare(game)
    opponent_plays(game)
    fire(game)
    made = Submission.objects.get(game=game, seat=0)
    assert made.request_id == row.request_id
    assert list(game.actions.values_list("payload__type", flat=True)) == ["play", "draw"] * 2
    assert Notice.objects.filter(
        user=cast.opponent, kind="turn", version=made.version_after
    ).exists()


@pytest.mark.parametrize(
    ("condition", "is_met"),
    [
        (ANY, True),
        (lays(), True),
        (lays(1), True),
        (lays(2), False),
        (lays(1, clan="P"), True),
        (lays(clan="R"), False),
        (lays(value=1), True),
        (lays(value=2), False),
        (lays(1, clan="P", value=1), True),
        ({"when": "claims", "stone": None}, False),
        ({"when": "claims_not", "stone": 1}, True),
    ],
)
def test_conditions_on_a_card_laid(cast: Cast, condition: Any, is_met: bool) -> None:
    game = waiting_board(cast)
    prepare(game, condition)
    opponent_plays(game, "P1@1")
    assert fire(game) == is_met
    assert states(game) == [("fired", "") if is_met else ("expired", "no_match")]


@pytest.mark.parametrize(
    ("condition", "is_met"),
    [
        ({"when": "claims", "stone": None}, True),
        ({"when": "claims", "stone": 5}, True),
        ({"when": "claims", "stone": 9}, False),
        ({"when": "claims_not", "stone": 5}, False),
        ({"when": "claims_not", "stone": 9}, True),
        ({"when": "any"}, True),
    ],
)
@pytest.mark.parametrize("ruleset", ["after-play", "automatic"])
def test_conditions_on_a_claim(cast: Cast, ruleset: str, condition: Any, is_met: bool) -> None:
    """A stone that goes over by itself counts as one that is claimed."""
    game = stack(waiting_board(cast, ruleset), LOW, HIGH, first=1)
    for high, low in zip(["R7", "R8"], ["P1", "O2"], strict=True):
        opponent_plays(game, f"{high}@5")
        turn(game, f"{low}@9")
    prepare(game, condition, plan("O3", 2))
    opponent_plays(game, "R9@5", *(["claim 5"] if ruleset == "after-play" else []))
    assert fire(game) == is_met


def test_conditions_on_tactics_cards(cast: Cast) -> None:
    game = waiting_board(cast, TACTICS)
    stack(game, "R7 R8 R9 G7 G8 G9 B1", "P1 P2 P3 O1 O2 O3 B2", "B7 Y1", 1, "JA SP")
    prepare(game, {"when": "tactics"}, plan("G7", 3))
    opponent_plays(game, "P1@1", "draw tactics")
    assert not fire(game)
    turn(game, "G8@2", "draw clan")
    prepare(game, {"when": "tactics"}, plan("G7", 3))
    opponent_plays(game, "JA@2", "draw clan")
    assert fire(game)


def test_the_first_that_fits_is_played_and_the_others_expire(cast: Cast) -> None:
    game = waiting_board(cast)
    prepare(game, lays(5), plan("R7"))
    prepare(game, lays(1), plan("R8"))
    prepare(game, ANY, plan("R9"))
    opponent_plays(game)
    assert fire(game)
    assert laid(game, 0) == [("R8", 3)]
    assert states(game) == [("expired", "other"), ("fired", ""), ("expired", "other")]
    opponent_plays(game, "P2@1")
    assert not fire(game)
    assert laid(game, 0) == [("R8", 3)]


def test_the_list_is_sorted_and_shortened_by_its_player(cast: Cast) -> None:
    game = waiting_board(cast)
    conditions = [lays(1), lays(clan="P"), lays(value=1)]
    rows = [
        prepare(game, condition, plan(card))
        for condition, card in zip(conditions, ["R7", "R8", "R9"], strict=True)
    ]
    own = {"game_id": game.pk, "user": cast.owner}
    for place in (3, 3, 2, 2, 1):
        answer_raise(**own, answer_id=rows[2].pk, place=place)
    answer_remove(**own, answer_id=rows[0].pk)
    answer_remove(**own, answer_id=rows[0].pk)
    order = PreparedAnswer.objects.order_by("position").values_list("pk", flat=True)
    assert list(order) == [rows[2].pk, rows[1].pk]
    opponent_plays(game)
    fire(game)
    assert laid(game, 0) == [("R9", 3)]


def test_nobody_else_changes_the_list(cast: Cast) -> None:
    game = waiting_board(cast)
    row = prepare(game)
    for change in (partial(answer_raise, place=1), answer_remove):
        change(game_id=game.pk, user=cast.opponent, answer_id=row.pk)
        with pytest.raises(Refusal):
            change(game_id=game.pk, user=cast.stranger, answer_id=row.pk)
    assert states(game) == [("waiting", "")]


@pytest.mark.parametrize("claims", ["none", "holds", 5])
def test_claims_are_made_as_planned(cast: Cast, claims: Any) -> None:
    game = waiting_board(cast)
    for low, high in zip(["P1", "P2"], ["R7", "R8"], strict=True):
        opponent_plays(game, f"{low}@9")
        turn(game, f"{high}@5")
    prepare(game, ANY, plan("R9", 5, claims))
    opponent_plays(game, "P3@9")
    assert fire(game)
    made = Action.objects.filter(game=game, payload__type="claim", payload__seat=0)
    assert made.count() == (0 if claims == "none" else 1)


def test_a_claim_that_does_not_hold_plays_nothing_and_says_why(cast: Cast) -> None:
    game = waiting_board(cast)
    prepare(game, lays(1), plan("R9", 5, 5))
    prepare(game, ANY, plan("R8", 5))
    opponent_plays(game)
    assert not fire(game)
    assert laid(game, 0) == []
    assert states(game) == [("failed", ""), ("expired", "other")]
    row = PreparedAnswer.objects.get(status="failed")
    assert row.refusal["params"]["reason"] == "side_not_full"
    assert not fire(game)
    turn(game, "R9@5")


def test_claims_come_first_where_the_ruleset_wants_it(cast: Cast) -> None:
    game = waiting_board(cast, "start-of-turn")
    for low, high in zip(["P1", "P2", "P3"], ["R7", "R8", "R9"], strict=True):
        opponent_plays(game, f"{low}@9")
        turn(game, f"{high}@5")
    prepare(game, ANY, plan("G7", 3, "holds"))
    opponent_plays(game, "O1@8")
    assert fire(game)
    kinds = game.actions.filter(payload__seat=0).values_list("payload__type", flat=True)
    assert list(kinds)[-3:] == ["claim", "play", "draw"]


def test_a_turn_by_hand_comes_first(cast: Cast) -> None:
    game = waiting_board(cast)
    prepare(game)
    opponent_plays(game)
    turn(game, "R7@2")
    assert not fire(game)
    assert (laid(game, 0), states(game)) == ([("R7", 2)], [("expired", "by_hand")])


def test_resigning_and_the_end_of_a_game_close_the_list(cast: Cast) -> None:
    for quitter, why in ((cast.owner, "by_hand"), (cast.opponent, "over")):
        game = waiting_board(cast)
        prepare(game)
        game_resign(
            game_id=game.pk,
            user=quitter,
            expected_version=0,
            request_id=request_id(),
            now=timezone.now(),
        )
        answers_sweep(now=timezone.now() + SOON)
        assert states(game) == [("expired", why)]


def test_a_passed_deadline_wins(cast: Cast) -> None:
    game = waiting_board(cast)
    prepare(game)
    opponent_plays(game)
    deadline = running_game(game.match).deadline_at
    assert deadline is not None
    assert not fire(game, deadline)
    assert laid(game, 0) == []


def test_an_answer_is_for_the_turn_under_way_alone(cast: Cast) -> None:
    game = waiting_board(cast)
    prepare(game, lays(9))
    opponent_plays(game)
    PreparedAnswer.objects.update(since_version=7)
    assert not fire(game)
    assert states(game) == [("expired", "no_match")]


def test_the_same_form_adds_one(cast: Cast) -> None:
    """Fault 62: a double click prepares one answer."""
    game = waiting_board(cast)
    for _ in range(2):
        prepare(game, form_id="same")
    with pytest.raises(Refusal, match="request_reused"):
        prepare(game, answer=plan("R9"), form_id="same")
    assert len(states(game)) == 1


def test_what_is_refused(cast: Cast) -> None:
    game = waiting_board(cast)
    refused(Code.STALE, game, expected_version=3)
    refused(Code.OWN_TURN, game, seat=1)
    refused(Code.MALFORMED, game, {"when": "draws"})
    refused(Code.MALFORMED, game, {"when": "tactics"})
    refused(Code.INCOMPLETE, game, {"when": "claims_not", "stone": None})
    assert refused(Code.ILLEGAL, game, ANY, plan("P1")).params["reason"] == "not_in_hand"
    for n in range(MAX_WAITING):
        prepare(game, lays(n % 9 + 1, clan="ROY"[n // 9]))
    assert refused(Code.TOO_MANY_ANSWERS, game).status == 429
    with pytest.raises(Refusal):
        prepare(waiting_board(cast, pace_slug="live"))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (ANY, lays(1)),
        (ANY, ANY),
        (lays(), lays(5, clan="R")),
        (lays(clan="R"), lays(5, clan="R", value=3)),
        (lays(5), lays(5)),
        ({"when": "claims", "stone": None}, {"when": "claims", "stone": 5}),
    ],
)
def test_an_answer_that_could_never_be_played_is_refused(
    cast: Cast, first: Any, second: Any
) -> None:
    """Where one fits whenever the other does, that other has to stand first."""
    game = waiting_board(cast)
    above = prepare(game, first)
    assert refused(Code.ANSWER_NEVER, game, second).status == 422
    answer_remove(game_id=game.pk, user=cast.owner, answer_id=above.pk)
    prepare(game, second)
    if first == second:
        return
    below = prepare(game, first)
    with pytest.raises(Refusal, match="answer_never"):
        answer_raise(game_id=game.pk, user=cast.owner, answer_id=below.pk, place=below.position)
    order = PreparedAnswer.objects.order_by("position").values_list("condition", flat=True)
    assert list(order) == [second, first]


def test_answers_that_only_overlap_stand_in_any_order(cast: Cast) -> None:
    game = waiting_board(cast)
    for condition in (lays(5), lays(clan="R"), {"when": "claims", "stone": 5}, ANY):
        prepare(game, condition)
    assert len(states(game)) == 4


def test_what_asks_for_more_cannot_be_prepared(cast: Cast) -> None:
    """A Recruiter shows cards, the others ask for a target."""
    game = stack(waiting_board(cast, TACTICS), "R7 R8 R9 G7 G8 G9 B1", "P1 P2 P3 O1 O2 O3 B2")
    stack(game, "R7 R8 R9 G7 G8 G9 B1", "P1 P2 P3 O1 O2 O3 B2", "B7", 0, "RE BB")
    turn(game, "R7@1", "draw tactics")
    refused(Code.NOT_PREPARED, game, ANY, plan("RE"))


def test_a_stone_that_is_closed_is_refused_at_once(cast: Cast) -> None:
    game = waiting_board(cast)
    for low, high in zip(["P1", "P2", "P3"], ["R7", "R8", "R9"], strict=True):
        opponent_plays(game, f"{low}@9")
        turn(game, f"{high}@5", *(["claim 5"] if high == "R9" else []))
    assert refused(Code.ILLEGAL, game, ANY, plan("G7", 5)).params["reason"] == "stone_claimed"


def test_the_draw_is_chosen_in_advance(cast: Cast) -> None:
    game = waiting_board(cast, TACTICS)
    stack(game, "R7 R8 R9 G7 G8 G9 B1", "P1 P2 P3 O1 O2 O3 B2", "B7", 1, "JA SP")
    prepare(game, ANY, plan("G7", 3, draw="tactics"))
    opponent_plays(game, "P1@1", "draw clan")
    assert fire(game)
    assert game.actions.latest("version").payload["from"] == "tactics"


@pytest.mark.parametrize(
    ("condition", "is_met"),
    [
        ({"when": "any"}, True),
        ({"when": "places", "bridge": None}, True),
        ({"when": "places", "bridge": 3}, True),
        ({"when": "places", "bridge": 1}, False),
        ({"when": "turned_up", "suit": "H", "rank": "", "bridge": None}, False),
    ],
)
def test_three_bridges_answers_a_card_that_was_placed(
    cast: Cast, condition: Any, is_met: bool
) -> None:
    """It lies face down: what it is cannot be a condition."""
    game = deal(make_bridges(cast), *DEAL)
    prepare(game, condition, {"card": "A7", "bridge": 2}, seat=1)
    step(game, "BX@3")
    assert fire(game) == is_met
    assert game.actions.filter(payload__card="A7").exists() == is_met


@pytest.mark.parametrize(
    ("suit", "rank", "bridge", "is_met"),
    [("H", "", None, True), ("", "X", 3, True), ("H", "X", 3, True), ("B", "", None, False)],
)
def test_three_bridges_answers_a_card_that_was_turned_up(
    cast: Cast, suit: str, rank: str, bridge: int | None, is_met: bool
) -> None:
    """Only when it lies open: the owner's Ten is turned up by the opponent's placing."""
    game = deal(make_bridges(cast), *DEAL)
    step(game, "B9@3")
    prepare(game, {"when": "turned_up", "suit": suit, "rank": rank, "bridge": bridge}, HAND_0)
    step(game, "HX@3")
    while read(game).turn == 1:
        step(game, "H8@1")
    assert fire(game) == is_met


def test_an_ability_that_is_asked_for_is_left_to_its_player(cast: Cast) -> None:
    game = deal(make_bridges(cast), "H7 L7 A9", "B9 L8 B8 BX", "HX H8 H9 A7", "BK AK")
    step(game, "L8@3")
    prepare(game, ANY, {"card": "B8", "bridge": 2})
    step(game, "HX@3")
    assert view_of(game)["asked"] == "turn"
    assert not fire(game)
    assert PreparedAnswer.objects.get().refusal["params"]["reason"] == "must_answer"


def test_the_task_plays_what_is_due(cast: Cast, shifted: Any) -> None:
    game = waiting_board(cast)
    prepare(game)
    opponent_plays(game)
    with shifted(SOON):
        tasks.answers_sweep()
        tasks.answers_sweep()
    assert laid(game, 0) == [("G7", 3)]


def test_an_outage_that_nobody_noted_keeps_no_answer_out(cast: Cast) -> None:
    at = timezone.now() - timedelta(days=3, hours=1)
    game = waiting_board(cast, at=at)
    Game.objects.filter(pk=game.pk).update(turn_started_at=at, deadline_at=at + timedelta(days=3))
    site_pulse(now=at + timedelta(days=3, minutes=-2))
    prepare(game)
    assert states(game) == [("waiting", "")]


def test_an_answer_that_comes_after_the_opponents_time_is_refused(cast: Cast) -> None:
    game = waiting_board(cast)
    at = timezone.now() - timedelta(days=3, hours=1)
    Game.objects.filter(pk=game.pk).update(turn_started_at=at, deadline_at=at + timedelta(days=3))
    refused(Code.DEADLINE_PASSED, game)
    game.refresh_from_db()
    assert not game.is_running
