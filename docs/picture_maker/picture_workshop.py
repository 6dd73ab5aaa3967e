"""What pictures are made with: a folder, a browser, a server of tables, the commands."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image
from playwright.sync_api import sync_playwright
from served import Served

from browser import launched

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Literal

    from playwright.sync_api import Browser, Page

DESKTOP = (1280, 800)
PHONE = (390, 844)
COLOURS = 256
"""Colours of a picture of a page: a quarter of the bytes, and nobody sees it."""


class Workshop:
    """All that is needed is made when it is first asked for, and ended with the workshop."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    def __enter__(self) -> Workshop:
        """Begin; nothing runs yet."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the server and the browser, and remove the folder."""
        self._stack.close()

    @cached_property
    def folder(self) -> Path:
        """A folder for what commands write."""
        return Path(self._stack.enter_context(tempfile.TemporaryDirectory()))

    @cached_property
    def browser(self) -> Browser:
        """The browser of the tests."""
        playwright = self._stack.enter_context(sync_playwright())
        browser = launched(playwright)
        self._stack.callback(browser.close)
        return browser

    @cached_property
    def server(self) -> Served:
        """A server of tables, as `cardwright serve` starts it."""
        served = Served(self.folder)
        served.start()
        self._stack.callback(served.stop)
        return served

    def page(
        self,
        address: str,
        size: tuple[int, int] = DESKTOP,
        theme: Literal["light", "dark"] = "light",
    ) -> Page:
        """Open a page as somebody with such a window, who wants no motion."""
        width, height = size
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=theme,
            reduced_motion="reduce",
            has_touch=width < 500,
            locale="en-GB",
            timezone_id="UTC",
        )
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto(address)
        return page

    def command(self, *words: str) -> None:
        """Run a command of Cardwright in the folder; raises CalledProcessError if it fails."""
        subprocess.run(
            [sys.executable, "-m", "cardwright", *words],
            cwd=self.folder,
            check=True,
            capture_output=True,
            text=True,
        )


def photograph(page: Page, out: Path, **how: object) -> None:
    """Write what a page shows into a PNG file, in few colours, and leave the page."""
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement?.blur()")
    page.screenshot(path=out, animations="disabled", **how)  # type: ignore[arg-type]
    page.context.close()
    with Image.open(out) as seen:
        few = seen.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(out, optimize=True)
