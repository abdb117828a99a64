"""Notices in a browser: the counter on every page, the choices, and a push that is shown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Enter, Pair
from tests.e2e.site import Site
from tests.e2e.stage import Stage

COUNTED = re.compile(r"^\(1\) ")
BARE = re.compile(r"^(?!\()")


def icon(page: Page) -> str:
    return page.locator("link[rel='icon']").get_attribute("href") or ""


def test_the_name_of_every_page_counts_what_waits_and_its_icon_is_marked(
    enter: Enter, sit_down: Callable[..., Pair]
) -> None:
    """In a tab that is not looked at, too: a turn elsewhere changes name and icon by itself."""
    pair = sit_down()
    waiting = pair.people[pair.scene.waiting]
    page = enter(waiting)
    page.goto("/rules/")
    expect(page).to_have_title(BARE)
    plain = icon(page)
    pair.mover.play()
    expect(page).to_have_title(COUNTED)
    assert icon(page) != plain
    pair.waiter.wait_for(pair.mover.version)
    pair.waiter.play()
    expect(page).to_have_title(BARE)
    assert icon(page) == plain


def test_a_board_tells_that_it_is_used_and_a_hidden_one_does_not(
    enter: Enter, stage: Stage
) -> None:
    person = stage.person()
    scene = stage.match(person, stage.person())
    page = enter(person)
    told: list[str] = []
    page.on(
        "request",
        lambda asked: told.append(asked.post_data or "") if asked.url.endswith("/here/") else None,
    )
    with page.expect_response("**/here/") as answer:
        page.goto(scene.url)
    assert answer.value.status == 204
    assert f"game={scene.game}" in told[0]
    assert len(told) == 1


def test_choices_by_keyboard_and_the_secret_of_a_webhook_once(enter: Enter, stage: Stage) -> None:
    page = enter(stage.person())
    page.goto("/preferences/notices/")
    page.get_by_label("Together, once a day").focus()
    page.keyboard.press("Space")
    page.get_by_label("If once a day, at").select_option("20:00")
    page.get_by_role("button", name="Save").press("Enter")
    expect(page.get_by_text("Your choice is saved.")).to_be_visible()
    expect(page.get_by_label("Together, once a day")).to_be_checked()
    expect(page.get_by_label("If once a day, at")).to_have_value("20")
    page.get_by_label("Address").fill("https://localhost:8443/in")
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.locator(".secret")).to_have_text(re.compile(r"^\S{40,}$"))
    page.get_by_role("button", name="Send a test").click()
    expect(page.get_by_text("A test is on its way.")).to_be_visible()
    expect(page.locator(".secret")).to_have_count(0)
    failed = page.get_by_text("private network, which this site never calls")
    for _ in range(50):
        if failed.is_visible():
            break
        page.wait_for_timeout(100)
        page.reload()
    expect(failed).to_be_visible()
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("The webhook is removed.")).to_be_visible()


def test_the_service_worker_shows_a_push_and_knows_its_board(
    enter: Enter, stage: Stage, site: Site
) -> None:
    """The worker registers for the whole site, and shows what a push service would bring."""
    page = enter(stage.person())
    page.context.grant_permissions(["notifications"], origin=site.url)
    page.goto("/preferences/notices/")
    expect(page.get_by_role("button", name="Show notices on this device")).to_be_visible()
    scope = page.evaluate(
        """async () => {
            const path = document.querySelector("[data-push]").dataset.worker;
            const registration = await navigator.serviceWorker.register(path);
            await navigator.serviceWorker.ready;
            return registration.scope;
        }"""
    )
    assert urlsplit(scope).path == "/"
    devtools = page.context.new_cdp_session(page)
    ids: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: ids.extend(one["registrationId"] for one in told["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    for _ in range(50):
        if ids:
            break
        page.wait_for_timeout(100)
    message = {
        "title": "Your turn against Hamish",
        "body": "Game 1 of 3",
        "path": "/games/7/",
        "tag": "game-7",
        "lang": "en",
    }
    for data in (message, {**message, "body": "Game 2 of 3"}):
        devtools.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": site.url, "registrationId": ids[-1], "data": json.dumps(data)},
        )
    shown = """async () => {
        const registration = await navigator.serviceWorker.ready;
        const all = await registration.getNotifications();
        return all.map(({ title, body, tag, data }) => ({ title, body, tag, path: data.path }));
    }"""
    want = {key: message[key] for key in ("title", "tag", "path")} | {"body": "Game 2 of 3"}
    for _ in range(50):
        if page.evaluate(shown) == [want]:
            break
        page.wait_for_timeout(100)
    assert page.evaluate(shown) == [want], "the later one of a game takes the earlier one's place"
