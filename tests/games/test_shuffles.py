"""Committed shuffles on the site: docs/spec/shuffle.md, from the form to the page that checks."""

from __future__ import annotations

import hashlib
import json
import logging
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.engine.registry import get_title
from games.engine.shuffle import deal_setup
from games.models import DrawnSecrets, Game, Match, Offer
from games.services.bots import bot_match, bots_sweep, ensure_bot
from games.services.shuffles import drawn_sweep
from games.tasks import drawn_sweep as drawn_sweep_task
from tests.games.conftest import (
    Cast,
    client_of,
    fields,
    make_match,
    make_offer,
    running_game,
    terms,
)
from tests.games.matches import give_up, page_of, press
from tests.games.offers import post

NEW = "/offers/new/"
MAKERS, ACCEPTERS = "5a" * 16, "c3" * 16
ZEROS = "00" * 16
COMMITMENT = re.compile(r"<li><code>([0-9a-f]{64})</code></li>")


def commitment(secret: str) -> str:
    return hashlib.sha256(b"marchstone-shuffle/1\n" + bytes.fromhex(secret)).hexdigest()


def shown(page: str) -> list[str]:
    """Give the commitments on a page, in order."""
    return COMMITMENT.findall(page)


def value(page: str, name: str) -> str:
    return fields(page, name)[0]["value"] or ""


def filled_in(page: str, kind: str = "seek", **rest: str) -> dict[str, str]:
    """Fill in the form of a page as a browser would send it."""
    hidden = {name: value(page, name) for name in ("request_id", "seen")}
    terms = {"ruleset": "schotten-totten/after-play", "n_rounds": "3", "pace": "per-turn-3"}
    addressee = {"addressee": "Opponent"} if kind == "challenge" else {}
    return {"kind": kind, **hidden, **terms, **addressee, "nonce": MAKERS, **rest}


def text_at(client: Client, path: str) -> str:
    return client.get(path).content.decode()


def offered(client: Client, kind: str = "seek", **rest: str) -> tuple[Offer, list[str]]:
    """Make an offer through the form; gives it with the commitments that were shown before."""
    page = text_at(client, f"{NEW}?kind={kind}")
    assert client.post(NEW, filled_in(page, kind, **rest)).status_code == 302
    return Offer.objects.latest("pk"), shown(page)


def dealt_from(match: Match, number: int) -> dict[str, list[str]]:
    """Deal a round by the contract, from the rows of a match."""
    nonces = (bytes.fromhex(match.nonces[0]), bytes.fromhex(match.nonces[1]))
    secret = bytes.fromhex(match.secrets[number - 1])
    setup = deal_setup(get_title(match.title), match.ruleset, secret, nonces, number)
    return {key: list(cards) for key, cards in setup.piles}


