"""What every template may use."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """Give the site's own address, and the folder where mails lie; empty where they are sent."""
    return {"site_url": settings.SITE_URL, "mail_folder": _mail_folder()}


def _mail_folder() -> str:
    if not settings.IS_EMBEDDED or not settings.EMAIL_BACKEND.endswith("filebased.EmailBackend"):
        return ""
    return str(Path(settings.EMAIL_FILE_PATH).absolute())
