"""The board: one game, shown to one viewer; a turn planned, confirmed, or given up.

A page and its fragment come from one presenter through one access check. What shows a hand is
never stored by anybody on the way.
"""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_http_methods, require_safe

from accounts.fragments import is_fragment_request
from accounts.models import User
from accounts.subscriptions import board_seen, seen_note
from games import clock
from games.access import Seen, game_access
from games.boards import BOARDS
from games.engine.errors import MalformedRecord
from games.forms.board import ResignForm
from games.hooks import hooks
from games.models import Desk, Game, Match
from games.paces import is_expired
from games.plans import plan_fold
from games.presenters.answers import turns_as_prepared
from games.presenters.board import Beyond, Rematch, Waiting, board_page, page_title
from games.presenters.note import note_of
from games.presenters.offers import commitments_to
from games.presenters.record import game_record as write_game_record
from games.presenters.sight import NO_PLAN, Plan
from games.presenters.since import Look, look_of, look_read, since_of
from games.presenters.titles import TurnForm
from games.refusals import Code, Refusal
from games.selectors import (
    Folded,
    desk_of,
    game_fold,
    game_next,
    game_payloads,
    game_running,
    games_waiting_ids,
    match_again,
    rematch_offer,
)
from games.services.deadlines import deadline_settle
from games.services.desks import look_note
from games.services.matches import can_abort
from games.services.turns import game_resign as resign_game
from games.services.turns import match_resign as resign_match
from games.services.turns import turn_submit
from games.views.chat import chats_beside
from games.views.panels import is_choice_open, prepared_panel


