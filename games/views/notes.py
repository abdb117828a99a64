"""A player's own note on a game. Its form saves itself; without script a button does."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.fragments import is_fragment_request
from games.access import game_access
from games.forms.note import NoteForm
from games.presenters.note import Note, note_of
from games.presenters.refusals import refusal_text
from games.refusals import Code, Refusal
from games.services.desks import note_save


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def note(request: HttpRequest, game_id: int) -> HttpResponse:
    """Save the note; what cannot be saved comes back with the reason, and nothing is lost."""
    seen = game_access(game_id, request.user)
    if request.method != "POST":
        return redirect(seen.game)
    form = NoteForm(request.POST)
    try:
        if not form.is_valid():
            raise Refusal(Code.NOT_A_PLAYER if seen.seat is None else Code.MALFORMED)
        desk = note_save(
            seen=seen,
            text=form.cleaned_data["text"].replace("\r\n", "\n"),
            expected_version=form.cleaned_data["note_version"],
            page=form.cleaned_data["page"],
            is_over=form.cleaned_data["over"],
        )
    except Refusal as refusal:
        return _show(request, _refused(game_id, form, refusal), refusal.status)
    if is_fragment_request(request):
        saved = note_of(game_id, desk, form.cleaned_data["page"])
        return _show(request, replace(saved, is_saved=True))
    return redirect(f"{seen.game.get_absolute_url()}#note")


def _refused(game_id: int, form: NoteForm, refusal: Refusal) -> Note:
    told = refusal_text(refusal)
    if "text" in form.errors and refusal.code == Code.MALFORMED:
        told = _("A note has at most 2000 characters: this one was not saved.")
    version = form.cleaned_data.get("note_version", 0)
    page, text = form.cleaned_data.get("page", ""), form.data.get("text", "")
    return Note(game_id, text, version, page, refusal=told, stored=refusal.params.get("stored"))


def _show(request: HttpRequest, shown: Note, status: int = 200) -> HttpResponse:
    template = "games/board/_note_state.html" if is_fragment_request(request) else "games/note.html"
    return render(request, template, {"note": shown}, status=status)
