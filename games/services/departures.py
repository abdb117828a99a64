"""What becomes of offers and matches when an account is deleted, or a player blocked."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from accounts.models import User
from games.engine.api import Seat, other
from games.models import Game, Match, Offer
from games.selectors import running_match_ids
from games.services.deadlines import deadline_decide
from games.services.endings import game_finish, match_abort_now
from games.services.matches import can_abort
from games.services.offers import offer_close, offer_lock
from games.services.rows import actions_write, game_open, running_game_lock


def player_leave(*, user: User, now: datetime) -> None:
    """Close a player's offers, and end their matches.

    Called in the transaction that deletes the account, whose row is locked: so no offer or match
    of theirs can begin meanwhile. Their own offers are withdrawn, and those to them declined.
    Locks: the offers by id, then the running games by their match's id, all of them before what a
    passed deadline asks for (the pulse, a player's vacations); then match after match.
    """
    _offers_close(Q(maker=user) | Q(addressee=user), user, now)
    for game in [running_game_lock(match_id) for match_id in running_match_ids(user)]:
        if game is not None:
            _match_leave(game, 0 if game.match.player_0_id == user.pk else 1, now)


def players_part(*, blocker: User, blocked: User, now: datetime) -> None:
    """Close the challenges between two players of whom one blocks the other, rematches too.

    Called in the transaction of the block, which has locked both users' rows. To the other it looks
    as if the blocker had withdrawn their own and declined theirs. Locks: the offers by id.
    """
    one_way = Q(maker=blocker, addressee=blocked)
    _offers_close(one_way | Q(maker=blocked, addressee=blocker), blocker, now)


def _offers_close(concerned: Q, user: User, now: datetime) -> None:
    """Withdraw a player's own among some offers, and decline the others."""
    found = Offer.objects.filter(concerned, Offer.is_live())
    for offer_id in found.order_by("pk").values_list("pk", flat=True):
        offer = offer_lock(offer_id)
        is_own = offer.maker_id == user.pk
        offer_close(offer, Offer.Status.WITHDRAWN if is_own else Offer.Status.DECLINED, now)


def _match_leave(game: Game, seat: Seat, now: datetime) -> None:
    """End the match of a locked running game for a player who goes: aborted, else lost."""
    deadline_decide(game, now, is_at_site=True)
    if not game.is_running:
        return  # time has ended it
    if can_abort(game.match):
        match_abort_now(game, ending=Match.Ending.ABORT, now=now)
        return
    writing = game_open(game)
    given_up = writing.title.action_json(writing.title.resign(seat))
    outcome = writing.title.outcome(actions_write(writing, [given_up], now))
    assert outcome is not None
    assert outcome.winner == other(seat)
    game_finish(game, outcome, now=now, match_ending=Match.Ending.ACCOUNT)
