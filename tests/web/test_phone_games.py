"""Whole games on a phone, held either way: by taps, and without scrolling."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from clicks import act, await_turn
from pages import barriers, leave, open_page
from served import seats, server

from browser import browser
from deep import mostly_deep

if TYPE_CHECKING:
    from playwright.sync_api import Browser
    from served import TableServer

__all__ = ["browser", "server"]  # fixtures

SIZES = [(390, 844), (844, 390), (360, 640)]
PLAYERS = {"briscola": 2, "bigtwo": 4}

PLAYED = ".hand .card-button, .actions .answers button, .prompt, .piles.shared .card, .trick .card"
SEEN = """shown => {
    const outside = (one) => {
        const box = one.getBoundingClientRect();
        const [x, y] = [box.left + Math.min(12, box.width / 2), box.top + box.height / 2];
        return x < 0 || x > innerWidth || box.top < 0 || box.bottom > innerHeight + 1;
    };
    return ![...document.querySelectorAll(shown)].some(outside);
}"""
"""Whether all of that can be seen without scrolling."""


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("size", mostly_deep(SIZES, (844, 390).__eq__, "{0[0]}x{0[1]}".format))
@pytest.mark.parametrize("game", mostly_deep(PLAYERS, "briscola".__eq__))
def test_a_game_by_taps(
    browser: Browser, server: TableServer, game: str, size: tuple[int, int]
) -> None:
    """All that somebody looks at and taps on lies on one screen, from the deal to the result."""
    sitting = seats("Ann", *[""] * (PLAYERS[game] - 1))
    made = server.table(game, seats=sitting, seed="2")
    page = open_page(browser, server.address + made["seats"][0]["link"], size)
    chance = random.Random(1)
    picked = 0
    while await_turn(page):
        page.wait_for_function(SEEN, arg=PLAYED)
        act(page, chance)
        picked = max(picked, page.locator(".hand .picked").count())
    assert picked > 1 or game != "bigtwo"
    assert page.locator(".over tbody tr").count() == PLAYERS[game]
    page.wait_for_function(SEEN, arg=".over :is(h2, tbody td, button.primary)")
    assert barriers(page) == []
    leave(page)


SHAPES = [(1280, 800), (1366, 768), (1920, 1080), *SIZES]
STILL = """() => {
    const {top, bottom} = document.querySelector('.felt').getBoundingClientRect();
    return [top, bottom];
}"""


@pytest.mark.parametrize("size", mostly_deep(SHAPES, (1280, 800).__eq__, "{0[0]}x{0[1]}".format))
def test_many_choices_beside_the_table(
    browser: Browser, server: TableServer, size: tuple[int, int]
) -> None:
    """A long list scrolls in itself, below all cards, and the table stands still between turns."""
    made = server.table("hanabi", seats=seats("Ann", "", player="first"), seed="2", pace=0.5)
    page = open_page(browser, server.address + made["seats"][0]["link"], size)
    assert await_turn(page)
    act(page, random.Random(3))
    places = []
    for _ in range(2):
        assert await_turn(page)
        page.wait_for_function(SEEN, arg=".felt .card, .prompt, .answers.many")
        assert page.locator(".answers.many button").count() > 10
        places.append(page.evaluate(STILL))
        act(page, random.Random(3))
        places.append(page.evaluate(STILL))
    assert places == [places[0]] * 4
    assert barriers(page) == []
    leave(page)
