"""The form in which an answer to the opponent's turn is prepared, for each title.

It has a part for the condition and one for the turn; both work as plain lists to choose from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.engine.api import Json, Ruleset
from games.forms.board import BoardForm
from games.prepared.answers import Answer
from games.presenters.schotten_totten.answers import CLAN_NAMES
from games.presenters.schotten_totten.cards import card_face as stone_face
from games.presenters.three_bridges.cards import RANK_OF, SUIT_OF
from games.presenters.three_bridges.cards import card_face as bridge_face
from games.refusals import Code

STONES: Final = [(str(n), str(n)) for n in range(1, 10)]
BRIDGES: Final = [(str(n), str(n)) for n in range(1, 4)]
_CHOOSE: Final = ("", _("choose…"))


class AnswerForm(BoardForm):
    """What all titles share. `hand` are the player's own cards."""

    of_condition: ClassVar[tuple[str, ...]]
    of_plan: ClassVar[tuple[str, ...]]
    counting: ClassVar[dict[str, tuple[str, ...]]]
    """Which other fields of the condition count for what is chosen in `when`; else none."""
    wide: ClassVar[tuple[str, ...]] = ("when",)
    """Fields that need a line of their own."""

    def __init__(self, data: Any = None, *, ruleset: Ruleset, hand: Sequence[str]) -> None:
        super().__init__(data)
        self.ruleset = ruleset
        self.choose_among(hand)
        for name in (*self.of_condition, *self.of_plan):
            if name in self.fields:
                self.fields[name].error_messages["required"] = _("Choose one.")

    def add_prefix(self, field_name: str) -> str:
        """Name a field on the page; version and request id are called as in every form."""
        return field_name if field_name in ("version", "request_id") else f"answer-{field_name}"

    def choose_among(self, hand: Sequence[str]) -> None:
        """Offer what the ruleset has, and the cards of the hand."""
        raise NotImplementedError

    def condition_fields(self) -> list[BoundField]:
        """Give the fields of the condition in order."""
        return [self[name] for name in self.of_condition if name in self.fields]

    def plan_fields(self) -> list[BoundField]:
        """Give the fields of the turn in order."""
        return [self[name] for name in self.of_plan if name in self.fields]

    def clean(self) -> dict[str, Any]:
        """Refuse what would not count in the condition: nothing that was chosen is left out."""
        data = self.cleaned_data
        when = data.get("when", "")
        named = dict(self.fields["when"].choices).get(when)  # type: ignore[attr-defined]  # a choice field
        for name in self.of_condition:
            if (
                named
                and name != "when"
                and data.get(name)
                and name not in self.counting.get(when, ())
            ):
                told = _(
                    "This does not count for “%(when)s”: choose “any” here, or something else "
                    "under “%(label)s”."
                )
                params = {"when": named, "label": self.fields["when"].label}
                self.add_error(name, forms.ValidationError(told, code="unused", params=params))
        return data

    def answer(self) -> Answer:
        """Give the answer of a valid form."""
        raise NotImplementedError

    def fault(self) -> Code:
        """Say what is wrong with an invalid form: too little or too much is chosen, or garbage."""
        codes = {error.code for errors in self.errors.as_data().values() for error in errors}
        if codes == {"required"}:
            return Code.INCOMPLETE
        return Code.CONDITION_UNUSED if codes <= {"required", "unused"} else Code.MALFORMED


def _set(form: forms.Form, name: str, choices: Iterable[tuple[str, Any]]) -> None:
    form.fields[name].choices = list(choices)  # type: ignore[attr-defined]  # a choice field


