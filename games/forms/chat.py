"""Forms of the chat. What they let through, the service checks."""

from __future__ import annotations

from django import forms

from games.forms.offers import MAX_VERSION
from games.services.rows import MAX_REQUEST_ID

MAX_RAW = 4000
"""More is not even looked at; what is left of it in plain text may be much shorter."""


class MessageForm(forms.Form):
    """A greeting or free text; `game` is the board that it was sent from, if one.

    `seen` is the number of the last message that stood above it.
    """

    text = forms.CharField(required=False, max_length=MAX_RAW, strip=False)
    greeting = forms.CharField(required=False, max_length=20)
    request_id = forms.CharField(max_length=MAX_REQUEST_ID)
    seen = forms.IntegerField(required=False, min_value=0, max_value=MAX_VERSION)
    game = forms.IntegerField(required=False, min_value=1, max_value=MAX_VERSION)


class SeenForm(forms.Form):
    """Up to which message a player has read."""

    number = forms.IntegerField(min_value=0, max_value=MAX_VERSION)


class MuteForm(forms.Form):
    """Whether chat is off in this match; `game` as above."""

    is_muted = forms.BooleanField(required=False)
    game = forms.IntegerField(required=False, min_value=1, max_value=MAX_VERSION)
