"""Game records, `marchstone-record/1`: docs/spec/records.md. A state is a fold over one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from games.engine.api import AnyTitle, Json, Ruleset, Seat, Setup
from games.engine.errors import IllegalAction, MalformedRecord, shown
from games.engine.registry import get_title

FORMAT: Final = "marchstone-record/1"
PILES: Final = ("deck", "tactics_deck", "bridges")
"""The keys under which records keep a deal."""
INTERPRETED: Final = frozenset({"format", "game", "ruleset", "first", "actions", *PILES})
N_ACTIONS_MAX: Final = 10_000
"""No game of any title is nearly as long."""


@dataclass(frozen=True, slots=True)
class Record:
    """A record whose deal is sound; its actions are read as they are folded.

    `payloads` are the actions as they stand there, further keys included; `further` are the
    record's keys that the engine keeps and does not interpret.
    """

    title: AnyTitle
    setup: Setup
    payloads: tuple[object, ...]
    further: Json

    def states(self) -> Iterator[Any]:
        """Give the state after 0, 1, 2, … actions. Raises `MalformedRecord` at a bad one."""
        state = self.title.setup(self.setup)
        yield state
        for index, payload in enumerate(self.payloads):
            state = apply_payload(self.title, state, payload, index)
            yield state

    def actions(self) -> list[Any]:
        """Read all actions, without playing them. Raises `MalformedRecord` at a bad one."""
        return self.actions_until(len(self.payloads))

    def actions_until(self, size: int) -> list[Any]:
        """Read the first actions, without playing them. Raises `MalformedRecord` at a bad one."""
        return [
            _parse_action(self.title, payload, index)
            for index, payload in enumerate(self.payloads[:size])
        ]

    def final(self) -> Any:
        """Give the state after all actions. Raises `MalformedRecord` at a bad one."""
        state = None
        for reached in self.states():
            state = reached
        return state


def _parse_action(title: AnyTitle, payload: object, index: int) -> Any:
    """Read one action of a record. Raises `MalformedRecord` with its index."""
    try:
        return title.parse_action(payload)
    except MalformedRecord as error:
        raise MalformedRecord(error.message, index) from None


def apply_payload(title: AnyTitle, state: Any, payload: object, index: int) -> Any:
    """Play one action of a record. Raises `MalformedRecord` with its index and the reason."""
    action = _parse_action(title, payload, index)
    try:
        return title.apply(state, action)
    except IllegalAction as error:
        told = {k: " ".join(v) if isinstance(v, list) else v for k, v in error.params.items()}
        why = title.meta.refusals[error.code] % told
        raise MalformedRecord(f"{error.code}: {why}", index) from None


def fold(title: AnyTitle, setup: Setup, actions: Sequence[Any]) -> Any:
    """Give the state after actions that the title has made or read. Raises `IllegalAction`."""
    state = title.setup(setup)
    for action in actions:
        state = title.apply(state, action)
    return state


def _refuse_constant(name: str) -> NoReturn:
    """Refuse what JSON does not have but Python's reader takes."""
    raise MalformedRecord(f"not JSON: {name} is no number")


def _unique_keys(pairs: list[tuple[str, Any]]) -> Json:
    """Read an object whose keys are all different, so that it can mean one thing only."""
    read = dict(pairs)
    if len(read) != len(pairs):
        raise MalformedRecord("not a record: a key stands twice in one object")
    return read


def read_json(text: str | bytes) -> object:
    """Read JSON strictly. Raises `MalformedRecord` for all else, whatever its size or depth."""
    try:
        if isinstance(text, bytes):
            text = text.decode()
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique_keys)
    except RecursionError:
        raise MalformedRecord("not a record: nested too deep") from None
    except UnicodeDecodeError:
        raise MalformedRecord("not JSON: not in UTF-8") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise MalformedRecord(f"not JSON: {error.msg} at {where}") from None
    except ValueError:
        raise MalformedRecord("not a record: a number is too long") from None


def _read(payload: Json, key: str) -> object:
    """Give a record's key. Raises `MalformedRecord` where it is absent."""
    if key not in payload:
        raise MalformedRecord(f"{key} is missing")
    return payload[key]


