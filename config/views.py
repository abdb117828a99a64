"""Pages that join the apps, and the answers when something is wrong with a request."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.blocks import has_blocked
from accounts.closed import closed_page
from accounts.forms import PreferencesForm
from accounts.fragments import is_fragment_request, reload_fragment
from accounts.models import User
from accounts.names import name_key
from config.home import N_WATCHED, own_page
from games import clock, selectors
from games.forms.offers import blank_bot_form
from games.hooks import hooks
from games.pauses import vacation_now
from games.presenters.reliability import reliability_shown
from games.presenters.results import results_shown


@require_safe
@never_cache
@vary_on_headers("HX-Request", "HX-Request-Type")
def home(request: HttpRequest) -> HttpResponse:
    """Show players what waits for them, and visitors what this is."""
    now = clock.now()
    if isinstance(request.user, User):
        is_fragment = is_fragment_request(request)
        context: dict[str, object] = {
            "page": own_page(request.user, now),
            "now": now,
            "is_fragment": is_fragment,
        }
        if not is_fragment:
            context["bot_form"] = blank_bot_form()
        return render(request, "_home.html" if is_fragment else "home.html", context)
    games = selectors.running_games(limit=N_WATCHED)
    return render(request, "welcome.html", {"games": games, "now": now})


@require_safe
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """Show a player; other ways of writing the name lead to the one address."""
    player = get_object_or_404(User, name_key=name_key(name))
    if player.name != name:
        return redirect(player)
    if not player.is_active:
        return closed_page(request, player)
    return _profile(request, player)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Save one's own language, time zone and country; the form stands on one's profile."""
    player = request.user
    assert isinstance(player, User)
    if request.method != "POST":
        return redirect(player)
    form = PreferencesForm(request.POST, instance=player)
    if not form.is_valid():
        player.refresh_from_db()
        return _profile(request, player, form, status=422)
    form.save()
    messages.success(request, _("Your preferences are saved."))
    return redirect(player)


def not_offered(request: HttpRequest, what: str) -> HttpResponse:
    """Say that there is nothing here, where a library would have something."""
    raise Http404


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Give the service worker at the root, so that it may open every page of the site.

    Browsers ask for it anew by themselves; a copy that was kept would be an old one.
    """
    path = settings.BASE_DIR / "static" / "js" / "sw.js"
    response = HttpResponse(path.read_bytes(), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400 without a look at the form: Django's own view stumbles over it once more."""
    return HttpResponse(render_to_string("400.html"), status=400)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Refuse a form whose token is not, or no longer, the browser's (fault 103)."""
    if is_fragment_request(request):
        message = _("This page is out of date: you logged in or out since. Nothing was changed.")
        return reload_fragment(request, 403, message)
    return render(request, "403_csrf.html", status=403)


def _profile(
    request: HttpRequest, player: User, form: PreferencesForm | None = None, status: int = 200
) -> HttpResponse:
    is_own = request.user == player
    if is_own and form is None:
        form = PreferencesForm(instance=player)
    viewer = request.user
    is_other = isinstance(viewer, User) and not is_own
    is_blocked = isinstance(viewer, User) and is_other and has_blocked(viewer, player)
    context = {
        "player": player,
        "is_blocked": is_blocked,
        "record": selectors.player_record(player),
        "reliability": reliability_shown(player),
        "results": results_shown(player, request.user),
        "sections": hooks.profile(player),
        "vacation": vacation_now(player.pk, clock.now()),
        "is_own": is_own,
        "can_challenge": is_other and not is_blocked and not player.is_guest,
        "form": form,
    }
    return render(request, "profile.html", context, status=status)
