"""Sites in a browser: no errors, all moves of a replay, sorting, and every width and scheme."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from plain_league import score
from seasons import game
from site_browser import HOSTILE, NAMES, plan_of, play

from browser import browser
from cardwright.league.block import BotFault
from cardwright.league.site.build import write_site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page, ViewportSize

__all__ = ["browser"]

DESKTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
GAMES = 12
STEPS = 56
LATE = game(2)[1][20][0]
"""The seat that plays the ninth card of the second round of the third game."""

FAULT = BotFault(2, LATE, 2, 20, "late", "took <b>99</b> ms")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("season")
    write_site(play(folder, plan_of(NAMES, GAMES), [FAULT]), folder / "Site")
    return folder / "Site"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    plan = plan_of(HOSTILE, 6, [[0, 1, 2, 3], [4, 5, 0, 1], [2, 3, 4, 5]] * 2)
    faults = [BotFault(0, seat, 1, 3, "raised", HOSTILE[seat]) for seat in range(4)]
    write_site(play(folder, plan, faults), folder / "Site")
    return folder / "Site"


@pytest.fixture(scope="module")
def watched(browser: Browser) -> tuple[Page, list[str]]:
    """Give a page that all tests use in turn, which is much quicker than one each; its errors."""
    opened = browser.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("console", lambda one: errors.append(one.text) if one.type != "log" else None)
    opened.on("requestfailed", lambda one: errors.append(one.url))
    return opened, errors


@pytest.fixture
def page(watched: tuple[Page, list[str]], request: pytest.FixtureRequest) -> Iterator[Page]:
    """Give a page whose errors fail the test."""
    opened, errors = watched
    size, scheme = getattr(request, "param", (DESKTOP, "light"))
    opened.set_viewport_size(size)
    opened.emulate_media(color_scheme=scheme)
    yield opened
    seen = list(errors)
    opened.goto("about:blank")  # the next test may want the same file, at another place in it
    errors.clear()
    assert not seen


def visit(page: Page, site: Path, name: str) -> None:
    page.goto(f"{(site / name.partition('#')[0]).as_uri()}{''.join(name.partition('#')[1:])}")
    if name.startswith("replay"):
        page.wait_for_selector("#replay:not([hidden])")
    if name.startswith("games"):
        page.wait_for_selector("#games:not([hidden])")


PAGES = (
    "index.html", "bot-1.html", "bot-2.html", "games.html", "worth.html",
    "replay.html#game=1&step=20",
)  # fmt: skip


@pytest.mark.parametrize(
    ("page", "which"),
    [
        pytest.param((PHONE, "light"), "hostile", id="hostile phone"),
        pytest.param((DESKTOP, "dark"), "site", id="site desktop"),
        pytest.param((PHONE, "light"), "site", id="site phone", marks=pytest.mark.deep),
        pytest.param((DESKTOP, "dark"), "hostile", id="hostile desktop", marks=pytest.mark.deep),
    ],
    indirect=["page"],
)
def test_pages_fit_and_have_no_errors(
    page: Page, which: str, request: pytest.FixtureRequest
) -> None:
    """No page scrolls sideways or has an error, and no name became markup."""
    site = request.getfixturevalue(which)
    for name in PAGES:
        visit(page, site, name)
        widths = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert widths[0] <= widths[1], name
        assert page.locator("img, b b").count() == 0
        assert page.title() != "broken"


@pytest.mark.parametrize(
    ("page", "dark"), [((DESKTOP, "dark"), True), ((DESKTOP, "light"), False)], indirect=["page"],
    ids=["dark", "light"],
)  # fmt: skip
def test_colours_follow_the_scheme(page: Page, site: Path, dark: bool) -> None:
    """Text is light on dark, or dark on light, and the text on it has a contrast of 7 at least."""
    visit(page, site, "index.html")
    ground, ink = page.evaluate(
        "['backgroundColor', 'color'].map(one => getComputedStyle(document.body)[one])"
    )
    one, other = _luminance(ground), _luminance(ink)
    assert (one < other) == dark
    assert (max(one, other) + 0.05) / (min(one, other) + 0.05) > 7


def _luminance(colour: str) -> float:
    """Return the relative luminance of `rgb(r, g, b)` by WCAG 2."""
    parts = [int(one) / 255 for one in colour[4:-1].split(",")]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_table_is_sorted_by_a_click(page: Page, site: Path) -> None:
    """By numbers or names, both ways; what is sorted is said."""
    visit(page, site, "index.html")
    rows = ".standings tbody tr"

    def values(key: str) -> list[str]:
        found: list[str] = page.eval_on_selector_all(
            rows, "(rows, key) => rows.map(row => row.dataset[key])", key
        )
        return found

    page.click("button[data-key=points]")
    up = [float(one) for one in values("points")]
    assert up == sorted(up)
    assert page.get_attribute("th:has(button[data-key=points])", "aria-sort") == "ascending"
    page.click("button[data-key=points]")
    assert [float(one) for one in values("points")] == up[::-1]
    page.focus("button[data-key=name]")
    page.keyboard.press("Enter")
    assert values("name") == sorted(name.lower() for name in NAMES)
    page.click("button[data-key=p1]")
    first = [float(one) for one in values("p1")]
    assert first == sorted(first, reverse=True)
    assert page.locator("th[aria-sort]").count() == 1


def test_games_are_found_by_bot(page: Page, site: Path) -> None:
    """By one bot, two bots, with faults, by number; a link from a bot's page chooses it."""
    visit(page, site, "games.html")
    assert page.inner_text("#count") == f"{GAMES} games"
    page.check("#faulty")
    assert page.inner_text("#count") == "1 game"
    assert page.inner_text("#list th") == "3"
    page.uncheck("#faulty")
    page.fill("#number", "5")
    assert page.get_attribute("#list a", "href") == "replay.html#game=5"
    visit(page, site, "bot-2.html")
    page.click("text=Its games")
    page.wait_for_selector("#games:not([hidden])")
    assert page.input_value("#bot") == "2"


