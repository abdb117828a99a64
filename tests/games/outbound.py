"""What goes out to strangers' servers: a receiver on this machine takes it."""

from __future__ import annotations

from datetime import timedelta

from accounts.models import User
from games import clock, tasks
from games.models import Game

LATER = timedelta(minutes=2)
DEVICES = "/preferences/notices/devices/"
WEBHOOK = "/preferences/notices/webhook/"
PAGE = "/preferences/notices/"


def to_act(game: Game) -> User:
    user: User = game.match.players[game.turn or 0]
    return user


def sweep(by: timedelta = LATER) -> None:
    with clock.shifted(by):
        tasks.notices_sweep()
        tasks.pushes_sweep()
        tasks.webhooks_sweep()
