"""Claims about how a table goes on: new cards, forced choices, the end of a deal, the log."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from clicks import NEXT, OPEN, REST, act, await_turn
from pages import DESKTOP, barriers, leave, open_page
from served import TableServer, seats, server

from browser import browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser", "server"]  # fixtures

SHORT = {"PLAYERS": 11, "PASS": 1, "ROUNDS": 2, "END": 0}
"""Hearts in which a deal is four tricks."""

SET = "([name, value]) => import('/static/js/settings.js').then(all => all.write(name, value))"


def test_a_deal_goes_by_itself_where_people_want_it_so(
    browser: Browser, server: TableServer
) -> None:
    """A card that was passed is raised; the last card plays itself, and the next deal begins."""
    made = server.table("hearts", options=SHORT, seats=seats("Ann", *[""] * 10))
    page = open_page(browser, server.address + made["seats"][0]["link"], DESKTOP)
    page.evaluate(SET, ["forced", True])
    page.evaluate(SET, ["next-deal", 3])
    chance = random.Random(1)
    await_turn(page)
    act(page, chance)
    page.locator(".hand .fresh").wait_for()
    assert page.get_by_role("button", name=", new").count() == 1
    while not page.locator(REST).count():
        page.locator(f"{OPEN}, {REST}").first.wait_for(state="attached")
        if page.locator(".hand .lit").count() > 1:
            act(page, chance)
    assert "(" in page.locator(NEXT).inner_text()
    assert page.locator(".log details.only[open]").count() == 1
    assert barriers(page) == []
    page.locator(REST).wait_for(state="detached")
    assert page.locator(".log details").count() == 2
    assert page.locator(".log summary").first.inner_text().startswith("Deal 1: Ann ")
    assert page.locator(".log details[open] .entry").first.inner_text().startswith("Deal 2 begins")
    leave(page)


def test_a_hint_is_on_the_cards(browser: Browser, server: TableServer) -> None:
    """Each card says what is expected of it, the best has a star; among people there is none."""
    made = server.table("agram", seats=seats("Ann", "", "", player="first"))
    page = open_page(browser, server.address + made["seats"][0]["link"])
    await_turn(page)
    page.keyboard.press("h")
    page.locator(".hint-mark.best").wait_for()
    assert page.locator(".hand .hint-mark.best").count() == 1
    assert page.locator(".hand .lit").count() == page.locator(".hand .hint-mark").count()
    said = page.locator(".hint-words").inner_text()
    assert said.startswith("Hint: play the ")
    assert "±" in said
    assert page.get_by_role("button", name=", advised, expected ").count() == 1
    assert page.locator("dialog[open]").count() == 0
    assert barriers(page) == []
    page.keyboard.press("h")
    page.locator(".hint-mark").first.wait_for(state="detached")
    leave(page)
    made = server.table("agram", seats=seats("Ann", "Ben", "", player="first"))
    page = open_page(browser, server.address + made["seats"][0]["link"])
    page.get_by_role("button", name="Rules").wait_for()
    assert page.get_by_role("button", name="Hint").count() == 0
    leave(page)


def test_the_rest_is_claimed(browser: Browser, server: TableServer) -> None:
    """Where all orders of play end the same a button says so, and `k` plays the deal to its end."""
    made = server.table(
        "hearts", preset="standard", seed="48", seats=seats("Ann", "", "", "", player="first")
    )
    link = made["seats"][0]["link"]
    at = f"/api/t/{link.rpartition('/')[2]}"
    while not (scene := server.ask(at)["scene"])["claim"]:
        if decision := scene["decision"]:
            body = {"number": scene["number"], "option": len(decision["options"]) - 1}
            server.ask(f"{at}/choose", body)
    page = open_page(browser, server.address + link)
    page.get_by_role("button", name="Claim the rest").wait_for()
    assert page.locator(".claim").inner_text().startswith("You take all the tricks that are left")
    assert barriers(page) == []
    page.keyboard.press("k")
    page.locator(REST).wait_for()
    assert page.locator(".deal-end .results").inner_text() == "☾ You have shot the moon!"
    leave(page)
