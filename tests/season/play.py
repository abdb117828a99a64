"""The season itself: one event after the other, in the order of its own clock.

People answer their turns when it suits them, plan vacations, give up, abort, go away; the site
falls silent for a while, and its workers are killed. Turns go through the services in this
process; whatever is periodic is done by the workers, told at every step of the season, an hour or
more.
"""

from __future__ import annotations

import heapq
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Any, Final

from celery.schedules import crontab
from django.conf import settings
from django.db.models.signals import pre_delete

from accounts.services import user_delete
from accounts.subscriptions import seen_note
from games import clock
from games.models import Game, Heartbeat, Match, Offer, Outage, Vacation
from games.pauses import vacation_now
from games.refusals import Refusal
from games.services.bots import bot_turn
from games.services.matches import match_abort, match_annul
from games.services.offers import offer_accept, offer_create
from games.services.terms import OfferTerms
from games.services.turns import game_resign, match_resign, turn_submit
from games.services.vacations import vacation_end, vacation_plan, vacation_start
from games.titles import PLAYABLE
from tests.season.people import Person, cast_make, pace_of
from tests.workers import Workers

HOUR: Final = timedelta(hours=1)
WAITED_FOR: Final = ("games.deadlines_sweep", "games.notices_sweep", "ladder.ratings_sweep")
"""A step is over when these have been done in it, unless the workers are dead."""

LAST: Final = timedelta(days=10)
"""So long after all matches have begun a match can be annulled."""

PATIENCE_S: Final = 60.0
PLAYERS: Final = ("match__player_0", "match__player_1")

