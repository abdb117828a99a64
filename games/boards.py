"""The one list of boards: a title that is to be played on the site has its line here."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.forms.answers import SchottenTottenAnswerForm, ThreeBridgesAnswerForm
from games.forms.schotten_totten import SchottenTottenTurnForm
from games.forms.three_bridges import ThreeBridgesTurnForm
from games.presenters import three_bridges
from games.presenters.answers import AnswerWords
from games.presenters.schotten_totten import answers as schotten_totten_answers
from games.presenters.schotten_totten import rules as schotten_totten_rules
from games.presenters.schotten_totten import unseen as schotten_totten_unseen
from games.presenters.schotten_totten.cards import face_of
from games.presenters.schotten_totten.table import present
from games.presenters.three_bridges import answers as three_bridges_answers
from games.presenters.three_bridges import rules as three_bridges_rules
from games.presenters.three_bridges import unseen as three_bridges_unseen
from games.presenters.titles import TitleBoard

BOARDS: Final[dict[str, TitleBoard]] = {
    "schotten-totten": TitleBoard(
        present=present,
        faces=face_of,
        turn_form=SchottenTottenTurnForm,
        unseen=schotten_totten_unseen.unseen,
        template="games/board/schotten_totten/_table.html",
        rules=schotten_totten_rules.present_rules,
        rules_template="games/rules/schotten_totten.html",
        summary_template="games/rules/_schotten_totten.html",
        resign_text=_(
            "Resign this game: your opponent scores 5 points, you score one for each stone"
            " you hold."
        ),
        text=_(
            "Nine stones, two clans: lay the stronger three cards and prove that a stone is yours."
        ),
        answers=AnswerWords(
            schotten_totten_answers.tell_condition,
            schotten_totten_answers.tell_plan,
            SchottenTottenAnswerForm,
        ),
        styles=("css/tactics.css",),
    ),
    "three-bridges": TitleBoard(
        present=three_bridges.present,
        faces=three_bridges.face_of,
        turn_form=ThreeBridgesTurnForm,
        unseen=three_bridges_unseen.unseen,
        template="games/board/three_bridges/_table.html",
        rules=three_bridges_rules.present_rules,
        rules_template="games/rules/three_bridges.html",
        summary_template="games/rules/_three_bridges.html",
        resign_text=_(
            "Resign this game: your opponent scores 5 points and you none; no bridges are counted."
        ),
        text=_("Two rows face each other at three bridges, and most cards can do something."),
        answers=AnswerWords(
            three_bridges_answers.tell_condition,
            three_bridges_answers.tell_plan,
            ThreeBridgesAnswerForm,
        ),
        styles=("css/three_bridges.css",),
    ),
}
