"""The match page, and what its players can do there besides playing."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.fragments import is_fragment_request
from accounts.models import User
from games import clock
from games.access import match_access
from games.forms.offers import RematchForm, ResignForm, new_request_id
from games.hooks import hooks
from games.models import Match, Offer
from games.presenters.matches import match_shown
from games.presenters.offers import offer_refusal_text
from games.refusals import Code, Refusal
from games.selectors import game_running
from games.services.matches import can_abort, match_abort
from games.services.offers import match_rematch
from games.services.turns import match_resign
from games.views.chat import chats_beside


def match_front(match: Match) -> str:
    """Give the address where a match goes on: its running board, else its own page."""
    running = game_running(match)
    return (running or match).get_absolute_url()


@require_safe
@never_cache
@vary_on_headers("HX-Request", "HX-Request-Type")
def match(request: HttpRequest, match_id: int) -> HttpResponse:
    """Show a match; only what changes where htmx asks."""
    found, _seat = match_access(match_id, request.user)
    template = "games/_match.html" if is_fragment_request(request) else "games/match.html"
    return _page(request, found, template)


@require_POST
def resign(request: HttpRequest, match_id: int) -> HttpResponse:
    """Give up the match with its running game."""
    if not isinstance(request.user, User):
        return _login(match_id)
    found, _seat = match_access(match_id, request.user)
    form = ResignForm(request.POST)
    try:
        if not form.is_valid() or not _is_game_of(found, form.cleaned_data["game"]):
            raise Refusal(Code.MALFORMED)
        match_resign(
            game_id=form.cleaned_data["game"],
            user=request.user,
            expected_version=form.cleaned_data["version"],
            request_id=form.cleaned_data["request_id"],
            now=clock.now(),
        )
    except Refusal as refusal:
        return _refused(request, match_id, refusal)
    messages.success(request, _("You have resigned the match."))
    return redirect(found)


@require_POST
def abort(request: HttpRequest, match_id: int) -> HttpResponse:
    """Call the match off while one of the two has not made a first turn."""
    if not isinstance(request.user, User):
        return _login(match_id)
    found, _seat = match_access(match_id, request.user)
    try:
        match_abort(match_id=found.pk, user=request.user, now=clock.now())
    except Refusal as refusal:
        return _refused(request, match_id, refusal)
    messages.success(request, _("The match has been aborted."))
    return redirect(found)


@require_POST
def rematch(request: HttpRequest, match_id: int) -> HttpResponse:
    """Offer to play again, or accept the other's offer of it."""
    if not isinstance(request.user, User):
        return _login(match_id)
    found, _seat = match_access(match_id, request.user)
    form = RematchForm(request.POST)
    try:
        if not form.is_valid():
            raise Refusal(Code.MALFORMED)
        result = match_rematch(
            match_id=found.pk,
            user=request.user,
            request_id=form.cleaned_data["request_id"],
            now=clock.now(),
            nonce=form.cleaned_data["nonce"],
            seen=form.cleaned_data["seen"],
        )
    except Refusal as refusal:
        return _refused(request, match_id, refusal)
    if isinstance(result, Offer):
        messages.success(request, _("You have offered a rematch."))
        return redirect(found)
    return redirect(match_front(result))


def _is_game_of(found: Match, game_id: int) -> bool:
    return found.games.filter(pk=game_id).exists()


def _login(match_id: int) -> HttpResponse:
    return redirect_to_login(Match(pk=match_id).get_absolute_url())


def _refused(request: HttpRequest, match_id: int, refusal: Refusal) -> HttpResponse:
    """Say why, on the page as it is now."""
    found, _seat = match_access(match_id, request.user)
    text = offer_refusal_text(refusal)
    return _page(request, found, "games/match.html", refused=text, status=refusal.status)


def _page(
    request: HttpRequest, found: Match, template: str, refused: str = "", status: int = 200
) -> HttpResponse:
    is_player = found.seat_of(request.user.pk) is not None
    may_abort = is_player and can_abort(found)
    context = {
        "shown": match_shown(found, request.user, clock.now(), can_abort=may_abort),
        "request_id": new_request_id(),
        "sections": hooks.match(found),
        "refused": refused,
    }
    if template == "games/match.html":
        context["chats"] = chats_beside(found, request.user)
    return render(request, template, context, status=status)
