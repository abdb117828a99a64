"""What upper apps do when an account is deleted or a player blocked.

They register in `AppConfig.ready()`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from accounts.models import User


class Departure(Protocol):
    """Called in the transaction in which a user goes; the user's row is locked."""

    def __call__(self, *, user: User, now: datetime) -> object: ...


class Parting(Protocol):
    """Called in the transaction of a new block; the rows of both users are locked."""

    def __call__(self, *, blocker: User, blocked: User, now: datetime) -> object: ...


@dataclass(slots=True)
class Hooks:
    """Everything that can be registered."""

    leaving: list[Departure] = field(default_factory=list)
    """What a player leaves, in order: ladders first, so that nothing new begins there."""
    blocking: list[Parting] = field(default_factory=list)
    """What ends between two players of whom one blocks the other."""
    exports: list[tuple[str, Callable[[User], Any]]] = field(default_factory=list)
    """What a player's own data hold besides the account: a key, and what is said under it."""


hooks = Hooks()
"""The one registry."""
