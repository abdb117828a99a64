"""Times on pages: what an offer means in time, and the clocks of the board."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from accounts.models import User
from games import clock
from games.models import Game, Match, Offer
from games.paces import PACES
from games.presenters.outlook import longest_game
from games.presenters.times import lasting
from games.services.vacations import vacation_start
from tests.games.conftest import (
    Cast,
    make_match,
    play_turn,
    request_id,
    running_game,
)

NEW = "/offers/new/"
START = datetime(2026, 3, 4, 12, tzinfo=UTC)  # a Wednesday
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
BIT = timedelta(seconds=30)
"""Longer than a page takes: the clock runs on meanwhile."""


def form(**rest: str) -> dict[str, str]:
    told = {
        "kind": "seek",
        "request_id": request_id(),
        "ruleset": "schotten-totten/after-play",
        "n_rounds": "1",
        "pace": "per-turn-1",
    }
    return {**told, **rest}


def live_in(user: User, zone: str) -> None:
    user.time_zone = zone
    user.save(update_fields=["time_zone"])


def page_at(client: Client, game: Game, at: datetime) -> str:
    with clock.shifted(at - clock.now()):
        return client.get(game.get_absolute_url()).content.decode()


def agreed(page: str) -> str:
    """Give what the board says was agreed about time."""
    return unescape(page.partition('id="agreed"')[2].partition("</dl>")[0])


def begin(cast: Cast, **rest: Any) -> Game:
    game = running_game(make_match(cast.owner, cast.opponent, at=START, **rest))
    for _ in "12":
        play_turn(game, START)
    return running_game(Match.objects.get(pk=game.match_id))


class TestOfferForm:
    def look(self, client: Client, **rest: str) -> str:
        with clock.shifted(START - clock.now()):
            return client.post(NEW, {**form(**rest), "look": "1"}).content.decode()

    def test_tells_in_local_time_when_the_first_turn_would_be_due(
        self, owner: User, owner_client: Client
    ) -> None:
        live_in(owner, "Asia/Kathmandu")
        page = self.look(owner_client, pace="steady")
        assert "Sat 7 Mar 2026, 17:45</time> (Asia/Kathmandu)" in page
        assert "3 days each for a game, and 1 day more after each turn, up to 5 days." in page
        assert not Offer.objects.exists()

    def test_tells_how_long_the_match_can_last(self, owner_client: Client) -> None:
        page = self.look(owner_client, n_rounds="2")
        until = START + 2 * 74 * DAY
        assert f"{until.day} {until:%b %Y}, 12:00</time> (UTC) at the latest" in page

    def test_counts_weekends_in(self, owner: User, owner_client: Client) -> None:
        live_in(owner, "Europe/Prague")
        page = self.look(owner_client, pace="per-turn-3", has_weekends="on")
        assert "Mon 9 Mar 2026, 13:00" in page
        assert "Weekends in Europe/Prague are counted in." in page

    def test_gives_the_times_alone_to_a_page_with_script(self, owner_client: Client) -> None:
        answer = owner_client.post(
            NEW, {**form(), "look": "1"}, headers={"HX-Request": "true"}
        ).content.decode()
        assert answer.lstrip().startswith('<div id="time-outlook"')

    @pytest.mark.parametrize("pace", ["", "Live", "per-turn--1", "\0", "9" * 500])
    def test_says_nothing_of_what_cannot_be(self, owner_client: Client, pace: str) -> None:
        assert "see what they mean in time" in self.look(owner_client, pace=pace)

    def test_a_longest_game_is_both_banks_and_all_that_turns_bring(self) -> None:
        assert longest_game(PACES["per-turn-2"], 10) == 10 * 2 * DAY
        assert longest_game(PACES["steady"], 10) == 6 * DAY + 8 * DAY

    def test_terms_are_kept_and_told_before_and_after_accepting(
        self, cast: Cast, owner_client: Client, opponent_client: Client
    ) -> None:
        live_in(cast.owner, "America/New_York")
        owner_client.post(NEW, form(has_weekends="on", is_strict="on"))
        offer = Offer.objects.get()
        assert (offer.weekend_zone, offer.allows_vacation) == ("America/New_York", False)
        live_in(cast.owner, "UTC")
        lobby = opponent_client.get("/lobby/").content.decode()
        assert "weekends free (America/New_York)" in lobby
        assert "without vacations" in lobby
        page = opponent_client.get(f"/offers/{offer.pk}/").content.decode()
        assert "Weekends are free, Saturday to Monday, 0:00 in America/New_York." in page
        assert "Vacations do not pause the clocks." in page
        opponent_client.post(f"/offers/{offer.pk}/accept/")
        match = Match.objects.get()
        assert (match.weekend_zone, match.allows_vacation) == ("America/New_York", False)
        assert (
            "0:00 in America/New_York"
            in opponent_client.get(match.get_absolute_url()).content.decode()
        )

    def test_fault_60_live_has_no_pauses_whatever_is_ticked(self, owner_client: Client) -> None:
        """Fault 60: the form hides both ticks once the pace is live."""
        ticked = {"pace": "live", "has_weekends": "on", "is_strict": "on"}
        assert "Nothing pauses live clocks." in self.look(owner_client, **ticked)
        owner_client.post(NEW, form(**ticked))
        offer = Offer.objects.get()
        assert (offer.pace_slug, offer.weekend_zone, offer.allows_vacation) == ("live", "", True)

    def test_vacations_come_on_top_only_where_they_pause(self, owner_client: Client) -> None:
        assert "Vacations would come on top." in self.look(owner_client)
        page = self.look(owner_client, is_strict="on")
        assert "Vacations would not pause its clocks." in page
        assert "on top" not in page

    def test_fault_57_no_field_takes_a_time_of_the_browser(self, owner_client: Client) -> None:
        owner_client.post(NEW, form(deadline="1", weekend_zone="Mars/Olympus", now="9"))
        assert Offer.objects.get().weekend_zone == ""


class TestBoard:
    def test_deadline_is_a_moment_in_the_viewers_zone(
        self, cast: Cast, owner_client: Client
    ) -> None:
        game = begin(cast, pace_slug="per-turn-3")
        live_in(cast.owner, "Asia/Kathmandu")
        page = page_at(owner_client, game, START + HOUR - BIT)
        assert "Sat 7 Mar, 17:45</time>" in page
        assert "(Asia/Kathmandu)" in page
        assert "2 days, 23 hours left" in page
        seconds = int(page.partition('data-left="')[2].partition('"')[0])
        assert 71 * HOUR <= timedelta(seconds=seconds) <= 71 * HOUR + BIT

    def test_both_banks_are_shown(self, cast: Cast, client: Client) -> None:
        game = begin(cast, pace_slug="brisk")
        page = page_at(client, game, START + HOUR - BIT)
        assert page.count("<dt>Time left</dt>") == 2
        assert f'data-clock="{game.turn}"' in page
        assert lasting(game.banks[1 - game.turn]) in page
        assert lasting(game.banks[game.turn] - HOUR) in page

    def test_a_weekend_stops_the_countdown_and_says_so(self, cast: Cast, client: Client) -> None:
        game = begin(cast, pace_slug="per-turn-3", weekend_zone="Europe/Prague")
        friday = page_at(client, game, START + 2 * DAY)
        run = datetime(2026, 3, 7, tzinfo=ZoneInfo("Europe/Prague")) - (START + 2 * DAY)
        seconds = int(friday.partition('data-run="')[2].partition('"')[0])
        assert run - BIT <= timedelta(seconds=seconds) <= run
        saturday = page_at(client, game, START + 3 * DAY)
        assert "Weekend: the clock stands until Sun 8 Mar, 23:00 (UTC)." in saturday
        assert "data-left" not in saturday

    def test_what_was_agreed_about_pauses_stands_on_the_board_on_any_day(
        self, cast: Cast, client: Client
    ) -> None:
        free = begin(cast, pace_slug="per-turn-3", weekend_zone="Europe/Prague")
        page = agreed(page_at(client, free, START + HOUR))
        assert "3 days per turn" in page
        assert "Weekends are free, Saturday to Monday, 0:00 in Europe/Prague." in page
        assert "A player's vacation pauses that player's clock." in page
        strict = agreed(page_at(client, begin(cast, allows_vacation=False), START + HOUR))
        assert "Weekends count. Vacations do not pause the clocks." in strict
        live = begin(cast, pace_slug="live")
        assert "None: live clocks run on." in agreed(page_at(client, live, START))
        ended = page_at(client, live, START + DAY)
        assert 'id="agreed"' not in ended

    def test_a_vacation_is_named(self, cast: Cast, client: Client) -> None:
        game = begin(cast)
        player = game.match.players[game.turn]
        vacation_start(user=player, now=START + HOUR)
        page = page_at(client, game, START + 2 * HOUR)
        assert f"{player.name} is on vacation: the clock stands until" in page

    def test_the_other_players_vacation_is_told_on_ones_own_turn(
        self, cast: Cast, client: Client
    ) -> None:
        game = begin(cast)
        player = game.match.players[1 - game.turn]
        vacation_start(user=player, now=START + HOUR)
        page = page_at(client, game, START + 2 * HOUR)
        assert f"{player.name} is on vacation until" in page
        assert "the clock stands" not in page

    def test_fault_44_and_50_never_below_nothing_and_still_after_the_end(
        self, cast: Cast, client: Client
    ) -> None:
        """Faults 44 and 50: late, nothing is left; over, the banks stay as they were."""
        game = begin(cast, pace_slug="steady", n_rounds=1)
        late = page_at(client, game, game.deadline_at + timedelta(seconds=2))
        assert "0 seconds" in late
        assert 'data-left="-' not in late
        page_at(client, game, game.deadline_at + HOUR)
        ended = page_at(client, game, game.deadline_at + 60 * DAY)
        assert "data-left" not in ended
        assert "data-deadline" not in ended
        assert ended.count("<dt>Time left</dt>") == 2
        assert "0 seconds" in ended

    def test_per_turn_shows_no_banks(self, cast: Cast, client: Client) -> None:
        assert "Time left" not in page_at(client, begin(cast), START)
