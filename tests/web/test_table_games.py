"""Claims about whole games at tables in the browser."""

from __future__ import annotations

import random
import re
import signal
from typing import TYPE_CHECKING, Any

import pytest
from clicks import act, await_turn, changed, play_out, play_together, press
from pages import barriers, leave, open_page
from served import Served, TableServer, seats, server

from browser import browser
from cardwright import Game
from deep import mostly_deep

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

__all__ = ["browser", "server"]  # fixtures


@pytest.mark.slow
@pytest.mark.parametrize("game", mostly_deep(["coup", "schwimmen", "lama"], {"lama"}.__contains__))
def test_games_by_clicks(browser: Browser, server: TableServer, game: str) -> None:
    """Whatever one clicks among what is offered, a game comes to its end, with ranks for all."""
    players = Game.load(game).players
    made = server.table(game, seats=seats("Ann", *[""] * (players - 1)))
    page = open_page(browser, server.address + made["seats"][0]["link"])
    assert play_out(page)
    page.get_by_role("heading", name="win").wait_for()
    names = page.locator(".over tbody tr").count()
    assert names == page.locator(".seat:not(.own)").count() + 1
    assert barriers(page) == []
    page.get_by_role("button", name="Replay and judge").click()
    page.wait_for_url("**/replay/*")
    page.get_by_role("button", name="Judge all moves").click()
    page.get_by_text("judged.").wait_for()
    assert barriers(page) == []
    leave(page)


def _open(browser: Browser, server: TableServer, link: str, **how: Any) -> Page:
    page = open_page(browser, server.address + link, **how)
    page.locator(".board").wait_for()
    return page


@pytest.mark.deep
def test_four_people_and_their_spectator(browser: Browser, server: TableServer) -> None:
    """Four people in four browsers play a deal with passing to its end, each from its own side."""
    made = server.table(
        "hearts", preset="standard", options={"END": 1}, seats=seats("Ann", "Ben", "Cleo", "Dan")
    )
    pages = [_open(browser, server, one["link"]) for one in made["seats"]]
    watcher = _open(browser, server, made["watch"])
    play_together(pages, seed=3)
    for page in (*pages, watcher):
        page.locator(".over").wait_for()
    logs = [page.locator(".log .entry.move").count() for page in (*pages, watcher)]
    assert logs == [56] * 5
    assert watcher.locator(".hand, .actions button").count() == 0
    for page in (*pages, watcher):
        leave(page)


def test_reload_in_the_middle(browser: Browser, server: TableServer) -> None:
    """A page that is loaded anew shows the same moment, and the whole log."""
    made = server.table("hearts", seats=seats("Ann", "", "", ""))
    page = _open(browser, server, made["seats"][0]["link"])
    for _ in range(2):
        await_turn(page)
        act(page, random.Random(5))
    await_turn(page)
    before = [page.inner_text(".hand"), page.inner_text(".log"), page.inner_text(".felt")]
    page.reload()
    await_turn(page)
    assert [page.inner_text(".hand"), page.inner_text(".log"), page.inner_text(".felt")] == before
    leave(page)


@pytest.mark.slow
def test_server_gone_and_back(browser: Browser, tmp_path: Path) -> None:
    """When the server is killed the page says so, and goes on by itself when it is back."""
    server = Served(tmp_path)
    server.start()
    made = server.table("hearts", seats=seats("Ann", "", "", ""))
    page = open_page(browser, server.address + made["seats"][0]["link"], ignore=["ERR_", "fetch"])
    await_turn(page)
    act(page, random.Random(1))
    await_turn(page)
    hand = page.inner_text(".hand")
    server.stop(signal.SIGKILL)
    page.locator(".connection.lost").wait_for()
    server.start()
    page.locator(".connection:not(.lost)").wait_for(state="attached")
    assert page.inner_text(".hand") == hand
    act(page, random.Random(1))
    await_turn(page)
    leave(page)
    server.stop()


@pytest.mark.deep
@pytest.mark.timeout(1800)
def test_a_board_of_bridge(browser: Browser, server: TableServer) -> None:
    """Who bids as hints say ends in a contract that can be made, and the sheet tells of it."""
    made = server.table("bridge", seats=seats("Ann", "", "", "", player="bridge"), seed="5")
    page = open_page(browser, server.address + made["seats"][0]["link"])
    bids = 0
    while await_turn(page) and not page.locator(".signs, .hand-pile").count():
        page.get_by_role("button", name="Hint").click()
        advised = page.locator(".answers button:has(.hint-mark.best)")
        advised.or_(page.locator(".hand .hint-mark.best")).first.wait_for()
        if not advised.count():
            break
        with changed(page):
            press(advised)
        bids += 1
    contract = page.get_by_role("listitem").filter(has_text="contract").inner_text()
    assert bids
    assert int(re.findall(r"\d", contract)[0]) <= 5
    assert barriers(page) == []
    assert play_out(page)
    page.locator(".over .results").get_by_text(re.compile("make|makes|down")).wait_for()
    leave(page)
