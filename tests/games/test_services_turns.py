"""The one door for turns: who may pass it, once, on which board, and what is told after it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games import publish
from games.engine.api import Json
from games.models import Action, Game, Match, Notice, Submission
from games.refusals import Code, Refusal
from games.selectors import game_fold
from games.services.bots import bot_turn
from games.services.matches import match_abort
from games.services.turns import Submitted, game_resign, match_resign, turn_submit
from tests.games.conftest import Cast, make_match, play_out, play_turn, request_id, running_game

Fresh = Callable[[], Game]


def submit(
    game: Game,
    user: User | AnonymousUser,
    now: datetime,
    actions: list[Any] | None = None,
    **rest: Any,
) -> Submitted:
    """Send a turn as a form would, the easy bot's turn on the board of now where none is given."""
    game = Game.objects.select_related("match").get(pk=game.pk)
    told = {"expected_version": game.version, "request_id": request_id(), **rest}
    actions = bot_turn(game) if actions is None else actions
    return turn_submit(game_id=game.pk, user=user, actions=actions, now=now, **told)


def refused(code: Code, call: Callable[[], object]) -> Refusal:
    """Check that a call is refused, and give the refusal."""
    with pytest.raises(Refusal) as caught:
        call()
    assert caught.value.code == code
    return caught.value


def rows(game: Game) -> tuple[Any, ...]:
    """Give all that a turn may change, to be compared."""
    game = Game.objects.get(pk=game.pk)
    match = Match.objects.get(pk=game.match_id)
    counts = [model.objects.count() for model in (Game, Action, Submission, Notice)]
    state = (game.version, game.turn, game.status, game.deadline_at, match.points, match.status)
    return (*state, *counts)


@pytest.fixture
def to_act(game: Game) -> User:
    """Who is to act in `game`."""
    return game.match.players[game.turn]


@pytest.fixture
def waiting(game: Game) -> User:
    """Who waits in `game`."""
    return game.match.players[1 - game.turn]


class TestTurn:
    def test_a_turn_is_written_and_passes_on(self, game: Game, to_act: User, now: datetime) -> None:
        now += timedelta(hours=5)
        before, turn = game.turn, bot_turn(game)
        done = submit(game, to_act, now)
        game.refresh_from_db()
        assert not done.is_repeated
        assert (game.version, game.turn) == (len(turn), 1 - before)
        assert done.version == game.version
        assert game.deadline_at == now + timedelta(days=3)
        row = Submission.objects.get()
        assert (row.seat, row.version_before, row.version_after) == (before, 0, game.version)
        stored = list(game.actions.values_list("version", "payload"))
        assert stored == list(enumerate(turn, start=1))

    def test_the_closing_draw_is_added(self, game: Game, to_act: User, now: datetime) -> None:
        play = [action for action in bot_turn(game) if action["type"] == "play"]
        submit(game, to_act, now, play)
        assert [row.payload["type"] for row in game.actions.all()] == ["play", "draw"]

    def test_what_is_stored_folds_to_the_state(self, game: Game) -> None:
        play_out(game)
        folded = game_fold(game)
        outcome = folded.title.outcome(folded.state)
        assert (outcome.winner, outcome.reason) == (game.winner, game.reason)
        assert outcome.points == (game.points_0, game.points_1)

    def test_finished_game_starts_the_next(self, game: Game) -> None:
        play_out(game)
        following = Game.objects.get(match=game.match_id, round=2)
        assert (game.turn, game.deadline_at) == (None, None)
        assert following.first == following.turn == game.winner
        assert following.version == 0


