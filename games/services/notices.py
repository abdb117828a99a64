"""Notices: a row when something happens, and a while later a delivery for each way it goes out.

The row is the truth: a lost task costs nothing, since the sweep looks for rows that are due. What
is no longer true when its time comes is dropped, and so is what its player has seen: who did
something on that board since it happened needs no notice, and merely having it open is not
enough (fault 61).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from accounts import push
from accounts.models import NoticeChoice, PushDevice, User, Webhook
from accounts.services import users_lock
from accounts.subscriptions import last_seen, notice_choice, was_on_board
from accounts.zones import time_zone_or_utc
from games import publish
from games.models import Delivery, Game, Match, Notice, Offer, Submission, Vacation
from games.presenters.notices import kind_of

DELAY = timedelta(seconds=60)
"""Who answers within a minute was there, and needs no notice."""

REMIND_H = (2, 8, 24)
"""Hours before a deadline at which who is to act is reminded, the shortest first."""

KEPT = timedelta(days=90)
"""How long rows of what was told are kept: longer than any turn lasts."""

MOST_A_SWEEP = 500
MAIL = Delivery.Channel.MAIL


def notice_add(*, user: User, kind: str, key: str, now: datetime, **about: Any) -> None:
    """Leave a notice for a person; with the same key once, whoever finds it first.

    `about` are the fields of the row that its kind tells from. Nothing is left for bots.
    """
    if not user.is_person or publish.is_muted():
        return
    fields = {"kind": kind, "created_at": now, "due_at": now + DELAY, **about}
    Notice.objects.get_or_create(user=user, key=key, defaults=fields)


def notice_due(*, game: Game, user: User, now: datetime) -> None:
    """Leave a notice for the player to act at the game's present version. Once a turn."""
    key = f"turn:{game.pk}:{game.version}"
    notice_add(user=user, kind="turn", key=key, now=now, game=game, version=game.version)


def challenge_notice_due(*, offer: Offer, now: datetime) -> None:
    """Leave a notice for the addressee of an offer, where it has one. Once."""
    if offer.addressee is not None:
        key = f"challenge:{offer.pk}"
        notice_add(user=offer.addressee, kind="challenge", key=key, now=now, offer=offer)


def game_ended_notice_due(*, game: Game, following: Game, now: datetime) -> None:
    """Tell that a game is over while the match goes on, but who is to act next: they hear anyway.

    Nor is it told to who ended it.
    """
    for seat, user in enumerate(game.match.players):
        if seat != following.turn and not _has_ended(game, seat):
            key = f"game-ended:{game.pk}"
            notice_add(user=user, kind="game_ended", key=key, now=now, game=game)


def match_ended_notice_due(*, match: Match, now: datetime) -> None:
    """Tell both that a match is over, but who ended it by a turn or by giving up."""
    game = match.games.order_by("round").last()
    if game is None:
        return
    game.match = match
    for seat, user in enumerate(match.players):
        if not _has_ended(game, seat):
            key = f"match-ended:{match.pk}"
            notice_add(user=user, kind="match_ended", key=key, now=now, game=game)


def webhook_off_notice_due(*, user: User, hook: Webhook, now: datetime) -> None:
    """Tell a player that their webhook is switched off. Once each time."""
    key = f"webhook-off:{hook.pk}:{int(now.timestamp())}"
    notice_add(user=user, kind="webhook_off", key=key, now=now)


def reminders_find(*, now: datetime) -> int:
    """Leave a reminder wherever time runs short; gives how many there were.

    Told from the deadline as it is in the row now, which pauses can move. Where one was missed
    the next shorter one stands for it, and a turn that has less than twice these hours in all
    gets none: the notice of the turn itself was not long ago.
    """
    return sum(1 for hours, game in _short_games(now) if _reminder_add(game, hours, now))


def vacation_notice_due(*, game: Game, vacation: Vacation, now: datetime) -> None:
    """Tell whose vacation has begun by itself, to save a game. Once."""
    key = f"vacation:{vacation.pk}"
    notice_add(user=vacation.user, kind="vacation", key=key, now=now, game=game)


def notices_due(*, now: datetime) -> list[int]:
    """List the ids of notices that should be settled now."""
    due = Notice.objects.filter(settled_at__isnull=True, due_at__lte=now).order_by("due_at")
    return list(due.values_list("pk", flat=True)[:MOST_A_SWEEP])


def notice_settle(*, notice_id: int, now: datetime) -> None:
    """Drop a due notice, let it wait, or make its deliveries. Twice, or by two, is once.

    Locks: the user's row, lest the account be deleted meanwhile; then the notice's.
    """
    user_ids = Notice.objects.filter(pk=notice_id).values_list("user_id", flat=True)
    with transaction.atomic(durable=True):
        users_lock(*user_ids)
        locked = with_all(Notice.objects.select_for_update(of=("self",)))
        notice = locked.filter(pk=notice_id).first()
        if notice is None or notice.settled_at is not None or notice.due_at > now:
            return
        later = kind_of(notice).not_before(notice)
        if later is not None and later > now:
            notice.due_at = later
            notice.save(update_fields=["due_at"])
            return
        notice.settled_at = now
        notice.is_dropped = not is_wanted(notice, now)
        notice.save(update_fields=["settled_at", "is_dropped"])
        if not notice.is_dropped:
            Delivery.objects.bulk_create(_deliveries(notice, now))


