"""The easy bot: accepts after a wait, plays by what it sees, through the same door as people."""

from __future__ import annotations

from datetime import datetime, timedelta
from urllib.parse import unquote

import pytest
from django.test import Client

from accounts.models import User
from games import clock, tasks
from games.models import Action, Game, Match, Offer, Submission
from games.services import bots
from games.services.matches import match_abort
from games.services.offers import offer_accept
from games.services.standing_offers import offers_sweep
from tests.games.conftest import (
    Cast,
    fields,
    make_match,
    make_offer,
    play_turn,
    running_game,
)

pytestmark = pytest.mark.django_db

RULESET = "schotten-totten/after-play"
WAITED = bots.SEEK_WAIT + timedelta(seconds=1)


def sweep(by: timedelta = timedelta(0)) -> None:
    with clock.shifted(by):
        tasks.bots_sweep()


def test_a_seek_is_accepted_after_a_wait_and_not_before(cast: Cast) -> None:
    bot = bots.ensure_bot()
    make_offer(cast.owner)
    sweep()
    assert not Match.objects.exists()
    sweep(WAITED)
    assert Match.objects.get().players == (cast.owner, bot)


def test_a_site_without_a_bot_gets_one(cast: Cast) -> None:
    make_offer(cast.owner)
    sweep(WAITED)
    sweep(WAITED)
    bot = User.objects.get(is_bot=True)
    assert Match.objects.get().players == (cast.owner, bot)
    assert not bot.has_usable_password()


@pytest.mark.parametrize("names", [["Tam"], ["tam"], ["TAM", "Tam the Bot", "tam the bot 2"]])
def test_people_who_have_the_name_of_the_bot_are_left_in_peace(
    cast: Cast, names: list[str]
) -> None:
    for number, name in enumerate(names):
        User.objects.create_user(name, f"tam{number}@example.org", "peat")
    make_offer(cast.owner)
    sweep(WAITED)
    assert Match.objects.get().players[1].is_bot
    assert bots.ensure_bot() == User.objects.get(is_bot=True)


def test_a_bot_that_was_switched_off_stays_off(cast: Cast) -> None:
    bot = bots.ensure_bot()
    bot.is_active = False
    bot.save()
    make_offer(cast.owner)
    sweep(WAITED)
    assert User.objects.filter(is_bot=True).count() == 1
    assert not Match.objects.exists()


def test_a_seek_for_people_alone_is_left_to_them(cast: Cast) -> None:
    bots.ensure_bot()
    make_offer(cast.owner, is_bot_welcome=False)
    sweep(WAITED)
    assert not Match.objects.exists()


def test_a_challenge_to_the_bot_is_accepted_at_once(cast: Cast) -> None:
    bot = bots.ensure_bot()
    make_offer(cast.owner, Offer.Kind.CHALLENGE, to=bot)
    sweep()
    assert Match.objects.get().player_1 == bot


def test_invitations_and_challenges_to_others_are_left_alone(cast: Cast) -> None:
    bots.ensure_bot()
    make_offer(cast.owner, Offer.Kind.INVITATION)
    make_offer(cast.owner, Offer.Kind.CHALLENGE, to=cast.opponent)
    sweep(WAITED)
    assert not Match.objects.exists()


def test_two_sweeps_make_one_match(cast: Cast) -> None:
    bots.ensure_bot()
    make_offer(cast.owner)
    sweep(WAITED)
    sweep(WAITED)
    assert Match.objects.count() == 1


def test_the_bot_plays_a_whole_match(cast: Cast) -> None:
    bot = bots.ensure_bot()
    match = make_match(cast.owner, bot, n_rounds=2)
    while (
        game := Game.objects.filter(match=match, status=Game.Status.RUNNING).first()
    ) is not None:
        if game.turn == 1:
            assert bots.bot_act(game_id=game.pk, now=clock.now())
        else:
            play_turn(game)
    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED
    assert match.ending == Match.Ending.POINTS
    assert max(match.points) >= 5


def test_a_task_that_runs_twice_plays_once(cast: Cast) -> None:
    game = bot_to_act(cast)
    tasks.bot_act(game.pk)
    n_actions, n_submissions = Action.objects.count(), Submission.objects.count()
    tasks.bot_act(game.pk)
    assert (Action.objects.count(), Submission.objects.count()) == (n_actions, n_submissions)


def test_the_bot_chooses_by_its_view_alone(cast: Cast) -> None:
    """Another hand of the opponent and another deck order, same view: the same turn."""
    game = running_game(make_match(cast.owner, bots.ensure_bot()))
    game.first = game.turn = 1
    chosen = bots.bot_turn(game)
    deck = game.piles["deck"]
    hidden = [*reversed(deck[:6] + deck[12:])]
    game.piles["deck"] = [*hidden[:6], *deck[6:12], *hidden[6:]]
    assert bots.bot_turn(game) == chosen


def test_a_broken_game_keeps_no_other_waiting(cast: Cast) -> None:
    broken, sound = bot_to_act(cast), bot_to_act(cast)
    Game.objects.filter(pk=broken.pk).update(piles={"deck": []})
    make_offer(cast.owner)
    version = sound.version
    sweep(WAITED)
    sound.refresh_from_db()
    assert sound.version > version
    assert not Offer.objects.filter(status=Offer.Status.OPEN).exists()


def test_it_lets_people_play_for_themselves(cast: Cast, now: datetime) -> None:
    match = make_match(cast.owner, cast.opponent)
    assert not bots.bot_act(game_id=running_game(match).pk, now=now)
    sweep()
    assert not Action.objects.exists()


