"""The ladders' pages. Joining and leaving are plain forms."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.names import name_key
from games import clock
from games.endings import ending_rows
from games.engine.api import Ruleset
from games.titles import playable_rulesets
from ladder import elo, guards
from ladder.counters import Counters
from ladder.curve import curve_shown
from ladder.distribution import distribution_shown
from ladder.forms import WishForm, wish_form
from ladder.memberships import LadderRefusal, ladder_join, ladder_leave, ladder_pause
from ladder.models import Ladder
from ladder.presenters import (
    account_url,
    entry_shown,
    ladders_shown,
    outlook_shown,
    queue_shown,
    rating_text,
    refusal_text,
    wish_shown,
)
from ladder.selectors import INACTIVE_AFTER, account_page, standing_find
from ladder.standings import (
    EMPTY_PAGE,
    N_RECENT,
    n_lower_near,
    page_of,
    standing_of,
    standings_around,
    standings_page,
)
from ladder.standings_presenters import places_shown


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """List the ladders."""
    return render(request, "ladder/index.html", {"ladders": ladders_shown()})


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """Explain rated play, from the tables that the code goes by."""
    context = {
        "elo": elo,
        "endings": ending_rows(),
        "guards": guards,
        "inactive_days": INACTIVE_AFTER.days,
    }
    return render(request, "ladder/rules.html", context)


@require_safe
@never_cache
def standings(request: HttpRequest, title: str, ruleset_slug: str) -> HttpResponse:
    """Show who stands where; `?page=` counts from 1.

    `?around=me` shows one's own lines, `?player=` leads to the page where somebody stands.
    """
    ruleset = ruleset_or_404(title, ruleset_slug)
    name = request.GET.get("player", "").strip()
    if not name or "page" in request.GET:
        return _standings(request, ruleset)
    ladder = Ladder.objects.filter(title=title, ruleset_slug=ruleset_slug).first()
    row = standing_find(ladder, name_key(name)) if ladder else None
    if ladder is None or row is None or row.left_at is not None:
        missing = gettext("Nobody called “%(name)s” stands on this ladder.") % {"name": name}
        return _standings(request, ruleset, missing, status=404)
    asked = urlencode({"page": page_of(ladder, row), "player": row.user.name})
    return redirect(f"{ladder.get_absolute_url()}?{asked}#found")


@require_safe
@never_cache
def account(request: HttpRequest, title: str, ruleset_slug: str, name: str) -> HttpResponse:
    """Show each change of a player's rating and how it came about; `?before=` turns pages."""
    ruleset = ruleset_or_404(title, ruleset_slug)
    ladder = Ladder.objects.filter(title=title, ruleset_slug=ruleset_slug).first()
    standing = standing_find(ladder, name_key(name)) if ladder else None
    if standing is None:
        raise Http404
    if standing.user.name != name:
        return redirect(account_url(standing.ladder, standing.user))
    page = account_page(standing, before=number_asked(request, "before"))
    context = {
        "name": gettext(ruleset.name),
        "standing": standing,
        "rating": rating_text(standing.rating),
        "peak": rating_text(standing.peak),
        "page": page,
        "entries": [entry_shown(entry, request.user.pk) for entry in page.entries],
        "curve": curve_shown(page.curve),
        "spread": distribution_shown(
            Counters(standing.ladder.counts),
            standing.rating,
            n_lower_near(standing.ladder, standing.rating),
        ),
        "is_first": "before" not in request.GET,
    }
    return render(request, "ladder/account.html", context)


@require_POST
def join(request: HttpRequest, title: str, ruleset_slug: str) -> HttpResponse:
    """Join a ladder with what one wishes, or change the wish, and see the ladder."""
    ruleset, form = ruleset_or_404(title, ruleset_slug), WishForm(request.POST)
    if isinstance(request.user, User) and not form.is_valid():
        return _standings(request, ruleset, status=422, form=form)
    done = _("Saved.") if "change" in request.POST else _("You have joined.")
    wish = form.wish() if form.is_valid() else None
    return _change(request, ruleset, partial(ladder_join, wish=wish), done)


@require_POST
def pause(request: HttpRequest, title: str, ruleset_slug: str) -> HttpResponse:
    """Be paired with nobody for a while."""
    done = _("You are paused: nobody is paired with you. Matches that run go on.")
    service = partial(ladder_pause, is_paused=True)
    return _change(request, ruleset_or_404(title, ruleset_slug), service, done)


@require_POST
def go_on(request: HttpRequest, title: str, ruleset_slug: str) -> HttpResponse:
    """Be paired again after a pause."""
    service = partial(ladder_pause, is_paused=False)
    return _change(
        request, ruleset_or_404(title, ruleset_slug), service, _("You wait for matches again.")
    )


@require_POST
def leave(request: HttpRequest, title: str, ruleset_slug: str) -> HttpResponse:
    """Leave a ladder, and see it."""
    done = _("You have left. Your rating is kept, should you come back.")
    return _change(request, ruleset_or_404(title, ruleset_slug), ladder_leave, done)


def ruleset_or_404(title: str, ruleset_slug: str) -> Ruleset:
    """Find the ruleset that an address names. Raises `Http404`."""
    for ruleset in playable_rulesets():
        if (ruleset.title, ruleset.slug) == (title, ruleset_slug):
            return ruleset
    raise Http404


def _standings(
    request: HttpRequest,
    ruleset: Ruleset,
    refused: str = "",
    status: int = 200,
    form: WishForm | None = None,
) -> HttpResponse:
    user = request.user if isinstance(request.user, User) else None
    ladder = Ladder.objects.filter(title=ruleset.title, ruleset_slug=ruleset.slug).first()
    page = EMPTY_PAGE
    is_around = False
    if ladder is not None:
        row = standing_of(ladder, user) if user and request.GET.get("around") == "me" else None
        is_around = row is not None
        number = number_asked(request, "page") or 1
        page = (
            standings_around(ladder, row)
            if row is not None
            else standings_page(ladder, page=number, user=user)
        )
    own = page.own.standing if page.own else None
    asked_name = request.GET.get("player", "").strip()
    context = {
        "ruleset": ruleset,
        "wish": wish_shown(own),
        "form": form or wish_form(own),
        "outlook": outlook_shown(ladder, own, clock.now()) if ladder and own else None,
        "queue": queue_shown(ladder, clock.now()) if ladder and not own else None,
        "name": gettext(ruleset.name),
        "summary": gettext(ruleset.summary),
        "ladders": ladders_shown(),
        "page": page,
        "is_around": is_around,
        "asked_name": asked_name,
        "places": places_shown(page, ladder, user, name_key(asked_name)) if ladder else [],
        "inactive_days": INACTIVE_AFTER.days,
        "n_recent": N_RECENT,
        "provisional_matches": elo.PROVISIONAL_MATCHES,
        "refused": refused,
    }
    return render(request, "ladder/standings.html", context, status=status)


def number_asked(request: HttpRequest, key: str) -> int | None:
    """Read a number from the address; None for what is none, or could be none of ours."""
    text = request.GET.get(key, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def _change(
    request: HttpRequest, ruleset: Ruleset, service: Callable[..., Any], done: str
) -> HttpResponse:
    address = reverse("ladder:standings", args=[ruleset.title, ruleset.slug])
    if not isinstance(request.user, User):
        return redirect_to_login(address)
    try:
        service(title=ruleset.title, ruleset_slug=ruleset.slug, user=request.user, now=clock.now())
    except LadderRefusal as refusal:
        return _standings(request, ruleset, refusal_text(refusal), status=409)
    messages.success(request, done)
    return redirect(address)
