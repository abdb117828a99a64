"""The leak test: permute every card that a viewer cannot know, and nothing changes for them.

After tokens, request ids and dates are replaced by constants, every page, fragment, frame,
record, mail and log line must be the same byte for byte.
"""

from __future__ import annotations

import json
import logging
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.core import mail
from django.test import Client, TestCase
from django.utils import timezone

from accounts.models import User
from games import publish
from games.bots import BOTS
from games.engine.api import Json, Viewer
from games.engine.records import write_record
from games.engine.three_bridges.cards import ALL_CARDS, CHRONICLERS
from games.mails import mail_send, push_message, webhook_body
from games.models import Action, Desk, Game, Notice
from games.presenters.notices import KINDS
from games.presenters.three_bridges.cards import card_name
from games.selectors import game_fold
from tests.games.boards import FRAGMENT, form_of, named_cards, normal, text_of, turn
from tests.games.bridges import deal, make_bridges, step, submit, view_of
from tests.games.conftest import Cast, client_of, make_match, make_offer, play_turn, running_game
from tests.games.staff import staff_paths
from tests.games.tactics import tactics_game
from tests.games.test_sockets import socket

RULESETS = ("after-play", "automatic", "start-of-turn")
TACTICS_RULESETS = ("after-play-tactics", "automatic-tactics", "start-of-turn-tactics")
VIEWERS: tuple[Viewer, ...] = (0, 1, "spectator")
MOMENTS = (1, 9, 24)
"""Turns after which everything is looked at."""
HIDING = ("return", "place")
"""Actions with a card that others do not see."""


def known_to(game: Game, viewer: Viewer) -> set[str]:
    """Give all cards that a viewer knows: what lies open, the own hand, and own returns."""
    folded = game_fold(game)
    view = folded.title.view(folded.state, viewer)
    if game.match.title == "three-bridges":
        return _known_at_bridges(view)
    known = [card for stone in view["stones"] for side in stone["sides"] for card in side]
    known += [card for stone in view["stones"] for card in stone["modes"]] + view["discard"]
    known += [card for hand in view["hands"] if isinstance(hand, list) for card in hand]
    told = folded.title.redact(folded.state, folded.actions, viewer)
    return {*known, *(action["card"] for action in told if action["type"] == "return")}


def _known_at_bridges(view: Json) -> set[str]:
    """Give the bridges, what lies open, the own hand, and what the viewer placed face down."""
    rows = [laid["card"] for pair in view["rows"] for row in pair for laid in row if laid["card"]]
    hands = [card for hand in view["hands"] if isinstance(hand, list) for card in hand]
    return {*view["bridges"], *rows, *hands}


def permute(game: Game, viewer: Viewer, seed: int) -> None:
    """Exchange the cards that a viewer cannot know for one another, each among its own kind.

    In the rows and nowhere else: in the deal, and in returns and placings that are hidden from
    the viewer.
    """
    rng, known, to = random.Random(seed), known_to(game, viewer), dict[str, str]()
    for pile in game.piles.values():
        hidden = [card for card in pile if card not in known]
        to |= zip(hidden, rng.sample(hidden, len(hidden)), strict=True)
    piles = {key: [to.get(card, card) for card in pile] for key, pile in game.piles.items()}
    Game.objects.filter(pk=game.pk).update(piles=piles)
    for action in game.actions.filter(payload__type__in=HIDING):
        card = action.payload["card"]
        write_payload(action, {**action.payload, "card": to.get(card, card)})


def write_payload(action: Action, payload: dict[str, Any]) -> None:
    """Change an action, which no service does."""
    Action.objects.filter(pk=action.pk).update(payload=payload)


@contextmanager
def permuted(game: Game, viewer: Viewer) -> Iterator[Game]:
    """Give the game as it could also be, as far as a viewer knows; then put all back."""
    returns = list(game.actions.filter(payload__type__in=HIDING))
    permute(game, viewer, seed=game.version + 1)
    changed = read(game)
    assert changed.piles != game.piles
    yield changed
    Game.objects.filter(pk=game.pk).update(piles=game.piles)
    for action in returns:
        write_payload(action, action.payload)


