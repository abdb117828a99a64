"""Every page of the site in every state worth seeing, on a site with some life in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page, expect

from tests.beginner import Choice
from tests.e2e.board import Board
from tests.e2e.site import Site
from tests.e2e.stage import Person, Stage

PEOPLE = ("Morag", "Hamish", "Ágnes", "Тарас", "Noor", "Kenji")
PASSWORD = "heather on the hill"
LADDER = "/ladders/schotten-totten/after-play/"
NOWHERE = "/nothing/here/"
VISITOR = "visitor"
NEWCOMER = "newcomer"
"""A visitor with a browser of their own, for what leaves something behind in it."""


TACTICS_DEAL = {
    "hands": ("R1 R2 R3 R4 R5 R6 R7", "O1 O2 O3 O4 O5 O6 O7"),
    "draws": "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9",
    "tactics": "MF BB ST SP JB SB RE JA TR BA",
}
TACTICS_TURNS = [
    ["R1@1", "draw tactics"],
    ["O1@1", "draw tactics"],
    ["MF@2", "draw tactics"],
    ["BB@3", "draw tactics"],
    ["R2@1", "draw tactics"],
    ["SP@2", "draw tactics"],
    ["JB@3", "draw tactics"],
    ["O2@1", "draw clan"],
    ["R3@1", "draw clan"],
    ["SB@2", "draw tactics"],
]
"""Modes, elite troops and a full side lie there; the next to act holds Strategist and Recruiter."""
RECRUITER_TURNS = [*TACTICS_TURNS, ["RE", "draw clan"], ["draw tactics"]]

BRIDGES_DEAL = {
    "bridges": "H9 B9 L9",
    "hands": ("HA HX C1 LO", "AU BU B7 A7"),
    "draws": "H7 C2 A8 L7 H8 LK BK AX B8 HO L8 LX A9 HK",
}
_CHAIN = "HA@1, A7@3, C1@2"
_LEAF = f"{_CHAIN}, HX@1, BU@2, LO@3, swap"
_OBER = f"{_LEAF}, turn 1-0"
_NAME = f"{_OBER}, move 2-0, H7@1, AU@1, C2@2, H8@3"
_LAST = f"{_NAME}, name B, B7@2, LK@3, L7@3, decline, turn 0-3, A8@1"
BRIDGES_SCENES = {
    "first": "HA@1",
    "chain": _CHAIN,
    "leaf": _LEAF,
    "ober": _OBER,
    "name": _NAME,
    "last": _LAST,
    "over": f"{_LAST}, HO@2, decline",
}
"""Moments of one game of Three Bridges, from its first card to its end."""


class Gallery:
    """The people and matches that the pages show; the ladders' pages show the demo's."""

    def __init__(self, site: Site, stage: Stage, demo_stage: Stage) -> None:
        self.site = site
        self.demo_people = {name: demo_stage.session(name) for name in ("Morag", "Noor")}
        self.people: dict[str, Person] = {
            name: stage.person(name, PASSWORD if name == "Morag" else "") for name in PEOPLE
        }
        morag, hamish, agnes, taras, noor, kenji = self.people.values()
        self.people["staff"] = stage.person("Una", is_staff=True)
        gone = stage.person("Iain")
        stage.shut_out(gone)
        self.closed_account = f"/players/{gone.name}/"
        self.stop_link = stage.stop_link(morag)
        self.claim = stage.match(morag, hamish, until="claim", rounds=3)
        self.early = stage.match(agnes, morag, until="turns", turns=6, rounds=3)
        self.experts = stage.match(taras, morag, until="claim", ruleset="start-of-turn")
        self.watched = stage.match(noor, kenji, until="turns", turns=21, ruleset="automatic")
        self.over = stage.match(morag, kenji, until="over", rounds=1)
        stage.match(morag, noor, until="over", is_rated=True)
        stage.rate()
        self.end = stage.match(hamish, noor, until="end")
        self.tactics = stage.dealt(hamish, agnes, **TACTICS_DEAL, turns=TACTICS_TURNS)
        self.recruiter = stage.dealt(noor, hamish, **TACTICS_DEAL, turns=RECRUITER_TURNS)
        self.bridges = {
            name: stage.bridges(agnes, kenji, **BRIDGES_DEAL, steps=steps)
            for name, steps in BRIDGES_SCENES.items()
        }
        self.seek = stage.offer(taras, rounds=3)
        stage.offer(kenji, ruleset="automatic", rounds=1, pace="per-turn-7")
        stage.offer(morag, rounds=5, pace="per-turn-1")
        self.closed_offer = stage.offer(taras, is_withdrawn=True)
        self.challenge = stage.offer(noor, kind="challenge", to="Morag", ruleset="start-of-turn")
        self.invitation = stage.offer(morag, kind="invitation", rounds=1)


@dataclass(frozen=True, slots=True)
class Shown:
    """One page: its name, who looks at it, where it is, and what is done there first.

    `reaches` is the name of the address where that leads, if it leads away. Pages of Django's
    own, for staff, need not fit a small phone.
    """

    name: str
    viewer: str | Callable[[Gallery], str]
    path: str | Callable[[Gallery], str]
    act: Callable[[Page, Gallery], None] = lambda page, gallery: None
    reaches: str = ""
    is_demo: bool = False
    is_for_staff: bool = False

    def viewer_in(self, gallery: Gallery) -> str:
        """Give the name of who looks; no player's for a visitor."""
        return self.viewer if isinstance(self.viewer, str) else self.viewer(gallery)

    def path_in(self, gallery: Gallery) -> str:
        """Give the address of the page."""
        return self.path if isinstance(self.path, str) else self.path(gallery)


