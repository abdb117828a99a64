"""Demo data: a dozen players and four months of matches, made through the services themselves.

Each game is thought through in memory by the easy bot's policy first, so that running games can
be left just where a claim is ready or the end is near.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password
from django.db import transaction

from accounts.models import User
from games import clock, publish
from games.engine.api import Json, Seat
from games.models import Game, Match, Offer
from games.selectors import game_fold
from games.services.bots import choose_turn, ensure_bot
from games.services.deadlines import deadline_settle
from games.services.matches import match_abort
from games.services.offers import offer_accept, offer_create
from games.services.terms import OfferTerms
from games.services.turns import match_resign, turn_submit

PASSWORD = "marchstone"  # noqa: S105  (told to everybody who starts the demo)

CAST = (
    ("Morag", "GB", "Europe/London"),
    ("Hamish", "GB", "Europe/London"),
    ("Ágnes", "HU", "Europe/Budapest"),
    ("Bence", "HU", "Europe/Budapest"),
    ("Čeněk", "CZ", "Europe/Prague"),
    ("Jitka", "CZ", "Europe/Prague"),
    ("Олена", "UA", "Europe/Kyiv"),
    ("Тарас", "UA", "Europe/Kyiv"),
    ("Noor", "NL", "Europe/Amsterdam"),
    ("Kenji", "JP", "Asia/Tokyo"),
    ("Inés", "ES", "Europe/Madrid"),
    ("Ruth", "CA", "America/Toronto"),
)
DEMO_USERS = ("Morag", "Hamish")
FIRST_JOINED = timedelta(days=122)
"""How long ago the first of the cast registered: all did so before the first match."""

Turn = list[Json]
Stop = Callable[[Sequence[tuple[Seat, Turn]]], int]


@dataclass(frozen=True, slots=True)
class Script:
    """One match of the demo: who offers to whom, when, and where it is left.

    `days_ago` is when it began; `hours` is the mean time of a turn; `leave` says how many
    turns of round `leave_round` are played, or finds that in the turns of a whole game.
    """

    maker: str
    accepter: str
    ruleset: str
    n_rounds: int
    days_ago: float
    hours: float
    pace: str = "per-turn-3"
    leave: Stop | int | None = None
    is_rated: bool = True
    leave_round: int = 1
    ending: str = ""
    title: str = "schotten-totten"
    weekend_zone: str = ""


def claim_ready(turns: Sequence[tuple[Seat, Turn]]) -> int:
    """Leave a game where the next turn claims a stone, well into it; the maker's if there is one.

    There always is a turn: the last one of a game takes its last stone.
    """
    claims = [
        (seat, count)
        for count, (seat, turn) in enumerate(turns)
        if count >= 16 and any(action["type"] == "claim" for action in turn)
    ]
    return min(claims)[1]


def near_end(turns: Sequence[tuple[Seat, Turn]]) -> int:
    """Leave a game a turn or two before its last."""
    return max(len(turns) - 2, 0)


EARLIER = (
    Script("Morag", "Kenji", "after-play", 1, 113, 4),
    Script("Hamish", "Morag", "after-play", 1, 112, 4, leave=16, ending="resign"),
    Script("Ágnes", "Bence", "after-play", 1, 109, 5, leave=11, ending="resign"),
    Script("Morag", "Noor", "after-play", 1, 105, 4, leave=12, ending="resign"),
    Script("Тарас", "Ágnes", "after-play", 1, 102, 5, leave=14, ending="resign"),
    Script("Kenji", "Hamish", "after-play", 1, 99, 4, leave=13, ending="resign"),
)
"""Over before the longest quarter of a year, so that one season at least is finished."""

SCRIPTS = (
    Script("Morag", "Hamish", "after-play", 3, 9, 3, leave=claim_ready, leave_round=2),
    Script("Hamish", "Morag", "start-of-turn", 1, 8, 4, leave=near_end),
    *EARLIER,
    Script("Morag", "Ágnes", "automatic", 1, 55, 6),
    Script("Hamish", "Олена", "after-play", 1, 48, 4),
    Script("Čeněk", "Morag", "after-play", 1, 41, 5, leave=22, ending="resign"),
    Script("Inés", "Ruth", "after-play", 3, 35, 6, leave=11, ending="resign"),
    Script("Тарас", "Noor", "after-play", 3, 33, 6, leave=11, ending="timeout"),
    Script("Bence", "Hamish", "start-of-turn", 1, 30, 7, leave=22, ending="resign"),
    Script("Jitka", "Тарас", "after-play", 1, 26, 6, leave=11, ending="resign", is_rated=False),
    Script("Noor", "Kenji", "automatic", 1, 18, 4),
    Script("Ruth", "Čeněk", "after-play", 1, 13, 6, leave=1, ending="abort"),
    Script("Bence", "Jitka", "automatic", 3, 8, 6, leave=22, is_rated=False),
    Script("Олена", "Kenji", "after-play", 1, 7, 5, "relaxed", leave=11),
    Script("Ágnes", "Morag", "after-play", 3, 5, 6, "steady", 11, weekend_zone="Europe/Budapest"),
    Script("Inés", "Hamish", "after-play", 1, 4, 5, "brisk", leave=22),
    Script("Hamish", "Morag", "standard", 2, 21, 6, title="three-bridges"),
    Script("Morag", "Hamish", "standard", 1, 3, 5, leave=10, title="three-bridges"),
)


def demo_load(tell: Callable[[int, int], None]) -> None:
    """Fill an empty database. `tell` hears after each match how many of how many are done.

    Addresses come last: without one nobody is told of a turn of weeks ago, and where they are
    missing the load was cut off.
    """
    now = clock.now()
    users = _users(now)
    ensure_bot()
    with publish.muted():
        for done, script in enumerate(SCRIPTS, start=1):
            _play(script, users, now)
            tell(done, len(SCRIPTS))
        _open_offers(users, now)
    _give_addresses(users.values())


def is_cut_off() -> bool:
    """Say whether all there is in the database is a demo whose load did not come to its end.

    People have an address, so nobody else's database is ever taken for one.
    """
    people = dict(User.objects.filter(is_bot=False).values_list("name", "email"))
    return people == dict.fromkeys((name for name, _, _ in CAST), "")


@transaction.atomic
def _users(now: datetime) -> dict[str, User]:
    """Make the whole cast or nobody. The demo users share a hash: making one takes a while."""
    password = make_password(PASSWORD)
    users = {}
    for number, (name, country, zone) in enumerate(CAST):
        joined = now - FIRST_JOINED + timedelta(hours=11 * number)
        user = User(name=name, country=country, time_zone=zone, date_joined=joined)
        user.password = password if name in DEMO_USERS else make_password(None)
        user.save()
        users[name] = user
    return users


@transaction.atomic
def _give_addresses(users: Iterable[User]) -> None:
    for number, user in enumerate(users, start=1):
        user.email = f"demo{number}@marchstone.example"
        user.save(update_fields=["email"])
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)


def _play(script: Script, users: dict[str, User], now: datetime) -> None:
    """Play one match to where its script leaves it, as of then."""
    rng = random.Random(f"{script.maker}-{script.days_ago}")  # noqa: S311  (not for a deal)
    at = now - timedelta(days=script.days_ago)
    match = _agree(script, users, at)
    while (game := match.games.filter(status=Game.Status.RUNNING).first()) is not None:
        is_left = script.leave is not None and game.round == script.leave_round
        turns = _think(game, script.leave if is_left else None)
        latest = now - timedelta(hours=rng.uniform(1, 6))
        until = latest if is_left and not script.ending else None
        moments = _moments(script, rng, at, len(turns), until)
        for (seat, turn), moment in zip(turns, moments, strict=True):
            at = moment
            _submit(game, match.players[seat], turn, at)
        if is_left:
            _end(script, match, at + timedelta(hours=2), now)
            break


def _moments(
    script: Script, rng: random.Random, at: datetime, count: int, until: datetime | None
) -> Iterator[datetime]:
    """Give irregular moments for `count` turns after `at`; the last is `until` where set."""
    steps = [rng.uniform(0.3, 1.7) * script.hours for _ in range(count)]
    scale = 1.0 if until is None else (until - at) / timedelta(hours=sum(steps))
    for step in steps:
        at += timedelta(hours=step * scale)
        yield at


def _agree(script: Script, users: dict[str, User], at: datetime) -> Match:
    terms = OfferTerms(
        script.title,
        script.ruleset,
        script.n_rounds,
        script.pace,
        is_rated=script.is_rated,
        weekend_zone=script.weekend_zone,
    )
    with clock.shifted(at - clock.now()):
        offer = offer_create(
            maker=users[script.maker],
            kind=Offer.Kind.SEEK,
            terms=terms,
            request_id=f"demo-{script.days_ago}",
            now=clock.now(),
        )
        return offer_accept(offer_id=offer.pk, user=users[script.accepter], now=clock.now())


def _think(game: Game, leave: Stop | int | None = None) -> list[tuple[Seat, Turn]]:
    """Play the rest of a game in memory, to where it is to be left; gives its turns."""
    folded = game_fold(game)
    most = leave if isinstance(leave, int) else math.inf
    state = folded.state
    turns: list[tuple[Seat, Turn]] = []
    while (seat := folded.title.to_act(state)) is not None and len(turns) < most:
        turn = choose_turn(folded.title, state, seat)
        for payload in turn:
            state = folded.title.apply(state, folded.title.parse_action(payload))
        turns.append((seat, turn))
    return turns[: leave(turns)] if callable(leave) else turns


def _submit(game: Game, user: User, turn: Turn, at: datetime) -> None:
    with clock.shifted(at - clock.now()):
        submitted = turn_submit(
            game_id=game.pk,
            user=user,
            actions=turn,
            expected_version=game.version,
            request_id=f"demo-{game.version}",
            now=clock.now(),
        )
    game.version = submitted.version


def _end(script: Script, match: Match, at: datetime, now: datetime) -> None:
    """End a match that its script does not play out."""
    game = match.games.get(status=Game.Status.RUNNING)
    if script.ending == "resign":
        match_resign(
            game_id=game.pk,
            user=match.player_1,
            expected_version=game.version,
            request_id="demo-resign",
            now=at,
        )
    elif script.ending == "timeout":
        deadline_settle(game_id=game.pk, now=now)
    elif script.ending == "abort":
        match_abort(match_id=match.pk, user=match.player_0, now=at)


def _open_offers(users: dict[str, User], now: datetime) -> None:
    """Leave a few offers open: two seeks, one rated, and a challenge to the first demo user."""
    offers = (
        ("Тарас", Offer.Kind.SEEK, "after-play", 3, "per-turn-2", None),
        ("Jitka", Offer.Kind.SEEK, "automatic", 1, "per-turn-7", None),
        ("Ruth", Offer.Kind.CHALLENGE, "start-of-turn", 3, "per-turn-5", users[DEMO_USERS[0]]),
    )
    for hours, (maker, kind, ruleset, n_rounds, pace, addressee) in enumerate(offers, start=1):
        terms = OfferTerms(
            "schotten-totten",
            ruleset,
            n_rounds,
            pace,
            is_bot_welcome=False,
            is_rated=maker == "Тарас",
        )
        offer_create(
            maker=users[maker],
            kind=kind,
            terms=terms,
            addressee=addressee,
            request_id=f"demo-open-{hours}",
            now=now - timedelta(hours=hours),
        )
