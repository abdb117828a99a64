"""The form over a player's matches: what is asked for, and in which order.

It is sent by GET, so each look at the list has an address. A field that cannot be read says why
and asks for nothing; the others hold.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names import name_key
from games.history import Cursor, Filters, Order, Result
from games.models import Match
from games.presenters.history import RESULTS
from games.titles import playable_rulesets

FIRST_DAY: Final = date(2000, 1, 1)
LAST_DAY: Final = date(2199, 12, 31)
MAX_ID: Final = 2**63 - 1
ANY: Final = ("", _("any"))

ENDINGS: Final = (
    (Match.Ending.POINTS, _("Played out")),
    (Match.Ending.RESIGN, _("Resigned")),
    (Match.Ending.TIMEOUT, _("Lost on time")),
    (Match.Ending.ABORT, _("Aborted")),
    (Match.Ending.ABANDONED, _("Never started")),
    (Match.Ending.ANNULLED, _("Annulled")),
    (Match.Ending.ACCOUNT, _("Account deleted")),
)
ORDERS: Final = (
    (Order.NEWEST, _("Newest first")),
    (Order.OLDEST, _("Oldest first")),
    (Order.MOST_POINTS, _("Most points first")),
    (Order.FEWEST_POINTS, _("Fewest points first")),
)


def _ruleset_choices() -> Iterable[tuple[str, Any]]:
    return [ANY, *((f"{r.title}/{r.slug}", gettext(r.name)) for r in playable_rulesets())]


def _day_field(label: Any) -> forms.DateField:
    """Make a field for a day, written as browsers write one."""
    limits = {"min": FIRST_DAY.isoformat(), "max": LAST_DAY.isoformat()}
    message = _("Choose a day between 2000 and 2199.")
    return forms.DateField(
        label=label,
        required=False,
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(attrs={"type": "date", **limits}, format="%Y-%m-%d"),
        error_messages={"invalid": _("Write the day as 2026-03-31.")},
        validators=[MinValueValidator(FIRST_DAY, message), MaxValueValidator(LAST_DAY, message)],
    )


class HistoryForm(forms.Form):
    """Filters, order and page of a list of matches. `since` and `until` are days of begin."""

    result = forms.ChoiceField(label=_("Result"), required=False, choices=[ANY, *RESULTS.items()])
    ending = forms.ChoiceField(label=_("How it ended"), required=False, choices=[ANY, *ENDINGS])
    ruleset = forms.ChoiceField(label=_("Game"), required=False, choices=_ruleset_choices)
    opponent = forms.CharField(
        label=_("Opponent"),
        required=False,
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "off"}),
    )
    since = _day_field(_("Begun from"))
    until = _day_field(_("Begun until"))
    sort = forms.ChoiceField(label=_("Order"), required=False, choices=ORDERS)
    after = forms.IntegerField(required=False, min_value=1, max_value=MAX_ID)
    before = forms.IntegerField(required=False, min_value=1, max_value=MAX_ID)

    def clean_opponent(self) -> User | None:
        """Find the player by name, however it is written. One query where one is named."""
        name = self.cleaned_data["opponent"]
        if not name:
            return None
        found = User.objects.filter(name_key=name_key(name)).first()
        if found is None:
            raise forms.ValidationError(_("There is no player with that name."))
        return found

    def clean(self) -> None:
        """Refuse a last day before the first."""
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and until < since:
            self.add_error("until", _("This day comes before the first one."))

    @property
    def filters(self) -> Filters:
        """Give what is asked for; what could not be read asks for nothing. Valid forms or not."""
        data = self.cleaned_data
        title, _slash, slug = data.get("ruleset", "").partition("/")
        until = data.get("until")
        return Filters(
            result=Result(data["result"]) if data.get("result") else None,
            opponent=data.get("opponent"),
            ruleset=(title, slug) if slug else None,
            ending=data.get("ending", ""),
            since=_begin_of(data.get("since")),
            before=_begin_of(until + timedelta(days=1) if until else None),
        )

    @property
    def order(self) -> Order:
        """Give the order asked for."""
        return Order(self.cleaned_data.get("sort") or Order.NEWEST)

    @property
    def cursor(self) -> Cursor | None:
        """Give where the page begins, None for the first page."""
        after, before = self.cleaned_data.get("after"), self.cleaned_data.get("before")
        if after:
            return Cursor(after, is_back=False)
        return Cursor(before, is_back=True) if before else None

    @property
    def is_narrowed(self) -> bool:
        """Say whether anything but the order was asked for."""
        return self.filters != Filters()

    def query(self, **page: int) -> str:
        """Write what was asked for as the query of an address, with another page."""
        asked = {
            name: self[name].value()
            for name in self.fields
            if name not in ("after", "before") and self.cleaned_data.get(name)
        }
        return urlencode({**asked, **page})


def _begin_of(day: date | None) -> datetime | None:
    """Give the first moment of a day in the zone of who asks."""
    return None if day is None else timezone.make_aware(datetime.combine(day, time.min))
