"""Bots at the table: players like others, who see their view and submit through the same door."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import chain, count

from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.models import User
from games.bots import BOTS
from games.engine.api import AnyTitle, Json, Seat
from games.models import Game, Match, Offer
from games.presence import is_attended
from games.refusals import Refusal
from games.selectors import game_fold, games_waiting_for_bots
from games.services.offers import offer_accept, offer_create
from games.services.terms import OfferTerms
from games.services.turns import turn_submit

log = logging.getLogger(__name__)

BOT_NAME = "Tam"
"""The easy bot's account; `ensure_bot` makes it."""

EASY_BOT = "greedy"
SEEK_WAIT = timedelta(seconds=20)
"""People come first: only then does the bot take a seek that welcomes it."""

MAX_OPEN_TURN = 40


def ensure_bot() -> User:
    """Find or make the easy bot's account; nobody can log in as it. Safe to run twice at once.

    Where a person has its name, however written, it takes a longer one; it is never a person.
    """
    for name in chain((BOT_NAME,), _longer_names()):
        # Looked for each time: another process may have made it meanwhile.
        if (bot := User.objects.filter(is_bot=True).order_by("pk").first()) is not None:
            return bot
        bot = User(name=name, is_bot=True)
        bot.set_unusable_password()
        with contextlib.suppress(IntegrityError), transaction.atomic():
            bot.save()
            return bot
    raise AssertionError("names do not end")


def _longer_names() -> Iterator[str]:
    yield f"{BOT_NAME} the bot"
    yield from (f"{BOT_NAME} the bot {number}" for number in count(2))


def bot_match(*, user: User, terms: OfferTerms, request_id: str, now: datetime) -> Match:
    """Start a match with the easy bot at once; the same request again gives the same match.

    It is a challenge that the bot accepts. Raises `Refusal` as `offer_create` and `offer_accept`.
    """
    bot = ensure_bot()
    offer = offer_create(
        maker=user,
        kind=Offer.Kind.CHALLENGE,
        terms=terms,
        request_id=request_id,
        now=now,
        addressee=bot,
    )
    return offer_accept(offer_id=offer.pk, user=bot, now=now)


def bot_act(*, game_id: int, now: datetime) -> bool:
    """Take a bot's turn if one is to act; says whether it did. Safe to run twice.

    Like people it sends by itself what shows a card, and goes on with the card in sight. The
    version makes the request id: two workers with one turn end as one submission.
    """
    steps = 0
    while steps < MAX_OPEN_TURN and _step(game_id, now):
        steps += 1
    return steps > 0


def _step(game_id: int, now: datetime) -> bool:
    """Make a bot's next submission; says whether it did."""
    game = Game.objects.select_related("match__player_0", "match__player_1").get(pk=game_id)
    if not game.is_running or game.turn is None:
        return False
    player = game.match.players[game.turn]
    if not player.is_bot:
        return False
    try:
        turn_submit(
            game_id=game_id,
            user=player,
            actions=bot_turn(game),
            expected_version=game.version,
            request_id=f"bot-{game.version}",
            now=now,
        )
    except Refusal:
        # Somebody was faster: the opponent resigned, the clock ran out, another worker moved.
        return False
    return True


def bot_turn(game: Game) -> list[Json]:
    """Let the bot choose its next submission from its views alone."""
    folded = game_fold(game)
    seat: Seat = 0 if game.turn == 0 else 1
    return choose_turn(folded.title, folded.state, seat)


def choose_turn(title: AnyTitle, state: object, seat: Seat) -> list[Json]:
    """Play a seat's turn in memory with the easy bot, until it is over or a card is to be shown.

    Gives the actions of one submission: what comes after a card is chosen once it was drawn.
    """
    choose = BOTS[EASY_BOT]
    turn: list[Json] = []
    while title.to_act(state) == seat and len(turn) < MAX_OPEN_TURN:
        payload = choose(title.view(state, seat))
        turn.append(payload)
        if title.meta.may_show(payload["type"]):
            break
        state = title.apply(state, title.parse_action(payload))
    return turn


def bots_sweep(*, now: datetime) -> int:
    """Let bots take every turn and offer that waits for them; gives how many they took."""
    turns = sum(_act_alone(game_id, now) for game_id in games_waiting_for_bots())
    return turns + sum(_accept(offer, now) for offer in _offers_for_bots(now))


def _act_alone(game_id: int, now: datetime) -> bool:
    """Act in one game of many: a fault in it is told, and keeps no other game waiting."""
    try:
        return bot_act(game_id=game_id, now=now)
    except Exception:
        log.exception("bot could not act in game %s", game_id)
        return False


def _offers_for_bots(now: datetime) -> list[tuple[int, User]]:
    """List open offers with the bot that should take each; a site without a bot gets one.

    A live seek whose maker has gone is left alone.
    """
    bot = User.objects.filter(is_bot=True).order_by("-is_active", "pk").first() or ensure_bot()
    if not bot.is_active:
        return []
    waited = is_attended(now) & Q(
        kind=Offer.Kind.SEEK,
        is_bot_welcome=True,
        is_rated=False,
        created_at__lte=now - SEEK_WAIT,
    )
    offers = Offer.objects.filter(
        waited | Q(kind=Offer.Kind.CHALLENGE, addressee__is_bot=True),
        status=Offer.Status.OPEN,
        expires_at__gt=now,
    ).select_related("addressee")
    return [(offer.pk, offer.addressee or bot) for offer in offers.order_by("pk")]


def _accept(offer: tuple[int, User], now: datetime) -> bool:
    offer_id, bot = offer
    try:
        offer_accept(offer_id=offer_id, user=bot, now=now)
    except Refusal:
        return False
    return True
