"""What a block does: a test for each row of the table, by every path; what it says, and to whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.blocks import block_lift, block_set, may_meet
from accounts.models import User
from games.blocking import EFFECTS
from games.models import Match, Offer
from games.services.offers import offer_accept
from tests.games.boards import normal
from tests.games.conftest import Cast, client_of, fields, make_match, make_offer, play_turn
from tests.games.matches import give_up, page_of, press
from tests.games.offers import post

SENTENCE = "You two cannot play each other."


@pytest.fixture(params=["by the owner", "by the opponent"])
def blocked(request: pytest.FixtureRequest, cast: Cast) -> Callable[[], None]:
    """Block one of the two, this way round and that: nobody can tell them apart."""
    pair = (cast.owner, cast.opponent)
    one, two = pair if request.param == "by the owner" else pair[::-1]
    return lambda: bool(block_set(blocker=one, blocked=two, now=timezone.now())) or None


def text(answer: Any) -> str:
    return str(answer.content.decode())


def refused(answer: Any) -> bool:
    """Say whether an answer is the one sentence, on a page that is whole."""
    return answer.status_code == 409 and SENTENCE in text(answer) and "</html>" in text(answer)


def challenge(client: Client, name: str) -> Any:
    page = text(client.get(f"/offers/new/?kind=challenge&to={name}"))
    form = {
        key: found[0]["value"]
        for key in ("request_id", "seen", "kind", "pace", "rounds", "n_rounds")
        if (found := [field for field in fields(page, key) if field.get("value")])
    }
    told = {"ruleset": "schotten-totten/after-play", "n_rounds": "3", "pace": "per-turn-3"}
    return client.post("/offers/new/", {**form, **told, "kind": "challenge", "addressee": name})


class TestFault105:
    """Fault 105: a block that holds on one path holds on all of them, and tells nothing."""

    def test_challenge(self, cast: Cast, blocked: Callable[[], None]) -> None:
        before = make_offer(cast.owner, "challenge", cast.opponent)
        blocked()
        for user, other in ((cast.owner, "Opponent"), (cast.opponent, "Owner")):
            assert refused(challenge(client_of(user), other))
        client = client_of(cast.opponent)
        answer = post(client, before, "accept")
        assert "no longer open" in text(answer)
        for page in ("/", "/lobby/"):
            assert f"/offers/{before.pk}/" not in text(client.get(page))
        assert f"/offers/{before.pk}/" not in text(client_of(cast.owner).get("/lobby/"))
        assert not Match.objects.exists()

    def test_rematch(self, cast: Cast, blocked: Callable[[], None]) -> None:
        matches = [make_match(cast.owner, cast.opponent) for _ in range(2)]
        for match in matches:
            give_up(match, 0)
            Match.objects.filter(pk=match.pk).update(status=Match.Status.FINISHED)
        press(client_of(cast.owner), matches[0], "rematch")
        blocked()
        for client in (client_of(cast.owner), client_of(cast.opponent)):
            assert refused(press(client, matches[1], "rematch"))
        for user in (cast.owner, cast.opponent):
            assert refused(press(client_of(user), matches[0], "rematch"))
            assert "It waits for an answer" not in page_of(client_of(user), matches[0])
        assert not Match.objects.filter(rematch_of__isnull=False).exists()

    def test_invitation(self, cast: Cast, blocked: Callable[[], None]) -> None:
        offer = make_offer(cast.owner, "invitation")
        blocked()
        assert refused(post(client_of(cast.opponent), offer, "accept", token=offer.token))
        assert post(client_of(cast.stranger), offer, "accept", token=offer.token).status_code == 302

    def test_seek(self, cast: Cast, blocked: Callable[[], None]) -> None:
        offers = [make_offer(cast.owner), make_offer(cast.opponent)]
        blocked()
        for user, own, other in zip((cast.owner, cast.opponent), offers, offers[::-1], strict=True):
            client = client_of(user)
            lobby = text(client.get("/lobby/"))
            assert f'id="offer-{own.pk}"' in lobby
            assert f'id="offer-{other.pk}"' not in lobby
            assert refused(post(client, other, "accept"))
        assert text(client_of(cast.stranger).get("/lobby/")).count('class="row offer"') == 2

    def test_running(self, cast: Cast, blocked: Callable[[], None]) -> None:
        match = make_match(cast.owner, cast.opponent)
        blocked()
        play_turn(match.games.get())
        assert match.games.get().version > 0
        for client in (client_of(cast.owner), client_of(cast.opponent)):
            assert client.get(match.games.get().get_absolute_url()).status_code == 200
            assert "Resign the match" in page_of(client, match)

    def test_watching(self, cast: Cast, blocked: Callable[[], None]) -> None:
        games = [
            make_match(user, cast.stranger).games.get() for user in (cast.owner, cast.opponent)
        ]
        blocked()
        assert client_of(cast.opponent).get(games[0].get_absolute_url()).status_code == 200
        assert client_of(cast.owner).get(games[1].get_absolute_url()).status_code == 200

    def test_pages(self, cast: Cast, blocked: Callable[[], None]) -> None:
        blocked()
        for user, other in ((cast.owner, "Opponent"), (cast.opponent, "Owner")):
            for path in (f"/players/{other}/", f"/players/{other}/matches/"):
                assert client_of(user).get(path).status_code == 200

    def test_the_answer_is_the_same_for_both(self, cast: Cast) -> None:
        """Who is refused cannot tell a block by the other from one of their own."""
        told = []
        for one, two in ((cast.owner, cast.opponent), (cast.opponent, cast.owner)):
            block_set(blocker=one, blocked=two, now=timezone.now())
            answer = post(client_of(cast.opponent), make_offer(cast.owner), "accept")
            Offer.objects.all().delete()
            block_lift(blocker=one, blocked=two)
            told.append((answer.status_code, SENTENCE in text(answer)))
        assert told == [(409, True)] * 2


@pytest.mark.parametrize("maker", ["Owner", "Opponent"])
def test_a_block_closes_what_is_open_between_the_two(cast: Cast, maker: str) -> None:
    """Their own as withdrawn, the other's as declined; nothing else is touched."""
    by, to = (cast.owner, cast.opponent) if maker == "Owner" else (cast.opponent, cast.owner)
    between = make_offer(by, "challenge", to)
    others = [make_offer(by), make_offer(by, "challenge", cast.stranger)]
    block_set(blocker=cast.owner, blocked=cast.opponent, now=timezone.now())
    between.refresh_from_db()
    closed = Offer.Status.WITHDRAWN if maker == "Owner" else Offer.Status.DECLINED
    assert between.status == closed
    assert {Offer.objects.get(pk=each.pk).status for each in others} == {Offer.Status.OPEN}
    page = text(client_of(cast.opponent).get(f"/offers/{between.pk}/"))
    assert SENTENCE not in page