class TestRefusals:
    @pytest.fixture(autouse=True)
    def _nothing_is_written(self, game: Game) -> Any:
        before = rows(game)
        yield
        assert rows(game) == before

    def test_stranger(self, game: Game, stranger: User, now: datetime) -> None:
        refused(Code.NOT_A_PLAYER, lambda: submit(game, stranger, now))

    def test_visitor(self, game: Game, now: datetime) -> None:
        refused(Code.NOT_A_PLAYER, lambda: submit(game, AnonymousUser(), now))

    def test_fault_30_the_other_players_turn(
        self, game: Game, waiting: User, now: datetime
    ) -> None:
        refused(Code.NOT_YOUR_TURN, lambda: submit(game, waiting, now))

    @pytest.mark.parametrize("version", [-1, 1, 10**9])
    def test_fault_64_another_board(
        self, game: Game, to_act: User, now: datetime, version: int
    ) -> None:
        refused(Code.STALE, lambda: submit(game, to_act, now, expected_version=version))

    @pytest.mark.parametrize("used", ["", "x" * 65, "a\0b"])
    def test_request_id_that_is_none(
        self, game: Game, to_act: User, now: datetime, used: str
    ) -> None:
        refused(Code.MALFORMED, lambda: submit(game, to_act, now, request_id=used))

    @pytest.mark.parametrize("actions", [[], [{"type": "play", "card": "R1", "stone": 1}] * 41])
    def test_too_little_or_too_much(
        self, game: Game, to_act: User, now: datetime, actions: list[Json]
    ) -> None:
        refused(Code.INCOMPLETE, lambda: submit(game, to_act, now, actions))

    @pytest.mark.parametrize(
        "action",
        [
            None,
            "play",
            7,
            [],
            {},
            {"type": None},
            {"type": "cheat"},
            {"type": "play"},
            {"type": "play", "card": "R1"},
            {"type": "play", "card": "R0", "stone": 1},
            {"type": "play", "card": "R1", "stone": -1},
            {"type": "play", "card": "R1", "stone": 10},
            {"type": "play", "card": "R1", "stone": "1e1"},
            {"type": "play", "card": ["R1"], "stone": 1},
            {"type": "claim", "stone": True},
            {"type": "draw", "from": "discard"},
            {"type": "resign"},
            {"type": "timeout"},
        ],
    )
    def test_fault_30_what_is_no_action_of_a_turn(
        self, game: Game, to_act: User, now: datetime, action: object
    ) -> None:
        refused(Code.MALFORMED, lambda: submit(game, to_act, now, [action]))

    def test_fault_30_a_card_of_the_opponent(self, game: Game, to_act: User, now: datetime) -> None:
        folded = game_fold(game)
        theirs = folded.title.view(folded.state, 1 - game.turn)["hands"][1 - game.turn][0]
        action = {"type": "play", "card": theirs, "stone": 1}
        refusal = refused(Code.ILLEGAL, lambda: submit(game, to_act, now, [action]))
        assert refusal.params["reason"] == "not_in_hand"

    def test_fault_30_the_opponents_seat_in_an_action_counts_for_nothing(
        self, game: Game, waiting: User, now: datetime
    ) -> None:
        actions = [{**action, "seat": game.turn} for action in bot_turn(game)]
        refused(Code.NOT_YOUR_TURN, lambda: submit(game, waiting, now, actions))

    def test_plan_that_stops_halfway(self, game: Game, to_act: User, now: datetime) -> None:
        refused(Code.ILLEGAL, lambda: submit(game, to_act, now, [{"type": "claim", "stone": 1}]))

    def test_illegal_end_of_a_plan_undoes_its_start(
        self, game: Game, to_act: User, now: datetime
    ) -> None:
        actions = [*bot_turn(game)[:1], {"type": "claim", "stone": 9}]
        refused(Code.ILLEGAL, lambda: submit(game, to_act, now, actions))