FOLLOWED = """() => Array.from({length: 56}, () => {
    const all = (where) => [...document.querySelectorAll(where)].map((one) => one.innerText);
    const step = {
        round: Number(document.getElementById("round").value),
        words: document.getElementById("words").innerText,
        cards: all(".slot .card").length,
        played: all(".pip.played").length,
        points: all(".seat .points b").map(Number),
        scores: all("#scores tbody tr.now td").map((cell) => Number(cell.split(" ")[0])),
        ended: document.getElementById("forward").disabled,
        final: document.getElementById("final").innerText,
    };
    document.getElementById("forward").click();
    return step;
})"""
"""Goes through a round card by card, and says what was seen."""


def test_games_of_two_bots_are_found(page: Page, hostile: Path) -> None:
    """Those in which both sit."""
    visit(page, hostile, "games.html")
    page.select_option("#bot", value="1")
    assert page.inner_text("#count") == "4 games"
    page.select_option("#other", value="5")
    assert page.inner_text("#count") == "2 games"
    assert page.locator("#list a").all_inner_texts() == ["2", "5"]


def test_a_replay_goes_through_the_whole_game(page: Page, site: Path) -> None:
    """Card by card to the end, where the points are those of the records; every card is shown."""
    number = 3
    assert any(sum(score(one)) == 78 for one in game(number)), "with a moon in it"
    visit(page, site, f"replay.html#game={number + 1}")
    points = [0, 0, 0, 0]
    for at, choices in enumerate(game(number)):
        steps = page.evaluate(FOLLOWED)
        assert {step["round"] for step in steps} == {at}
        plays = steps[3:-1]
        assert [step["words"].split(" ")[2].rstrip(".;") for step in plays] == [
            _card(card) for _, card in choices[12:]
        ]
        assert [step["cards"] for step in plays] == [1, 2, 3, 4] * 13
        assert [step["played"] for step in plays] == list(range(1, 53))
        assert all(step["points"] == points for step in steps[:-1])
        points = [one + more for one, more in zip(points, score(choices), strict=True)]
        assert steps[-1]["points"] == steps[-1]["scores"] == points
        assert not any(step["ended"] for step in steps[:-1])
    assert at == len(game(number)) - 1
    assert steps[-1]["ended"]
    least = min(points)
    won = [name for name, got in zip(_names(number), points, strict=True) if got == least]
    assert steps[-1]["final"] == f"{' and '.join(won)} won with {least} points."


def _card(card: int) -> str:
    rank = card % 13
    return f"{rank + 2 if rank < 9 else 'JQKA'[rank - 9]}{'♣♦♠♥'[card // 13]}"


def _names(number: int) -> list[str]:
    return [NAMES[entry] for entry in plan_of(NAMES, GAMES).schedule[number].tolist()]


def test_hands_are_those_that_were_dealt_and_passed(page: Page, site: Path) -> None:
    """Dealt, with the cards marked that are passed on, and after the pass those that came."""
    choices = game(0)[1]  # its second round: passed to the seat before
    visit(page, site, "replay.html#game=1&round=2&step=1")
    sides = ["south", "west", "north", "east"]
    for seat, side in enumerate(sides):
        giver = (seat - 3) % 4
        gave = {_card(card) for who, card in choices[:12] if who == seat}
        got = {_card(card) for who, card in choices[:12] if who == giver}
        held = {_card(card) for who, card in choices[12:] if who == seat}
        assert _hand(page, side) == (held - got) | gave
        assert _hand(page, side, ".passed") == gave
        page.press("body", "ArrowRight")
        assert _hand(page, side) == held
        assert _hand(page, side, ".received") == got - gave
        page.press("body", "ArrowLeft")


