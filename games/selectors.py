"""Readers: every list and state that pages, tasks and tests need. Nothing here writes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from accounts.models import User
from games.engine.api import AnyTitle, Event, Json, Seat, Setup
from games.engine.registry import get_title
from games.models import Action, Desk, Game, Match, Offer, PreparedAnswer, Submission

_PLAYERS = ("match__player_0", "match__player_1")


@dataclass(frozen=True, slots=True)
class Folded:
    """A game's present state and how it came about. Holds everything: never shown itself."""

    title: AnyTitle
    setup: Setup
    state: Any
    actions: tuple[Any, ...]
    events: tuple[tuple[int, Event], ...]
    """Events in order, each with the version that its action brought."""
    forced: frozenset[int]
    """The versions of the actions that the site took, as the only ones possible."""


def game_setup(game: Game) -> Setup:
    """Give the deal of a game as the engine's value."""
    piles = tuple((key, tuple(cards)) for key, cards in game.piles.items())
    return Setup(game.match.ruleset, 0 if game.first == 0 else 1, piles)


def game_payloads(game: Game) -> list[Json]:
    """Give a game's actions in order as stored, up to the version of the row. One query."""
    return list(_actions(game).values_list("payload", flat=True))


def _actions(game: Game) -> QuerySet[Action]:
    """Give a game's actions in order.

    A turn that was made since the row was read is left out: the fold fits the row's deadline.
    """
    return game.actions.filter(version__lte=game.version).order_by("version")


def game_fold(game: Game) -> Folded:
    """Fold a game's actions over its deal. One query, whatever its length."""
    title = get_title(game.match.title)
    setup = game_setup(game)
    state = title.setup(setup)
    actions, events, forced = [], [], set[int]()
    rows = _actions(game).values_list("payload", "is_forced")
    for version, (payload, is_forced) in enumerate(rows, start=1):
        action = title.parse_action(payload)
        before, state = state, title.apply(state, action)
        actions.append(action)
        events += [(version, event) for event in title.events(before, action, state)]
        forced |= {version} if is_forced else set()
    return Folded(title, setup, state, tuple(actions), tuple(events), frozenset(forced))


def game_state(game: Game) -> Any:
    """Fold a game to its state alone, at half the cost. One query."""
    title = get_title(game.match.title)
    state = title.setup(game_setup(game))
    for payload in game_payloads(game):
        state = title.apply(state, title.parse_action(payload))
    return state


def lobby_offers(user: User | AnonymousUser, now: datetime, limit: int = 100) -> Sequence[Offer]:
    """List the open seeks, newest first, but of those whom a user may not meet."""
    seeks = Offer.objects.filter(kind=Offer.Kind.SEEK)
    return list(_open_offers(seeks, user, now).select_related("maker")[:limit])


def offers_for(user: User, now: datetime) -> Sequence[Offer]:
    """List the open challenges to a user, newest first, but of those whom they may not meet."""
    challenges = Offer.objects.filter(addressee=user)
    return list(_open_offers(challenges, user, now).select_related("maker", "rematch_of")[:100])


def offers_by(user: User, now: datetime) -> Sequence[Offer]:
    """List a user's own offers of every kind that are open, wait, or expired since yesterday.

    Those to somebody whom they have blocked since are void, and left out.
    """
    lately = Q(status=Offer.Status.EXPIRED, closed_at__gt=now - timedelta(days=1))
    return list(
        Offer.objects.filter(Offer.is_live() | lately, maker=user)
        .exclude(addressee__in=user.blocks.values("blocked"))
        .select_related("addressee", "rematch_of")
        .order_by("-created_at", "-pk")[:100]
    )


def n_running_of_series(series_id: int) -> int:
    """Count the running matches of a seek that is repeated. One query."""
    of_series = Q(offer=series_id) | Q(offer__series=series_id)
    return Match.objects.filter(of_series, status=Match.Status.RUNNING).count()


def running_games(limit: int = 50) -> Sequence[Game]:
    """List running games that everybody may watch, the latest turn first."""
    return list(
        Game.objects.filter(status=Game.Status.RUNNING, match__is_private=False)
        .select_related(*_PLAYERS)
        .order_by("-turn_started_at", "-pk")[:limit]
    )


def games_waiting_for(user: User) -> Sequence[Game]:
    """List the running games in which a user is to act, the nearest deadline first."""
    return list(_of_player(user).filter(_is_to_act(user.pk)).order_by("deadline_at", "pk"))


