"""A second worker of the browser: what takes long is done there, within limits."""

from __future__ import annotations

import asyncio
import json

import pytest

from cardwright.arena.plan import GameRef
from cardwright.web import second_worker
from cardwright.web.process_limits import ProcessLimits
from cardwright.web.second_worker import SecondPython, work
from cardwright.web.worker_process import ProcessEndedError

MEASURING = "cardwright.web.measuring"
THINKING = "cardwright.web.think_worker"
HINT = {
    "table": "a", "game": GameRef.of("kuhn", {}).data(), "seed": 5, "choices": [],
    "seat": 0, "ordinal": 0, "player": "random", "wanted": "move", "played": None, "native": True,
}  # fmt: skip


class Browser:
    """Stands for the browser: it answers by a function, after some seconds."""

    def __init__(self, seconds: float = 0.0, *, ready: bool = True) -> None:
        self.ready = ready
        self.begun = 0
        self.ended = 0
        self.asked: list[str] = []
        self.seconds = seconds
        self.ending = asyncio.Event()

    def begin(self) -> None:
        self.begun += 1

    async def ask(self, module, request, report):
        self.asked.append(module)
        report("{}")
        await asyncio.wait({asyncio.ensure_future(self.ending.wait())}, timeout=self.seconds)
        return None if self.ending.is_set() else json.dumps({"request": json.loads(request)})

    def end(self) -> None:
        self.ended += 1
        self.ending.set()


def in_loop(test):
    """Run a test in a loop, which the locks of workers belong to."""
    asyncio.run(asyncio.wait_for(test(), 30))


def worker(browser, module=MEASURING):
    return SecondPython(browser)(module, ProcessLimits(memory=0))


def test_what_takes_long_is_done_there_and_the_rest_here():
    async def test():
        browser = Browser()
        studio = worker(browser, "cardwright.web.studio.worker")
        assert await studio.ask({"do": "flow"}, 20.0) == {"request": {"do": "flow"}}
        checked = await studio.ask({"do": "check", "source": "("}, 5.0)
        assert "request" not in checked
        assert browser.asked == ["cardwright.web.studio.worker"]
        table = worker(browser, "cardwright.web.host_worker")
        assert type(table).__name__ == "LocalWorker"

    in_loop(test)


def test_until_it_is_ready_all_is_done_here():
    async def test():
        browser = Browser(ready=False)
        thinking = worker(browser, THINKING)
        assert (await thinking.ask(HINT, 60.0, 20.0))["choice"] in {0, 1}
        assert (browser.begun, browser.asked, thinking.running) == (1, [], True)

    in_loop(test)


def test_a_limit_ends_it_and_says_which_part_was_too_slow(monkeypatch):
    monkeypatch.setattr(second_worker, "MOMENT", 0.0)

    async def test():
        browser = Browser(seconds=20)
        thinking = worker(browser, THINKING)
        with pytest.raises(ProcessEndedError, match=r"took longer than 0\.02 seconds") as caught:
            await thinking.ask(HINT, 60.0, 0.01)
        assert (caught.value.code, caught.value.part) == ("slow", 1)
        assert (browser.ended, thinking.starts, thinking.running) == (1, 1, False)

    in_loop(test)


def test_one_that_ends_by_itself_is_replaced():
    async def test():
        browser = Browser()
        browser.ending.set()
        with pytest.raises(ProcessEndedError, match="more than this browser gives"):
            await worker(browser).ask({}, 60.0)
        assert browser.ended == 1

    in_loop(test)


def test_what_is_taken_back_ends_in_its_own_time_before_the_next():
    async def test():
        browser = Browser(seconds=0.2)
        second = SecondPython(browser)
        first = second(MEASURING, ProcessLimits(memory=0))
        task = asyncio.ensure_future(first.ask({"number": 1}, 60.0))
        await asyncio.sleep(0.05)
        task.cancel()
        other = second(THINKING, ProcessLimits(memory=0))
        assert await other.ask({"number": 2}, 60.0) == {"request": {"number": 2}}
        assert (browser.ended, len(browser.asked)) == (0, 2)
        assert first.used() > 0.1

    in_loop(test)


def test_the_worker_itself_answers_as_a_process_does():
    lines: list[str] = []
    answer = json.loads(work(THINKING, json.dumps(HINT), lines.append))
    assert answer["choice"] in {0, 1}
    assert list(map(json.loads, lines)) == [{"ready": True}]
    refused = json.loads(work(THINKING, json.dumps({**HINT, "player": "nobody"}), lines.append))
    assert "nobody" in refused["error"]["message"]