def is_wanted(notice: Notice, now: datetime) -> bool:
    """Say whether a notice is still true, and its player has not seen it on the board."""
    if not notice.user.is_active or not kind_of(notice).is_true(notice, now):
        return False
    game_id = notice.game_id
    return game_id is None or not was_on_board(notice.user_id, game_id, notice.created_at)


def with_all(notices: Any) -> Any:
    """Select what kinds tell from, in the one query of the notices."""
    return notices.select_related(
        "user", "game__match__player_0", "game__match__player_1", "offer__maker"
    )


def notices_forget(*, now: datetime) -> int:
    """Delete what was told long ago; gives how many rows that were."""
    return Notice.objects.filter(settled_at__lt=now - KEPT).delete()[0]


_BY_NO_TURN: Final = (Match.Ending.TIMEOUT, Match.Ending.ACCOUNT)


def _has_ended(game: Game, seat: int) -> bool:
    """Say whether a seat's own submission ended a game: a time-out and an abort are nobody's."""
    match = game.match
    if match.status == Match.Status.ABORTED or match.ending in _BY_NO_TURN:
        return False
    last = Submission.objects.filter(game=game).order_by("pk").last()
    return last is not None and last.seat == seat


def _short_games(now: datetime) -> Iterator[tuple[int, Game]]:
    shorter = 0
    for hours in REMIND_H:
        told = Notice.objects.filter(
            kind="reminder", game=OuterRef("pk"), version=OuterRef("version"), hours=hours
        )
        games = Game.objects.filter(
            ~Exists(told),
            status=Game.Status.RUNNING,
            turn__isnull=False,
            deadline_at__gt=now + timedelta(hours=shorter),
            deadline_at__lte=now + timedelta(hours=hours),
            deadline_at__gte=F("turn_started_at") + timedelta(hours=2 * hours),
        )
        games = games.select_related("match__player_0", "match__player_1").order_by("deadline_at")
        for game in games[:MOST_A_SWEEP]:
            yield hours, game
        shorter = hours


def _reminder_add(game: Game, hours: int, now: datetime) -> bool:
    user = game.match.players[game.turn or 0]
    key = f"reminder:{game.pk}:{game.version}:{hours}"
    about = {"game": game, "version": game.version, "hours": hours}
    notice_add(user=user, kind="reminder", key=key, now=now, **about)
    return bool(user.is_person)


def _deliveries(notice: Notice, now: datetime) -> list[Delivery]:
    user, ways = notice.user, list[Delivery]()
    choice = notice_choice(user)
    if kind_of(notice).is_urgent and not choice.reminders:
        return []
    mail_at = _mail_at(notice, choice, now)
    if mail_at is not None:
        ways.append(Delivery(notice=notice, channel=MAIL, due_at=mail_at))
    if push.is_on():
        way = Delivery.Channel.PUSH
        devices = PushDevice.objects.filter(user=user)
        ways += [Delivery(notice=notice, channel=way, device=d, due_at=now) for d in devices]
    if Webhook.objects.filter(user=user, is_off=False).exists():
        ways.append(Delivery(notice=notice, channel=Delivery.Channel.WEBHOOK, due_at=now))
    return ways


def _mail_at(notice: Notice, choice: NoticeChoice, now: datetime) -> datetime | None:
    """Give when the mail about a notice goes out; None where there is none."""
    user, kind = notice.user, kind_of(notice)
    if not user.email:
        return None
    if kind.is_urgent:
        return now
    if choice.mail == choice.Mail.NONE or _was_mailed(notice, choice):
        return None
    summary_at = choice.summary_at(ZoneInfo(time_zone_or_utc(user.time_zone)), now)
    return now if summary_at is None else summary_at


def _was_mailed(notice: Notice, choice: NoticeChoice) -> bool:
    """Say whether the player was told enough for one absence."""
    seen_at = last_seen(notice.user_id)
    is_once = choice.mail == choice.Mail.ONCE
    by_match = choice.mail == choice.Mail.EACH and kind_of(notice).is_once_a_match
    if seen_at is None or notice.game is None or not (is_once or by_match):
        return False
    is_out = Q(done_at__isnull=True) | Q(result=Delivery.Result.SENT, done_at__gt=seen_at)
    told = Delivery.objects.filter(
        is_out, channel=MAIL, notice__user=notice.user_id, notice__game__isnull=False
    ).exclude(notice__kind="reminder")
    if by_match:
        told = told.filter(notice__kind=notice.kind, notice__game__match=notice.game.match_id)
    return told.exists()
