"""Games with tactics cards for tests: positions in which a card is to be played."""

from __future__ import annotations

import random

from django.utils import timezone

from games.models import Game
from games.selectors import game_fold
from games.services.turns import turn_submit
from tests.games.boards import stack, turn
from tests.games.conftest import Cast, make_match, request_id, running_game

HAND_0 = "R1 R2 R3 R4 R5 R6 R7"
HAND_1 = "O1 O2 O3 O4 O5 O6 O7"
DRAWS = "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9"

RULESETS = ("after-play-tactics", "start-of-turn-tactics", "automatic-tactics")


def tactics_game(
    cast: Cast, tactics: str, ruleset: str = "after-play-tactics", draws: str = DRAWS
) -> Game:
    """Start a game: the owner holds red 1 to 7, the opponent orange 1 to 7."""
    game = running_game(make_match(cast.owner, cast.opponent, ruleset_slug=ruleset))
    return stack(game, HAND_0, HAND_1, draws, tactics=tactics)


def armed_game(cast: Cast, tactics: str, ruleset: str = "after-play-tactics") -> Game:
    """Start a game and bring the owner's two top tactics cards into hand.

    The owner has red 1 and 2 at stone 1, the opponent orange 1 and 2 at stones 1 and 2, and
    the owner is to act, with version 8.
    """
    game = tactics_game(cast, tactics, ruleset)
    turn(game, "R1@1", "draw tactics")
    turn(game, "O1@1", "draw clan")
    turn(game, "R2@1", "draw tactics")
    turn(game, "O2@2", "draw clan")
    game.refresh_from_db()
    return game


def play_at_random(game: Game, seed: int) -> Game:
    """Play a game to its end by random legal actions, tactics cards and their draws before others.

    Each submission ends with what shows a card, or with the turn.
    """
    rng = random.Random(seed)
    while True:
        game = Game.objects.select_related("match__player_0", "match__player_1").get(pk=game.pk)
        if game.turn is None:
            return game
        turn_submit(
            game_id=game.pk,
            user=game.match.players[game.turn],
            actions=_random_actions(game, rng),
            expected_version=game.version,
            request_id=request_id(),
            now=timezone.now(),
        )


def _random_actions(game: Game, rng: random.Random) -> list[dict[str, object]]:
    folded = game_fold(game)
    title, state, seat = folded.title, folded.state, game.turn
    actions: list[dict[str, object]] = []
    while title.to_act(state) == seat and seat is not None:
        legal = title.view(state, seat)["legal"]
        tactical = [
            action
            for action in legal
            if action.get("from") == "tactics" or action.get("card") in game.piles["tactics_deck"]
        ]
        action = rng.choice(tactical or legal)
        actions.append(action)
        if title.meta.may_show(action["type"]):
            break
        state = title.apply(state, title.parse_action(action))
    return actions
