"""The console of a page: what an address brings is not run, and what never ends is stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from pages import PHONE, barriers, leave, open_page
from playwright.sync_api import expect
from test_page_alone import folder, host, parts

from browser import browser
from patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["browser", "folder", "host", "parts"]  # fixtures


def entered(page: Page, text: str) -> None:
    """Type a text, and wait until it has been run."""
    typed = page.locator("#typed")
    typed.fill(text)
    typed.press("Enter")
    expect(typed).to_have_value("", timeout=1000 * PATIENCE)


def said(page: Page, text: str) -> None:
    """Wait until the console shows a text, whose white space may be of any kind."""
    expect(page.locator(".written")).to_contain_text(
        text, use_inner_text=True, timeout=1000 * PATIENCE
    )


@pytest.mark.slow
def test_a_session_with_python(host, browser: Browser) -> None:
    address, _ = host
    page = open_page(browser, f"{address}#/console#text={quote('print(6 * 7)')}")
    typed, written = page.locator("#typed"), page.locator(".written")
    written.get_by_text("`cardwright` is imported").wait_for()
    assert typed.input_value() == "print(6 * 7)"
    assert page.url == f"{address}#/console"
    assert "42" not in written.inner_text()
    typed.press("Enter")
    said(page, ">>> print(6 * 7)\n42")
    typed.fill("for n in range(2):")
    typed.press("Enter")
    expect(typed).to_have_value("for n in range(2):\n    ")
    typed.press_sequentially("n")
    typed.press("Enter")
    typed.press("Enter")
    said(page, "...     n\n... \n0\n1")
    for _ in range(3):  # the second goes up in what it brings back
        typed.press("ArrowUp")
    assert typed.input_value() == "print(6 * 7)"
    page.get_by_role("button", name="Load a game").click()
    typed.press("Enter")
    said(page, "(4, 52, False)")
    entered(page, "$ cardwright check none.rcy")
    said(page, "there is no such file")
    assert not barriers(page)
    typed.fill("while True: print('on')\n")
    typed.press("Enter")
    page.get_by_role("button", name="Stop").click()
    said(page, "this was stopped")
    entered(page, "n")
    said(page, "NameError: name 'n' is not defined")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    places = page.locator(".masthead nav a")
    tops = {places.nth(at).bounding_box()["y"] for at in range(places.count())}  # type: ignore[index]
    assert (places.count(), len(tops)) == (5, 1)  # in one line, also on a phone
    leave(page)
