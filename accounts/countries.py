"""Countries: ISO 3166-1 as django-countries keeps it, with names in every language of the site."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django_countries import countries


def country_choices() -> list[tuple[str, str]]:
    """Give codes and names, sorted in the active language."""
    return [(code, name) for code, name in countries]


def country_name(code: str) -> str:
    """Give a country's name in the active language; empty for an unknown code."""
    return str(countries.name(code))


def validate_country(code: str) -> None:
    """Raise `ValidationError` for anything but a code of two capital letters in the list."""
    if code not in countries.countries:
        raise ValidationError(_("Choose a country from the list."), code="country")
