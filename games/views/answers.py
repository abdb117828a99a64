"""Prepared answers: added, raised and removed on the board of their player."""

from __future__ import annotations

import re
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts.fragments import is_fragment_request
from games import clock
from games.access import Seen, game_access
from games.forms.answers import AnswerForm
from games.refusals import Code, Refusal
from games.selectors import game_fold
from games.services.answers import Prepared, answer_add, answer_raise, answer_remove
from games.views.board import show_board
from games.views.panels import blank_form, half_filled_form

PLACE: Final = re.compile(r"[0-9]{1,9}", re.ASCII)


@require_http_methods(["GET", "POST"])
def answers(request: HttpRequest, game_id: int) -> HttpResponse:
    """Prepare an answer to the opponent's turn."""
    seen = game_access(game_id, request.user)
    if request.method == "GET":
        return redirect(seen.game)
    if seen.seat is None:
        return show_board(request, seen, refusal=Refusal(Code.NOT_A_PLAYER))
    folded = game_fold(seen.game)
    form = blank_form(seen, folded, request.POST)
    try:
        if not form.is_valid():
            raise Refusal(form.fault())
        asked = Prepared(
            game_id,
            request.user,
            form.answer(),
            form.cleaned_data["version"],
            form.cleaned_data["request_id"],
        )
        answer_add(asked, now=clock.now())
    except Refusal as refusal:
        now_seen = game_access(game_id, request.user)
        if refusal.code == Code.STALE:
            form = None
        return show_board(request, now_seen, refusal=refusal, answer_form=form, is_at_answers=True)
    return _done(request, seen)


@require_http_methods(["GET", "POST"])
def answer(request: HttpRequest, game_id: int, answer_id: int) -> HttpResponse:
    """Raise a prepared answer by a place, or remove it."""
    seen = game_access(game_id, request.user)
    if request.method == "GET":
        return redirect(seen.game)
    form = None
    if seen.seat is not None and is_fragment_request(request):
        form = half_filled_form(seen, game_fold(seen.game), request.POST)
    try:
        _change(request, game_id, answer_id)
    except Refusal as refusal:
        return show_board(request, seen, refusal=refusal, answer_form=form, is_at_answers=True)
    return _done(request, seen, form)


def _change(request: HttpRequest, game_id: int, answer_id: int) -> None:
    do, place = request.POST.get("do", ""), request.POST.get("place", "")
    if do == "remove":
        answer_remove(game_id=game_id, user=request.user, answer_id=answer_id)
    elif do == "raise" and PLACE.fullmatch(place):
        answer_raise(game_id=game_id, user=request.user, answer_id=answer_id, place=int(place))
    else:
        raise Refusal(Code.MALFORMED)


def _done(request: HttpRequest, seen: Seen, form: AnswerForm | None = None) -> HttpResponse:
    if is_fragment_request(request):
        now_seen = game_access(seen.game.pk, request.user)
        return show_board(request, now_seen, answer_form=form, is_at_answers=True)
    return redirect(reverse("games:game", args=[seen.game.pk]) + "#answers")
