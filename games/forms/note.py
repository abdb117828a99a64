"""The form of a player's own note on a game."""

from __future__ import annotations

from django import forms

from games.desk import MAX_NOTE


class NoteForm(forms.Form):
    """A note as an open page sends it; `over` says that it may replace what another page wrote."""

    text = forms.CharField(max_length=MAX_NOTE, required=False, strip=False)
    note_version = forms.IntegerField(min_value=0, max_value=2**31 - 1)
    page = forms.CharField(max_length=64)
    over = forms.BooleanField(required=False)
