"""Staff pages for ladders, standings and the ledger, to be looked at: services own the rows."""

from __future__ import annotations

from datetime import timedelta

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _

from accounts.staff import ReadOnlyAdmin, staff_site
from games import clock
from ladder.guards import MUTUAL_LIMIT, PAIR_LIMIT, REPORT_DAYS, SHORT_LIMIT, report
from ladder.models import Ladder, LedgerEntry, Season, Standing
from ladder.views import number_asked

MAX_REPORT_DAYS = 366


@admin.register(Ladder, site=staff_site)
class LadderAdmin(ReadOnlyAdmin):
    """The rankings there are, one a ruleset; and what moderators are told about rated play."""

    list_display = fields = ("title", "ruleset_slug", "last_order_key")
    change_list_template = "admin/ladder_list.html"

    def get_urls(self) -> list[URLPattern]:
        """Add the report."""
        report_view = self.admin_site.admin_view(self.report)
        return [path("report/", report_view, name="ladder_report"), *super().get_urls()]

    def report(self, request: HttpRequest) -> HttpResponse:
        """Show which rated matches need a look; `?days=` says how far back. Changes nothing.

        Raises `PermissionDenied` for who may neither annul matches nor look at ladders.
        """
        if not (request.user.has_perm("games.annul_match") or self.has_view_permission(request)):
            raise PermissionDenied
        days = min(number_asked(request, "days") or REPORT_DAYS, MAX_REPORT_DAYS)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Rated play that needs a look"),
            "report": report(clock.now() - timedelta(days=days)),
            "days": days,
            "max_days": MAX_REPORT_DAYS,
            "limits": (PAIR_LIMIT, SHORT_LIMIT, MUTUAL_LIMIT),
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/ladder_report.html", context)


@admin.register(Standing, site=staff_site)
class StandingAdmin(ReadOnlyAdmin):
    """Players on the ladders. Ratings are in thousandths of a point."""

    list_display = ("user", "ladder", "rating", "n_matches", "joined_at", "left_at")
    fields = (
        "user",
        "ladder",
        "rating",
        "peak",
        "n_matches",
        "joined_at",
        "left_at",
        "active_at",
        "is_active",
    )
    list_filter = ("ladder",)
    list_select_related = ("user", "ladder")
    search_fields = ("user__name",)
    ordering = ("ladder", "-rating", "pk")
    linked = ("user",)


@admin.register(LedgerEntry, site=staff_site)
class LedgerEntryAdmin(ReadOnlyAdmin):
    """Every change of every rating, with what the formula took."""

    list_display = ("order_key", "ladder", "match", "user", "kind", "change", "rating_after")
    list_filter = ("ladder", "kind")
    list_select_related = ("ladder", "match", "user")
    search_fields = ("user__name",)
    ordering = ("-pk",)
    date_hierarchy = "created_at"
    linked = ("user", "match")
    fields = (
        "ladder",
        "order_key",
        "kind",
        "match",
        "user",
        "seat",
        "formula",
        "score",
        "n_before",
        "peak_before",
        "k",
        "opponent_rating",
        "expected_ppm",
        "rating_before",
        "change",
        "rating_after",
        "created_at",
    )


@admin.register(Season, site=staff_site)
class SeasonAdmin(ReadOnlyAdmin):
    """Seasons that are over, with when their final standings were frozen."""

    list_display = fields = ("ladder", "year", "number", "n_places", "frozen_at")
    list_filter = ("ladder",)
    list_select_related = ("ladder",)
    ordering = ("-year", "-number", "ladder")
