"""The cache of the distributed site: Redis, and where it is away, nothing that is remembered.

There are two, "default" with rate limits and "presence" with who looks at which board. Rate limits
must not decide whether somebody can log in at all.
"""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Callable
from typing import Any

import redis
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.retry import Retry

log = logging.getLogger(__name__)

TIMEOUT_S = 1
PAUSE_S = 5.0
"""How long Redis is not asked again after it was away: a page asks it many times."""


class SoftRedisCache(RedisCache):
    """Django's own cache in Redis; while that is away it forgets, and each lock is free."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        """Give up soon: one second, and once more for a connection that a restart cut."""
        options = {
            "socket_connect_timeout": TIMEOUT_S,
            "socket_timeout": TIMEOUT_S,
            "retry": Retry(NoBackoff(), 1),
        }
        super().__init__(server, {**params, "OPTIONS": options})
        self._class = _SoftClient


class _SoftClient:
    """Answers like a cache that is empty and keeps nothing where Redis does not answer."""

    asked_again_at = 0.0

    def __init__(self, *args: Any, **options: Any) -> None:
        self._client = RedisCacheClient(*args, **options)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return functools.partial(self._ask, name)

    def _ask(self, name: str, *args: Any) -> Any:
        """Ask Redis, or answer at once where it was away a moment ago, in whatever thread."""
        if time.monotonic() >= _SoftClient.asked_again_at:
            try:
                return getattr(self._client, name)(*args)
            except redis.RedisError as fault:
                _SoftClient.asked_again_at = time.monotonic() + PAUSE_S
                log.warning("no rate limits: Redis does not answer (%s)", type(fault).__name__)
        return _answer(name, *args)


def _answer(name: str, *args: Any) -> Any:
    """Give what an empty cache would say. `add` is yes: no would be "too many requests"."""
    if name in ("get", "incr"):
        return args[1]
    return {"add": True, "get_many": {}}.get(name, False)
