"""A player's own notes on a game: kept, shown to nobody else, and never lost between two tabs."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.services import user_delete
from games.models import Desk, Game
from games.presenters.note import notes_export
from tests.games.boards import FRAGMENT, text_of
from tests.games.conftest import Cast, fields, play_turn
from tests.games.tables import parse

SECRET = "they keep the purple 9"


def form_of(page: str, **changes: str) -> dict[str, str]:
    """Give what the form of the notes on a page sends."""
    hidden = {name: str(fields(page, name)[-1]["value"]) for name in ("note_version", "page")}
    return {**hidden, **changes}


def save(browser: Client, game: Game, form: dict[str, str], **how: Any) -> Any:
    return browser.post(f"/games/{game.pk}/note/", form, **how)


def shown(browser: Client, game: Game) -> str:
    page = text_of(browser.get(game.get_absolute_url()))
    return parse(page).by_id("note-text").text


def opened(browser: Client, game: Game) -> str:
    return text_of(browser.get(game.get_absolute_url()))


def test_a_plain_form_saves_and_leads_back(game: Game, owner_client: Client) -> None:
    answer = save(owner_client, game, form_of(opened(owner_client, game), text=SECRET))
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"{game.get_absolute_url()}#note"
    assert shown(owner_client, game) == SECRET


def test_a_page_saves_again_and_again(game: Game, owner_client: Client) -> None:
    """What was typed while the first answer was on its way is saved with the old version."""
    form = form_of(opened(owner_client, game))
    for text in ("one", "one two", "one two three"):
        answer = save(owner_client, game, {**form, "text": text}, headers=FRAGMENT)
        assert answer.status_code == 200
        assert "Saved." in text_of(answer)
        assert "<html" not in text_of(answer)
    assert shown(owner_client, game) == "one two three"


@pytest.mark.parametrize("headers", [{}, FRAGMENT], ids=["page", "fragment"])
def test_of_two_tabs_the_second_is_told_and_loses_nothing(
    game: Game, owner_client: Client, headers: dict[str, str]
) -> None:
    first, second = (form_of(opened(owner_client, game)) for _ in range(2))
    save(owner_client, game, {**first, "text": "from one"}, headers=headers)
    refused = save(owner_client, game, {**second, "text": "from two"}, headers=headers)
    page = text_of(refused)
    assert refused.status_code == 409
    assert "was changed in another window" in page
    assert "from one" in page
    assert shown(owner_client, game) == "from one"
    if not headers:
        assert "from two" in page
    over = form_of(page, text="from two", over="1")
    assert save(owner_client, game, over, headers=headers).status_code in (200, 302)
    assert shown(owner_client, game) == "from two"


def test_nobody_else_is_shown_it(
    game: Game, owner_client: Client, opponent_client: Client, stranger_client: Client
) -> None:
    form = form_of(opened(owner_client, game), text=SECRET)
    save(owner_client, game, form)
    for browser in (opponent_client, stranger_client, Client()):
        for path in (game.get_absolute_url(), game.match.get_absolute_url(), "/"):
            for headers in ({}, FRAGMENT):
                assert SECRET not in text_of(browser.get(path, headers=headers))
    assert shown(opponent_client, game) == ""


def test_who_only_watches_keeps_no_notes(
    game: Game, owner_client: Client, stranger_client: Client
) -> None:
    form = form_of(opened(owner_client, game), text="x")
    for browser in (stranger_client, Client()):
        assert "note-text" not in opened(browser, game)
        assert save(browser, game, form).status_code == 403
    assert not Desk.objects.filter(note="x").exists()


def test_it_is_there_after_the_end(game: Game, cast: Cast, owner_client: Client) -> None:
    from django.utils import timezone

    from games.services.matches import match_abort

    save(owner_client, game, form_of(opened(owner_client, game), text=SECRET))
    play_turn(game)
    match_abort(match_id=game.match_id, user=cast.owner, now=timezone.now())
    assert shown(owner_client, game) == SECRET
    save(owner_client, game, form_of(opened(owner_client, game), text="and now?"))
    assert shown(owner_client, game) == "and now?"


@pytest.mark.parametrize(
    "bad",
    [
        {"text": "x" * 2001},
        {"text": "\0"},
        {"note_version": "x"},
        {"note_version": "-1"},
        {"note_version": "9" * 30},
        {"page": ""},
        {"page": "x" * 65},
    ],
)
def test_what_cannot_be_saved_is_refused(
    game: Game, owner_client: Client, bad: dict[str, str]
) -> None:
    form = {**form_of(opened(owner_client, game), text="x"), **bad}
    for headers in ({}, FRAGMENT):
        answer = save(owner_client, game, form, headers=headers)
        assert answer.status_code == 400
        assert 'role="alert"' in text_of(answer)
    assert shown(owner_client, game) == ""


def test_markup_is_text(game: Game, owner_client: Client) -> None:
    save(owner_client, game, form_of(opened(owner_client, game), text="</textarea><b>"))
    assert "&lt;/textarea&gt;&lt;b&gt;" in opened(owner_client, game)


def test_the_address_leads_to_the_board_when_opened(game: Game, owner_client: Client) -> None:
    answer = owner_client.get(f"/games/{game.pk}/note/")
    assert answer.headers["Location"] == game.get_absolute_url()


def test_notes_are_in_the_own_data_and_go_with_the_account(
    game: Game, cast: Cast, owner_client: Client
) -> None:
    save(owner_client, game, form_of(opened(owner_client, game), text=SECRET))
    assert notes_export(cast.owner) == [{"game_id": game.pk, "note": SECRET}]
    assert notes_export(cast.opponent) == []
    user_delete(user_id=cast.owner.pk, now=timezone.now())
    assert not Desk.objects.filter(user=cast.owner).exists()
