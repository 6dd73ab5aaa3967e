"""People at tables in the browser, for tests: they see the page and click, or use keys alone."""

from __future__ import annotations

import random
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from playwright.sync_api import Locator, Page, Position

OPEN = ".table-page[data-decision]"
OVER = ".table-page[data-over]"
REST = ".table-page[data-rest]"
NEXT = ".deal-end button.primary"
CONFIRM = ".actions .answers button.primary"
ANSWER = ".actions .answers button"
CARD = ".hand .card-button.lit:not(.picked), .card-button.on-table:not(.picked)"
SEAT = "button.plaque[aria-pressed=false]"

_SIGNATURE = """() => [...document.querySelectorAll(
    '.table-page, .picked, .actions .answers button, button.plaque[aria-pressed=true]'
)].map(one => one.dataset.decision ?? one.dataset.option ?? one.innerText).join('|')"""
_CHANGED = f"before => ({_SIGNATURE})() !== before"


def await_turn(page: Page) -> bool:
    """Wait until something is asked; return False if the game is over instead.

    After a deal the page goes on to the next one.
    """
    while True:
        page.locator(f"{OPEN}, {OVER}, {NEXT}").first.wait_for(state="attached")
        if page.locator(NEXT).count() == 0:
            return page.locator(OVER).count() == 0
        go_on(page)


def go_on(page: Page) -> None:
    """Go on to the next deal, and wait until the table does."""
    deal = page.get_attribute(REST, "data-rest")
    # The rest may have ended by itself a moment ago.
    page.evaluate("selector => document.querySelector(selector)?.click()", NEXT)
    gone = f".table-page:not([data-rest='{deal}']), .deal-end:not(:has(button.primary))"
    page.locator(gone).first.wait_for(state="attached")


@contextmanager
def changed(page: Page) -> Iterator[None]:
    """Wait until the page shows what was done: something is picked, or another thing is asked."""
    before = page.evaluate(_SIGNATURE)
    yield
    page.wait_for_function(_CHANGED, arg=before)


def act(page: Page, chance: random.Random) -> None:
    """Do one thing that the page offers: confirm what is picked, or pick or choose at random."""
    with changed(page):
        confirm = page.locator(CONFIRM)
        if confirm.count():
            press(confirm.first)
        else:
            press(offered(page, chance))


def press(target: Locator) -> None:
    """Tap where a finger is all there is; else click."""
    box = target.bounding_box()
    assert box is not None
    # The left edge of a card is seen in every fan, the outer ones a little askew.
    position: Position = {"x": min(14, box["width"] / 2), "y": box["height"] / 2}
    if target.page.evaluate("navigator.maxTouchPoints"):
        target.tap(position=position)
    else:
        target.click(position=position)


def offered(page: Page, chance: random.Random) -> Locator:
    """Return something that can be picked or chosen, at random."""
    found = page.locator(", ".join((ANSWER, CARD, SEAT)))
    count = found.count()
    assert count, f"nothing to do at decision {page.get_attribute(OPEN, 'data-decision')}"
    return found.nth(chance.randrange(count))


def press_card(page: Page) -> None:
    """Choose the first card that can be chosen by the keyboard; wait until the page shows it."""
    with changed(page):
        page.locator(CARD).first.press("Enter")


def play_out(page: Page, seed: int = 1, most: int = 4000) -> int:
    """Play a game to its end by random clicks; return how many there were."""
    chance = random.Random(seed)
    for count in range(most):
        if not await_turn(page):
            return count
        act(page, chance)
    raise AssertionError(f"the game is not over after {most} clicks")


def play_together(pages: Sequence[Page], seed: int = 1, most: int = 20000) -> int:
    """Let people at one table click, each when something is asked of it; return the clicks."""
    chance, clicks = random.Random(seed), 0
    for _ in range(most):
        turn = next((page for page in pages if page.locator(f"{OPEN}, {NEXT}").count()), None)
        if turn is not None and turn.locator(NEXT).count():
            go_on(turn)
        elif turn is not None:
            act(turn, chance)
            clicks += 1
        elif all(page.locator(OVER).count() for page in pages):
            return clicks
        else:
            pages[0].wait_for_timeout(20)
    raise AssertionError(f"the game is not over after {most} clicks and pauses")
