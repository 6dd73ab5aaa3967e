"""A browser for tests of pages: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import asyncio
import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

import needed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Playwright


@dataclass(frozen=True)
class OpenedBrowser:
    """The browser of a run, and Playwright's event loop, which goes on while it is open."""

    browser: Browser
    loop: asyncio.AbstractEventLoop


@contextmanager
def opened() -> Iterator[OpenedBrowser]:
    """Open Debian's Chromium; while nobody uses it, tests may start loops of their own."""
    api = needed.module("playwright.sync_api")
    with api.sync_playwright() as playwright:
        started = OpenedBrowser(launched(playwright), asyncio.get_running_loop())
        asyncio._set_running_loop(None)
        yield started
        asyncio._set_running_loop(started.loop)
        started.browser.close()


@pytest.fixture(scope="module")
def browser(opened_browser: OpenedBrowser) -> Iterator[Browser]:
    """Give the browser of the run to the tests of a module."""
    asyncio._set_running_loop(opened_browser.loop)
    yield opened_browser.browser
    asyncio._set_running_loop(None)


_PLAYWRIGHTS = (
    "AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades",
    "LensOverlay", "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints",
    "PaintHolding", "PreconnectToSearch", "ThirdPartyStoragePartitioning",
)  # fmt: skip
"""What Playwright turns off: our list replaces its own."""

_OURS = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup")
"""Pages of the address bar, which each window draws for itself: a third of all the work."""


def launched(playwright: Playwright) -> Browser:
    """Return Debian's Chromium, for scripts that have no fixtures."""
    options = [f"--disable-features={','.join((*_PLAYWRIGHTS, *_OURS))}"]
    if os.geteuid() == 0:
        options.append("--no-sandbox")
    path = needed.program("chromium")
    return playwright.chromium.launch(executable_path=path, args=options)
