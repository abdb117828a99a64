"""Forms of the ladders' pages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.forms.offers import DEFAULT_PACE
from games.paces import CORRESPONDENCE
from games.presenters.terms import pace_text
from ladder.models import Standing
from ladder.pairing import MAX_WANTED, Wish


def _wanted_choices() -> list[tuple[int, str]]:
    none = gettext("none: only my own offers and challenges")
    told = [
        (n, ngettext("%(n)s match", "%(n)s matches", n) % {"n": n}) for n in range(MAX_WANTED + 1)
    ]
    return [(0, none), *told[1:]]


def _pace_choices() -> list[tuple[str, str]]:
    return [(slug, pace_text(pace)) for slug, pace in CORRESPONDENCE.items()]


class WishForm(forms.Form):
    """How many ladder matches a member wants at once, and at which paces."""

    n_wanted = forms.TypedChoiceField(
        label=_("Matches at once"),
        choices=_wanted_choices,
        coerce=int,
        empty_value=0,  # type: ignore[arg-type]  # the stubs know strings only
        required=False,
        error_messages={"invalid_choice": _("Choose 0 to 5 matches.")},
    )
    paces = forms.MultipleChoiceField(
        label=_("Paces you accept"),
        choices=_pace_choices,
        widget=forms.CheckboxSelectMultiple,
        required=False,
        error_messages={"invalid_choice": _("Choose from the paces listed.")},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""

    def clean(self) -> dict[str, Any]:
        """Ask for a pace where matches are wanted."""
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("n_wanted") and not cleaned.get("paces") and "paces" not in self.errors:
            self.add_error("paces", _("Choose at least one pace."))
        return cleaned

    def wish(self) -> Wish:
        """Give what a valid form asks for."""
        return Wish(self.cleaned_data["n_wanted"], frozenset(self.cleaned_data["paces"]))


def wish_form(standing: Standing | None) -> WishForm:
    """Give the form as it is shown: with a member's wish, or with what suits most people."""
    if standing is None:
        return WishForm(initial={"n_wanted": 1, "paces": [DEFAULT_PACE]})
    paces = standing.paces or [DEFAULT_PACE]
    return WishForm(initial={"n_wanted": standing.n_wanted, "paces": paces})
