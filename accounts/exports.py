"""What a player's own data hold of how they get on with others, and of where they are told things.

Who blocked or reported the player is others' own, and not among it; nor is what signs a webhook.
"""

from __future__ import annotations

from typing import Any

from accounts.channels import NoticeChoice, PushDevice, Webhook
from accounts.conduct import Block, Report
from accounts.models import User


def blocks_export(player: User) -> list[dict[str, Any]]:
    """List whom a player blocks. One query."""
    rows = Block.objects.filter(blocker=player).select_related("blocked").order_by("pk")
    return [{"player": row.blocked.name, "since": row.created_at} for row in rows]


def reports_export(player: User) -> list[dict[str, Any]]:
    """List what a player told the moderators. One query."""
    rows = Report.objects.filter(reporter=player).select_related("target").order_by("pk")
    return [
        {
            "player": row.target.name,
            "category": row.category,
            "text": row.text,
            "about": row.about,
            "about_id": row.about_id,
            "quote": row.quote,
            "status": Report.Status(row.status).name.lower(),
            "made": row.created_at,
            "closed": row.closed_at,
        }
        for row in rows
    ]


def notices_export(player: User) -> dict[str, Any]:
    """Tell how a player is told of things: mails, browsers, webhook. Three queries."""
    choice = NoticeChoice.objects.filter(user=player).first() or NoticeChoice(user=player)
    devices = PushDevice.objects.filter(user=player)
    webhook = Webhook.objects.filter(user=player)
    return {
        "mail": choice.mail,
        "mail_every_h": choice.mail_every_h,
        "mail_hour": choice.mail_hour,
        "reminders": choice.reminders,
        "browsers": list(devices.values("name", "endpoint", "created_at", "last_error")),
        "webhook": webhook.values(
            "url", "is_off", "n_failures", "last_error", "failed_at", "succeeded_at"
        ).first(),
    }
