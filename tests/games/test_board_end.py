"""The end of games and matches on the board: giving up, calling off, records, playing again."""

from __future__ import annotations

import itertools
import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.engine.records import parse_record
from games.engine.schotten_totten import SCHOTTEN_TOTTEN
from games.engine.shuffle import parse_shuffle, verify
from games.models import Game, Match
from tests.games.boards import FRAGMENT, form_of, text_of
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


def resign(client: Client, game: Game, what: str = "game", **rest: str) -> int:
    """Post the form that gives up, as a page rendered now holds it."""
    game.refresh_from_db()
    form = {"version": str(game.version), "request_id": f"resign-{what}", "what": what, **rest}
    return client.post(f"/games/{game.pk}/resign/", form).status_code


def test_giving_up_asks_first_and_works_without_script(game: Game, owner_client: Client) -> None:
    page = text_of(owner_client.get(game.get_absolute_url()))
    assert "<summary>Give up</summary>" in page
    assert [field["value"] for field in fields(page, "what")] == ["game", "match"]


def test_a_game_resigned_goes_on_with_the_next(
    match: Match, game: Game, owner_client: Client
) -> None:
    assert resign(owner_client, game) == 302
    game.refresh_from_db()
    match.refresh_from_db()
    assert (game.winner, game.reason) == (1, "resign")
    assert match.status == Match.Status.RUNNING
    page = text_of(owner_client.get(game.get_absolute_url()))
    assert "Owner</bdi> resigns." in page
    assert "You have lost" in page
    assert "result--lost" in page
    assert "To game 2 of this match" in page


def test_a_match_resigned_is_over(match: Match, game: Game, opponent_client: Client) -> None:
    assert resign(opponent_client, game, "match") == 302
    match.refresh_from_db()
    assert (match.winner, match.ending) == (0, Match.Ending.RESIGN)
    page = text_of(opponent_client.get(game.get_absolute_url()))
    assert "Owner wins the match, 15 to 0." in page
    assert "Offer a rematch" in page


def test_one_may_resign_in_the_turn_of_the_other(game: Game, opponent_client: Client) -> None:
    assert resign(opponent_client, game) == 302


def test_resigning_twice_is_once(game: Game, owner_client: Client) -> None:
    form = {"version": "0", "request_id": "r", "what": "game"}
    for _ in range(2):
        response = owner_client.post(f"/games/{game.pk}/resign/", form)
        assert response.status_code == 302
    game.refresh_from_db()
    assert game.version == 1


@pytest.mark.parametrize(
    ("rest", "status"),
    [
        ({"version": "7"}, 409),
        ({"version": "x"}, 400),
        ({"what": "all"}, 400),
        ({"request_id": ""}, 400),
    ],
)
def test_a_bad_resignation_changes_nothing(
    game: Game, owner_client: Client, rest: dict[str, str], status: int
) -> None:
    form = {"version": "0", "request_id": "r", "what": "game", **rest}
    assert owner_client.post(f"/games/{game.pk}/resign/", form).status_code == status
    game.refresh_from_db()
    assert game.is_running


def test_resigning_by_htmx_answers_with_the_board(game: Game, owner_client: Client) -> None:
    form = {"version": "0", "request_id": "r", "what": "game"}
    response = owner_client.post(f"/games/{game.pk}/resign/", form, headers=FRAGMENT)
    assert response.status_code == 200
    assert 'data-status="30"' in text_of(response)


def test_aborting_is_offered_until_both_have_made_a_turn(game: Game, owner_client: Client) -> None:
    for is_offered in (True, True, False):
        page = text_of(owner_client.get(game.get_absolute_url()))
        assert ("Abort the match" in page) == is_offered
        play_turn(game)


def test_an_aborted_match_is_told_and_stays_closed(
    match: Match, game: Game, owner_client: Client, opponent_client: Client
) -> None:
    play_turn(game)
    owner_client.post(f"/matches/{match.pk}/abort/")
    page = text_of(opponent_client.get(game.get_absolute_url()))
    assert "The match was aborted: it counts for nobody." in page
    assert page.count('class="back"') == 6
    assert "record.json" not in page
    assert opponent_client.get(f"/games/{game.pk}/record.json").status_code == 404


