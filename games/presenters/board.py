"""The board page as a value: all that its templates show, for one viewer at one moment.

Templates get this and nothing else: no state, no row, no deck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from django.utils.translation import gettext

from accounts.models import User
from games.access import Seen
from games.engine.api import Seat, other
from games.hooks import Section
from games.models import Game, Match
from games.paces import is_expired
from games.pauses import Clock, game_clock
from games.presenters.clock import Deadline, Left, deadline_shown, left_shown
from games.presenters.faces import CardFace, Faces
from games.presenters.log import LogTurn, Sentence, log_turns, sentence_of
from games.presenters.refusals import refusal_sentence
from games.presenters.sight import NO_PLAN, Plan, Sight
from games.presenters.terms import TermsText, terms_text
from games.presenters.titles import TitleBoard
from games.presenters.vacations import why_not_saved
from games.refusals import Refusal
from games.selectors import Folded

DECIDING: Final = frozenset({"claim", "goes_over", "bridge_scored"})
"""Events of all titles by which something is won for good."""


class Rematch(StrEnum):
    """Where the two stand with playing the match again."""

    NONE = "none"
    ASKED = "asked"
    """The viewer has offered it."""
    OFFERED = "offered"
    """The other player has offered it to the viewer."""
    RUNNING = "running"


@dataclass(frozen=True, slots=True)
class Beyond:
    """What lies beyond the game itself, and its page links to."""

    next_game_url: str = ""
    rematch: Rematch = Rematch.NONE
    rematch_url: str = ""
    can_abort: bool = False
    commitments: Sequence[str] = ()
    """To the secrets that the rematch is dealt from, offered or not yet; players see them."""
    sections: Sequence[Section] = ()
    """What upper apps tell of a match that is over."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many other boards wait for the viewer, and the address of the most urgent one."""

    n: int
    url: str


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """One of the two players, with their points in the match."""

    seat: Seat
    name: str
    url: str
    """Empty where the account is closed: its page has nothing to show."""
    points: int
    is_to_act: bool
    is_viewer: bool
    has_won: bool
    is_bot: bool
    time: Left | None = None
    """What is left of the bank, where the pace has one."""

    @property
    def is_active(self) -> bool:
        """Say whether the account is open."""
        return bool(self.url)


@dataclass(frozen=True, slots=True)
class Result:
    """How the game ended, and what can be done then."""

    is_lost: bool
    """Whether the viewer has lost the game."""
    sentences: tuple[Sentence, ...]
    points: str
    match_text: str
    why_not_saved: str
    """To who lost the match on time: why no vacation began by itself, if they had chosen so."""
    is_match_over: bool
    has_record: bool
    can_rematch: bool
    beyond: Beyond


@dataclass(frozen=True, slots=True)
class Leave:
    """The ways out of a running game that are open to the viewer."""

    can_resign_game: bool
    can_resign_match: bool
    can_abort: bool


@dataclass(frozen=True, slots=True)
class BoardPage:
    """Everything on the page of one game."""

    game_id: int
    match_id: int
    version: int
    status: int
    request_id: str
    title: str
    ruleset: str
    ruleset_slug: str
    title_slug: str
    round: int
    n_rounds: int
    top: PlayerLine
    bottom: PlayerLine
    is_player: bool
    is_to_act: bool
    headline: str
    """Whose turn it is, or who has won: the page's name in a tab too."""
    turn_line: str
    """The same, told on the table: to who has just played, that nothing is left to do."""
    deadline: Deadline | None
    terms: TermsText | None
    """What was agreed about time, as long as that matters."""
    board: TitleBoard
    table: Any
    log: tuple[LogTurn, ...]
    sound: str
    """What is heard of the turn that was made last: `laid`, or `decided` for stones and bridges."""
    unseen: tuple[tuple[CardFace, ...], ...]
    """The cards that the viewer has not seen, kind by kind, where the two agreed to have them
    listed and the game goes on."""
    result: Result | None
    leave: Leave | None
    refusal: Sentence | None
    waiting: Waiting | None
    """Looked up where the viewer has nothing to do here; None as well where no board waits."""