def games_waiting_ids(user: User, now: datetime, *, but: int) -> list[int]:
    """List the ids of the games that wait for a user, the most urgent first, without one of them.

    Those whose deadline has passed wait no more. One query.
    """
    games = Game.objects.filter(_is_to_act(user.pk), status=Game.Status.RUNNING)
    games = games.exclude(deadline_at__lte=now).exclude(pk=but)
    return list(games.order_by("deadline_at", "pk").values_list("pk", flat=True))


def games_waiting_count(user: User, now: datetime) -> int:
    """Count the games that wait for a user, but those whose deadline has passed. One query."""
    games = Game.objects.filter(_is_to_act(user.pk), status=Game.Status.RUNNING)
    return games.exclude(deadline_at__lte=now).count()


def games_begun_for(user: User, since: datetime) -> Sequence[Game]:
    """List first games of the matches that came of a user's offers, and wait for a first look.

    Those begun since a moment in which the user has not done anything yet; newest first.
    """
    mine = Submission.objects.filter(game=OuterRef("pk"), seat=0)
    games = Game.objects.filter(
        ~Exists(mine),
        status=Game.Status.RUNNING,
        round=1,
        started_at__gte=since,
        match__player_0=user,
    )
    return list(games.select_related("match__player_1").order_by("-started_at", "-pk"))


def games_running_for(user: User) -> Sequence[Game]:
    """List a user's running games, those that wait for them first, by deadline."""
    games = list(_of_player(user).order_by("deadline_at", "pk"))
    return sorted(games, key=lambda game: game.turn != game.match.seat_of(user.pk))


def running_match_ids(user: User) -> list[int]:
    """List the ids of a user's running matches in order."""
    mine = Q(player_0=user) | Q(player_1=user)
    running = Match.objects.filter(mine, status=Match.Status.RUNNING)
    return list(running.order_by("pk").values_list("pk", flat=True))


def matches_abortable(match_ids: Collection[int]) -> set[int]:
    """Find the running matches that may still be aborted among some. One query.

    Those in which one of the two has not made a first turn yet, and no game is finished. A
    finished game of a running match was played or resigned: it always has a submission.
    """
    made = Submission.objects.filter(game__match__in=match_ids)
    seats: dict[int, set[int]] = {match_id: set() for match_id in match_ids}
    begun = set()
    for match_id, seat, status in made.values_list(
        "game__match", "seat", "game__status"
    ).distinct():
        seats[match_id].add(seat)
        if status == Game.Status.FINISHED:
            begun.add(match_id)
    return {match_id for match_id, acted in seats.items() if len(acted) < 2} - begun


def matches_all(user: User) -> Iterator[Match]:
    """Give all matches of a user, oldest first, with their games."""
    mine = Match.objects.filter(Q(player_0=user) | Q(player_1=user))
    found = mine.select_related("player_0", "player_1").prefetch_related("games")
    return found.order_by("pk").iterator(chunk_size=500)


def games_unseen_for(user: User, since: datetime) -> Sequence[Game]:
    """List a user's games that ended since a moment and that they were not shown since.

    The latest end first, twenty at most. One query.
    """
    seen = Desk.objects.filter(game=OuterRef("pk"), user=user, is_end_seen=True)
    games = Game.objects.filter(_may_hold_ended(user, since), ~Exists(seen), finished_at__gte=since)
    return list(games.select_related(*_PLAYERS).order_by("-finished_at", "-pk")[:20])


def desk_of(game: Game, user_id: int) -> Desk | None:
    """Give what a player keeps at a game, None where they were never shown it."""
    return Desk.objects.filter(game=game, user=user_id).first()


def games_overdue(before: datetime) -> list[int]:
    """List the ids of running games whose deadline passed before a moment."""
    return list(
        Game.objects.filter(status=Game.Status.RUNNING, deadline_at__lt=before)
        .order_by("deadline_at")
        .values_list("pk", flat=True)
    )


def games_waiting_for_bots() -> list[int]:
    """List the ids of running games in which a bot is to act."""
    to_act = Q(turn=0, match__player_0__is_bot=True) | Q(turn=1, match__player_1__is_bot=True)
    games = Game.objects.filter(to_act, status=Game.Status.RUNNING)
    return list(games.order_by("turn_started_at").values_list("pk", flat=True))


def matches_of(user: User, limit: int = 50) -> Sequence[Match]:
    """List a user's matches, newest first."""
    return list(
        Match.objects.filter(Q(player_0=user) | Q(player_1=user))
        .select_related("player_0", "player_1")
        .order_by("-started_at", "-pk")[:limit]
    )