def _plan_a_claim(page: Page, gallery: Gallery) -> None:
    board = Board(page)
    board.lay(Choice(*gallery.claim.hint))
    expect(page.locator(".stone--claimable")).not_to_have_count(0)


def _plan(page: Page, gallery: Gallery) -> None:
    board = Board(page)
    board.lay(board.choose())


def _choose_a_card(page: Page, gallery: Gallery) -> None:
    page.locator("#board input[name=card]").nth(2).check()


def _focus(page: Page, gallery: Gallery) -> None:
    page.locator("[data-focus-mode]").click()
    expect(page.locator("#log")).to_be_hidden()


def _open_all_beside(page: Page, gallery: Gallery) -> None:
    for name in ("answers", "prospects", "leave", "note"):
        page.locator(f"#{name}:not([open]) > summary").click()
    page.locator("#keys-panel > summary").click()


def _open_the_menu(page: Page, gallery: Gallery) -> None:
    page.get_by_role("banner").locator("summary").click()


def _greet(page: Page, gallery: Gallery) -> None:
    page.get_by_role("button", name="Good luck!").click()
    expect(page.get_by_role("log").locator(".chat__line").first).to_be_visible()


def _register(page: Page, gallery: Gallery) -> None:
    _registered(page, gallery)


def _registered(page: Page, gallery: Gallery) -> str:
    """Register somebody new; give the address."""
    name = f"Isla{len(gallery.site.mails())}"
    page.get_by_label("Name", exact=True).fill(name)
    address = f"{name.lower()}@example.org"
    page.get_by_label("E-mail address").fill(address)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password, once more").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Register").click()
    expect(page.get_by_role("heading", name="One step left")).to_be_visible()
    return address


def _follow(page: Page, gallery: Gallery, address: str) -> None:
    """Follow the link in the last mail to an address."""
    link = re.search(rf"{gallery.site.url}/accounts/\S+", gallery.site.mails_to(address)[-1])
    assert link is not None
    page.goto(link[0])


def _follow_the_mail(page: Page, gallery: Gallery) -> None:
    _follow(page, gallery, _registered(page, gallery))
    expect(page.get_by_role("button", name="Yes, confirm it")).to_be_visible()


