"""Claims about the studio, in a real browser."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Literal

import pytest
from pages import COMPRESSED, DESKTOP, PHONE, barriers, leave, open_page, weight
from served import TableServer, server

import deep
from browser import browser
from cardwright.web.studio_routes import EMPTY

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from playwright.sync_api import Browser, Page

__all__ = ["browser", "server"]  # fixtures

pytestmark = pytest.mark.slow

SLIP = EMPTY.replace("(move 'C", "(mov 'C")

PASTE = """(content, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const how = {clipboardData, bubbles: true, cancelable: true};
  content.dispatchEvent(new ClipboardEvent("paste", how));
}"""


def studio(
    browser: Browser,
    server: TableServer,
    size: tuple[int, int] = DESKTOP,
    *,
    theme: Literal["light", "dark"] = "light",
    ignore: Sequence[str] = (),
) -> Page:
    """Open the studio, and wait until its rules are checked."""
    page = open_page(browser, f"{server.address}/studio", size, theme=theme, ignore=ignore)
    page.locator(".found .good, .problems").wait_for()
    return page


def text(page: Page) -> str:
    """Return the rules in the editor, as far as they are drawn."""
    return "\n".join(page.locator(".cm-line").all_inner_texts())


def write(page: Page, rules: str) -> None:
    """Put rules in the editor, as one who pastes them over all."""
    page.locator(".cm-content").focus()
    page.keyboard.press("ControlOrMeta+a")
    page.locator(".cm-content").evaluate(PASTE, rules)


def test_a_broken_file_becomes_a_played_one(browser: Browser, server: TableServer) -> None:
    """A mistake is seen where it is, one click mends it, another one plays, a third one moves."""
    page = studio(browser, server)
    write(page, SLIP)
    page.get_by_role("button", name="line 16: there is no form `mov`").wait_for()
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("1 error: mend them first").wait_for()
    assert page.locator("iframe").count() == 0
    page.get_by_role("button", name="Replace mov by move").click()
    page.locator(".found .good").wait_for()
    page.get_by_role("button", name="Play", exact=True).click()
    table = page.frame_locator("iframe")
    cards = table.locator(".hand .card-button")
    cards.first.wait_for()
    assert cards.count() == 4
    cards.first.click()
    table.locator(".hand .card-button").nth(3).wait_for(state="detached")
    assert table.locator(".masthead").is_hidden()
    leave(page)


def test_settings_are_changed_without_a_bracket(browser: Browser, server: TableServer) -> None:
    """What would be wrong is taken back; a table says that it plays the rules of before."""
    page = studio(browser, server)
    page.goto(f"{server.address}/studio?game=hearts&preset=standard&set=PASS=2")
    page.locator(".found .good").wait_for()
    page.get_by_role("button", name="Play", exact=True).click()
    page.frame_locator("iframe").locator(".table-page").wait_for()
    page.get_by_role("tab", name="Game").click()
    cards = page.get_by_role("spinbutton", name="PASS", exact=True)
    assert cards.input_value() == "2"
    cards.fill("1")
    cards.press("Enter")
    page.get_by_text("PASS is 1 now.").wait_for()
    assert "(declare 1 'PASS)" in text(page)
    players = page.get_by_role("spinbutton", name="PLAYERS")
    players.fill("0")
    players.press("Enter")
    page.get_by_text("PLAYERS cannot be 0: ").wait_for()
    assert "(declare 4 'PLAYERS)" in text(page)
    page.get_by_role("tab", name="Table").click()
    page.get_by_text("This table plays the rules as they were").wait_for()
    page.get_by_role("button", name="Play the new rules").click()
    page.get_by_text("This table plays the rules as they were").wait_for(state="detached")
    assert not barriers(page)
    leave(page)


def test_messages_stand_beside_lines_that_wrap(browser: Browser, server: TableServer) -> None:
    page = studio(browser, server)
    write(page, f"{SLIP}\n;; {'a long line ' * 40}")
    line = page.locator(".said-error")
    line.wait_for()
    assert line.inner_text().strip().startswith("(any ((current player) iloc HAND)")
    beside = line.evaluate("line => getComputedStyle(line, '::after').content")
    assert "there is no form `mov`" in beside
    assert page.evaluate("""() => {
        const root = document.querySelector(".editor").shadowRoot;
        const scroller = root.querySelector(".cm-scroller");
        return scroller.scrollWidth <= scroller.clientWidth;
    }""")
    divider = page.get_by_role("separator", name="Width of the rules")
    width = page.locator(".editor").bounding_box()["width"]
    divider.press("ArrowRight")
    page.locator("[role=separator][aria-valuenow='55']").wait_for()
    assert page.locator(".editor").bounding_box()["width"] > width + 20
    divider.press("ArrowLeft")
    leave(page)


def test_the_language_is_explained_in_the_help(browser: Browser, server: TableServer) -> None:
    page = studio(browser, server)
    page.get_by_role("tab", name="Help").click()
    page.get_by_role("searchbox", name="Search the forms").fill("shuffle")
    page.locator("#panel-help dt", has_text="(shuffle LOCATION)").wait_for()
    assert not barriers(page)
    leave(page)


def test_keyboard_alone(browser: Browser, server: TableServer) -> None:
    """From the editor to a fix, to the table and back, without a pointer."""
    page = studio(browser, server)
    write(page, SLIP)
    page.locator(".problems").wait_for()
    page.keyboard.press("F8")
    page.keyboard.press("ControlOrMeta+.")
    page.locator(".found .good").wait_for()
    page.keyboard.press("ControlOrMeta+Enter")
    table = page.frame_locator("iframe")
    card = table.locator('.hand .card-button[tabindex="0"]')
    card.wait_for()
    page.keyboard.press("F6")
    page.wait_for_function("document.activeElement.tagName === 'IFRAME'")
    page.keyboard.press("c")
    page.keyboard.press("Enter")
    table.locator(".hand .card-button").nth(3).wait_for(state="detached")
    page.keyboard.press("F6")
    page.locator(".cm-focused").wait_for()
    page.keyboard.press("ControlOrMeta+End")
    page.keyboard.type(";; played")
    assert text(page).endswith(";; played")
    page.keyboard.press("Tab")
    assert not page.evaluate("document.querySelector('.editor').contains(document.activeElement)")
    leave(page)


def test_a_rule_that_breaks_in_play_is_shown_at_its_place(
    browser: Browser, server: TableServer
) -> None:
    page = studio(browser, server, ignore=("Failed to load",))  # the request is refused
    write(page, EMPTY.replace("repeat 4", "repeat 5"))
    page.locator(".found .good").wait_for()
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_role("button", name="Show line 11").click()
    assert page.locator(".cm-lineNumbers .cm-activeLineGutter").inner_text() == "11"
    page.get_by_role("tab", name="Statistics").click()
    page.get_by_text(re.compile(r"(\S+) of \1 games stopped")).wait_for()
    leave(page)


def test_a_rule_that_a_move_breaks_is_shown_at_its_place(
    browser: Browser, server: TableServer
) -> None:
    """The move is not made; the line is shown beside the table."""
    page = studio(browser, server, ignore=("Failed to load",))  # the move is refused
    score = "(set ((current player) sto SCORE) 0)"
    write(
        page,
        EMPTY.replace(score, f"(move (top (game iloc STOCK)) (top (game vloc PILE)))\n{score}"),
    )
    page.get_by_role("button", name="Play", exact=True).click()
    page.frame_locator("iframe").locator(".hand .card-button").first.click()
    page.get_by_role("button", name="Show line 18").click()
    assert page.locator(".cm-lineNumbers .cm-activeLineGutter").inner_text() == "18"
    leave(page)


def test_statistics_say_what_has_changed(browser: Browser, server: TableServer) -> None:
    page = studio(browser, server)
    page.get_by_role("tab", name="Statistics").click()
    row = page.locator("tr", has=page.get_by_text("Decisions a game"))
    row.wait_for()
    assert row.inner_text().split("\t") == ["Decisions a game", "8.0"]
    write(page, EMPTY.replace("repeat 4", "repeat 3"))
    page.get_by_role("columnheader", name="Before", exact=True).wait_for()
    assert row.inner_text().split()[-5:] == ["6.0", "less", "by", "▼2.0", "8.0"]
    leave(page)


def test_what_was_loaded_can_be_undone_and_a_draft_survives(
    browser: Browser, server: TableServer
) -> None:
    """Nothing is lost by loading a game, nor by a reload."""
    page = studio(browser, server)
    write(page, ";; mine\n" + EMPTY)
    page.locator(".found .good").wait_for()
    page.get_by_role("button", name="Begin with").click()
    page.get_by_role("combobox", name="Game", exact=True).select_option("kuhn")
    page.get_by_role("button", name="Open its rules").click()
    page.get_by_text("kuhn is here").wait_for()
    assert "mine" not in text(page)
    page.keyboard.press("ControlOrMeta+z")
    assert text(page).startswith(";; mine")
    page.reload()
    page.locator(".found .good").wait_for()
    assert text(page).startswith(";; mine")
    page.goto(f"{server.address}/games/kuhn")
    page.get_by_role("link", name="in the studio").click()
    page.locator(".found .good").wait_for()
    assert not text(page).startswith(";; mine")
    page.get_by_role("button", name="Begin with").click()
    page.get_by_role("button", name="Bring back").click()
    assert text(page).startswith(";; mine")
    leave(page)


def test_rules_are_shared_by_a_link(browser: Browser, server: TableServer) -> None:
    """The rules are behind the #, so no server is told of them; the draft of a reader is kept."""
    page = studio(browser, server)
    write(page, f";; ünique ♥\n{EMPTY}")
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("The link", exact=True).input_value()
    assert link.startswith(f"{server.address}/studio#rules=")
    assert len(link) < len(EMPTY)
    leave(page)
    reader = studio(browser, server)
    write(reader, EMPTY.replace("A new game", "My own"))
    for address, told in (
        (link, "Begin with … brings it back"),
        (link[:-40], "There are no whole rules in this link"),
        (f"{server.address}/studio#rules=~", "There are no whole rules in this link"),
    ):
        reader.goto("about:blank")
        reader.goto(address)
        reader.get_by_text(told).wait_for()
        assert text(reader).startswith(";; ünique ♥")
        assert reader.url == f"{server.address}/studio"
    leave(reader)


