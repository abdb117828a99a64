"""The Celery app; tasks are thin and live in each app's tasks.py."""

from __future__ import annotations

import os
import sys
import threading
from typing import Any

from celery import Celery
from celery.signals import beat_init, celeryd_init
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("marchstone")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect
def refuse_lonely_worker(**_: Any) -> None:
    """Stop a `celery worker` that has no Redis: its queue would be in its own memory."""
    if settings.IS_EMBEDDED:
        sys.exit("A worker of its own needs REDIS_URL; without it `manage.py serve` works alone.")


@beat_init.connect
def refuse_lonely_beat(**_: Any) -> None:
    """Stop a `celery beat` that has no Redis. The beat of `serve` runs beside the main thread."""
    if settings.IS_EMBEDDED and threading.current_thread() is threading.main_thread():
        sys.exit("A beat of its own needs REDIS_URL; without it `manage.py serve` works alone.")
