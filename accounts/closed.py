"""What is left of a closed account: its name, which leads to a page that says so."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.models import User


def closed_page(request: HttpRequest, player: User) -> HttpResponse:
    """Say that an account is closed, and nothing else about it."""
    return render(request, "closed.html", {"player": player}, status=410)