class TestRepeats:
    def test_fault_62_double_click_plays_once(
        self, game: Game, to_act: User, now: datetime
    ) -> None:
        turn, used = bot_turn(game), request_id()
        told = {"expected_version": 0, "request_id": used}
        first = submit(game, to_act, now, turn, **told)
        before = rows(game)
        second = submit(game, to_act, now, turn, **told)
        assert (second.version, second.is_repeated) == (first.version, True)
        assert rows(game) == before

    def test_fault_62_repeat_is_answered_though_the_board_went_on(
        self, game: Game, to_act: User, now: datetime
    ) -> None:
        turn, used = bot_turn(game), request_id()
        told = {"expected_version": 0, "request_id": used}
        first = submit(game, to_act, now, turn, **told)
        play_turn(game)
        again = submit(game, to_act, now + timedelta(days=9), turn, **told)
        assert (again.version, again.is_repeated) == (first.version, True)

    def test_repeat_of_what_ended_the_game_is_a_success(
        self, game: Game, to_act: User, now: datetime
    ) -> None:
        told = {"game_id": game.pk, "user": to_act, "expected_version": 0, "now": now}
        match_resign(request_id="r", **told)
        assert match_resign(request_id="r", **told).is_repeated

    def test_fault_62_repeat_tells_nobody_again(
        self,
        game: Game,
        to_act: User,
        now: datetime,
        django_capture_on_commit_callbacks: Any,
    ) -> None:
        turn, told = bot_turn(game), {"expected_version": 0, "request_id": request_id()}
        submit(game, to_act, now, turn, **told)
        with django_capture_on_commit_callbacks() as callbacks:
            submit(game, to_act, now, turn, **told)
        assert callbacks == []

    def test_same_request_for_something_else_is_refused(
        self, game: Game, to_act: User, now: datetime
    ) -> None:
        used = request_id()
        submit(game, to_act, now, request_id=used)
        other = [{"type": "play", "card": "R1", "stone": 1}]
        refused(Code.REQUEST_REUSED, lambda: submit(game, to_act, now, other, request_id=used))
        refused(
            Code.REQUEST_REUSED,
            lambda: game_resign(
                game_id=game.pk, user=to_act, expected_version=0, request_id=used, now=now
            ),
        )

    def test_request_of_another_seat_is_not_a_repeat(
        self, game: Game, to_act: User, waiting: User, now: datetime
    ) -> None:
        used = request_id()
        submit(game, to_act, now, request_id=used)
        assert not submit(game, waiting, now, request_id=used).is_repeated


