"""A player's matches: filtered, sorted, and a page at a time."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.closed import closed_page
from accounts.models import User
from accounts.names import name_key
from games import clock
from games.downloads import games_finished, matches_all
from games.forms.history import HistoryForm
from games.history import Filters, Page, games_of, history_page
from games.presenters.history import matches_played
from games.presenters.record import record_lines
from games.presenters.tallies import csv_lines, tallies_shown
from games.tallies import tallies
from games.views.streams import download


@require_safe
@never_cache
def history(request: HttpRequest, name: str) -> HttpResponse:
    """Show a player's matches; other ways of writing the name lead to the one address."""
    player = get_object_or_404(User, name_key=name_key(name))
    if player.name != name:
        return _redirect(request, player)
    if not player.is_active:
        return closed_page(request, player)
    form = HistoryForm(request.GET)
    form.full_clean()
    page = history_page(player, request.user, form.filters, form.order, form.cursor)
    context = {
        "player": player,
        "is_own": request.user == player,
        "form": form,
        "matches": matches_played(player, page.matches, games_of(page.matches), clock.now()),
        "links": _links(form, page),
    }
    return render(request, "games/history.html", context)


@require_safe
@never_cache
def history_csv(request: HttpRequest, name: str) -> HttpResponseBase:
    """Give all of a player's matches that fit the filters as a table, in the order asked for."""
    player, form = _asked(request, name)
    if form.errors:
        return _unreadable(form)
    lines = csv_lines(player, matches_all(player, request.user, form.filters, form.order))
    return download(request, lines, "text/csv; charset=utf-8; header=present", "matches.csv")


@require_safe
@never_cache
def history_records(request: HttpRequest, name: str) -> HttpResponseBase:
    """Give the finished games of all matches that fit the filters, a record a line."""
    player, form = _asked(request, name)
    if form.errors:
        return _unreadable(form)
    lines = record_lines(games_finished(player, request.user, form.filters, form.order))
    return download(request, lines, "application/x-ndjson; charset=utf-8", "games.jsonl")


@require_safe
@never_cache
def summary(request: HttpRequest, name: str) -> HttpResponse:
    """Sum up a player's finished matches that fit the filters."""
    player = get_object_or_404(User, name_key=name_key(name))
    if player.name != name:
        return _redirect(request, player, "games:summary")
    if not player.is_active:
        return closed_page(request, player)
    form = HistoryForm(request.GET)
    form.full_clean()
    context = {
        "player": player,
        "is_own": request.user == player,
        "form": form,
        "tallies": tallies_shown(tallies(player, request.user, form.filters)),
    }
    return render(request, "games/summary.html", context)


@require_safe
@never_cache
def against(request: HttpRequest, name: str, opponent: str) -> HttpResponse:
    """Show what two players have played against each other, from the first one's side."""
    player = get_object_or_404(User, name_key=name_key(name))
    them = get_object_or_404(User, name_key=name_key(opponent))
    if player == them:
        return redirect(player)
    for one in (player, them):
        if not one.is_active:
            return closed_page(request, one)
    if (player.name, them.name) != (name, opponent):
        return redirect("games:against", player.name, them.name)
    filters = Filters(opponent=them)
    page = history_page(player, request.user, filters)
    context = {
        "player": player,
        "opponent": them,
        "tallies": tallies_shown(tallies(player, request.user, filters)),
        "matches": matches_played(player, page.matches, games_of(page.matches), clock.now()),
        "has_more": page.has_later,
    }
    return render(request, "games/against.html", context)


@login_required
@require_safe
def own_history(request: HttpRequest) -> HttpResponse:
    """Lead to one's own matches, with whatever is asked of them."""
    assert isinstance(request.user, User)
    return _redirect(request, request.user)


def _asked(request: HttpRequest, name: str) -> tuple[User, HistoryForm]:
    """Find the player whose matches are downloaded, and read which of them."""
    player = get_object_or_404(User, name_key=name_key(name), is_active=True)
    form = HistoryForm(request.GET)
    form.full_clean()
    return player, form


def _unreadable(form: HistoryForm) -> HttpResponse:
    """Refuse a download, and say why: a file tells nobody that a filter was passed over."""
    lines = [
        f"{form[field].label}: {text}\n" for field, texts in form.errors.items() for text in texts
    ]
    return HttpResponse(lines, status=400, content_type="text/plain; charset=utf-8")


def _links(form: HistoryForm, page: Page) -> dict[str, str]:
    """Give the queries of the pages that there are: `first`, `earlier`, `later`."""
    if not page.matches:
        return {"first": form.query()} if page.has_earlier or page.has_later else {}
    links = {}
    if page.has_earlier:
        links["first"] = form.query()
        links["earlier"] = form.query(before=page.matches[0].pk)
    if page.has_later:
        links["later"] = form.query(after=page.matches[-1].pk)
    return links


def _redirect(request: HttpRequest, player: User, page: str = "games:history") -> HttpResponse:
    query = request.META["QUERY_STRING"]
    url = reverse(page, args=[player.name])
    return redirect(f"{url}?{query}" if query else url)
