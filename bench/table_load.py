"""How a server of tables holds up while many computer players think.

A real server process, as `cardwright serve` runs it, has `--tables` tables, each with one simulated
person, which listens to its events and answers each decision at once, at random, over HTTP; the
computer players do not pause. Whoever has finished a game begins another. Half of the people play
Hearts with experts, the others games of other families with searching players. It prints how long
people's moves took to be acknowledged, how many moves were made, the least and the most thinking
time of tables of the same game, and the memory and processor time of all processes of the server.
`uptime` says how busy the machine was.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from script import carry_out

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

SEARCHER = "ismcts:iterations=1000"
MIX = ("whist", "gofish", "skat", "crazyeights", "rummy", "bridge", "cribbage", "spades")
"""The games of the tables that do not play Hearts, in turn."""

HOST = "127.0.0.1"

_LONG = 10
"""Seconds that a table must have been there to count for fairness."""


class Connection:
    """A connection to the server, kept: just enough HTTP to cost little beside the server."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._pipes: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, method: str, path: str, body: object = None) -> int:
        """Send a request, and return the status after the head of the answer has been read."""
        if self._pipes is None:
            self._pipes = await asyncio.open_connection(HOST, self._port, limit=2**22)
        reader, writer = self._pipes
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {HOST}:{self._port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        writer.write(head.encode() + content)
        answer = await reader.readline()
        if not answer:  # the server closes connections that are idle for long
            self.close()
            return await self.send(method, path, body)
        status = int(answer.split()[1])
        self._length = 0
        while (line := (await reader.readline()).strip()) != b"":
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                self._length = int(value)
        return status

    async def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Return the status and the body of an answer."""
        status = await self.send(method, path, body)
        assert self._pipes is not None
        return status, json.loads(await self._pipes[0].readexactly(self._length) or "null")

    async def events(self, path: str) -> AsyncIterator[dict[str, Any]]:
        """Yield the data of server-sent events, which come in chunks."""
        status = await self.send("GET", path)
        assert status == 200, f"{path}: status {status}"
        assert self._pipes is not None
        reader = self._pipes[0]
        while size := int(await reader.readline(), 16):
            chunk = await reader.readexactly(size + 2)
            for line in chunk.splitlines():
                if line.startswith(b"data:"):
                    yield json.loads(line[5:])

    def close(self) -> None:
        """End the connection."""
        if self._pipes is not None:
            self._pipes[1].close()
            self._pipes = None


@dataclass
class Measured:
    """What was seen of all tables. Times are in seconds, moves counted by game."""

    acknowledged: list[float] = field(default_factory=list)
    games: dict[str, str] = field(default_factory=dict)
    began: dict[str, float] = field(default_factory=dict)
    ended: dict[str, float] = field(default_factory=dict)
    moves: int = 0
    finished: int = 0
    refused: int = 0


async def play(port: int, number: int, measured: Measured) -> None:
    """Play games at one table after the other, for ever."""
    chance = random.Random(number)
    while True:
        game, player = ("hearts", "expert") if number % 2 == 0 else (MIX[number // 2 % 8], SEARCHER)
        table, link = await new_table(port, game, player, chance.getrandbits(32))
        measured.games[table], measured.began[table] = game, time.perf_counter()
        listening, deciding = Connection(port), Connection(port)
        answered = -1
        with contextlib.closing(listening), contextlib.closing(deciding):
            async for told in listening.events(f"/api{link}/events"):
                measured.moves += sum(event["kind"] == "move" for event in told["events"])
                scene = told["scene"]
                if scene["over"]:
                    measured.finished += 1
                    measured.ended[table] = time.perf_counter()
                    break
                decision = scene["decision"]
                if decision is None or decision["number"] == answered:
                    continue
                answered = decision["number"]
                option = chance.choice(decision["options"])["index"]
                body = {"number": answered, "option": option}
                begun = time.perf_counter()
                status, _ = await deciding.ask("POST", f"/api{link}/choose", body)
                measured.acknowledged.append(time.perf_counter() - begun)
                measured.refused += status != 200


async def new_table(port: int, game: str, player: str, seed: int) -> tuple[str, str]:
    """Make a table with a person in its first seat; return its name, and the person's link."""
    from cardwright.game.game import Game

    computers = [{"kind": "computer", "player": player}] * (Game.load(game).players - 1)
    wanted = {
        "game": game, "seats": [{"kind": "person", "name": "Ann"}, *computers],
        "pace": 0, "seed": str(seed),
    }  # fmt: skip
    with contextlib.closing(Connection(port)) as connection:
        status, made = await connection.ask("POST", "/api/tables", wanted)
    assert status == 201, made
    return str(made["table"]), str(made["seats"][0]["link"])


# The server ---------------------------------------------------------------------------------


def serve(folder: Path, port: int) -> None:
    """Serve as `cardwright serve` does; at the end, print how long each table's players thought."""
    from cardwright.web.serving import open_port, serve
    from cardwright.web.site import SiteSettings, WebSite

    site = WebSite(SiteSettings(port=port, data=folder))
    listening = open_port(HOST, port)
    print(listening.getsockname()[1], flush=True)

    async def report() -> None:
        print(json.dumps(site.thinkers.used), flush=True)

    site.when_stopped(report)
    with contextlib.suppress(KeyboardInterrupt):
        serve(site, listening)


def processes(first: int) -> list[int]:
    """Return a process and all that it has started."""
    found = [first]
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == first:
                found.append(int(folder.name))
    return found


def memory(pids: list[int]) -> int:
    """Return the proportional share of memory of some processes, in bytes."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
    return total


def processor_time(pid: int) -> float:
    """Return the seconds of processor time of a process."""
    with contextlib.suppress(OSError):
        parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


# The measurement ----------------------------------------------------------------------------


async def measure(port: int, pid: int, tables: int, seconds: float, warm: float) -> Measured:
    """Let people play for a time, and print what was seen after the tables have been set up."""
    measured = Measured()
    people = [asyncio.ensure_future(play(port, number, measured)) for number in range(tables)]
    await asyncio.sleep(warm)
    check(people)
    measured.acknowledged.clear()
    before, moves, begun = times(pid), measured.moves, time.perf_counter()
    largest = 0
    while (gone := time.perf_counter() - begun) < seconds:
        await asyncio.sleep(min(2.0, seconds - gone))
        largest = max(largest, memory(processes(pid)))
    spent = {each: used - before.get(each, 0.0) for each, used in times(pid).items()}
    check(people)
    for person in people:
        person.cancel()
    await asyncio.gather(*people, return_exceptions=True)
    taken = sorted(measured.acknowledged)
    print(f"{tables} tables for {seconds:.0f} s: {(measured.moves - moves) / seconds:.1f} moves a "
          f"second, {len(taken)} of people; {measured.finished} games finished, "
          f"{measured.refused} answers refused")  # fmt: skip
    for name, at in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("max", 1.0)):
        value = taken[min(len(taken) - 1, int(len(taken) * at))] * 1e3
        print(f"  acknowledged, {name}: {value:.1f} ms")
    print(f"  memory of all {len(spent)} processes (PSS): {largest / 2**20:.0f} MB at most")
    others = sum(spent.values()) - spent[pid]
    print(f"  processor time: server {spent[pid] / seconds:.0%}, thinking {others / seconds:.0%} "
          "of one processor")  # fmt: skip
    return measured


def check(people: list[asyncio.Future[None]]) -> None:
    """Raise the error of a person that has stopped playing."""
    for person in people:
        if person.done():
            person.result()


def times(pid: int) -> dict[int, float]:
    """Return the processor time of the server's processes."""
    return {each: processor_time(each) for each in processes(pid)}


def fairness(used: dict[str, float], measured: Measured) -> None:
    """Print the thinking time by game, for each second that a table was there."""
    now = time.perf_counter()
    shares: dict[str, list[float]] = defaultdict(list)
    for table, seconds in used.items():
        lived = measured.ended.get(table, now) - measured.began.get(table, now)
        if lived > _LONG:
            shares[measured.games[table]].append(1000 * seconds / lived)
    print("  thinking time in milliseconds for each second of a table:")
    for game, found in sorted(shares.items()):
        print(f"    {game:<14}{len(found):3} tables, least {min(found):.1f}, "
              f"median {median(found):.1f}, most {max(found):.1f}")  # fmt: skip


def uptime() -> str:
    """Return how busy the machine is."""
    return subprocess.run(["uptime"], capture_output=True, text=True, check=False).stdout.strip()


def main() -> None:
    """Print the measurements."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--tables", type=int, default=50)
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--warm", type=float, default=20, help="seconds before it is measured")
    arguments.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.serve:
        serve(options.serve, 0)
        return
    print(uptime())
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--serve", folder]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, process_group=0
        ) as server:
            assert server.stdout is not None
            try:
                port = int(server.stdout.readline())
                measured = asyncio.run(
                    measure(port, server.pid, options.tables, options.seconds, options.warm)
                )
            finally:
                server.terminate()
            fairness(json.loads(server.stdout.readline()), measured)
    print(uptime())


if __name__ == "__main__":
    carry_out(main)
