"""What `page_stages.mjs` has Python do in a page, and `page.py` here: a table, and rates."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cardwright import Game, Stream
from cardwright.game.search import SearchTask
from cardwright.web.page_host import PageHost

if TYPE_CHECKING:
    from collections.abc import Callable

GAME = "hearts"
ROLLOUTS, ITERATIONS, TURNS = 5_000, 10_000, 5


class FirstMoves:
    """A table of a person and three experts, stage by stage."""

    async def next(self, stage: str) -> None:
        """Carry out the next stage."""
        match stage:
            case "start":
                self.host = PageHost()
                await self.host.start()
            case "first scene":
                seats = [{"kind": "person"}, *[{"kind": "computer", "player": "expert"}] * 3]
                wanted = {"game": GAME, "seats": seats, "pace": 0, "seed": "1"}
                self.link = (await self._asked("/api/tables", wanted))["seats"][0]["link"]
                self.looks: list[dict[str, Any]] = []
                self.come = asyncio.Event()
                following = self.host.follow(1, f"/api{self.link}/events", None, self._tell)
                self.following = asyncio.ensure_future(following)
                await self._until(0)
            case _:  # after a pass all others pass, and play until it is the person's turn
                number = await self._until(0)
                choice = {"number": number, "option": 0}
                await self._asked(f"/api{self.link}/choose", choice)
                await self._until(number + 1)

    async def _asked(self, address: str, body: object) -> Any:
        status, text = await self.host.ask("POST", address, json.dumps(body))
        assert status in {200, 201}, text
        return json.loads(text)

    def _tell(self, _: str, data: str) -> None:
        self.looks.append(json.loads(data))
        self.come.set()

    async def _until(self, least: int) -> int:
        """Return the number of a decision of the person, once there is one that is new."""
        while True:
            decision = self.looks[-1]["scene"]["decision"] if self.looks else None
            if decision and decision["number"] >= least:
                return int(decision["number"])
            self.come.clear()
            await self.come.wait()


def rates() -> list[float]:
    """Return random games and iterations of ISMCTS a second of processor time, as medians."""
    processor_time: Callable[[], float] = time.process_time
    if sys.platform == "emscripten":
        processor_time = import_module("js").processorTime
    state, found = Game.load(GAME).start(1), []
    for count, run in (
        (ROLLOUTS, lambda: state.rollouts(ROLLOUTS, Stream(1))),
        (ITERATIONS, lambda: state.search(Stream(1), SearchTask(iterations=ITERATIONS))),
    ):
        times = []
        for _ in range(TURNS * 2):
            begun = processor_time()
            run()
            times.append(processor_time() - begun)
        found.append(count / sorted(times[TURNS:])[TURNS // 2])
    return found


table = FirstMoves()
