"""The report on a search in a browser: every width and scheme, everybody's access, and copying."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import pytest
from searched import account_of

from browser import browser
from cardwright.evolution.report.files import write_account
from cardwright.publication.figures import FigureFiles
from web.pages import DESKTOP, PHONE, barriers, leave, open_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("reports")
    long = "A game of a very long name, and one_word_that_has_no_place_to_break_anywhere" * 2
    accounts = {
        "front": account_of(),
        "map": replace(account_of(mapped=3), title=f"{long}<b>"),
    }
    return {
        name: write_account(one, folder / name, FigureFiles(("svg",)))[0].as_uri()
        for name, one in accounts.items()
    }


@pytest.mark.parametrize(
    ("name", "size", "theme"),
    [
        ("front", DESKTOP, "light"),
        ("map", PHONE, "dark"),
        pytest.param("front", PHONE, "dark", marks=pytest.mark.deep),
        pytest.param("map", DESKTOP, "light", marks=pytest.mark.deep),
    ],
)
def test_pages_have_no_barriers_and_fit(
    browser: Browser,
    reports: dict[str, str],
    name: str,
    size: tuple[int, int],
    theme: Literal["light", "dark"],
) -> None:
    """Nothing that axe-core finds, no error, and no page wider than the screen."""
    page = open_page(browser, reports[name], size, theme=theme)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert not barriers(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    leave(page)


def test_commands_are_copied_and_marks_lead_to_games(
    browser: Browser, reports: dict[str, str]
) -> None:
    """The page's own script is the one that its policy lets run."""
    page = open_page(browser, reports["front"])
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    article = page.locator("article#agram-02")
    article.get_by_role("button", name="Copy").first.click()
    article.get_by_role("button", name="Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "cardwright play evolved/agram-02.rcy"
    page.locator("figure.drawing.wide svg a").first.click()
    assert page.evaluate("location.hash") == "#agram-01"
    leave(page)
