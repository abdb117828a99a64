"""Forms of the lobby and the match page. What they let through, services can rely on."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django import forms
from django.forms.boundfield import BoundWidget
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names import name_key
from accounts.zones import time_zone_or_utc
from games.admission import MAX_RATING, MIN_RATING
from games.models import Offer
from games.paces import CORRESPONDENCE, PACES
from games.presenters.terms import pace_note, pace_text, rules_url
from games.services.rows import MAX_REQUEST_ID
from games.services.shuffles import MAX_ROUNDS
from games.services.terms import MAX_AT_ONCE, OfferTerms
from games.titles import default_rounds, playable_rulesets, playable_titles

DEFAULT_PACE = "per-turn-3"
MAX_VERSION = 2**31 - 1


def new_request_id() -> str:
    """Give an id for one rendered form: the same form sent twice is known by it."""
    return uuid.uuid4().hex


def _ruleset_choices() -> list[tuple[str, str]]:
    return [(f"{r.title}/{r.slug}", gettext(r.name)) for r in playable_rulesets()]


def _rounds_choices() -> list[tuple[int, str]]:
    return [(n, str(n)) for n in range(1, MAX_ROUNDS + 1)]


def _usual_rounds() -> str:
    """Tell over how many rounds each title is usually played."""
    told = []
    for meta in playable_titles():
        n = meta.default_rounds
        usual = ngettext("%(title)s: usually %(n)s game.", "%(title)s: usually %(n)s games.", n)
        told.append(usual % {"title": gettext(meta.name), "n": n})
    return " ".join(told)


def _usual_by_ruleset() -> str:
    """Give the usual number of games by ruleset, in JSON: site.js fills the field in with it."""
    return json.dumps({f"{r.title}/{r.slug}": default_rounds(r.title) for r in playable_rulesets()})


def _pace_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """List the paces in groups: with a bank, for each turn, live."""
    groups = {
        gettext("With a bank of time"): [p for p in CORRESPONDENCE.values() if not p.is_per_turn],
        gettext("For each turn"): [p for p in CORRESPONDENCE.values() if p.is_per_turn],
        gettext("Both at the board"): [p for p in PACES.values() if p.is_live],
    }
    return [(name, [(p.slug, pace_text(p)) for p in group]) for name, group in groups.items()]


RANGE = "range"
WITHIN = (100, 200, 300, 400)
IN_TIME = (3, 5, 10, 20)


def _ratings_choices() -> list[tuple[str, str]]:
    within = gettext("at most %(n)s points from mine")
    near = [(str(n), within % {"n": n}) for n in WITHIN]
    return [("", gettext("all")), *near, (RANGE, gettext("from – to"))]


def _in_time_choices() -> list[tuple[str, str]]:
    none = gettext("none of the last %(n)s matches")
    return [("", gettext("no matter")), *((str(n), none % {"n": n}) for n in IN_TIME)]


def _again_choices() -> list[tuple[str, str]]:
    again = [
        (
            str(n),
            ngettext(
                "offer it again, for %(n)s match at once",
                "offer it again, for %(n)s matches at once",
                n,
            )
            % {"n": n},
        )
        for n in range(1, MAX_AT_ONCE + 1)
    ]
    return [("", gettext("that is it")), *again]


class OfferForm(forms.Form):
    """What a maker asks for; `addressee` belongs to challenges, `is_bot_welcome` to seeks."""

    kind = forms.ChoiceField(
        choices=Offer.Kind.choices,
        widget=forms.HiddenInput,
        error_messages={"invalid_choice": _("Choose whom the offer is for.")},
    )
    request_id = forms.CharField(max_length=MAX_REQUEST_ID, widget=forms.HiddenInput)
    seen = forms.CharField(required=False)
    nonce = forms.CharField(required=False, strip=False)
    addressee = forms.CharField(
        label=_("Player"),
        max_length=150,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "off"}),
    )
    ruleset = forms.ChoiceField(
        label=_("Game"),
        choices=_ruleset_choices,
        widget=forms.RadioSelect,
        error_messages={
            "required": _("Choose a game."),
            "invalid_choice": _("Choose one of the games listed."),
        },
    )
    n_rounds = forms.TypedChoiceField(
        label=_("Number of games"),
        coerce=int,
        choices=_rounds_choices,
        error_messages={
            "required": _("Choose how many games to play."),
            "invalid_choice": _("A match has 1 to 9 games."),
        },
    )
    pace = forms.ChoiceField(
        label=_("Pace"),
        choices=_pace_choices,
        error_messages={
            "required": _("Choose a pace."),
            "invalid_choice": _("Choose one of the paces listed."),
        },
    )
    has_weekends = forms.BooleanField(label=_("Weekends are free"), required=False)
    is_strict = forms.BooleanField(
        label=_("Without vacations"),
        required=False,
        help_text=_("A vacation does not pause the clocks of this match."),
    )
    is_rated = forms.BooleanField(
        label=_("Rated"),
        required=False,
        help_text=_(
            "The result changes the ratings of both players. A player who is not on the ladder of "
            "this game yet joins it when the match begins."
        ),
    )
    is_private = forms.BooleanField(
        label=_("Private"),
        required=False,
        help_text=_("Only the two of you can open the match and its games."),
    )
    has_tracker = forms.BooleanField(
        label=_("List of unseen cards"),
        required=False,
        help_text=_(
            "The board lists for both of you which cards you have not seen yet. It says nothing "
            "that you could not write down yourself."
        ),
    )
    is_bot_welcome = forms.BooleanField(
        label=_("A bot may accept"),
        required=False,
        help_text=_(
            "If nobody takes the offer for a while, an easy bot does. Bots play casual matches "
            "only."
        ),
    )

    ratings = forms.ChoiceField(
        label=_("Ratings"),
        required=False,
        choices=_ratings_choices,
        help_text=_("Who has no rating yet counts as 1500, and provisional ratings count too."),
        error_messages={"invalid_choice": _("Choose one of the ranges listed.")},
    )
    rating_low = forms.IntegerField(
        label=_("From"),
        required=False,
        min_value=MIN_RATING,
        max_value=MAX_RATING,
        error_messages={"invalid": _("Give a whole number.")},
    )
    rating_high = forms.IntegerField(
        label=_("To"),
        required=False,
        min_value=MIN_RATING,
        max_value=MAX_RATING,
        error_messages={"invalid": _("Give a whole number.")},
    )
    in_time = forms.TypedChoiceField(
        label=_("Lost on time"),
        required=False,
        coerce=int,
        choices=_in_time_choices,
        help_text=_("New players have lost nothing on time, so they are let in."),
        error_messages={"invalid_choice": _("Choose one of the answers listed.")},
    )
    n_at_once = forms.TypedChoiceField(
        label=_("Once taken"),
        required=False,
        coerce=int,
        choices=_again_choices,
        help_text=_(
            "What is offered again comes until you withdraw it, or nobody takes it in time; for "
            "live play only while you are here."
        ),
        error_messages={"invalid_choice": _("Choose one of the answers listed.")},
    )

    def __init__(self, *args: Any, maker: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.maker = maker
        self.zone = time_zone_or_utc(maker.time_zone)
        self.fields["has_weekends"].help_text = _(
            "Clocks stand still from Saturday to Monday, 0:00 in your time zone (%(zone)s)."
        ) % {"zone": self.zone}
        self.fields["n_rounds"].help_text = _usual_rounds()
        self.fields["n_rounds"].widget.attrs["data-usual-games"] = _usual_by_ruleset()

    def clean(self) -> dict[str, Any]:
        """Find the player of a challenge; other kinds have none."""
        cleaned = super().clean() or self.cleaned_data
        name = cleaned.get("addressee", "")
        cleaned["addressee"] = None
        if cleaned.get("kind") == Offer.Kind.CHALLENGE and "addressee" not in self.errors:
            cleaned["addressee"] = self._player(name)
        low, high = cleaned.get("rating_low"), cleaned.get("rating_high")
        if cleaned.get("ratings") == RANGE and not {"rating_low", "rating_high"} & set(self.errors):
            if low is None and high is None:
                self.add_error("rating_low", _("Give at least one end of the range."))
            elif low is not None and high is not None and low > high:
                self.add_error("rating_high", _("The range ends before it begins."))
        return cleaned

    def pace_notes(self) -> list[tuple[str, str]]:
        """Give each pace with the line that explains it."""
        return [(pace_text(pace), pace_note(pace)) for pace in PACES.values()]

    def ruleset_options(self) -> list[tuple[BoundWidget, str, str]]:
        """Give each ruleset's radio button, the line that says what it means, and its rules."""
        return [
            (radio, gettext(ruleset.summary), rules_url(ruleset))
            for radio, ruleset in zip(self["ruleset"], playable_rulesets(), strict=True)
        ]

    def terms(self) -> OfferTerms:
        """Give the terms of a valid form."""
        title, _slash, ruleset = self.cleaned_data["ruleset"].partition("/")
        is_seek = self.cleaned_data["kind"] == Offer.Kind.SEEK
        is_rated = self.cleaned_data["is_rated"]
        # Nothing pauses live clocks: the form hides what is ticked about pauses then.
        pauses = {} if PACES[self.cleaned_data["pace"]].is_live else self._pauses()
        return OfferTerms(
            title,
            ruleset,
            self.cleaned_data["n_rounds"],
            self.cleaned_data["pace"],
            self.cleaned_data["is_private"],
            is_bot_welcome=is_seek and not is_rated and self.cleaned_data["is_bot_welcome"],
            is_rated=is_rated,
            **(self._asked() if is_seek else {}),
            has_tracker=self.cleaned_data["has_tracker"],
            **pauses,
        )

    def _pauses(self) -> dict[str, Any]:
        """Give what pauses the clocks of a match by correspondence."""
        return {
            "weekend_zone": self.zone if self.cleaned_data["has_weekends"] else "",
            "allows_vacation": not self.cleaned_data["is_strict"],
        }

    def _asked(self) -> dict[str, Any]:
        """Give what a seek asks of who accepts it, and how often it is offered."""
        cleaned = self.cleaned_data
        ratings = cleaned["ratings"]
        return {
            "rating_within": int(ratings) if ratings not in ("", RANGE) else None,
            "rating_low": cleaned["rating_low"] if ratings == RANGE else None,
            "rating_high": cleaned["rating_high"] if ratings == RANGE else None,
            "in_time": cleaned["in_time"] or 0,
            "n_at_once": cleaned["n_at_once"] or 0,
        }

    @property
    def is_asking(self) -> bool:
        """Say whether the part about who may accept is to be open: something is chosen there."""
        names = ("ratings", "in_time", "n_at_once", "rating_low", "rating_high")
        return any(self[name].value() or name in self.errors for name in names)

    def _player(self, name: str) -> User | None:
        if not name:
            self.add_error("addressee", _("Name the player to challenge."))
            return None
        player = User.objects.filter(name_key=name_key(name), is_active=True).first()
        if player is None:
            self.add_error("addressee", _("There is no player with that name."))
        elif player.pk == self.maker.pk:
            self.add_error("addressee", _("You cannot challenge yourself."))
            return None
        return player