def _hand(page: Page, side: str, marks: str = "") -> set[str]:
    """Return the cards of a hand, those with certain marks alone if asked."""
    script = """([side, marks]) => [...document.querySelectorAll(`.seat.${side} .suit`)].flatMap(
        row => [...row.querySelectorAll(`.pip${marks}`)].map(
            pip => pip.innerText + row.querySelector('i').innerText))"""
    found = page.evaluate(script, [side, marks])
    assert len(found) == len(set(found))
    return set(found)


def test_keys_move_a_replay(page: Page, site: Path) -> None:
    """A card, a trick, a round, the ends of the game; hands are hidden and shown again."""
    visit(page, site, "replay.html#game=1&round=2&step=10")

    def here() -> tuple[int, int]:
        place = dict(one.split("=") for one in page.evaluate("location.hash")[1:].split("&"))
        return int(place["round"]), int(place["step"])

    for key, expected in (
        ("ArrowRight", (2, 11)), ("ArrowLeft", (2, 10)), ("Shift+ArrowRight", (2, 14)),
        ("Shift+ArrowRight", (2, 18)), ("Shift+ArrowLeft", (2, 14)), ("ArrowUp", (2, 0)),
        ("ArrowUp", (1, 0)), ("ArrowDown", (2, 0)), ("Shift+ArrowLeft", (1, 55)),
        ("End", (len(game(0)), 55)), ("ArrowRight", (len(game(0)), 55)), ("Home", (1, 0)),
    ):  # fmt: skip
        page.keyboard.press(key)
        assert here() == expected, key
    page.keyboard.press("h")
    assert page.locator(".back").count() == 52
    assert page.locator(".pip").count() == 0
    page.keyboard.press("h")
    assert page.locator(".pip").count() == 52
    page.select_option("#hands", value="1")
    assert (page.locator(".pip").count(), page.locator(".back").count()) == (13, 39)
    page.locator("#hands").blur()
    page.keyboard.press("ArrowRight")  # what others pass on is hidden too
    assert (page.locator(".slot .card").count(), page.locator(".slot .back").count()) == (3, 9)


def test_a_replay_plays_and_pauses(page: Page, site: Path) -> None:
    """Space starts it, and stops it."""
    visit(page, site, "replay.html#game=1")
    page.select_option("#speed", value="80")
    page.locator("#speed").blur()
    page.keyboard.press("Space")
    page.wait_for_url(re.compile("step=(?:[4-9]|[1-5][0-9])$"))
    assert page.inner_text("#play") == "Pause"
    page.keyboard.press("Space")
    assert page.inner_text("#play") == "Play"
    stopped = page.input_value("#slider")
    page.wait_for_timeout(200)
    assert page.input_value("#slider") == stopped


def test_places_can_be_chosen(page: Page, site: Path) -> None:
    """Rounds and tricks from lists, any place with the slider, other games by their links."""
    visit(page, site, "replay.html#game=1")
    page.select_option("#round", label="3")
    page.select_option("#trick", label="4")
    assert page.evaluate("location.hash") == "#game=1&round=3&step=15"
    page.fill("#slider", str(STEPS + 7))
    assert page.evaluate("location.hash") == "#game=1&round=2&step=7"
    page.click("#later")
    page.wait_for_selector("#title:has-text('Game 2')")
    assert page.inner_text("#title") == "Game 2"
    page.goto(page.url.partition("#")[0] + "#game=999")
    page.wait_for_selector("#problem:not([hidden])")
    assert "no replay" in page.inner_text("#problem")
    page.goto(page.url.partition("#")[0] + "#game=12&round=99&step=-4")
    page.wait_for_selector("#replay:not([hidden])")
    assert page.input_value("#round") == str(len(game(11)) - 1)


def test_faults_are_marked_at_their_move(page: Page, site: Path) -> None:
    """The card is marked, the words say so, and the list of faults leads there."""
    visit(page, site, "replay.html#game=3")
    assert page.locator(".card.fault").count() == 0
    page.click("#faults button")
    assert page.evaluate("location.hash") == "#game=3&round=2&step=11"
    assert page.locator(".card.fault").count() == 1
    assert page.inner_text("#words").startswith(f"⚠ {_names(2)[LATE]}: late. {_names(2)[LATE]} ")
    assert page.inner_text("#faults code") == FAULT.message
    assert page.locator("#faults li.now").count() == 1


def test_a_missing_file_is_named(browser: Browser, site: Path, tmp_path: Path) -> None:
    """A reader is told what is wrong with the folder."""
    import shutil

    copy = tmp_path / "Site"
    shutil.copytree(site, copy)
    (copy / "data" / "games-000001.js").unlink()
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{(copy / 'replay.html').as_uri()}#game=7")
    page.wait_for_selector("#problem:not([hidden])")
    assert "games-000001.js is missing" in page.inner_text("#problem")
    context.close()


def test_tables_can_be_read_without_scripts(browser: Browser, site: Path) -> None:
    """Standings and bots are whole; games say what they need."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    assert page.locator(".standings tbody tr").count() == len(NAMES)
    page.goto((site / "games.html").as_uri())
    assert "need JavaScript" in page.inner_text("main")
    context.close()
