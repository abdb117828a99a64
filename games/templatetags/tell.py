"""The Tell deck in texts: suits and cards of Three Bridges drawn small."""

from __future__ import annotations

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.presenters.three_bridges.cards import SPRITE, card_face
from games.templatetags.board import token

register = template.Library()


@register.simple_tag
def tell_cards(codes: str) -> SafeString:
    """Draw cards small, named by their codes with blanks between."""
    drawn = (token(card_face(code)) for code in codes.split())
    return mark_safe(" ".join(drawn))  # noqa: S308  # escaped by token


@register.simple_tag
def tell_suit(slug: str) -> SafeString:
    """Draw a suit's symbol for the eye; its name stands beside it."""
    return format_html(
        '<svg class="emblem clan-{} suit" aria-hidden="true" focusable="false">'
        '<use href="{}#{}"></use></svg>',
        slug,
        static(f"img/{SPRITE}.svg"),
        slug,
    )
