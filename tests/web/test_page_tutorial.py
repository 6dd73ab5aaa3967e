"""Your first game, followed in a page: rules in its studio, commands in its console."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from clicks import play_out
from pages import leave, open_page
from playwright.sync_api import expect
from test_page_alone import folder, host, parts

from browser import browser
from patience import PATIENCE
from walkthrough import DOCS, Follower

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

__all__ = ["browser", "folder", "host", "parts"]  # fixtures

TYPED = ("check", "test")
"""Commands of the tutorial that the console has; others measure, and are for a terminal."""


class PageFollower(Follower):
    """Somebody who has the page and no terminal."""

    def __init__(self, page: Page, folder: Path) -> None:
        super().__init__(folder, folder / "bin")
        self.page = page
        self.games = 0

    def _to(self, name: str) -> None:
        self.page.get_by_role("link", name=name, exact=True).click()

    def _write(self, name: str, text: str) -> None:
        super()._write(name, text)
        if name != "duel.rcy":
            self._enter(f"_ = open({name!r}, 'w').write({text!r})")
            return
        self._to("Studio")
        self.page.locator(".cm-content").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)
        self.page.get_by_label("Name of the rules").fill("duel")

    def _enter(self, text: str) -> str:
        """Run a text in the console; return what it says."""
        self._to("Console")
        typed = self.page.locator("#typed")
        typed.fill(text)
        typed.press("Enter")
        expect(typed).to_have_value("", timeout=1000 * PATIENCE)
        return self.page.evaluate(
            """() => {
              const all = [...document.querySelectorAll(".written pre")];
              const after = all.findLastIndex((one) => one.classList.contains("in")) + 1;
              return all.slice(after).map((one) => one.textContent).join("");
            }"""
        )

    def _type(self, command: str, shown: str, *, fails: bool) -> None:
        name = command.split()[1]
        if name == "play":
            self._play()
        elif name in TYPED:
            super()._type(command, shown, fails=fails)
        if "--fix" in command:
            self._mend()

    def _run(self, command: str) -> str:
        said = self._enter(command)
        self.status = int("error" in said or "FAIL" in said)
        return said

    def _mend(self) -> None:
        """Mend in the studio, too, what the command has mended in the file."""
        self._to("Studio")
        self.page.get_by_role("button", name="Mend slips").click()
        self.page.get_by_text("No problems: the game can be played.").wait_for()
        self._to("Console")
        draft = json.loads(self.page.evaluate("localStorage.getItem('studio.draft')"))
        super()._write("duel.rcy", draft["text"])

    def _play(self) -> None:
        """Play the rules in the studio to the end of a game."""
        self._to("Studio")
        self.page.get_by_role("button", name="Play", exact=True).click()
        frame = self.page.frame_locator("iframe").locator(".table-page")
        frame.wait_for()
        table = self.page.frames[-1]
        play_out(table)
        table.locator(".over").wait_for()
        self.games += 1


@pytest.mark.deep
def test_your_first_game_is_written_checked_tested_and_played(
    host, browser: Browser, tmp_path: Path
) -> None:
    address, _ = host
    page = open_page(browser, f"{address}#/studio")
    page.locator(".cm-content").wait_for()
    follower = PageFollower(page, tmp_path)
    follower.follow((DOCS / "tutorials" / "first-game.md").read_text(encoding="utf-8"))
    assert follower.games == 2
    assert {command.split()[1] for command in follower.typed} == set(TYPED)
    leave(page)
