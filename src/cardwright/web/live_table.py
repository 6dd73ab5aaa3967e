"""Live tables: a table in memory, those who look at it, and the moves of its computer players."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from cardwright.game.errors import CardwrightError
from cardwright.table.saved import saved_bytes
from cardwright.web.rates import network_of
from cardwright.web.refusal import STATUSES, Refusal
from cardwright.web.stored import StoredCommand
from cardwright.web.thinking import ThinkError, ThinkRequest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence

    from cardwright.table.commands import TableCommands
    from cardwright.table.setup import TableSetup
    from cardwright.web.stored import TableStore
    from cardwright.web.thinking import Thinkers

    Who = int | str

POLLING = 20.0
"""Seconds for which somebody who has asked once counts as looking."""

_MOST = 100
"""How many pollers of a seat are counted: more make no difference."""


class Attendance:
    """Counts who looks at a table, from each seat and as spectators (None).

    `changed` is called when a seat is no longer empty, or empty again; `used` is when somebody was
    last there.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self.used = time.monotonic()
        self._since = self.used
        self._changed = changed
        self._present: Counter[int | None] = Counter()
        self._left: dict[int | None, float] = {}

    @property
    def anybody(self) -> bool:
        """Whether anybody looks."""
        return self._present.total() > 0

    def here(self, seat: int) -> bool:
        """Return whether somebody looks from a seat."""
        return self._present[seat] > 0

    def away(self, seat: int) -> float | None:
        """Return for how many seconds nobody has been at a seat; None if somebody is."""
        if self.here(seat):
            return None
        return time.monotonic() - self._left.get(seat, self._since)

    @contextmanager
    def attended(self, seat: int | None) -> Iterator[None]:
        """Count somebody as looking."""
        self._come(seat)
        try:
            yield
        finally:
            self._go(seat)

    def attend_briefly(self, seat: int | None) -> None:
        """Count somebody as looking who asks now and then, until it should have asked again."""
        self.used = time.monotonic()
        if self._present[seat] < _MOST:
            self._come(seat)
            asyncio.get_running_loop().call_later(POLLING, self._go, seat)

    def _come(self, seat: int | None) -> None:
        self._present[seat] += 1
        if self._present[seat] == 1:
            self._changed()

    def _go(self, seat: int | None) -> None:
        self._present[seat] -= 1
        self.used = self._left[seat] = time.monotonic()
        if not self._present[seat]:
            self._changed()


_CODES = {"rules": "invalid", "broken": "rule-broken", "failed": "broken"}
"""Codes of handlers and processes whose words mean something else here; others are of limits."""

_OVERTAKING = frozenset({"undo", "agree", "sit"})
"""Commands after which a computer player may have thought for nothing."""

_ALL = 2**30
"""More events than there are: none is asked for."""

_MOST_LOOKS = 100
_MOST_CHARACTERS = 4 * 2**20
"""The looks that are kept of a moment, and their characters."""


@dataclass(frozen=True)
class Look:
    """What somebody sees of a table, as JSON; `version` counts what they were told."""

    version: int
    text: str


class Host(Protocol):
    """Where a table stands: in the server, or in a process of its own (`hosts`)."""

    async def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request, as `TableCommands.handle` does."""
        ...

    async def close(self) -> None:
        """Let go of what the table needs; it can be asked again."""
        ...


class LocalHost:
    """A table in the server itself: for rules of the library only."""

    def __init__(self, handler: TableCommands) -> None:
        self._handler = handler

    async def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer of the handler."""
        return self._handler.handle(request)

    async def close(self) -> None:
        """Do nothing: the table goes with this object."""


