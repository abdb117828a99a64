"""Forms of vacations: by days of the player's own calendar."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

LATEST = date(9998, 12, 30)


class PlanForm(forms.Form):
    """From the beginning of one day to the end of another, in the active time zone."""

    first = forms.DateField(
        label=_("First day"),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": _("Choose the first day."), "invalid": _("Choose a day.")},
    )
    last = forms.DateField(
        label=_("Last day"),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        error_messages={"required": _("Choose the last day."), "invalid": _("Choose a day.")},
    )

    def clean(self) -> dict[str, Any]:
        """Want the days in order."""
        cleaned = super().clean() or self.cleaned_data
        first, last = cleaned.get("first"), cleaned.get("last")
        if first and last and last < first:
            self.add_error("last", _("The last day comes before the first."))
        if last and last > LATEST:
            self.add_error("last", _("Choose a day."))
        return cleaned

    def span(self, now: datetime) -> tuple[datetime, datetime]:
        """Give the moments of a valid form; a first day that has begun counts from now on."""
        start = _midnight(self.cleaned_data["first"])
        end = _midnight(self.cleaned_data["last"] + timedelta(days=1))
        is_today = start <= now < start + timedelta(days=1)
        return (now if is_today else start), end


class ChoiceForm(forms.Form):
    """Whether a vacation may begin by itself."""

    is_automatic = forms.TypedChoiceField(
        choices=[("yes", _("Yes")), ("no", _("No"))], coerce=lambda value: value == "yes"
    )
    next = forms.CharField(required=False, max_length=500)


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time(0)))
