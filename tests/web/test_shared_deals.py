"""Deals in links: who may have them, what they bring back, and what a stranger may write."""

from __future__ import annotations

import base64
import json
import zlib

import pytest
from in_process import in_process, thinking_here
from pages import barriers, leave, open_page
from seated import PERSON, RANDOM, drawing, table
from served import TableServer, server

from browser import browser
from cardwright.game.find import find
from cardwright.web.studio_routes import EMPTY

__all__ = ["browser", "server"]  # fixtures


@pytest.fixture(scope="module")
def client():
    with thinking_here(), in_process() as made:
        yield made


def hands(seated):
    """Return what somebody sees of its cards."""
    return seated.look()["scene"]["hand"]


def test_a_deal_is_played_again(client):
    """With the same rules, cards and players, from the seat of whoever shares it."""
    (one,), _ = table(client, "kuhn", RANDOM, PERSON, options={"BET": 2}, seed="77")
    deal = one.post("deal").json()
    assert deal == {
        "game": "kuhn",
        "preset": None,
        "options": {"BET": 2},
        "seats": [RANDOM, PERSON],
        "seed": "77",
    }
    (other,), _ = table(client, deal.pop("game"), *deal.pop("seats"), **deal)
    assert hands(other) == hands(one)


def test_rules_go_with_a_deal(client):
    (one,), _ = table(client, None, PERSON, RANDOM, source=EMPTY)
    deal = one.post("deal").json()
    assert deal.pop("game") == "your rules"
    assert deal["source"] == EMPTY
    (other,), _ = table(client, None, *deal.pop("seats"), **deal)
    assert hands(other) == hands(one)


def test_several_people_share_a_deal_when_the_game_is_over(client):
    """Else one of them would know the hands of all."""
    (one, other), watch = table(client, "kuhn", PERSON, PERSON, seed="3")
    assert [each.code("deal") for each in (one, other, watch)] == ["not-over"] * 3
    while (scene := one.look()["scene"])["over"] is None:
        next(each for each in (one, other) if each.look()["scene"]["decision"]).choose()
    assert scene["over"]
    deal = other.post("deal").json()
    assert (deal["seed"], deal["seats"][1]) == ("3", PERSON)
    assert deal["seats"][0]["kind"] == "computer"
    assert watch.post("deal").json()["seats"][0] == PERSON


def test_who_watches_one_person_has_no_deal(client):
    (one,), watch = table(client, "kuhn", PERSON, RANDOM)
    assert one.post("deal").status_code == 200
    assert watch.code("deal") == "not-over"


def test_who_watches_computer_players_has_their_deal(client):
    _, watch = table(client, "kuhn", RANDOM, RANDOM)
    assert watch.post("deal").json()["seats"] == [PERSON, RANDOM]


def written(value):
    """Return a value as a link has it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    text = value if isinstance(value, str) else json.dumps(value)
    content = packer.compress(text.encode()) + packer.flush()
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


DEAL = {
    "title": "<img src=x onerror='document.title=1'>" * 9,
    "game": "kuhn",
    "source": None,
    "preset": None,
    "options": {},
    "seats": [PERSON, RANDOM],
    "seed": "5",
}


@pytest.mark.slow
def test_a_deal_is_shared_by_a_link(browser, server: TableServer):
    """The rules are those of the site where it has the same, so that titles and words are its."""
    with drawing(5):
        made = server.table("kuhn", seats=[PERSON, RANDOM])
    page = open_page(browser, server.address + made["seats"][0]["link"])
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("The link", exact=True).input_value()
    assert link.startswith(f"{server.address}/deal#deal=")
    faces = "cards => cards.map(card => card.dataset.face)"
    hand = page.locator(".hand [data-face]").evaluate_all(faces)
    assert len(hand) == 1
    leave(page)
    for source in (None, find("kuhn").text, EMPTY):
        address = link if source is None else f"#deal={written({**DEAL, 'source': source})}"
        reader = open_page(browser, f"{server.address}/about")
        reader.goto(address if source is None else f"{server.address}/deal{address}")
        play = reader.get_by_role("button", name="Play this deal")
        play.wait_for()
        assert source is not None or not barriers(reader)
        play.click()
        reader.locator(".table-page").wait_for()
        own = source == EMPTY
        title = "your rules" if own else "Kuhn Poker"
        assert reader.locator(".toolbar h1").inner_text().startswith(title)
        assert own or reader.locator(".hand [data-face]").evaluate_all(faces) == hand
        leave(reader)


@pytest.mark.slow
def test_what_a_stranger_writes_in_a_link(browser, server: TableServer):
    """Nothing is carried out, nothing is unpacked without end, and the server refuses the rest."""
    page = open_page(browser, server.address, ignore=("404", "422"))
    for letters in ("", "~", "AAAA", written("null"), written("7"), written({}), written("[")):
        page.goto("about:blank")
        page.goto(f"{server.address}/deal#deal={letters}")
        page.get_by_text("There is no whole deal in this link").wait_for()
    bomb = written('{"title": "' + "a" * 2**28 + '"}')
    assert len(bomb) < 2**19
    page.goto("about:blank")
    page.goto(f"{server.address}/deal#deal={bomb}")
    page.get_by_text("There is no whole deal in this link").wait_for()
    for changes, said in (
        ({"game": "../../etc/passwd"}, "there is no game"),
        ({"seed": "-1"}, "a seed is a text of digits"),
        ({"seats": [PERSON, {"kind": "computer", "player": "python:a.py:A"}]}, "cannot sit at a"),
        ({"seats": [PERSON] * 40}, "seats here"),
        ({"options": {"BET": {"a": 1}}}, "BET"),
        ({"source": "(game"}, "E"),
    ):
        page.goto("about:blank")
        page.goto(f"{server.address}/deal#deal={written({**DEAL, **changes})}")
        assert page.locator("h1").inner_text() == DEAL["title"][:60]
        page.get_by_role("button", name="Play this deal").click()
        page.locator("[role=status]", has_text=said).wait_for()
        assert page.locator("img").count() == 0
    leave(page)
