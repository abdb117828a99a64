"""What a player is told when they come back: what happened since they last looked, once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.subscriptions import seen_note
from games.chat_models import ChatMessage
from games.models import Desk, Game, Outage, Vacation
from games.selectors import desk_of
from games.services.desks import look_note
from games.services.vacations import vacation_start
from tests.games.boards import FRAGMENT, form_of, make_board, post, text_of, turn
from tests.games.conftest import Cast, client_of
from tests.games.tables import parse
from tests.games.talk import say

HEADING = "Since you were last here"


@pytest.fixture
def board(cast: Cast) -> Game:
    """A game that the opponent has looked at once, before its first turn; the owner begins."""
    game = make_board(cast, "after-play")
    client_of(cast.opponent).get(game.get_absolute_url())
    return game


def told(page: str) -> list[str]:
    """Give what is new, turn by turn; nothing where nothing is told."""
    panels = parse(page).by_class("since")
    return [line.text for panel in panels for line in panel.by_class("log__turn")]


def seen(game: Game, cast: Cast) -> int:
    """Give the version that the opponent was shown last."""
    return Desk.objects.get(game=game, user=cast.opponent).seen_version


def test_what_happened_meanwhile_is_told_once(board: Game, opponent_client: Client) -> None:
    turn(board, "R7@4")
    page = text_of(opponent_client.get(board.get_absolute_url()))
    (line,) = told(page)
    assert "red 7" in line
    assert HEADING not in text_of(opponent_client.get(board.get_absolute_url()))


def test_ones_own_turn_is_no_news(board: Game, opponent_client: Client) -> None:
    turn(board, "R7@4")
    page = text_of(opponent_client.get(board.get_absolute_url()))
    for headers, card, answer in (({}, "P1", "R8@4"), (FRAGMENT, "P2", "R9@4")):
        plan = {"card": card, "stone": "1", "step": "lay"}
        laid = opponent_client.post(
            f"/games/{board.pk}/plan/", form_of(page, **plan), headers=headers
        )
        submit = f"/games/{board.pk}/submit/"
        done = opponent_client.post(submit, form_of(text_of(laid)), headers=headers, follow=True)
        assert done.status_code == 200
        assert told(text_of(done)) == []
        turn(board, answer)
        page = text_of(opponent_client.get(board.get_absolute_url()))
        assert len(told(page)) == 1


def test_news_stay_while_a_turn_is_planned(board: Game, opponent_client: Client) -> None:
    """The form says since when; so does the page when it is fetched for a newer version."""
    turn(board, "R7@4")
    page = text_of(opponent_client.get(board.get_absolute_url()))
    since = parse(page).by_id("board").attributes["data-since"]
    (field,) = (n for n in parse(page).all() if n.attributes.get("name") == "since")
    assert field.attributes["value"] == since
    plan = {"card": "P1", "stone": "1", "step": "lay", "since": since}
    laid = text_of(post(opponent_client, board, "plan", page, **plan))
    assert told(laid) == told(page)
    fetched = opponent_client.get(f"{board.get_absolute_url()}?since={since}", headers=FRAGMENT)
    assert told(text_of(fetched)) == told(page)


def test_who_looks_on_is_told_nothing(board: Game, cast: Cast, opponent_client: Client) -> None:
    turn(board, "R7@4")
    page = text_of(opponent_client.get(board.get_absolute_url(), headers=FRAGMENT))
    assert told(page) == []
    board.refresh_from_db()
    assert seen(board, cast) == board.version


@pytest.mark.parametrize(
    ("query", "headers"),
    [("?away=", FRAGMENT), ("", {"Sec-Purpose": "prefetch;prerender"})],
    ids=["hidden tab", "fetched ahead"],
)
def test_a_page_that_nobody_sees_is_no_look(
    board: Game, cast: Cast, opponent_client: Client, query: str, headers: dict[str, str]
) -> None:
    turn(board, "R7@4")
    opponent_client.get(board.get_absolute_url() + query, headers=headers)
    opponent_client.head(board.get_absolute_url())
    assert seen(board, cast) == 0
    assert told(text_of(opponent_client.get(board.get_absolute_url())))


def test_the_first_visit_and_spectators_have_no_news(
    board: Game, owner_client: Client, stranger_client: Client, client: Client
) -> None:
    turn(board, "R7@4")
    turn(board, "P1@1")
    for browser in (owner_client, stranger_client, client):
        for query in ("", "?since=0"):
            page = text_of(browser.get(board.get_absolute_url() + query))
            assert told(page) == [] or (browser is owner_client and query)
    assert set(Desk.objects.values_list("user__name", flat=True)) == {"Owner", "Opponent"}


@pytest.mark.parametrize("since", ["x", "-1", "9" * 30, "1.", "1." + "9" * 11, "²", "1.5.2", ""])
def test_a_since_that_is_none_is_harmless(board: Game, opponent_client: Client, since: str) -> None:
    turn(board, "R7@4")
    answer = opponent_client.get(board.get_absolute_url(), {"since": since}, headers=FRAGMENT)
    assert answer.status_code == 200


def test_a_look_never_goes_back(board: Game, cast: Cast) -> None:
    """Of two tabs the slower one writes last, with what it had read before."""
    desk, old = desk_of(board, cast.opponent.pk), Game.objects.get(pk=board.pk)
    turn(board, "R7@4")
    new = Game.objects.get(pk=board.pk)
    later = timezone.now() + timedelta(hours=1)
    for game in (new, old):
        look_note(desk=desk, game=game, user=cast.opponent, now=later)
    assert seen(board, cast) == new.version
    for game in (old, new):
        look_note(desk=None, game=game, user=cast.owner, now=later)
    assert Desk.objects.filter(user=cast.owner).count() == 1


def test_a_look_that_shows_nothing_new_writes_nothing(
    board: Game, opponent_client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    opponent_client.get(board.get_absolute_url())
    # session, user, game, actions, first turns, other boards, prepared answers, the desk,
    # the two ledgers that pause the clock, the choice of vacations, five for the chat, and three
    # for what else may be new
    with django_assert_num_queries(19):
        opponent_client.get(board.get_absolute_url())


def test_news_lead_to_their_steps(board: Game, opponent_client: Client) -> None:
    turn(board, "R7@4")
    page = text_of(opponent_client.get(board.get_absolute_url()))
    (link,) = (n for n in parse(page).all() if "Step through it" in n.text and n.tag == "a")
    steps = opponent_client.get(link.attributes["href"])
    assert steps.status_code == 200
    assert "red 7" in parse(text_of(steps)).by_class("replay__told")[0].text


def test_a_game_that_is_over_is_listed_until_it_is_looked_at(
    board: Game, cast: Cast, owner_client: Client, opponent_client: Client
) -> None:
    from games.services.turns import match_resign

    opponent_client.get(board.get_absolute_url())
    turn(board, "R7@4")
    turn(board, "P1@1")
    board.refresh_from_db()
    at: dict[str, Any] = {"expected_version": board.version, "request_id": "x"}
    match_resign(game_id=board.pk, user=cast.owner, now=timezone.now(), **at)
    link = f'href="{board.get_absolute_url()}"'
    home = text_of(opponent_client.get("/"))
    assert "Over, and not opened by you yet" in home
    assert link in home
    assert "You have won" in home
    page = text_of(opponent_client.get(board.get_absolute_url()))
    assert any("resigns" in line for line in told(page))
    for path in ("/", "/?x"):
        assert link not in text_of(opponent_client.get(path))
    assert "You have lost" in text_of(owner_client.get("/"))


def test_the_time_told_is_when_the_board_was_left(
    board: Game, cast: Cast, opponent_client: Client
) -> None:
    """Whoever stays at a board on which nothing happens has been there until they leave."""
    came, left = (timezone.now() - timedelta(minutes=minutes) for minutes in (50, 10))
    Desk.objects.filter(user=cast.opponent).update(seen_at=came)
    seen_note(user=cast.opponent, now=left, game_id=board.pk)
    turn(board, "R7@4")
    page = text_of(opponent_client.get(board.get_absolute_url()))
    (when,) = parse(page).by_class("since__when")
    assert f"{left:%H:%M} UTC" in when.text


def test_words_and_pauses_are_news_too(
    board: Game, cast: Cast, opponent_client: Client, stranger_client: Client
) -> None:
    """What the other player wrote, whose clock stood still, and when the site was down."""
    hour = timedelta(hours=1)
    now = timezone.now()
    Desk.objects.filter(user=cast.opponent).update(seen_at=now - 5 * hour)
    Game.objects.filter(pk=board.pk).update(started_at=now - 9 * hour)
    say(board.match, cast.owner, "Before.", at=now - 6 * hour)
    say(board.match, cast.owner, "Good evening!", at=now - hour)
    say(board.match, cast.opponent, "Mine.", at=now - hour)
    Outage.objects.create(started_at=now - 8 * hour, ended_at=now - 7 * hour)
    Outage.objects.create(started_at=now - 4 * hour, ended_at=now - 3 * hour)
    for player in (cast.owner, cast.opponent):  # one's own is no news
        vacation_start(user=player, now=now - hour)
    back = {"starts_at": now - 8 * hour, "ends_at": now - 2 * hour}
    Vacation.objects.create(
        user=cast.owner, planned_end_at=now - 2 * hour, created_at=now - 9 * hour, **back
    )
    before = {"starts_at": now - 30 * hour, "ends_at": now - 20 * hour}
    Vacation.objects.create(
        user=cast.owner, planned_end_at=now - 20 * hour, created_at=now - 40 * hour, **before
    )
    page = text_of(opponent_client.get(board.get_absolute_url()))
    down, over, away, said = told(page)
    assert "Vacation of Owner, over now." in over
    assert "nobody's clock ran" in down
    assert f"{now - 4 * hour:%H:%M} to" in down
    assert "Vacation of Owner." in away
    assert "Owner writes: Good evening!" in said
    assert "Step through it" not in parse(page).by_id("since").text
    assert told(text_of(opponent_client.get(board.get_absolute_url()))) == []
    ChatMessage.objects.update(text="")
    since = text_of(opponent_client.get(f"{board.get_absolute_url()}?since=0.1"))
    assert len(told(since)) == 4
    assert told(text_of(stranger_client.get(f"{board.get_absolute_url()}?since=0.1"))) == []
