"""Staff pages for offers, matches and games, to be looked at: services own the rows.

One thing can be done: a match is annulled, by who has the permission, with a reason.
Deals, secrets, nonces, tokens and what was submitted stand on no page and in no filter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.conduct import Report
from accounts.staff import ReadOnlyAdmin, ValuesFilter, staff_site
from games import clock
from games.chat_models import ChatMessage
from games.models import Delivery, Game, Heartbeat, Match, Notice, Offer, Submission
from games.services.chat import message_remove
from games.services.matches import match_annul
from games.words import GREETINGS

MAX_REASON = 500
"""How many characters a moderator's reason may have."""

_TERMS = ("title", "ruleset_slug", "n_rounds", "pace_slug", "is_rated", "is_private", "has_tracker")


@admin.register(Offer, site=staff_site)
class OfferAdmin(ReadOnlyAdmin):
    """Seeks, challenges and invitations."""

    list_display = ("__str__", "status", "maker", "addressee", "ruleset_slug", "created_at")
    list_filter = ("status", "kind", "ruleset_slug", "is_rated", "is_private")
    list_select_related = ("maker", "addressee")
    search_fields = ("maker__name", "addressee__name")
    ordering = ("-pk",)
    date_hierarchy = "created_at"
    linked = ("maker", "addressee")
    fields = (
        "kind",
        "status",
        "maker",
        "addressee",
        *_TERMS,
        "is_bot_welcome",
        "rematch_of",
        "created_at",
        "closed_at",
    )


