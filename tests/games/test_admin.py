"""The staff pages: who comes in, what they never show, and that every change is written down."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from accounts.services import user_shut_out
from accounts.staff import ReadOnlyAdmin, staff_site
from games import publish
from games.demo import CAST
from games.models import (
    Delivery,
    DrawnSecrets,
    Game,
    Heartbeat,
    Match,
    Notice,
    Offer,
    Submission,
)
from tests.games.boards import named_cards
from tests.games.conftest import (
    Cast,
    client_of,
    make_match,
    make_offer,
    make_user,
    play_turn,
    running_game,
)
from tests.games.staff import path, rows, staff_paths

PASSWORD = "peat and stone"
READ_ONLY = sorted(
    model._meta.label_lower
    for model, admin in staff_site._registry.items()
    if isinstance(admin, ReadOnlyAdmin)
)


@pytest.fixture
def rook(db: None) -> User:
    """A member of staff who may do everything."""
    return User.objects.create_superuser("Rook", "rook@example.org")


@pytest.fixture
def staff(rook: User) -> Client:
    return client_of(rook)


@pytest.fixture
def helper(db: None) -> User:
    """A member of staff who may look at everything, and shut people out."""
    user = User.objects.create_user("Helper", "helper@example.org", is_staff=True)
    names = Permission.objects.filter(codename__startswith="view_")
    user.user_permissions.set([*names, Permission.objects.get(codename="change_user")])
    return user


@pytest.fixture
def running(cast: Cast) -> Game:
    """A running game with everything round it: offers of each kind, notices, a heartbeat."""
    client_of(cast.stranger).get("/offers/new/")
    make_offer(cast.stranger)
    make_offer(cast.stranger, "invitation")
    make_offer(cast.stranger, "challenge", cast.owner)
    game = running_game(make_match(cast.owner, cast.opponent, is_private=True))
    for _ in range(4):
        play_turn(game)
    Heartbeat.objects.create(job="games.deadlines_sweep", succeeded_at=timezone.now())
    return Game.objects.get(pk=game.pk)


def register(name: str, **rest: bool) -> None:
    """Make a user who can log in by name and password."""
    user = User.objects.create_user(name, f"{name.lower()}@example.org", PASSWORD, **rest)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)


class TestDoor:
    @pytest.mark.parametrize("address", ["/staff/", "/staff/games/game/", "/staff/login/"])
    def test_visitors_are_led_to_the_sites_log_in(self, db: None, address: str) -> None:
        answer = Client().get(address, follow=True)
        assert answer.redirect_chain[-1][0].startswith("/accounts/login/?next=/staff/")

    def test_after_it_they_stand_where_they_wanted_to_go(self, db: None) -> None:
        register("Rook", is_staff=True, is_superuser=True)
        client = Client()
        asked = client.get("/staff/games/game/", follow=True).redirect_chain[-1][0]
        told = {"login": "Rook", "password": PASSWORD}
        answer = client.post(asked, told, follow=True)
        assert answer.redirect_chain[-1][0] == "/staff/games/game/"

    def test_players_stay_outside(self, cast: Cast) -> None:
        for address in ("/staff/", "/staff/games/game/", "/staff/login/"):
            answer = client_of(cast.owner).get(address, follow=True)
            assert answer.status_code == 403

    def test_the_password_is_changed_where_everybody_does(self, staff: Client) -> None:
        answer = staff.get("/staff/password_change/")
        assert answer.headers["Location"] == "/accounts/password/change/"

    def test_who_is_staff_comes_in(self, staff: Client) -> None:
        page = staff.get("/staff/").text
        assert "Marchstone staff" in page
        assert "Matches" in page
        assert staff.get("/staff/login/").headers["Location"] == "/staff/"

    @pytest.mark.parametrize("target", ["//evil.example", "https://evil.example/", "javascript:1"])
    def test_fault_104_the_log_in_leads_to_nobody_elses_site(self, db: None, target: str) -> None:
        register("Ana")
        asked = Client().get("/staff/login/", {"next": target}).headers["Location"]
        told = {"login": "Ana", "password": PASSWORD}
        assert Client().post(asked, told).headers["Location"] == "/"


def secrets_of(game: Game) -> set[str]:
    """Give every text that nobody may see while the game runs."""
    match = Match.objects.get(pk=game.match_id)
    texts = {*match.secrets, *match.nonces, json.dumps(game.piles["deck"]), str(game.piles)}
    for offer in Offer.objects.all():
        texts |= {offer.token, offer.request_id, *offer.secrets}
    for sent in Submission.objects.all():
        texts |= {sent.payload_hash, sent.request_id}
    texts |= set(User.objects.exclude(password="").values_list("password", flat=True))
    texts |= {secret[:16] for secret in (*match.secrets, *match.rematch_secrets)}
    texts |= {secret for drawn in DrawnSecrets.objects.all() for secret in drawn.secrets}
    return texts


def test_fault_36_43_no_page_shows_a_card_a_secret_or_a_token(running: Game, staff: Client) -> None:
    hidden = secrets_of(running)
    assert len(hidden) > 20
    count = 0
    for address in staff_paths():
        page = staff.get(address, follow=True).text
        assert not [text for text in hidden if text in page], address
        assert not named_cards(page), address
        assert not re.search(r"\b[ROYGBP][1-9]\b", page), address
        count += 1
    assert count > 60


PROBES = [
    "games/game/?piles__contains=R7",
    "games/game/?piles__deck__0=R7",
    "games/game/?piles__deck__0__in=R7,R8",
    "games/game/?piles__icontains=R7",
    "games/game/?match__secrets__0__startswith=a",
    "games/game/?actions__payload__card=R7",
    "games/game/?actions__payload__contains=R7",
    "games/game/?submissions__payload_hash__startswith=a",
    "games/match/?secrets__0__startswith=a",
    "games/match/?nonces__contains=0",
    "games/match/?offer__token__startswith=a",
    "games/match/?games__piles__deck__0=R7",
    "games/match/?player_0__password__startswith=md5",
    "games/match/?player_0__email__startswith=a",
    "games/offer/?token__startswith=a",
    "games/offer/?secrets__contains=a",
    "games/offer/?request_id=request-1",
    "games/submission/?payload_hash__startswith=0",
    "games/submission/?game__piles__contains=R7",
    "games/notice/?game__piles__deck__0=R7",
    "ladder/ledgerentry/?match__secrets__0__startswith=a",
    "ladder/standing/?user__password__startswith=md5",
    "accounts/user/?password__startswith=md5",
    "accounts/user/?offers_made__token__startswith=a",
    "account/emailaddress/?user__password__startswith=md5",
    "auth/group/?user__password__startswith=md5",
    "admin/logentry/?user__password__startswith=md5",
]


@pytest.mark.parametrize("probe", PROBES)
def test_no_question_in_an_address_tells_what_is_hidden(
    running: Game, staff: Client, probe: str
) -> None:
    """Django lets any field of a row be asked for: the answers would tell a deck bit by bit."""
    assert staff.get(f"/staff/{probe}").status_code == 400


def test_the_filters_beside_the_lists_work(running: Game, staff: Client) -> None:
    asked = 0
    for model in staff_site._registry:
        address = path(model._meta.label_lower, "changelist")
        page = staff.get(address).text
        assert not re.search(r'<a href="[^"]*">\s*</a>', page), address
        for query in set(re.findall(r'<a href="(\?[^"]+)"', page)):
            answer = staff.get(address + query.replace("&amp;", "&"))
            assert answer.status_code == 200, (address, query)
            asked += 1
    assert asked > 40
    for query in (f"?match__id__exact={running.match_id}", f"?match={running.match_id}"):
        assert f"game {running.pk}" in staff.get("/staff/games/game/" + query).text


QUESTIONS = [
    "?o=99.x",
    "?p=zz",
    "?q=%00",
    "?_to_field=piles",
    "?e=1",
    "?o=",
    "?reason=%00",
    "?started_at__year=0",
    "?started_at__year=-1",
    "?started_at__year=9999",
    "?started_at__year=9999&started_at__month=12&started_at__day=31",
]


@pytest.mark.parametrize("query", QUESTIONS)
def test_no_question_is_an_error(running: Game, staff: Client, query: str) -> None:
    assert staff.get("/staff/games/game/" + query, follow=True).status_code in (200, 400)


@pytest.mark.parametrize("label", READ_ONLY)
def test_what_services_own_is_only_looked_at(running: Game, staff: Client, label: str) -> None:
    assert staff.get(path(label, "add")).status_code == 403
    assert staff.post(path(label, "add"), {}).status_code == 403
    for row in rows(label)[:1]:
        for what in ("change", "delete"):
            told = {"post": "yes", "status": "31", "winner": "0"}
            assert staff.post(path(label, what, row.pk), told).status_code == 403
        assert 'type="submit"' not in _main(staff.get(path(label, "change", row.pk)).text)
    answer = staff.post(path(label, "changelist"), {"action": "delete_selected"})
    assert answer.status_code in (200, 302, 403)
    assert not LogEntry.objects.exists()


def _main(page: str) -> str:
    return page[page.index('id="content-main"') :]


def test_lists_ask_no_query_a_row(
    cast: Cast, staff: Client, django_assert_num_queries: Any
) -> None:
    lists = [path(label, "changelist") for label in READ_ONLY]
    counts = [_queries(staff, address) for address in lists]
    for number in range(3):
        other = make_user(CAST[number][0])
        game = running_game(make_match(cast.owner, other, is_rated=True))
        make_offer(other, "challenge", cast.owner)
        play_turn(game)
    for address, before in zip(lists, counts, strict=True):
        # The first row of a list brings the bounds of its dates, and names for its filters.
        assert _queries(staff, address) <= before + 4, address
        assert _queries(staff, address) <= 14, address


def _queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


class TestShuttingOut:
    """What staff change: who may use the site, and who is staff."""

    def test_it_is_written_down_and_ends_what_is_open(
        self,
        running: Game,
        cast: Cast,
        staff: Client,
        rook: User,
        monkeypatch: pytest.MonkeyPatch,
        django_capture_on_commit_callbacks: Any,
    ) -> None:
        closed: list[str] = []
        monkeypatch.setattr(publish, "session_ended", closed.append)
        browser = client_of(cast.owner)
        with django_capture_on_commit_callbacks(execute=True):
            answer = staff.post(path("accounts.user", "change", cast.owner.pk), {}, follow=True)
        assert "was changed successfully" in answer.text
        assert closed == [publish.user_group(cast.owner.pk)]
        assert browser.get("/history/").headers["Location"].startswith("/accounts/login/")
        entry = LogEntry.objects.get()
        assert (entry.user, entry.object_id) == (rook, str(cast.owner.pk))
        assert "Active" in entry.get_change_message()
        assert entry.get_change_message() in staff.get("/staff/admin/logentry/").text
        assert Game.objects.get(pk=running.pk).is_running

    def test_letting_in_again(self, cast: Cast, staff: Client) -> None:
        User.objects.filter(pk=cast.owner.pk).update(is_active=False)
        heard: list[int] = []

        def listen(user_id: int, **_: Any) -> None:
            heard.append(user_id)

        user_shut_out.connect(listen)
        staff.post(path("accounts.user", "change", cast.owner.pk), {"is_active": "on"})
        cast.owner.refresh_from_db()
        assert cast.owner.is_active
        assert heard == []
        assert client_of(cast.owner).get("/history/").status_code == 302

    def test_names_addresses_and_passwords_are_their_owners(
        self, cast: Cast, staff: Client
    ) -> None:
        told = {"name": "Rascal", "email": "x@example.org", "password": "x", "is_bot": "on"}
        staff.post(path("accounts.user", "change", cast.owner.pk), {**told, "is_active": "on"})
        before = cast.owner.password
        cast.owner.refresh_from_db()
        assert (cast.owner.name, cast.owner.email) == ("Owner", "owner@example.org")
        assert (cast.owner.password, cast.owner.is_bot) == (before, False)

    def test_superusers_give_rights_and_nobody_else(
        self, cast: Cast, staff: Client, helper: User
    ) -> None:
        told = {"is_active": "on", "is_staff": "on", "is_superuser": "on"}
        client_of(helper).post(path("accounts.user", "change", cast.owner.pk), told)
        cast.owner.refresh_from_db()
        assert not cast.owner.is_staff
        assert not cast.owner.is_superuser
        staff.post(path("accounts.user", "change", cast.owner.pk), told)
        cast.owner.refresh_from_db()
        assert cast.owner.is_staff
        assert cast.owner.is_superuser
        assert "Staff" in LogEntry.objects.latest("pk").get_change_message()

    def test_staff_leave_superusers_and_themselves_alone(
        self, helper: User, rook: User, staff: Client
    ) -> None:
        browser = client_of(helper)
        assert browser.post(path("accounts.user", "change", rook.pk), {}).status_code == 403
        browser.post(path("accounts.user", "change", helper.pk), {})
        staff.post(path("accounts.user", "change", rook.pk), {})
        for user in (helper, rook):
            user.refresh_from_db()
            assert user.is_active
        assert rook.is_superuser

    def test_nobody_is_added(self, staff: Client) -> None:
        assert staff.get(path("accounts.user", "add")).status_code == 403

    def test_who_may_only_look_changes_nothing(self, cast: Cast, helper: User) -> None:
        helper.user_permissions.remove(Permission.objects.get(codename="change_user"))
        answer = client_of(helper).post(path("accounts.user", "change", cast.owner.pk), {})
        assert answer.status_code == 403
        helper.user_permissions.clear()
        assert client_of(helper).get("/staff/games/game/").status_code == 403


def test_every_model_of_the_site_has_its_place_or_is_left_out_for_a_reason() -> None:
    """`Action` is what was played, hidden returns included: it stands on no staff page."""
    shown = {model._meta.label_lower for model in staff_site._registry}
    assert shown >= {
        model._meta.label_lower
        for model in (User, Offer, Match, Game, Submission, Notice, Delivery)
    }
    assert {"ladder.ladder", "ladder.standing", "ladder.ledgerentry"} <= shown
    assert "games.action" not in shown
    assert "sessions.session" not in shown


class TestAnnulling:
    """A moderator takes a match out: what players see of it, and what is written down."""

    def test_a_running_match_ends_and_the_reason_is_kept(
        self, running: Game, staff: Client, rook: User
    ) -> None:
        chosen = {"action": "annul", "_selected_action": str(running.match_id)}
        asked = staff.post(path("games.match", "changelist"), chosen)
        assert asked.status_code == 200
        assert "cannot be undone" in asked.text
        assert Game.objects.get(pk=running.pk).is_running
        told = {**chosen, "reason": "two accounts of one person"}
        answer = staff.post(path("games.match", "changelist"), told, follow=True)
        assert "1 match annulled." in answer.text
        match = Match.objects.get(pk=running.match_id)
        assert (match.status, match.ending) == (Match.Status.ABORTED, Match.Ending.ANNULLED)
        assert Game.objects.get(pk=running.pk).status == Game.Status.ABORTED
        entry = LogEntry.objects.get()
        assert (entry.user, entry.object_id) == (rook, str(match.pk))
        assert entry.get_change_message() == "Annulled: two accounts of one person"
        page = client_of(match.player_0).get(match.get_absolute_url()).text
        assert "Annulled by a moderator" in page

    def test_without_a_reason_nothing_happens(self, running: Game, staff: Client) -> None:
        told = {"action": "annul", "_selected_action": str(running.match_id), "reason": "  "}
        assert "A reason is needed" in staff.post(path("games.match", "changelist"), told).text
        assert Game.objects.get(pk=running.pk).is_running

    def test_a_reason_that_no_database_keeps_is_written_down_without_it(
        self, running: Game, staff: Client
    ) -> None:
        """PostgreSQL takes no NUL: the match would be annulled, and nobody had written why."""
        told = {"action": "annul", "_selected_action": str(running.match_id), "reason": "a\0b"}
        assert staff.post(path("games.match", "changelist"), told).status_code == 302
        assert LogEntry.objects.get().get_change_message() == "Annulled: a b"

    def test_twice_is_as_good_as_once(self, running: Game, staff: Client) -> None:
        told = {"action": "annul", "_selected_action": str(running.match_id), "reason": "x"}
        for n in ("1 match", "0 matches"):
            answer = staff.post(path("games.match", "changelist"), told, follow=True)
            assert f"{n} annulled." in answer.text
        assert LogEntry.objects.count() == 1

    def test_who_has_not_the_permission_cannot(self, running: Game, helper: User) -> None:
        told = {"action": "annul", "_selected_action": str(running.match_id), "reason": "x"}
        client_of(helper).post(path("games.match", "changelist"), told)
        assert Game.objects.get(pk=running.pk).is_running
        helper.user_permissions.add(Permission.objects.get(codename="annul_match"))
        client_of(helper).post(path("games.match", "changelist"), told)
        assert not Game.objects.get(pk=running.pk).is_running