def board_page(
    seen: Seen,
    folded: Folded,
    board: TitleBoard,
    *,
    now: datetime,
    request_id: str,
    plan: Plan = NO_PLAN,
    refusal: Refusal | None = None,
    beyond: Beyond = Beyond(),
    waiting: Waiting | None = None,
) -> BoardPage:
    """Present a game to one viewer on its title's board.

    `plan` is the viewer's own, and empty for all others.
    """
    game, match = seen.game, seen.match
    clock = game_clock(game, now)
    is_late = is_expired(game.deadline_at, now)
    sight = _sight(seen, folded, plan, is_late=is_late)
    ruleset = match.ruleset
    return BoardPage(
        game_id=game.pk,
        match_id=match.pk,
        version=game.version,
        status=game.status,
        request_id=request_id,
        title=gettext(folded.title.meta.name),
        ruleset=gettext(ruleset.name),
        ruleset_slug=ruleset.slug,
        title_slug=ruleset.title,
        round=game.round,
        n_rounds=match.n_rounds,
        top=_player(seen, sight.top, clock, now),
        bottom=_player(seen, sight.bottom, clock, now),
        is_player=seen.seat is not None,
        is_to_act=sight.is_running and seen.seat == game.turn,
        headline=_headline(seen, sight, is_late=is_late),
        turn_line=_turn_line(seen, sight, is_late=is_late),
        deadline=deadline_shown(game, clock, now, seen.seat),
        terms=terms_text(match) if game.is_running else None,
        board=board,
        table=board.present(sight),
        log=_log(folded, sight, board.faces),
        sound=_sound(sight),
        unseen=_unseen(seen, sight, board),
        result=_result(seen, folded, sight, board.faces, beyond),
        leave=None if is_late else _leave(seen, beyond),
        refusal=refusal_sentence(refusal, board.faces) if refusal else None,
        waiting=waiting,
    )


def _sight(seen: Seen, folded: Folded, plan: Plan, *, is_late: bool) -> Sight:
    """Look at the game; where time is up it does not go on, though nobody has written it yet."""
    title = folded.title
    is_running = seen.game.is_running and not is_late
    may_plan = seen.seat is not None and title.to_act(folded.state) == seen.seat
    if not (may_plan and is_running):
        plan = NO_PLAN
    return Sight(
        title=title,
        ruleset=folded.setup.ruleset,
        state=folded.state,
        seats=[title.action_json(action)["seat"] for action in folded.actions],
        events=folded.events,
        viewer=seen.viewer,
        is_running=is_running,
        names=(seen.match.player_0.name, seen.match.player_1.name),
        plan=plan,
    )


def player_url(user: User) -> str:
    """Give the address of a player's page, empty where the account is closed."""
    return user.get_absolute_url() if user.is_active else ""


def _player(seen: Seen, seat: Seat, clock: Clock, now: datetime) -> PlayerLine:
    user = seen.match.players[seat]
    return PlayerLine(
        seat=seat,
        name=user.name,
        url=player_url(user),
        points=seen.match.points[seat],
        is_to_act=seen.game.is_running and seen.game.turn == seat,
        is_viewer=seen.seat == seat,
        has_won=seen.game.winner == seat,
        is_bot=user.is_bot,
        time=None if seen.match.pace.is_per_turn else left_shown(seen.game, clock, seat, now),
    )


def _headline(seen: Seen, sight: Sight, *, is_late: bool) -> str:
    game = seen.game
    if game.status == Game.Status.ABORTED:
        return gettext("The match was aborted")
    if not game.is_running:
        if game.winner is None:
            return gettext("The game is drawn")
        if seen.seat is not None:
            return gettext("You have won") if game.winner == seen.seat else gettext("You have lost")
        return gettext("%(player)s has won") % {"player": sight.names[game.winner]}
    if is_late:
        return gettext("Time is up for %(player)s") % {"player": sight.names[game.turn or 0]}
    if game.turn == seen.seat:
        return gettext("Your turn")
    return gettext("%(player)s is to play") % {"player": sight.names[game.turn or 0]}


def _turn_line(seen: Seen, sight: Sight, *, is_late: bool) -> str:
    """Tell whose turn it is, or a player whose turn is made that they wait."""
    game = seen.game
    has_just_played = seen.seat is not None and bool(sight.seats) and sight.seats[-1] == seen.seat
    is_waiting = game.is_running and game.turn is not None and game.turn != seen.seat
    if is_late or not (is_waiting and has_just_played):
        return _headline(seen, sight, is_late=is_late)
    assert game.turn is not None
    told = gettext("Your turn is done; waiting for %(player)s")
    return told % {"player": sight.names[game.turn]}


