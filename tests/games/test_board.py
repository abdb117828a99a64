"""The board page: who sees what, how it is sent, and what it says."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.models import Game, Match
from tests.games.boards import (
    FRAGMENT,
    form_of,
    named_cards,
    post,
    shapes,
    stack,
    text_of,
    turn,
)
from tests.games.bridges import deal, make_bridges, place
from tests.games.conftest import (
    Cast,
    client_of,
    fields,
    make_match,
    play_out,
    play_turn,
    running_game,
)
from tests.games.tables import parse
from tests.games.tactics import armed_game

HAND_0 = "R1 R2 R3 O1 O2 O3"
HAND_1 = "P1 P2 P3 B1 B2 B3"


@pytest.fixture
def board(game: Game) -> Game:
    """A game whose hands are known: the owner's red and orange, the opponent's purple and blue."""
    return stack(game, HAND_0, HAND_1, draws="R4 P4 R5 P5 R6 P6")


def test_a_player_sees_the_own_hand_and_what_to_do(board: Game, owner_client: Client) -> None:
    page = text_of(owner_client.get(board.get_absolute_url()))
    assert {field["value"] for field in fields(page, "card")} == set(HAND_0.split())
    assert [field["value"] for field in fields(page, "stone")] == [str(n) for n in range(1, 10)]
    assert "Your turn" in page
    assert "Choose a card, then a stone for it." in page
    assert "left</span>" in page


def test_who_is_not_to_act_gets_no_form(board: Game, opponent_client: Client) -> None:
    page = text_of(opponent_client.get(board.get_absolute_url()))
    assert "Owner is to play" in page
    assert fields(page, "card") == fields(page, "stone") == []
    assert named_cards(page) == set(HAND_1.split())


def test_spectators_and_anonymous_see_public_cards_only(
    board: Game, stranger_client: Client, client: Client
) -> None:
    turn(board, "R1@4")
    for browser in (stranger_client, client):
        page = text_of(browser.get(board.get_absolute_url()))
        assert named_cards(page) == {"R1"}
        assert "Opponent is to play" in page
        assert "Give up" not in page


@pytest.mark.parametrize("query", ["?as=spectator", "?seat=0", "?viewer=1", "?seat=-1", "?seat=7"])
def test_fault_34_43_no_query_changes_who_looks(
    board: Game, opponent_client: Client, client: Client, query: str
) -> None:
    assert named_cards(text_of(client.get(board.get_absolute_url() + query))) == set()
    page = text_of(opponent_client.get(board.get_absolute_url() + query))
    assert named_cards(page) == set(HAND_1.split())


def test_staff_are_spectators_too(board: Game, cast: Cast) -> None:
    cast.stranger.is_staff = cast.stranger.is_superuser = True
    cast.stranger.save()
    page = text_of(client_of(cast.stranger).get(board.get_absolute_url()))
    assert named_cards(page) == set()


def test_a_private_match_is_not_there_for_others(cast: Cast, client: Client) -> None:
    game = running_game(make_match(cast.owner, cast.opponent, is_private=True))
    for browser in (client, client_of(cast.stranger)):
        for path in ("", "plan/", "submit/", "resign/", "record.json"):
            assert browser.get(game.get_absolute_url() + path).status_code == 404
            if path and path != "record.json":
                assert browser.post(game.get_absolute_url() + path).status_code == 404
    assert client_of(cast.owner).get(game.get_absolute_url()).status_code == 200


def test_an_unknown_game_is_404(owner_client: Client, cast: Cast) -> None:
    for path in ("", "plan/", "submit/", "resign/", "record.json"):
        assert owner_client.get(f"/games/999999/{path}").status_code == 404
    assert owner_client.get("/games/99999999999999999999999/").status_code == 404


def test_fault_35_face_down_cards_are_one_and_the_same_markup(
    board: Game, owner_client: Client, client: Client
) -> None:
    for browser, n_backs in ((owner_client, 6), (client, 12)):
        backs = parse(text_of(browser.get(board.get_absolute_url()))).by_class("back")
        assert len(backs) == n_backs
        assert all(back == backs[0] for back in backs)
        assert backs[0].children == []


def test_fault_35_backs_differ_by_deck_and_by_nothing_else(cast: Cast, client: Client) -> None:
    game = armed_game(cast, "JA BA ST TR RE")
    turn(game, "R3@3", "draw clan")
    turn(game, "O3@3", "draw tactics")
    backs = parse(text_of(client.get(game.get_absolute_url()))).by_class("back")
    tactics = [back for back in backs if "back--tactics" in back.classes]
    clan = [back for back in backs if "back--tactics" not in back.classes]
    assert (len(clan), len(tactics)) == (11, 3)
    for same in (clan, tactics):
        assert all(back == same[0] for back in same)
        assert same[0].children == []


@pytest.mark.parametrize("bridge", [1, 3])
def test_fault_35_cards_that_lie_face_down_are_one_and_the_same_markup(
    cast: Cast, client: Client, opponent_client: Client, bridge: int
) -> None:
    """Whatever the starter laid down there, its ability, suit and value."""
    for browser in (client, opponent_client):
        found = []
        for card in ("HA", "HX", "C1", "LO"):
            game = deal(make_bridges(cast), "H9 B9 L9", "HA HX C1 LO", "AU BU B7 A7")
            place(game, f"{card}@{bridge}")
            page = parse(text_of(browser.get(game.get_absolute_url())))
            found += page.by_class("down")
            backs = page.by_class("back")
            assert all(back == backs[0] for back in backs)
        assert len(found) == 4
        assert all(down == found[0] for down in found)
        assert found[0].children == []


def test_fault_42_a_hidden_card_asks_for_no_picture_of_its_own(board: Game, client: Client) -> None:
    page = text_of(client.get(board.get_absolute_url()))
    assert "emblems.svg" not in page


def test_pages_with_hands_are_stored_by_nobody(board: Game, owner_client: Client) -> None:
    page = text_of(owner_client.get(board.get_absolute_url()))
    for response in (
        owner_client.get(board.get_absolute_url()),
        owner_client.get(board.get_absolute_url(), headers=FRAGMENT),
        post(owner_client, board, "plan", page, step="lay", card="R1", stone="1"),
    ):
        assert response.headers["Cache-Control"] == "no-store"


def test_fault_68_full_page_or_fragment_is_told_apart_by_what_it_varies_on(
    board: Game, owner_client: Client
) -> None:
    full = owner_client.get(board.get_absolute_url())
    fragment = owner_client.get(board.get_absolute_url(), headers=FRAGMENT)
    restored = owner_client.get(
        board.get_absolute_url(), headers={"HX-Request": "true", "HX-Request-Type": "full"}
    )
    assert "<html" in text_of(full)
    assert "<html" in text_of(restored)
    assert "<html" not in text_of(fragment)
    assert 'id="board"' in text_of(fragment)
    for response in (full, fragment, restored):
        vary = {name.strip() for name in response.headers["Vary"].split(",")}
        assert {"HX-Request", "HX-Request-Type", "Cookie"} <= vary


def test_fault_69_the_controls_of_a_fragment_are_those_of_the_page(
    board: Game, owner_client: Client
) -> None:
    page = text_of(owner_client.get(board.get_absolute_url()))
    fragment = text_of(owner_client.get(board.get_absolute_url(), headers=FRAGMENT))
    for name in ("card", "stone", "step", "version", "plan"):
        assert fields(page, name)[: len(fields(fragment, name))] == fields(fragment, name)
    assert "hx-post" in fragment
    assert "csrfmiddlewaretoken" in fragment


def test_fault_70_a_board_is_one_part_with_one_target(board: Game, owner_client: Client) -> None:
    fragment = text_of(owner_client.get(board.get_absolute_url(), headers=FRAGMENT))
    assert fragment.count('id="board"') == 1
    assert "hx-swap-oob" not in fragment
    assert 'id=""' not in fragment


def test_a_fragment_says_its_version_and_the_turn_in_its_title(
    board: Game, owner_client: Client
) -> None:
    turn(board, "R1@4")
    fragment = text_of(owner_client.get(board.get_absolute_url(), headers=FRAGMENT))
    assert 'data-version="2"' in fragment
    assert "<title>Opponent is to play" in fragment


def test_fault_65_a_page_opened_later_is_the_whole_present_board(
    board: Game, owner_client: Client
) -> None:
    for _ in range(6):
        play_turn(board)
    board.refresh_from_db()
    fragment = text_of(owner_client.get(board.get_absolute_url(), headers=FRAGMENT))
    assert f'data-version="{board.version}"' in fragment
    assert fragment.count('class="log__turn ') == 6


def test_the_last_turn_is_marked(board: Game, opponent_client: Client) -> None:
    turn(board, "R1@4")
    page = text_of(opponent_client.get(board.get_absolute_url()))
    assert len(shapes(page, "card--last")) == 1
    turn(board, "P1@4")
    page = text_of(opponent_client.get(board.get_absolute_url()))
    assert len(shapes(page, "card--last")) == 1


def test_stones_are_read_aloud_with_both_sides(board: Game, owner_client: Client) -> None:
    turn(board, "R1@4")
    turn(board, "P1@4")
    page = text_of(owner_client.get(board.get_absolute_url()))
    assert "Stone 4: your side red 1; opponent&#x27;s side purple 1" in page
    assert 'aria-label="red 2"' in page


def test_fault_121_cards_are_told_by_value_and_emblem_not_by_colour_alone(
    board: Game, owner_client: Client
) -> None:
    page = text_of(owner_client.get(board.get_absolute_url()))
    assert page.count("#rowan") == 2 * 3
    assert page.count("#oak") == 2 * 3
    assert page.count('class="card__value"') == 6


def test_a_full_side_says_what_it_is_and_counts(board: Game, owner_client: Client) -> None:
    for mine, theirs in (("R1", "P1"), ("R2", "B1"), ("R3", "P2")):
        turn(board, f"{mine}@4")
        turn(board, f"{theirs}@5")
    page = text_of(owner_client.get(board.get_absolute_url()))
    assert "red 1, red 2, red 3 (Colour-Run 6)" in page


def test_the_log_names_cards_and_hides_the_other_draw(
    board: Game, owner_client: Client, opponent_client: Client
) -> None:
    turn(board, "R1@4")
    mine = text_of(owner_client.get(board.get_absolute_url()))
    theirs = text_of(opponent_client.get(board.get_absolute_url()))
    assert "red 4" in mine
    assert "draws a card" in theirs
    assert "red 4" not in theirs


def test_a_passed_deadline_is_written_by_the_board_page(
    match: Match, board: Game, opponent_client: Client
) -> None:
    turn(board, "R1@4")
    turn(board, "P1@4")
    Game.objects.filter(pk=board.pk).update(deadline_at=timezone.now() - timedelta(hours=3))
    page = text_of(opponent_client.get(board.get_absolute_url()))
    match.refresh_from_db()
    assert match.winner == 1
    assert "You have won" in page
    assert "has run out of time" in page


def test_the_end_is_told_with_the_next_game_one_click_away(
    board: Game, owner_client: Client
) -> None:
    play_out(board)
    following = Game.objects.get(match=board.match, round=2)
    page = text_of(owner_client.get(board.get_absolute_url()))
    assert f'href="{following.get_absolute_url()}"' in page
    assert f"/games/{board.pk}/record.json" in page
    assert "The match goes on." in page


def test_a_finished_game_is_open_to_everybody(board: Game, client: Client) -> None:
    play_out(board)
    page = text_of(client.get(board.get_absolute_url()))
    assert shapes(page, "back") == []


def test_query_count_is_pinned_and_does_not_grow(
    board: Game, owner_client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for n_since in (0, 3, 3):  # who was here before is told what has been said and paused since
        # What the player keeps and prepared, other boards that wait, the look, and the two ledgers
        # that pause the clock.
        with django_assert_num_queries(17 + n_since):  # one for a question, and five for the chat
            owner_client.get(board.get_absolute_url())
        for _ in range(8):
            play_turn(board)


def test_addresses_of_forms_lead_back_to_the_board_when_opened(
    board: Game, owner_client: Client
) -> None:
    for path in ("plan/", "submit/", "resign/"):
        response = owner_client.get(board.get_absolute_url() + path)
        assert response.status_code == 302
        assert response.headers["Location"] == board.get_absolute_url()


def test_no_page_holds_script_or_style_of_its_own(board: Game, owner_client: Client) -> None:
    page = text_of(owner_client.get(board.get_absolute_url()))
    assert "style=" not in page
    assert "onclick" not in page
    assert "<style" not in page
    assert "hx-on" not in page


def test_fault_122_pages_may_be_zoomed(board: Game, owner_client: Client) -> None:
    page = text_of(owner_client.get(board.get_absolute_url()))
    assert "user-scalable" not in page
    assert "maximum-scale" not in page


def test_the_rules_are_at_hand_and_a_page(
    board: Game, owner_client: Client, client: Client
) -> None:
    page = owner_client.get(board.get_absolute_url()).content.decode()
    assert "Three of a Kind" in page
    path = f"/rules/{board.match.title}/{board.match.ruleset_slug}/"
    assert f'href="{path}"' in page
    assert client.get(path).status_code == 200


def test_form_of_reads_what_a_browser_would_post(board: Game, owner_client: Client) -> None:
    form = form_of(text_of(owner_client.get(board.get_absolute_url())))
    assert form["version"] == "0"
    assert form["request_id"]
