"""A match of Hearts by clicks: a claim, a moon, and a friend who leaves and returns."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from clicks import NEXT, OPEN, REST, act, await_turn, changed, go_on, play_together
from pages import PHONE, barriers, leave, open_page
from served import seats, server

from browser import browser
from cardwright.web import table_request, table_routes

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from served import TableServer

__all__ = ["browser", "server"]  # fixtures

CLAIM = ".claim button"


def choose(page: Page, place: int) -> None:
    """Choose the first (0) or the last (-1) choice of the list in words."""
    with changed(page):
        choices = page.locator(".all-choices")
        choices.locator("summary").click()
        choices.locator(".answers button").nth(place).click()


@pytest.mark.deep
@pytest.mark.timeout(1800)
def test_a_match_with_a_friend(
    browser: Browser, server: TableServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody sees the same match, whoever sits there meanwhile, and it comes to its end."""
    monkeypatch.setattr(table_request, "drawn_seed", lambda _: 48)  # a hand that can take all
    monkeypatch.setattr(table_routes, "AWAY", 0)
    wanted = [*seats("Ann"), {"kind": "empty"}, *seats("", "", player="first")]
    made = server.table("hearts", preset="standard", seats=wanted, seed=None)
    ann = open_page(browser, server.address + made["seats"][0]["link"])
    bob = open_page(browser, server.address + made["invite"], PHONE)
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Sit down").click()
    ann.get_by_text("A seat is free.").wait_for(state="hidden")
    while not ann.locator(CLAIM).count():
        if ann.locator(OPEN).count():
            choose(ann, -1)
        elif bob.locator(OPEN).count():
            choose(bob, 0)
        else:
            ann.wait_for_timeout(50)
    ann.locator(CLAIM).click()
    for page, words in ((ann, "You have shot the moon!"), (bob, "Ann has shot the moon!")):
        page.locator(".deal-end .results").get_by_text(words).wait_for()
    bob.locator(".log").get_by_text("Ann claims the rest").first.wait_for()
    assert barriers(ann) == []

    seat = bob.url
    go_on(bob)
    leave(bob)
    go_on(ann)
    ann.get_by_text("Not here: Bob.").wait_for()
    ann.get_by_role("button", name="Seats", exact=True).first.click()
    ann.get_by_role("button", name="Let a computer play here").click()
    ann.get_by_role("dialog").get_by_text("computer player").first.wait_for()
    ann.keyboard.press("Escape")
    chance = random.Random(1)
    for _ in range(6):
        assert await_turn(ann)
        act(ann, chance)

    bob = open_page(browser, seat, PHONE)
    bob.locator(".table-page").wait_for()
    play_together([ann, bob], seed=2)
    for page in (ann, bob):
        page.locator(".over").wait_for()
        assert page.locator(f"{REST}, {NEXT}").count() == 0
        assert barriers(page) == []
        page.keyboard.press("s")
        page.locator("dialog .sheet tbody tr").first.wait_for()
    sheets = [page.locator("dialog .sheet table").inner_text() for page in (ann, bob)]
    assert sheets[0] == sheets[1].replace("You", "Bob")
    assert sheets[0].splitlines()[1].split() == ["1", "0", "26", "26", "26"]
    leave(bob)
    leave(ann)