BLANK = """<!doctype html>
<html lang="en" data-alone data-home="/"><title>Cardwright</title>
<script type="application/json" id="python">{"parts": [1], "games": {"old.rcy": "old"}}</script>"""


def test_rules_are_published_as_one_file(
    browser: Browser, server: TableServer, tmp_path: Path
) -> None:
    """They are put in the page that the server gives, as data; a game of the library is another."""
    page = studio(browser, server)
    page.route("**/api/studio/page", lambda route: route.fulfill(body=BLANK))
    write(page, SLIP)
    page.get_by_role("button", name="Publish").click()
    page.get_by_text("mend them first").wait_for()
    rules = f";; </script><b>$& \\u003c ♥\n{EMPTY}"
    write(page, rules)
    page.get_by_label("Name of the rules").fill("kuhn")
    with page.expect_download() as download:
        page.get_by_role("button", name="Publish").click()
    assert download.value.suggested_filename == "my kuhn.html"
    download.value.save_as(tmp_path / "page.html")
    page.get_by_text("Downloaded my kuhn.html").wait_for()
    document = (tmp_path / "page.html").read_text("utf-8")
    assert 'data-home="/games/my%20kuhn"><title>my kuhn</title>' in document
    begin = document.partition('id="python">')[2].partition("</script>")[0]
    assert "<" not in begin
    assert json.loads(begin) == {"parts": [1], "games": {"my kuhn.rcy": rules}, "opponents": {}}
    page.unroute_all()
    leave(page)


