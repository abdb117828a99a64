"""What must be true at a season's end, worked out anew from its rows.

Clocks are checked by a second, slow way of counting: every turn is cut wherever a pause begins
or ends, and the pieces that no pause covers are added up.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from email import message_from_bytes
from email.message import Message
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

from django.db.models import Count

from games.endings import ENDINGS
from games.engine.registry import get_title
from games.models import Game, Match, Outage, Vacation
from games.selectors import game_payloads, game_setup
from games.services.ledgers import ledgers_apply
from ladder.models import LedgerEntry

Pause = tuple[datetime, datetime]
ZERO = timedelta(0)
DECIDED = (Match.Ending.RESIGN, Match.Ending.TIMEOUT, Match.Ending.ACCOUNT)
UNDECIDED = (Match.Ending.ABORT, Match.Ending.ABANDONED, Match.Ending.ANNULLED)


@dataclass(slots=True)
class Audit:
    """Counts of what was found: good news in `counts`, bad news in `faults`."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)

    def fault(self, kind: str, what: object) -> None:
        """Count a fault, and keep the first of its kind."""
        self.faults[kind] += 1
        self.examples.setdefault(kind, str(what))


def audit(mail_folder: Path, erased: Sequence[Vacation]) -> Audit:
    """Look at every match, clock, vacation, notice, mail and rating.

    `erased` are vacations of players who have deleted their accounts.
    """
    found = Audit()
    ledgers_apply()
    pauses = _Pauses.read(erased)
    for match in Match.objects.select_related("player_0", "player_1").order_by("pk"):
        _match_check(match, found)
        for game in match.games.filter(finished_at__isnull=False).order_by("round"):
            game.match = match
            _clocks_check(game, pauses, found)
    _vacations_check([*Vacation.objects.all(), *erased], found)
    _mails_check(mail_folder, found)
    _ratings_check(found)
    return found


def _match_check(match: Match, found: Audit) -> None:
    found.counts[f"ended: {match.ending or 'not at all'}"] += 1
    if match.ending not in ENDINGS or match.finished_at is None:
        found.fault("matches not ended by the table", match)
        return
    is_decided = match.winner is not None
    if match.ending == Match.Ending.POINTS:
        equal = match.points_0 == match.points_1
        leader = None if equal else int(match.points_1 > match.points_0)
        is_right = match.winner == leader
    else:
        is_right = is_decided if match.ending in DECIDED else not is_decided
    if not is_right or match.games.filter(status=Game.Status.RUNNING).exists():
        found.fault("matches whose result is not what the table says", match)
    if match.points != _points(match):
        found.fault("matches with other points than their games", match)


def _points(match: Match) -> tuple[int, int]:
    """Count the points of a match anew: games that were not played count 5 : 0 for the winner."""
    games = list(match.games.filter(status=Game.Status.FINISHED))
    points = [sum(game.points_0 for game in games), sum(game.points_1 for game in games)]
    if match.ending in DECIDED and match.winner is not None:
        points[match.winner] += 5 * (match.n_rounds - len(games))
    return points[0], points[1]


def _clocks_check(game: Game, pauses: _Pauses, found: Audit) -> None:
    """Count both clocks of a game anew."""
    pace = game.match.pace
    banks = [pace.bank, pace.bank]
    for seat, start, end, is_last in _turns(game):
        found.counts["turns of a clock checked"] += 1
        left = banks[seat] - _unpaused(start, end, pauses.of(game, seat, start, end))
        if left < ZERO:
            found.fault("turns that took more time than there was", f"{game}: {left}")
        banks[seat] = max(left, ZERO) if is_last else pace.bank_after(left)
        if is_last and _is_lost_on_time(game):
            if left > ZERO:
                found.fault("games lost on time with time left", f"{game}: {left}")
            if game.match.winner != 1 - seat:
                found.fault("games lost on time by who was not to act", game)
    for counted, stored in zip(banks, game.banks, strict=True):
        if stored < ZERO:
            found.fault("negative clocks", game)
        if stored > counted:
            found.fault("clocks to which time was given back", f"{game}: {stored - counted}")
        found.counts["clocks to the microsecond"] += stored == counted


def _is_lost_on_time(game: Game) -> bool:
    match = game.match
    return match.ending == Match.Ending.TIMEOUT and game.finished_at == match.finished_at


def _turns(game: Game) -> Iterator[tuple[int, datetime, datetime, bool]]:
    """Give seat, start, end and "is the last one" of each turn, from the actions' moments."""
    title = get_title(game.match.title)
    state = title.setup(game_setup(game))
    moments = game.actions.order_by("version").values_list("created_at", flat=True)
    start, seat = game.started_at, title.to_act(state)
    for payload, moment in zip(game_payloads(game), moments, strict=True):
        if payload["type"] in ("resign", "timeout"):
            break
        state = title.apply(state, title.parse_action(payload))
        following = title.to_act(state)
        if following is not None and following != seat:
            assert seat is not None
            yield seat, start, moment, False
            start, seat = moment, following
    assert seat is not None
    assert game.finished_at is not None
    yield seat, start, game.finished_at, True


