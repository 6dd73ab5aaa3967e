"""Claims about choices before one's turn in the browser: made, changed, kept, played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pages import DESKTOP, PHONE, barriers, leave, open_page
from served import TableServer, seats, server

from browser import browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["browser", "server"]  # fixtures

PASSING = {"preset": "standard", "seats": seats("Ann", "Bo", "Cy", "")}


def _pick(page: Page, *places: int) -> None:
    """Pick cards of the hand by their places, from the left."""
    for place in places:
        page.locator(".hand .card-button").nth(place).press("Enter")


def _prompt(page: Page, words: str) -> None:
    page.locator(".actions .prompt", has_text=words).wait_for()


def test_people_choose_what_to_pass_while_others_do(browser: Browser, server: TableServer) -> None:
    """What is chosen is raised, kept and can be changed; others are told who still chooses."""
    made = server.table("hearts", **PASSING)
    links = [server.address + one["link"] for one in made["seats"]]
    cy, ann = open_page(browser, links[2], PHONE), open_page(browser, links[0], DESKTOP)
    _prompt(cy, "Pass 3 cards")
    cy.keyboard.press("c")
    _pick(cy, 0, 1, 2)
    cy.locator(".actions .answers button.primary").press("Enter")
    _prompt(cy, "You will pass")
    _prompt(cy, "Ann and Bo still choose.")
    chosen = cy.locator(".hand .picked").evaluate_all("all => all.map(one => one.dataset.face)")
    assert len(chosen) == 3
    assert barriers(cy) == []
    cy.reload()
    _prompt(cy, "You will pass")
    assert cy.locator(".hand .picked").count() == 3
    cy.keyboard.press("a")
    cy.keyboard.press("Enter")
    cy.locator(".actions .answers button.primary").wait_for()
    assert cy.locator(".hand .picked").count() == 3
    _pick(cy, 0, 5)
    cy.locator(".actions .answers button.primary").click()
    _prompt(cy, "Ann and Bo still choose.")
    assert ann.locator(".seat[data-seat='1'] .state").inner_text() == "choosing …"
    assert ann.locator(".seat[data-seat='2'] .state").inner_text() == ""
    _pick(ann, 0, 1, 2)
    ann.locator(".actions .answers button.primary").click()
    _prompt(ann, "Waiting for Bo.")
    _prompt(cy, "Waiting for Bo.")
    bo = open_page(browser, links[1])
    _prompt(bo, "Pass 3 cards")
    assert "Cy" not in bo.locator(".log").inner_text()
    _pick(bo, 0, 1, 2)
    bo.locator(".actions .answers button.primary").click()
    cy.locator(".hand .fresh").first.wait_for()
    assert cy.locator(f".hand [data-face='{chosen[0]}']").count() == 1
    assert cy.locator(f".hand [data-face='{chosen[1]}']").count() == 0
    for page in (ann, bo, cy):
        leave(page)