class SchottenTottenAnswerForm(AnswerForm):
    """If the opponent lays or claims something: a card to a stone, claims, and a draw."""

    of_condition = ("when", "clan", "value", "where")
    of_plan = ("card", "stone", "claims", "draw")
    counting: ClassVar = {
        "lays": ("clan", "value", "where"),
        "claims": ("where",),
        "claims_not": ("where",),
    }
    wide = ("when", "claims", "draw")

    when = forms.ChoiceField(label=_("Does what"))
    clan = forms.ChoiceField(label=_("Of which clan"), required=False)
    value = forms.ChoiceField(
        label=_("Of which value"),
        required=False,
        choices=[("", pgettext_lazy("value of a card", "any")), *STONES],
    )
    where = forms.ChoiceField(
        label=_("At which stone"),
        required=False,
        choices=[("", pgettext_lazy("stone", "any")), *STONES],
    )
    card = forms.ChoiceField(label=_("Lay"))
    stone = forms.ChoiceField(label=_("At stone"), choices=[_CHOOSE, *STONES])
    claims = forms.ChoiceField(label=_("Claim"))
    draw = forms.ChoiceField(
        label=_("Draw"),
        choices=[("clan", _("a clan card")), ("tactics", _("a tactics card"))],
        help_text=_("If that deck is empty then, from the other."),
    )

    def choose_among(self, hand: Sequence[str]) -> None:
        """Offer what the ruleset has, and the cards of the hand."""
        options = dict(self.ruleset.options)
        is_automatic = options["claims"] == "automatic"
        whens = [
            ("any", _("anything")),
            ("lays", _("lays a card")),
            ("claims", _("gets a stone") if is_automatic else _("claims a stone")),
            (
                "claims_not",
                _("does not get the stone") if is_automatic else _("does not claim the stone"),
            ),
        ]
        if options["tactics"]:
            whens.append(("tactics", _("plays a tactics card")))
        else:
            del self.fields["draw"]
        if is_automatic:
            del self.fields["claims"]
        else:
            _set(self, "claims", _claim_choices())
        _set(self, "when", whens)
        clans = [(code, gettext(name)) for code, name in CLAN_NAMES.items()]
        _set(self, "clan", [("", pgettext_lazy("clan", "any")), *clans])
        _set(self, "card", [_CHOOSE, *((code, stone_face(code).name) for code in hand)])

    def clean(self) -> dict[str, Any]:
        """Ask for the stone that is not to be claimed, too."""
        data = super().clean()
        if data.get("when") == "claims_not" and not data.get("where"):
            self.add_error("where", forms.ValidationError(_("Choose one."), code="required"))
        return data

    def answer(self) -> Answer:
        """Give the answer of a valid form."""
        data = self.cleaned_data
        claims = data.get("claims", "none")
        plan: Json = {
            "card": data["card"],
            "stone": int(data["stone"]),
            "claims": int(claims) if claims.isdecimal() else claims,
            "draw": data.get("draw", "clan"),
        }
        return Answer(self._condition(data), plan)

    def _condition(self, data: dict[str, Any]) -> Json:
        condition: Json = {"when": data["when"]}
        stone = int(data["where"]) if data["where"] else None
        if data["when"] == "lays":
            value = int(data["value"]) if data["value"] else None
            condition |= {"clan": data["clan"], "value": value, "stone": stone}
        elif data["when"] in ("claims", "claims_not"):
            condition |= {"stone": stone}
        return condition


def _claim_choices() -> list[tuple[str, Any]]:
    told = gettext("stone %(stone)s; if that is not possible, play nothing")
    return [
        ("none", _("nothing")),
        ("holds", _("every stone that can be claimed then")),
        *((n, told % {"stone": n}) for n, _label in STONES),
    ]


class ThreeBridgesAnswerForm(AnswerForm):
    """If the opponent places a card, or one of theirs is turned up: a card to a bridge."""

    of_condition = ("when", "suit", "rank", "where")
    of_plan = ("card", "bridge")
    counting: ClassVar = {"places": ("where",), "turned_up": ("suit", "rank", "where")}

    when = forms.ChoiceField(
        label=_("Does what"),
        choices=[
            ("any", _("anything")),
            ("places", _("places a card")),
            ("turned_up", _("has a card turned up")),
        ],
    )
    suit = forms.ChoiceField(label=_("Of which suit"), required=False)
    rank = forms.ChoiceField(label=_("Of which rank"), required=False)
    where = forms.ChoiceField(
        label=_("At which bridge"),
        required=False,
        choices=[("", pgettext_lazy("bridge", "any")), *BRIDGES],
    )
    card = forms.ChoiceField(label=_("Place"))
    bridge = forms.ChoiceField(label=_("At bridge"), choices=[_CHOOSE, *BRIDGES])

    def choose_among(self, hand: Sequence[str]) -> None:
        """Offer suits, ranks and the cards of the hand."""
        suits = [(code, suit.name) for code, suit in SUIT_OF.items()]
        ranks = [(code, rank.name) for code, rank in RANK_OF.items()]
        _set(self, "suit", [("", pgettext_lazy("suit", "any")), *suits])
        _set(self, "rank", [("", pgettext_lazy("rank", "any")), *ranks])
        _set(self, "card", [_CHOOSE, *((code, bridge_face(code).name) for code in hand)])

    def answer(self) -> Answer:
        """Give the answer of a valid form."""
        data = self.cleaned_data
        condition: Json = {"when": data["when"]}
        if data["when"] != "any":
            condition["bridge"] = int(data["where"]) if data["where"] else None
        if data["when"] == "turned_up":
            condition |= {"suit": data["suit"], "rank": data["rank"]}
        return Answer(condition, {"card": data["card"], "bridge": int(data["bridge"])})
