"""Games in which public cards leave the seat to act one turn alone, found among random ones."""

from __future__ import annotations

import random
from functools import cache

from django.utils import timezone

from games.engine.api import Json, Seat, Setup, other
from games.engine.registry import get_ruleset, get_title
from games.models import Action, Game
from tests.games.conftest import Cast, make_match, running_game

TITLE = get_title("schotten-totten")
RULESET = get_ruleset("schotten-totten", "automatic")
N_SEEDS = 400


@cache
def moment() -> tuple[Setup, tuple[Json, ...], tuple[Json, ...], int]:
    """Find a turn after which the other seat has one turn alone.

    Gives the deal, the actions before that turn, those of it, and how many the forced one has.
    """
    for seed in range(N_SEEDS):
        rng = random.Random(seed)
        setup = Setup(RULESET, 0, TITLE.deal(RULESET, rng.randrange))
        state, actions = TITLE.setup(setup), list[Json]()
        begin = 0
        while (seat := TITLE.to_act(state)) is not None:
            action = rng.choice(TITLE.legal_actions(state))
            state = TITLE.apply(state, action)
            actions.append(TITLE.action_json(action))
            if TITLE.to_act(state) != other(seat):
                continue
            forced = TITLE.forced_turn(RULESET, TITLE.view(state, "spectator"))
            if forced and _goes_on(state, forced):
                return setup, tuple(actions[:begin]), tuple(actions[begin:]), len(forced)
            begin = len(actions)
    raise AssertionError("no such game was found")


def _goes_on(state: object, forced: tuple[Json, ...]) -> bool:
    """Say whether the game goes on after the turn, with a choice."""
    for payload in forced:
        state = TITLE.apply(state, TITLE.parse_action(payload))
    view = TITLE.view(state, "spectator")
    return TITLE.to_act(state) is not None and not TITLE.forced_turn(RULESET, view)


def before_forced_turn(cast: Cast) -> tuple[Game, tuple[Json, ...], int]:
    """Bring a game to the turn after which its opponent has one turn alone.

    Gives the actions of that turn, and how many the forced one has.
    """
    setup, before, turn, n_forced = moment()
    game = running_game(make_match(cast.owner, cast.opponent, ruleset_slug=RULESET.slug))
    now = timezone.now()
    Action.objects.bulk_create(
        Action(game=game, version=n, payload=payload, created_at=now)
        for n, payload in enumerate(before, start=1)
    )
    seat: Seat = turn[0]["seat"]
    piles = {key: list(cards) for key, cards in setup.piles}
    rows = Game.objects.filter(pk=game.pk)
    rows.update(piles=piles, first=setup.first, turn=seat, version=len(before))
    return running_game(game.match), turn, n_forced
