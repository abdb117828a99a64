"""The addresses of the staff pages, for tests that visit all of them."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Model
from django.urls import reverse

from accounts.staff import staff_site


def path(label: str, what: str, *args: object) -> str:
    app, _, model = label.partition(".")
    return reverse(f"admin:{app}_{model}_{what}", args=args)


def rows(label: str) -> list[Model]:
    found = {model._meta.label_lower: model for model in staff_site._registry}[label]
    return list(found._default_manager.all())


def staff_paths() -> Iterator[str]:
    """Give the addresses of all lists, pages of rows, histories and deletions."""
    yield "/staff/"
    for model in staff_site._registry:
        label = model._meta.label_lower
        yield path(label, "changelist")
        yield path(label, "changelist") + "?q=Owner"
        for row in rows(label):
            yield from (path(label, what, row.pk) for what in ("change", "history", "delete"))
    for app in {model._meta.app_label for model in staff_site._registry}:
        yield reverse("admin:app_list", args=[app])
