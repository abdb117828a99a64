"""What a player's own data hold of ladders."""

from __future__ import annotations

from typing import Any

from accounts.models import User
from ladder.models import LedgerEntry, Standing


def ratings_export(player: User) -> list[dict[str, Any]]:
    """List a player's standings, each with every change; ratings in thousandths of a point."""
    fields = ("kind", "match", "rating_before", "change", "rating_after", "created_at")
    standings = Standing.objects.filter(user=player).select_related("ladder").order_by("pk")
    return [
        {
            "game": standing.ladder.title,
            "ruleset": standing.ladder.ruleset_slug,
            "rating": standing.rating,
            "joined": standing.joined_at,
            "left": standing.left_at,
            "changes": list(
                LedgerEntry.objects.filter(ladder=standing.ladder, user=player)
                .order_by("order_key")
                .values(*fields)
            ),
        }
        for standing in standings
    ]