def bot_to_act(cast: Cast) -> Game:
    """Start a match with the bot and bring it to the bot's turn."""
    game = running_game(make_match(cast.owner, bots.ensure_bot()))
    if game.turn == 0:
        play_turn(game)
    return running_game(game.match)


class TestPlayingTheBot:
    def test_one_press_starts_a_game_with_the_bot(self, cast: Cast, owner_client: Client) -> None:
        for path in ("/", "/lobby/", "/play/bot/"):
            page = owner_client.get(path).content.decode()
            form = page.partition('action="/play/bot/"')[2].partition("</form>")[0]
            assert "Play the easy bot" in form
        data = {"request_id": fields(form, "request_id")[0]["value"], "ruleset": RULESET}
        first = owner_client.post("/play/bot/", data)
        again = owner_client.post("/play/bot/", data)
        match = Match.objects.get()
        assert first["Location"] == again["Location"] == running_game(match).get_absolute_url()
        assert (match.player_0, match.player_1.is_bot) == (cast.owner, True)
        assert (match.n_rounds, match.is_rated) == (1, False)
        pages = [first["Location"], match.get_absolute_url(), "/", "/lobby/"]
        for path in [*pages, "/players/Owner/matches/"]:
            assert '<span class="badge">bot</span>' in owner_client.get(path).content.decode()

    @pytest.mark.parametrize(
        "data", [{}, {"request_id": "a"}, {"request_id": "a", "ruleset": "chess/blitz"}]
    )
    def test_broken_form_starts_nothing(self, owner_client: Client, data: dict[str, str]) -> None:
        assert owner_client.post("/play/bot/", data).status_code == 422
        assert not Match.objects.exists()

    def test_visitor_logs_in_first(self, client: Client, db: None) -> None:
        assert 'href="/play/bot/"' in client.get("/").content.decode()
        answer = client.get("/play/bot/")
        assert answer["Location"] == "/accounts/login/?next=/play/bot/"
        page = client.get(answer["Location"]).text
        assert "To play the bot you need an account" in page
        assert page.count('href="/accounts/signup/?next=%2Fplay%2Fbot%2F"') == 2
        assert "To play the bot" not in client.get("/accounts/login/").text

    def test_what_was_picked_is_kept_through_the_log_in(self, client: Client, owner: User) -> None:
        data = {"request_id": "a", "ruleset": "three-bridges/standard"}
        there = client.post("/play/bot/", data)["Location"]
        assert not Match.objects.exists()
        client.force_login(owner)
        page = client.get(unquote(there.partition("next=")[2])).text
        assert '<option value="three-bridges/standard" selected>Three Bridges</option>' in page


@pytest.mark.parametrize(
    ("asked", "is_let_in"),
    [
        ({"rating_low": 1700, "rating_high": 1900}, False),
        ({"rating_high": 1499}, False),
        ({"rating_low": 1400, "rating_high": 1600}, True),
        ({"in_time": 3}, True),
    ],
)
def test_a_bot_is_asked_what_everybody_is_and_counts_as_1500(
    cast: Cast, asked: dict[str, int], is_let_in: bool
) -> None:
    bots.ensure_bot()
    make_offer(cast.owner, **asked)
    sweep(WAITED)
    assert Match.objects.exists() is is_let_in


class TestLiveSeeks:
    """A live seek is taken by the bot, and comes again, only while its maker is there."""

    def seek(self, maker: User) -> Offer:
        return make_offer(maker, pace_slug="live", n_at_once=2)

    def test_an_hour_and_the_page_says_so(self, cast: Cast, owner_client: Client) -> None:
        offer = make_offer(cast.owner, pace_slug="live", is_bot_welcome=False)
        assert offer.expires_at - offer.created_at == timedelta(hours=1)
        with clock.shifted(timedelta(minutes=59)):
            assert "stands until" in owner_client.get("/lobby/").text
        with clock.shifted(timedelta(minutes=61)):
            assert "This offer has expired" in owner_client.get("/lobby/").text

    def test_the_bot_leaves_it_alone_once_the_maker_has_gone(self, cast: Cast) -> None:
        self.seek(cast.owner)
        sweep(timedelta(minutes=6))
        assert not Match.objects.exists()

    def test_the_bot_takes_it_while_the_maker_uses_some_page(
        self, cast: Cast, owner_client: Client
    ) -> None:
        self.seek(cast.owner)
        with clock.shifted(timedelta(minutes=20)):
            owner_client.post("/here/")
        sweep(timedelta(minutes=22))
        assert Match.objects.count() == 1

    def test_it_comes_again_only_while_the_maker_is_there(
        self, cast: Cast, owner_client: Client
    ) -> None:
        offer = self.seek(cast.owner)
        sweep(WAITED)
        again = Offer.objects.get(again_of=offer)
        with clock.shifted(timedelta(minutes=10)):
            offer_accept(offer_id=again.pk, user=cast.opponent, now=clock.now())
        assert not Offer.objects.filter(again_of=again).exists()
        assert "offered again" not in owner_client.get("/lobby/").text

    def test_one_that_waits_is_withdrawn_where_the_maker_has_gone(self, cast: Cast) -> None:
        offer = make_offer(cast.owner, pace_slug="live", n_at_once=1)
        match = offer_accept(offer_id=offer.pk, user=cast.opponent, now=clock.now())
        match_abort(match_id=match.pk, user=cast.opponent, now=clock.now())
        with clock.shifted(timedelta(minutes=6)):
            offers_sweep(now=clock.now())
        assert Offer.objects.get(again_of=offer).status == Offer.Status.WITHDRAWN
