"""People who play at tables in the browser by keys alone, for tests, and keep their focus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clicks import CONFIRM, NEXT, OPEN, OVER, changed, offered

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from playwright.sync_api import Page

_WATCH = """() => {
  window.lost = [];
  const look = () => {
    if (document.activeElement === document.body)
      window.lost.push(document.querySelector('.own-bar')?.innerText ?? 'no table');
    requestAnimationFrame(look);
  };
  look();
}"""
_IN_HAND = "one => one.closest('.hand') !== null"
_FOCUSED = "one => one === document.activeElement"
_TYPING = "() => document.activeElement.matches('input')"
_MOST = 120
"""Keys after which somebody gives up to find something."""


def sit_down(page: Page) -> None:
    """Go to the cards, and watch from now on that the focus is never lost, not for one frame."""
    page.keyboard.press("c")
    page.locator(".hand .card-button:focus").wait_for()
    page.evaluate(_WATCH)


def lost(page: Page) -> list[str]:
    """Return what the table said in each frame in which nothing had the focus."""
    return list(page.evaluate("window.lost"))


def play_by_keys(page: Page, chance: random.Random) -> Iterator[None]:
    """Play to the end of the game; yield before each thing that is done, and at the end."""
    while True:
        page.locator(f"{OPEN}, {OVER}, {NEXT}").first.wait_for(state="attached")
        yield
        if page.locator(OVER).count():
            return
        if page.locator(NEXT).count():
            page.locator(f"{NEXT}:focus").wait_for()
            page.keyboard.press("Enter")
            page.locator(NEXT).wait_for(state="detached")
        else:
            act_by_keys(page, chance)


def act_by_keys(page: Page, chance: random.Random) -> None:
    """Do one thing that the page offers: confirm what is picked, or pick or choose at random."""
    with changed(page):
        confirm = page.locator(CONFIRM)
        wanted = confirm.first if confirm.count() else offered(page, chance)
        target = wanted.element_handle()
        hand = bool(target.evaluate(_IN_HAND))
        if page.evaluate(_TYPING):
            page.keyboard.press("Tab")
        page.keyboard.press("c" if hand else "a")
        for _ in range(_MOST):
            if target.evaluate(_FOCUSED):
                break
            page.keyboard.press("ArrowRight" if hand else "Tab")
        else:
            raise AssertionError(f"no key leads to {target.inner_text()}")
        page.keyboard.press("Enter")
