"""Pages of seasons: the list of a ladder's, and the final standings of each."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from games import clock
from ladder.models import Ladder, Season
from ladder.quarters import quarter_named, quarter_of
from ladder.season_presenters import quarter_text, season_place_shown, seasons_shown
from ladder.seasons import season_page, seasons_of
from ladder.views import number_asked, ruleset_or_404


@require_safe
@never_cache
def seasons(request: HttpRequest, title: str, ruleset_slug: str) -> HttpResponse:
    """List a ladder's seasons: the one that runs, and those that are over."""
    ruleset = ruleset_or_404(title, ruleset_slug)
    ladder = Ladder.objects.filter(title=title, ruleset_slug=ruleset_slug).first()
    now = quarter_of(clock.now())
    context = {
        "ruleset": ruleset,
        "name": gettext(ruleset.name),
        "seasons": seasons_shown(seasons_of(ladder), request.user.pk) if ladder else [],
        "current": quarter_text(now),
        "ends_at": now.ends_at,
    }
    return render(request, "ladder/seasons.html", context)


@require_safe
@never_cache
def season(request: HttpRequest, title: str, ruleset_slug: str, quarter: str) -> HttpResponse:
    """Show the final standings of a season; `?page=` counts from 1."""
    ruleset, named = ruleset_or_404(title, ruleset_slug), quarter_named(quarter)
    found = (
        named
        and Season.objects.select_related("ladder")
        .filter(
            ladder__title=title,
            ladder__ruleset_slug=ruleset_slug,
            year=named.year,
            number=named.number,
        )
        .first()
    )
    if not named or not found:
        raise Http404
    user = request.user if isinstance(request.user, User) else None
    page = season_page(found, page=number_asked(request, "page") or 1, user=user)
    context = {
        "ruleset": ruleset,
        "name": gettext(ruleset.name),
        "season": found,
        "season_name": quarter_text(named),
        "page": page,
        "places": [season_place_shown(place, request.user.pk) for place in page.places],
        "own": season_place_shown(page.own, request.user.pk) if page.own else None,
    }
    return render(request, "ladder/season.html", context)
