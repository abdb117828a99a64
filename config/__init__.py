"""The topmost app: settings, entry points, and the pages that join the other apps."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
