"""A game after any number of its actions, as a value.

A finished one is replayed with nothing hidden. Of any other one each viewer is shown what they
could see then, and nothing more. The table is drawn by the title's own board, so a title that
can be played can be replayed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext

from games.access import Seen
from games.engine.api import Event, Seat
from games.models import Game
from games.presenters.board import PlayerLine, player_url
from games.presenters.faces import Faces
from games.presenters.log import Sentence, plain, sentence_of
from games.presenters.sight import Sight
from games.presenters.titles import TitleBoard
from games.selectors import Folded

Points = tuple[int, int]


@dataclass(frozen=True, slots=True)
class LogStep:
    """What one action brought about; `step` is the number of actions up to it."""

    step: int
    url: str
    sentences: tuple[Sentence, ...]
    is_current: bool


@dataclass(frozen=True, slots=True)
class LogTurn:
    """The actions of one turn."""

    seat: Seat
    steps: tuple[LogStep, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """A way to another step; `url` is empty where there is none."""

    name: str
    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Way:
    """Which step is shown, and how the others are reached.

    `first` is the step to begin with, `since` how many steps there were when the page was
    opened, None where it is opened now.
    """

    step: int
    url: str
    first: int = 0
    since: int | None = None

    @property
    def query(self) -> str:
        """Give what the addresses of steps carry besides."""
        return f"?from={self.first}" if self.first else ""

    def to(self, step: int) -> str:
        """Give the address of a step."""
        return f"{self.url}{step}/{self.query}"


@dataclass(frozen=True, slots=True)
class ReplayPage:
    """Everything on the page of one step. The table's templates find what a board gives them."""

    game_id: int
    match_id: int
    title: str
    ruleset: str
    round: int
    n_rounds: int
    is_replay: bool
    """Whether the game is finished and nothing hidden; else this is a look back."""
    is_running: bool
    step: int
    n_steps: int
    first: int
    """The step with which this begins; not 0 where only what is new is stepped through."""
    query: str
    """What the addresses of steps carry besides."""
    n_news: int
    """Steps that came since the page was opened."""
    since: int
    """How many steps there were when the page was opened."""
    url: str
    """The address of the replay without a step, where the slider's form is sent."""
    moves: tuple[Move, ...]
    told: str
    """What the step's action brought about, as one line of text."""
    start: LogStep
    log: tuple[LogTurn, ...]
    top: PlayerLine
    bottom: PlayerLine
    is_player: bool
    is_to_act: bool
    headline: str
    deadline: None
    board: TitleBoard
    table: Any

    @property
    def is_end(self) -> bool:
        """Say whether this is the last step."""
        return self.step == self.n_steps


def replay_page(
    seen: Seen, folded: Folded, board: TitleBoard, step: int, before: Points
) -> ReplayPage:
    """Present a finished game after its first `step` actions, from 0 to all.

    `before` are the points of the match before this game. Raises `ValueError` for a game that
    has not been finished, whose cards are not open, and for a step that it has not.
    """
    if seen.game.status != Game.Status.FINISHED:
        raise ValueError("the game is not finished")
    sight = _sight(seen, folded, step, is_open=True)
    game, turn = seen.game, sight.title.to_act(sight.state)
    points = before if turn is not None else _added(before, (game.points_0, game.points_1))
    return _page(seen, folded, board, sight, Way(step, step_url(game, None)), points)


def look_back_page(
    seen: Seen, folded: Folded, board: TitleBoard, way: Way, before: Points
) -> ReplayPage:
    """Present a game that is not finished as its viewer saw it after its first `step` actions.

    `before` is as in `replay_page`. Raises `ValueError` for a finished game, and for a step that
    it has not.
    """
    if seen.game.status == Game.Status.FINISHED:
        raise ValueError("the game is finished")
    return _page(seen, folded, board, _sight(seen, folded, way.step, is_open=False), way, before)