def test_a_block_that_is_lifted_leaves_nothing(cast: Cast) -> None:
    block_set(blocker=cast.owner, blocked=cast.opponent, now=timezone.now())
    assert not may_meet(cast.owner.pk, cast.opponent.pk)
    block_lift(blocker=cast.owner, blocked=cast.opponent)
    assert may_meet(cast.owner.pk, cast.opponent.pk)
    offer = make_offer(cast.owner)
    offer_accept(offer_id=offer.pk, user=cast.opponent, now=timezone.now())
    assert Match.objects.filter(offer=offer).exists()


def test_the_help_page_shows_the_table(client: Client) -> None:
    page = text(client.get("/help/blocking/"))
    for effect in EFFECTS.values():
        assert f'<th scope="row">{effect.what}</th>' in page
    assert page.count("<td>yes</td>") == sum(e.is_possible for e in EFFECTS.values())


class TestPages:
    def test_block_and_unblock(self, cast: Cast) -> None:
        client = client_of(cast.owner)
        assert '/players/Stranger/block/"' in text(client.get("/players/Stranger/"))
        assert "Yes, block" in text(client.get("/players/Stranger/block/"))
        for _ in range(2):
            answer = client.post("/players/stranger/block/", follow=True)
            assert "You have blocked <bdi>Stranger</bdi>." in text(answer)
        page = text(client.get("/preferences/blocked/"))
        assert page.count("/players/Stranger/unblock/") == 1
        profile = text(client.get("/players/Stranger/"))
        assert ">Unblock</a>" in profile
        assert "kind=challenge" not in profile
        assert "is no longer blocked" in text(
            client.post("/players/Stranger/unblock/", follow=True)
        )
        assert "You have blocked nobody." in text(client.get("/preferences/blocked/"))

    def test_the_blocked_player_sees_nothing_of_it(self, cast: Cast) -> None:
        client = client_of(cast.opponent)
        before = normal(text(client.get("/players/Owner/")))
        block_set(blocker=cast.owner, blocked=cast.opponent, now=timezone.now())
        assert normal(text(client.get("/players/Owner/"))) == before
        assert "You have blocked nobody." in text(client.get("/preferences/blocked/"))

    @pytest.mark.parametrize("name", ["Owner", "Nobody", "x%00y"])
    def test_nobody_blocks_themself_or_nobody(self, cast: Cast, name: str) -> None:
        client = client_of(cast.owner)
        for method in (client.get, client.post):
            assert method(f"/players/{name}/block/").status_code == 404

    def test_a_bot_is_not_blocked(self, cast: Cast) -> None:
        User.objects.create_user("Robot", is_bot=True)
        assert client_of(cast.owner).post("/players/Robot/block/").status_code == 404
        assert "/block/" not in text(client_of(cast.owner).get("/players/Robot/"))

    @pytest.mark.parametrize(
        "path", ["players/Owner/block/", "players/Owner/report/", "preferences/blocked/"]
    )
    def test_visitors_log_in_first(self, cast: Cast, client: Client, path: str) -> None:
        answer = client.get(f"/{path}")
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith("/accounts/login/")
