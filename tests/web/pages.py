"""Pages in the browser for tests: opened, watched for errors, checked for everybody's access."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urljoin
from weakref import WeakKeyDictionary

from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Browser, ConsoleMessage, Page

AXE = Path(__file__).parent / "axe" / "axe.min.js"
"""axe-core 4.14, under the licence beside it; only tests use it."""

PHONE = (360, 740)
DESKTOP = (1280, 800)
COMPRESSED = 150_000
"""Bytes that a page may load in all, compressed."""

REQUESTS = 25
"""Requests that a page may take to load."""


@dataclass
class _Watch:
    """Where a page belongs when it is left, its errors so far, and words of those expected."""

    idle: list[Page]
    errors: list[str] = field(default_factory=list)
    ignore: Sequence[str] = ()

    def unexpected(self) -> list[str]:
        return [error for error in self.errors if not any(word in error for word in self.ignore)]


_watched: WeakKeyDictionary[Page, _Watch] = WeakKeyDictionary()
_idle: WeakKeyDictionary[Browser, dict[bool, list[Page]]] = WeakKeyDictionary()
"""The pages of each browser that were left, without touch and with it.

To load an address into one of them takes a quarter of the time of a new page, for whose context the
browser starts a process and reads all scripts.
"""


def open_page(
    browser: Browser,
    address: str,
    size: tuple[int, int] = DESKTOP,
    *,
    theme: Literal["light", "dark"] = "light",
    calm: bool = True,
    ignore: Sequence[str] = (),
) -> Page:
    """Open a page that shares nothing with other open ones; errors in it fail when it is left.

    `calm` is how people see it who want no motion. Errors with words of `ignore` are expected.
    """
    width, height = size
    touch = min(size) < 500
    idle = _idle.setdefault(browser, {}).setdefault(touch, [])
    page = idle.pop() if idle else browser.new_context(has_touch=touch).new_page()
    if page not in _watched:
        _watch(page, idle)
    _watched[page].ignore = ignore
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=theme, reduced_motion="reduce" if calm else "no-preference")
    page.goto(address)
    return page


def _watch(page: Page, idle: list[Page]) -> None:
    page.set_default_timeout(PATIENCE * 1000)
    watch = _watched[page] = _Watch(idle)
    page.on("pageerror", lambda error: watch.errors.append(str(error)))
    page.on("console", lambda said: _note(watch, said))


def _note(watch: _Watch, said: ConsoleMessage) -> None:
    """Note an error, unless it is that of the picture to which a page goes when it is left."""
    if said.type == "error" and not said.location["url"].endswith("/favicon.ico"):
        watch.errors.append(said.text)


def leave(page: Page) -> None:
    """Leave a page, which then knows nothing of what was done; fail if there was an error in it."""
    watch = _watched[page]
    errors = watch.unexpected()
    assert not errors, "\n".join(errors)
    page.unroute_all()
    page.context.clear_permissions()
    page.context.set_offline(False)
    if page.url.startswith("http"):
        page.goto(urljoin(page.url, "/static/icon.svg"))
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
    else:
        page.goto("about:blank")
    watch.errors.clear()
    watch.idle.append(page)


def barriers(page: Page, within: str = "html") -> list[str]:
    """Return what axe-core finds on a page, or a part of it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found: list[dict[str, Any]] = page.evaluate(
        "async part => (await axe.run(part, {resultTypes: ['violations']})).violations", within
    )
    return [
        f"{one['id']} ({one['impact']}): {node['html'][:200]}: {node['failureSummary']}"
        for one in found
        for node in one["nodes"]
    ]


def weight(browser: Browser, address: str, stream: str = "") -> dict[str, int]:
    """Return the bytes of each request of a page that is loaded first, as they travel.

    All that it asks for has come, and something of the stream at an address that ends so.
    """
    sizes: dict[str, int] = {}
    page = open_page(browser, "about:blank")
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    names: dict[str, str] = {}

    def asked(said: dict[str, Any]) -> None:
        name = names[said["requestId"]] = f"{len(names) + 1} {said['request']['url']}"
        sizes[name] = 0

    def come(said: dict[str, Any]) -> None:
        sizes[names[said["requestId"]]] += int(said["encodedDataLength"])

    def ended(said: dict[str, Any]) -> None:
        sizes[names[said["requestId"]]] = int(said["encodedDataLength"])

    session.on("Network.requestWillBeSent", asked)
    session.on("Network.dataReceived", come)
    session.on("Network.loadingFinished", ended)
    page.goto(address)
    page.wait_for_load_state("load")
    page.locator("h1").first.wait_for(state="attached")  # what it shows has come
    for _ in range(100):
        before = len(sizes)
        page.wait_for_timeout(300)
        streaming = any(name.endswith(stream) for name in sizes)
        if streaming and len(sizes) == before and all(sizes.values()):
            break
    session.detach()
    leave(page)
    return sizes