def _read_ruleset(title: AnyTitle, payload: Json) -> Ruleset:
    """Find the ruleset with exactly these options, `true` not being 1."""
    options = _read(payload, "ruleset")
    for ruleset in title.meta.rulesets:
        if _same(options, ruleset.as_json()):
            return ruleset
    raise MalformedRecord(f"ruleset: {_wrong_options(title, options)}")


def _wrong_options(title: AnyTitle, options: object) -> str:
    """Say what is wrong with options that no ruleset of a title has."""
    if not isinstance(options, dict):
        return f"must be an object, not {shown(options)}"
    known: dict[str, list[str]] = {}
    for ruleset in title.meta.rulesets:
        for key, value in ruleset.options:
            known.setdefault(key, []).append(json.dumps(value))
    for key in options:
        if key not in known:
            there = f"there are {', '.join(known)}" if known else "there are none"
            return f"{title.meta.slug} has no option {shown(key)}; {there}"
    for key, values in known.items():
        if key not in options:
            return f"{key} is missing"
        if not any(_same({key: options[key]}, {key: json.loads(value)}) for value in values):
            told = " or ".join(dict.fromkeys(values))
            return f"{key} must be {told}, not {_as_json(options[key])}"
    return f"{title.meta.slug} has no ruleset with these options together"


def _as_json(value: object) -> str:
    """Write a value as it stands in a record, short."""
    return json.dumps(value) if value is None or isinstance(value, bool) else shown(value)


def _same(told: object, options: Json) -> bool:
    """Tell whether a record's options are exactly these, kinds of values included."""
    return (
        isinstance(told, dict)
        and told.keys() == options.keys()
        and all(type(told[key]) is type(options[key]) for key in options)
        and told == options
    )


def _read_first(payload: Json) -> Seat:
    """Read the seat that moves first."""
    first = _read(payload, "first")
    if type(first) is int and first in (0, 1):
        return first  # type: ignore[return-value]  # narrowed by the line above
    raise MalformedRecord(f"first must be 0 or 1, not {shown(first)}")


def _read_pile(payload: Json, key: str) -> tuple[str, ...]:
    """Read a list of card codes; which cards they must be is the title's to say."""
    pile = payload[key]
    if not isinstance(pile, list) or not all(isinstance(code, str) for code in pile):
        raise MalformedRecord(f"{key} must be a list of cards")
    return tuple(pile)


def _read_actions(payload: Json) -> tuple[object, ...]:
    """Read the list of actions, not yet what each of them says."""
    actions = _read(payload, "actions")
    if not isinstance(actions, list):
        raise MalformedRecord("actions must be a list")
    if len(actions) > N_ACTIONS_MAX:
        raise MalformedRecord(f"actions: more than {N_ACTIONS_MAX}")
    return tuple(actions)


def parse_record(payload: object) -> Record:
    """Read a record and check its deal. Raises `MalformedRecord`, saying what is wrong."""
    if not isinstance(payload, dict):
        raise MalformedRecord("a record must be an object")
    if _read(payload, "format") != FORMAT:
        raise MalformedRecord(f"format must be {FORMAT!r}")
    title = get_title(_read(payload, "game"))
    ruleset = _read_ruleset(title, payload)
    piles = tuple((key, _read_pile(payload, key)) for key in PILES if key in payload)
    setup = Setup(ruleset, _read_first(payload), piles)
    if not piles:
        raise MalformedRecord("deck is missing")
    title.setup(setup)
    further = {key: value for key, value in payload.items() if key not in INTERPRETED}
    return Record(title, setup, _read_actions(payload), further)


def write_record(title: AnyTitle, setup: Setup, actions: Sequence[Json], **further: Any) -> Json:
    """Write a record. `actions` are in JSON, as the title writes them; `further` keys follow.

    Raises `ValueError` for a pile that no reader would find.
    """
    for key, _ in setup.piles:
        if key not in PILES:
            raise ValueError(f"{key} is missing in PILES of {__name__}")
    return {
        "format": FORMAT,
        "game": title.meta.slug,
        "ruleset": setup.ruleset.as_json(),
        "first": setup.first,
        **{key: list(pile) for key, pile in setup.piles},
        "actions": list(actions),
        **further,
    }