def test_help_while_one_writes(browser: Browser, server: TableServer) -> None:
    """What fits is offered, what a form means is told, rules are laid out."""
    page = studio(browser, server)
    write(page, EMPTY.replace("(shuffle", "(shu"))
    page.locator(".problems").wait_for()
    for _ in range(2):
        page.get_by_role("button", name="line 10").first.click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Control+Space")
    page.get_by_role("option", name="shuffle").wait_for()
    page.wait_for_timeout(200)  # what has just come up cannot be taken by mistake
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert "(shuffle" in text(page)
    page.locator(".cm-line span", has_text="choice").first.click()
    page.keyboard.press("F1")
    page.get_by_role("tabpanel").get_by_text("For example").wait_for()
    leave(page)


@pytest.mark.parametrize(("size", "theme"), [(DESKTOP, "light"), (PHONE, "dark")])
def test_no_barriers_in_the_studio(
    browser: Browser, server: TableServer, size: tuple[int, int], theme: Literal["light", "dark"]
) -> None:
    """Nothing hinders anybody, by axe-core: with problems, and on every tab.

    In light a usual run looks at the page with problems alone.
    """
    page = studio(browser, server, size, theme=theme)
    whole = size == PHONE or deep.asked
    if whole:
        assert barriers(page) == []
    write(page, SLIP)
    page.locator(".problems").wait_for()
    assert barriers(page) == []
    write(page, EMPTY)
    page.locator(".found .good").wait_for()
    for tab in ("Statistics", "Flow", "Game", "Help") if whole else ():
        page.get_by_role("tab", name=tab).click()
        page.get_by_role("tabpanel").locator(
            "table:visible, img:visible, dl:visible"
        ).first.wait_for()
        assert barriers(page, "[role=tabpanel]:not([hidden])") == [], tab
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= size[0]
    leave(page)


def test_weight_of_the_studio(browser: Browser, server: TableServer) -> None:
    """The page loads less than 150 KB in all, compressed; most of it is the editor."""
    sizes = weight(browser, f"{server.address}/studio")
    assert sum(sizes.values()) < COMPRESSED, sizes


def test_a_new_line_is_indented_by_its_open_bracket(browser: Browser, server: TableServer) -> None:
    """By two more than the line of that bracket; brackets in comments do not count."""
    page = studio(browser, server)
    found = page.evaluate(
        """async (texts) => {
          const { indentation } = await import("/static/js/studio/language.js");
          return texts.map(indentation);
        }""",
        ["", "(game", "(game\n  (setup (", "(game ;; (((", "(game)\n", "(a\n    (b)", ";; ("],
    )
    assert found == [0, 2, 4, 2, 0, 2, 0]
    leave(page)
