"""The lobby and its offers. Every button is a plain form; the lists are fetched anew when told."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.fragments import is_fragment_request
from accounts.models import User
from games import clock
from games.access import invitation_access, offer_access
from games.admission import candidate
from games.forms.offers import (
    BotForm,
    OfferForm,
    blank_bot_form,
    blank_offer_form,
    new_request_id,
)
from games.models import Offer
from games.presenters.offers import (
    commitments_to,
    lobby_shown,
    maker_ratings,
    makers_away,
    offer_match_url,
    offer_refusal_text,
    offer_shown,
)
from games.presenters.outlook import outlook_of
from games.refusals import Code, Refusal
from games.services.bots import bot_match
from games.services.offers import offer_accept, offer_create, offer_decline, offer_withdraw
from games.services.shuffles import MAX_ROUNDS, secrets_draw
from games.views.matches import match_front


@require_safe
@never_cache
@vary_on_headers("HX-Request", "HX-Request-Type")
def lobby(request: HttpRequest) -> HttpResponse:
    """Show the open offers and the running games; the lists alone where htmx asks."""
    if is_fragment_request(request):
        return render(request, "games/_lobby.html", {"lobby": _lists(request)})
    return _lobby_page(request)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def offer_new(request: HttpRequest) -> HttpResponse:
    """Show the form of a new offer, and make it."""
    assert isinstance(request.user, User)
    if request.method == "POST" and "look" in request.POST:
        return _offer_look(request, request.user)
    if request.method == "POST":
        return _offer_make(request, OfferForm(request.POST, maker=request.user), request.user)
    kind = request.GET.get("kind", "")
    if kind not in Offer.Kind.values:
        kind = Offer.Kind.SEEK
    form = blank_offer_form(
        maker=request.user,
        kind=kind,
        to=request.GET.get("to", ""),
        rated=request.GET.get("rated", ""),
        asked=request.GET.get("ruleset", ""),
    )
    return _form_page(request, form)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def play_bot(request: HttpRequest) -> HttpResponse:
    """Choose a game to play with the easy bot, and start it at once.

    Who has been logged out meanwhile finds their choice again after logging in.
    """
    if not isinstance(request.user, User):
        asked = {"ruleset": request.POST["ruleset"]} if "ruleset" in request.POST else {}
        query = f"?{urlencode(asked)}" if asked else ""
        return redirect_to_login(f"{reverse('games:play_bot')}{query}")
    form = BotForm(request.POST) if request.method == "POST" else blank_bot_form()
    if not form.is_valid():
        status = 422 if form.is_bound else 200
        return _bot_page(
            request, _("Choose one of the games listed.") if form.is_bound else "", status
        )
    try:
        match = bot_match(
            user=request.user,
            terms=form.terms(),
            request_id=form.cleaned_data["request_id"],
            now=clock.now(),
        )
    except Refusal as refusal:
        return _bot_page(request, offer_refusal_text(refusal), refusal.status)
    return redirect(match_front(match))


@require_safe
@never_cache
@vary_on_headers("HX-Request", "HX-Request-Type")
def offer(request: HttpRequest, offer_id: int) -> HttpResponse:
    """Show one offer and what can be done with it."""
    found = offer_access(offer_id, request.user)
    if found.kind == Offer.Kind.INVITATION:
        return redirect("games:invitation", found.token)
    return _offer_page(request, found)


@require_safe
@never_cache
@vary_on_headers("HX-Request", "HX-Request-Type")
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation to whoever has its link."""
    return _offer_page(request, invitation_access(token))


@require_POST
def accept(request: HttpRequest, offer_id: int) -> HttpResponse:
    """Accept an offer and go to the first board; who is logged out logs in first."""
    token = request.POST.get("token", "")
    if not isinstance(request.user, User):
        return redirect_to_login(_page_of(offer_id, token))
    found = _offer_of(request, offer_id, token)
    try:
        match = offer_accept(
            offer_id=found.pk,
            user=request.user,
            now=clock.now(),
            token=token,
            nonce=request.POST.get("nonce", ""),
        )
    except Refusal as refusal:
        return _refused(request, refusal, token)
    return redirect(match_front(match))


