"""Inviting in a real browser: two clicks to a link, a name on arrival, a phrase to the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pages import PHONE, barriers, leave, open_page
from served import seats, server

from browser import browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from served import TableServer

__all__ = ["browser", "server"]  # fixtures

pytestmark = pytest.mark.slow


def test_a_friend_is_invited_and_comes(browser: Browser, server: TableServer) -> None:
    """The server is reached from its machine alone, which the link says in words."""
    host = open_page(browser, server.address, PHONE, theme="dark")
    host.get_by_role("button", name="With friends: Kuhn Poker").press("Enter")
    host.get_by_role("button", name="Make the link").click()
    link = host.get_by_label("The link for your friends").input_value()
    host.get_by_text("Others cannot open this link yet.").wait_for()
    assert host.locator(".qr").count() == 0
    assert barriers(host, "dialog") == []
    host.get_by_role("link", name="Take your seat").press("Enter")
    host.get_by_label("What are you called?").fill("Ann")
    host.keyboard.press("Enter")
    host.get_by_text("A seat is free.").wait_for()
    assert barriers(host) == []
    assert host.evaluate("document.documentElement.scrollWidth") <= PHONE[0]

    friend = open_page(browser, link)
    friend.get_by_text("a free seat").wait_for()
    assert barriers(friend) == []
    friend.get_by_label("Your name").fill("Bob")
    friend.keyboard.press("Enter")
    friend.locator(".table-page").wait_for()
    host.get_by_text("A seat is free.").wait_for(state="hidden")
    friend.keyboard.press("m")
    friend.get_by_role("button", name="Good luck!").press("Enter")
    host.locator("p.said").get_by_text("Bob says “Good luck!”").wait_for()
    host.get_by_role("button", name="Settings").click()
    host.get_by_label("Show what others say").uncheck()
    host.get_by_role("button", name="Close").click()
    assert host.locator(".log").get_by_text("Good luck").count() == 0
    friend.goto(link)
    friend.get_by_role("link", name="Go to your seat").press("Enter")
    friend.get_by_text("You say “Good luck!”").wait_for()
    leave(friend)

    late = open_page(browser, link)
    late.get_by_text("All seats are taken.").wait_for()
    leave(late)
    leave(host)


def test_an_address_that_others_reach_has_a_code(browser: Browser, server: TableServer) -> None:
    """Computer players take free seats as well, and others are called by the name kept here."""
    made = server.table("kuhn", seats=[*seats("Ann"), {"kind": "empty"}], seed=None)
    page = open_page(browser, server.address)
    reach = {"addresses": ["http://10.0.0.7:8000"], "why": None}
    page.route("**/api/reach", lambda route: route.fulfill(json=reach))
    keep = "made => localStorage.setItem('made', JSON.stringify([made]))"
    page.evaluate(keep, made)
    page.goto(server.address + made["seats"][0]["link"])
    page.get_by_role("button", name="Invite").click()
    link = page.get_by_label("The link for your friends").input_value()
    assert link == f"http://10.0.0.7:8000{made['invite']}"
    page.get_by_role("img", name="QR code of the link").wait_for()
    assert barriers(page, "dialog") == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Let computers play there").press("Enter")
    page.get_by_text("A seat is free.").wait_for(state="hidden")
    leave(page)
