"""Rests after a deal on the server: who goes on, what ends them, and how the page shows them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

import pytest
from clicks import NEXT, OPEN, OVER, REST, go_on, play_out, play_together, press_card
from in_process import in_process, thinking_here
from pages import DESKTOP, PHONE, barriers, leave, open_page
from seated import PERSON, RANDOM, Seated, table
from served import TableServer, seats, server

from browser import browser
from cardwright.table import table as tables
from cardwright.web.limits import Limits
from cardwright.web.live_table import LiveTable
from patience import PATIENCE
from two_deals import TWO_DEALS

if TYPE_CHECKING:
    from in_process import InProcessClient
    from playwright.sync_api import Browser

__all__ = ["browser", "server"]  # fixtures

WANTED = {"ROUNDS": 2, "PLAYERS": 8}
"""Hearts of two deals of six cards."""


def _choose_twice(ann: Seated, ben: Seated) -> None:
    for _ in range(2):
        due = ann.look()["scene"]["due"]
        assert (ann, ben)[due].choose(1 - due).is_success


def _until_rest(client: InProcessClient, people: list[Seated], most: int = 4000) -> None:
    """Let people choose their first options until the table rests; they look all the time."""

    async def played() -> None:
        for _ in range(most):
            for one in people:
                scene = (await client.client.get(one.api)).json()["scene"]
                if scene["deal_end"]:
                    return
                if scene["decision"]:
                    body = {"number": scene["number"], "option": 0}
                    await client.client.post(f"{one.api}/choose", json=body)
                await asyncio.sleep(0.01)
        raise AssertionError("no deal ends")

    client.run(played())


def test_people_go_on_by_requests():
    """Nobody can decide while the table rests; each goes on once, and late answers are stale."""
    with in_process() as client:
        (ann, ben), watch = table(client, None, PERSON, PERSON, source=TWO_DEALS)
        assert watch is not None
        _choose_twice(ann, ben)
        end = ann.look()["scene"]["deal_end"]
        assert (end["number"], end["points"], end["totals"]) == (1, [2, 1], [2, 1])
        assert (end["waiting_for"], end["seconds"], end["results"]) == ([0, 1], 30.0, [])
        assert ann.code("choose", number=2, option=0) == "resting"
        assert ann.code("hint") == "not-allowed"
        assert watch.code("go-on", deal=1) == "not-allowed"
        assert ann.code("go-on", deal=2) == "stale"
        assert ann.post("go-on", deal=1).is_success
        assert watch.look()["scene"]["deal_end"]["waiting_for"] == [1]
        assert ben.post("go-on", deal=1).is_success
        assert ben.code("go-on", deal=1) == "stale"
        assert ann.look()["scene"]["deal"] == 2
        _choose_twice(ann, ben)
        scene = ben.look()["scene"]
        assert scene["over"]["scores"] == [4, 2]
        assert scene["deal_end"]["number"] == 2
        assert scene["deal_end"]["waiting_for"] == []


def test_a_rest_outlives_the_server(tmp_path):
    with in_process(data=tmp_path) as client:
        (ann,), _ = table(client, None, PERSON, RANDOM, source=TWO_DEALS)
        _until_rest(client, [ann])
        before = ann.look()
    with in_process(data=tmp_path) as client:
        ann = Seated(client, ann.api)
        after = ann.look()
        assert after["scene"] == before["scene"]
        assert ann.code("hint") == "resting"
        assert ann.post("go-on", deal=1).is_success
        assert ann.look()["scene"]["deal_end"] is None


def test_a_rest_among_people_ends_by_itself(monkeypatch):
    """After a limit the server goes on for those who do not; one person alone has all the time."""
    monkeypatch.setattr(tables, "REST_AMONG_PEOPLE", 0.05)
    limits = Limits(requests=1e6, burst=10**6)
    with thinking_here(), in_process(own_limits=limits) as client:
        for people in (2, 1):
            seated, _ = table(
                client, "hearts", *[PERSON] * people, *[RANDOM] * (8 - people), options=WANTED
            )
            _until_rest(client, seated)

            async def later(one: Seated = seated[0], *, ends: bool = people > 1) -> None:
                for _ in range(4000 if ends else 10):
                    scene = (await client.client.get(one.api)).json()["scene"]
                    if scene["deal_end"] is None:
                        assert ends
                        assert scene["deal"] == 2
                        return
                    await asyncio.sleep(0.02)
                assert not ends

            client.run(later())


@pytest.mark.parametrize(
    ("size", "theme"),
    [pytest.param(DESKTOP, "light", marks=pytest.mark.deep), (PHONE, "dark")],
)
def test_the_page_rests_and_goes_on_by_keys(
    browser: Browser, server: TableServer, size: tuple[int, int], theme: Literal["light", "dark"]
) -> None:
    """The last trick and the points are seen, also after loading anew; Enter deals the next."""
    made = server.table("hearts", options=WANTED, seats=seats("Ann", *[""] * 7))
    page = open_page(browser, server.address + made["seats"][0]["link"], size, theme=theme)
    page.locator(f"{OPEN}, {NEXT}").first.wait_for(state="attached")
    while page.locator(NEXT).count() == 0:
        press_card(page)
        page.locator(f"{OPEN}, {NEXT}").first.wait_for(state="attached")
    for loaded in range(2):
        if loaded:
            page.reload()
            page.locator(NEXT).wait_for()
        assert page.locator(".trick li").count() == 8
        assert page.locator(".gains li").count() == 8
        gains = page.locator(".gains .number").all_inner_texts()
        assert sum(map(int, gains)) in {26, 0}
        assert page.locator(".hand").count() == 0
        assert page.evaluate("document.activeElement.innerText") == "Next deal"
        assert "Deal 1 is over" in page.locator("#deal-end-told").inner_text()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        log = page.locator(".log").inner_text()
        assert "Deal 1 is over" in log
        assert "Deal 2 begins" not in log
    assert barriers(page) == []
    page.keyboard.press("Enter")
    page.locator(f"{REST}").wait_for(state="detached")
    page.locator(f"{OPEN}").wait_for(state="attached")
    assert "Deal 2 begins" in page.locator(".log").inner_text()
    assert page.locator(".hand .card-button").count() >= 5
    play_out(page)
    assert page.locator(".over thead").inner_text().split("\t")[2].strip() == "Last deal"
    leave(page)


def test_friends_go_on_together(
    browser: Browser, server: TableServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has gone on sees whom the table waits for; both play to the end."""
    rest = LiveTable._rest
    # However busy the machine is, the rest is not over before both have gone on.
    monkeypatch.setattr(LiveTable, "_rest", lambda self, deal, _: rest(self, deal, PATIENCE))
    made = server.ask("/api/tables", {"source": TWO_DEALS, "seats": seats("Ann", "Ben"), "pace": 0})
    pages = [open_page(browser, server.address + one["link"]) for one in made["seats"]]
    for page in pages:
        page.locator(OPEN).wait_for(state="attached")
        page.locator(".actions .answers button").first.click()
    for page in pages:
        page.locator(NEXT).wait_for()
    pages[0].locator(NEXT).click()
    pages[0].get_by_text("Waiting for Ben.").wait_for()
    go_on(pages[1])
    play_together(pages)
    for page in pages:
        assert page.locator(OVER).count() == 1
        leave(page)