def blank_offer_form(
    *, maker: User, kind: str, to: str, rated: str = "", asked: str = ""
) -> OfferForm:
    """Give the form of a new offer, filled in as most people want it.

    `rated` names the ruleset (title/slug) whose ladder the maker came from, `asked` the ruleset,
    or the title, that a link asks for.
    """
    rulesets = [value for value, _name in _ruleset_choices()]
    wished = [v for v in rulesets if asked and asked in (v, v.partition("/")[0])]
    ruleset = rated if rated in rulesets else [*wished, *rulesets][0]
    initial = {
        "kind": kind,
        "request_id": new_request_id(),
        "addressee": to,
        "ruleset": ruleset,
        "is_rated": rated in rulesets,
        "n_rounds": default_rounds(ruleset.partition("/")[0]),
        "pace": DEFAULT_PACE,
        "is_bot_welcome": rated not in rulesets,
    }
    return OfferForm(maker=maker, initial=initial)


class RequestForm(forms.Form):
    """A button that is pressed once, however often it is sent."""

    request_id = forms.CharField(max_length=MAX_REQUEST_ID)


class RematchForm(RequestForm):
    """The same match again: with the commitment that was shown, and the browser's nonce."""

    seen = forms.CharField(required=False)
    nonce = forms.CharField(required=False, strip=False)


