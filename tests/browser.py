"""A browser for tests of pages: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import needed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Playwright


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Give Debian's Chromium.

    It is closed after each module: while it is open, an event loop runs in this thread, and tests
    of other modules could not start theirs.
    """
    api = needed.module("playwright.sync_api")
    with api.sync_playwright() as playwright:
        opened = launched(playwright)
        yield opened
        opened.close()


def launched(playwright: Playwright) -> Browser:
    """Return Debian's Chromium, for scripts that have no fixtures."""
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    path = needed.program("chromium")
    return playwright.chromium.launch(executable_path=path, args=options)
