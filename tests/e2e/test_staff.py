"""The staff pages in the browser: Django's scripts and styles under the site's own policy."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.e2e.stage import Stage

Enter = Callable[..., Page]

LISTS = (
    "accounts/user",
    "account/emailaddress",
    "admin/logentry",
    "auth/group",
    "games/offer",
    "games/match",
    "games/game",
    "games/submission",
    "games/notice",
    "games/delivery",
    "games/chatmessage",
    "games/heartbeat",
    "ladder/ladder",
    "ladder/standing",
    "ladder/ledgerentry",
)


def test_lists_and_forms_work_under_the_policy(enter: Enter, stage: Stage) -> None:
    scene = stage.match(stage.person(), stage.person(), until="turns", turns=6)
    page = enter(stage.person(is_staff=True))
    page.goto("/staff/")
    for path in LISTS:
        page.goto(f"/staff/{path}/")
        expect(page.locator("#content-main")).to_be_visible()
    page.goto(f"/staff/games/game/{scene.game}/change/")
    expect(page.locator(".field-version .readonly")).not_to_have_text("0")
    page.get_by_role("button", name="Toggle theme").first.click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_shutting_somebody_out_closes_their_page(enter: Enter, stage: Stage) -> None:
    rascal, other = stage.person(), stage.person()
    scene = stage.match(rascal, other, until="turns", turns=2)
    theirs, page = enter(rascal), enter(stage.person(is_staff=True))
    theirs.goto(scene.url)
    page.goto(f"/staff/accounts/user/?q={rascal.name}")
    page.get_by_role("link", name=rascal.name, exact=True).click()
    page.get_by_label("Active").uncheck()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messagelist .success")).to_contain_text("was changed successfully")
    expect(theirs.locator("[data-live-banner]")).to_be_visible()
    theirs.reload()
    expect(theirs.get_by_role("banner").get_by_role("link", name="Log in")).to_be_visible()
    page.goto("/staff/admin/logentry/")
    expect(page.locator("#result_list")).to_contain_text(rascal.name)
    expect(page.locator("#result_list")).to_contain_text("Changed Active.")
