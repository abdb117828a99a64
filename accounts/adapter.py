"""How allauth makes and finds this site's users."""

from __future__ import annotations

import logging
from typing import Any, cast

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.forms import BaseForm
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from accounts.mails import spoken_to
from accounts.models import RetiredName, User
from accounts.names import (
    clean_email,
    clean_name,
    is_look_alike,
    look_alike_keys,
    look_alike_prints,
)
from accounts.zones import time_zone_or_utc

log = logging.getLogger(__name__)

_NO_LOGIN = _("The name or address and the password do not belong together.")


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """allauth's rules with our names, addresses and preferences."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_taken": _("Somebody has this name, or one that looks like it."),
        "username_password_mismatch": _NO_LOGIN,
        "email_password_mismatch": _NO_LOGIN,
        "account_inactive": _("This account is closed."),
        "cannot_remove_primary_email": _("This is the address we write to; it cannot be removed."),
        "duplicate_email": _("This address is yours already."),
        "email_taken": _("Somebody has registered with this address already."),
        "enter_current_password": _("This is not your current password."),
        "incorrect_password": _("This is not your password."),
        "invalid_or_expired_key": _("This link no longer works."),
        "invalid_password_reset": _("This link no longer works."),
        "too_many_login_attempts": _("Too many attempts. Wait a while and try again."),
        "rate_limited": _("Too many requests. Wait a while and try again."),
        "same_as_current": _("This is what you have now."),
        "unverified_primary_email": _("Confirm this address first."),
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Give the name as it is stored. Raises `ValidationError` where it cannot be had.

        `shallow` leaves out the question whether somebody has it. Two queries otherwise.
        """
        name = clean_name(username)
        if not shallow and _is_taken(name):
            raise self.validation_error("username_taken")
        return name

    def clean_email(self, email: str) -> str:
        """Give the address as it is stored. Raises `ValidationError` where it is none."""
        return clean_email(email)

    def save_user(
        self, request: HttpRequest, user: User, form: BaseForm, commit: bool = True
    ) -> User:
        """Save a new user with the language they see and the zone their browser tells."""
        user.language = get_language() or user.language
        user.time_zone = time_zone_or_utc(form.cleaned_data.get("time_zone") or "")
        return cast(User, super().save_user(request, user, form, commit))

    def set_password(self, user: User, password: str) -> None:
        """Save a new password, and nothing else that may have changed meanwhile."""
        user.set_password(password)
        user.save(update_fields=["password"])

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail whose links lead to the site's own address.

        allauth takes it from the request, whose `Host` is the visitor's word: whoever asks for
        somebody's new password would choose where the link in their mail leads.
        """
        here = self.request.build_absolute_uri("/")
        told = {
            key: f"{settings.SITE_URL}/{value.removeprefix(here)}"
            if isinstance(value, str) and value.startswith(here)
            else value
            for key, value in context.items()
        }
        super().send_mail(template_prefix, email, told)

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Tell a player what changed about the account, in the player's language and zone.

        It has changed by then: that the mail did not go out makes no error of it.
        """
        reset = settings.SITE_URL + reverse("account_reset_password")
        told = {"player": user, "reset_url": reset, **(context or {})}
        try:
            with spoken_to(user):
                super().send_notification_mail(template_prefix, user, told, email)
        except OSError:
            log.exception("mail about a changed account could not be sent")

    def add_message(self, *args: Any, **kwargs: Any) -> None:
        """Say what happened, except where the page that follows shows it anyway."""
        template = kwargs.get("message_template") or (args[2] if len(args) > 2 else "")
        if template == _MAIL_SENT:
            self.request.has_sent_confirmation = True
        if template in _SILENT or (template == _MAIL_SENT and not self._is_logged_in()):
            return
        super().add_message(*args, **kwargs)

    def respond_email_verification_sent(self, request: HttpRequest, user: User | None) -> Any:
        """Lead to the page that says where the mail is, or that none was sent once more.

        The latter only for somebody known: who is refused an address learns nothing by it.
        """
        answer = super().respond_email_verification_sent(request, user)
        if user is not None and not getattr(request, "has_sent_confirmation", False):
            answer["Location"] += "?sent=before"
        return answer

    def _is_logged_in(self) -> bool:
        user = getattr(self.request, "user", None)
        return user is not None and user.is_authenticated

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Lead from a new password to the profile, where the message says that it is saved."""
        return cast(User, request.user).get_absolute_url()


def _is_taken(name: str) -> bool:
    """Say whether somebody has, or had, a name that looks like this one, in small or capitals."""
    others = User.objects.filter(name_key__in=look_alike_keys(name))
    if any(is_look_alike(name, other) for other in others.values_list("name", flat=True)):
        return True
    return RetiredName.objects.filter(print__in=look_alike_prints(name)).exists()


_SILENT = {"account/messages/logged_in.txt"}
_MAIL_SENT = "account/messages/email_confirmation_sent.txt"
"""Whoever is not logged in yet is led to a page that says where the mail is."""
