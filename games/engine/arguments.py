"""What the engine's command line understands, and how it complains."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable
from typing import Any, Final, NoReturn, TextIO

from games.engine.api import Json
from games.engine.errors import shown
from games.engine.registry import TITLES


def drop(stream: TextIO | None) -> None:
    """Let what is left in a stream's buffer go nowhere, so that the process ends quietly."""
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def complain(message: str) -> None:
    """Print one line on standard error, where there is one that takes it."""
    if sys.stderr is None:  # then `print` would turn to standard output
        return
    try:
        print(message, file=sys.stderr, flush=True)
    except OSError:
        drop(sys.stderr)


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line, like all others here."""

    def error(self, message: str) -> NoReturn:
        """Refuse the arguments."""
        complain(f"{self.prog}: {' '.join(message.split())}")
        sys.exit(2)


def whole_number(text: str) -> int:
    """Read a number from 0. Raises `ArgumentTypeError`, which the parser tells."""
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise argparse.ArgumentTypeError(f"must be a number from 0, not {shown(text)}")
    return int(text)


EXAMPLES: Final = """examples:
  python -m games.engine selfplay --game three-bridges --count 10 > games.jsonl
  python -m games.engine replay --jsonl games.jsonl
  head -n 1 games.jsonl | python -m games.engine replay --log --viewer 0 -
  python -m games.engine verify --jsonl games.jsonl"""


def _add_replay(commands: Any) -> None:
    """Describe `replay`."""
    replay = commands.add_parser("replay", help="print the state that a record leads to")
    replay.add_argument("file", help="a record; - reads standard input")
    replay.add_argument(
        "--at", type=whole_number, metavar="N", help="only the first N actions (default: all)"
    )
    replay.add_argument(
        "--viewer",
        choices=["0", "1", "spectator"],
        help="as this viewer sees it (default: all is open)",
    )
    many = replay.add_mutually_exclusive_group()
    many.add_argument("--jsonl", action="store_true", help="one record a line in, one state out")
    many.add_argument("--trace", action="store_true", help="the state after each action")
    many.add_argument(
        "--log",
        action="store_true",
        help="what happened in words: each action, as the viewer sees it, and what came of it",
    )


def _add_selfplay(commands: Any) -> None:
    """Describe `selfplay`."""
    selfplay = commands.add_parser("selfplay", help="print complete games as records")
    selfplay.add_argument("--game", required=True, choices=sorted(TITLES), help="the title")
    rulesets = "; ".join(
        f"{slug}: {', '.join(ruleset.slug for ruleset in title.meta.rulesets)}"
        for slug, title in sorted(TITLES.items())
    )
    selfplay.add_argument(
        "--ruleset", metavar="SLUG", help=f"the ruleset (default: the title's first). {rulesets}"
    )
    selfplay.add_argument(
        "--claims",
        choices=["after_play", "start_of_turn", "automatic"],
        help="Schotten Totten: when stones are claimed (default: after_play)",
    )
    selfplay.add_argument(
        "--tactics", action="store_true", help="Schotten Totten: with tactics cards (default: not)"
    )
    selfplay.add_argument(
        "--seed",
        type=whole_number,
        default=0,
        metavar="S",
        help="the same seed gives the same games (default: 0)",
    )
    selfplay.add_argument(
        "--count", type=whole_number, default=1, metavar="N", help="how many games (default: 1)"
    )
    selfplay.add_argument(
        "--policy",
        default="random",
        help=f"who plays: {', '.join(('random', *bots()))} (default: random)",
    )


def _add_verify(commands: Any) -> None:
    """Describe `verify`."""
    check = commands.add_parser("verify", help="check a record against its shuffle")
    check.add_argument("file", help="a finished record; - reads standard input")
    check.add_argument(
        "--jsonl", action="store_true", help="one record a line in, one answer a line out"
    )


def parser() -> Parser:
    """Describe the commands and their arguments."""
    top = Parser(
        prog="python -m games.engine",
        description="Rules, records and deals.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = top.add_subparsers(dest="command", required=True, parser_class=Parser)
    for add in (_add_replay, _add_selfplay, _add_verify):
        add(commands)
    for command in commands.choices.values():
        command.set_defaults(parser=command)
    return top


def read_arguments(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line; what it does not know is refused with what there is."""
    options, unknown = parser().parse_known_args(arguments)
    if unknown:
        known = ", ".join(options.parser._option_string_actions)
        options.parser.error(f"unknown: {' '.join(unknown)}; there are {known}")
    return options


def bots() -> dict[str, Callable[[Json], Json]]:
    """Give the bots by name. They know the engine, not the reverse, so they are found late."""
    found: dict[str, Callable[[Json], Json]] = importlib.import_module("games.bots").BOTS
    return found