@dataclass(frozen=True, slots=True)
class _Pauses:
    """The ledgers of all that pauses clocks; vacations by user."""

    outages: Sequence[Pause]
    vacations: dict[int, list[Pause]]

    @classmethod
    def read(cls, erased: Sequence[Vacation]) -> _Pauses:
        vacations: dict[int, list[Pause]] = defaultdict(list)
        for row in (*Vacation.objects.all(), *erased):
            vacations[row.user_id].append((row.starts_at, row.ends_at))
        return cls(list(Outage.objects.values_list("started_at", "ended_at")), vacations)

    def of(self, game: Game, seat: int, start: datetime, end: datetime) -> list[Pause]:
        """Give what can pause a seat's clock in a turn, in no order."""
        match = game.match
        pauses = list(self.outages)
        if match.is_vacation_allowed:
            pauses += self.vacations.get(match.player_id(seat), [])
        if match.weekend_zone:
            pauses += _weekends(ZoneInfo(match.weekend_zone), start, end)
        return pauses


def _weekends(zone: ZoneInfo, start: datetime, end: datetime) -> Iterator[Pause]:
    day = (start - timedelta(days=3)).date()
    while day <= (end + timedelta(days=3)).date():
        if day.isoweekday() == 6:
            yield _midnight(day, zone), _midnight(day + timedelta(days=2), zone)
        day += timedelta(days=1)


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)


def _unpaused(start: datetime, end: datetime, pauses: list[Pause]) -> timedelta:
    cuts = sorted({start, end, *(at for pause in pauses for at in pause if start < at < end)})
    total = ZERO
    for begin, until in pairwise(cuts):
        if not any(pause[0] <= begin and until <= pause[1] for pause in pauses):
            total += until - begin
    return total


def _vacations_check(vacations: Sequence[Vacation], found: Audit) -> None:
    taken: dict[tuple[int, int], timedelta] = {}
    for vacation in vacations:
        found.counts["vacations begun by themselves" if vacation.is_automatic else "vacations"] += 1
        for year in {vacation.starts_at.year, vacation.ends_at.year}:
            first, last = datetime(year, 1, 1, tzinfo=UTC), datetime(year + 1, 1, 1, tzinfo=UTC)
            part = min(vacation.ends_at, last) - max(vacation.starts_at, first)
            key = (vacation.user_id, year)
            taken[key] = taken.get(key, ZERO) + max(part, ZERO)
    for key, days in taken.items():
        if days > timedelta(days=30):
            found.fault("vacations longer than the year's", f"{key}: {days}")


def _mails_check(folder: Path, found: Audit) -> None:
    """Count what went out: each mail has a name of its own, and tells what no other has told."""
    mails = [message_from_bytes(path.read_bytes()) for path in folder.glob("*.log")]
    names = Counter(mail["Message-ID"] for mail in mails)
    found.counts["mails"] = len(mails)
    for name, n in names.items():
        if n > 1:
            found.fault("mails sent twice", name)
    told = Counter(
        (mail["To"], notice)
        for mail in {mail["Message-ID"]: mail for mail in mails}.values()
        for notice in _notices(mail)
    )
    found.counts["notices told"] = told.total()
    for notice, n in told.items():
        if n > 1:
            found.fault("notices told twice", notice)


def _notices(mail: Message) -> list[str]:
    """Give the keys of the notices that a mail tells; none for mails about other things."""
    named = str(mail["X-Marchstone-Notices"] or "")
    return "".join(named.split()).split(",") if named else []


def _ratings_check(found: Audit) -> None:
    """Every decided rated match has one ledger row a player."""
    rows = LedgerEntry.objects.filter(kind=LedgerEntry.Kind.MATCH)
    found.counts["ratings changed"] = rows.count()
    counted = rows.values("match").annotate(n=Count("pk"))
    for row in counted.exclude(n=2):
        found.fault("matches not rated once for each player", row)
    rated = Match.objects.filter(is_rated=True, status=Match.Status.FINISHED)
    for match in rated.exclude(pk__in=rows.values("match")):
        found.fault("matches not rated", match)
    annulled = Match.objects.filter(is_rated=True, ending=Match.Ending.ANNULLED)
    counting = rated.values("pk").union(annulled.values("pk"))
    for row in rows.exclude(match__in=counting):
        found.fault("matches rated that do not count", row.match_id)
