"""Whole games in a page from a folder: by clicks, with the network cut, saved and replayed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from clicks import play_out
from pages import barriers, leave, open_page
from test_page_alone import folder, host, parts

from browser import browser

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

__all__ = ["browser", "folder", "host", "parts"]  # fixtures

GAMES = {"kuhn": "", "hearts": "standard", "bridge": "", "ginrummy": "", "skat": ""}
"""Games with their presets: Hearts is a match to a hundred points."""


def seated(page: Page) -> None:
    """Sit down at a table whose computer players do not pause."""
    page.locator("#pace").select_option("at once")
    page.get_by_role("button", name="Sit down").click()
    page.locator(".table-page").wait_for()


def uploaded(page: Page, file: Path, *, drop: bool) -> None:
    """Open a saved game on the page of replays, by the chooser or as it is dropped there."""
    page.get_by_role("link", name="Replay", exact=True).click()
    if not drop:
        page.locator("input[type=file]").set_input_files(file)
        return
    carried = page.evaluate_handle(
        """text => {
          const carried = new DataTransfer();
          carried.items.add(new File([text], "game.cardwright.json"));
          return carried;
        }""",
        file.read_text(),
    )
    page.locator(".drop").dispatch_event("drop", {"dataTransfer": carried})


@pytest.mark.deep
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_to_its_end_saved_and_replayed(
    host, browser: Browser, game: str, tmp_path: Path
) -> None:
    address, end = host
    missing = ["404", "ERR_"]  # facts of games that are not published, which Python finds instead
    page = open_page(browser, f"{address}#/games/{game}?preset={GAMES[game]}", ignore=missing)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    end()
    page.context.set_offline(True)
    seated(page)
    assert play_out(page)
    page.locator(".over").wait_for()
    assert not barriers(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the game").click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    assert file.name == f"{game}.cardwright.json"
    for drop in (False, True):
        uploaded(page, file, drop=drop)
        page.locator(".table-page.replay").wait_for()
        page.keyboard.press("End")
        page.locator(".play > .notice").wait_for()
    assert not barriers(page)
    page.context.set_offline(False)
    leave(page)
