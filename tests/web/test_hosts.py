"""Tables that stand in processes of their own, since nobody knows what their rules do."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import hostile_rules as hostile

from cardwright.table.commands import TableCommands
from cardwright.table.setup import TableSetup
from cardwright.table.table import Table
from cardwright.web.hosts import HostLimits, HostRoom, ProcessHost
from cardwright.web.live_table import Host, LocalHost
from cardwright.web.process_limits import MEGABYTE, ProcessLimits
from deep import usually

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

Result = TypeVar("Result")

PROCESS = ProcessLimits(memory=96 * MEGABYTE, processor=60, reply=8 * MEGABYTE, niceness=5)
SMALL = HostLimits(opening=5, seconds=0.5, process=PROCESS)
SHORT = replace(SMALL, opening=0.8)
LOOK = {"do": "look", "who": 0, "since": 0}
DUE = {"do": "due"}


def setup(text: str = hostile.FINE) -> dict[str, Any]:
    """Return the data of a table of two people for the text of some rules."""
    person = {"kind": "person", "player": "", "name": ""}
    return {
        "rules": {"text": text, "name": "mine", "declared": {}, "facts": ""}, "seed": "987654321",
        "seats": [person, person], "practice": True, "hint": "random", "watch": "no", "pace": 0,
    }  # fmt: skip


def process_host(room: HostRoom, text: str = hostile.FINE) -> ProcessHost:
    """Return a table in a process, for the text of some rules."""
    return ProcessHost(room, setup(text))


def in_a_room(work: Callable[[HostRoom], Awaitable[Result]], limits: HostLimits = SMALL) -> Result:
    """Run a test with a room for processes, which are ended after it."""

    async def run() -> Result:
        room = HostRoom(limits)
        try:
            return await work(room)
        finally:
            await room.close()
            assert room.pids() == []

    return asyncio.run(run())


async def chosen(host: Host, number: int, option: int = 0) -> dict[str, Any]:
    """Make a decision of seat 0 or 1, who take turns."""
    return await host.ask({"do": "choose", "seat": number % 2, "number": number, "option": option})


def test_a_table_in_a_process_is_like_one_in_the_server() -> None:
    """All answers are the same, errors as well."""

    async def play(room: HostRoom) -> None:
        table = Table(TableSetup.of_data(setup()))
        hosts: tuple[Host, Host] = (process_host(room), LocalHost(TableCommands(table)))
        requests = [LOOK, DUE]
        for number in (0, 1, 1, 2):
            requests += [
                {"do": "choose", "seat": number % 2, "number": number, "option": 0}, LOOK,
            ]  # fmt: skip
        requests += [{"do": "undo", "seat": 0}, {"do": "agree", "seat": 1, "yes": True}, LOOK]
        for request in requests:
            first, second = [await host.ask(request) for host in hosts]
            assert first == json.loads(json.dumps(second)), request

    in_a_room(play)


ATTACKS = [
    ("LONG_SETUP", "slow", "the rules of this table took longer than 0.8 seconds", SHORT),
    ("MANY_OPTIONS", "memory", "used more than 96 MB of memory, and were stopped", SMALL),
    ("ENDLESS", "rules", "10,000 steps went by without a decision", SMALL),
]
"""Hostile rules, and what the table says of them, within some limits."""

MORE_ATTACKS = [
    ("MANY_PICKS", "memory", "used more than 96 MB of memory, and were stopped", SMALL),
    ("MANY_DECKS", "rules", "at most 5,000 cards in a game", SMALL),
    ("TOO_MANY_OPTIONS", "rules", "more than the 1,000,000 allowed", SMALL),
    ("LARGE", "rules", "are too many for a game file", SMALL),
    ("DEEP", "rules", "brackets are nested more than 150 deep", SMALL),
]
"""Others of the same kinds."""


def test_hostile_rules_are_stopped() -> None:
    """The table says what the rules did, and a neighbour is served in the meantime."""

    async def attack(room: HostRoom) -> None:
        neighbour = process_host(room)
        await neighbour.ask(LOOK)
        for name, code, message, limits in ATTACKS + usually([], MORE_ATTACKS):
            place = HostRoom(limits)
            host = process_host(place, getattr(hostile, name))
            attacked = asyncio.ensure_future(host.ask(LOOK))
            served = 0
            while not attacked.done():
                assert "error" not in await neighbour.ask(LOOK)
                served += 1
                await asyncio.sleep(0.05)
            await place.close()
            error = attacked.result()["error"]
            assert (error["code"], message in error["message"]) == (code, True), (name, error)
            assert "987654321" not in error["message"]
            assert served

    in_a_room(attack)


def test_a_choice_that_takes_too_long_is_not_made() -> None:
    """The table stands at the same decision again afterwards."""

    async def play(room: HostRoom) -> None:
        host = process_host(room, hostile.LONG_TURN)
        before = await host.ask(DUE)
        error = (await chosen(host, 0))["error"]
        assert error["code"] == "slow"
        assert await host.ask(DUE) == before

    in_a_room(play)


def test_a_choice_that_breaks_a_rule_does_not_tell_the_seed() -> None:
    """Who is told how to see the error again could see all cards."""

    async def play(room: HostRoom) -> None:
        table = Table(TableSetup.of_data(setup(hostile.BROKEN_TURN)))
        for host in (process_host(room, hostile.BROKEN_TURN), LocalHost(TableCommands(table))):
            error = (await chosen(host, 0))["error"]
            assert error["code"] == "broken"
            assert "more than the 1,000,000 allowed" in error["message"]
            assert "987654321" not in error["message"]
            assert (await host.ask(DUE))["number"] == 0

    in_a_room(play)


def test_rules_that_never_come_to_a_decision_are_given_up() -> None:
    """After two attempts nobody else has to wait for them."""

    async def play(room: HostRoom) -> None:
        host = process_host(room, hostile.LONG_SETUP)
        answers = [await host.ask(LOOK) for _ in range(4)]
        assert {answer["error"]["code"] for answer in answers} == {"slow"}
        assert host.starts == 2

    in_a_room(play, SHORT)


def test_a_table_comes_back_after_its_process_was_killed() -> None:
    """It has all choices that were acknowledged."""

    async def play(room: HostRoom) -> None:
        host = process_host(room)
        for number in range(2):
            assert "error" not in await chosen(host, number)
        before = await host.ask(LOOK)
        pid = host.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        assert (await host.ask(LOOK))["error"]["code"] == "died"
        assert await host.ask(LOOK) == before

    in_a_room(play)


def test_processes_are_few_and_end_when_idle() -> None:
    """With room for one, tables take turns; each keeps its game."""

    async def play(room: HostRoom) -> None:
        hosts = [process_host(room) for _ in range(2)]
        rounds = usually(1, 2)
        for number in range(rounds):
            answers = await asyncio.gather(*(chosen(host, number) for host in hosts))
            assert answers == [{"number": number + 1}] * 2
            assert len(room.pids()) == 1
        await asyncio.sleep(0.6)
        assert room.pids() == []
        assert (await hosts[0].ask(DUE))["number"] == rounds

    in_a_room(play, HostLimits(processes=1, idle=0.3))


def test_a_full_room_says_so() -> None:
    """Whoever waits too long for a place is asked to try again."""

    async def play(room: HostRoom) -> str:
        busy = asyncio.ensure_future(process_host(room, hostile.LONG_SETUP).ask(LOOK))
        await asyncio.sleep(0.1)
        answer = await process_host(room).ask(LOOK)
        busy.cancel()
        return str(answer["error"]["code"])

    assert in_a_room(play, HostLimits(processes=1, patience=0.3)) == "busy"
