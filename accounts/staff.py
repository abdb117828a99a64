"""The staff pages: one site for all apps, and what its lists and forms have in common.

Staff look at rows that services own, and change none of them here. What is not listed by name
is not shown, and cannot be asked for by a filter in an address either: a question answered with
yes or no would tell hidden cards one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import MAXYEAR
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.admin.views.main import ChangeList
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin

LOOKUPS: Final = {"id", "exact", "in", "isnull", "gte", "gt", "lte", "lt", "year", "month", "day"}
"""How a field may be asked for in the address of a list."""


class StaffSite(admin.AdminSite):
    """Django's admin, entered through the site's own log-in page."""

    site_header = _("Marchstone staff")
    site_title = _("Marchstone staff")
    index_title = _("What there is")

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Lead to the site's log-in page. Raises `PermissionDenied` for who is logged in."""
        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))

    def password_change(  # type: ignore[override]  # the stubs know template responses only
        self, request: HttpRequest, extra_context: Any = None
    ) -> HttpResponse:
        """Change the password where everybody does, so that open pages hear of it."""
        return redirect("account_change_password")


staff_site = StaffSite(name="admin")
"""The one site; each app's admin.py registers its models here."""


class ValuesFilter(admin.AllValuesFieldListFilter):
    """All values that a field has; that it has none is a link with a name too."""

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Show an empty value as the lists do."""
        for choice in super().choices(changelist):
            yield {**choice, "display": choice["display"] or self.empty_value_display}


class StaffAdmin(ModelAdmin):
    """A list and a page for rows; `fields` and `list_filter` are all that can be seen or asked."""

    list_per_page = 50
    show_full_result_count = False
    actions: Sequence[Any] | None = None
    view_on_site = False
    linked: ClassVar[tuple[str, ...]] = ()
    """Relations by whose id a list may be narrowed."""

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Let an address ask for what the filters beside the list ask for, and nothing else."""
        field, *rest = lookup.split("__")
        is_asked = field in set(self._asked()) and all(part in LOOKUPS for part in rest)
        return is_asked and _is_value(str(value), is_year="year" in rest)

    def _asked(self) -> Iterator[str]:
        yield from self.linked
        for told in self.list_filter:
            yield str(told[0] if isinstance(told, tuple) else told)
        if self.date_hierarchy:
            yield self.date_hierarchy


def _is_value(text: str, *, is_year: bool) -> bool:
    """Say whether a database can be asked for a value; of a year also the end is a date."""
    if is_year:
        return text.isascii() and text.isdigit() and 0 < int(text[:5]) < MAXYEAR
    return "\0" not in text


class ReadOnlyAdmin(StaffAdmin):
    """Rows to be looked at: services, tasks or allauth write them."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse."""
        return False


@admin.register(LogEntry, site=staff_site)
class LogEntryAdmin(ReadOnlyAdmin):
    """What staff changed: who, when, what."""

    list_display = ("action_time", "user", "content_type", "object_repr", "get_change_message")
    list_filter = ("action_flag", "content_type")
    list_select_related = ("user", "content_type")
    date_hierarchy = "action_time"
    fields = (
        "action_time",
        "user",
        "content_type",
        "object_id",
        "object_repr",
        "action_flag",
        "get_change_message",
    )
    readonly_fields = ("get_change_message",)
