"""What upper apps do when an account is deleted. They register in `AppConfig.ready()`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from accounts.models import User


class Departure(Protocol):
    """Called in the transaction in which a user goes; the user's row is locked."""

    def __call__(self, *, user: User, now: datetime) -> object: ...


@dataclass(slots=True)
class Hooks:
    """Everything that can be registered."""

    leaving: list[Departure] = field(default_factory=list)
    """What a player leaves, in order: ladders first, so that nothing new begins there."""
    exports: list[tuple[str, Callable[[User], Any]]] = field(default_factory=list)
    """What a player's own data hold besides the account: a key, and what is said under it."""


hooks = Hooks()
"""The one registry."""
