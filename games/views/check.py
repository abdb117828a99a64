"""Checking how a finished game was dealt, and the page that explains deals."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.access import game_access
from games.models import Game
from games.presenters.check import check_page
from games.presenters.record import game_record
from games.selectors import game_payloads


@require_safe
@never_cache
def check(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show what the browser checks of a game; before its end there is nothing to check."""
    seen = game_access(game_id, request.user)
    game = seen.game
    is_finished = game.status == Game.Status.FINISHED
    record = game_record(game, game_payloads(game)) if is_finished else None
    context = {"page": check_page(game, record), "is_player": seen.seat is not None}
    return render(request, "games/check.html", context)


@require_safe
def deals(request: HttpRequest) -> HttpResponse:
    """Explain how deals are made and how they can be checked."""
    return render(request, "games/deals.html")
