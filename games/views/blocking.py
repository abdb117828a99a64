"""The help page on blocks."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.blocking import EFFECTS


@require_safe
def blocking(request: HttpRequest) -> HttpResponse:
    """Show what a block does, as the table has it."""
    return render(request, "games/blocking.html", {"effects": EFFECTS.values()})