class LiveTable:
    """A table whose changes are kept before anybody is told of them.

    One request at a time reaches it. Those who follow it wait for the next change, and are told
    then what they have not been told yet: nothing is queued for anybody, so slow ones cost no
    memory. Computer players play while somebody looks.
    """

    def __init__(
        self,
        name: str,
        setup: TableSetup,
        store: TableStore,
        thinkers: Thinkers,
        seconds: float,
        *,
        commands: Sequence[StoredCommand] = (),
    ) -> None:
        """Make a table to which `open` gives a host.

        `seconds` is how long players may think, and `commands` were done before. Whoever sits down
        in a free seat holds `joining` meanwhile.
        """
        self.name = name
        self.setup = setup
        self.commands = list(commands)
        self.lost = False
        self.ended = False
        self.attendance = Attendance(self._change)
        self.joining = asyncio.Lock()
        self._store = store
        self._thinkers = thinkers
        self._seconds = seconds
        self._host: Host
        self._turn = asyncio.Lock()
        self._changes = 0
        self._changed = asyncio.Event()
        self._looks: dict[tuple[Who, int], Look] = {}
        self._notice: str | None = None
        self._pump: asyncio.Task[None] | None = None
        self._rested: tuple[int, float] = 0, 0.0

    def open(self, host: Host) -> None:
        """Say where the table stands, after all that was done."""
        self._host = host

    # Looking ------------------------------------------------------------------------------

    async def look(self, who: Who, since: int) -> Look:
        """Return what somebody sees: the scene, and the events since a version."""
        async with self._turn:
            found = self._looks.get((who, since))
            if found is None:
                found = await self._looked(who, since)
                kept = sum(len(look.text) for look in self._looks.values())
                if len(self._looks) < _MOST_LOOKS and kept < _MOST_CHARACTERS:
                    self._looks[who, since] = found
            return found

    async def _looked(self, who: Who, since: int) -> Look:
        seen = await self._asked({"do": "look", "who": who, "since": since})
        for seat in seen["scene"]["seats"]:
            seat["here"] = seat["kind"] == "computer" or self.attendance.here(seat["seat"])
        seen["notice"] = self._notice
        return Look(seen["version"], json.dumps(seen, ensure_ascii=False, separators=(",", ":")))

    async def wait(self, changes: int) -> int:
        """Wait until there were other changes than so many; return how many there were."""
        while self._changes == changes:
            await self._changed.wait()
        return self._changes

    def end_streams(self) -> None:
        """Tell all who follow the table that nothing more will come."""
        self.ended = True
        self._change()

    def _change(self) -> None:
        """Wake all who wait, and the computer players."""
        self._rouse()
        self._wake()

    def _rouse(self) -> None:
        """Wake all who wait for a change."""
        self._changes += 1
        self._looks.clear()
        self._changed.set()
        self._changed = asyncio.Event()

    # Commands --------------------------------------------------------------------------------

    async def act(self, request: dict[str, Any], by: int | None = None) -> dict[str, Any]:
        """Change the table, for a seat; return when the change is kept.

        Raises Refusal: then nothing has changed. If it cannot be kept, the table is lost here, and
        brought back from what was kept.
        """
        async with self._turn:
            answer = await self._asked(request)
            command = StoredCommand(request, by)
            try:
                await self._store.note(self.name, len(self.commands), command)
            except BaseException:
                self.lost = True
                self._change()
                raise
            self.commands.append(command)
        if request["do"] in _OVERTAKING:
            self._thinkers.forget(self.name)
        self._change()
        return answer

    async def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request that changes nothing; raises Refusal."""
        async with self._turn:
            return await self._asked(request)

    async def _asked(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.lost:
            raise Refusal("not-stored", "the table could not be kept: load the page anew")
        answer = await self._host.ask(request)
        if error := answer.get("error"):
            code = _CODES.get(error["code"], error["code"])
            raise Refusal(code if code in STATUSES else "stopped", error["message"])
        return answer

    async def scene(self, who: Who) -> dict[str, Any]:
        """Return what somebody sees now."""
        seen = await self.ask({"do": "look", "who": who, "since": _ALL})
        scene: dict[str, Any] = seen["scene"]
        return scene

    async def saved(self) -> bytes:
        """Return the file of the game; raises Refusal if it is not over, or cannot be saved."""
        over = (await self.scene(0))["over"]
        if over is None:
            raise Refusal("not-over", "a game can be had as a file when it is over")
        try:
            return saved_bytes(self.setup, over["choices"], (), over["scores"])
        except CardwrightError as error:
            raise Refusal("not-allowed", str(error)) from None

    def replaced(self, seat: int) -> bool:
        """Return whether others have put a computer player in a seat, and nobody took it back."""
        for command in reversed(self.commands):
            if command.request["do"] == "sit" and command.request["seat"] == seat:
                return command.request["player"] is not None and command.by != seat
        return False

    @property
    def played_again(self) -> str | None:
        """The name of the table at which the same people play again, if they do."""
        again = (one.request for one in reversed(self.commands) if one.request["do"] == "again")
        return next((str(request["table"]) for request in again), None)

    # Computer players ---------------------------------------------------------------------

    def _wake(self) -> None:
        """Let the computer players go on, if somebody looks and they do not already."""
        if (
            self.attendance.anybody
            and not (self.lost or self.ended)
            and (self._pump is None or self._pump.done())
        ):
            self._pump = asyncio.get_running_loop().create_task(self._play())

    async def _play(self) -> None:
        while self.attendance.anybody and not (self.lost or self.ended):
            try:
                due = await self.ask({"do": "due"})
                if due["rest"] is not None:
                    if due["rest_seconds"] is None:
                        return
                    await self._rest(due["rest"], due["rest_seconds"])
                    continue
                if due["player"] is None:
                    return
                begun = time.monotonic()
                option, notice = due["option"], None
                if option is None:
                    answer = await self._thinkers.decide(self.thought(due, due["player"]))
                    option, notice = answer.choice, answer.substitute
                await asyncio.sleep(due["pace"] - (time.monotonic() - begun))
                self._notice = notice
                await self.act(
                    {
                        "do": "choose",
                        "seat": due["seat"],
                        "number": due["number"],
                        "option": option,
                    }
                )
            except Refusal as refusal:
                if refusal.code != "stale":
                    self._tell(refusal.message)
                    return
            except ThinkError as error:
                if error.code != "overtaken":
                    self._tell(str(error))
                    return
            except CardwrightError as error:
                self._tell(f"the table could not be kept: {error}")
                return

    async def _rest(self, deal: int, seconds: float) -> None:
        """Wait until something changes, or go on if a table has rested so long after a deal."""
        if self._rested[0] != deal:
            self._rested = deal, time.monotonic()
        left = self._rested[1] + seconds - time.monotonic()
        if left > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.wait(self._changes), left)
                return
        await self.act({"do": "go-on", "seat": None, "deal": deal})

    def thought(self, due: dict[str, Any], player: str, wanted: Any = "move") -> ThinkRequest:
        """Return what a player needs to know for the pending decision."""
        return ThinkRequest(
            self.name,
            self.setup.game.data(),
            self.setup.seed,
            tuple(due["choices"]),
            due["seat"],
            due["ordinal"],
            player,
            wanted,
            self._seconds,
        )

    def _tell(self, notice: str) -> None:
        """Say what keeps the table from going on."""
        self._notice = notice
        self._rouse()

    async def close(self) -> None:
        """Take the table out of memory: all of it is kept."""
        self.ended = True
        self._thinkers.forget(self.name, gone=True)
        if self._pump is not None:
            self._pump.cancel()
            await asyncio.gather(self._pump, return_exceptions=True)
        await self._host.close()


class StreamCount:
    """Counts open streams: so many at most for each address, and in all."""

    def __init__(self, each: int, most: int) -> None:
        self._each = each
        self._most = most
        self._open: Counter[str] = Counter()

    def check(self, address: str) -> None:
        """Raise Refusal if there is no room for another stream."""
        if self._open[network_of(address)] >= self._each:
            raise Refusal(
                "too-many",
                f"{self._each} pages of yours follow tables already: close some",
                {"Retry-After": "5"},
            )
        if self._open.total() >= self._most:
            raise Refusal(
                "busy", "too many people follow tables here: try again", {"Retry-After": "10"}
            )

    async def following(
        self, address: str, stream: AsyncIterator[dict[str, str]]
    ) -> AsyncIterator[dict[str, str]]:
        """Yield what a stream does, and count it while it is open."""
        with self._counted(address):
            async for message in stream:
                yield message

    @contextmanager
    def _counted(self, address: str) -> Iterator[None]:
        key = network_of(address)
        self._open[key] += 1
        try:
            yield
        finally:
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]


async def table_stream(
    table: LiveTable, seat: int | None, who: Who, since: int
) -> AsyncIterator[dict[str, str]]:
    """Yield what somebody sees of a table, whenever it has changed, from a version on.

    What changes while a client is slow is told at once when it has caught up: the events since the
    last, and the scene as it is by then.
    """
    with table.attendance.attended(seat):
        changes = -1
        while not (table.lost or table.ended):
            changes = await table.wait(changes)
            try:
                look = await table.look(who, since)
            except Refusal:  # the client asks again, and is told why
                return
            since = look.version
            yield {"id": str(since), "data": look.text}