class TestTelling:
    @pytest.fixture
    def told(self, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
        """Collect what goes to sockets and workers."""
        heard: list[tuple[Any, ...]] = []
        monkeypatch.setattr(publish, "_send", lambda messages: heard.extend(messages.items()))
        monkeypatch.setattr(
            publish.current_app,
            "send_task",
            lambda name, **rest: heard.append((name, rest["args"])),
        )
        return heard

    def test_a_turn_tells_the_board_its_version_and_no_more(
        self,
        game: Game,
        to_act: User,
        now: datetime,
        told: list[tuple[Any, ...]],
        django_capture_on_commit_callbacks: Any,
    ) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            submit(game, to_act, now)
        game.refresh_from_db()
        frame = {"type": "game.changed", "id": game.pk, "version": game.version, "status": 20}
        players = (game.match.player_0_id, game.match.player_1_id)
        lists = [
            (f"user.{user_id}", {"type": "player.changed", "game": game.pk}) for user_id in players
        ]
        assert told == [(f"game.{game.pk}", frame), *lists]

    def test_a_refused_turn_tells_nobody(
        self, game: Game, waiting: User, now: datetime, django_capture_on_commit_callbacks: Any
    ) -> None:
        with django_capture_on_commit_callbacks() as callbacks:
            refused(Code.NOT_YOUR_TURN, lambda: submit(game, waiting, now))
        assert callbacks == []

    def test_the_bot_to_act_is_woken(
        self,
        cast: Cast,
        now: datetime,
        told: list[tuple[Any, ...]],
        django_capture_on_commit_callbacks: Any,
    ) -> None:
        User.objects.filter(pk=cast.opponent.pk).update(is_bot=True)
        cast.opponent.refresh_from_db()
        game = running_game(make_match(cast.owner, cast.opponent))
        if game.turn == 1:
            play_turn(game)
        with django_capture_on_commit_callbacks(execute=True):
            submit(game, cast.owner, now)
        assert ("games.bot_act", (game.pk,)) in told

    def test_a_broken_layer_breaks_no_turn(
        self,
        game: Game,
        to_act: User,
        now: datetime,
        monkeypatch: pytest.MonkeyPatch,
        django_capture_on_commit_callbacks: Any,
    ) -> None:
        def fail(messages: dict[str, Json]) -> None:
            raise OSError("the layer is away")

        monkeypatch.setattr(publish, "_send", fail)
        with django_capture_on_commit_callbacks(execute=True):
            done = submit(game, to_act, now)
        game.refresh_from_db()
        assert game.version == done.version

    def test_next_player_is_noticed_once(self, game: Game, to_act: User, waiting: User) -> None:
        assert [notice.user for notice in Notice.objects.all()] == [to_act]
        play_turn(game)
        assert [n.user for n in Notice.objects.order_by("pk")] == [to_act, waiting]


class TestGivingUp:
    def give_up(self, game: Game, user: User, now: datetime, what: Any = game_resign) -> Submitted:
        game.refresh_from_db()
        return what(
            game_id=game.pk,
            user=user,
            expected_version=game.version,
            request_id=request_id(),
            now=now,
        )

    @pytest.mark.parametrize("seat", [0, 1])
    def test_a_game_is_given_up_whoever_is_to_act(
        self, game: Game, now: datetime, seat: int
    ) -> None:
        self.give_up(game, game.match.players[seat], now)
        game.refresh_from_db()
        assert (game.winner, game.reason, game.status) == (1 - seat, "resign", 30)
        assert (game.points_0, game.points_1) == ((0, 5) if seat == 0 else (5, 0))
        assert game.actions.get().payload == {"seat": seat, "type": "resign"}

    def test_fault_29_giving_up_is_an_action_like_others(
        self, game: Game, to_act: User, now: datetime
    ) -> None:
        play_turn(game)
        self.give_up(game, to_act, now)
        folded = game_fold(Game.objects.select_related("match").get(pk=game.pk))
        assert folded.title.outcome(folded.state).reason == "resign"
        refused(Code.GAME_OVER, lambda: submit(game, to_act, now, [{"type": "pass"}]))

    @pytest.mark.parametrize("seat", [0, 1])
    def test_a_match_is_given_up_with_all_its_rounds(
        self, game: Game, now: datetime, seat: int
    ) -> None:
        self.give_up(game, game.match.players[seat], now, match_resign)
        match = Match.objects.get()
        assert (match.winner, match.ending, match.status) == (1 - seat, "resign", 30)
        assert match.points == ((0, 15) if seat == 0 else (15, 0))
        assert match.finished_at == now
        assert match.games.count() == 1

    def test_stones_held_count_for_who_gives_up(self, game: Game, now: datetime) -> None:
        held = [0, 0]
        while not any(held):
            play_turn(game)
            game.refresh_from_db()
            folded = game_fold(game)
            stones = folded.title.view(folded.state, "spectator")["stones"]
            held = [sum(stone["owner"] == seat for stone in stones) for seat in (0, 1)]
        loser = max((0, 1), key=lambda seat: held[seat])
        self.give_up(game, game.match.players[loser], now)
        game.refresh_from_db()
        points = (game.points_0, game.points_1)
        assert (points[loser], points[1 - loser]) == (held[loser], 5)

    def test_over_is_over(self, game: Game, to_act: User, waiting: User, now: datetime) -> None:
        match_abort(match_id=game.match_id, user=to_act, now=now)
        for call in (game_resign, match_resign):
            refused(Code.GAME_OVER, lambda call=call: self.give_up(game, waiting, now, call))
        refused(Code.MATCH_OVER, lambda: self.finished_abort(game, now))

    def finished_abort(self, game: Game, now: datetime) -> None:
        """Try to call off a match that was resigned."""
        other = make_match(game.match.player_0, game.match.player_1)
        self.give_up(running_game(other), other.player_0, now, match_resign)
        match_abort(match_id=other.pk, user=other.player_1, now=now)
