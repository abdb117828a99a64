"""The one list of titles for which answers can be prepared."""

from __future__ import annotations

from typing import Final

from games.prepared.answers import TitleAnswers
from games.prepared.schotten_totten import SchottenTottenAnswers
from games.prepared.three_bridges import ThreeBridgesAnswers

ANSWERS: Final[dict[str, TitleAnswers]] = {
    "schotten-totten": SchottenTottenAnswers(),
    "three-bridges": ThreeBridgesAnswers(),
}
