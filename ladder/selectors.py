"""Readers of ladders, standings and the ledger. Nothing here writes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, Max, OuterRef, Q

from accounts.models import User
from games.endings import ENDINGS
from games.models import Match
from ladder.counters import Counters
from ladder.models import Ladder, LedgerEntry, Standing
from ladder.packed import Packed, packed, unpacked

INACTIVE_AFTER = timedelta(days=45)
"""Who has not ended a rated match for so long is shown without a number."""

PAGE_SIZE = 50
"""So many lines of a player's ledger are on a page."""

CURVE_SIZE = 200
"""So many latest changes are drawn as a curve."""

_MATCH = LedgerEntry.Kind.MATCH


def standing_find(ladder: Ladder, name_key: str) -> Standing | None:
    """Find a player's standing by the key of the name; also of who has left. One query."""
    rows = Standing.objects.filter(ladder=ladder, user__name_key=name_key, user__is_active=True)
    return rows.select_related("ladder", "user").first()


def matches_unrated(limit: int = 1000) -> list[int]:
    """List finished rated matches without ledger entries, in the order of their ends.

    This, not the queue, is the truth about what is to be rated.
    """
    rated = [ending for ending, meaning in ENDINGS.items() if meaning.is_rated]
    entries = LedgerEntry.objects.filter(match=OuterRef("pk"), kind=_MATCH)
    finished = Match.objects.filter(
        ~Exists(entries), is_rated=True, status=Match.Status.FINISHED, ending__in=rated
    )
    return list(finished.order_by("finished_at", "pk").values_list("pk", flat=True)[:limit])


def matches_uncorrected() -> list[int]:
    """List annulled matches that moved ratings and have not been taken out of their ladders."""
    entries = LedgerEntry.objects.filter(match=OuterRef("pk"))
    annulled = Match.objects.filter(
        Exists(entries.filter(kind=_MATCH)),
        ~Exists(entries.filter(kind=LedgerEntry.Kind.CORRECTION)),
        ending=Match.Ending.ANNULLED,
    )
    return list(annulled.order_by("pk").values_list("pk", flat=True))


def last_played(ladder: Ladder, user_ids: Collection[int]) -> dict[int, datetime]:
    """Tell when players' last rated matches that still count ended. One query.

    Who has none is not among them.
    """
    entries = LedgerEntry.objects.filter(ladder=ladder, user__in=user_ids, kind=_MATCH)
    counting = entries.exclude(match__ending=Match.Ending.ANNULLED).order_by()
    return dict(counting.values_list("user").annotate(Max("match__finished_at")))


def standings_of(player: User) -> Sequence[Standing]:
    """List a player's standings: where they are a member, or have played. One query."""
    mine = Standing.objects.filter(Q(left_at__isnull=True) | Q(n_matches__gt=0), user=player)
    return list(mine.select_related("ladder").order_by("-n_matches", "ladder_id"))


def curves_of(standings: Sequence[Standing]) -> dict[int, Sequence[int]]:
    """Give the ratings after the latest changes by standing id, oldest first. One query.

    The rating before them stands in front.
    """
    entries = LedgerEntry.objects.filter(ladder=OuterRef("ladder"), user=OuterRef("user"))
    fields = ("order_key", "pk", "rating_before", "rating_after")
    latest = entries.order_by("-order_key").values(packed=packed(*fields))[:CURVE_SIZE]
    rows = Standing.objects.filter(pk__in=[standing.pk for standing in standings])
    curves: dict[int, Sequence[int]] = {}
    for pk, text in rows.values_list("pk", Packed(latest)):
        changes = unpacked(text)
        first = [changes[0][2]] if changes else []
        curves[pk] = [*first, *(row[3] for row in changes)]
    return curves


def best_win(player: User) -> LedgerEntry | None:
    """Find the win over the opponent with the highest rating, the first of equals. One query.

    Annulled matches do not count, nor do private ones, which others are not told of.
    """
    won = LedgerEntry.objects.filter(user=player, kind=_MATCH, score=2)
    known = won.filter(match__is_private=False).exclude(match__ending=Match.Ending.ANNULLED)
    best = known.order_by("-opponent_rating", "pk")
    return best.select_related("ladder", "match__player_0", "match__player_1").first()


def standings_for(user_ids: Collection[int]) -> dict[tuple[int, str, str], Standing]:
    """Give the standings of users by user, title and ruleset. One query."""
    standings = Standing.objects.filter(user__in=user_ids).select_related("ladder")
    return {(row.user_id, row.ladder.title, row.ladder.ruleset_slug): row for row in standings}


def entries_of(match: Match) -> Sequence[LedgerEntry]:
    """List what a match changed, by seat; empty where nothing was rated."""
    return list(LedgerEntry.objects.filter(match=match, kind=_MATCH).order_by("seat"))


@dataclass(frozen=True, slots=True)
class AccountPage:
    """A player's ledger on one ladder, latest first. `next` is the key where the next page begins.

    `curve` holds the ratings after the latest changes, oldest first, with the one before them.
    """

    entries: Sequence[LedgerEntry]
    next: int | None
    curve: Sequence[int]


def account_page(standing: Standing, *, before: int | None) -> AccountPage:
    """Read a page of a player's ledger: what came before a key, or the latest. Two queries."""
    entries = LedgerEntry.objects.filter(ladder=standing.ladder_id, user=standing.user_id)
    entries = entries.order_by("-order_key")
    latest = list(entries.values_list("rating_before", "rating_after")[:CURVE_SIZE])[::-1]
    curve = [latest[0][0], *(after for _before, after in latest)] if latest else []
    if before is not None:
        entries = entries.filter(order_key__lt=before)
    people = entries.select_related("match__player_0", "match__player_1")
    rows = list(people[: PAGE_SIZE + 1])
    shown = rows[:PAGE_SIZE]
    more = shown[-1].order_key if len(rows) > PAGE_SIZE else None
    return AccountPage(shown, more, curve)


def ladders_with_counts() -> dict[tuple[str, str], int]:
    """Tell how many hold a place on each ladder, by title and ruleset. One query."""
    ladders = Ladder.objects.values_list("title", "ruleset_slug", "counts")
    return {(title, slug): Counters(counts).total.active for title, slug, counts in ladders}
