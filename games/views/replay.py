"""A game step by step: a finished one with all cards open, any other as its viewer saw it."""

from __future__ import annotations

from django.contrib import messages
from django.db.models import Sum
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.fragments import is_fragment_request
from games.access import game_access
from games.boards import BOARDS
from games.models import Game
from games.presenters.replay import (
    ReplayPage,
    Way,
    look_back_page,
    look_back_url,
    replay_page,
    step_url,
)
from games.selectors import game_fold


@require_safe
@never_cache
def replay(request: HttpRequest, game_id: int) -> HttpResponse:
    """Lead to a step: the one that the slider's form asks for, else the first."""
    game = game_access(game_id, request.user).game
    if game.status != Game.Status.FINISHED:
        return _to_board(request, game)
    return redirect(step_url(game, _number(request, "step", game.version)))


@require_safe
@never_cache
@vary_on_headers("HX-Request", "HX-Request-Type")
def replay_step(request: HttpRequest, game_id: int, step: int) -> HttpResponse:
    """Show a finished game after its first `step` actions; the changing part where htmx asks."""
    seen = game_access(game_id, request.user)
    if seen.game.status != Game.Status.FINISHED:
        return _to_board(request, seen.game)
    if step > seen.game.version:
        raise Http404
    board = BOARDS[seen.match.title]
    page = replay_page(seen, game_fold(seen.game), board, step, _points_before(seen.game))
    return _show(request, page)


@require_safe
@never_cache
def steps(request: HttpRequest, game_id: int) -> HttpResponse:
    """Lead to a step of a game that runs: the one that is asked for, else the present one."""
    game = game_access(game_id, request.user).game
    if game.status == Game.Status.FINISHED:
        return redirect(step_url(game, _number(request, "step", game.version)))
    way = _way(request, game, _number(request, "step", game.version, game.version))
    return redirect(way.to(max(way.step, way.first)))


@require_safe
@never_cache
@vary_on_headers("HX-Request", "HX-Request-Type", "Cookie", "Accept-Language")
def step(request: HttpRequest, game_id: int, step: int) -> HttpResponse:
    """Show a game that is not finished as the one who looks saw it after its first actions.

    Once it is finished, its replay shows more.
    """
    seen = game_access(game_id, request.user)
    if step > seen.game.version:
        raise Http404
    if seen.game.status == Game.Status.FINISHED:
        return redirect(step_url(seen.game, step))
    board, way = BOARDS[seen.match.title], _way(request, seen.game, step)
    page = look_back_page(seen, game_fold(seen.game), board, way, _points_before(seen.game))
    return _show(request, page)


def _show(request: HttpRequest, page: ReplayPage) -> HttpResponse:
    is_fragment = is_fragment_request(request)
    template = "games/replay/_replay.html" if is_fragment else "games/replay/replay.html"
    return render(request, template, {"page": page, "is_fragment": is_fragment})


def _way(request: HttpRequest, game: Game, step: int) -> Way:
    since = _number(request, "since", game.version, game.version)
    return Way(step, look_back_url(game), _number(request, "from", game.version), since)


def _number(request: HttpRequest, name: str, n_steps: int, default: int = 0) -> int:
    """Read a step from the query; what is no sensible number is the default, too much the end."""
    text = request.GET.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        return default
    return min(int(text), n_steps)


def _points_before(game: Game) -> tuple[int, int]:
    """Give the points of the match when the game began. One query."""
    earlier = game.match.games.filter(round__lt=game.round)
    points = earlier.aggregate(seat_0=Sum("points_0"), seat_1=Sum("points_1"))
    return (points["seat_0"] or 0, points["seat_1"] or 0)


def _to_board(request: HttpRequest, game: Game) -> HttpResponse:
    """Show the board instead, which tells everybody what they may know."""
    if game.is_running:
        text = _("This game is still being played: it can be replayed once it is over.")
    else:
        text = _("This game was aborted: the hands stay closed, and there is no replay.")
    messages.info(request, text)
    return redirect(game)