@admin.register(Match, site=staff_site)
class MatchAdmin(ReadOnlyAdmin):
    """Matches, with who plays and how they stand or ended."""

    list_display = (
        "__str__",
        "status",
        "ending",
        "player_0",
        "player_1",
        "points_0",
        "points_1",
        "ruleset_slug",
        "is_rated",
        "started_at",
    )
    list_filter = ("status", "ending", "ruleset_slug", "is_rated", "is_private")
    list_select_related = ("player_0", "player_1")
    search_fields = ("player_0__name", "player_1__name")
    ordering = ("-pk",)
    date_hierarchy = "started_at"
    linked = ("player_0", "player_1")
    actions: Sequence[Any] | None = ("annul",)
    fields = (
        "status",
        "ending",
        "player_0",
        "player_1",
        "points_0",
        "points_1",
        "winner",
        *_TERMS,
        "starter",
        "offer",
        "rematch_of",
        "started_at",
        "finished_at",
    )

    def has_annul_permission(self, request: HttpRequest) -> bool:
        """Say whether a member of staff may annul matches."""
        return request.user.has_perm("games.annul_match")

    @admin.action(description=_("Annul these matches"), permissions=["annul"])
    def annul(self, request: HttpRequest, matches: QuerySet[Match]) -> HttpResponse | None:
        """Ask for the reason; with it, annul the matches and write down who did it and why."""
        reason = " ".join(request.POST.get("reason", "").replace("\0", " ").split())[:MAX_REASON]
        if not reason:
            return self._annul_asked(request, matches)
        annulled = [match for match in matches if match_annul(match_id=match.pk, now=clock.now())]
        for match in annulled:
            self.log_change(request, match, f"Annulled: {reason}")
        n = len(annulled)
        told = ngettext("%(n)d match annulled.", "%(n)d matches annulled.", n) % {"n": n}
        self.message_user(request, told)
        return None

    def _annul_asked(self, request: HttpRequest, matches: QuerySet[Match]) -> HttpResponse:
        context: dict[str, Any] = {
            **self.admin_site.each_context(request),
            "title": _("Annul matches"),
            "matches": matches.select_related("player_0", "player_1"),
            "is_without_reason": "reason" in request.POST,
            "max_reason": MAX_REASON,
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/annul.html", context)


@admin.register(Game, site=staff_site)
class GameAdmin(ReadOnlyAdmin):
    """Games: whose turn it is and by when, or how they ended. The deal is not here."""

    list_display = ("__str__", "match", "round", "status", "version", "turn", "deadline_at")
    list_filter = ("status", ("reason", ValuesFilter))
    list_select_related = ("match",)
    search_fields = ("match__player_0__name", "match__player_1__name")
    ordering = ("-pk",)
    date_hierarchy = "started_at"
    linked = ("match",)
    fields = (
        "match",
        "round",
        "status",
        "rules_version",
        "first",
        "version",
        "turn",
        "turn_started_at",
        "deadline_at",
        "winner",
        "reason",
        "points_0",
        "points_1",
        "started_at",
        "finished_at",
    )


@admin.register(Submission, site=staff_site)
class SubmissionAdmin(ReadOnlyAdmin):
    """When which seat sent something; not what."""

    list_display = fields = ("game", "seat", "version_before", "version_after", "created_at")
    list_display_links = ("created_at",)
    list_select_related = ("game",)
    ordering = ("-pk",)
    date_hierarchy = "created_at"
    linked = ("game",)


@admin.register(Notice, site=staff_site)
class NoticeAdmin(ReadOnlyAdmin):
    """What players are to be told of, and whether it was settled or dropped."""

    list_display = fields = (
        "kind",
        "user",
        "game",
        "offer",
        "version",
        "hours",
        "due_at",
        "settled_at",
        "is_dropped",
    )
    list_filter = ("kind", "is_dropped", "due_at")
    list_select_related = ("game", "offer", "user")
    search_fields = ("user__name",)
    ordering = ("-pk",)
    linked = ("game", "offer", "user")


@admin.register(Delivery, site=staff_site)
class DeliveryAdmin(ReadOnlyAdmin):
    """Which way a notice goes out, how often that was tried, and what came of it."""

    list_display = fields = (
        "notice",
        "channel",
        "due_at",
        "claimed_at",
        "n_tries",
        "done_at",
        "result",
    )
    list_filter = ("channel", "result", "due_at")
    list_select_related = ("notice",)
    ordering = ("-pk",)
    linked = ("notice",)


@admin.register(ChatMessage, site=staff_site)
class ChatMessageAdmin(ReadOnlyAdmin):
    """What was said in matches of which something was reported; all other talk is private.

    Messages can be removed: readers then see that a moderator did so.
    """

    list_display = ("__str__", "match", "room", "author", "words", "created_at", "removed_at")
    fields = ("match", "room", "number", "author", "words", "created_at", "removed_at")
    readonly_fields = ("words",)
    list_filter = ("room",)
    list_select_related = ("match", "author")
    search_fields = ("author__name",)
    ordering = ("-pk",)
    date_hierarchy = "created_at"
    linked = ("match", "author")
    actions: Sequence[Any] | None = ("remove",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ChatMessage]:
        """Give the talk of matches that a report is about, or in which a message was reported."""
        reports = Report.objects.values("about_id")
        reported = ChatMessage.objects.filter(pk__in=reports.filter(about="message"))
        is_reported = Q(match__in=reports.filter(about="match")) | Q(
            match__in=reported.values("match")
        )
        return super().get_queryset(request).filter(is_reported)

    @admin.display(description=_("words"))
    def words(self, message: ChatMessage) -> str:
        """Give what was said, also where it was removed."""
        return str(GREETINGS.get(message.greeting, message.text))

    def has_remove_permission(self, request: HttpRequest) -> bool:
        """Say whether a member of staff may remove messages."""
        return request.user.has_perm("games.remove_message")

    @admin.action(description=_("Remove these messages"), permissions=["remove"])
    def remove(self, request: HttpRequest, messages: QuerySet[ChatMessage]) -> None:
        """Take the words away from all readers, and write down who did so."""
        now = clock.now()
        removed = [one for one in messages if message_remove(message_id=one.pk, now=now)]
        for message in removed:
            self.log_change(request, message, "Removed")
        n = len(removed)
        told = ngettext("%(n)d message removed.", "%(n)d messages removed.", n) % {"n": n}
        self.message_user(request, told)


@admin.register(Heartbeat, site=staff_site)
class HeartbeatAdmin(ReadOnlyAdmin):
    """When each periodic task last succeeded."""

    list_display = fields = ("job", "succeeded_at")