Happening = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is to happen. `n_days`: matches begin within so many days."""

    n_players: int
    n_matches: int
    n_days: int
    n_outages: int
    kill_every_h: int
    """Workers are killed after every so many hours of the season."""
    step_h: int = 1
    """What is periodic is done once in so many hours, however often it is due: once in twice as
    many when all matches have begun."""


@dataclass(slots=True)
class Season:
    """A season under way."""

    plan: Plan
    workers: Workers
    rng: random.Random
    now: datetime
    counts: Counter[str] = field(default_factory=Counter)
    people: dict[int, Person] = field(default_factory=dict)
    erased: list[Vacation] = field(default_factory=list)
    """Vacations that went with their players' accounts."""
    _queue: list[tuple[datetime, int, Happening]] = field(default_factory=list)
    _tie: Any = field(default_factory=count)
    _planned: set[tuple[int, int]] = field(default_factory=set)
    """Games and versions whose answer is in the queue."""
    _begun: datetime = field(init=False)
    """When all matches have begun."""
    _until: datetime = field(init=False)
    """When the step that runs is over."""

    def __post_init__(self) -> None:
        self._begun = self.now + timedelta(days=self.plan.n_days)
        self._until = self.now + self._step

    @property
    def _step(self) -> timedelta:
        return self.plan.step_h * (1 if self.now < self._begun else 2) * HOUR

    def run(self, tell: Callable[[str], None], until_s: float) -> bool:
        """Play until no match runs; says whether that came about before `until_s` (monotonic)."""
        self._prepare()
        while not self._is_over:
            if time.monotonic() > until_s:
                return False
            at = self._queue[0][0] if self._queue else self._until
            if at >= self._until:
                self._work(tell)
                continue
            _, _, happening = heapq.heappop(self._queue)
            self.now = max(self.now, at)
            happening()
        for _ in "12":  # what the first ends is rated in the second
            self._work(tell, is_last=True)
        return True

    @property
    def _is_over(self) -> bool:
        """Say whether all has happened that was to happen, and no match runs."""
        if self.now < self._begun + LAST:
            return False
        return not Match.objects.filter(status=Match.Status.RUNNING).exists()

    def _at(self, when: datetime, happening: Happening) -> None:
        heapq.heappush(self._queue, (when, next(self._tie), happening))

    def _prepare(self) -> None:
        plan, rng = self.plan, self.rng
        people = cast_make(plan.n_players, rng, self.now)
        self.people = {person.user.pk: person for person in people}

        def sometime() -> datetime:
            return self.now + timedelta(days=rng.uniform(0, plan.n_days))

        for number in range(plan.n_matches):
            self._at(sometime(), lambda number=number: self._match_begin(number))
        for person in people:
            if rng.random() < 0.4:
                self._at(sometime(), lambda person=person: self._vacation_plan(person))
        for _ in range(plan.n_outages):
            self._at(sometime(), self._outage)
        for _ in range(max(plan.n_players // 50, 1)):
            self._at(sometime(), self._account_delete)
            self._at(sometime() + LAST, self._annul)

    # What the site does by itself.

    def _work(self, tell: Callable[[str], None], *, is_last: bool = False) -> None:
        """Begin the next step: set the clock, and let the workers do what is due by now.

        In the last two no worker is killed: nobody would come after it to make up for it.
        """
        now = self.now = self._until
        hour = int(now.timestamp() // 3600)
        hours = range(hour - self._step // HOUR + 1, hour + 1)
        self._until += self._step
        clock.clock_set(forward=now - clock.now(), rate=0)
        for entry in settings.CELERY_BEAT_SCHEDULE.values():
            if any(_is_due(entry["schedule"], each) for each in hours):
                self.workers.send(entry["task"])
        self.workers.send("games.deadlines_sweep")
        if not is_last and any(each % self.plan.kill_every_h == 0 for each in hours):
            time.sleep(self.rng.uniform(0, 0.1))
            self.counts["workers killed"] += self.workers.kill(1)
            self.workers.start(1)
        else:
            self._wait(now)
        for game in Game.objects.filter(status=Game.Status.RUNNING).select_related(*PLAYERS):
            self._answer_plan(game)
        if any(each % 24 == 0 for each in hours):
            running = Match.objects.filter(status=Match.Status.RUNNING).count()
            ended = Match.objects.count() - running
            tell(f"{now:%Y-%m-%d}  {running} matches run, {ended} ended")

    def _wait(self, now: datetime) -> None:
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            done = Heartbeat.objects.filter(job__in=WAITED_FOR, succeeded_at__gte=now).count()
            if done == len(WAITED_FOR):
                return
            time.sleep(0.005)
        self.counts["steps without a worker"] += 1

    def _outage(self) -> None:
        """Let the site be down for a while: nothing happens in it, and then it is recorded."""
        end = self.now + timedelta(hours=self.rng.choice((0.4, 3, 26)))
        Outage.objects.create(started_at=self.now, ended_at=end)
        self.counts["outages"] += 1
        late = [entry for entry in self._queue if entry[0] < end]
        self._queue = [entry for entry in self._queue if entry[0] >= end]
        heapq.heapify(self._queue)
        for _, _, happening in late:
            self._at(end + timedelta(minutes=self.rng.uniform(1, 300)), happening)
        while self._until <= end:
            self._until += self._step

    # What people do.

    def _answer_plan(self, game: Game) -> None:
        key = (game.pk, game.version)
        if game.turn is None or key in self._planned:
            return
        self._planned.add(key)
        person = self.people.get(game.match.players[game.turn].pk)
        if person is not None:
            at = person.answers_at(self.now, game.match.pace, self.rng)
            self._at(at, lambda: self._answer(person, game.pk, game.version))

    def _answer(self, person: Person, game_id: int, version: int) -> None:
        vacation = vacation_now(person.user.pk, self.now)
        if vacation is not None and not self._comes_back(person, vacation):
            later = vacation.ends_at + timedelta(hours=self.rng.uniform(0, 20))
            self._at(later, lambda: self._answer(person, game_id, version))
            return
        seen_note(user=person.user, now=self.now, game_id=game_id)
        game = Game.objects.select_related(*PLAYERS).get(pk=game_id)
        if game.is_running and game.version == version:
            self._tried(lambda: self._act(person, game))
            self._next(game.match_id)

    def _act(self, person: Person, game: Game) -> None:
        chance = self.rng.random()
        if game.version < 2 and chance < 0.03:
            match_abort(match_id=game.match_id, user=person.user, now=self.now)
            return
        asked: dict[str, Any] = {
            "game_id": game.pk,
            "user": person.user,
            "expected_version": game.version,
            "request_id": f"season-{game.version}",
            "now": self.now,
        }
        if chance < 0.01:
            game_resign(**asked)
        elif chance < 0.022:
            match_resign(**asked)
        else:
            actions = bot_turn(game)
            turn_submit(actions=actions, **asked)
            self.counts["turns"] += 1
            if chance > 0.98:
                turn_submit(actions=actions, **asked)
                self.counts["submissions sent twice"] += 1

    def _next(self, match_id: int) -> None:
        running = Game.objects.filter(match_id=match_id, status=Game.Status.RUNNING)
        game = running.select_related(*PLAYERS).first()
        if game is not None:
            self._answer_plan(game)

    def _match_begin(self, number: int) -> None:
        rng = self.rng
        maker, accepter = rng.sample(list(self.people.values()), 2)
        title, ruleset = PLAYABLE[number % len(PLAYABLE)]
        pace = pace_of(number)
        terms = OfferTerms(
            title,
            ruleset,
            n_rounds=rng.choice((1, 1, 1, 1, 1, 1, 1, 1, 2, 3)),
            pace_slug=pace,
            is_rated=rng.random() < 0.6,
            weekend_zone=maker.user.time_zone if pace != "live" and rng.random() < 0.4 else "",
            allows_vacation=pace != "live" and rng.random() < 0.8,
        )
        if not self._tried(lambda: self._agree(maker, accepter, terms, number)):
            self._at(self.now + HOUR, lambda: self._match_begin(number))

    def _agree(self, maker: Person, accepter: Person, terms: OfferTerms, number: int) -> None:
        offer = offer_create(
            maker=maker.user,
            kind=Offer.Kind.SEEK,
            terms=terms,
            request_id=f"season-{number}-{self.now.timestamp()}",
            now=self.now,
        )
        match = offer_accept(offer_id=offer.pk, user=accepter.user, now=self.now)
        self.counts[f"matches: {terms.pace_slug}"] += 1
        self._next(match.pk)

    def _vacation_plan(self, person: Person) -> None:
        days = self.rng.uniform(2, 25)
        if self.rng.random() < 0.5:
            self._tried(lambda: vacation_start(user=person.user, now=self.now))
            return
        begin = self.now + timedelta(days=self.rng.uniform(0, 10))
        end = begin + timedelta(days=days)
        self._tried(
            lambda: vacation_plan(user=person.user, starts_at=begin, ends_at=end, now=self.now)
        )

    def _comes_back(self, person: Person, vacation: Vacation) -> bool:
        """Say whether a player ends a vacation for a turn that they meant to make now."""
        if self.rng.random() < 0.5:
            return False
        self.counts["vacations ended early"] += 1
        return self._tried(
            lambda: vacation_end(user=person.user, vacation_id=vacation.pk, now=self.now)
        )

    def _account_delete(self) -> None:
        """Let somebody go; their vacations are kept here, since clocks are checked by them."""
        user_id = self.rng.choice(list(self.people))
        del self.people[user_id]

        def keep(instance: Vacation, **_: Any) -> None:
            self.erased.append(instance)

        pre_delete.connect(keep, sender=Vacation)
        user_delete(user_id=user_id, now=self.now)
        pre_delete.disconnect(keep, sender=Vacation)

    def _annul(self) -> None:
        match_ids = list(Match.objects.order_by("pk").values_list("pk", flat=True))
        match_annul(match_id=self.rng.choice(match_ids), now=self.now)

    def _tried(self, action: Callable[[], object]) -> bool:
        """Do something that may be refused; says whether it was not."""
        try:
            action()
        except Refusal as refusal:
            self.counts[f"refused: {refusal.code.value}"] += 1
            return False
        return True


def _is_due(schedule: timedelta | crontab, hour: int) -> bool:
    """Say whether a task of the schedule is due in this hour, counted from 1970."""
    if isinstance(schedule, crontab):
        return hour % 24 in schedule.hour
    return hour % max(int(schedule.total_seconds()) // 3600, 1) == 0
