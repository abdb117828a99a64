"""Matches: how they begin from an offer, are aborted, and are played again."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from games import publish
from games.access import AnyUser
from games.engine.api import Seat
from games.hooks import hooks
from games.models import Match, Offer
from games.refusals import Code, Refusal
from games.selectors import matches_abortable
from games.services.deadlines import deadline_decide
from games.services.endings import game_start, match_abort_now, match_annul_now
from games.services.rows import match_lock, player_seat, running_game_lock
from games.services.shuffles import nonce_or_none, secrets_new
from games.services.turns import turn_tell


def match_create(offer: Offer, accepter_id: int, *, nonce: str, now: datetime) -> Match:
    """Make the match of a locked offer and start its first game.

    Seat 0 is the maker. A rated match joins both players to its ladder. `nonce` is the
    accepter's, empty where no browser sent one: zeros then stand for it.
    """
    match = Match(
        title=offer.title,
        ruleset_slug=offer.ruleset_slug,
        n_rounds=offer.n_rounds,
        pace_slug=offer.pace_slug,
        is_rated=offer.is_rated,
        is_private=offer.is_private,
        weekend_zone=offer.weekend_zone,
        allows_vacation=offer.allows_vacation,
        has_tracker=offer.has_tracker,
        secrets=offer.secrets,
        offer=offer,
        rematch_of=offer.rematch_of,
        player_0_id=offer.maker_id,
        player_1_id=accepter_id,
        nonces=[nonce_or_none(offer.nonce), nonce_or_none(nonce)],
    )
    first: Seat | None = None if offer.first is None else (0 if offer.first == 0 else 1)
    return _match_start(match, first, now)


def match_pair(
    *,
    title: str,
    ruleset_slug: str,
    n_rounds: int,
    pace_slug: str,
    player_ids: tuple[int, int],
    first: Seat | None,
    now: datetime,
) -> Match:
    """Make a rated match that a ladder's pairing brought about, and start its first game.

    Called within a transaction. The first player named holds seat 0; `first` is None where the
    lot decides. No browser is there to add to the shuffle, and the site draws nothing in its
    place: zeros stand for both nonces, and the pages say so (docs/spec/shuffle.md, 3).
    """
    match = Match(
        title=title,
        ruleset_slug=ruleset_slug,
        n_rounds=n_rounds,
        pace_slug=pace_slug,
        is_rated=True,
        secrets=secrets_new(n_rounds),
        player_0_id=player_ids[0],
        player_1_id=player_ids[1],
        nonces=[nonce_or_none(""), nonce_or_none("")],
    )
    return _match_start(match, first, now)


def _match_start(match: Match, first: Seat | None, now: datetime) -> Match:
    """Write a new match, join its players to their ladder where it is rated, and deal."""
    match.rematch_secrets = secrets_new(match.n_rounds)
    match.starter = "lot" if first is None else "agreed"
    match.started_at = now
    match.save(force_insert=True)
    if match.is_rated:
        hooks.rated_start(
            title=match.title,
            ruleset_slug=match.ruleset_slug,
            user_ids=[match.player_0_id, match.player_1_id],
            now=now,
        )
    turn_tell(game_start(match, 1, first=first, now=now), now)
    publish.lobby_changed()
    # Whoever waits for an answer to an offer hears of it, whoever is to act first.
    publish.players_changed(match.player_0_id, match.player_1_id)
    return match


def match_abort(*, match_id: int, user: AnyUser, now: datetime) -> Match:
    """Abort a match before both have made their first turn, or a game of it is finished.

    Twice is as good as once.

    Raises `Refusal`: NOT_A_PLAYER, ABORT_TOO_LATE, MATCH_OVER, DEADLINE_PASSED. Nothing is
    written then, except that a passed deadline is settled. Locks: game, then match.
    """
    with transaction.atomic(durable=True):
        match = Match.objects.get(pk=match_id)
        player_seat(match, user.pk)
        game = running_game_lock(match_id)
        if game is None:
            return _aborted_before(match_id)
        is_late = not deadline_decide(game, now, is_at_site=True)
        if not is_late:
            if not can_abort(match):
                raise Refusal(Code.ABORT_TOO_LATE)
            match = match_abort_now(game, ending=Match.Ending.ABORT, now=now)
    if is_late:
        raise Refusal(Code.DEADLINE_PASSED)
    return match


def match_annul(*, match_id: int, now: datetime) -> bool:
    """Let a moderator take a match out, running or over; says whether this call did.

    A ladder takes back what the match did there as soon as it hears of it, or in its sweep.
    Raises `Match.DoesNotExist`. Locks: the running game, then the match.
    """
    with transaction.atomic(durable=True):
        game = running_game_lock(match_id)
        if game is not None:
            match_abort_now(game, ending=Match.Ending.ANNULLED, now=now)
            return True
        match = match_lock(match_id)
        if match.ending == Match.Ending.ANNULLED:
            return False
        match_annul_now(match)
    return True


def _aborted_before(match_id: int) -> Match:
    match = Match.objects.get(pk=match_id)
    if match.ending == Match.Ending.ABORT:
        return match
    raise Refusal(Code.MATCH_OVER)


def can_abort(match: Match) -> bool:
    """Say whether a match may still be aborted. A query."""
    return match.status == Match.Status.RUNNING and bool(matches_abortable([match.pk]))
