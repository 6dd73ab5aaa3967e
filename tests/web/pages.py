"""Pages in the browser for tests: opened, watched for errors, checked for everybody's access."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Browser, Page

AXE = Path(__file__).parent / "axe" / "axe.min.js"
"""axe-core 4.14, under the licence beside it; only tests use it."""

PHONE = (360, 740)
DESKTOP = (1280, 800)
COMPRESSED = 150_000
"""Bytes that a page may load in all, compressed."""


def open_page(
    browser: Browser,
    address: str,
    size: tuple[int, int] = DESKTOP,
    *,
    theme: Literal["light", "dark"] = "light",
    calm: bool = True,
    ignore: Sequence[str] = (),
) -> Page:
    """Open a page in a context of its own; errors in it fail the test when it is left.

    `calm` is how people see it who want no motion. Errors with words of `ignore` are expected.
    """
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=theme,
        reduced_motion="reduce" if calm else "no-preference",
        has_touch=width < 500,
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda one: errors.append(one.text) if one.type == "error" else None)
    page.goto(address)
    page.cardwright_errors = lambda: [  # type: ignore[attr-defined]
        error for error in errors if not any(word in error for word in ignore)
    ]
    return page


def leave(page: Page) -> None:
    """Close a page and its context; fail if there was an error in it."""
    errors = page.cardwright_errors()  # type: ignore[attr-defined]
    page.context.close()
    assert not errors, "\n".join(errors)


def barriers(page: Page) -> list[str]:
    """Return what axe-core finds on a page that is serious or critical."""
    page.evaluate(AXE.read_text())
    found: list[dict[str, Any]] = page.evaluate(
        "async () => (await axe.run(document, {resultTypes: ['violations']})).violations"
    )
    return [
        f"{one['id']} ({one['impact']}): {node['html'][:200]}: {node['failureSummary']}"
        for one in found
        if one["impact"] in {"serious", "critical"}
        for node in one["nodes"]
    ]


def weight(browser: Browser, address: str) -> dict[str, int]:
    """Return the bytes of everything that a page loads, as they travel, by address."""
    sizes: dict[str, int] = {}
    context = browser.new_context()
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    names: dict[str, str] = {}
    session.on(
        "Network.responseReceived",
        lambda one: names.__setitem__(one["requestId"], one["response"]["url"]),
    )
    session.on(
        "Network.loadingFinished",
        lambda one: sizes.__setitem__(
            names.get(one["requestId"], one["requestId"]), int(one["encodedDataLength"])
        ),
    )
    page.goto(address)
    page.wait_for_load_state("load")
    page.wait_for_timeout(300)
    context.close()
    return sizes
