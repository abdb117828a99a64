"""A player's own data: to be taken along, and to be erased with the account."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.forms import DeleteAccountForm
from accounts.hooks import hooks
from accounts.models import User
from accounts.services import user_delete
from games import clock
from games.presenters.departures import departure_shown


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def account_delete(request: HttpRequest) -> HttpResponse:
    """Say what deleting the account means, and do it for who gives the password."""
    player = request.user
    assert isinstance(player, User)
    form = DeleteAccountForm(player=player)
    if request.method != "POST":
        return _delete_page(request, player, form)
    # As often as somebody may guess a password anywhere else on the site.
    if not ratelimit.consume(request, action="reauthenticate", user=player):
        return render(request, "429.html", status=429)
    form = DeleteAccountForm(request.POST, player=player)
    if not form.is_valid():
        return _delete_page(request, player, form, status=422)
    user_delete(user_id=player.pk, now=clock.now())
    logout(request)
    messages.success(request, _("Your account is deleted. Thank you for having played here."))
    return redirect("home")


@login_required
@require_safe
@never_cache
def account_data(request: HttpRequest) -> HttpResponse:
    """Give a player all that the site keeps about them, in JSON, to be saved as a file."""
    player = request.user
    assert isinstance(player, User)
    data = {
        "made_at": clock.now(),
        "account": {
            "name": player.name,
            "email_addresses": [
                {"email": address.email, "confirmed": address.verified, "primary": address.primary}
                for address in EmailAddress.objects.filter(user=player).order_by("pk")
            ],
            "language": player.language,
            "time_zone": player.time_zone,
            "country": player.country,
            "sounds": player.has_sounds,
            "forced_turns": player.takes_forced_turns,
            "chat": player.chat,
            "may_not_write_before": player.chat_muted_until,
            "joined": player.date_joined,
            "last_login": player.last_login,
        },
        **{key: export(player) for key, export in hooks.exports},
    }
    response = JsonResponse(data, json_dumps_params={"indent": 1, "ensure_ascii": False})
    response["Content-Disposition"] = 'attachment; filename="marchstone.json"'
    return response


def _delete_page(
    request: HttpRequest, player: User, form: DeleteAccountForm, status: int = 200
) -> HttpResponse:
    context = {"form": form, "departure": departure_shown(player, clock.now())}
    return render(request, "account/delete.html", context, status=status)