def _come_for_a_new_password(page: Page, gallery: Gallery) -> None:
    address = _registered(page, gallery)
    _follow(page, gallery, address)
    page.get_by_role("button", name="Yes, confirm it").click()
    page.get_by_role("banner").wait_for()
    page.context.clear_cookies(name="sessionid")
    page.goto("/accounts/password/reset/")
    page.get_by_label("E-mail").fill(address)
    page.get_by_role("main").get_by_role("button").click()
    page.wait_for_url("**/done/")
    _follow(page, gallery, address)
    expect(page.locator("input[type=password]").first).to_be_visible()


def _try_too_often(page: Page, gallery: Gallery) -> None:
    page.locator("main form").evaluate(
        """async form => {
            const send = () => fetch(form.action, { method: "POST", body: new FormData(form) });
            for (let n = 0; n < 6; n += 1) await send();
            form.submit();
        }"""
    )
    expect(page.get_by_role("heading", name="A little patience")).to_be_visible()


def _open_the_latest(page: Page, gallery: Gallery) -> None:
    page.locator("main a[href*='/seasons/']").first.click()
    expect(page.locator("main table")).to_be_visible()


def _check_the_deal(page: Page, gallery: Gallery) -> None:
    expect(page.get_by_role("status")).to_contain_text("Yes", use_inner_text=True)
    page.get_by_text("The numbers", exact=True).click()


def _register_badly(page: Page, gallery: Gallery) -> None:
    page.get_by_label("Name", exact=True).fill("morag")
    page.get_by_label("E-mail address").fill("isla@example.org")
    page.get_by_label("Password", exact=True).fill("12345678")
    page.get_by_label("Password, once more").fill("1234567")
    page.get_by_role("main").get_by_role("button", name="Register").click()
    expect(page.locator(".errorlist, .field__errors").first).to_be_visible()


def _ask_for_a_new_password(page: Page, gallery: Gallery) -> None:
    page.get_by_label("E-mail").fill("nobody@example.org")
    page.get_by_role("main").get_by_role("button").click()
    page.wait_for_url("**/done/")


def _set_a_webhook(page: Page, gallery: Gallery) -> None:
    page.get_by_label("Address").fill("https://notices.example/in")
    page.get_by_role("button", name="Set").first.click()
    expect(page.locator(".secret")).to_be_visible()


def _send_a_bad_offer(page: Page, gallery: Gallery) -> None:
    page.get_by_label("Player").fill("Nobody at all")
    page.get_by_role("button", name="Send the challenge").click()
    expect(page.get_by_text("There is no player with that name.")).to_be_visible()


def _lose_the_token(page: Page, gallery: Gallery) -> None:
    page.get_by_label("Name or e-mail address").fill("Morag")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.context.clear_cookies(name="csrftoken")
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="That page was out of date")).to_be_visible()


def _look_through_tactics(page: Page, gallery: Gallery) -> None:
    for name in ("prospects", "discard"):
        page.locator(f"#{name} summary").click()


def _plan_beside_two_decks(page: Page, gallery: Gallery) -> None:
    page.locator("#card-R4").click()
    page.locator("#stone-2").click()
    expect(page.locator("#confirm-tactics")).to_be_visible()


def _begin_a_ruse(page: Page, gallery: Gallery) -> None:
    page.locator("#card-ST").click()
    expect(page.locator(".card--target").first).to_be_visible()


def _take_by_a_ruse(page: Page, gallery: Gallery) -> None:
    _begin_a_ruse(page, gallery)
    page.locator(".card[for=take-R2] .card__band").click()
    expect(page.locator("#stone-discard")).to_be_visible()


def _refuse_a_plan(page: Page, gallery: Gallery) -> None:
    """Send a stone without a card, as a page without script would."""
    page.locator("#turn").evaluate("it => it.requestSubmit(it.querySelector('[data-lay]'))")
    expect(page.locator(".board__refusal")).to_be_visible()