class TestForm:
    def test_it_shows_what_the_offer_is_dealt_from(self, cast: Cast) -> None:
        offer, before = offered(client_of(cast.owner))
        assert len(before) == 9
        assert [commitment(secret) for secret in offer.secrets] == before[:3]
        assert offer.nonce == MAKERS
        assert not DrawnSecrets.objects.exists()

    def test_a_form_sent_back_shows_the_same(self, owner_client: Client) -> None:
        page = text_at(owner_client, NEW)
        answer = owner_client.post(NEW, filled_in(page, n_rounds="12"))
        assert answer.status_code == 422
        again = answer.content.decode()
        assert shown(again) == shown(page)
        assert "value" not in fields(again, "nonce")[0]
        owner_client.post(NEW, filled_in(again))
        offer = Offer.objects.get()
        assert [commitment(secret) for secret in offer.secrets] == shown(page)[:3]

    def test_every_form_has_secrets_of_its_own(self, cast: Cast) -> None:
        pages = [text_at(client_of(user), NEW) for user in (cast.owner, cast.owner, cast.opponent)]
        assert len({told for page in pages for told in shown(page)}) == 27

    def test_somebody_elses_form_gives_nothing(
        self, owner_client: Client, opponent_client: Client
    ) -> None:
        page = text_at(owner_client, NEW)
        answer = opponent_client.post(NEW, filled_in(page))
        assert answer.status_code == 409
        assert not Offer.objects.exists()

    def test_a_form_that_was_swept_away_comes_back_with_new_commitments(
        self, owner_client: Client
    ) -> None:
        page = text_at(owner_client, NEW)
        drawn_sweep(now=timezone.now() + timedelta(days=1))
        assert DrawnSecrets.objects.count() == 1
        assert drawn_sweep(now=timezone.now() + timedelta(days=3)) == 1
        answer = owner_client.post(NEW, filled_in(page, n_rounds="5"))
        assert answer.status_code == 409
        again = answer.content.decode()
        assert "no longer hold" in again
        assert not set(shown(again)) & set(shown(page))
        assert not Offer.objects.exists()
        owner_client.post(NEW, filled_in(again, n_rounds="5"))
        offer = Offer.objects.get()
        assert [commitment(secret) for secret in offer.secrets] == shown(again)[:5]

    def test_other_commitments_than_those_drawn_are_refused(self, owner_client: Client) -> None:
        page = text_at(owner_client, NEW)
        answer = owner_client.post(NEW, filled_in(page, seen="ab" * 32))
        assert answer.status_code == 409

    def test_sent_twice_the_first_nonce_counts(self, owner_client: Client) -> None:
        form = filled_in(text_at(owner_client, NEW))
        for nonce in (MAKERS, ACCEPTERS):
            assert owner_client.post(NEW, {**form, "nonce": nonce}).status_code == 302
        assert Offer.objects.get().nonce == MAKERS

    def test_sent_again_after_withdrawal_it_is_shown_with_new_commitments(
        self, owner_client: Client
    ) -> None:
        page = text_at(owner_client, NEW)
        form = filled_in(page)
        owner_client.post(NEW, form)
        post(owner_client, Offer.objects.get(), "withdraw")
        again = owner_client.post(NEW, form).content.decode()
        assert not set(shown(again)) & set(shown(page))
        owner_client.post(NEW, filled_in(again))
        offer = Offer.objects.latest("pk")
        assert [commitment(secret) for secret in offer.secrets] == shown(again)[:3]

    def test_forms_that_are_never_sent_cost_little(self, cast: Cast) -> None:
        client_of(cast.opponent).get(NEW)
        owner = client_of(cast.owner)
        first, *_rest, last = [text_at(owner, NEW) for _ in range(21)]
        assert DrawnSecrets.objects.filter(maker=cast.owner).count() == 20
        assert DrawnSecrets.objects.filter(maker=cast.opponent).count() == 1
        assert owner.post(NEW, filled_in(first)).status_code == 409
        assert owner.post(NEW, filled_in(last)).status_code == 302

    def test_the_sweep_is_a_task(self, owner_client: Client) -> None:
        owner_client.get(NEW)
        DrawnSecrets.objects.update(created_at=timezone.now() - timedelta(days=3))
        drawn_sweep_task()
        assert not DrawnSecrets.objects.exists()

    @pytest.mark.parametrize("bad", ["", "x" * 65, "a\0b"])
    def test_a_broken_form_shows_none(self, owner_client: Client, bad: str) -> None:
        answer = owner_client.post(NEW, {"kind": "seek", "request_id": bad})
        assert answer.status_code == 422
        assert not shown(answer.content.decode())

    def test_it_explains_itself(self, owner_client: Client) -> None:
        page = text_at(owner_client, NEW)
        assert 'href="/help/deals/"' in page
        assert "Where scripts are switched off" in page
        assert "What it does not do" in text_at(Client(), "/help/deals/")


