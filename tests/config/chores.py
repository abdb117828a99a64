"""What each periodic task finds to do: a site for every line of the beat, and its whole state.

All is played by a clock that stands still, so that the same done twice can be told from once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone

from accounts.models import User
from accounts.subscriptions import device_add, webhook_set
from config.celery import app
from games import tasks
from games.models import Game, Offer, Outage
from games.services.bots import ensure_bot
from games.services.deadlines import deadlines_sweep
from games.services.matches import match_abort
from games.services.notices import DELAY, KEPT, notice_settle, notices_due
from games.services.offers import offer_accept
from games.services.shuffles import DRAWN_KEPT, secrets_draw
from games.services.vacations import vacation_choose
from ladder import seasons
from ladder.memberships import ladder_join
from ladder.pairing import NOT_AGAIN_FOR, Wish
from ladder.services import ratings_sweep
from tests.games.boards import HIGH, LOW, stack, turn
from tests.games.conftest import Cast, make_offer, make_user, request_id, running_game
from tests.games.prepared import opponent_plays, prepare
from tests.ladder.conftest import RULESET, TITLE, resign

START = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
TURN = timedelta(days=3)
BY_LOT = {"token", "secrets", "nonces", "rematch_secrets", "piles", "request_id", "form_id"}
BY_LOT |= {"delay_s", "payload_hash", "password", "date_joined", "secret", "bundle"}
"""Columns that are drawn, or read from another clock: no two sites have the same there."""
LOOKED_UP = "is_applied"
"""A mark that the next sweep has nothing to look up there any more; nobody sees it."""
ALIVE = "games.Heartbeat"


@dataclass(slots=True)
class Site:
    """A site at a moment, and what it has told strangers' servers."""

    now: datetime = START
    told: list[tuple[str, str]] = field(default_factory=list)

    def rows(self) -> dict[str, list[dict[str, Any]]]:
        """Give every row of every table of ours."""
        found = {}
        for model in _models():
            names = [f.attname for f in model._meta.concrete_fields if f.name != LOOKED_UP]
            found[model._meta.label] = list(model._base_manager.order_by("pk").values(*names))
        return found

    def state(self) -> dict[str, Any]:
        """Give the whole state of the site, to the letter."""
        return {**self.rows(), "sent": self._sent()}

    def likeness(self) -> Counter[str]:
        """Count what is alike on every site where the same was done, whatever was drawn."""
        found = self.rows()
        names = {user["id"]: user["name"] for user in found[User._meta.label]}
        pairs = ((model, row) for model in _models() for row in found[model._meta.label])
        lines = (_alike(model, row, names) for model, row in pairs)
        return Counter([*lines, *map(str, self._sent())])

    def _sent(self) -> list[tuple[str, str]]:
        mails = [(to, each.subject) for each in mail.outbox for to in each.to]
        return sorted(self.told + mails)


def _models() -> list[type[Model]]:
    return [
        model
        for label in ("accounts", "games", "ladder")
        for model in apps.get_app_config(label).get_models()
    ]


def _alike(model: type[Model], row: dict[str, Any], names: dict[int, str]) -> str:
    """Write a row with names of users, and without other ids and what was drawn."""
    told = {
        column.name: row[column.attname]
        for column in model._meta.concrete_fields
        if column.attname in row
        and not column.primary_key
        and column.remote_field is None
        and column.name not in BY_LOT | {"key"}
    }
    users = {
        column.name: names.get(row[column.attname])
        for column in model._meta.concrete_fields
        if column.related_model is User
    }
    return f"{model._meta.label} {sorted({**told, **users}.items())}"


def site_at_work(monkeypatch: pytest.MonkeyPatch) -> Site:
    """Let the clock stand where the site's is, and strangers' servers be reached."""
    site = Site()
    monkeypatch.setattr(settings, "VAPID_PRIVATE_KEY", "a key that nothing is signed with")
    monkeypatch.setattr(timezone, "now", lambda: site.now)

    def webhook(hook: Any, notice: Any, **rest: Any) -> int:
        site.told.append(("webhook", f"{hook.user.name}: {notice.kind}"))
        return 200

    def push(device: Any, notice: Any, **rest: Any) -> int:
        site.told.append(("push", f"{device.user.name}: {notice.kind}"))
        return 201

    monkeypatch.setattr(tasks, "webhook_send", webhook)
    monkeypatch.setattr(tasks, "push_send", push)
    return site


def cleared(site: Site) -> None:
    """Make an empty site of it."""
    with transaction.atomic(), connection.cursor() as cursor:
        for model in _models():
            cursor.execute(f"DELETE FROM {connection.ops.quote_name(model._meta.db_table)}")
    cache.clear()
    mail.outbox.clear()
    site.told.clear()


def chore(site: Site, task: str) -> Callable[[], None]:
    """Prepare the site of a periodic task for the moment it is due; gives the task's body."""
    site.now = START
    cast = Cast(make_user("Owner"), make_user("Opponent"), make_user("Stranger"))
    site.now = CHORES[task](cast)
    app.loader.import_default_modules()
    return app.tasks[task]  # type: ignore[no-any-return]  # a task is called like its function


def _started(seat_0: User, seat_1: User, *, first: int = 0, **rest: Any) -> Game:
    """Start a match with nothing left to the lot: who begins, and the cards."""
    offer = make_offer(seat_0, **rest)
    Offer.objects.filter(pk=offer.pk).update(first=first)
    match = offer_accept(offer_id=offer.pk, user=seat_1, now=timezone.now())
    return stack(running_game(match), HIGH, LOW, draws="B7 Y1 B8 Y2", first=first)


