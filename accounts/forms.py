"""Forms of registration, log-in and preferences."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as allauth_forms
from django import forms
from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.conduct import ChatLevel
from accounts.countries import country_choices
from accounts.models import User
from accounts.names import NAME_LENGTH, email_key, name_key
from accounts.zones import time_zones

PASSWORD_HELP = _("At least eight characters; not your name, and nothing that many people use.")


class _Plain:
    """Takes out allauth's placeholders: they repeat the label and vanish when one types."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
        if "email" in self.fields:
            self.fields["email"].label = _("E-mail address")


class SignupForm(_Plain, allauth_forms.SignupForm):  # type: ignore[misc]  # allauth ships no types
    """Registration: a name, an address and a password; the browser adds the time zone."""

    time_zone = forms.CharField(
        required=False, max_length=100, widget=forms.HiddenInput({"data-time-zone": ""})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        name, email = self.fields["username"], self.fields["email"]
        name.label = _("Name")
        name.help_text = _("How others see you. It cannot be changed later.")
        name.widget.attrs.update(maxlength=NAME_LENGTH, autofocus=True, spellcheck="false")
        email.help_text = _("Nobody else sees it.")
        self.fields["password1"].help_text = PASSWORD_HELP
        self.fields["password2"].label = _("Password, once more")

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Make the user, or answer a taken address as if it were free.

        Raises `IntegrityError` where somebody took the name or the address meanwhile.
        """
        if self.account_already_exists:
            # As slow as a new account, so that the time does not tell (fault 100).
            make_password(self.cleaned_data["password1"])
        with transaction.atomic():
            answer: tuple[User | None, HttpResponse | None] = super().try_save(request)
            return answer


class LoginForm(_Plain, allauth_forms.LoginForm):  # type: ignore[misc]  # allauth ships no types
    """Log-in by name or address, however they are written."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        login = self.fields["login"]
        login.label = _("Name or e-mail address")
        login.widget.attrs.update(
            autofocus=True, autocomplete="username", autocapitalize="none", spellcheck="false"
        )
        self.fields["remember"].label = _("Stay logged in on this device")

    def clean_login(self) -> str:
        """Give the stored form of what was typed, so that attempts are counted for one user."""
        typed = str(self.cleaned_data["login"])
        if "@" in typed:
            return email_key(typed)
        found = User.objects.filter(name_key=name_key(typed)).values_list("name", flat=True)
        return found.first() or typed.strip()


class AddEmailForm(_Plain, allauth_forms.AddEmailForm):  # type: ignore[misc]  # no types
    """A new address, which counts once it is confirmed."""


class ResetPasswordForm(_Plain, allauth_forms.ResetPasswordForm):  # type: ignore[misc]  # no types
    """The address to which a link is sent."""


class _NewPassword(_Plain):
    """Asks for a new password in the words of the registration form."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].label = _("New password")
        self.fields["password1"].help_text = PASSWORD_HELP
        self.fields["password2"].label = _("New password, once more")


class ResetPasswordKeyForm(_NewPassword, allauth_forms.ResetPasswordKeyForm):  # type: ignore[misc]  # no types
    """A new password, by the link."""


class ChangePasswordForm(_NewPassword, allauth_forms.ChangePasswordForm):  # type: ignore[misc]  # no types
    """A new password, by the old one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].label = _("Current password")


class ReauthenticateForm(_Plain, allauth_forms.ReauthenticateForm):  # type: ignore[misc]  # no types
    """The password once more, before the address is changed."""


class DeleteAccountForm(forms.Form):
    """The password once more, before the account is deleted."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        error_messages={"required": _("Give your password, so that nobody else can do this.")},
    )

    def __init__(self, *args: Any, player: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player = player

    def clean(self) -> dict[str, Any]:
        """Check the password; a superuser's account stays, lest nobody could run the site."""
        cleaned = super().clean() or self.cleaned_data
        if self.player.is_superuser:
            self.add_error(None, _("Give up your rights over the site first."))
        elif "password" in cleaned and not self.player.check_password(cleaned["password"]):
            self.add_error("password", _("This is not your password."))
        return cleaned


class PreferencesForm(forms.ModelForm):  # type: ignore[type-arg]  # not generic at run time
    """What a player chooses for themself. The name is fixed."""

    class Meta:
        model = User
        fields = ["language", "time_zone", "country", "has_sounds", "takes_forced_turns", "chat"]

    language = forms.ChoiceField(label=_("Language"), choices=lambda: settings.LANGUAGES)
    time_zone = forms.ChoiceField(
        label=_("Time zone"), choices=lambda: [(zone, _zone_label(zone)) for zone in time_zones()]
    )
    country = forms.ChoiceField(
        label=_("Country"),
        required=False,
        choices=lambda: [("", _("I would rather not say")), *country_choices()],
    )
    has_sounds = forms.BooleanField(
        label=_("Sounds at the board"),
        required=False,
        help_text=_("When it is your turn, a card is laid, or a stone or bridge is decided."),
    )
    takes_forced_turns = forms.BooleanField(
        label=_("Take forced turns for me"),
        required=False,
        help_text=_(
            "Where everybody can see from the open cards that only one turn is possible, a pass"
            " say, the site makes it at once. The log tells it. A turn that depends on your hand"
            " is always left to you."
        ),
    )
    chat = forms.ChoiceField(
        label=_("Chat in your matches"),
        choices=ChatLevel.choices,
        help_text=_("Whoever plays you is told what you take part in."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if len(settings.LANGUAGES) == 1:
            del self.fields["language"]  # one is no choice; what the row says stays


def _zone_label(zone: str) -> str:
    return zone.replace("_", " ")