class BotForm(RequestForm):
    """One casual game with the easy bot, which accepts at once."""

    ruleset = forms.ChoiceField(
        label=_("Game"),
        choices=_ruleset_choices,
        error_messages={
            "required": _("Choose a game."),
            "invalid_choice": _("Choose one of the games listed."),
        },
    )

    def summaries(self) -> dict[str, str]:
        """Tell what each ruleset means; site.js shows the line of the one that is picked."""
        return {f"{r.title}/{r.slug}": gettext(r.summary) for r in playable_rulesets()}

    def terms(self) -> OfferTerms:
        """Give the terms of a valid form: one game, casual, at the usual pace."""
        title, _slash, ruleset = self.cleaned_data["ruleset"].partition("/")
        return OfferTerms(title, ruleset, 1, DEFAULT_PACE, is_bot_welcome=False)


def blank_bot_form(asked: str = "") -> BotForm:
    """Give the form with a game chosen, else the first; its id is one for each rendering."""
    rulesets = [value for value, _name in _ruleset_choices()]
    ruleset = asked if asked in rulesets else rulesets[0]
    form = BotForm(
        initial={"request_id": new_request_id(), "ruleset": ruleset},
        auto_id="id_bot_%s",
    )
    form.fields["request_id"].widget = forms.HiddenInput()
    form.fields["ruleset"].widget.attrs["data-summaries"] = json.dumps(form.summaries())
    return form


class ResignForm(RequestForm):
    """Giving up a match, with the game that was running when the button was shown."""

    game = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    version = forms.IntegerField(min_value=0, max_value=MAX_VERSION)