def _bridges_url(scene: str) -> Callable[[Gallery], str]:
    return lambda gallery: gallery.bridges[scene].url


def _choose_a_target(page: Page, gallery: Gallery) -> None:
    page.locator("#board input[name=target]").first.check()


def _plan_at_a_bridge(page: Page, gallery: Gallery) -> None:
    page.locator("#card-HO").click()
    page.locator("#choose-bridge-2").click()
    expect(page.locator("#confirm")).to_be_visible()


def _ask_why(page: Page, gallery: Gallery) -> None:
    page.locator("#why-3 summary").click()


PAGES = (
    Shown("home-visitor", VISITOR, "/"),
    Shown("home-player", "Morag", "/"),
    Shown("menu", "Morag", "/", _open_the_menu),
    Shown("lobby-player", "Morag", "/lobby/"),
    Shown("lobby-visitor", VISITOR, "/lobby/"),
    Shown("offer-form", "Morag", "/offers/new/"),
    Shown("offer-form-refused", "Morag", "/offers/new/?kind=challenge", _send_a_bad_offer),
    Shown("offer", "Morag", lambda gallery: gallery.seek),
    Shown("offer-closed", "Morag", lambda gallery: gallery.closed_offer),
    Shown("play-bot", "Morag", "/play/bot/"),
    Shown("challenge", "Morag", lambda gallery: gallery.challenge),
    Shown("invitation-own", "Morag", lambda gallery: gallery.invitation),
    Shown("invitation-visitor", VISITOR, lambda gallery: gallery.invitation),
    Shown("match-running", "Morag", lambda gallery: f"/matches/{gallery.claim.match}/"),
    Shown("match-over", "Morag", lambda gallery: f"/matches/{gallery.over.match}/"),
    Shown("board-to-act", lambda it: it.early.to_act, lambda it: it.early.url, _choose_a_card),
    Shown("board-planned", lambda it: it.early.to_act, lambda it: it.early.url, _plan),
    Shown("board-refused", lambda it: it.early.to_act, lambda it: it.early.url, _refuse_a_plan),
    Shown("board-claimable", lambda it: it.claim.to_act, lambda it: it.claim.url, _plan_a_claim),
    Shown("board-claims-first", lambda it: it.experts.to_act, lambda it: it.experts.url),
    Shown("board-waiting", lambda it: it.claim.waiting, lambda it: it.claim.url),
    Shown("board-late", lambda it: it.end.to_act, lambda it: it.end.url),
    Shown("board-beside", lambda it: it.early.waiting, lambda it: it.early.url, _open_all_beside),
    Shown("board-focus", NEWCOMER, lambda it: it.watched.url, _focus),
    Shown("look-back", lambda it: it.early.waiting, lambda it: f"{it.early.url}steps/"),
    Shown("look-back-step", lambda it: it.early.waiting, lambda it: f"{it.early.url}steps/3/"),
    Shown("board-spectator", VISITOR, lambda it: it.watched.url),
    Shown("board-over", "Morag", lambda it: it.over.url),
    Shown("board-tactics", "Hamish", lambda it: it.tactics.url, _look_through_tactics),
    Shown("board-two-decks", "Hamish", lambda it: it.tactics.url, _plan_beside_two_decks),
    Shown("board-ruse", "Hamish", lambda it: it.tactics.url, _begin_a_ruse),
    Shown("board-ruse-goal", "Hamish", lambda it: it.tactics.url, _take_by_a_ruse),
    Shown("board-tactics-spectator", VISITOR, lambda it: it.tactics.url),
    Shown("board-recruiter", "Noor", lambda it: it.recruiter.url),
    Shown("board-recruiter-waiting", "Hamish", lambda it: it.recruiter.url),
    Shown("bridges-first", "Kenji", _bridges_url("first"), _choose_a_card),
    Shown("bridges-chain", "Ágnes", _bridges_url("chain")),
    Shown("bridges-waiting", "Kenji", _bridges_url("chain")),
    Shown("bridges-leaf", "Ágnes", _bridges_url("leaf"), _choose_a_target),
    Shown("bridges-ober", "Ágnes", _bridges_url("ober")),
    Shown("bridges-name", "Kenji", _bridges_url("name")),
    Shown("bridges-last", "Ágnes", _bridges_url("last"), _plan_at_a_bridge),
    Shown("bridges-spectator", VISITOR, _bridges_url("last"), _ask_why),
    Shown("bridges-over", "Ágnes", _bridges_url("over")),
    Shown("history-own", "Morag", "/players/Morag/matches/"),
    Shown("history-other", VISITOR, "/players/Morag/matches/?result=running&sort=oldest"),
    Shown("history-refused", VISITOR, "/players/Morag/matches/?opponent=Nobody&since=soon"),
    Shown("replay-start", VISITOR, lambda it: f"{it.over.url}replay/0/"),
    Shown("replay-middle", "Morag", lambda it: f"{it.over.url}replay/40/"),
    Shown("replay-end", "Kenji", lambda it: f"{it.over.url}replay/?step=9999"),
    Shown("check", VISITOR, lambda it: f"{it.over.url}check/", _check_the_deal),
    Shown("check-running", VISITOR, lambda it: f"{it.watched.url}check/"),
    Shown("deals", VISITOR, "/help/deals/"),
    Shown("rules", VISITOR, "/rules/"),
    Shown("rules-schotten-totten", VISITOR, "/rules/schotten-totten/"),
    Shown("rules-tactics", VISITOR, "/rules/schotten-totten/start-of-turn-tactics/"),
    Shown("rules-three-bridges", VISITOR, "/rules/three-bridges/standard/"),
    Shown("register", VISITOR, "/accounts/signup/"),
    Shown("register-refused", NEWCOMER, "/accounts/signup/", _register_badly),
    Shown(
        "registered",
        NEWCOMER,
        "/accounts/signup/",
        _register,
        reaches="account_email_verification_sent",
    ),
    Shown(
        "confirm-email",
        NEWCOMER,
        "/accounts/signup/",
        _follow_the_mail,
        reaches="account_confirm_email",
    ),
    Shown("confirm-email-too-late", VISITOR, "/accounts/confirm-email/abc/"),
    Shown("log-in", VISITOR, "/accounts/login/"),
    Shown("out-of-date", NEWCOMER, "/accounts/login/", _lose_the_token),
    Shown("password-reset", VISITOR, "/accounts/password/reset/"),
    Shown(
        "password-reset-sent",
        NEWCOMER,
        "/accounts/password/reset/",
        _ask_for_a_new_password,
        reaches="account_reset_password_done",
    ),
    Shown(
        "password-reset-form",
        "stranger",
        "/accounts/signup/",
        _come_for_a_new_password,
        reaches="account_reset_password_from_key",
    ),
    Shown("password-reset-too-late", VISITOR, "/accounts/password/reset/key/1-abc/"),
    Shown("password-reset-done", VISITOR, "/accounts/password/reset/key/done/"),
    Shown("password-change", "Morag", "/accounts/password/change/"),
    Shown("password-change-too-often", "Morag", "/accounts/password/change/", _try_too_often),
    Shown("reauthenticate", "Morag", "/accounts/reauthenticate/"),
    Shown("log-out", "Morag", "/accounts/logout/"),
    Shown("inactive", VISITOR, "/accounts/inactive/"),
    Shown("account-delete", "Morag", "/preferences/delete/"),
    Shown("email-address", "Morag", "/accounts/email/"),
    Shown("notices", "Morag", "/preferences/notices/"),
    Shown("notices-webhook", "Noor", "/preferences/notices/", _set_a_webhook),
    Shown("notices-stop", VISITOR, lambda it: it.stop_link),
    Shown("vacation", "Morag", "/vacation/"),
    Shown("profile-own", "Morag", "/players/Morag/"),
    Shown("profile-other", "Morag", "/players/%C3%81gnes/"),
    Shown("profile-closed", VISITOR, lambda it: it.closed_account),
    Shown("history-summary", "Morag", "/players/Morag/matches/summary/", is_demo=True),
    Shown("profile-rated", "Noor", "/players/Morag/", is_demo=True),
    Shown("head-to-head", VISITOR, "/players/Morag/against/Hamish/", is_demo=True),
    Shown("ladders", VISITOR, "/ladders/", is_demo=True),
    Shown("ladder", "Morag", LADDER, is_demo=True),
    Shown("ladder-visitor", VISITOR, LADDER, is_demo=True),
    Shown("ladder-empty", VISITOR, "/ladders/schotten-totten/start-of-turn-tactics/"),
    Shown("ladder-account", "Morag", f"{LADDER}players/Morag/", is_demo=True),
    Shown("ladder-seasons", VISITOR, f"{LADDER}seasons/", is_demo=True),
    Shown(
        "ladder-season",
        "Morag",
        f"{LADDER}seasons/",
        _open_the_latest,
        reaches="ladder:season",
        is_demo=True,
    ),
    Shown("ladder-rules", VISITOR, "/ladders/rules/"),
    Shown("endings", VISITOR, "/help/matches/"),
    Shown("chat", "Morag", lambda it: f"/matches/{it.claim.match}/chat/players/", _greet),
    Shown(
        "chat-watchers", "Ágnes", lambda it: f"/matches/{it.watched.match}/chat/watchers/", _greet
    ),
    Shown("block", "Morag", "/players/Kenji/block/"),
    Shown("blocked", "Morag", "/preferences/blocked/"),
    Shown("report", "Morag", "/players/Kenji/report/"),
    Shown("what-a-block-does", VISITOR, "/help/blocking/"),
    Shown("not-found", VISITOR, NOWHERE),
    Shown("not-allowed", "Morag", "/staff/login/"),
    Shown("not-understood", VISITOR, f"/players/Morag/matches/?{'a=&' * 1001}"),
    *(
        Shown(f"staff-{name}", "staff", f"/staff/{path}", is_for_staff=True)
        for name, path in {
            "index": "",
            "users": "accounts/user/",
            "reports": "accounts/report/",
            "matches": "games/match/",
            "games": "games/game/",
            "offers": "games/offer/",
            "messages": "games/chatmessage/",
            "ladders": "ladder/ladder/",
            "ledger": "ladder/ledgerentry/",
            "log": "admin/logentry/",
        }.items()
    ),
)

