"""A server that is killed in play, again and again: all tables come back, and nothing is lost."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from served import Served

from cardwright.game.game import Game
from cardwright.library.catalogue import library_folder
from deep import usually
from jobs.workers import running
from patience import PATIENCE, wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
PERSON = {"kind": "person"}
COMPUTER = {"kind": "computer", "player": "random"}
KILLS = usually((1, 12), (1, 8, 16))
"""After how many acknowledged moves the server is killed."""


@pytest.mark.slow
def test_ctrl_c_while_a_game_is_measured_is_quiet(tmp_path: Path) -> None:
    """The page that waits for it gets an answer, and the server ends as at any other time."""
    served = Served(tmp_path)
    served.start()
    answers: list[BaseException] = []

    def ask() -> None:
        try:
            served.ask("/api/games/bridge/statistics")
        except BaseException as error:
            answers.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    wait_until(lambda: "cardwright.web.measuring" in "".join(map(command_of, running())))
    served.stop(signal.SIGINT)
    asking.join(PATIENCE)
    assert "503" in str(answers[0])
    assert "the server" in str(answers[0])
    assert "Traceback" not in served.log()


def command_of(pid: int) -> str:
    """Return the words of a process; none where it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode().replace("\0", " ")
    except OSError:
        return ""


@dataclass
class Player:
    """A person that plays at random, listens, and comes back when the connection is lost."""

    link: str
    chance: random.Random
    events: list[dict[str, Any]] = field(default_factory=list)
    acknowledged: dict[int, int] = field(default_factory=dict)
    resumed: int = 0
    over: dict[str, Any] | None = None

    async def play(self, address: str) -> None:
        """Play the game to its end."""
        async with httpx.AsyncClient(base_url=address, timeout=PATIENCE) as client:
            while True:
                try:
                    async for told in self.told(client):
                        await self.take_in(told, client)
                        if self.over is not None:
                            return
                except httpx.TransportError:
                    await asyncio.sleep(0.1)

    async def told(self, client: httpx.AsyncClient) -> AsyncIterator[dict[str, Any]]:
        """Yield what the events of a connection say."""
        headers = {"Last-Event-ID": str(len(self.events))}
        async with client.stream("GET", f"/api{self.link}/events", headers=headers) as stream:
            assert stream.status_code == 200
            self.resumed += 1
            async for line in stream.aiter_lines():
                if line.startswith("data:"):
                    yield json.loads(line[5:])

    async def take_in(self, told: dict[str, Any], client: httpx.AsyncClient) -> None:
        """Note what has happened, and decide if it is this person's turn."""
        numbers = [event["version"] for event in told["events"]]
        assert numbers == list(range(len(self.events) + 1, len(self.events) + 1 + len(numbers)))
        self.events += told["events"]
        scene = told["scene"]
        self.over = scene["over"]
        if scene["decision"] is None:
            return
        number = scene["decision"]["number"]
        option = self.chance.choice(scene["decision"]["options"])["index"]
        answer = await client.post(
            f"/api{self.link}/choose", json={"number": number, "option": option}
        )
        assert answer.status_code in {200, 409}, answer.text
        if answer.status_code == 200:
            self.acknowledged[number] = option


def tables() -> list[dict[str, Any]]:
    """Return requests for tables of several games, one of rules that were sent as a text."""
    seats = {name: [COMPUTER] * (Game.load(name).players - 1) for name in ("hearts", "crazyeights")}
    source = (library_folder() / "crazyeights.rcy").read_text()
    return [
        {"game": "hearts", "seats": [PERSON, *seats["hearts"]], "pace": 0},
        {"game": "kuhn", "seats": [PERSON, PERSON], "pace": 0},
        {"game": "crazyeights", "seats": [PERSON, *seats["crazyeights"]], "pace": 0.01},
        {"source": source, "seats": [PERSON, *seats["crazyeights"]], "pace": 0},
    ]


async def killing(served: Served, people: list[Player], chance: random.Random) -> None:
    """Kill the server in the middle of play, and start it again."""
    for moves in KILLS:
        while sum(len(person.acknowledged) for person in people) < moves:
            await asyncio.sleep(0.01)
        await asyncio.sleep(chance.random() * 0.1)
        await asyncio.to_thread(served.stop, signal.SIGKILL)
        await asyncio.to_thread(served.start)


@pytest.mark.slow
def test_nothing_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    """Games go on to their ends with all acknowledged moves; each event is told once, in order."""
    served = Served(tmp_path)
    served.start()
    made = [served.ask("/api/tables", wanted) for wanted in tables()]
    links = [[seat["link"] for seat in table["seats"]] for table in made]
    people = [
        [Player(link, random.Random(f"{at} {seat}")) for seat, link in enumerate(links[at])]
        for at in range(len(made))
    ]
    everybody = [person for table in people for person in table]

    async def play() -> None:
        async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
            for person in everybody:
                group.create_task(person.play(served.address))
            group.create_task(killing(served, everybody, random.Random(6)))

    try:
        asyncio.run(play())
        for table in people:
            choices = [person.over["choices"] for person in table if person.over is not None]
            assert choices == [choices[0]] * len(table)
            for person in table:
                made_moves = {number: choices[0][number] for number in person.acknowledged}
                assert made_moves == person.acknowledged
                seen = served.ask(f"/api{person.link}?since=0")
                assert seen["events"] == person.events
                assert seen["scene"]["over"]["choices"] == choices[0]
        assert max(person.resumed for person in everybody) == len(KILLS) + 1
    finally:
        served.stop(signal.SIGKILL)