def read(game: Game) -> Game:
    """Read the row anew."""
    return Game.objects.select_related("match__player_0", "match__player_1").get(pk=game.pk)


def seen_by(game: Game, viewer: Viewer, browser: Client) -> Iterator[tuple[str, str]]:
    """Give everything that the site tells a viewer of a game and round it, by name."""
    match_url, board = game.match.get_absolute_url(), game.get_absolute_url()
    paths = [board, f"{board}record.json"]
    if game.match.ruleset_slug in (RULESETS[0], TACTICS_RULESETS[0], "standard"):
        # One's own profile is a page of settings, which is slow and has no game in it.
        other = "Opponent" if viewer == 0 else "Owner"
        paths += [match_url, "/lobby/", "/", f"/players/{other}/", f"{board}replay/"]
        paths += [f"{board}steps/{step}/" for step in {1, game.version // 2, game.version}]
        paths += [f"{board}?since=1.1"]
        paths += [f"{match_url}chat/players/", f"{match_url}chat/watchers/"]
        paths += [f"{board}replay/1/", "/players/Owner/matches/?sort=most-points"]
        paths += ["/players/Owner/matches/games.jsonl", "/players/Owner/matches/matches.csv"]
        paths += ["/preferences/data.json", "/preferences/delete/", "/vacation/"]
        paths += [f"{board}check/", f"{board}answers/", f"{board}note/"]
        paths += ["/players/Owner/matches/summary/", "/players/Owner/against/Opponent/"]
        ladder = f"/ladders/{game.match.title}/{game.match.ruleset_slug}/"
        paths += [ladder, f"{ladder}players/Owner/", f"{ladder}players/Opponent/"]
        yield from _heard(game, viewer, browser)
    for path in paths:
        for headers in ({}, FRAGMENT):
            response = browser.get(path, headers=headers)
            yield f"{path} {bool(headers)}", _whole(response)
    yield from _answers(game, browser)
    yield from _prepared(game, viewer, browser)
    yield "actions", _redacted(game, viewer)


def _heard(game: Game, viewer: Viewer, browser: Client) -> Iterator[tuple[str, str]]:
    """Give what open pages are really sent: on connecting, when they ask, when there is news."""
    for path in (f"/ws/games/{game.pk}/", "/ws/lobby/", "/ws/player/", "/ws/counter/"):
        frames = async_to_sync(_frames)(game, path, None if viewer == "spectator" else browser)
        yield path, json.dumps(frames)


async def _frames(game: Game, path: str, browser: Client | None) -> list[Any]:
    """Listen at one socket for three frames, or for the close that a visitor gets."""
    page = socket(path, browser)
    assert (await page.connect())[0]
    heard = [await page.receive_output(timeout=5)]
    if heard[0]["type"] != "websocket.close":
        await page.send_to(text_data="?")
        heard.append(await page.receive_output(timeout=5))
        await sync_to_async(_tell)(game)
        heard.append(await page.receive_output(timeout=5))
        await page.disconnect()
    return [{**each, "text": _MOMENT.sub("MOMENT", each.get("text") or "")} for each in heard]


_MOMENT = re.compile(r"\b\d{13}\b")
"""What a list has for a version: milliseconds since 1970."""


def _tell(game: Game) -> None:
    """Say to all pages that the game, and the lobby, have changed."""
    with TestCase.captureOnCommitCallbacks(execute=True):
        publish.game_changed(game)
        publish.lobby_changed()


def _answers(game: Game, browser: Client) -> Iterator[tuple[str, str]]:
    """Give the answers to plans and submissions that are not made: planned, refused, garbage."""
    page = text_of(browser.get(game.get_absolute_url()))
    form = {"version": str(game.version), "request_id": "leak", **form_of(page)}
    form["request_id"] = "leak"
    own = sorted(_hand(page))
    steps: list[dict[str, Any]] = _bridge_steps(page, own)
    steps += [{"step": "pass"}, {"step": "take_back"}, {"step": "x"}]
    steps += [{"step": "lay", "card": card, "stone": stone} for card in own[:1] for stone in "15"]
    steps += [{"step": "lay", "card": "zz", "stone": "1", "claim": ["1", "5"]}]
    if "tactics_deck" in game.piles:
        steps += [{"step": "lay", "card": card} for card in ("BA", "ST")]
        steps += [{"step": "lay", "card": "TR", "picked": "TR", "take": "O1", "stone": "3"}]
        steps += [{"step": "clan"}]
        steps += [{"step": "lay", "back": card} for card in ("Y3", "O5")]
    for asked in steps:
        answer = browser.post(f"/games/{game.pk}/plan/", {**form, **asked})
        yield f"plan {asked}", _whole(answer)
    for version in ("0", "x"):
        if version == "x" or game.version:
            answer = browser.post(f"/games/{game.pk}/submit/", {**form, "version": version})
            yield f"submit {version}", _whole(answer)
    refused = {**form, "claim": [str(n) for n in range(1, 10)], "card": "", "stone": ""}
    yield "submit claims", _whole(browser.post(f"/games/{game.pk}/submit/", refused))


def _prepared(game: Game, viewer: Viewer, browser: Client) -> Iterator[tuple[str, str]]:
    """Give what is said to who prepares an answer with a card that is not theirs, or none."""
    cards = {card for pile in game.piles.values() for card in pile}
    form = {"version": str(game.version), "request_id": "leak", "answer-when": "any"}
    form |= {"answer-stone": "1", "answer-bridge": "1", "answer-claims": "none"}
    for card in ("zz", *sorted(cards - known_to(game, viewer))[:2]):
        asked = {**form, "answer-card": card}
        yield f"answers {card}", _whole(browser.post(f"/games/{game.pk}/answers/", asked))
    assert not game.prepared_answers.exists()


def _bridge_steps(page: str, own: list[str]) -> list[dict[str, Any]]:
    """Give what can be asked of a plan at Three Bridges: nothing of it turns a card up."""
    if 'name="kind"' not in page:
        return []
    kinds = ("place", "extra", "turn", "move", "swap", "name")
    steps: list[dict[str, Any]] = [{"step": "decline", "kind": kind} for kind in kinds]
    for kind in kinds:
        steps += [{"step": "confirm", "kind": kind, "target": f"{n}-0", "suit": "H"} for n in "12"]
        steps += [{"step": "lay", "kind": kind, "card": card, "bridge": "1"} for card in own[:2]]
    return [*steps, {"step": "lay", "kind": "place", "card": "C2", "bridge": "2"}]


def _hand(page: str) -> list[str]:
    return [
        value for at in page.split('name="card" value="')[1:] if len(value := at.split('"')[0]) == 2
    ]


def _whole(response: Any) -> str:
    """Write status, headers and body of a response with what always differs made constant."""
    changing = ("Content-Length", "Expires", "Set-Cookie")
    headers = sorted((name, value) for name, value in response.items() if name not in changing)
    return f"{response.status_code}\n{headers}\n{normal(text_of(response))}"


def _redacted(game: Game, viewer: Viewer) -> str:
    folded = game_fold(game)
    return json.dumps(folded.title.redact(folded.state, folded.actions, viewer))


def _notices(game: Game, viewer: Viewer) -> str:
    """Give what a player would be told now in every way, by a notice of each kind of a game."""
    if viewer == "spectator":
        return ""
    user = game.match.players[viewer]
    told = []
    for kind in sorted(KINDS.keys() - {"challenge"}):
        notice = Notice(kind=kind, game=game, user=user, version=game.version, hours=8)
        told.append(_told(notice))
    return repr(told)


def _told(notice: Notice) -> tuple[object, ...]:
    """Give a notice as a mail, as the message that a device shows, and as a webhook gets it."""
    now = notice.game.deadline_at - timedelta(hours=5) if notice.game else timezone.now()
    mail.outbox.clear()
    mail_send(notice.user, [notice], name="leak", now=now)
    (sent,) = mail.outbox
    parts = [part.content for part in sent.alternatives]  # type: ignore[attr-defined]
    body = (sent.subject, sent.body, parts, sorted(sent.extra_headers.items()))
    return (*body, push_message(notice, now), webhook_body(notice, now))


def browser_of(cast: Cast, viewer: Viewer) -> Client:
    """Give the browser of a viewer; the spectator is nobody known."""
    if viewer == "spectator":
        return Client()
    return client_of((cast.owner, cast.opponent)[viewer])


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("ruleset", RULESETS)
def test_nothing_changes_with_the_cards_one_cannot_know(
    cast: Cast, ruleset: str, viewer: Viewer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    told = {"ruleset_slug": ruleset, "has_tracker": True, "is_rated": True}
    game = running_game(make_match(cast.owner, cast.opponent, **told))
    browser = browser_of(cast, viewer)
    n_turns = 0
    for moment in MOMENTS if ruleset == RULESETS[0] else MOMENTS[::2]:
        while n_turns < moment and read(game).is_running:
            play_turn(game)
            n_turns += 1
        if not read(game).is_running:
            break
        _compare(read(game), viewer, browser, caplog)
    assert n_turns >= 16


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("ruleset", TACTICS_RULESETS)
def test_nothing_changes_with_the_cards_of_a_recruiter(
    cast: Cast, ruleset: str, viewer: Viewer, caplog: pytest.LogCaptureFixture
) -> None:
    """In the middle of one, and when its cards have gone back: log, step, discard, mails."""
    caplog.set_level(logging.INFO)
    game = recruited_game(cast, ruleset)
    browser = browser_of(cast, viewer)
    _compare(read(game), viewer, browser, caplog)
    if ruleset == TACTICS_RULESETS[0]:
        turn(game, "draw clan")
        turn(game, "return R2", "return SB")
        turn(game, "BA R1", "draw clan")
        _compare(read(game), viewer, browser, caplog)


def recruited_game(cast: Cast, ruleset: str) -> Game:
    """Bring the owner's Recruiter to its third draw; the opponent holds the Banshee."""
    game = tactics_game(cast, "RE BA SB ST TR", ruleset, draws="Y3 Y4 Y5")
    turn(game, "R1@1", "draw tactics")
    turn(game, "O1@1", "draw tactics")
    turn(game, "RE", "draw clan")
    turn(game, "draw tactics")
    return game


STEPS = (
    "HX@3",  # the opponent is to answer a card that lies face down
    "LO@3, A7@3",  # the starter's abilities run beside a second card
    "HA@1, A7@3, C1@2",  # in the middle of a chain of Aces, the opponent's card still down
    "HX@3, BU@2, swap, AU@3",  # in the second round, after cards have changed places
)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("steps", STEPS)
def test_nothing_changes_with_a_card_that_lies_face_down(
    cast: Cast, steps: str, viewer: Viewer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    game = bridges_game(cast, steps)
    _compare(read(game), viewer, browser_of(cast, viewer), caplog)


def bridges_game(cast: Cast, steps: str) -> Game:
    """Bring a game of Three Bridges to where its hidden cards matter."""
    game = make_bridges(cast, n_rounds=2, has_tracker=True)
    deal(game, "H9 B9 L9", "HA HX C1 LO", "AU BU B7 A7", "H7 C2 A8 L7")
    for told in steps.split(", "):
        step(game, told)
    return game


def test_fault_33_no_byte_of_a_bridges_game_names_a_card_before_it_is_public(cast: Cast) -> None:
    """Each card is a canary, as in the test of that number below."""
    game = make_bridges(cast)
    browsers = {viewer: browser_of(cast, viewer) for viewer in VIEWERS}
    while read(game).is_running:
        for viewer, browser in browsers.items():
            page = normal(text_of(browser.get(game.get_absolute_url(), headers=FRAGMENT)))
            named = {code for code, found in CANARIES.items() if found.search(page)}
            assert named <= known_to(read(game), viewer)
        submit(game, BOTS["greedy"](view_of(game)))


CANARIES = {
    code: re.compile(
        rf"(?<!Chronicler as )(?<!becomes the )(?<!as an ){card_name(code)}|\b{code}\b"
    )
    for code in ALL_CARDS
    if code not in CHRONICLERS
}
"""How a card is named; a Chronicler that is an Ace names that Ace."""


def _compare(game: Game, viewer: Viewer, browser: Client, caplog: pytest.LogCaptureFixture) -> None:
    before, told_before = _look(game, viewer, browser, caplog)
    with permuted(game, viewer) as changed:
        after, told_after = _look(changed, viewer, browser, caplog)
    assert before.keys() == after.keys()
    for name in before:
        assert before[name] == after[name], name
    assert told_before == told_after


def _look(
    game: Game, viewer: Viewer, browser: Client, caplog: pytest.LogCaptureFixture
) -> tuple[dict[str, str], list[str]]:
    caplog.clear()
    _look_away(game)
    seen = dict(seen_by(game, viewer, browser))
    seen["notices"] = _notices(game, viewer)
    return seen, [record.getMessage() for record in caplog.records]


def _look_away(game: Game) -> None:
    """Let both players have looked at the game last when half of it was not yet played."""
    for user in game.match.players:
        half = {"seen_version": game.version // 2, "seen_at": game.started_at}
        Desk.objects.update_or_create(game=game, user=user, defaults=half)


def test_a_notice_of_a_challenge_says_nothing_of_its_deal(cast: Cast) -> None:
    offer = make_offer(cast.owner, "challenge", cast.opponent)
    told = []
    for fill in ("a", "b"):
        offer.secrets, offer.nonce, offer.token = [fill * 64] * 3, fill * 32, fill * 43
        told.append(_told(Notice(kind="challenge", offer=offer, user=cast.opponent)))
    assert told[0] == told[1]


def test_the_staff_pages_do_not_change_either(cast: Cast) -> None:
    """Staff who do not play may know what spectators may."""
    game = recruited_game(cast, TACTICS_RULESETS[0])
    turn(game, "draw clan")
    turn(game, "return R2", "return SB")
    bridges = bridges_game(cast, STEPS[1])
    staff = client_of(User.objects.create_superuser("Rook", "rook@example.org"))
    before = {path: _whole(staff.get(path)) for path in staff_paths()}
    for one in (game, bridges):
        permute(read(one), "spectator", seed=9)
    assert len(before) > 40
    for path, told in before.items():
        assert _whole(staff.get(path)) == told, path


def test_the_permutation_is_one_that_the_other_side_sees(cast: Cast) -> None:
    """Else the test above would prove nothing."""
    game = running_game(make_match(cast.owner, cast.opponent))
    for _ in range(6):
        play_turn(game)
    theirs = named_cards(text_of(client_of(cast.opponent).get(game.get_absolute_url())))
    permute(read(game), 0, seed=3)
    after = named_cards(text_of(client_of(cast.opponent).get(game.get_absolute_url())))
    assert theirs != after


def test_fault_33_no_byte_of_a_game_names_a_card_before_it_is_public(cast: Cast) -> None:
    """Each card is a canary: what a page names is what the viewer may know then."""
    game = running_game(make_match(cast.owner, cast.opponent, n_rounds=1))
    browsers = {viewer: browser_of(cast, viewer) for viewer in VIEWERS}
    while read(game).is_running:
        for viewer, browser in browsers.items():
            page = text_of(browser.get(game.get_absolute_url(), headers=FRAGMENT))
            assert named_cards(_without_claims(page)) <= known_to(read(game), viewer)
        play_turn(game)


def _without_claims(page: str) -> str:
    """Leave the prover's words out: they name unseen cards, whoever has them."""
    page = re.sub(r'(class="stone__mark"[^>]*) title="[^"]*"', r"\1", page)
    start = page.find('<section class="claims"')
    return page if start < 0 else page[:start] + page[page.index("</section>", start) :]


def test_the_record_of_a_finished_game_is_the_same_for_all(cast: Cast) -> None:
    game = running_game(make_match(cast.owner, cast.opponent))
    while read(game).is_running:
        play_turn(game)
    game = read(game)
    folded = game_fold(game)
    actions = [folded.title.action_json(action) for action in folded.actions]
    written = write_record(folded.title, folded.setup, actions)
    for viewer in VIEWERS:
        told = json.loads(browser_of(cast, viewer).get(f"/games/{game.pk}/record.json").content)
        assert {key: told[key] for key in written} == written
