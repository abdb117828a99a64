"""The engine from Python: the example of docs/engine.md, and arguments that mean nothing."""

from __future__ import annotations

import io
import json
import re
import textwrap
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from games.engine.records import parse_record
from games.engine.registry import TITLES
from games.engine.schotten_totten.proof import best_reachable, judge_claim
from tests.engine.command_line import run

PAGE = Path(__file__).parents[2] / "docs/engine.md"
TEXTS = {slug: run("selfplay", "--game", slug).out for slug in TITLES}
every_title = pytest.mark.parametrize("slug", sorted(TITLES))


def start(slug):
    """A title and the state before the first action."""
    record = parse_record(json.loads(TEXTS[slug]))
    return record.title, next(record.states())


@every_title
def test_the_example_of_the_page_tells_a_game(slug):
    section = PAGE.read_text().split("## From Python\n")[1].split("\n## ")[0]
    example = "\n".join(re.findall(r"^(?:    .*)?$", section, re.MULTILINE))
    out = io.StringIO()
    with redirect_stdout(out):
        exec(textwrap.dedent(example), {"text": TEXTS[slug]})  # our own page
    told = out.getvalue().splitlines()
    record = json.loads(TEXTS[slug])
    assert told[0].startswith("None Outcome(winner=")
    assert json.loads(told[1])["game"] == slug
    assert len(told) > len(record["actions"])
    assert told[-1] == str(1 - record["first"])


@every_title
@pytest.mark.parametrize("viewer", ["foo", 2, -1, None, "0"])
def test_a_viewer_that_there_is_not_is_refused(slug, viewer):
    title, state = start(slug)
    with pytest.raises(ValueError, match="a viewer is 0, 1 or 'spectator', not "):
        title.view(state, viewer)
    with pytest.raises(ValueError, match="a viewer is 0, 1 or 'spectator', not "):
        title.redact(state, [], viewer)


@every_title
def test_what_is_no_action_of_the_title_is_refused(slug):
    title, state = start(slug)
    other = next(title for key, title in TITLES.items() if key != slug)
    for action in ({"seat": 0, "type": "resign"}, None, "pass", other.resign(0)):
        with pytest.raises(TypeError, match="not an action, which parse_action reads, but "):
            title.apply(state, action)


@pytest.mark.parametrize("ask", [judge_claim, best_reachable])
def test_a_place_that_there_is_not_is_refused(ask):
    _, state = start("schotten-totten")
    for stone in (0, 10, -1, "1"):
        with pytest.raises(ValueError, match="a stone is a number from 1 to 9, not "):
            ask(state, 0, stone)
    for seat in (2, -1, None):
        with pytest.raises(ValueError, match="a seat is 0 or 1, not "):
            ask(state, seat, 1)