def test_fault_36_a_running_game_has_no_record(game: Game, cast: Cast, client: Client) -> None:
    for browser in (
        client_of(cast.owner),
        client_of(cast.opponent),
        client_of(cast.stranger),
        client,
    ):
        assert browser.get(f"/games/{game.pk}/record.json").status_code == 404


def test_fault_36_a_finished_game_has_one_record_for_all(
    game: Game, cast: Cast, client: Client
) -> None:
    play_out(game)
    answers = [
        browser.get(f"/games/{game.pk}/record.json")
        for browser in (client_of(cast.owner), client_of(cast.opponent), client)
    ]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert "attachment" in answers[0].headers["Content-Disposition"]


def test_a_record_replays_and_verifies(game: Game, client: Client) -> None:
    play_out(game)
    told = json.loads(client.get(f"/games/{game.pk}/record.json").content)
    record = parse_record(told)
    outcome = SCHOTTEN_TOTTEN.outcome(record.final())
    game.refresh_from_db()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (game.winner, game.reason)
    checked = verify(SCHOTTEN_TOTTEN, record.setup, parse_shuffle(told["shuffle"]))
    assert checked == {"commitment": True, "deck": True, "first": True}
    assert told["players"] == ["Owner", "Opponent"]


def test_the_secret_of_the_next_round_is_not_in_a_record(
    match: Match, game: Game, client: Client
) -> None:
    play_out(game)
    text = client.get(f"/games/{game.pk}/record.json").content.decode()
    assert match.secrets[0] in text
    assert match.secrets[1] not in text
    assert match.secrets[2] not in text


def test_a_rematch_is_one_click_away_for_both(
    cast: Cast, owner_client: Client, opponent_client: Client
) -> None:
    game = play_out(running_game(make_match(cast.owner, cast.opponent, n_rounds=1)))
    page = text_of(owner_client.get(game.get_absolute_url()))
    assert "Offer a rematch" in page
    request_id = fields(page, "request_id")[0]["value"]
    owner_client.post(f"/matches/{game.match_id}/rematch/", {"request_id": request_id})
    assert "You have offered a rematch." in text_of(owner_client.get(game.get_absolute_url()))
    page = text_of(opponent_client.get(game.get_absolute_url()))
    assert "Accept the rematch" in page
    request_id = fields(page, "request_id")[0]["value"]
    opponent_client.post(f"/matches/{game.match_id}/rematch/", {"request_id": request_id})
    again = Match.objects.get(rematch_of=game.match)
    for browser in (owner_client, opponent_client):
        board = running_game(again).get_absolute_url()
        assert board in text_of(browser.get(game.get_absolute_url()))
        assert board in text_of(browser.get(game.match.get_absolute_url()))


def test_spectators_are_offered_no_rematch(cast: Cast, client: Client) -> None:
    game = play_out(running_game(make_match(cast.owner, cast.opponent, n_rounds=1)))
    assert "rematch" not in text_of(client.get(game.get_absolute_url()))


@pytest.mark.parametrize(("ruleset", "n_rounds"), [("start-of-turn", 1), ("automatic", 2)])
def test_a_match_by_fields_and_buttons(cast: Cast, ruleset: str, n_rounds: int) -> None:
    """A claim whenever it holds. The third claim timing is played in test_plain_match."""
    match = make_match(cast.owner, cast.opponent, ruleset_slug=ruleset, n_rounds=n_rounds)
    browsers = (client_of(cast.owner), client_of(cast.opponent))
    for _ in range(600):
        game = match.games.filter(status=Game.Status.RUNNING).first()
        if game is None:
            break
        _plain_turn(browsers[game.turn or 0], game)
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED
    assert match.ending == Match.Ending.POINTS
    games = list(match.games.order_by("round"))
    assert match.points_0 == sum(game.points_0 for game in games)
    assert match.points_1 == sum(game.points_1 for game in games)
    for before, after in itertools.pairwise(games):
        assert after.first == before.winner


def _plain_turn(browser: Client, game: Game) -> None:
    page = text_of(browser.get(game.get_absolute_url()))
    claims = [field["value"] for field in fields(page, "claim")]
    if "Claim and win" in page:
        form = form_of(page, step="confirm", claim=claims)
        assert browser.post(f"/games/{game.pk}/submit/", form).status_code == 302
        return
    step = _step(page, game)
    planned = text_of(browser.post(f"/games/{game.pk}/plan/", form_of(page, claim=claims, **step)))
    claims = [field["value"] for field in fields(planned, "claim")]
    form = form_of(planned, step="confirm", claim=claims)
    assert browser.post(f"/games/{game.pk}/submit/", form).status_code == 302


