"""The pages about the site and its interface: what they say, and that they hinder nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest
from in_process import in_process
from pages import COMPRESSED, DESKTOP, PHONE, barriers, leave, open_page, weight
from served import TableServer, server

from browser import browser
from cardwright._version import __version__
from cardwright.game.find import library_names

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser

__all__ = ["browser", "server"]  # fixtures


def test_a_site_says_what_it_keeps_and_allows(tmp_path: Path) -> None:
    """People are told the truth about their own server, and about one that is open to others."""
    with in_process() as client:
        own = client.get("/api/about").json()
    assert own["cardwright"] == __version__
    count = len(library_names())
    assert (own["games"], own["public"], own["kept"], own["days"]) == (count, False, False, 60)
    with in_process(public=True, data=tmp_path) as client:
        other = client.get("/api/about").json()
    assert (other["public"], other["kept"], other["days"], other["tables"]) == (True, True, 30, 20)
    assert other["source"] < own["source"]


@pytest.mark.parametrize(
    ("path", "theme"),
    [
        ("/about", "light"),
        ("/api/", "dark"),
        pytest.param("/about", "dark", marks=pytest.mark.deep),
        pytest.param("/api/", "light", marks=pytest.mark.deep),
    ],
)
def test_they_hinder_nobody(
    browser: Browser, server: TableServer, path: str, theme: Literal["light", "dark"]
) -> None:
    """By axe-core; nothing is wider than a phone."""
    size = PHONE if theme == "dark" else DESKTOP
    page = open_page(browser, server.address + path, size, theme=theme)
    page.locator(".about dl, .operation").first.wait_for()
    for summary in page.locator(".operation > summary").all()[:3]:
        summary.click()
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    leave(page)


def test_every_request_is_on_the_page_of_the_interface(
    browser: Browser, server: TableServer
) -> None:
    """With its address, in a group; names of schemas lead to them."""
    paths = server.ask("/api/openapi.json")["paths"]
    page = open_page(browser, f"{server.address}/api/")
    page.locator(".operation").first.wait_for()
    shown = page.locator("section .operation > summary > code").all_inner_texts()
    assert sorted(set(shown)) == sorted(paths)
    assert page.get_by_role("heading", name="Studio").is_visible()
    links: list[str] = page.locator("a[href^='#schema-']").evaluate_all(
        "all => all.map(one => one.getAttribute('href'))"
    )
    ids: list[str] = page.locator("[id^='schema-']").evaluate_all("all => all.map(one => one.id)")
    assert len(ids) == len(set(ids))
    assert links
    assert {link.removeprefix("#") for link in links} <= set(ids)
    leave(page)


def test_their_weight(browser: Browser, server: TableServer) -> None:
    for path in ("/about", "/api/"):
        sizes = weight(browser, server.address + path)
        assert sum(sizes.values()) < COMPRESSED, (path, sizes)
