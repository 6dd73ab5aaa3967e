"""Claims about those who play at tables by keys alone: they need no pointer and keep the focus."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from clicks import OPEN, await_turn
from keyed import lost, play_by_keys, sit_down
from pages import DESKTOP, barriers, leave, open_page
from served import TableServer, seats, server

from browser import browser
from cardwright import Game

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser", "server"]  # fixtures

SHORT = {"PLAYERS": 11, "PASS": 1, "ROUNDS": 2, "END": 0}
"""Hearts in which a deal is four tricks."""

VIEWS = {
    ".calls": "an auction",
    ".open-hand, .hand-pile": "an open hand",
    ".deal-end": "the end of a deal",
    ".card-button.on-table": "cards that can be chosen on the table",
    ".picked": "cards that are picked",
    ".answers.box": "a box of bids",
    ".claim": "a claim",
    ".over": "the end of the game",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "wanted", "views"),
    [
        ("hearts", {"options": SHORT}, {"the end of a deal", "the end of the game"}),
        *(
            pytest.param(game, wanted, views, marks=(pytest.mark.deep, pytest.mark.timeout(1800)))
            for game, wanted, views in (
                ("hearts", {"preset": "standard"}, {"cards that are picked"}),
                ("bridge", {}, {"an auction", "an open hand", "a box of bids"}),
                ("ginrummy", {}, {"cards that can be chosen on the table"}),
                ("skat", {}, {"an auction"}),
            )
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_whole_games_by_keys(
    browser: Browser, server: TableServer, game: str, wanted: dict[str, object], views: set[str]
) -> None:
    """No move takes the focus away, not for one frame, and no view on the way has a barrier."""
    players = Game.load(game).players if "options" not in wanted else SHORT["PLAYERS"]
    made = server.table(game, seats=seats("Ann", *[""] * (players - 1)), **wanted)
    page = open_page(browser, server.address + made["seats"][0]["link"], DESKTOP)
    await_turn(page)
    sit_down(page)
    seen: set[str] = set()
    for _ in play_by_keys(page, random.Random(2)):
        for selector in VIEWS.keys() - seen:
            if page.locator(selector).count():
                seen.add(selector)
                assert barriers(page) == [], VIEWS[selector]
    page.locator("#over:focus").wait_for()
    assert lost(page) == []
    assert views <= {VIEWS[selector] for selector in seen}
    leave(page)


def test_a_key_that_is_held_plays_once(browser: Browser, server: TableServer) -> None:
    """What is asked next may have the focus already, before anybody has seen it."""
    made = server.table("kuhn", seats=seats("Ann", ""))
    page = open_page(browser, server.address + made["seats"][0]["link"])
    await_turn(page)
    page.keyboard.press("a")
    page.locator(".answers button:focus").wait_for()
    page.evaluate("window.clicks = 0; addEventListener('click', () => window.clicks++, true)")
    for _ in range(3):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    page.locator(f"{OPEN}, .over").first.wait_for(state="attached")
    assert page.evaluate("window.clicks") == 1
    leave(page)