class TestBothBrowsers:
    @pytest.mark.parametrize("kind", ["seek", "challenge", "invitation"])
    def test_the_deal_follows_from_both_nonces(self, cast: Cast, kind: str) -> None:
        offer, before = offered(client_of(cast.owner), kind)
        accepter = client_of(cast.opponent)
        front = f"/invitations/{offer.token}/" if kind == "invitation" else f"/offers/{offer.pk}/"
        page = text_at(accepter, front)
        assert shown(page) == before[:3]
        assert MAKERS in page
        assert fields(page, "nonce")[0]["data-nonce"] == " ".join(before[:3])
        token = {"token": offer.token} if kind == "invitation" else {}
        post(accepter, offer, "accept", nonce=ACCEPTERS, **token)
        match = Match.objects.get()
        assert match.nonces == [MAKERS, ACCEPTERS]
        assert running_game(match).piles == dealt_from(match, 1)
        assert match.secrets == offer.secrets

    def test_the_next_round_too(self, cast: Cast) -> None:
        offer, _ = offered(client_of(cast.owner))
        post(client_of(cast.opponent), offer, "accept", nonce=ACCEPTERS)
        match = Match.objects.get()
        give_up(match, 0)
        assert running_game(match).piles == dealt_from(match, 2)

    def test_accepted_twice_the_first_nonce_counts(self, cast: Cast) -> None:
        offer, _ = offered(client_of(cast.owner))
        for nonce in (ACCEPTERS, MAKERS):
            post(client_of(cast.opponent), offer, "accept", nonce=nonce)
        assert Match.objects.get().nonces == [MAKERS, ACCEPTERS]

    def test_without_script_zeros_stand_for_it_and_the_pages_say_so(self, cast: Cast) -> None:
        offer, _ = offered(client_of(cast.owner), nonce="")
        opponent = client_of(cast.opponent)
        assert "has added no number" in text_at(opponent, f"/offers/{offer.pk}/")
        post(opponent, offer, "accept")
        match = Match.objects.get()
        assert match.nonces == [ZEROS, ZEROS]
        page = page_of(opponent, match)
        assert page.count("nothing; zeros stand for it") == 2
        assert ZEROS not in page

    def test_a_bot_adds_nothing(self, cast: Cast) -> None:
        ensure_bot()
        offer, _ = offered(client_of(cast.owner), is_bot_welcome="on")
        bots_sweep(now=timezone.now() + timedelta(minutes=1))
        match = Match.objects.get(offer=offer)
        assert match.nonces == [MAKERS, ZEROS]
        assert page_of(Client(), match).count("nothing, for a bot has no browser") == 1

    @pytest.mark.parametrize("bad", ["5a", "5A" * 16, "5a" * 17, "xy" * 16, " " + "5a" * 16, "\0"])
    def test_a_broken_nonce_is_refused(self, cast: Cast, bad: str) -> None:
        owner, opponent = client_of(cast.owner), client_of(cast.opponent)
        answer = owner.post(NEW, filled_in(text_at(owner, NEW), nonce=bad))
        assert answer.status_code == 422
        assert not Offer.objects.exists()
        offer = make_offer(cast.owner)
        accepted = opponent.post(f"/offers/{offer.pk}/accept/", {"nonce": bad})
        assert accepted.status_code == 422
        assert "arrived damaged" in accepted.content.decode()
        assert not Match.objects.exists()