@require_POST
def withdraw(request: HttpRequest, offer_id: int) -> HttpResponse:
    """Take one's own offer back."""
    if not isinstance(request.user, User):
        return redirect_to_login(_page_of(offer_id, ""))
    found = offer_access(offer_id, request.user)
    try:
        offer_withdraw(offer_id=found.pk, user=request.user, now=clock.now())
    except Refusal as refusal:
        if refusal.code == Code.OFFER_TAKEN:
            return _begun(request, found.pk)
        return _refused(request, refusal)
    return _after_closing(request, found, _("Your offer has been withdrawn."))


@require_POST
def decline(request: HttpRequest, offer_id: int) -> HttpResponse:
    """Say no to a challenge."""
    if not isinstance(request.user, User):
        return redirect_to_login(_page_of(offer_id, ""))
    found = offer_access(offer_id, request.user)
    try:
        offer_decline(offer_id=found.pk, user=request.user, now=clock.now())
    except Refusal as refusal:
        if refusal.code == Code.OFFER_TAKEN:
            return _begun(request, found.pk)
        return _refused(request, refusal)
    return _after_closing(request, found, _("You have declined."))


def _bot_page(request: HttpRequest, refused: str, status: int) -> HttpResponse:
    asked = request.POST.get("ruleset") or request.GET.get("ruleset", "")
    context = {"bot_form": blank_bot_form(asked), "refused": refused}
    return render(request, "games/play_bot.html", context, status=status)


def _offer_of(request: HttpRequest, offer_id: int, token: str) -> Offer:
    """Find the offer that is accepted; an invitation's link opens that invitation alone."""
    if not token:
        return offer_access(offer_id, request.user)
    found = invitation_access(token)
    if found.pk != offer_id:
        raise Http404
    return found


def _lists(request: HttpRequest) -> object:
    return lobby_shown(request.user, clock.now())


def _lobby_page(request: HttpRequest, refused: str = "", status: int = 200) -> HttpResponse:
    context = {"lobby": _lists(request), "refused": refused, "bot_form": blank_bot_form()}
    return render(request, "games/lobby.html", context, status=status)


def _form_page(
    request: HttpRequest, form: OfferForm, refused: str = "", status: int = 200
) -> HttpResponse:
    context = {
        "form": form,
        "kind": form["kind"].value(),
        "commitments": _form_commitments(form),
        "outlook": outlook_of(_values(form), MAX_ROUNDS, form.zone, clock.now()),
        "refused": refused,
    }
    return render(request, "games/offer_new.html", context, status=status)


def _offer_look(request: HttpRequest, maker: User) -> HttpResponse:
    """Show what the form means in time as it stands, and leave it as it is filled in."""
    form = OfferForm(initial=request.POST.dict(), maker=maker)
    if is_fragment_request(request):
        outlook = outlook_of(_values(form), MAX_ROUNDS, form.zone, clock.now())
        return render(request, "games/_time_outlook.html", {"outlook": outlook})
    return _form_page(request, form)


def _values(form: OfferForm) -> dict[str, object]:
    """Give what stands in the fields on which the times of a match depend."""
    names = ("pace", "ruleset", "n_rounds", "has_weekends", "is_strict")
    return {name: form[name].value() for name in names}


def _form_commitments(form: OfferForm) -> list[str]:
    """Draw the secrets of a form that is shown; a form without a request id has none."""
    try:
        drawn = secrets_draw(
            maker=form.maker, request_id=form["request_id"].value() or "", now=clock.now()
        )
    except Refusal:
        return []
    return commitments_to(drawn)


