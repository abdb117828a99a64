"""Every page: readable for all in light and dark, fit for a small phone, and shown in pictures.

The pictures go to the folder that SCREENSHOTS names, else to one for this run; the summary says
which. They are for people to look at.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import URLResolver, get_resolver, resolve
from playwright.sync_api import Browser, Page

from tests.e2e.conftest import new_context
from tests.e2e.gallery import NO_PAGES, NOWHERE, PAGES, Gallery, Shown
from tests.e2e.site import Site
from tests.e2e.stage import Stage

WIDTHS = (1280, 390)
HEIGHT = 900
NARROW = 320
RENAME = """() => {
  for (const name of document.querySelectorAll("bdi")) {
    name.textContent = "Llanfairpwllgwyngyllgogerychwy";
  }
}"""
"""Names have 30 letters at most, and stand in `bdi` wherever they are shown."""

GRAVE = ("serious", "critical")

Window = tuple[Page, list[str]]


@pytest.fixture(scope="session")
def gallery(site: Site, stage: Stage, demo_stage: Stage) -> Gallery:
    return Gallery(site, stage, demo_stage)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the pictures go."""
    named = os.environ.get("SCREENSHOTS")
    path = Path(named) if named else tmp_path_factory.mktemp("screenshots")
    path.mkdir(parents=True, exist_ok=True)
    yield path
    print(f"\nScreenshots of every page: {path}")  # noqa: T201


@pytest.fixture(scope="session")
def windows(
    browser: Browser, site: Site, demo: Site, gallery: Gallery
) -> Iterator[Callable[[Shown], Window]]:
    """Give each viewer one window for all pages of a site, with what went wrong in it."""
    opened: dict[tuple[str, bool], Window] = {}

    def window_of(shown: Shown) -> Window:
        viewer = shown.viewer_in(gallery)
        if (viewer, shown.is_demo) not in opened:
            faults: list[str] = []
            people = gallery.demo_people if shown.is_demo else gallery.people
            where = demo if shown.is_demo else site
            context = new_context(browser, where, faults, people.get(viewer))
            opened[viewer, shown.is_demo] = (context.new_page(), faults)
        return opened[viewer, shown.is_demo]

    yield window_of
    for page, _ in opened.values():
        page.context.close()


@pytest.mark.parametrize("shown", PAGES, ids=lambda shown: shown.name)
def test_page(
    shown: Shown,
    windows: Callable[[Shown], Window],
    gallery: Gallery,
    folder: Path,
) -> None:
    page, faults = windows(shown)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": WIDTHS[0], "height": HEIGHT})
    page.goto(shown.path_in(gallery))
    shown.act(page, gallery)
    for width in WIDTHS:
        _unroll(page, width)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            _settle(page)
            # The caret stays: to hide it Playwright adds a style, which the policy forbids.
            path = folder / f"{shown.name}-{width}-{scheme}.png"
            page.screenshot(path=path, caret="initial")
            if (width, scheme) == (1280, "light"):
                check_access(page)
            elif (width, scheme) == (390, "dark"):
                check_access(page, runOnly=["color-contrast", "target-size"])
    page.set_viewport_size({"width": NARROW, "height": HEIGHT})
    if not shown.is_for_staff:
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW
        page.evaluate(RENAME)
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW, "a long name"
    assert not faults


def test_every_address_is_shown_or_has_a_reason(gallery: Gallery) -> None:
    """The staff's are Django's own and all alike: the main lists are shown."""
    paths = [urlsplit(shown.path_in(gallery)).path for shown in PAGES]
    shown = {resolve(path).view_name for path in paths if path != NOWHERE}
    shown |= {page.reaches for page in PAGES}
    reasons = [name for names in NO_PAGES.values() for name in names]
    assert len(reasons) == len(set(reasons))
    names = {name for name in _names(get_resolver()) if not name.startswith("admin:")}
    assert names - shown == set(reasons)


def _names(resolver: URLResolver, space: str = "") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{pattern.namespace}:" if pattern.namespace else ""
            yield from _names(pattern, space + inner)
        else:
            yield f"{space}{pattern.name}"


def _settle(page: Page) -> None:
    """Wait until what was changed is drawn."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def _unroll(page: Page, width: int) -> None:
    """Make the window as high as the page, once that is laid out for its new width."""
    page.set_viewport_size({"width": width, "height": HEIGHT})
    _settle(page)
    height = page.evaluate("document.documentElement.scrollHeight")
    page.set_viewport_size({"width": width, "height": height})


def check_access(page: Page, **options: Any) -> None:
    """Ask axe-core for grave faults; says what and where they are. `options` are its own."""
    asked = {"resultTypes": ["violations"], "preload": False, **options}
    results = Axe().run(page, options=asked)
    grave = [
        f"{fault['id']} ({fault['impact']}): {[node['target'] for node in fault['nodes']]}"
        for fault in results.response["violations"]
        if fault["impact"] in GRAVE
    ]
    assert not grave, "\n".join(grave)
