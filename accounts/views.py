"""allauth's views where two people can want the same name or address at once."""

from __future__ import annotations

from typing import Any

from allauth.account.views import ConfirmEmailView as AllauthConfirmEmailView
from allauth.account.views import SignupView as AllauthSignupView
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _


class SignupView(AllauthSignupView):  # type: ignore[misc]  # allauth ships no types
    """Registration that survives a race: who comes second is told as if they had come later."""

    def form_valid(self, form: Form) -> HttpResponse:
        """Save, or check again against what the other request has saved meanwhile."""
        try:
            return super().form_valid(form)  # type: ignore[no-any-return]
        except IntegrityError:
            form.full_clean()
            if not form.is_valid():
                return self.form_invalid(form)  # type: ignore[no-any-return]
            return super().form_valid(form)  # type: ignore[no-any-return]


class ConfirmEmailView(AllauthConfirmEmailView):  # type: ignore[misc]  # allauth ships no types
    """Confirmation of an address that another account may have taken since."""

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        """Confirm, or say that it is too late; nothing changes then."""
        try:
            with transaction.atomic():
                return super().post(*args, **kwargs)  # type: ignore[no-any-return]
        except IntegrityError:
            messages.error(
                self.request, _("This address belongs to another account, so it was not confirmed.")
            )
            return redirect("home")
