"""Fault 10: one claim, by every way there is to it on the site, with one verdict."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Game
from games.selectors import game_fold
from tests.games.boards import FRAGMENT, form_of, page_of, post, shapes, stack, text_of, turn
from tests.games.conftest import Cast, client_of, fields, make_match, request_id, running_game

OPEN, HIDDEN = "G7", "P1"
"""What the opponent laid elsewhere: the card that could beat the claim, or another."""


def run_of_three(cast: Cast, ruleset: str, elsewhere: str) -> Game:
    """Let the owner be about to lay red 6 to red 4 and 5; green 8 and 9 lie across.

    With green 7 in sight elsewhere nothing can beat the owner's run any more.
    """
    game = running_game(make_match(cast.owner, cast.opponent, ruleset_slug=ruleset))
    game = stack(game, "R4 R5 R6 O1 O2 O3", "G7 G8 G9 P1 P2 P3", draws="Y1 Y2 Y3 Y4 Y5 Y6")
    for mine, theirs in (("R4@5", f"{elsewhere}@1"), ("R5@5", "G8@5"), ("O1@9", "G9@5")):
        turn(game, mine)
        turn(game, theirs)
    game.refresh_from_db()
    return game


def owner_of_5(game: Game) -> Any:
    folded = game_fold(Game.objects.select_related("match").get(pk=game.pk))
    return folded.title.view(folded.state, "spectator")["stones"][4]["owner"]


def by_plan(cast: Cast, elsewhere: str) -> bool:
    """Plan the turn on the page, with script: is the claim offered, and the stone lit?"""
    game, browser = run_of_three(cast, "after-play", elsewhere), client_of(cast.owner)
    form = form_of(page_of(browser, game), step="lay", card="R6", stone="5")
    planned = text_of(browser.post(f"/games/{game.pk}/plan/", form, headers=FRAGMENT))
    is_offered = [field["value"] for field in fields(planned, "claim")] == ["5"]
    assert is_offered == bool(shapes(planned, "stone--claimable"))
    return is_offered


def by_submission(cast: Cast, elsewhere: str) -> bool:
    """Send card and claim at once, as a form without script or made by hand would."""
    game, browser = run_of_three(cast, "after-play", elsewhere), client_of(cast.owner)
    page = page_of(browser, game)
    answer = post(browser, game, "submit", page, card="R6", stone="5", claim=["5"])
    is_made = owner_of_5(game) == 0
    assert answer.status_code == (302 if is_made else 422)
    assert (Game.objects.get(pk=game.pk).version > game.version) == is_made
    return is_made


def at_the_start_of_a_turn(cast: Cast, elsewhere: str) -> bool:
    """Claim a turn later, where that is the rule."""
    game, browser = run_of_three(cast, "start-of-turn", elsewhere), client_of(cast.owner)
    turn(game, "R6@5")
    turn(game, "P2@8")
    game.refresh_from_db()
    page = page_of(browser, game)
    is_offered = [field["value"] for field in fields(page, "claim")] == ["5"]
    form = form_of(page, card="O2", stone="9", claim=["5"], request_id=request_id())
    browser.post(f"/games/{game.pk}/submit/", form)
    assert (owner_of_5(game) == 0) == is_offered
    return is_offered


def by_itself(cast: Cast, elsewhere: str) -> bool:
    """Lay the card where claims are made by themselves."""
    game = run_of_three(cast, "automatic", elsewhere)
    turn(game, "R6@5")
    return bool(owner_of_5(game) == 0)


@pytest.mark.parametrize("way", [by_plan, by_submission, at_the_start_of_a_turn, by_itself])
@pytest.mark.parametrize(("elsewhere", "holds"), [(OPEN, True), (HIDDEN, False)])
def test_fault_10_a_claim_has_one_verdict_by_every_way(
    cast: Cast, way: Any, elsewhere: str, holds: bool
) -> None:
    assert way(cast, elsewhere) is holds