def _log(folded: Folded, sight: Sight, faces: Faces) -> tuple[LogTurn, ...]:
    return log_turns(
        folded.title,
        folded.events,
        sight.seats,
        sight.viewer,
        sight.names,
        faces,
        is_over=folded.title.to_act(folded.state) is None,
        forced=folded.forced,
    )


def _sound(sight: Sight) -> str:
    kinds = {event.kind for event in sight.last_turn()}
    return "laid" if kinds.isdisjoint(DECIDING) else "decided"


def _unseen(seen: Seen, sight: Sight, board: TitleBoard) -> tuple[tuple[CardFace, ...], ...]:
    if not (seen.match.has_tracker and seen.game.is_running):
        return ()
    return board.unseen(sight.view_of(sight.state), sight.ruleset)


def _result(
    seen: Seen, folded: Folded, sight: Sight, faces: Faces, beyond: Beyond
) -> Result | None:
    game, match = seen.game, seen.match
    if game.is_running:
        return None
    is_finished = game.status == Game.Status.FINISHED
    return Result(
        is_lost=is_finished and seen.seat is not None and game.winner == 1 - seen.seat,
        sentences=_ending(folded, sight, faces) if is_finished else (),
        points=_points(game, sight) if is_finished else "",
        match_text=_match_text(match, sight),
        why_not_saved=_why_not_saved(seen),
        is_match_over=match.status != Match.Status.RUNNING,
        has_record=is_finished,
        can_rematch=seen.seat is not None
        and match.status != Match.Status.RUNNING
        and match.has_both_players,
        beyond=beyond,
    )


def _ending(folded: Folded, sight: Sight, faces: Faces) -> tuple[Sentence, ...]:
    """Tell the last event, and what it followed from where somebody gave up."""
    n_told = 2 if folded.events[-1][1].kind in ("won_resign", "won_timeout") else 1
    return tuple(
        sentence_of(
            folded.title.describe(event, sight.viewer, is_over=True), event.seat, sight.names, faces
        )
        for _, event in folded.events[-n_told:]
    )


def _points(game: Game, sight: Sight) -> str:
    points = {sight.top: 0, sight.bottom: 0} | {0: game.points_0, 1: game.points_1}
    return gettext("This game: %(first)s %(points)s, %(second)s %(others)s.") % {
        "first": sight.names[sight.bottom],
        "points": points[sight.bottom],
        "second": sight.names[sight.top],
        "others": points[sight.top],
    }


def _match_text(match: Match, sight: Sight) -> str:
    """Tell how the match stands or ended."""
    if match.status == Match.Status.ABORTED:
        return gettext("The match was aborted: it counts for nobody.")
    if match.status == Match.Status.RUNNING:
        return gettext("The match goes on.")
    if match.winner is None:
        return gettext("The match is drawn, %(points)s all.") % {"points": match.points_0}
    winner: Seat = 0 if match.winner == 0 else 1
    told = gettext("%(player)s wins the match, %(points)s to %(others)s.")
    if match.ending == Match.Ending.ACCOUNT:
        told = gettext(
            "%(player)s wins the match, %(points)s to %(others)s, since the other account was "
            "deleted."
        )
    return told % {
        "player": sight.names[winner],
        "points": match.points[winner],
        "others": match.points[other(winner)],
    }


def _why_not_saved(seen: Seen) -> str:
    if seen.seat is None or seen.game.reason != "timeout":
        return ""
    return why_not_saved(seen.match, seen.match.player_id(seen.seat))


def _leave(seen: Seen, beyond: Beyond) -> Leave | None:
    if seen.seat is None or not seen.game.is_running:
        return None
    has_more_rounds = seen.game.round < seen.match.n_rounds
    return Leave(True, has_more_rounds, beyond.can_abort)


def page_title(page: BoardPage) -> str:
    """Name the page for the tab: whose turn, and who plays."""
    return f"{page.headline} · {page.bottom.name} – {page.top.name}"