class TestRematch:
    @pytest.fixture
    def over(self, cast: Cast) -> Match:
        match = make_match(cast.owner, cast.opponent, n_rounds=1)
        give_up(match, 0)
        return match

    def test_match_page_and_board_show_what_it_is_dealt_from(
        self, over: Match, owner_client: Client, opponent_client: Client
    ) -> None:
        before = shown(page_of(owner_client, over))
        board = text_at(owner_client, f"/games/{over.games.get().pk}/")
        assert shown(board) == shown(page_of(opponent_client, over)) == before
        press(owner_client, over, "rematch", seen=before[0], nonce=MAKERS)
        offer = Offer.objects.get(rematch_of=over)
        assert [commitment(secret) for secret in offer.secrets] == before
        press(opponent_client, over, "rematch", nonce=ACCEPTERS)
        match = Match.objects.get(rematch_of=over)
        assert match.nonces == [MAKERS, ACCEPTERS]
        assert match.secrets == offer.secrets
        assert running_game(match).piles == dealt_from(match, 1)

    def test_an_offer_that_came_to_nothing_spends_the_secrets(
        self, over: Match, owner_client: Client, opponent_client: Client
    ) -> None:
        before = shown(page_of(owner_client, over))
        press(owner_client, over, "rematch", seen=before[0], nonce=MAKERS)
        post(opponent_client, Offer.objects.get(rematch_of=over), "decline")
        assert not set(shown(page_of(owner_client, over))) & set(before)
        answer = press(owner_client, over, "rematch", seen=before[0], nonce=MAKERS)
        assert answer.status_code == 409
        page = answer.content.decode()
        assert "no longer hold" in page
        press(owner_client, over, "rematch", seen=shown(page)[0], nonce=MAKERS)
        offer = Offer.objects.get(rematch_of=over, status=Offer.Status.OPEN)
        assert [commitment(secret) for secret in offer.secrets] == shown(page)

    def test_strangers_see_none(self, over: Match, stranger_client: Client) -> None:
        assert not shown(page_of(stranger_client, over))
        assert not shown(text_at(stranger_client, f"/games/{over.games.get().pk}/"))

    def test_a_broken_nonce_is_refused(self, over: Match, owner_client: Client) -> None:
        assert press(owner_client, over, "rematch", nonce="5A" * 16).status_code == 422
        assert not Offer.objects.filter(rematch_of=over).exists()


def all_secrets(*, but: str = "") -> set[str]:
    """Give every secret that nobody may see; `but` is one that is published."""
    rows = [*Offer.objects.all(), *DrawnSecrets.objects.all(), *Match.objects.all()]
    found = {secret for row in rows for secret in row.secrets}
    found |= {secret for match in Match.objects.all() for secret in match.rematch_secrets}
    return found - {but}


def test_no_secret_leaves_the_server_before_its_game_ends(
    cast: Cast, caplog: pytest.LogCaptureFixture
) -> None:
    """Forms, refused forms, offers, lists, matches, boards, records and logs, for everybody."""
    caplog.set_level(logging.DEBUG)
    owner, opponent = client_of(cast.owner), client_of(cast.opponent)
    offers = [offered(owner, kind)[0] for kind in ("seek", "challenge", "invitation")]
    match = make_match(cast.owner, cast.opponent)
    give_up(match, 0)
    over = make_match(cast.owner, cast.opponent, n_rounds=1)
    give_up(over, 0)
    seen = [owner.post(NEW, filled_in(text_at(owner, NEW), n_rounds="12")).content.decode()]
    games = [*match.games.all(), *over.games.all()]
    paths = ["/", "/lobby/", NEW, f"/invitations/{offers[2].token}/"]
    paths += [f"/offers/{offer.pk}/" for offer in offers]
    paths += [f"/matches/{match.pk}/", f"/matches/{over.pk}/"]
    ends = ("", "record.json", "check/", "replay/")
    paths += [f"/games/{game.pk}/{end}" for game in games for end in ends]
    for client in (owner, opponent, Client()):
        for path in paths:
            for headers in ({}, {"HX-Request": "true"}):
                seen.append(client.get(path, headers=headers, follow=True).content.decode())
    hidden = all_secrets() - {match.secrets[0], over.secrets[0]}
    assert len(hidden) > 30
    told = "\n".join([*seen, *[record.getMessage() for record in caplog.records]])
    assert match.secrets[0] in told
    assert not [secret for secret in hidden if secret in told]


