"""Chromium, the site it visits, and people in browsers of their own.

These tests are a pytest run of their own (`pytest tests/e2e`): Playwright keeps an event loop
running in this process. Nothing here touches a database; the site is another process.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

from tests.e2e.board import PATIENCE_S, Board
from tests.e2e.site import Site
from tests.e2e.stage import Person, Scene, Stage
from tests.services import CHROMIUM

PATIENCE_MS = 1000 * PATIENCE_S
SMALL = {"viewport": {"width": 800, "height": 600}}
"""A window that is quickly drawn, for tests that play long."""

Enter = Callable[..., Page]

expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all tests of this folder: where there is no Chromium they are left out."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The embedded site, served by its own command on a free port."""
    site = Site(tmp_path_factory.mktemp("site"))
    site.prepare()
    site.start()
    yield site
    assert site.stop() == 0, site.log()


@pytest.fixture(scope="session")
def stage(site: Site) -> Iterator[Stage]:
    """Makes people and matches on the site, for tests that begin in the middle."""
    stage = Stage(site)
    yield stage
    stage.close()


@pytest.fixture(scope="session")
def demo(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A second site: the one that `make run` serves, with the demo data."""
    demo = Site(tmp_path_factory.mktemp("demo"))
    for made in ("static", "static.stamp"):
        (demo.folder / made).symlink_to(site.folder / made)
    demo.prepare("--demo")
    demo.start()
    yield demo
    assert demo.stop() == 0, demo.log()


@pytest.fixture(scope="session")
def demo_stage(demo: Site) -> Iterator[Stage]:
    """Makes and finds what the demo is looked at with."""
    stage = Stage(demo)
    yield stage
    stage.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, or the one that TEST_CHROMIUM names."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which(CHROMIUM),
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
            ],
        )
        yield browser
        browser.close()


@pytest.fixture
def enter(browser: Browser, site: Site) -> Iterator[Enter]:
    """Open a browser of its own for a person or a visitor; gives its first page.

    Whatever the test does, no script may fail, no policy be broken, and no answer be a 500. Where
    the test fails, what its pages asked of the site last is told besides.
    """
    faults: list[str] = []
    talk: deque[str] = deque(maxlen=40)
    with ExitStack() as contexts:

        def open_one(person: Person | None = None, **options: Any) -> Page:
            context = new_context(browser, site, faults, person, **options)
            _overhear(context, talk)
            return contexts.enter_context(context).new_page()

        yield open_one
        sys.stdout.write("\n".join(["The pages asked:", *talk, ""]))
    assert not faults, site.log()[-3000:]


def new_context(
    browser: Browser,
    site: Site,
    faults: list[str],
    person: Person | None = None,
    **options: Any,
) -> BrowserContext:
    """Open a browser with the session of a person; what goes wrong in it is added to `faults`."""
    context = browser.new_context(
        base_url=site.url,
        **{"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options},
    )
    context.set_default_timeout(PATIENCE_MS)
    _watch(context, faults)
    if person is not None:
        cookie = {"name": "sessionid", "value": person.session, "url": site.url}
        context.add_cookies([cookie])  # type: ignore[list-item]
    return context


def _watch(context: BrowserContext, faults: list[str]) -> None:
    def look(response: Response) -> None:
        if response.status >= 500:
            faults.append(f"{response.status} {response.url}")

    def listen(message: Any) -> None:
        if message.type == "error" and "Content Security Policy" in message.text:
            faults.append(message.text)

    context.on("response", look)
    context.on("console", listen)
    context.on("weberror", lambda fault: faults.append(str(fault.error)))


def _overhear(context: BrowserContext, talk: deque[str]) -> None:
    def note(request: Request, what: object) -> None:
        if request.resource_type in ("document", "fetch", "xhr"):
            talk.append(f"{time.monotonic():.3f} {request.method} {request.url}: {what}")

    context.on("request", lambda request: note(request, "…"))
    context.on("response", lambda response: note(response.request, response.status))
    context.on("requestfailed", lambda request: note(request, request.failure))


class Pair:
    """Two people at one match: who is to act at the beginning, and who waits."""

    def __init__(
        self, scene: Scene, mover: Board, waiter: Board, people: dict[str, Person]
    ) -> None:
        self.scene = scene
        self.mover = mover
        self.waiter = waiter
        self.people = people

    @property
    def acting(self) -> tuple[Board, Board]:
        """Give the two boards, the one whose turn it is first."""
        pair = (self.mover, self.waiter)
        return pair if self.mover.is_to_act else pair[::-1]


@pytest.fixture
def sit_down(enter: Enter, stage: Stage) -> Callable[..., Pair]:
    """Set two new people at a match, each at an open board; `terms` are the stage's.

    `mover` and `waiter` are options of the browsers of who acts first and who waits.
    """

    def sit(
        mover: dict[str, Any] | None = None, waiter: dict[str, Any] | None = None, **terms: Any
    ) -> Pair:
        people = {person.name: person for person in (stage.person(), stage.person())}
        scene = stage.match(*people.values(), **terms)
        boards = [
            Board(enter(people[name], **(options or {}))).open(scene.url)
            for name, options in ((scene.to_act, mover), (scene.waiting, waiter))
        ]
        return Pair(scene, *boards, people)

    return sit
