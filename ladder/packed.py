"""A few latest rows of each of many, in one query: each brings its own along as one text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import CharField, Subquery, TextField, Value
from django.db.models.functions import Cast, Concat


class Packed(Subquery):
    """The rows of a query as one text, so that each standing brings its own few along."""

    template = "(SELECT string_agg(each.packed, ' ') FROM (%(subquery)s) each)"
    output_field = TextField()

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        """Use SQLite's name of the function."""
        template = self.template.replace("string_agg", "group_concat")
        return self.as_sql(compiler, connection, template=template, **extra)


def packed(*fields: str) -> Concat:
    """Pack whole numbers of a row; the first one is the key that gives the order."""
    parts = [part for field in fields for part in (Value(":"), Cast(field, CharField()))]
    return Concat(*parts[1:])


def unpacked(text: str | None) -> Sequence[tuple[int, ...]]:
    """Read packed rows; databases promise no order of them, the keys have it."""
    rows = (each.split(":") for each in (text or "").split())
    return sorted(tuple(int(part) for part in row) for row in rows)
