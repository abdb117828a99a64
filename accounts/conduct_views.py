"""Blocking and reporting a player, and the list of those whom one has blocked."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.blocks import block_lift, block_set, blocks_of, has_blocked, may_be_blocked
from accounts.conduct import Report
from accounts.models import User
from accounts.names import name_key
from accounts.reports import MAX_TEXT, About, TooManyReports, report_about, report_create

MAX_NUMBER = 2**63 - 1


class ReportForm(forms.Form):
    """What is wrong, in a word and in the reporter's own."""

    category = forms.ChoiceField(
        label=_("What is wrong?"), choices=Report.Category.choices, widget=forms.RadioSelect
    )
    text = forms.CharField(
        label=_("What happened?"),
        required=False,
        max_length=MAX_TEXT,
        widget=forms.Textarea({"rows": 4}),
        help_text=_("Moderators alone read this."),
    )
    about = forms.CharField(required=False, max_length=20, widget=forms.HiddenInput)
    about_id = forms.IntegerField(
        required=False, min_value=0, max_value=MAX_NUMBER, widget=forms.HiddenInput
    )


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def block(request: HttpRequest, name: str) -> HttpResponse:
    """Ask whether a player is to be blocked, and block them."""
    user, player = _two(request, name)
    if not may_be_blocked(user, player):
        raise Http404
    if request.method == "POST":
        block_set(blocker=user, blocked=player, now=timezone.now())
        messages.success(request, _named(gettext("You have blocked {name}."), player))
        return redirect("blocked")
    is_blocked = has_blocked(user, player)
    return render(request, "conduct/block.html", {"player": player, "is_blocked": is_blocked})


@login_required
@require_POST
def unblock(request: HttpRequest, name: str) -> HttpResponse:
    """Take a block back."""
    user, player = _two(request, name)
    if block_lift(blocker=user, blocked=player):
        messages.success(request, _named(gettext("{name} is no longer blocked."), player))
    return redirect("blocked")


@login_required
@never_cache
@require_safe
def blocked(request: HttpRequest) -> HttpResponse:
    """List whom one has blocked."""
    assert isinstance(request.user, User)
    return render(request, "conduct/blocked.html", {"blocks": blocks_of(request.user)})


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, name: str) -> HttpResponse:
    """Take a report of a player, of a match with them, or of a message of theirs."""
    user, player = _two(request, name)
    if user == player:
        raise Http404
    if request.method != "POST":
        asked = {key: request.GET.get(key, "") for key in ("about", "about_id")}
        found = _about(user, player, ReportForm({**asked, "category": Report.Category.OTHER}))
        return _report_page(request, player, found, ReportForm(initial=asked))
    form = ReportForm(request.POST)
    found = _about(user, player, form)
    if not form.is_valid():
        return _report_page(request, player, found, form, status=422)
    try:
        report_create(reporter=user, target=player, found=found, now=timezone.now(), **_sent(form))
    except TooManyReports:
        messages.error(request, _("Many reports of yours are still open: let us read them first."))
        return _report_page(request, player, found, form, status=429)
    messages.success(request, _("Thank you for your report: a moderator will read it."))
    return redirect(found.url)


def _two(request: HttpRequest, name: str) -> tuple[User, User]:
    """Give who asks, and the player they ask about. Raises `Http404` for nobody."""
    assert isinstance(request.user, User)
    return request.user, get_object_or_404(User, name_key=name_key(name))


def _about(user: User, player: User, form: ReportForm) -> About:
    """Find what is reported. Raises `Http404` for what this user cannot report of the player."""
    form.is_valid()
    if "about" not in form.cleaned_data or "about_id" not in form.cleaned_data:
        raise Http404
    sent = form.cleaned_data
    found = report_about(
        reporter=user, target=player, about=sent["about"], about_id=sent["about_id"] or 0
    )
    if found is None:
        raise Http404
    return found


def _sent(form: ReportForm) -> dict[str, Any]:
    about = form.cleaned_data["about"]
    number = form.cleaned_data["about_id"] or 0
    return {**form.cleaned_data, "about_id": number if about else 0}


def _report_page(
    request: HttpRequest, player: User, found: About, form: ReportForm, status: int = 200
) -> HttpResponse:
    context = {"player": player, "found": found, "form": form}
    return render(request, "conduct/report.html", context, status=status)


def _named(text: str, player: User) -> str:
    return format_html(text, name=format_html("<bdi>{}</bdi>", player.name))
