"""The page "Notices", the way out of mails, and what pages tell of who is there."""

from __future__ import annotations

import re
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import cache, caches
from django.core.cache.backends.base import BaseCache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from accounts import push
from accounts.models import PushDevice, User, Webhook
from accounts.subscriptions import (
    MOST_DEVICES,
    device_add,
    device_remove,
    mails_stop,
    notice_choice,
    seen_note,
    user_of_stop_token,
    webhook_on,
    webhook_remove,
    webhook_set,
)
from games import clock, publish
from games.access import plays_in
from games.forms.notices import DeviceForm, NoticeChoiceForm, WebhookForm
from games.presenters.troubles import trouble_text

TESTS_EVERY_S = 600
MOST_TESTS = 5
"""So often may a webhook be tried in `TESTS_EVERY_S` seconds, or its address changed."""
HERE_EVERY_S = 60
MOST_HERE = 60
"""So often may a player's pages say in `HERE_EVERY_S` seconds that somebody is there; one page
says it three times."""
_SHOWN_ONCE = "webhook_shown_once"

_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def notices(request: HttpRequest) -> HttpResponse:
    """Show where notices go, and save how often mails come."""
    user = _user(request)
    if request.method != "POST":
        return _page(request, user)
    form = NoticeChoiceForm(request.POST, instance=notice_choice(user))
    if not form.is_valid():
        return _page(request, user, form=form, status=422)
    form.save()
    messages.success(request, _("Your choice is saved."))
    return redirect("games:notices")


@login_required
@require_POST
def device_new(request: HttpRequest) -> HttpResponse:
    """Let this browser take notices. Asked by static/js/notices.js alone, and answered to it."""
    form = DeviceForm(request.POST)
    if not push.is_on() or not form.is_valid():
        return JsonResponse({"message": _("This browser could not be taken.")}, status=422)
    name = browser_name(request.headers.get("User-Agent", ""))
    told = form.cleaned_data
    device = device_add(user=_user(request), name=name, now=clock.now(), **told)
    if device is None:
        message = _("You have %(n)s devices already. Remove one first.") % {"n": MOST_DEVICES}
        return JsonResponse({"message": message}, status=409)
    return JsonResponse({"id": device.pk}, status=201)


@login_required
@require_POST
def device_drop(request: HttpRequest, device_id: int) -> HttpResponse:
    """Forget a device; one that is gone already is as good."""
    device_remove(user=_user(request), device_id=device_id)
    messages.success(request, _("The device is removed."))
    return redirect("games:notices")


@login_required
@require_POST
def webhook(request: HttpRequest) -> HttpResponse:
    """Set, try, switch on again or remove the player's webhook: each has a button."""
    user, what = _user(request), request.POST.get("do", "")
    if what == "remove":
        webhook_remove(user=user)
        messages.success(request, _("The webhook is removed."))
    elif what == "on":
        webhook_on(user=user)
        messages.success(request, _("The webhook is tried again."))
    elif what == "set":
        return _webhook_set(request, user)
    elif what == "test":
        return _webhook_test(request, user)
    else:
        return _page(request, user, status=422)
    return redirect("games:notices")


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def notices_stop(request: HttpRequest, token: str) -> HttpResponse:
    """End mails by the link in one: asked by a page, or by the mail program with a POST (RFC 8058).

    Without a log-in and without a CSRF token: the link itself is the secret, and a mail program
    has neither.
    """
    user = user_of_stop_token(token)
    if user is None:
        raise Http404
    if request.method == "POST":
        mails_stop(user=user)
    return render(request, "games/notices_stop.html", {"is_done": request.method == "POST"})


@require_POST
def here(request: HttpRequest) -> HttpResponse:
    """Note that somebody is looking and doing something, on a board of theirs perhaps.

    A board where they do not play, or that is none, is left out without a word.
    """
    user = request.user
    if not isinstance(user, User):
        return HttpResponse(status=204)
    if _tries(caches["presence"], f"here:{user.pk}", HERE_EVERY_S) > MOST_HERE:
        return HttpResponse(status=429)
    game = request.POST.get("game", "")
    game_id = int(game) if re.fullmatch(r"[0-9]{1,15}", game, re.ASCII) else None
    if game_id is not None and not plays_in(game_id, user):
        game_id = None
    seen_note(user=user, now=clock.now(), game_id=game_id)
    return HttpResponse(status=204)


def browser_name(agent: str) -> str:
    """Name a browser as its owner would: which one, on what."""
    browser = next((name for part, name in _BROWSERS if part in agent), _("Browser"))
    system = next((name for part, name in _SYSTEMS if part in agent), "")
    return (
        _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
        if system
        else (browser)
    )


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _may_try(request: HttpRequest, user: User) -> bool:
    if _tries(cache, f"webhook-tries:{user.pk}", TESTS_EVERY_S) <= MOST_TESTS:
        return True
    messages.error(request, _("That was tried often just now. Wait ten minutes."))
    return False


def _tries(store: BaseCache, key: str, every_s: int) -> int:
    """Count one more; gives how many there were since the first, in so many seconds."""
    store.add(key, 0, every_s)
    try:
        return store.incr(key)
    except ValueError:  # those seconds ended in between
        return 1


def _webhook_set(request: HttpRequest, user: User) -> HttpResponse:
    form = WebhookForm(request.POST)
    if not form.is_valid():
        return _page(request, user, webhook_form=form, status=422)
    if not _may_try(request, user):
        return _page(request, user, webhook_form=form, status=429)
    webhook_set(user=user, url=form.cleaned_data["url"])
    request.session[_SHOWN_ONCE] = True
    messages.success(request, _("The webhook is set."))
    return redirect("games:notices")


def _webhook_test(request: HttpRequest, user: User) -> HttpResponse:
    hook = Webhook.objects.filter(user=user).first()
    if hook is None:
        return redirect("games:notices")
    if not _may_try(request, user):
        return _page(request, user, status=429)
    publish.task("games.webhook_test", hook.pk)
    messages.info(request, _("A test is on its way. Look again in a moment for how it went."))
    return redirect("games:notices")


def _page(
    request: HttpRequest,
    user: User,
    *,
    form: NoticeChoiceForm | None = None,
    webhook_form: WebhookForm | None = None,
    status: int = 200,
) -> HttpResponse:
    hook = Webhook.objects.filter(user=user).first()
    context: dict[str, Any] = {
        "form": form or NoticeChoiceForm(instance=notice_choice(user)),
        "webhook": hook,
        "webhook_error": trouble_text(hook.last_error) if hook else "",
        "webhook_form": webhook_form or WebhookForm(initial={"url": hook.url if hook else ""}),
        "secret": hook.secret if request.session.pop(_SHOWN_ONCE, False) and hook else "",
        "devices": [
            (device, trouble_text(device.last_error))
            for device in PushDevice.objects.filter(user=user)
        ],
        "public_key": push.public_key() if push.is_on() else "",
    }
    return render(request, "games/notices.html", context, status=status)
