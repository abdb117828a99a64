"""Why a new password is refused, in the words of the site. The checks are Django's own."""

from __future__ import annotations

import re
from typing import Any, Final

from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

SITE_NAME: Final = "marchstone"
"""Guessed first here, and printed as the password of the demo."""


class LengthValidator(password_validation.MinimumLengthValidator):
    """Refuses short passwords."""

    def get_error_message(self) -> str:
        """Say how long it has to be."""
        return _("A password has at least %(n)s characters.") % {"n": self.min_length}


class SimilarityValidator(password_validation.UserAttributeSimilarityValidator):
    """Refuses passwords that are much like the name or the address."""

    def get_error_message(self) -> str:
        """Say what is wrong."""
        return _("This is too much like your name or your address.")


class CommonValidator(password_validation.CommonPasswordValidator):
    """Refuses passwords that many people use, or would use on this site."""

    def validate(self, password: str, user: Any = None) -> None:
        """Raise `ValidationError` for one that is common, or the site's name with trimmings."""
        super().validate(password, user)
        if re.sub(r"[\W\d_]+", "", password.casefold()) == SITE_NAME:
            raise ValidationError(self.get_error_message(), code="password_too_common")

    def get_error_message(self) -> str:
        """Say what is wrong."""
        return _("Many people use this password. Choose another one.")
