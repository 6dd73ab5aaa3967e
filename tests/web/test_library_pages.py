"""Claims about the home page, games' pages, replays and seasons, in a real browser."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Literal

import pytest
from pages import COMPRESSED, DESKTOP, PHONE, barriers, leave, open_page, weight
from served import TableServer, seats, served

import needed
from browser import browser
from cardwright.league.run import play_season
from cardwright.table.estimates import EstimateMeasure, EstimateScope, EstimateUnit
from deep import usually
from league.season_folders import make_season

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

__all__ = ["browser"]  # a fixture

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TableServer]:
    """A server with a season and the replay of a table."""
    needed.module("polars")
    folder = tmp_path_factory.mktemp("site")
    season = make_season(folder / "autumn", bots={}, builtins=("builtin:random",) * 4, games=2)
    play_season(season, seed=3, name="Autumn")
    with served(seasons=folder) as table_server:
        table_server.table("kuhn", seats=seats("Carl", "Dora"), watch="public", listed=True)
        yield table_server


@pytest.fixture(scope="module")
def replay(site: TableServer) -> str:
    """The address of a replay: a game of Kuhn poker in which both pass all the time."""
    made = site.table("kuhn", seats=seats("Ann", "Bob"))
    links = [one["link"] for one in made["seats"]]
    for number in range(2):
        site.ask(f"/api{links[number]}/choose", {"number": number, "option": 0})
    return str(site.ask(f"/api{links[0]}/replay", {})["link"])


PAGES = {
    "/": ".tile",
    "/games/hearts": "#friends",
    "/games/hart": ".notice",
    "/replay": "input[type=file]",
    "/seasons": ".seasons h2",
}


def test_an_address_names_a_variant(browser: Browser, site: TableServer) -> None:
    """It is chosen, with its seats, and played; a name that is none chooses nothing."""
    page = open_page(browser, f"{site.address}/games/hearts?preset=valet5")
    page.locator("#preset").wait_for()
    assert page.locator("#preset").input_value() == "valet5"
    page.locator(".setup fieldset select").nth(4).wait_for()
    page.get_by_role("button", name="Play now: valet5").click()
    page.locator(".table-page").wait_for()
    assert page.locator(".seat:not(.own)").count() == 4
    page.goto(f"{site.address}/games/hearts?preset=none")
    page.get_by_role("button", name="Play now", exact=True).wait_for()
    assert page.locator("#preset").input_value() == "standard"
    leave(page)


JUDGED = {
    "move": 1, "seat": 1, "forced": False, "lost": [0.12, 0.4],
    "errors": [0.03, None],
    "units": [
        EstimateUnit(EstimateMeasure.WIN, EstimateScope.MATCH).data(),
        EstimateUnit(EstimateMeasure.POINTS, EstimateScope.DEAL).data(),
    ],
    "played": {"option": 0, "words": "check", "estimates": [0.3, 2.0]},
    "best": {"option": 1, "words": "bet", "estimates": [0.42, 2.4]},
}  # fmt: skip


@pytest.mark.parametrize(("size", "theme"), [(DESKTOP, "light"), (PHONE, "dark")])
def test_no_barriers(
    browser: Browser,
    site: TableServer,
    replay: str,
    size: tuple[int, int],
    theme: Literal["light", "dark"],
) -> None:
    """No page hinders anybody, by axe-core, and none is wider than a phone.

    Every other page is seen in light, the others in dark; all in both in a deep run.
    """
    pages = [*PAGES.items(), (replay, ".controls")]
    for path, there in pages[usually(int(size == PHONE), 0) :: usually(2, 1)]:
        page = open_page(browser, site.address + path, size, theme=theme, ignore=("404",))
        page.locator(there).first.wait_for()
        assert barriers(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0], path
        leave(page)


def test_weight(browser: Browser, site: TableServer, replay: str) -> None:
    """Each page loads less than 150 KB in all, compressed; the first one less than 60."""
    pages = ("/", 60_000, 15), ("/games/hearts", COMPRESSED, 15), (replay, COMPRESSED, 15)
    for path, size, requests in pages:
        sizes = weight(browser, site.address + path)
        assert sum(sizes.values()) < size, (path, sizes)
        assert 5 < len(sizes) <= requests, (path, sizes)


def test_a_game_is_found_and_played(browser: Browser, site: TableServer) -> None:
    """What is typed narrows the games down; a table that was opened can be gone on with."""
    page = open_page(browser, site.address)
    page.get_by_role("link", name="Hearts", exact=True).first.wait_for()
    search = page.get_by_role("searchbox")
    search.fill("trump bluff")
    page.get_by_text("No game fits.").first.wait_for()
    search.fill("goofs")
    titles = page.locator(".tile h3")
    assert titles.all_text_contents() == ["Goofspiel"]
    page.get_by_label("Players", exact=True).select_option("6")
    assert page.get_by_text("No game fits.").first.is_visible()
    page.get_by_label("Players", exact=True).select_option("2")
    search.press("Enter")
    page.wait_for_url("**/games/goofspiel")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/t/*")
    link = page.url
    page.locator(".hand .card-button").first.wait_for()
    page.goto(site.address)
    page.get_by_role("heading", name="Go on").wait_for()
    page.get_by_role("heading", name="Watch").wait_for()
    assert page.get_by_text("Carl, Dora").is_visible()
    page.get_by_text("your turn").wait_for()
    page.get_by_role("link", name="Goofspiel").first.click()
    page.wait_for_url(link)
    leave(page)


def test_a_table_is_set_up(browser: Browser, site: TableServer) -> None:
    """Settings are checked as they are changed, and friends get links to their seats.

    What differs here from other tables follows the options, and with friends there is no seed.
    """
    page = open_page(browser, f"{site.address}/games/hearts", ignore=("422",))
    form = page.locator("form")
    form.get_by_text("Options of the rules").click()
    form.locator("#option-END").fill("0")
    form.locator("#option-END").blur()
    page.get_by_text("a game needs an end").wait_for()
    form.locator("#option-END").fill("50")
    form.locator("#option-PLAYERS").fill("3")
    form.locator("#option-PLAYERS").blur()
    page.locator("#seat-3").wait_for(state="detached")
    assert page.get_by_text("a game needs an end").is_hidden()
    lowers = page.get_by_text("Shooting the moon lowers the shooter's own score")
    assert lowers.count() == 0
    form.locator("#option-MOON").select_option("MINUS")
    lowers.wait_for()
    form.locator("#option-MOON").select_option("PLUS")
    lowers.wait_for(state="detached")
    form.get_by_text("The same cards again").click()
    form.locator("#seed").fill("5")
    form.locator("#seat-1").select_option("friend")
    assert form.locator("#seed").is_disabled()
    assert form.locator("#seed").input_value() == ""
    form.locator("#name-1").fill("Bob")
    form.locator("#seat-2").select_option("random")
    form.get_by_role("button", name="Sit down").click()
    page.get_by_role("heading", name="The table is ready").wait_for()
    friend = page.get_by_label("Seat 2, for a friend", exact=True).input_value()
    assert friend.startswith(f"{site.address}/t/")
    scene = site.ask(f"/api{friend.removeprefix(site.address)}")["scene"]
    assert scene["seat"] == 1
    assert scene["seats"][1]["name"] == "Bob"
    assert scene["game"]["options"]["END"] == "50"
    assert scene["seats"][2]["player"] == "random"
    page.get_by_role("link", name="Take your seat").click()
    page.locator(".hand").first.wait_for()
    leave(page)


def test_a_game_is_measured_when_somebody_looks(browser: Browser, site: TableServer) -> None:
    """Statistics, the diagram and the rules appear; the numbers are there as tables too."""
    page = open_page(browser, f"{site.address}/games/kuhn")
    page.locator("#statistics").scroll_into_view_if_needed()
    page.get_by_text("Decisions a game").first.wait_for()
    page.get_by_text("Numbers").first.click()
    assert page.locator(".chart table td").first.text_content() == "2"
    page.locator("#flow").scroll_into_view_if_needed()
    page.locator(".picture img").wait_for()
    assert page.evaluate("document.querySelector('.picture img').decode().then(() => true)")
    page.get_by_text("The rules in RECYCLE").click()
    page.locator(".recycle .comment").first.wait_for()
    leave(page)


def test_a_replay_is_walked_through(browser: Browser, site: TableServer, replay: str) -> None:
    """Keys, the log and the address lead to moves; a seat sees its own hand alone."""
    page = open_page(browser, f"{site.address}{replay}?move=1")
    happened = page.locator(".happened")
    happened.get_by_text("Ann").wait_for()
    assert page.locator(".open-hand .card").count() == 2
    page.keyboard.press("ArrowRight")
    page.get_by_text("Move 2 of 2").wait_for()
    page.wait_for_url("**?move=2")
    page.keyboard.press("Home")
    page.get_by_text("Move 0 of 2").wait_for()
    page.locator(".replay-log button").nth(1).click()
    page.get_by_text("Move 1 of 2").wait_for()
    page.get_by_label("Seen").select_option("1")
    page.locator(".hand .card").first.wait_for()
    assert page.locator(".open-hand .card").count() == 0
    page.wait_for_url("**seat=2**")
    page.get_by_role("button", name="Play", exact=True).click()
    page.get_by_text("Move 2 of 2").wait_for()
    page.route("**/judgement", lambda route: route.fulfill(json=JUDGED))
    page.get_by_role("button", name="Judge this move").click()
    page.get_by_text(
        "The judge would bet: what was played loses 12.0 ± 3.0 % of the chance to win the match "
        "(0.4 points in the deal), which is clearly worse."
    ).wait_for()
    leave(page)


def test_a_broken_file_says_what_is_wrong(browser: Browser, site: TableServer) -> None:
    """A file that is no saved game is refused in words, on the page where it was chosen."""
    page = open_page(browser, f"{site.address}/replay", ignore=("422",))
    choose = page.locator("input[type=file]")
    for content, said in (
        (b"{", "not a saved game, or only a part of one"),
        (b"[]", "there is no object in it"),
        (json.dumps({"format": "chess"}).encode(), "is not a saved game"),
    ):
        choose.set_input_files(
            {"name": "mine.json", "mimeType": "application/json", "buffer": content}
        )
        page.get_by_role("alert").get_by_text(said).wait_for()
    leave(page)


def test_a_season_is_looked_at(browser: Browser, site: TableServer) -> None:
    """The list leads to the season's pages, and these to a replay with judgement."""
    page = open_page(browser, f"{site.address}/seasons")
    page.get_by_role("link", name="Autumn").click()
    page.get_by_role("heading", name="Standings").wait_for()
    page.goto(f"{site.address}/seasons/autumn/replay.html#game=2")
    page.get_by_role("link", name="Replay with judgement").click()
    page.get_by_text("Autumn, game 2").wait_for()
    leave(page)
