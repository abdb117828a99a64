"""Which of the demo's finished games are looked at step by step."""

from __future__ import annotations

from games.models import Game

N_GAMES = 10


def demo_games() -> list[Game]:
    """Choose ten finished games: the shortest of each title and ending, then the shortest."""
    finished = Game.objects.filter(status=Game.Status.FINISHED).select_related("match")
    games = list(finished.order_by("version", "pk"))
    kinds = {(game.match.title, game.reason): game for game in reversed(games)}
    others = [game for game in games if game not in kinds.values()]
    return [*kinds.values(), *others][:N_GAMES]
