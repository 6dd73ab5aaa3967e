"""Pictures of `cardwright serve`: a table, on a desktop and a phone, and the studio."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Literal

from clicks import act, await_turn
from picture_workshop import DESKTOP, PHONE, Workshop, photograph
from served import seats

from cardwright.web.studio_routes import library_text

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Route

SEED = 2
NAMES = ("Ben", "Clara", "David")
CLICKS = 9
"""Of Ann: three cards and a confirmation to pass, then a card each. Then three cards lie there."""

GAME = "agram"
MEANT, SLIP = "(size ('P vloc TRICK))", "(sise ('P vloc TRICK))"
PASTE = """(content, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  content.dispatchEvent(new ClipboardEvent("paste", {clipboardData, bubbles: true}));
}"""


def table(workshop: Workshop, out: Path) -> None:
    """Draw a table of Hearts on a desktop, some tricks into the game."""
    _table(workshop, out, DESKTOP, "light")


def table_phone(workshop: Workshop, out: Path) -> None:
    """Draw the same table on a phone at night."""
    _table(workshop, out, PHONE, "dark")


def _table(
    workshop: Workshop, out: Path, size: tuple[int, int], theme: Literal["light", "dark"]
) -> None:
    sitting = seats("Ann", *[""] * len(NAMES), player="rule")
    for seat, name in zip(sitting[1:], NAMES, strict=True):
        seat["name"] = name
    made = workshop.server.table("hearts", preset="standard", seed=str(SEED), seats=sitting)
    address = workshop.server.address + made["seats"][0]["link"]
    chance = random.Random(str(SEED))
    played = workshop.page(address)
    for _ in range(CLICKS):
        await_turn(played)
        act(played, chance)
    await_turn(played)
    played.context.close()
    page = workshop.page(address, size, theme)
    await_turn(page)
    photograph(page, out)


def _fixed(route: Route) -> None:
    """Let the table of the studio be the same each time: the studio draws a seed and names."""
    wanted = route.request.post_data_json
    names = iter(NAMES)
    for seat in wanted["seats"]:
        if seat["kind"] == "computer":
            seat["name"] = next(names)
    route.continue_(post_data=json.dumps({**wanted, "seed": str(SEED)}))


def studio(workshop: Workshop, out: Path) -> None:
    """Draw the studio with a game on its table, and a word that was misspelt since."""
    page = workshop.page(f"{workshop.server.address}/studio?game={GAME}")
    page.route("**/api/tables", _fixed)
    page.locator(".found .good").wait_for()
    page.get_by_role("button", name="Play", exact=True).click()
    page.frame_locator("iframe").locator(".hand .card-button").first.wait_for()
    page.locator(".cm-content").focus()
    page.keyboard.press("ControlOrMeta+a")
    rules = library_text(GAME)
    page.locator(".cm-content").evaluate(PASTE, rules.replace(MEANT, SLIP, 1))
    page.locator(".problems").wait_for()
    page.keyboard.press("F8")
    page.locator(".cm-scroller").evaluate("one => { one.scrollTop -= 160; }")
    page.locator(".cm-tooltip").wait_for()
    photograph(page, out)
