"""What htmx gets instead of a foreign page: a line that says why, and a link to go on."""

from __future__ import annotations

from urllib.parse import urlencode, urlsplit

from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme

NOTICE_ID = "page-notice"
"""The element of base.html that shows it, whatever the request's own target is."""


def is_fragment_request(request: HttpRequest) -> bool:
    """Say whether htmx asked, and not to restore a whole page from its history."""
    return (
        request.headers.get("HX-Request") == "true"
        and request.headers.get("HX-Request-Type") != "full"
    )


def reload_fragment(
    request: HttpRequest, status: int, message: str, login: str = ""
) -> HttpResponse:
    """Answer with a notice above the page, which stays as it is.

    The link loads the page anew; with `login` it leads there through the log-in page.
    """
    page = _page_shown(request)
    link = f"{login}?{urlencode({REDIRECT_FIELD_NAME: page})}" if login else page
    context = {"message": message, "link": link, "login": login}
    response = render(request, "_reload.html", context, status=status)
    response["HX-Retarget"] = f"#{NOTICE_ID}"
    response["HX-Reswap"] = "innerHTML"
    response["HX-Reselect"] = "#reload-notice"
    response["Cache-Control"] = "no-store"
    return response


def _page_shown(request: HttpRequest) -> str:
    """Give the path of the page that htmx acted on; home where it is none of ours."""
    url = request.headers.get("HX-Current-URL", "")
    if not url_has_allowed_host_and_scheme(url, {request.get_host()}):
        return "/"
    shown = urlsplit(url)
    # Browsers read a backslash as a slash: "/\\evil" would be the address of another host.
    path = "/" + shown.path.lstrip("/\\")
    return f"{path}?{shown.query}" if shown.query else path
