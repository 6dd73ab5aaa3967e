"""Claims about the page of a table, in a real browser."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, Literal

import pytest
from clicks import OPEN, act, await_turn
from pages import COMPRESSED, DESKTOP, PHONE, REQUESTS, barriers, leave, open_page, weight
from served import TableServer, seats, server

from browser import browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

__all__ = ["browser", "server"]  # fixtures


@pytest.fixture(scope="module")
def link(server: TableServer) -> str:
    """Give the address of a seat in a game of Hearts."""
    return server.address + str(_hearts(server)["seats"][0]["link"])


@pytest.mark.parametrize(
    ("size", "theme"),
    [
        (DESKTOP, "light"),
        (PHONE, "dark"),
        pytest.param(DESKTOP, "dark", marks=pytest.mark.deep),
        pytest.param(PHONE, "light", marks=pytest.mark.deep),
    ],
)
def test_no_barriers(
    browser: Browser, link: str, size: tuple[int, int], theme: Literal["light", "dark"]
) -> None:
    """Nothing on the table hinders anybody, by axe-core, in light and dark."""
    page = open_page(browser, link, size, theme=theme)
    page.locator(".hand .card-button").first.wait_for()
    assert barriers(page) == []
    leave(page)


def test_weight(browser: Browser, link: str) -> None:
    """The page loads less than 150 KB in all, compressed, in few requests."""
    sizes = weight(browser, link, stream="/events")
    assert sum(sizes.values()) < COMPRESSED, sizes
    assert 5 < len(sizes) <= REQUESTS, sizes
    assert any(size > 0 and address.endswith("/events") for address, size in sizes.items()), sizes


def _hearts(server: TableServer, **wanted: Any) -> dict[str, Any]:
    return server.table("hearts", seats=seats("Ann", "", "", ""), **wanted)


def _at_turn(browser: Browser, server: TableServer, made: dict[str, Any], **how: Any) -> Page:
    """Open the first seat when it is its turn in the second trick, where not all cards fit."""
    page = open_page(browser, server.address + made["seats"][0]["link"], **how)
    await_turn(page)
    act(page, random.Random(1))
    await_turn(page)
    return page


@pytest.mark.parametrize("size", [pytest.param(DESKTOP, marks=pytest.mark.deep), PHONE])
def test_no_card_of_a_fan_is_cut_off(
    browser: Browser, server: TableServer, size: tuple[int, int]
) -> None:
    """The outer cards are turned, and their corners are on the screen all the same."""
    made = server.table("ginrummy", seats=seats("Ann", ""))
    page = open_page(browser, server.address + made["seats"][0]["link"], size)
    page.locator(".hand .card-button").nth(9).wait_for()
    edges: list[float] = page.locator(".hand .card-button").evaluate_all(
        "all => all.flatMap(one => [one.getBoundingClientRect().left, "
        "one.getBoundingClientRect().right])"
    )
    hand = page.locator(".hand").bounding_box()
    assert hand is not None
    assert page.locator(".fan").count() == 1
    assert hand["x"] <= min(edges)
    assert max(edges) <= hand["x"] + hand["width"]
    leave(page)


def test_cards_are_named_and_say_why_not(browser: Browser, server: TableServer) -> None:
    """Cards are buttons with their names; one that cannot be played is in reach and says why."""
    page = _at_turn(browser, server, _hearts(server))
    hand = page.get_by_role("region", name="Your hand")
    cards = hand.get_by_role("button")
    assert all(" of " in name for name in cards.all_inner_texts())
    refused = hand.locator("[aria-disabled=true]").first
    refused.focus()
    page.keyboard.press("w")
    page.get_by_text("Not this card: you hold").wait_for()
    leave(page)


def test_dragging_plays(browser: Browser, server: TableServer) -> None:
    """A card that is dragged onto the table is played; dropped in the hand it is not."""
    page = _at_turn(browser, server, _hearts(server))
    number = page.get_attribute(OPEN, "data-decision")
    card = page.locator(".hand .lit").first
    for height, played in ((10, False), (260, True)):
        card.hover(position={"x": 14, "y": 50})  # waits until it lies still, also after a drop
        box = card.bounding_box()
        assert box is not None
        page.mouse.down()
        page.mouse.move(box["x"] + 60, box["y"] + 50 - height, steps=4)
        page.mouse.up()
        same = page.locator(f'.table-page[data-decision="{number}"]')
        if played:
            same.wait_for(state="detached")
        else:
            assert same.count() == 1
    leave(page)


def test_taking_back_by_consent(browser: Browser, server: TableServer) -> None:
    """One who asks to take a move back waits for the others, who agree or refuse."""
    made = server.table("hearts", seats=seats("Ann", "Ben", "", ""), practice=True)
    first, second = (open_page(browser, server.address + one["link"]) for one in made["seats"])
    await_turn(first)
    number = first.get_attribute(OPEN, "data-decision")
    act(first, random.Random(1))
    await_turn(second)
    for answer in ("Refuse", "Agree"):
        first.get_by_role("button", name="Take back").click()
        first.locator(".undo").get_by_text("You ask to take back a move").wait_for()
        second.get_by_text("Ann would like to take back a move").wait_for()
        second.get_by_role("button", name=answer).click()
        second.locator(".undo").wait_for(state="detached")
    first.locator(f'.table-page[data-decision="{number}"]').wait_for()
    leave(first)
    leave(second)


@pytest.mark.slow
def test_windows(browser: Browser, server: TableServer) -> None:
    """Every window opens by its letter, is without barriers, and closes by Escape."""
    page = _at_turn(browser, server, _hearts(server))
    for letter, name, content in (
        ("r", "Rules", "must follow the suit led"),
        ("t", "Last trick", "took it"),
        ("s", "Scores", "The lowest score wins"),
        ("p", "Settings", "Four colours"),
        ("f", "Seats and links", "computer player"),
        ("?", "Keys", "move over your hand"),
    ):
        page.keyboard.press(letter)
        window = page.get_by_role("dialog", name=name)
        window.get_by_text(content).first.wait_for()
        assert barriers(page, "dialog[open]") == []
        page.keyboard.press("Escape")
        window.wait_for(state="detached")
    leave(page)


def test_sentences_agree_with_persons(browser: Browser, server: TableServer) -> None:
    """The log says `you are` of oneself, also under a name, and counts are of one or several."""
    page = open_page(browser, server.address + _hearts(server)["seats"][0]["link"])
    page.locator(".hand .card-button").first.wait_for()
    told = """([kind, seat, words]) => import("/static/js/table/log.js").then(({ told }) =>
        told({ kind, seat, words }, [{ name: "Ben" }, { name: "Cleo" }], 0))"""
    for kind, seat, words, sentence in (
        ("table", None, "A computer player takes your seat", "A computer player takes your seat."),
        ("table", 1, "sits down", "Cleo sits down."),
        ("move", 0, "play the queen", "You play the queen."),
        ("deal", None, "deal 2 begins", "Deal 2 begins."),
    ):
        assert page.evaluate(told, [kind, seat, words]) == sentence
    counted = "([n, noun]) => import('/static/js/words.js').then(({ counted }) => counted(n, noun))"
    assert page.evaluate(counted, [1, "card"]) == "1 card"
    assert page.evaluate(counted, [3, "card"]) == "3 cards"
    unseen = page.locator(".own-plaque .unseen").inner_text()
    assert unseen.startswith("You are Ann")
    leave(page)


@pytest.mark.parametrize("alone", [True, pytest.param(False, marks=pytest.mark.deep)])
def test_one_choice_is_the_only_one(browser: Browser, server: TableServer, *, alone: bool) -> None:
    """A list of one choice is not called `all 1 choices`; who gave no name is no `You are You`."""
    first = {"kind": "person"} if alone else {"kind": "person", "name": "Ann"}
    wanted = {"options": {"PLAYERS": 3}, "seats": [first, *seats("", "")]}
    page = open_page(browser, server.address + server.table("hearts", **wanted)["seats"][0]["link"])
    chance = random.Random(1)
    while await_turn(page):
        summary = page.locator(".all-choices summary").inner_text()
        count = page.locator(".hand .card-button.lit").count()
        assert summary == (
            "The only choice in words" if count == 1 else f"All {count} choices in words"
        )
        unseen = page.locator(".own-plaque .unseen").inner_text()
        assert unseen.startswith("Your seat, " if alone else "You are Ann, ")
        if count == 1:
            break
        act(page, chance)
    leave(page)


def test_open_spectators(browser: Browser, server: TableServer) -> None:
    """Who watches an open table sees all hands, and can do nothing."""
    made = _hearts(server, watch="open")
    page = open_page(browser, server.address + made["watch"])
    page.locator(".open-hand").first.wait_for()
    assert page.locator(".open-hand .card").count() == 52
    assert page.locator(".hand, .answers").count() == 0
    assert barriers(page) == []
    leave(page)


@pytest.mark.parametrize(("game", "players"), [("scarto", 3), ("hearts", 8)])
def test_nothing_sticks_out(browser: Browser, server: TableServer, game: str, players: int) -> None:
    """No page is wider than a phone, or than a window at 200 % zoom, however many play."""
    options = {"PLAYERS": players, "PACKS": 2} if players == 8 else {}
    made = server.table(game, seats=seats("Ann", *[""] * (players - 1)), options=options)
    for size in (PHONE, (640, 400)):
        page = open_page(browser, server.address + made["seats"][0]["link"], size)
        page.locator(".board").wait_for()
        page.wait_for_function(f"document.documentElement.scrollWidth <= {size[0]}")
        leave(page)


def test_theme_and_quiet(browser: Browser, link: str) -> None:
    """Colours that are chosen survive a reload, and nothing makes a sound until it is asked to."""
    page = open_page(browser, link)
    page.evaluate("() => { window.made = 0; window.AudioContext = class { m = made++; }; }")
    page.get_by_role("button", name="Show dark colours").click()
    assert page.evaluate("made") == 0
    page.reload()
    page.get_by_role("button", name="Show light colours").wait_for()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    leave(page)


SELECTION = """async () => {
    const {matching, exact, pickable, toggled, decided, NOTHING} =
        await import('/static/js/table/selection.js');
    const option = (index, cards, players = []) => ({index, words: '', cards, players});
    const pairs = [option(0, [1, 2]), option(1, [1, 3]), option(2, [2, 3])];
    const one = toggled(pairs, NOTHING, 1);
    const two = toggled(pairs, one, 3);
    const capture = [option(0, [7, 3, 4]), option(1, [5])];
    const asks = [option(0, [1], [1]), option(1, [1], [2]), option(2, [4], [2])];
    const seat = {cards: new Set(), player: 2};
    return {
        picked: [...one.cards], both: [...two.cards], found: exact(pairs, two).map(o => o.index),
        off: [...toggled(pairs, two, 1).cards], sure: decided(pairs, two),
        completed: [...toggled(capture, NOTHING, 7).cards],
        instead: [...toggled(capture, toggled(capture, NOTHING, 7), 5).cards],
        single: decided(capture, toggled(capture, NOTHING, 5)).index,
        unsure: decided(asks, toggled(asks, NOTHING, 1)),
        ofSeat: [...pickable(asks, seat)], named: matching(asks, seat).map(o => o.index),
        whole: exact(asks, toggled(asks, seat, 4)).map(o => o.index),
    };
}"""


def test_what_a_pick_means(browser: Browser, link: str) -> None:
    """Cards and seats are picked one by one; what leaves no doubt is completed, or chosen."""
    page = open_page(browser, link)
    assert page.evaluate(SELECTION) == {
        "picked": [1],
        "both": [1, 3],
        "found": [1],
        "off": [3],
        "sure": None,
        "completed": [7, 3, 4],
        "instead": [5],
        "single": 1,
        "unsure": None,
        "ofSeat": [1, 4],
        "named": [1, 2],
        "whole": [2],
    }
    leave(page)


BOXES = """() => ['.felt', '.own-bar', '.hand'].map(one => {
    const { top, bottom } = document.querySelector(one).getBoundingClientRect();
    return [top, bottom];
})"""


HINT = (
    "Hint: play the queen of diamonds: 10.4 ± 0.1 points by the end of this deal; 34.7 ± 0.1 % "
    "chance to win the match. It may be as good to play the 3 of spades."
)


@pytest.mark.parametrize("size", [(844, 390), pytest.param(PHONE, marks=pytest.mark.deep), DESKTOP])
def test_all_on_one_screen_and_still(
    browser: Browser, server: TableServer, size: tuple[int, int]
) -> None:
    """A phone held sideways shows table, hand and choices at once; words of a hint move nothing."""
    page = _at_turn(browser, server, _hearts(server), size=size)
    before = page.evaluate(BOXES)
    cards = page.locator(".hand .card").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect().bottom)"
    )
    assert max(cards) <= size[1]
    assert before[0][0] >= 0
    page.locator(".hand [aria-disabled=true]").first.press("w")
    page.get_by_text("Not this card: you hold").wait_for()
    assert page.evaluate(BOXES) == before
    page.keyboard.press("Escape")
    page.get_by_text("Not this card: you hold").wait_for(state="detached")
    page.locator(".hint-words").evaluate("(one, words) => { one.textContent = words; }", HINT)
    assert page.evaluate(BOXES) == before
    leave(page)


CALLS = """async moves => {
    const {callsOf} = await import('/static/js/table/calls.js');
    const event = ([seat, words, cards = []], number) => ({
        kind: 'move', number, seat, words, cards, changes: [], deal: null,
    });
    return callsOf(moves.map(event)).map(({seat, words}) => `${seat} ${words}`);
}"""


@pytest.mark.parametrize(
    ("moves", "calls"),
    [
        (
            [[1, "bids 1 in clubs"], [2, "passes"], [0, "bid 18"]],
            ["1 1 in clubs", "2 pass", "0 18"],
        ),
        ([[1, "passes 3 cards"]], []),
        ([[1, "tells you which are red"]], []),
        ([[1, "bids 18"], [1, "plays the ace of clubs", [7]]], []),
    ],
)
def test_calls_of_an_auction(browser: Browser, link: str, moves: Any, calls: list[str]) -> None:
    """What is said in turn is an auction, until a card moves, also one that is not seen."""
    page = open_page(browser, link)
    assert page.evaluate(CALLS, moves) == calls
    leave(page)


def test_bids_in_a_box(browser: Browser, server: TableServer) -> None:
    """Bids in numbers and suits are in rows and columns; what was called stands on the table."""
    made = server.table("bridge", seats=seats("Ann", "", "", "", player="first"))
    page = open_page(browser, server.address + made["seats"][0]["link"], PHONE)
    box = page.get_by_role("list", name="Bid in")
    box.get_by_role("button", name="Bid 7 in no trump").wait_for()
    assert box.get_by_role("button").count() == 35
    assert box.locator("[aria-hidden=true]").all_inner_texts()[:5] == [
        "1♣",
        "1♦",
        "1♥",
        "1♠",
        "1NT",
    ]
    page.get_by_role("button", name="Bid 1 in spades").click()
    page.locator(".hand-pile .card").nth(12).wait_for()
    assert page.locator(".signs").inner_text() == "trumps"
    assert page.locator(".sides li").count() == 2
    page.get_by_role("listitem").filter(has_text="contract 1♠ by you").wait_for()
    assert barriers(page, ".board") == []
    leave(page)


@pytest.mark.parametrize("size", [(844, 390), pytest.param(PHONE, marks=pytest.mark.deep)])
def test_a_finger_draws_from_the_stock(
    browser: Browser, server: TableServer, size: tuple[int, int]
) -> None:
    """A click on the stock draws, discards show the top one, and the hand is laid in melds."""
    made = server.table("ginrummy", seats=seats("Ann", "", player="first"), seed="11")
    page = open_page(browser, server.address + made["seats"][0]["link"], size)
    page.get_by_role("button", name="Pass").click()
    stock = page.locator("button.on-table:has(.face-down)")
    while not stock.is_visible():
        await_turn(page)
        if not stock.is_visible():
            act(page, random.Random(1))
    box = stock.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 40
    assert page.locator(".pile", has_text="discard pile").locator(".card").count() == 1
    page.locator(".left-over", has_text="Deadwood").wait_for()
    assert barriers(page, ".board") == []
    cards = page.locator(".hand .card-button").count()
    stock.click()
    page.locator(".hand .card-button").nth(cards).wait_for()
    leave(page)


LAID = """async groups => {
    const {laidOut} = await import('/static/js/table/order.js');
    const hand = [1, 2, 3, 4, 5].map(id => ({id}));
    return laidOut({hand, groups}).map(({id}) => id);
}"""


def test_groups_of_a_hand_come_first(browser: Browser, link: str) -> None:
    """The cards in no group follow, in the order of the game; without groups nothing changes."""
    page = open_page(browser, link)
    assert page.evaluate(LAID, {"groups": [[4, 2], [5]], "words": ""}) == [4, 2, 5, 1, 3]
    assert page.evaluate(LAID, {"groups": [], "words": ""}) == [1, 2, 3, 4, 5]
    assert page.evaluate(LAID, None) == [1, 2, 3, 4, 5]
    leave(page)


def test_a_card_face_down_is_chosen_where_it_lies(browser: Browser, server: TableServer) -> None:
    """In a grid of one's own, and in no other; there is no button for it besides."""
    made = server.table("golfsix", seats=seats("Ann", *[""] * 3, player="first"), seed="7")
    page = open_page(browser, server.address + made["seats"][0]["link"])
    page.get_by_role("button", name="Draw a card from the stock").last.click()
    page.locator(".hand .card-button").wait_for()
    assert page.locator("button.on-table:has(.face-down)").count() == 4
    assert page.locator(".seat:not(.own) button").count() == 0
    assert page.locator(".actions .answers button").count() == 0
    down = page.locator(".own button:has(.face-down)").first
    down.click()
    page.locator(".own .face-down").nth(3).wait_for(state="detached")
    leave(page)