@dataclass(frozen=True, slots=True)
class Record:
    """How many matches a player has won, drawn, lost, and has running."""

    won: int
    drawn: int
    lost: int
    running: int


def player_record(user: User) -> Record:
    """Count a player's matches by result; aborted ones count nowhere. One query."""
    finished = Q(status=Match.Status.FINISHED)
    won = Q(player_0=user, winner=0) | Q(player_1=user, winner=1)
    counts = Match.objects.filter(Q(player_0=user) | Q(player_1=user)).aggregate(
        won=Count("pk", filter=finished & won),
        drawn=Count("pk", filter=finished & Q(winner__isnull=True)),
        finished=Count("pk", filter=finished),
        running=Count("pk", filter=Q(status=Match.Status.RUNNING)),
    )
    lost = counts["finished"] - counts["won"] - counts["drawn"]
    return Record(counts["won"], counts["drawn"], lost, counts["running"])


def match_games(match: Match) -> Sequence[Game]:
    """List a match's games by round."""
    return list(match.games.order_by("round"))


def game_next(game: Game) -> Game | None:
    """Give the game of the next round, None where there is none yet."""
    return Game.objects.filter(match_id=game.match_id, round=game.round + 1).first()


def match_again(match: Match) -> Match | None:
    """Give the match that was played as a rematch of this one, None where there is none."""
    return match.rematches.order_by("pk").first()


def rematch_offer(match: Match) -> Offer | None:
    """Give the open offer to play a match again, None where there is none."""
    return match.rematch_offers.filter(status=Offer.Status.OPEN).first()


def game_running(match: Match) -> Game | None:
    """Give the game that is being played, None where the match is over."""
    return match.games.filter(status=Game.Status.RUNNING).first()


def loses_on_time(match: Match, seat: int) -> bool:
    """Say whether a passed deadline loses the match for a player, and does not abort it.

    So it does for all who ever did something in the match, and once a game of it is finished:
    the result of a game that was resigned cannot be undone by doing nothing.
    """
    counts = Q(seat=seat) | Q(game__status=Game.Status.FINISHED)
    return Submission.objects.filter(counts, game__match=match).exists()


def _open_offers(
    offers: QuerySet[Offer], user: User | AnonymousUser, now: datetime
) -> QuerySet[Offer]:
    """Give those of some offers that a user can take up, newest first."""
    found = offers.filter(status=Offer.Status.OPEN, expires_at__gt=now, maker__is_active=True)
    if isinstance(user, User):
        found = found.exclude(maker__blocks__blocked=user)
        found = found.exclude(maker__in=user.blocks.values("blocked"))
    return found.order_by("-created_at", "-pk")


def _of_player(user: User) -> QuerySet[Game]:
    """Give a user's running games. Their matches run too: that lets an index find them."""
    mine = Q(match__player_0=user) | Q(match__player_1=user)
    games = Game.objects.filter(mine, status=Game.Status.RUNNING)
    return games.filter(match__status=Match.Status.RUNNING).select_related(*_PLAYERS)


def _is_to_act(user_id: int) -> Q:
    is_theirs = Q(turn=0, match__player_0=user_id) | Q(turn=1, match__player_1=user_id)
    return is_theirs & Q(match__status=Match.Status.RUNNING)


def _may_hold_ended(user: User, since: datetime) -> Q:
    """Say in which matches of a user a game can have ended since a moment.

    Those that run, and those that ended since: so that what was played before is not read.
    """
    found = Q()
    for seat in (0, 1):
        mine = Q(**{f"match__player_{seat}": user})
        found |= mine & Q(match__finished_at__gte=since)
        found |= mine & Q(match__status=Match.Status.RUNNING)
    return found


def prepared_answers(game: Game, seat: Seat) -> Sequence[PreparedAnswer]:
    """List the answers that a seat has prepared in a game, the latest turn's first. One query."""
    return list(game.prepared_answers.filter(seat=seat))


def games_with_due_answers() -> list[int]:
    """List the ids of running games in which an answer waits for the seat that is to act."""
    waiting = PreparedAnswer.objects.filter(
        status=PreparedAnswer.Status.WAITING, game__status=Game.Status.RUNNING
    )
    due = waiting.filter(game__turn=F("seat")).order_by("game_id")
    return list(due.values_list("game_id", flat=True).distinct())
