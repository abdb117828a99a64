"""Every page: readable for all in light and dark, fit for a small phone, and shown in pictures.

The pictures go to the folder that SCREENSHOTS names, else to one for this run; the summary says
which. They are for people to look at.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.e2e.conftest import new_context
from tests.e2e.gallery import PAGES, Gallery, Shown
from tests.e2e.site import Site
from tests.e2e.stage import Stage

WIDTHS = (1280, 390)
HEIGHT = 900
NARROW = 320
GRAVE = ("serious", "critical")


@pytest.fixture(scope="session")
def gallery(site: Site, stage: Stage) -> Gallery:
    return Gallery(site, stage)


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
    browser: Browser, site: Site, gallery: Gallery
) -> Iterator[Callable[[str], tuple[Page, list[str]]]]:
    """Give each viewer one window for all pages, with the list of what went wrong in it."""
    opened: dict[str, tuple[Page, list[str]]] = {}

    def window_of(viewer: str) -> tuple[Page, list[str]]:
        if viewer not in opened:
            faults: list[str] = []
            context = new_context(browser, site, faults, gallery.people.get(viewer))
            opened[viewer] = (context.new_page(), faults)
        return opened[viewer]

    yield window_of
    for page, _ in opened.values():
        page.context.close()


@pytest.mark.parametrize("shown", PAGES, ids=lambda shown: shown.name)
def test_page(
    shown: Shown,
    windows: Callable[[str], tuple[Page, list[str]]],
    gallery: Gallery,
    folder: Path,
) -> None:
    page, faults = windows(shown.viewer_in(gallery))
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
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW
    assert not faults


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