def _page(
    seen: Seen, folded: Folded, board: TitleBoard, sight: Sight, way: Way, points: Points
) -> ReplayPage:
    game, match, n_steps = seen.game, seen.match, len(folded.actions)
    turn = sight.title.to_act(sight.state)
    since = n_steps if way.since is None else min(way.since, n_steps)
    return ReplayPage(
        game_id=game.pk,
        match_id=match.pk,
        title=gettext(folded.title.meta.name),
        ruleset=gettext(match.ruleset.name),
        round=game.round,
        n_rounds=match.n_rounds,
        is_replay=sight.is_open,
        is_running=game.is_running,
        step=way.step,
        n_steps=n_steps,
        first=way.first,
        query=way.query,
        n_news=n_steps - since,
        since=since,
        url=way.url,
        moves=_moves(way, n_steps),
        told=_told(sight, way.step, board.faces),
        start=LogStep(0, way.to(0), (), is_current=way.step == 0),
        log=_log(way, folded, sight, board.faces),
        top=_player(seen, sight.top, turn, points),
        bottom=_player(seen, sight.bottom, turn, points),
        is_player=seen.seat is not None,
        is_to_act=False,
        headline=_headline(game, sight, turn),
        deadline=None,
        board=board,
        table=board.present(sight),
    )


def step_url(game: Game, step: int | None) -> str:
    """Give the address of one step of a game's replay, or of the replay without a step."""
    if step is None:
        return reverse("games:replay", args=[game.pk])
    return reverse("games:replay_step", args=[game.pk, step])


def look_back_url(game: Game) -> str:
    """Give the address of looking back in a game, without a step."""
    return reverse("games:steps", args=[game.pk])


def _sight(seen: Seen, folded: Folded, step: int, *, is_open: bool) -> Sight:
    if not 0 <= step <= len(folded.actions):
        raise ValueError("the game has no such step")
    state = folded.title.setup(folded.setup)
    for action in folded.actions[:step]:
        state = folded.title.apply(state, action)
    return Sight(
        title=folded.title,
        ruleset=folded.setup.ruleset,
        state=state,
        seats=[folded.title.action_json(action)["seat"] for action in folded.actions],
        events=[(version, event) for version, event in folded.events if version <= step],
        viewer=seen.viewer,
        is_running=False,
        names=(seen.match.player_0.name, seen.match.player_1.name),
        is_open=is_open,
    )


def _added(points: Points, others: Points) -> Points:
    return (points[0] + others[0], points[1] + others[1])


def _player(seen: Seen, seat: Seat, turn: Seat | None, points: Points) -> PlayerLine:
    user = seen.match.players[seat]
    return PlayerLine(
        seat=seat,
        name=user.name,
        url=player_url(user),
        points=points[seat],
        is_to_act=turn == seat,
        is_viewer=seen.seat == seat,
        has_won=turn is None and seen.game.winner == seat,
        is_bot=user.is_bot,
    )


def _headline(game: Game, sight: Sight, turn: Seat | None) -> str:
    if turn is not None:
        return gettext("%(player)s is to play") % {"player": sight.names[turn]}
    if game.winner is None:
        return gettext("The game is drawn")
    return gettext("%(player)s has won") % {"player": sight.names[game.winner]}


def _moves(way: Way, n_steps: int) -> tuple[Move, ...]:
    """Give the ways to the first, the previous, the next and the last step."""
    step, first = way.step, min(way.first, way.step)
    ways = (
        ("first", gettext("Start"), first, step > first),
        ("previous", gettext("Back"), step - 1, step > first),
        ("next", gettext("Forward"), step + 1, step < n_steps),
        ("last", gettext("End"), n_steps, step < n_steps),
    )
    return tuple(
        Move(name, text, way.to(to) if is_open else "") for name, text, to, is_open in ways
    )


def _sentences(sight: Sight, events: Iterable[Event], faces: Faces) -> tuple[Sentence, ...]:
    return tuple(
        sentence_of(
            sight.title.describe(event, sight.viewer, is_over=sight.is_open),
            event.seat,
            sight.names,
            faces,
        )
        for event in events
    )


def _told(sight: Sight, step: int, faces: Faces) -> str:
    if step == 0:
        return gettext("The cards are dealt.")
    events = [event for version, event in sight.events if version == step]
    return " ".join(plain(sentence) for sentence in _sentences(sight, events, faces))


def _log(way: Way, folded: Folded, sight: Sight, faces: Faces) -> tuple[LogTurn, ...]:
    """Tell the whole game, or what of it is stepped through, action by action."""
    events = defaultdict(list)
    for version, event in folded.events:
        events[version].append(event)
    turns: list[tuple[Seat, list[LogStep]]] = []
    for version, seat in enumerate(sight.seats, start=1):
        if version <= way.first:
            continue
        if not turns or turns[-1][0] != seat:
            turns.append((seat, []))
        told = _sentences(sight, events[version], faces)
        turns[-1][1].append(LogStep(version, way.to(version), told, version == way.step))
    return tuple(LogTurn(seat, tuple(steps)) for seat, steps in turns)