def _step(page: str, game: Game) -> dict[str, str]:
    cards, stones = fields(page, "card"), fields(page, "stone")
    if not cards:
        return {"step": "pass"}
    card = cards[game.version % len(cards)]["value"] or ""
    stone = stones[game.version * 7 % len(stones)]["value"] or ""
    return {"step": "lay", "card": card, "stone": stone}


def test_the_most_urgent_of_ones_other_boards_is_one_click_away(
    game: Game, cast: Cast, stranger_client: Client
) -> None:
    waits = game.match.players[1 - game.first]
    browser = client_of(waits)
    url, link = game.get_absolute_url(), "data-next-waiting"
    assert link not in text_of(browser.get(url))
    boards = [running_game(make_match(waits, cast.stranger)) for _ in range(3)]
    for board, hours in zip(boards, (9, 5, -1), strict=True):
        to_act = {"turn": 0, "deadline_at": timezone.now() + timedelta(hours=hours)}
        Game.objects.filter(pk=board.pk).update(**to_act)
    page = text_of(browser.get(url))
    assert f'href="{boards[1].get_absolute_url()}" data-next-waiting>Next game (2 waiting)' in page
    assert f'data-waiting="2 {boards[1].get_absolute_url()}"' in page
    home = text_of(browser.get("/"))
    assert f'href="{boards[1].get_absolute_url()}" data-next-waiting>Next game (2 waiting)' in home
    assert link not in text_of(stranger_client.get(url))
    assert link not in text_of(Client().get(url))


def test_a_player_who_is_to_act_may_skip_to_another_board(
    game: Game, cast: Cast, owner_client: Client
) -> None:
    """The link stands apart from what a turn is made with, and no news exchange a planned turn."""
    elsewhere = running_game(make_match(cast.owner, cast.stranger))
    Game.objects.filter(pk=elsewhere.pk).update(turn=0)
    Game.objects.filter(pk=game.pk).update(turn=game.first)
    to_act = client_of(game.match.players[game.first])
    page = text_of(to_act.get(game.get_absolute_url()))
    assert "data-waiting" not in parse(page).by_id("board").attributes
    if game.first == 0:
        link = f'<a href="{elsewhere.get_absolute_url()}" data-next-waiting>Next game (1 waiting)'
        assert page.count(link) == page.count("data-next-waiting") == 1
        assert page.index(link) < page.index("</header>", page.index('id="board"'))
    else:
        assert "data-next-waiting" not in page
    resign(owner_client, game, "match")
    page = text_of(owner_client.get(game.get_absolute_url()))
    assert page.count("Next game (1 waiting)") == 1
    assert elsewhere.get_absolute_url() in page


def test_looking_for_other_boards_is_one_query(
    game: Game,
    cast: Cast,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    waits = client_of(game.match.players[1 - game.first])
    waits.get(game.get_absolute_url())
    for _ in range(3):
        make_match(cast.owner, cast.opponent)
        # session, user, game, actions, first turns, waiting, prepared answers, the desk,
        # the two ledgers that pause the clock, the choice of vacations, five for the chat, and
        # three for what has been said and paused since the last look
        with django_assert_num_queries(19):
            waits.get(game.get_absolute_url())


def test_the_name_of_a_closed_account_leads_nowhere(
    game: Game, match: Match, cast: Cast, owner_client: Client
) -> None:
    User.objects.filter(pk=cast.opponent.pk).update(is_active=False)
    for address in (game.get_absolute_url(), match.get_absolute_url()):
        page = text_of(owner_client.get(address))
        assert "<bdi>Opponent</bdi>" in page
        assert cast.opponent.get_absolute_url() not in page
        assert f'href="{cast.owner.get_absolute_url()}"' in page


def test_deadlines_name_their_zone_in_one_way(game: Game, match: Match, cast: Cast) -> None:
    to_act = match.players[game.first]
    User.objects.filter(pk=to_act.pk).update(time_zone="Europe/London")
    for address in (game.get_absolute_url(), match.get_absolute_url(), "/"):
        assert "(Europe/London)" in text_of(client_of(to_act).get(address))