@require_safe
def game(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show the board as it stands."""
    return show_board(request, _seen(request, game_id))


@require_http_methods(["GET", "POST"])
def game_plan(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show the board as it would be after a turn. POST, so that no card stands in an address."""
    seen = game_access(game_id, request.user)
    if request.method == "GET":
        return redirect(seen.game)
    plan, folded = NO_PLAN, game_fold(seen.game)
    try:
        form = _read_turn(request, seen)
        plan = form.plan_of()
        _check_plan(seen, folded, form)
    except Refusal as refusal:
        if refusal.code == Code.DEADLINE_PASSED:
            return _refuse(request, game_id, NO_PLAN, refusal)
        return show_board(request, seen, folded, _legal_part(seen, folded, plan), refusal)
    return show_board(request, seen, folded, plan)


@require_http_methods(["GET", "POST"])
def game_submit(request: HttpRequest, game_id: int) -> HttpResponse:
    """Make a confirmed turn."""
    seen = game_access(game_id, request.user)
    if request.method == "GET":
        return redirect(seen.game)
    plan = NO_PLAN
    try:
        form = _read_turn(request, seen)
        plan = form.plan_of()
        turn_submit(
            game_id=game_id,
            user=request.user,
            actions=form.actions_of(seen.match.ruleset),
            expected_version=form.cleaned_data["version"],
            request_id=form.cleaned_data["request_id"],
            now=clock.now(),
        )
    except Refusal as refusal:
        return _refuse(request, game_id, plan, refusal)
    return _done(request, game_id)


@require_http_methods(["GET", "POST"])
def game_resign(request: HttpRequest, game_id: int) -> HttpResponse:
    """Give up the game, or the match with it."""
    seen = game_access(game_id, request.user)
    if request.method == "GET":
        return redirect(seen.game)
    try:
        form = _valid(ResignForm(request.POST), seen)
        resign = resign_match if form.cleaned_data["what"] == "match" else resign_game
        resign(
            game_id=game_id,
            user=request.user,
            expected_version=form.cleaned_data["version"],
            request_id=form.cleaned_data["request_id"],
            now=clock.now(),
        )
    except Refusal as refusal:
        return _refuse(request, game_id, NO_PLAN, refusal)
    return _done(request, game_id)


@require_safe
def game_record(request: HttpRequest, game_id: int) -> HttpResponse:
    """Give a finished game as a record; one that runs has none to give."""
    seen = _seen(request, game_id)
    if seen.game.status != Game.Status.FINISHED:
        raise Http404
    record = write_game_record(seen.game, game_payloads(seen.game))
    name = f"marchstone-{game_id}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return JsonResponse(record, headers=headers, json_dumps_params={"indent": 1})


def _seen(request: HttpRequest, game_id: int) -> Seen:
    """Find the game for this user, to be shown as it is once a passed deadline was decided on."""
    seen = game_access(game_id, request.user)
    now = clock.now()
    if is_expired(seen.game.deadline_at, now):
        deadline_settle(game_id=game_id, now=now)
        seen = game_access(game_id, request.user)
    return seen


def _valid(form: Any, seen: Seen) -> Any:
    if seen.seat is None:
        raise Refusal(Code.NOT_A_PLAYER)
    if not form.is_valid():
        raise Refusal(Code.MALFORMED)
    return form


def _read_turn(request: HttpRequest, seen: Seen) -> TurnForm:
    form: TurnForm = _valid(BOARDS[seen.match.title].turn_form(request.POST), seen)
    return form


def _check_plan(seen: Seen, folded: Folded, form: TurnForm) -> None:
    """Raise the refusal that confirming this plan would meet; that it is not whole is none."""
    if not seen.game.is_running:
        raise Refusal(Code.GAME_OVER)
    if is_expired(seen.game.deadline_at, clock.now()):
        raise Refusal(Code.DEADLINE_PASSED)
    if form.cleaned_data["version"] != seen.game.version:
        raise Refusal(Code.STALE)
    if seen.seat is None or seen.game.turn != seen.seat:
        raise Refusal(Code.NOT_YOUR_TURN)
    form.check(folded.title, folded.state, seen.seat, seen.match.ruleset)


def _legal_part(seen: Seen, folded: Folded, plan: Plan) -> Plan:
    """Give what of a plan can still lie on the board; claims that fail fall by themselves."""
    if not seen.game.is_running or seen.seat is None or seen.game.turn != seen.seat:
        return NO_PLAN
    try:
        laid = plan_fold(folded.title, folded.state, seen.seat, plan.laid).laid
    except MalformedRecord:
        return NO_PLAN
    return Plan(laid, plan.chosen, plan.picked)


def _beyond(seen: Seen) -> Beyond:
    """Look up what the page of this game links to: the next game, or playing again."""
    match = seen.match
    if seen.game.is_running:
        return Beyond(can_abort=seen.seat is not None and can_abort(match))
    following = game_next(seen.game)
    next_game_url = following.get_absolute_url() if following else ""
    if match.status == Match.Status.RUNNING:
        return Beyond(next_game_url=next_game_url)
    sections = hooks.result(match)
    return replace(_rematch(seen), next_game_url=next_game_url, sections=sections)


def _rematch(seen: Seen) -> Beyond:
    again, offer = match_again(seen.match), rematch_offer(seen.match)
    if again is not None:
        rematch_url = (game_running(again) or again).get_absolute_url()
        return Beyond(rematch=Rematch.RUNNING, rematch_url=rematch_url)
    if seen.seat is None:
        return Beyond()
    if offer is None:
        return Beyond(commitments=commitments_to(seen.match.rematch_secrets))
    is_own = offer.maker_id == seen.match.players[seen.seat].pk
    rematch = Rematch.ASKED if is_own else Rematch.OFFERED
    return Beyond(rematch=rematch, commitments=commitments_to(offer.secrets))


def _waiting(request: HttpRequest, seen: Seen) -> Waiting | None:
    """Look up what else waits for whoever looks."""
    if not isinstance(request.user, User):
        return None
    waiting = games_waiting_ids(request.user, clock.now(), but=seen.game.pk)
    return Waiting(len(waiting), Game(pk=waiting[0]).get_absolute_url()) if waiting else None


def show_board(
    request: HttpRequest,
    seen: Seen,
    folded: Folded | None = None,
    plan: Plan = NO_PLAN,
    refusal: Refusal | None = None,
    *,
    is_done: bool = False,
    answer_form: Any = None,
    is_at_answers: bool = False,
) -> HttpResponse:
    """Show the board to one viewer.

    `is_done` where it answers what the viewer has just done; `answer_form` is one for a prepared
    answer that was refused; `is_at_answers` where the viewer was busy with those.
    """
    desk, now = _desk(seen), clock.now()
    folded = folded or game_fold(seen.game)
    page = board_page(
        seen,
        folded,
        BOARDS[seen.match.title],
        now=now,
        request_id=secrets.token_urlsafe(16),
        plan=plan,
        refusal=refusal,
        beyond=_beyond(seen),
        waiting=_waiting(request, seen),
    )
    look = _last_look(request, desk) if desk and not is_done else None
    is_fragment = is_fragment_request(request)
    template = "games/board/_board.html" if is_fragment else "games/board/game.html"
    answers = prepared_panel(seen, folded, now, answer_form)
    context = {
        "page": page,
        "page_title": page_title(page),
        "answers": answers,
        "as_prepared": turns_as_prepared(answers, seen.seat, page.log),
        "is_at_answers": is_at_answers,
        "chats": [] if is_fragment else chats_beside(seen.match, request.user),
        "is_choice_open": not is_fragment and is_choice_open(seen),
        "is_fragment": is_fragment,
        "since": since_of(seen, page.log, look, now),
        "note": None if seen.seat is None else note_of(seen.game.pk, desk, page.request_id),
    }
    response = render(request, template, context, status=refusal.status if refusal else 200)
    response["Cache-Control"] = "no-store"
    patch_vary_headers(response, ["HX-Request", "HX-Request-Type", "Cookie", "Accept-Language"])
    if seen.seat is not None and not _is_away(request):
        look_note(desk=desk, game=seen.game, user=seen.match.players[seen.seat], now=now)
    return response


def _desk(seen: Seen) -> Desk | None:
    """Read what the player who looks keeps at this game; those who watch keep nothing."""
    return None if seen.seat is None else desk_of(seen.game, seen.match.players[seen.seat].pk)


def _last_look(request: HttpRequest, desk: Desk | None) -> Look | None:
    """Give the look since when news are told.

    A page that tells news says so with what it asks for next. Else a new page tells what was not
    seen yet, and a part of one nothing: whoever looks on sees it happen.
    """
    asked = request.POST if request.method == "POST" else request.GET
    if "since" in asked:
        return look_read(asked["since"])
    if desk is None or is_fragment_request(request):
        return None
    return look_of(desk, board_seen(desk.user_id, desk.game_id))


def _is_away(request: HttpRequest) -> bool:
    """Say whether nobody looks at the answer yet: it is for a hidden tab, or fetched ahead."""
    is_ahead = request.headers.get("Sec-Purpose", "").startswith("prefetch")
    return is_ahead or "away" in request.GET or request.method == "HEAD"


def _refuse(request: HttpRequest, game_id: int, plan: Plan, refusal: Refusal) -> HttpResponse:
    """Answer no, with the board as it is now and the plan on it as far as it is legal."""
    seen = _seen(request, game_id)
    folded = game_fold(seen.game)
    return show_board(request, seen, folded, _legal_part(seen, folded, plan), refusal)


def _done(request: HttpRequest, game_id: int) -> HttpResponse:
    """Answer yes: htmx gets the new board, a plain form is sent to its address.

    What one has done oneself is no news on the page that comes then.
    """
    if isinstance(request.user, User):
        seen_note(user=request.user, now=clock.now(), game_id=game_id)
    seen = _seen(request, game_id)
    if is_fragment_request(request):
        return show_board(request, seen, is_done=True)
    if seen.seat is not None:
        user = seen.match.players[seen.seat]
        look_note(desk=_desk(seen), game=seen.game, user=user, now=clock.now())
    return redirect(seen.game)
