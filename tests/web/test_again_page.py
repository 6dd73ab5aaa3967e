"""Claims about playing again in the browser: one click each, and nobody is waited for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from clicks import await_turn, play_out, play_together
from pages import PHONE, barriers, leave, open_page
from served import TableServer, seats, server

from browser import browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser", "server"]  # fixtures


def test_friends_play_again_by_a_click_each(browser: Browser, server: TableServer) -> None:
    """Whoever is asked comes along; a computer plays for who does not, and gives the seat back."""
    made = server.table("kuhn", seats=seats("Ann", "Bo"))
    links = [server.address + one["link"] for one in made["seats"]]
    ann, bo = open_page(browser, links[0]), open_page(browser, links[1], PHONE)
    play_together([ann, bo])
    ann.get_by_role("button", name="Play again").press("Enter")
    ann.locator(".friends-bar", has_text="Bo has not come yet.").wait_for()
    bo.locator(".over", has_text="Ann plays again.").wait_for()
    assert barriers(bo) == []
    assert "Ann asks to play again" in bo.locator(".log").inner_text()
    ann.get_by_role("button", name="Let computers play there").click()
    ann.locator(".friends-bar").wait_for(state="detached")
    bo.get_by_role("button", name="Play along").click()
    bo.wait_for_url(lambda address: address not in links)
    bo.locator(".own-plaque", has_text="Bo").wait_for()
    ann.locator(".log", has_text="Bo sits down").wait_for()
    play_together([ann, bo])
    for page in (ann, bo):
        leave(page)


@pytest.mark.slow
def test_the_next_game_can_be_another_variant(browser: Browser, server: TableServer) -> None:
    """With other settings, for the same people."""
    short = {"ROUNDS": 1, "END": 0, "PASS": 0}
    made = server.table("hearts", options=short, seats=seats("Ann", "", "", ""))
    page = open_page(browser, server.address + made["seats"][0]["link"], PHONE)
    play_out(page)
    page.get_by_text("With other settings").click()
    page.get_by_label("Variant").select_option("black_lady")
    page.get_by_label("Computer players").select_option("random")
    assert barriers(page) == []
    page.get_by_role("button", name="Play again").click()
    page.locator(".toolbar", has_text="black_lady").wait_for()
    await_turn(page)
    leave(page)
