"""What the engine raises. Codes are for machines; words for people are chosen elsewhere."""

from __future__ import annotations

from collections.abc import Mapping


class EngineError(Exception):
    """The root of all that the engine raises on purpose."""


def shown(value: object) -> str:
    """Write a value that came from outside for a message: short and on one line, whatever it is."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return "a list"
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


class IllegalAction(EngineError):
    """An action that the rules forbid in this state; the state is unchanged.

    `code` is snake_case from the title's closed list (its `meta.refusals`), `params` are JSON
    values that a message about it may name. Neither ever holds what the acting seat
    does not know.
    """

    def __init__(self, code: str, params: Mapping[str, object] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.params: dict[str, object] = dict(params or {})

    def __str__(self) -> str:
        told = ", ".join(f"{key}={value}" for key, value in self.params.items())
        return f"{self.code} ({told})" if told else self.code


class MalformedRecord(EngineError):
    """Input that is not a record, a setup or an action of the documented form.

    `action` is the index of the first bad action, or None where the fault lies elsewhere.
    """

    def __init__(self, message: str, action: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.action = action
