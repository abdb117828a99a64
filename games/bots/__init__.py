"""Players made of code. They see the JSON of their seat's view, `legal` included, and no more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from games.bots import schotten_totten, three_bridges
from games.engine.api import Json

Choose = Callable[[Json], Json]
"""Takes a view whose seat is to act, and gives a legal action."""

_GREEDY: Final[dict[str, Choose]] = {
    "schotten-totten": schotten_totten.choose,
    "three-bridges": three_bridges.choose,
}
"""Who plays which title."""


def choose_greedily(view: Json) -> Json:
    """Choose what looks best at once; at a title that nobody has learnt, the first action."""
    learnt = _GREEDY.get(view["game"])
    first: Json = view["legal"][0]
    return learnt(view) if learnt else first


BOTS: Final[dict[str, Choose]] = {"greedy": choose_greedily}
"""Each bot by its name."""
