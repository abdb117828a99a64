"""The chat of a match: a page and a fragment of each room, what is sent, and what was read."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from accounts.fragments import is_fragment_request
from accounts.models import User
from games import clock
from games.access import AnyUser, chat_access
from games.chat_models import Room
from games.chats import rooms_for
from games.forms.chat import MessageForm, MuteForm, SeenForm
from games.models import Game, Match
from games.presenters.chat import ChatShown, chat_refusal_text, chat_shown
from games.refusals import Code, Refusal
from games.services.chat import chat_mute, chat_seen, chat_send


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
@vary_on_headers("HX-Request", "HX-Request-Type")
def chat(request: HttpRequest, match_id: int, room: str) -> HttpResponse:
    """Show a room: its own page, or its messages alone where htmx asks; and take what is sent."""
    user = _user(request)
    match, found = chat_access(match_id, room, user)
    if request.method == "POST":
        return _send(request, match, found, user)
    if is_fragment_request(request):
        shown = chat_shown(match, found, user, clock.now(), is_full="all" in request.GET)
        return render(request, "games/chat/_room.html", {"chat": shown})
    shown = chat_shown(match, found, user, clock.now(), is_full=True)
    if shown.n_unread and request.method == "GET":
        chat_seen(match_id=match.pk, user=user, number=shown.last)
    return _page(request, match, shown)


@require_POST
def seen(request: HttpRequest, match_id: int) -> HttpResponse:
    """Note what the open page of a player has shown."""
    if not isinstance(request.user, User):
        return redirect_to_login(Match(pk=match_id).get_absolute_url())
    user = _user(request)
    match, _room = chat_access(match_id, Room.PLAYERS, user)
    form = SeenForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=400)
    chat_seen(match_id=match.pk, user=user, number=form.cleaned_data["number"])
    return HttpResponse(status=204)


@require_POST
def mute(request: HttpRequest, match_id: int) -> HttpResponse:
    """Switch chat off in one match, or on again."""
    if not isinstance(request.user, User):
        return redirect_to_login(Match(pk=match_id).get_absolute_url())
    user = _user(request)
    match, room = chat_access(match_id, Room.PLAYERS, user)
    form = MuteForm(request.POST)
    if not form.is_valid():
        return HttpResponse(status=400)
    chat_mute(match_id=match.pk, user=user, is_muted=form.cleaned_data["is_muted"])
    return _done(request, match, room, user, form.cleaned_data["game"])


def chats_beside(match: Match, user: AnyUser) -> list[ChatShown]:
    """Give the rooms of a match for a page on which they stand beside something else."""
    if not isinstance(user, User):
        return []
    now = clock.now()
    return [chat_shown(match, room, user, now) for room in rooms_for(match, user)]


def _send(request: HttpRequest, match: Match, room: Room, user: User) -> HttpResponse:
    form = MessageForm(request.POST)
    try:
        if not form.is_valid():
            raise Refusal(Code.MALFORMED)
        chat_send(
            match_id=match.pk,
            user=user,
            room=room,
            request_id=form.cleaned_data["request_id"],
            now=clock.now(),
            text=form.cleaned_data["text"],
            greeting=form.cleaned_data["greeting"],
        )
    except Refusal as refusal:
        return _refused(request, match, room, user, refusal)
    if room == Room.PLAYERS and form.cleaned_data["seen"]:
        chat_seen(match_id=match.pk, user=user, number=form.cleaned_data["seen"])
    text = form.cleaned_data["text"] if form.cleaned_data["greeting"] else ""
    return _done(request, match, room, user, form.cleaned_data["game"], text)


def _done(
    request: HttpRequest,
    match: Match,
    room: Room,
    user: User,
    game_id: int | None,
    text: str = "",
) -> HttpResponse:
    """Answer yes: htmx gets the room anew, a plain form is sent back to where it stood."""
    if is_fragment_request(request):
        shown = chat_shown(match, room, user, clock.now(), text=text)
        context = {"chat": shown, "game_id": game_id, "is_open": True}
        return render(request, "games/chat/_chat.html", context)
    game = Game.objects.filter(pk=game_id, match=match).first() if game_id else None
    front = game or match
    return redirect(f"{front.get_absolute_url()}#chat-{room.value}")


def _refused(
    request: HttpRequest, match: Match, room: Room, user: User, refusal: Refusal
) -> HttpResponse:
    """Say why, with what was typed, on the room as it is now."""
    text = request.POST.get("text", "").replace("\0", "")[:4000]
    is_fragment = is_fragment_request(request)
    shown = chat_shown(
        match,
        room,
        user,
        clock.now(),
        is_full=not is_fragment,
        text=text,
        error=chat_refusal_text(refusal),
    )
    if not is_fragment:
        return _page(request, match, shown, refusal.status)
    game = request.POST.get("game", "")
    game_id = int(game) if game.isascii() and game.isdigit() and len(game) < 12 else None
    context = {"chat": shown, "game_id": game_id, "is_open": True}
    return render(request, "games/chat/_chat.html", context, status=refusal.status)


def _page(request: HttpRequest, match: Match, shown: ChatShown, status: int = 200) -> HttpResponse:
    context = {"match": match, "chat": shown, "is_open": True}
    return render(request, "games/chat/page.html", context, status=status)


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user