def _begun(seat_0: User, seat_1: User, **rest: Any) -> Game:
    """Start a game in which seat 0 is to act, after a turn of each."""
    game = _started(seat_0, seat_1, **rest)
    turn(game, "R7@1")
    turn(game, "P1@1")
    return game


def _deadlines(cast: Cast) -> datetime:
    """One loses on time, one never began, one is saved by a vacation, one by an outage."""
    _begun(cast.owner, cast.opponent)
    _started(cast.owner, cast.opponent)
    _begun(cast.stranger, cast.owner)
    vacation_choose(user=cast.stranger, is_automatic=True, now=START)
    Outage.objects.create(started_at=START + HOUR, ended_at=START + 2 * HOUR)
    _started(cast.opponent, cast.owner, pace_slug="brisk")
    return START + TURN + 2 * HOUR


def _notices(cast: Cast) -> datetime:
    """A turn and a challenge to tell of, and a turn for which time runs short."""
    _begun(cast.owner, cast.opponent)
    make_offer(cast.owner, "challenge", cast.stranger)
    return START + TURN - 7 * HOUR


def _deliveries(cast: Cast) -> datetime:
    """Two with a device and a webhook each have something to hear."""
    for user in (cast.owner, cast.stranger):
        webhook_set(user=user, url="https://receiver.example/")
        device_add(
            user=user,
            endpoint=f"https://push.example/{user.name}",
            p256dh="k",
            auth="a",
            name="",
            now=START,
        )
    _notices(cast)
    return _settled()


def _settled() -> datetime:
    """Settle all notices at the moment at which they are due."""
    due_at = START + DELAY
    for notice_id in notices_due(now=due_at):
        notice_settle(notice_id=notice_id, now=due_at)
    return due_at


def _old_notices(cast: Cast) -> datetime:
    _notices(cast)
    return _settled() + KEPT + DAY


def _bots(cast: Cast) -> datetime:
    """A turn of the bot's, a seek that it may take, a challenge to it."""
    bot = ensure_bot()
    game = _started(cast.owner, bot)
    turn(game, "R7@1")
    offers = [make_offer(cast.opponent), make_offer(cast.stranger, "challenge", bot)]
    Offer.objects.filter(pk__in=[offer.pk for offer in offers]).update(first=0)
    return START + HOUR


def _answers(cast: Cast) -> datetime:
    """An answer that fits, one that is not legal any more, one of a game that is over."""
    for stone in (3, 1):
        game = _started(cast.owner, cast.opponent, first=1)
        prepare(game, answer={"card": "G7", "stone": stone, "claims": "none", "draw": "clan"})
        opponent_plays(game, "P1@1")
    game = _started(cast.owner, cast.opponent, first=1)
    prepare(game)
    match_abort(match_id=game.match_id, user=cast.owner, now=START)
    return START + HOUR


def _offers(cast: Cast) -> datetime:
    """A seek that expires, and a repeated one that waited for a match to end."""
    make_offer(cast.owner)
    repeated = make_offer(cast.stranger, n_at_once=1)
    Offer.objects.filter(pk=repeated.pk).update(first=0)
    match = offer_accept(offer_id=repeated.pk, user=cast.opponent, now=START)
    match_abort(match_id=match.pk, user=cast.opponent, now=START)
    return START + 7 * DAY + HOUR


def _drawn(cast: Cast) -> datetime:
    for user in (cast.owner, cast.opponent):
        secrets_draw(maker=user, request_id=request_id(), now=START)
    return START + DRAWN_KEPT + HOUR


def _won(winner: User, loser: User) -> None:
    """Let the one who begins win a rated match, which nobody has rated yet."""
    resign(_started(winner, loser, n_rounds=1, is_rated=True).match, loser, START)


def _ratings(cast: Cast) -> datetime:
    """Matches that were won and lost in turn, and one that was lost on time."""
    _won(cast.owner, cast.opponent)
    _won(cast.opponent, cast.stranger)
    _begun(cast.stranger, cast.owner, is_rated=True)
    deadlines_sweep(now=START + TURN + HOUR)
    return START + TURN + HOUR


def _pairing(cast: Cast) -> datetime:
    """Two who wait; one of them started a match before, so that the lot has no say."""
    _won(cast.owner, cast.stranger)
    later = START + NOT_AGAIN_FOR + DAY
    wish = Wish(2, frozenset({"per-turn-3"}))
    for user in (cast.owner, cast.opponent):
        ladder_join(title=TITLE, ruleset_slug=RULESET, user=user, now=later, wish=wish)
    return later


def _seasons(cast: Cast) -> datetime:
    """A season of two matches, and one that was over without any."""
    _rated(cast)
    return datetime(2026, 7, 1, tzinfo=UTC) + seasons.GRACE


def _rated(cast: Cast) -> datetime:
    _won(cast.owner, cast.opponent)
    _won(cast.stranger, cast.owner)
    ratings_sweep(now=START)
    return START + DAY


CHORES: dict[str, Callable[[Cast], datetime]] = {
    "games.deadlines_sweep": _deadlines,
    "games.notices_sweep": _notices,
    "games.pushes_sweep": _deliveries,
    "games.webhooks_sweep": _deliveries,
    "games.notices_forget": _old_notices,
    "games.bots_sweep": _bots,
    "games.answers_sweep": _answers,
    "games.offers_sweep": _offers,
    "games.drawn_sweep": _drawn,
    "ladder.ratings_sweep": _ratings,
    "ladder.pairing_sweep": _pairing,
    "ladder.seasons_freeze": _seasons,
    "ladder.rebuild_check": _rated,
}
