"""A page without a server: the same requests get the same answers in one process."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import pytest

from cardwright.web import page_host
from cardwright.web.page_host import PageHost

SEATS = [{"kind": "person"}, {"kind": "computer", "player": "random"}]
KUHN = {"game": "kuhn", "seats": SEATS, "pace": 0, "seed": "5"}
ABSENT = (
    "starlette", "sse_starlette", "uvicorn", "anyio", "numpy", "llvmlite", "click", "rich",
    "sqlite3", "polars", "matplotlib", "jinja2", "scipy", "lsprotocol",
)  # fmt: skip
"""What a page has not got, or only gets when it is needed."""


class Page:
    """A page's host and what it was told."""

    def __init__(self) -> None:
        self.kept: dict[str, str | None] = {}
        self.host = PageHost(self.kept.__setitem__)

    async def ask(self, address: str, body: object = None) -> object:
        method = "GET" if body is None else "POST"
        status, text = await self.host.ask(method, address, body and json.dumps(body))
        assert status in {200, 201}, text
        return json.loads(text)

    async def refused(self, address: str, body: str | None = None, method: str = "POST") -> str:
        status, text = await self.host.ask(method, address, body)
        assert status >= 400
        return json.loads(text)["error"]["code"]

    async def played(self, link: str) -> dict:
        """Choose the first option until the game is over; return the last scene."""
        looks: list[dict] = []
        come = asyncio.Event()

        def tell(_: str, data: str) -> None:
            looks.append(json.loads(data))
            come.set()

        following = asyncio.create_task(self.host.follow(1, f"/api{link}/events", None, tell))
        while True:
            await come.wait()
            come.clear()
            scene = looks[-1]["scene"]
            if scene["over"]:
                self.host.end(1)
                assert await following == (200, "")
                self.host.end(1)  # which is over
                return scene
            if scene["decision"]:
                number = scene["decision"]["number"]
                await self.ask(f"/api{link}/choose", {"number": number, "option": 0})


def in_page(work):
    """Run some work with a page whose host is started."""

    async def run():
        page = Page()
        await page.host.start()
        try:
            async with asyncio.timeout(60):
                return await work(page)
        finally:
            await page.host.stop()

    return asyncio.run(run())


def test_a_game_is_played_saved_and_replayed():
    async def work(page):
        link = (await page.ask("/api/tables", KUHN))["seats"][0]["link"]
        scene = await page.played(link)
        saved = await page.ask(f"/api{link}/save")
        assert saved["game"]["name"] == "kuhn"
        replay = (await page.ask("/api/replays", saved))["replay"]
        outline = await page.ask(f"/api/replays/{replay}")
        assert outline["scores"] == scene["over"]["scores"]
        frames = await page.ask(f"/api/replays/{replay}/frames?seat=all&first=0&count=2")
        assert len(frames["frames"]) == 2

    in_page(work)


def test_tables_go_on_after_a_reload():
    async def begin(page):
        link = (await page.ask("/api/tables", {**KUHN, "seats": [SEATS[0]] * 2, "seed": None}))[
            "seats"
        ][0]["link"]
        look = await page.ask(f"/api{link}")
        if decision := look["scene"]["decision"]:
            await page.ask(f"/api{link}/choose", {"number": decision["number"], "option": 1})
        return link, await page.ask(f"/api{link}"), page.kept

    link, before, kept = in_page(begin)
    assert len(kept) == 1

    async def go_on(page):
        assert all(map(page.host.restore, kept.values()))
        return await page.ask(f"/api{link}")

    after = in_page(go_on)
    assert after["scene"]["number"] == before["scene"]["number"] > 0
    assert after["scene"]["hand"] == before["scene"]["hand"]


@pytest.mark.parametrize(
    "record",
    ["", "[]", "{}", '{"table": "a", "setup": 3, "commands": 4, "links": 5, "touched": 6}'],
)
def test_what_is_no_record_of_a_table_is_left_out(record):
    assert not Page().host.restore(record)


def test_rules_are_checked_and_played():
    async def work(page):
        rules = await page.ask("/api/studio/library/kuhn")
        checked = await page.ask("/api/studio/check", {"source": rules["source"]})
        assert checked["ok"]
        wanted = {"source": rules["source"], "seats": SEATS, "pace": 0}
        link = (await page.ask("/api/tables", wanted))["seats"][0]["link"]
        assert (await page.played(link))["over"]["scores"]
        found = await page.ask("/api/studio/statistics", {"source": rules["source"], "games": 10})
        assert found["games"] == 10

    in_page(work)


def test_what_cannot_be_done_is_said():
    async def work(page):
        assert await page.refused("/api/nothing") == "no-such-page"
        assert await page.refused("/api/games", "{}") == "no-such-page"  # it takes GET only
        assert await page.refused("/api/tables", "{") == "malformed"
        assert await page.refused("/api/tables", "[]") == "malformed"
        assert await page.refused("/api/tables", '{"games": "hearts"}') == "invalid"
        assert await page.refused("/api/tables", json.dumps({"game": "x" * 10**7})) == "too-large"
        assert await page.refused("/api/games/chess", None, "GET") == "no-such-game"
        link = (await page.ask("/api/tables", KUHN))["seats"][0]["link"]
        assert await page.refused(f"/api{link}/events", None, "GET") == "wrong-type"
        status, text = await page.host.follow(1, f"/api{link}", None, print)
        assert (status, json.loads(text)["error"]["code"]) == (415, "wrong-type")
        status, _ = await page.host.follow(2, "/api/t/AAAAAAAAAAAAAAAAAAAAAA/events", None, print)
        assert status == 404

    in_page(work)


def test_without_numpy_no_games_are_counted(monkeypatch):
    """As in a browser, which is said in words."""
    monkeypatch.setattr(page_host, "find_spec", lambda _: None)

    async def work(page):
        assert await page.refused("/api/games/kuhn/statistics", None, "GET") == "not-allowed"
        assert await page.refused("/api/studio/statistics", "{}") == "not-allowed"
        assert await page.refused("/api/studio/flow", "{}") == "not-allowed"
        assert await page.ask("/api/games/kuhn")

    in_page(work)


def test_a_fault_of_the_site_is_no_end_of_the_page(capsys, monkeypatch):
    async def work(page):
        monkeypatch.setattr(page.host.site.shelf, "find", lambda _: 1 / 0)
        assert await page.refused("/api/games/kuhn", None, "GET") == "broken"
        monkeypatch.undo()
        assert await page.ask("/api/games/kuhn")

    in_page(work)
    assert "ZeroDivisionError" in capsys.readouterr().err


PLAYED = """
import asyncio, json, sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in set(ABSENT):
            raise ImportError(f"{name} is not there")
sys.meta_path.insert(0, Absent())
from cardwright.web.page_host import PageHost
async def main():
    host = PageHost()
    await host.start()
    status, text = await host.ask("POST", "/api/tables", BODY)
    link = json.loads(text)["seats"][0]["link"]
    status, text = await host.ask("GET", f"/api{link}")
    print(status, json.loads(text)["scene"]["game"]["name"])
    await host.stop()
asyncio.run(main())
"""


def test_a_table_needs_no_heavy_packages():
    program = PLAYED.replace("BODY", repr(json.dumps(KUHN))).replace("ABSENT", repr(ABSENT))
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stdout == "200 kuhn\n", done.stderr