def _offer_page(
    request: HttpRequest, found: Offer, refused: str = "", status: int = 200
) -> HttpResponse:
    """Show an offer; its maker's page, and that of the one challenged, hear what becomes of it."""
    is_invitation = found.kind == Offer.Kind.INVITATION
    is_concerned = request.user.pk is not None and request.user.pk in (
        found.maker_id,
        found.addressee_id,
    )
    context = {
        "is_live": is_concerned and found.status in (Offer.Status.OPEN, Offer.Status.WAITING),
        "page_url": _page_of(found.pk, found.token if is_invitation else ""),
        "shown": offer_shown(
            found,
            request.user,
            clock.now(),
            has_link=is_invitation,
            ratings=maker_ratings([found]),
            away=makers_away([found], request.user, clock.now()),
            asked=candidate(request.user, [found]) if isinstance(request.user, User) else None,
        ),
        "match_url": offer_match_url(found, request.user),
        "login_url": _with_next("account_login", found),
        "signup_url": _with_next("account_signup", found),
        "refused": refused,
    }
    name = "invitation" if is_invitation else "offer"
    template = f"games/_{name}.html" if is_fragment_request(request) else f"games/{name}.html"
    return render(request, template, context, status=status)


def _offer_make(request: HttpRequest, form: OfferForm, maker: User) -> HttpResponse:
    if not form.is_valid():
        return _form_page(request, form, status=422)
    try:
        made = offer_create(
            maker=maker,
            kind=form.cleaned_data["kind"],
            terms=form.terms(),
            request_id=form.cleaned_data["request_id"],
            now=clock.now(),
            addressee=form.cleaned_data["addressee"],
            nonce=form.cleaned_data["nonce"],
            seen=form.cleaned_data["seen"],
        )
    except Refusal as refusal:
        return _form_refused(request, form, refusal)
    if made.status == Offer.Status.ACCEPTED:
        return redirect(match_front(made.match))
    if made.kind == Offer.Kind.SEEK:
        messages.success(request, _("Your offer stands in the lobby."))
        return redirect("games:lobby")
    return redirect("games:offer", made.pk)


def _form_refused(request: HttpRequest, form: OfferForm, refusal: Refusal) -> HttpResponse:
    """Show the form as it was filled in; a spent request id is replaced."""
    text = offer_refusal_text(refusal)
    if refusal.code == Code.OFFER_CLOSED:
        text = _(
            "The offer of this form is no longer open. Send the form once more to make it anew."
        )
    if refusal.code in (Code.REQUEST_REUSED, Code.OFFER_CLOSED, Code.FORM_EXPIRED):
        data = request.POST.copy()
        data["request_id"] = new_request_id()
        form = OfferForm(data, maker=form.maker)
    return _form_page(request, form, text, refusal.status)


def _refused(request: HttpRequest, refusal: Refusal, token: str = "") -> HttpResponse:
    """Say why, on the page as it is now: the invitation, or the lobby with fresh lists."""
    text = offer_refusal_text(refusal)
    if token:
        return _offer_page(request, invitation_access(token), text, refusal.status)
    return _lobby_page(request, text, refusal.status)


def _begun(request: HttpRequest, offer_id: int) -> HttpResponse:
    """Lead one of the two to the match that came of an offer before they could close it."""
    messages.info(request, _("This offer has already been accepted: here is the match."))
    return redirect(match_front(offer_access(offer_id, request.user).match))


def _after_closing(request: HttpRequest, found: Offer, text: str) -> HttpResponse:
    messages.success(request, text)
    if found.rematch_of_id is not None:
        return redirect("games:match", found.rematch_of_id)
    return redirect("games:lobby")


def _with_next(name: str, found: Offer) -> str:
    token = found.token if found.kind == Offer.Kind.INVITATION else ""
    return f"{reverse(name)}?{urlencode({REDIRECT_FIELD_NAME: _page_of(found.pk, token)})}"


def _page_of(offer_id: int, token: str) -> str:
    if token:
        return reverse("games:invitation", args=[token])
    return reverse("games:offer", args=[offer_id])
