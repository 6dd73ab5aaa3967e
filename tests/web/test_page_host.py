"""A page without a server: the same requests get the same answers in one process."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys

import pytest

from cardwright.web import local_worker
from cardwright.web.page_host import PageHost
from cardwright.web.studio_routes import library_text

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


def test_others_have_their_turn_while_games_are_counted(monkeypatch):
    """A page has one thread: between two blocks of games it answers other requests."""
    monkeypatch.setattr(local_worker, "_TURN", 0.0)
    ended = []

    async def work(page):
        async def ask(address, body=None):
            await page.ask(address, body)
            ended.append(address)

        source = (await page.ask("/api/studio/library/kuhn"))["source"]
        counting = asyncio.create_task(
            ask("/api/studio/statistics", {"source": source, "games": 500})
        )
        while not page.host.site.studio._player.process.used():
            await asyncio.sleep(0)
        await ask("/api/studio/starts")
        await counting

    in_page(work)
    assert ended == ["/api/studio/starts", "/api/studio/statistics"]


ENDLESS = """
(game
  (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K)))))
  (stage player (end (== 1 0)) (choice ((set (game sto X) 1) (set (game sto X) 2))))
  (scoring max 0))
"""


def test_rules_without_an_end_are_given_up(monkeypatch):
    """In the words of a server, whose process is ended then; the page goes on."""
    monkeypatch.setattr(local_worker, "_PATIENCE", 0.1)

    async def work(page):
        body = json.dumps({"source": ENDLESS, "games": 10_000})
        status, text = await page.host.ask("POST", "/api/studio/statistics", body)
        error = json.loads(text)["error"]
        assert (status, error["code"]) == (503, "stopped")
        assert "it took longer than 0.1 seconds; make a loop shorter" in error["message"]
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


ALONE = f"""
import asyncio, json, sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {ABSENT}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
from cardwright.web.page_host import PageHost
async def main(requests):
    host = PageHost()
    await host.start()
    answers = []
    for method, address, body in requests:
        if "LINK" in address:
            address = address.replace("LINK", json.loads(answers[-1][1])["seats"][0]["link"])
        answers.append(await host.ask(method, address, body))
    await host.stop()
    print(json.dumps(answers))
"""


def alone(*requests: tuple[str, str, object], but: tuple[str, ...] = ()) -> list[object]:
    """The answers of a page that lacks what a browser lacks, `but` for some packages."""
    absent = repr(set(ABSENT) - set(but))
    asked = [(method, address, body and json.dumps(body)) for method, address, body in requests]
    program = f"{ALONE.replace(repr(ABSENT), absent)}\nasyncio.run(main({asked!r}))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    assert all(status in {200, 201} for status, _ in answers), answers
    return [text if text.startswith("<") else json.loads(text) for _, text in answers]


def test_a_table_needs_no_heavy_packages():
    _, look = alone(("POST", "/api/tables", KUHN), ("GET", "/apiLINK", None))
    assert look["scene"]["game"]["name"] == "kuhn"


def test_games_are_counted_without_numpy():
    """What a page tells in numbers is what a server tells; its machine code is WebAssembly."""
    source = library_text("kuhn").replace("declare 1 'ANTE", "declare 2 'ANTE")
    requests = [
        ("GET", "/api/games/kuhn/statistics", None),
        ("GET", "/api/games/kuhn/flow", None),
        ("GET", "/api/games/kuhn/flow.svg", None),
        ("POST", "/api/studio/statistics", {"source": source, "games": 300}),
        ("POST", "/api/studio/flow", {"source": source}),
    ]

    async def work(page):
        answers = []
        for method, address, body in requests:
            status, text = await page.host.ask(method, address, body and json.dumps(body))
            assert status == 200, text
            answers.append(text if text.startswith("<") else json.loads(text))
        return answers

    found = alone(*requests, but=("llvmlite",))
    assert found[0]["games"] == 2000
    assert found == in_page(work)
