"""The switch for sounds that stands at the board; it is one's preference for all boards."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.fragments import is_fragment_request
from accounts.models import User
from accounts.services import user_sounds_set
from games.access import game_access


@require_http_methods(["GET", "HEAD", "POST"])
def sounds(request: HttpRequest, game_id: int) -> HttpResponse:
    """Switch sounds on or off, and show the switch as it is now; visitors have none."""
    game = game_access(game_id, request.user).game
    if request.method == "POST" and isinstance(request.user, User):
        user_sounds_set(user=request.user, has_sounds=request.POST.get("sounds") == "on")
        if is_fragment_request(request):
            return render(request, "games/board/_sounds.html", {"game_id": game_id})
    return redirect(game)
