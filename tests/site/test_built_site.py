"""The built site: its links, offline search, copying of code, phones, and everybody's access."""

from __future__ import annotations

import re
import threading
from contextlib import contextmanager
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from built import site

from browser import browser
from web.pages import DESKTOP, PHONE, barriers, leave, open_page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

__all__ = ["browser", "site"]  # fixtures

pytestmark = pytest.mark.slow

PAGES = {
    "index": "light", "forms": "dark", "command-line": "light", "python/game": "dark",
    "statistics": "light",
}  # fmt: skip
"""A page of each kind, in the colours in which any run sees it."""

OTHERS = ("language", "commands", "python/index", "library", "changelog")


class Linked(HTMLParser):
    """The anchors of a page, and what it links to or loads."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in {"id", "name"} and value:
                self.anchors.add(value)
            elif name in {"href", "src"} and value and not (tag == "link" and "canonical" in value):
                self.links.add(value)


@contextmanager
def opened(browser: Browser, site: Path, name: str, **how: object) -> Iterator[Page]:
    """Open a page as a file; what it asks of the network, until it is left, fails the test."""
    own = ("XMLHttpRequest", "ERR_FAILED")  # axe-core asks for style sheets, which files refuse
    page = open_page(browser, "about:blank", ignore=own, **how)  # type: ignore[arg-type]
    page.context.set_offline(True)
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if one.url.startswith("http") else None)
    page.goto((site / f"{name}.html").as_uri())
    page.locator("html.js").wait_for()  # the script of the theme has begun
    yield page
    leave(page)
    assert not asked


def barriers_of_ours(page: Page) -> list[str]:
    """Return what axe-core finds, but for bars beside code and for empty corners of tables.

    The theme gives the bars no names, and tables in Markdown have a header in any case.
    """
    theirs = ("landmark-unique", "empty-table-header")
    return [one for one in barriers(page) if not one.startswith(theirs)]


def test_no_link_is_broken(site: Path) -> None:
    """Every page, picture and script that is linked exists, and every anchor in it."""
    pages = {file.resolve(): Linked(file) for file in site.rglob("*.html")}
    pages.pop(site.resolve() / "404.html")  # its links are those of a server's root
    broken = []
    for file, page in pages.items():
        for link in page.links:
            path, _, anchor = unquote(link).partition("#")
            if re.match("[a-z]+:", path) or path.endswith("play/"):  # of `scripts/site`
                continue
            target = (file.parent / path.partition("?")[0]).resolve() if path else file
            known = pages[target].anchors if target in pages else set()
            if not target.exists() or (anchor and target in pages and anchor not in known):
                broken.append(f"{file.relative_to(site.resolve())}: {link}")
    assert broken == []
    assert len(pages) > 50


@pytest.mark.parametrize(
    ("name", "theme"),
    [
        pytest.param(name, theme, marks=() if PAGES.get(name) == theme else pytest.mark.deep)
        for name, theme in product((*PAGES, *OTHERS), ("light", "dark"))
    ],
)
def test_pages_are_for_everybody(browser: Browser, site: Path, name: str, theme: str) -> None:
    """axe-core finds nothing, and nothing is wider than a phone or a desktop."""
    with opened(
        browser, site, name, theme=theme, size=PHONE if theme == "dark" else DESKTOP
    ) as page:
        assert barriers_of_ours(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        other = DESKTOP if theme == "dark" else PHONE
        page.set_viewport_size({"width": other[0], "height": other[1]})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(PHONE, id="phone"),
        pytest.param(DESKTOP, id="desktop", marks=pytest.mark.deep),
    ],
)
def test_search_finds_words_without_a_server(
    browser: Browser,
    site: Path,
    size: tuple[int, int],
) -> None:
    with opened(browser, site, "index", size=size) as page:
        if size == PHONE:
            page.locator(".md-header__button[for=__search]").click()
        page.locator("input[name=query]").press_sequentially("determinisation")
        page.locator('.md-search-result__link[href*="api.html"]').first.wait_for()


def test_copies_leave_prompts_and_answers_out(browser: Browser, site: Path) -> None:
    with opened(browser, site, "command-line") as page:
        shown = page.locator(".language-console").filter(has=page.locator(".go")).first
        code = shown.locator("pre > code")
        assert code.inner_text().startswith("$ ")
        code.evaluate("one => one.setAttribute('data-md-copying', '')")
        copied = code.inner_text()
        assert copied.startswith("cardwright ")
        assert all(line.startswith("cardwright ") for line in copied.splitlines() if line), copied


def test_recycle_is_coloured(browser: Browser, site: Path) -> None:
    with opened(browser, site, "language") as page:
        game = page.locator(".language-recycle").first
        assert game.locator(".bp").first.inner_text() == "game"
        assert game.locator(".kr").first.inner_text() == "setup"
        assert game.locator(".c1").first.inner_text().startswith(";; Echo")


def test_code_leads_to_the_page_in_which_it_is_tried(browser: Browser, site: Path) -> None:
    """Games to its studio, commands and sessions to its console, without what it has not got."""
    with served(site) as address:
        page = open_page(browser, f"{address}/tutorials/first-game.html")
        page.locator("a.try").first.wait_for()
        links = [unquote(one.get_attribute("href") or "") for one in page.locator("a.try").all()]
        assert links[0].startswith("../play/#/studio#rules=")
        assert links[1] == "../play/#/console#text=$ cardwright check duel.rcy"
        assert any(one.startswith('../play/#/console#text=open("duel.toml"') for one in links)
        assert any("$ cardwright simulate" in one for one in links)
        assert not any("match" in one for one in links)
        assert barriers_of_ours(page) == []
        page.goto(f"{address}/in-a-page.html")
        page.get_by_role("link", name="Play in your browser").wait_for()
        [session] = [unquote(str(one.get_attribute("href"))) for one in page.locator("a.try").all()]
        assert session.endswith(".start(seed=1)\nlen(state.options())")
        leave(page)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Give the address at which a folder is given out."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("localhost", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()
        thread.join()
