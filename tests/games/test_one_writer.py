"""Fault 95: how a match or game ended is written in one place, whatever brought the end about."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.games.test_after_commit import sources

ENDINGS = "games/services/endings.py"
RESULT = {"ending", "winner"}
WRITERS = {"update", "create", "get_or_create", "update_or_create", "Match", "Game"}
OTHERS = {"offer", "report"}
"""What has a status too, by the name under which it is written."""


def written(tree: ast.AST) -> Iterator[str]:
    """Give the columns of an ending that some source writes, by whatever way."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name, ctx=ast.Store(), value=value):
                if name in RESULT or (name == "status" and ast.unparse(value) not in OTHERS):
                    yield name
            case ast.Call(func=ast.Attribute(attr=called) | ast.Name(id=called)):
                if called in WRITERS:
                    yield from (name for name in map(_result, node.keywords) if name)
                elif called in ("save", "bulk_update"):
                    texts = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant)}
                    yield from RESULT & {text for text in texts if isinstance(text, str)}


def _result(keyword: ast.keyword) -> str | None:
    """Give the name of a column that a keyword writes, if it is of an ending."""
    is_status = keyword.arg == "status" and _is_of_a_match(keyword.value)
    return keyword.arg if keyword.arg in RESULT or is_status else None


def _is_of_a_match(value: ast.expr) -> bool:
    told = ast.unparse(value)
    return told.startswith(("Match.Status", "Game.Status")) or told.isdecimal()


def test_fault_95_results_are_written_where_endings_are_and_nowhere_else() -> None:
    found = {name: set(written(tree)) for name, tree in sources() if "/engine/" not in name}
    assert found.pop(ENDINGS) == {"status", "ending", "winner"}
    assert {name: columns for name, columns in found.items() if columns} == {}