NO_PAGES = {
    "sends something only; the page it stands on is here": (
        "unblock",
        "games:answer",
        "games:answers",
        "games:chat_mute",
        "games:chat_seen",
        "games:device_drop",
        "games:device_new",
        "games:game_plan",
        "games:game_resign",
        "games:game_submit",
        "games:here",
        "games:match_abort",
        "games:match_rematch",
        "games:match_resign",
        "games:note",
        "games:offer_accept",
        "games:offer_decline",
        "games:offer_withdraw",
        "games:sounds",
        "games:vacation_choose",
        "games:vacation_end",
        "games:vacation_plan",
        "games:vacation_start",
        "games:webhook",
        "ladder:go_on",
        "ladder:join",
        "ladder:leave",
        "ladder:pause",
        "preferences",
    ),
    "a file or an answer for machines": (
        "account_data",
        "games:game_record",
        "games:history_csv",
        "games:history_records",
        "healthz",
        "service_worker",
    ),
    "leads to another page at once": ("games:own_history",),
    "for those who have no password, and nobody like that can log in": ("account_set_password",),
    "not offered: a plain 404": (
        "not_offered",
        "account_confirm_login_code",
        "account_confirm_reauthentication_code",
        "account_request_reauthentication_code",
    ),
}
"""The names of addresses that have no picture, by the reason why."""
