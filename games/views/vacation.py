"""A player's vacations: begin one, plan one, end it, and choose whether one may save a game."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from games import clock
from games.forms.vacations import ChoiceForm, PlanForm
from games.presenters.refusals import refusal_text
from games.presenters.vacations import vacation_page
from games.refusals import Refusal
from games.services.vacations import (
    vacation_choose,
    vacation_end,
    vacation_plan,
    vacation_start,
)


@require_safe
@login_required
@never_cache
def vacation(request: HttpRequest) -> HttpResponse:
    """Show one's vacations."""
    return _page(request)


@require_POST
@login_required
def start(request: HttpRequest) -> HttpResponse:
    """Begin a vacation at once."""
    try:
        vacation_start(user=_player(request), now=clock.now())
    except Refusal as refusal:
        return _page(request, refused=refusal_text(refusal), status=refusal.status)
    messages.success(request, _("Your vacation has begun: your clocks stand still."))
    return redirect("games:vacation")


@require_POST
@login_required
def plan(request: HttpRequest) -> HttpResponse:
    """Plan a vacation by its days."""
    form, now = PlanForm(request.POST), clock.now()
    if not form.is_valid():
        return _page(request, form, status=422)
    starts_at, ends_at = form.span(now)
    try:
        vacation_plan(user=_player(request), starts_at=starts_at, ends_at=ends_at, now=now)
    except Refusal as refusal:
        return _page(request, form, refusal_text(refusal), refusal.status)
    messages.success(request, _("Your vacation is planned."))
    return redirect("games:vacation")


@require_POST
@login_required
def end(request: HttpRequest, vacation_id: int) -> HttpResponse:
    """Come back early, or give up a plan."""
    try:
        vacation_end(user=_player(request), vacation_id=vacation_id, now=clock.now())
    except Refusal as refusal:
        return _page(request, refused=refusal_text(refusal), status=refusal.status)
    messages.success(request, _("Done: what is left of it is yours again."))
    return redirect("games:vacation")


@require_POST
@login_required
def choose(request: HttpRequest) -> HttpResponse:
    """Say whether a vacation may begin by itself; leads back to where the question stood."""
    form = ChoiceForm(request.POST)
    if not form.is_valid():
        return _page(request, refused=_("Choose yes or no."), status=422)
    is_automatic = form.cleaned_data["is_automatic"]
    vacation_choose(user=_player(request), is_automatic=is_automatic, now=clock.now())
    messages.success(
        request,
        _("A vacation will begin by itself before you lose a game on time.")
        if is_automatic
        else _("No vacation will begin by itself."),
    )
    back = form.cleaned_data["next"]
    is_own = url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure())
    return redirect(back if back.startswith("/") and is_own else "games:vacation")


def _player(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _page(
    request: HttpRequest, form: PlanForm | None = None, refused: str = "", status: int = 200
) -> HttpResponse:
    context = {
        "page": vacation_page(_player(request), clock.now()),
        "form": form or PlanForm(),
        "refused": refused,
    }
    return render(request, "games/vacation.html", context, status=status)
