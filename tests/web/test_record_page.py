"""The record in a real browser: a game is counted at its end, looked at, saved and removed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pages import PHONE, barriers, leave, open_page
from served import seats, server

from browser import browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from served import TableServer

__all__ = ["browser", "server"]  # fixtures

pytestmark = pytest.mark.slow


def played(page: Page, server: TableServer, rival: str) -> None:
    """Play a game of Kuhn poker against a rival of a name, and wait until it is counted."""
    made = server.table("kuhn", seats=[*seats("Ann"), {**seats("")[0], "name": rival}])
    page.goto(server.address + made["seats"][0]["link"])
    over, choice = page.locator(".over"), page.locator(".actions button")
    while True:
        over.or_(choice).first.wait_for()
        if over.count():
            break
        number = page.locator(".table-page").get_attribute("data-decision")
        choice.first.press("Enter")
        page.locator(f".table-page:not([data-decision='{number}']), .over").first.wait_for()
    over.get_by_role("link", name="Your record").wait_for()


def test_a_record_grows_is_saved_and_removed(browser: Browser, server: TableServer) -> None:
    page = open_page(browser, server.address, PHONE, theme="dark")
    page.get_by_role("link", name="Your record").click()
    page.get_by_text("No game has been counted yet.").wait_for()
    played(page, server, "Eve")
    played(page, server, "=1+1")
    assert "You have played 2 games of Kuhn Poker" in page.locator(".over").inner_text()
    page.reload()
    page.locator(".over").get_by_role("link", name="Your record").press("Enter")
    page.get_by_role("heading", name="By opponents").wait_for()
    assert page.locator(".chart").count() == 3
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save as CSV").click()
    head, *rows = Path(saving.value.path()).read_text().splitlines()
    assert head.startswith("ended,game,variant,name,")
    assert [row.rpartition(",")[2] for row in rows] == ["Eve", "'=1+1"]  # no formula
    page.get_by_role("button", name="Remove Kuhn Poker").first.press("Enter")
    page.get_by_text("'=1+1").wait_for(state="detached")
    page.get_by_text("The same record in another browser").click()
    key = page.locator(".key").inner_text()
    page.get_by_label("The key of another browser").fill("B" * 22)
    page.keyboard.press("Enter")
    page.get_by_text("No game has been counted yet.").wait_for()
    page.get_by_label("The key of another browser").fill(key)
    page.keyboard.press("Enter")
    page.get_by_role("cell", name="Eve").wait_for()
    page.get_by_role("button", name="Delete all").press("Enter")
    page.get_by_role("button", name="Delete it").press("Enter")
    page.get_by_text("No game has been counted yet.").wait_for()
    leave(page)
    assert server.ask("/api/record", {"key": key})["games"] == []


def test_nothing_is_counted_where_that_is_not_wanted(browser: Browser, server: TableServer) -> None:
    page = open_page(browser, f"{server.address}/record")
    page.get_by_label("Count games that I finish in this browser").uncheck()
    made = server.table("kuhn", seats=seats("Ann", "Bob"))
    ann, bob = (one["link"] for one in made["seats"])
    for number, link in enumerate((ann, bob)):
        server.ask(f"/api{link}/choose", {"number": number, "option": 0})
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.goto(server.address + ann)
    page.locator("#over:focus").wait_for()  # when all of it has begun
    assert not [address for address in sent if address.endswith("/record")]
    leave(page)
