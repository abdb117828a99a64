"""Cards and sentences in HTML. A board has dozens of them, so each card is written only once."""

from __future__ import annotations

from functools import cache, lru_cache

from django import template
from django.templatetags.static import static
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from games.presenters.faces import CardFace
from games.presenters.log import Piece, Sentence
from games.presenters.schotten_totten.cards import card_faces

register = template.Library()

_CARD = """\
<{tag} class="card clan-{clan}{classes}" aria-hidden="true"{target}><span class="card__band">\
<b class="card__value">{value}</b>{emblem}</span>{crest}{caption}</{tag}>"""
_CAPTION = '<span class="card__caption">{}</span>'
_TARGET = ' for="{}"'
_SMALL = """\
<span class="token clan-{clan}">{emblem}<span aria-hidden="true">{shown}</span>\
<span class="visually-hidden">{name}</span></span>"""
_EMBLEM = """\
<svg class="emblem{classes}" aria-hidden="true" focusable="false">\
<use href="{sprite}#{emblem}"></use></svg>"""


@register.simple_tag
def card(face: CardFace, classes: str = "", target: str = "") -> SafeString:
    """Draw a card for the eye alone; its name is read out elsewhere.

    With the id of a field as `target` it is that field's label: a tap on it chooses the field.
    """
    return _card(face, classes, target, sprite_url(face.sprite))


@register.simple_tag
def token(face: CardFace) -> SafeString:
    """Draw a card small, within a line of text, with its name for those who listen."""
    return _token(face, sprite_url(face.sprite))


@register.simple_tag
def emblem(face: CardFace) -> SafeString:
    """Draw a card's emblem alone, for the eye."""
    return _emblem(face, sprite_url(face.sprite))


@register.simple_tag
def tokens(codes: str) -> SafeString:
    """Draw cards small, named by their codes with blanks between: for the rules' examples."""
    faces = card_faces(codes.split())
    return mark_safe(" ".join(token(face) for face in faces))  # noqa: S308  # escaped


@register.simple_tag
def sentence(pieces: Sentence) -> SafeString:
    """Write a sentence with its cards drawn and its names kept in their own direction."""
    return mark_safe("".join(_piece(piece) for piece in pieces))  # noqa: S308  # all escaped


@cache
def sprite_url(name: str) -> str:
    """Find the address of a file of symbols; it is the same as long as the process runs."""
    return static(f"img/{name}.svg")


def _piece(piece: Piece) -> str:
    if piece.card:
        return token(piece.card)
    if piece.player:
        return format_html('<bdi class="who">{}</bdi>', piece.player)
    return conditional_escape(piece.text)


@lru_cache(maxsize=2048)
def _card(face: CardFace, classes: str, target: str, sprite: str) -> SafeString:
    return format_html(
        _CARD,
        tag="label" if target else "span",
        target=format_html(_TARGET, target) if target else "",
        caption=format_html(_CAPTION, face.caption) if face.caption else "",
        clan=face.clan,
        classes=f" {classes}" if classes else "",
        value=face.value,
        emblem=_emblem(face, sprite),
        crest=_emblem(face, sprite, " card__crest"),
    )


@lru_cache(maxsize=2048)
def _token(face: CardFace, sprite: str) -> SafeString:
    return format_html(
        _SMALL,
        clan=face.clan,
        emblem=_emblem(face, sprite),
        shown=face.caption or face.value,
        name=face.name,
    )


def _emblem(face: CardFace, sprite: str, classes: str = "") -> SafeString:
    return format_html(_EMBLEM, classes=classes, sprite=sprite, emblem=face.emblem)
