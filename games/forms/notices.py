"""Forms of the page "Notices"."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts import push
from accounts.channels import HOURS_BETWEEN
from accounts.models import NoticeChoice
from accounts.outbound import MOST_URL, OutboundError, is_number, is_public, target_of


def _every(hours: int) -> str:
    return ngettext("every %(n)s hour", "every %(n)s hours", hours) % {"n": hours}


class NoticeChoiceForm(forms.ModelForm):  # type: ignore[type-arg]  # not generic at run time
    """How often mails come."""

    class Meta:
        model = NoticeChoice
        fields = ["mail", "mail_every_h", "mail_hour", "reminders"]

    mail = forms.ChoiceField(
        label=_("Mails about your turns, challenges and results"),
        choices=NoticeChoice.Mail.choices,
        widget=forms.RadioSelect,
    )
    mail_every_h = forms.TypedChoiceField(
        label=_("If every few hours"),
        coerce=int,
        choices=lambda: [(hours, _every(hours)) for hours in HOURS_BETWEEN],
    )
    mail_hour = forms.TypedChoiceField(
        label=_("If once a day, at"),
        coerce=int,
        choices=[(hour, f"{hour:02}:00") for hour in range(24)],
    )
    reminders = forms.BooleanField(
        label=_("Remind me 24, 8 and 2 hours before my time runs out"), required=False
    )


class WebhookForm(forms.Form):
    """The address of a player's own webhook."""

    url = forms.CharField(
        label=_("Address"),
        max_length=MOST_URL,
        widget=forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off"}),
    )

    def clean_url(self) -> str:
        """Take https addresses alone, and no number of a host that is not public.

        Whether a name leads to a public host is seen when something is sent.
        """
        url: str = self.cleaned_data["url"]
        try:
            host = target_of(url).host
        except OutboundError:
            host = ""
        if not host or (is_number(host) and not is_public(host)):
            raise forms.ValidationError(
                _("The address must begin with https://, with a host that others can reach.")
            )
        return url


class DeviceForm(forms.Form):
    """What a browser tells of its subscription."""

    endpoint = forms.CharField(max_length=MOST_URL)
    p256dh = forms.CharField(max_length=90)
    auth = forms.CharField(max_length=30)

    def clean(self) -> dict[str, Any]:
        """Check address and keys, so that nothing else comes to light when it is sent."""
        told = self.cleaned_data
        if len(told) < 3:
            return told
        try:
            target_of(told["endpoint"])
        except OutboundError as fault:
            raise forms.ValidationError(_("This is no address of a push service.")) from fault
        if not push.is_key_pair(told["p256dh"], told["auth"]):
            raise forms.ValidationError(_("These are no keys of a browser."))
        return told
