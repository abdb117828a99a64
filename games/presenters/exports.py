"""What a player's own data hold of offers and vacations. No secret of a shuffle is among it."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from accounts.models import User
from games.models import Offer, Vacation, VacationChoice


def offers_export(player: User) -> list[dict[str, Any]]:
    """List the offers that a player made or was made. One query."""
    rows = Offer.objects.filter(Q(maker=player) | Q(addressee=player)).order_by("pk")
    return [_offer(offer, player) for offer in rows.select_related("maker", "addressee", "match")]


def vacations_export(player: User) -> dict[str, Any]:
    """List a player's vacations: past, running and planned ones. Two queries."""
    choice = VacationChoice.objects.filter(user=player).first()
    fields = (
        "starts_at",
        "ends_at",
        "planned_end_at",
        "cut_at",
        "is_automatic",
        "created_at",
    )
    return {
        "may_begin_by_itself": choice.is_automatic if choice else None,
        "vacations": list(
            Vacation.objects.filter(user=player).order_by("starts_at").values(*fields)
        ),
    }


def _offer(offer: Offer, player: User) -> dict[str, Any]:
    match = getattr(offer, "match", None)
    return {
        "offer": offer.pk,
        "kind": offer.kind,
        "status": Offer.Status(offer.status).name.lower(),
        "mine": offer.maker_id == player.pk,
        "maker": offer.maker.name,
        "addressee": offer.addressee.name if offer.addressee else None,
        "game": offer.title,
        "ruleset": offer.ruleset_slug,
        "rounds": offer.n_rounds,
        "pace": offer.pace_slug,
        "rated": offer.is_rated,
        "private": offer.is_private,
        "weekends": offer.weekend_zone,
        "vacations": offer.allows_vacation,
        "unseen_cards": offer.has_tracker,
        "rating_low": offer.rating_low,
        "rating_high": offer.rating_high,
        "rating_within": offer.rating_within,
        "in_time": offer.in_time,
        "at_once": offer.n_at_once,
        "made": offer.created_at,
        "expires": offer.expires_at,
        "closed": offer.closed_at,
        "match": match.pk if match else None,
    }
