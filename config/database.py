"""Whether the database fits the code."""

from __future__ import annotations

import sys

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor


def is_migrated() -> bool:
    """Say whether every migration was applied. Raises `SystemExit` where it is away."""
    try:
        executor = MigrationExecutor(connection)
        return not executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as fault:
        sys.exit(f"The database does not answer: {fault}")
    finally:
        connection.close()
