"""Turns that the site takes, where all can see that no other is possible and the player asked."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from accounts.forms import PreferencesForm
from accounts.models import User
from games.models import Game, Notice
from games.selectors import game_fold
from games.services.turns import turn_submit
from tests.games.boards import normal, text_of
from tests.games.conftest import Cast, client_of, make_user, play_turn, request_id, running_game
from tests.games.forced import before_forced_turn
from tests.games.races import ROUNDS, race
from tests.games.test_leak import VIEWERS, browser_of, permuted, read

TOLD = "Taken automatically: no other turn was possible."


def choose(game: Game) -> User:
    """Let who is to answer the turn ask for forced turns to be taken."""
    user = game.match.players[1 - (game.turn or 0)]
    client = client_of(user)
    chosen = PreferencesForm(instance=user).initial.items()
    form = {name: value for name, value in chosen if value} | {"takes_forced_turns": "on"}
    assert client.post("/preferences/", form).status_code == 302
    return user


def submit(game: Game, actions: tuple[dict[str, Any], ...], **rest: Any) -> Any:
    """Make the turn, as a form that was rendered by now."""
    game = read(game)
    data = {"expected_version": game.version, "request_id": request_id(), **rest}
    return turn_submit(
        game_id=game.pk,
        user=game.match.players[game.turn],
        actions=actions,
        now=timezone.now(),
        **data,
    )


def test_a_forced_turn_is_taken_at_once_and_told_as_such(cast: Cast) -> None:
    game, actions, n_forced = before_forced_turn(cast)
    seat = game.turn
    choose(game)
    submit(game, actions)
    after = running_game(game.match)
    assert (after.turn, after.version) == (seat, game.version + len(actions) + n_forced)
    assert game_fold(after).forced == set(range(after.version - n_forced + 1, after.version + 1))
    for user in (cast.owner, cast.opponent, cast.stranger):
        assert text_of(client_of(user).get(game.get_absolute_url())).count(TOLD) == 1
    to_act = {"user": after.match.players[seat], "kind": "turn", "version": after.version}
    assert Notice.objects.filter(**to_act).exists()


def test_nothing_is_taken_for_who_did_not_ask(cast: Cast) -> None:
    game, actions, _n = before_forced_turn(cast)
    submit(game, actions)
    after = running_game(game.match)
    assert (after.turn, after.version) == (1 - (game.turn or 0), game.version + len(actions))
    assert TOLD not in text_of(client_of(cast.owner).get(game.get_absolute_url()))


def test_a_choice_is_left_to_who_asked(cast: Cast, game: Game) -> None:
    cast.opponent.takes_forced_turns = True
    cast.opponent.save()
    before = running_game(game.match).turn
    play_turn(game)
    assert running_game(game.match).turn != before


def test_the_same_form_once_more_takes_nothing_again(cast: Cast) -> None:
    """Fault 62: the second of two equal forms has no effect of its own."""
    game, actions, n_forced = before_forced_turn(cast)
    choose(game)
    once = {"expected_version": game.version, "request_id": request_id()}
    first = submit(game, actions, **once)
    again = submit(game, actions, **once)
    assert (again.version, again.is_repeated) == (first.version, True)
    assert running_game(game.match).version == game.version + len(actions) + n_forced


def test_the_preference_is_off_until_it_is_chosen(cast: Cast) -> None:
    client = client_of(cast.owner)
    assert not User.objects.get(pk=cast.owner.pk).takes_forced_turns
    assert "Take forced turns for me" in text_of(client.get("/players/Owner/"))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_hidden_cards_change_nothing_about_it(cast: Cast, viewer: Any) -> None:
    """Faults 33 to 36: a page that tells of a forced turn tells no card."""
    game, actions, _n = before_forced_turn(cast)
    choose(game)
    submit(game, actions)
    browser, address = browser_of(cast, viewer), game.get_absolute_url()
    page = normal(text_of(browser.get(address)))
    with permuted(read(game), viewer):
        assert normal(text_of(browser.get(address))) == page


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_double_click_takes_it_once() -> None:
    """Faults 62 and 63: two forms at the same moment, one turn and one forced turn."""
    for n in range(ROUNDS):
        cast = Cast(*(make_user(f"{name}{n}") for name in ("Owner", "Opponent", "Stranger")))
        game, actions, n_forced = before_forced_turn(cast)
        choose(game)
        once = {"expected_version": game.version, "request_id": request_id()}
        race(*[lambda: submit(game, actions, **once)] * 2)  # noqa: B023  # run within the loop
        assert running_game(game.match).version == game.version + len(actions) + n_forced
