"""Staff pages for accounts: who there is, and who may use the site."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangosGroupAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.conduct import Block, Report
from accounts.models import User
from accounts.reports import KINDS, report_close
from accounts.services import user_admission_set, user_delete
from accounts.staff import ReadOnlyAdmin, StaffAdmin, staff_site

RIGHTS: Final = ("is_staff", "is_superuser", "groups")
"""What superusers alone give and take."""


@admin.register(User, site=staff_site)
class UserAdmin(StaffAdmin):
    """Accounts. Staff shut people out and let them in, and keep them from writing for a while.

    Names and addresses are their owners'.
    """

    list_display = ("name", "email", "is_active", "is_staff", "is_bot", "is_guest", "date_joined")
    list_filter = ("is_active", "is_staff", "is_bot", "is_guest")
    date_hierarchy = "date_joined"
    search_fields = ("name", "email")
    ordering = ("name",)
    view_on_site = True
    fields = (
        "name",
        "email",
        "is_active",
        *RIGHTS,
        "is_bot",
        "is_guest",
        "country",
        "language",
        "time_zone",
        "chat",
        "chat_muted_until",
        "date_joined",
        "last_login",
        "deleted_at",
    )
    filter_horizontal = ("groups",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Leave open what this member of staff may change; nobody shuts themself out."""
        may_change = set()
        if obj is not None and obj.pk != request.user.pk and not obj.is_deleted:
            may_change = {
                "is_active",
                "chat_muted_until",
                *(RIGHTS if request.user.is_superuser else ()),
            }
        return [field for field in self.fields if field not in may_change]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: people register, and bots are made by code."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Leave bots, superusers and one's own account alone; the latter has a page of its own."""
        if obj is not None and (obj.is_bot or obj.is_superuser or obj.pk == request.user.pk):
            return False
        is_gone = obj is not None and obj.is_deleted
        return not is_gone and super().has_delete_permission(request, obj)

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[Any], dict[str, int], set[str], list[Any]]:
        """Name the account alone: the row stays with its matches, only the person is erased."""
        return [str(user) for user in objs], {}, set(), []

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        """Delete an account as its owner would."""
        user_delete(user_id=obj.pk, now=timezone.now())

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Leave superusers to superusers."""
        if obj is not None and obj.is_superuser and not request.user.is_superuser:
            return False
        return super().has_change_permission(request, obj)

    def save_model(
        self, request: HttpRequest, obj: User, form: ModelForm[User], change: bool
    ) -> None:
        """Save what was changed and nothing else, admission through its service."""
        if "is_active" in form.changed_data:
            user_admission_set(user=obj, is_active=obj.is_active)
        rights = {"is_staff", "is_superuser", "chat_muted_until"} & set(form.changed_data)
        if rights:
            obj.save(update_fields=rights)


@admin.register(EmailAddress, site=staff_site)
class EmailAddressAdmin(ReadOnlyAdmin):
    """Addresses, and whether their owners confirmed them; changed on the account pages alone."""

    list_display = fields = ("user", "email", "verified", "primary")
    list_filter = ("verified", "primary")
    list_select_related = ("user",)
    search_fields = ("email", "user__name")
    ordering = ("user__name", "pk")


@admin.register(Group, site=staff_site)
class GroupAdmin(StaffAdmin, DjangosGroupAdmin):
    """Groups of staff, by what they may look at and do."""


@admin.register(Block, site=staff_site)
class BlockAdmin(ReadOnlyAdmin):
    """Who has blocked whom: blocks are their owners', and staff look at them alone."""

    list_display = fields = ("blocker", "blocked", "created_at")
    list_display_links = ("created_at",)
    list_select_related = ("blocker", "blocked")
    search_fields = ("blocker__name", "blocked__name")
    ordering = ("-pk",)
    date_hierarchy = "created_at"
    linked = ("blocker", "blocked")


@admin.register(Report, site=staff_site)
class ReportAdmin(ReadOnlyAdmin):
    """What players told of others, the open ones first; settled or dismissed with an action."""

    list_display = ("__str__", "status", "category", "target", "reporter", "context", "created_at")
    list_filter = ("status", "category")
    list_select_related = ("target", "reporter")
    search_fields = ("target__name", "reporter__name")
    ordering = ("status", "-pk")
    date_hierarchy = "created_at"
    linked = ("target", "reporter")
    actions: Sequence[Any] | None = ("settle", "dismiss")
    fields = (
        "status",
        "category",
        "target",
        "reporter",
        "text",
        "quote",
        "context",
        "created_at",
        "closed_at",
    )
    readonly_fields = ("context",)

    @admin.display(description=_("about"))
    def context(self, report: Report) -> str:
        """Lead to what the report is about; to the player where it is about them as such."""
        if report.about not in KINDS:
            return "–"
        url = KINDS[report.about].staff_url(report.about_id)
        return format_html('<a href="{}">{} {}</a>', url, report.about, report.about_id)

    def has_settle_permission(self, request: HttpRequest) -> bool:
        """Say whether a member of staff may settle reports."""
        return request.user.has_perm("accounts.settle_report")

    @admin.action(description=_("Settle: something was done about it"), permissions=["settle"])
    def settle(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        """Close reports that something was done about."""
        self._close(request, reports, Report.Status.SETTLED)

    @admin.action(description=_("Dismiss: nothing was wrong"), permissions=["settle"])
    def dismiss(self, request: HttpRequest, reports: QuerySet[Report]) -> None:
        """Close reports where nothing was wrong."""
        self._close(request, reports, Report.Status.DISMISSED)

    def _close(
        self, request: HttpRequest, reports: QuerySet[Report], status: Report.Status
    ) -> None:
        now = timezone.now()
        closed = [one for one in reports if report_close(report_id=one.pk, status=status, now=now)]
        for report in closed:
            self.log_change(request, report, str(status.label).capitalize())
        n = len(closed)
        told = ngettext("%(n)d report closed.", "%(n)d reports closed.", n) % {"n": n}
        self.message_user(request, told)