class TestCheckPage:
    @pytest.fixture
    def finished(self, match: Match) -> Game:
        give_up(match, 0)
        return match.games.get(round=1)

    def test_it_shows_the_numbers_and_the_commands(self, finished: Game) -> None:
        page = text_at(Client(), f"/games/{finished.pk}/check/")
        record = json.loads(text_at(Client(), f"/games/{finished.pk}/record.json"))
        shuffle = record["shuffle"]
        for told in (shuffle["commitment"], shuffle["secret"], " ".join(record["deck"])):
            assert told in page
        assert f"python -m games.engine verify marchstone-{finished.pk}.json" in page
        assert f"node verify-shuffle.mjs marchstone-{finished.pk}.json" in page
        assert "Who starts" in page
        assert "cannot check anything by itself" in page
        assert "the site alone drew it" in page

    @pytest.mark.parametrize("nonce", ["", ACCEPTERS])
    def test_it_says_whose_browser_added_nothing(self, cast: Cast, nonce: str) -> None:
        offer, _ = offered(client_of(cast.owner), n_rounds="1")
        post(client_of(cast.opponent), offer, "accept", nonce=nonce)
        match = Match.objects.get()
        give_up(match, 0)
        page = text_at(Client(), f"/games/{match.games.get().pk}/check/")
        assert ("The browser of <bdi>Opponent</bdi> added no number" in page) == (not nonce)
        assert "The browser of <bdi>Owner</bdi> added no number" not in page
        assert "the site alone drew it" not in page

    def test_later_rounds_say_that_the_rules_decide_who_starts(self, match: Match) -> None:
        give_up(match, 0)
        give_up(match, 1)
        page = text_at(Client(), f"/games/{match.games.get(round=2).pk}/check/")
        assert 'data-step="first"' not in page
        assert "follows from the rules" in page

    def test_boards_replays_and_matches_link_it(self, finished: Game) -> None:
        link = f'href="/games/{finished.pk}/check/"'
        for path in (f"/games/{finished.pk}/", f"/games/{finished.pk}/replay/0/"):
            assert link in text_at(Client(), path)
        assert link in page_of(Client(), finished.match)

    def test_a_running_game_has_nothing_to_check(self, game: Game) -> None:
        answer = Client().get(f"/games/{game.pk}/check/")
        assert answer.status_code == 200
        assert "still being played" in answer.content.decode()
        assert "data-check" not in answer.content.decode()

    def test_a_game_that_was_called_off_says_so(self, match: Match, owner_client: Client) -> None:
        press(owner_client, match, "abort")
        page = text_at(Client(), f"/games/{match.games.get().pk}/check/")
        assert "aborted" in page

    def test_strangers_cannot_open_that_of_a_private_game(self, cast: Cast) -> None:
        match = make_match(cast.owner, cast.opponent, is_private=True, n_rounds=1)
        give_up(match, 0)
        path = f"/games/{match.games.get().pk}/check/"
        assert Client().get(path).status_code == 404
        assert client_of(cast.owner).get(path).status_code == 200


def test_a_match_with_the_bot_says_who_drew_what(cast: Cast) -> None:
    browser = client_of(cast.owner)
    match = bot_match(user=cast.owner, terms=terms(n_rounds=1), request_id="b", now=timezone.now())
    page = browser.get(match.get_absolute_url()).text
    assert "No browser added a number" in page
    assert "has shown the commitment to it since" not in page
    assert "nothing, for a bot has no browser" in page
    give_up(match, 0)
    page = browser.get(f"/games/{match.games.get().pk}/check/").text
    assert "Since this match began, the site has shown a commitment" in page
    assert "Before this match was agreed on" not in page
    assert "this round" not in page
    assert "Board of game 1" in page


def test_a_challenge_to_a_bot_says_that_a_bot_adds_nothing(cast: Cast) -> None:
    offer = make_offer(cast.owner, "challenge", ensure_bot())
    page = client_of(cast.owner).get(f"/offers/{offer.pk}/").text
    assert "<bdi>Tam</bdi> is a bot and adds no number" in page
