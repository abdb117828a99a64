"""What surrounds a test run, set before Django reads its settings (a pytest plugin).

Nothing of the developer's own site is touched: each process has a data folder of its own that
is gone at the end, and no database, Redis or mail server from outside is used by accident.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

import pytest

from tests.services import DATABASE_URL

FOREIGN = ("DATABASE_URL", "REDIS_URL", "EMAIL_URL", "SITE_URL", "ALLOWED_HOSTS", "DEBUG")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--postgres",
        action="store_true",
        help="run on the PostgreSQL server of TEST_DATABASE_URL instead of SQLite",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Set the environment before pytest-django loads the settings, whose hook comes after."""
    for name in FOREIGN:
        os.environ.pop(name, None)
    folder = tempfile.mkdtemp(prefix="marchstone-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["DATA_DIR"] = folder
    os.environ["SECRET_KEY"] = "only-for-tests-" * 4
    if early_config.known_args_namespace.postgres:
        os.environ["DATABASE_URL"] = DATABASE_URL
