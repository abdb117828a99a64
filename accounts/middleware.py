"""Middleware: a user's language and time zone, and log-in redirects that htmx would follow."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import resolve_url
from django.utils import timezone, translation
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

from accounts.fragments import is_fragment_request, reload_fragment
from accounts.models import User
from accounts.zones import time_zone_or_utc


class PreferencesMiddleware(MiddlewareMixin):
    """Activates the time zone and the language of who is logged in.

    Without a session cookie nothing is read, so that `/healthz` asks no database here.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Activate before the view runs; a visitor has the browser's language and UTC."""
        timezone.deactivate()
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return
        user = request.user
        if isinstance(user, User):
            timezone.activate(ZoneInfo(time_zone_or_utc(user.time_zone)))
            if user.language in dict(settings.LANGUAGES):
                translation.activate(user.language)
                request.LANGUAGE_CODE = user.language

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Leave no zone behind for what this thread does next."""
        timezone.deactivate()
        return response


class HtmxRedirectMiddleware(MiddlewareMixin):
    """Answers a fragment request that met the log-in page with "log in to go on" (fault 103).

    The browser would follow the redirect, and htmx put the log-in page inside the board.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Replace a redirect to the log-in page; everything else passes."""
        target = str(response.headers.get("Location", ""))
        login = resolve_url(settings.LOGIN_URL)
        if not is_fragment_request(request) or target.partition("?")[0] != login:
            return response
        return reload_fragment(
            request, 401, _("You are no longer logged in here. Nothing was changed."), login
        )
