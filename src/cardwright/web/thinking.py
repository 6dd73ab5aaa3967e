"""Thinking: computer players decide in processes of their own, shared out fairly among tables.

A table has one request at a time. Of those that wait, hints come first, as a person waits for them,
then moves of tables that somebody looks at. Among these it is start-time fair queueing (Goyal, Vin
and Cheng, 1996): the table comes first that has thought least, and no table makes up for the time
in which it asked for nothing.
"""

from __future__ import annotations

import asyncio
import os
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from cardwright.game.errors import CardwrightError
from cardwright.game.find import library_names
from cardwright.table.estimates import Estimates
from cardwright.web.process_limits import MEGABYTE, ProcessLimits
from cardwright.web.think_worker import QUICK
from cardwright.web.worker_process import ProcessEndedError, WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    from cardwright.web.worker_process import SiteWorker, Workers

    Wanted = Literal["move", "hint", "judge"]

_MODULE = "cardwright.web.think_worker"


class ThinkError(CardwrightError):
    """A request that no player has answered; the message says why, for the people at the table.

    `code` is `overtaken` if the table no longer wants the answer, `rules` or `player` if the rules
    or the player do not work, `failed` or `died` if a program did, and else the limit passed.
    """

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(message)


@dataclass(frozen=True)
class ThinkRequest:
    """A decision that a player has to make, or to judge.

    `table` is any key of the table; `game` is the data of its rules (`GameRef.data`,
    `RulesText.data`), `choices` are all that were made before, and `ordinal` is how many of them
    `seat` has made. `player` is a spec, or `QUICK`. A hint is a move with the estimates of all
    options; a judgement compares what was `played` as well. The player may take `seconds` of
    processor time. `watched` says whether anybody looks at the table.
    """

    table: str
    game: Mapping[str, Any]
    seed: int
    choices: tuple[int, ...]
    seat: int
    ordinal: int
    player: str
    wanted: Wanted = "move"
    seconds: float = 20.0
    played: int | None = None
    watched: bool = True

    def data(self) -> dict[str, Any]:
        """Return what a worker has to know."""
        return {
            "table": self.table, "game": dict(self.game), "seed": self.seed,
            "choices": self.choices, "seat": self.seat, "ordinal": self.ordinal,
            "player": self.player, "wanted": self.wanted, "played": self.played,
        }  # fmt: skip


@dataclass(frozen=True)
class ThinkAnswer:
    """The option that a player chooses.

    For hints and judgements, `estimates` are the player's of each option, first those by which it
    chooses; there are none if the player has none. It took `seconds` of processor time.
    `substitute` says, in words for the table, why another player has decided; None if none has.
    """

    choice: int
    estimates: tuple[Estimates, ...] = ()
    seconds: float = 0.0
    substitute: str | None = None


@dataclass(frozen=True)
class ThinkLimits:
    """What thinking may take.

    `workers` think for games of the library, 0 for one a processor, and `own` for rules from
    elsewhere. `loading` is how many seconds a game may take to be loaded, compiled and brought to
    the decision; the quick player that decides for one that took too long has as many. A worker
    that keeps more than `kept` bytes is replaced when it has answered; `native` says whether rules
    from elsewhere are compiled, or played by the interpreter.
    """

    workers: int = 0
    own: int = 1
    loading: float = 60.0
    kept: int = 160 * MEGABYTE
    native: bool = True
    process: ProcessLimits = field(
        default_factory=lambda: ProcessLimits(
            memory=0, resident=512 * MEGABYTE, processor=0, reply=MEGABYTE
        )
    )


@dataclass(eq=False)
class _Ticket:
    """A request that waits or is being answered."""

    request: ThinkRequest
    own: bool
    tag: float
    """The virtual time at which its table may be served."""
    answer: asyncio.Future[ThinkAnswer]
    task: asyncio.Task[None] | None = None
    seconds: float = 0.0
    """The processor time that it has taken."""
    gone: bool = False
    """Whether the table is."""

    def claim(self) -> tuple[int, float]:
        """Return a key that is least for the request to be answered first."""
        return 0 if self.request.wanted == "hint" else 1 if self.request.watched else 2, self.tag


@dataclass(eq=False)
class _Thinker:
    """A worker process, and the tables whose games it has followed."""

    process: SiteWorker
    own: bool
    busy: bool = False
    tables: set[str] = field(default_factory=set)


class Thinkers:
    """Worker processes that decide for computer players. Processes are started when needed.

    The same requests get the same choices as in the terminal, whichever process answers: streams
    are those of `Stream.of_decision`. Only players with memory (`reuse`) and players limited by
    time can differ. `used` has the seconds of processor time that each table's players have taken.
    """

    _GRACE = 1.0
    """Seconds that a player may go on thinking when nobody wants its answer any more."""

    def __init__(self, limits: ThinkLimits | None = None, workers: Workers = WorkerProcess) -> None:
        self.limits = limits or ThinkLimits()
        self.used: defaultdict[str, float] = defaultdict(float)
        self._tags: dict[str, float] = {}
        self._now = 0.0
        self._waiting: list[_Ticket] = []
        self._running: dict[str, _Ticket] = {}
        self._closed = False
        self._library = frozenset(library_names())
        count = self.limits.workers or os.cpu_count() or 1
        kinds = [False] * count + [True] * self.limits.own
        self._thinkers = [_Thinker(workers(_MODULE, self.limits.process), k) for k in kinds]

    async def decide(self, request: ThinkRequest) -> ThinkAnswer:
        """Return a player's answer; raises ThinkError. Cancelling this takes the request back.

        A player that passes a limit is stopped. If its process dies, another one tries once more.
        If neither helps, a quick player makes the move instead, and the answer says so.
        """
        if self._closed:
            raise ThinkError("overtaken", "the server is closing")
        own = "text" in request.game or request.game["name"] not in self._library
        tag = max(self._now, self._tags.get(request.table, 0.0))
        ticket = _Ticket(request, own, tag, asyncio.get_running_loop().create_future())
        self._waiting.append(ticket)
        self._share_out()
        try:
            return await asyncio.shield(ticket.answer)
        finally:
            self._drop(ticket)

    def forget(self, table: str, *, gone: bool = False) -> None:
        """Take all requests of a table back: its moves were undone, or it is `gone` for good.

        Whoever waits for them gets a ThinkError.
        """
        tickets = [one for one in self._waiting if one.request.table == table]
        tickets += [one for key, one in self._running.items() if key == table]
        for ticket in tickets:
            ticket.gone = gone
            if not ticket.answer.done():
                message = "the table no longer waits for this answer"
                ticket.answer.set_exception(ThinkError("overtaken", message))
        if gone:
            self.used.pop(table, None)
            self._tags.pop(table, None)

    async def close(self) -> None:
        """End all processes, and take all requests back."""
        self._closed = True
        for table in {one.request.table for one in (*self._waiting, *self._running.values())}:
            self.forget(table)
        tasks = [one.task for one in self._running.values() if one.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for thinker in self._thinkers:
            await thinker.process.kill()

    def pids(self) -> list[int]:
        """Return the ids of the processes there are."""
        return [
            thinker.process.pid for thinker in self._thinkers if thinker.process.pid is not None
        ]

    # Sharing out --------------------------------------------------------------------------

    def _drop(self, ticket: _Ticket) -> None:
        """Let go of a request that was answered or is no longer wanted."""
        ticket.answer.cancel()
        if ticket in self._waiting:
            self._waiting.remove(ticket)
        elif ticket.task is not None and not ticket.task.done():
            asyncio.get_running_loop().call_later(self._GRACE, ticket.task.cancel)

    def _share_out(self) -> None:
        """Give requests to idle workers."""
        for ticket in self._in_turn():
            thinker = self._idle(ticket)
            if thinker is None or ticket.request.table in self._running:
                continue
            self._waiting.remove(ticket)
            self._running[ticket.request.table] = ticket
            self._now = max(self._now, ticket.tag)
            thinker.busy = True
            ticket.task = asyncio.ensure_future(self._serve(ticket, thinker))

    def _in_turn(self) -> list[_Ticket]:
        """Return the requests that may be answered now, the first claim first."""
        free = [
            one
            for one in self._waiting
            if one.request.table not in self._running and not one.answer.done()
        ]
        return sorted(free, key=_Ticket.claim)

    def _idle(self, ticket: _Ticket) -> _Thinker | None:
        """Return an idle worker for a request; if possible one that knows the table."""
        idle = [
            thinker for thinker in self._thinkers if not thinker.busy and thinker.own == ticket.own
        ]
        known = [one for one in idle if ticket.request.table in one.tables]
        return next(iter(known or idle), None)

    async def _serve(self, ticket: _Ticket, thinker: _Thinker) -> None:
        try:
            answer = await self._answer(ticket, thinker)
        except ThinkError as error:
            if not ticket.answer.done():
                ticket.answer.set_exception(error)
        except asyncio.CancelledError:
            if not ticket.answer.done():
                ticket.answer.set_exception(ThinkError("overtaken", "the request was taken back"))
            raise
        else:
            if not ticket.answer.done():
                ticket.answer.set_result(answer)
        finally:
            table = ticket.request.table
            del self._running[table]
            thinker.busy = False
            if not ticket.gone:
                self.used[table] += ticket.seconds
                self._tags[table] = ticket.tag + ticket.seconds
            if not self._closed:
                self._share_out()

    # Asking a worker ----------------------------------------------------------------------

    async def _answer(self, ticket: _Ticket, thinker: _Thinker) -> ThinkAnswer:
        request = ticket.request
        try:
            return await self._twice(ticket, request, thinker)
        except ProcessEndedError as error:
            if error.part == 0:
                told = f"the rules {error.reason} when they were loaded for {request.player}"
                raise ThinkError(error.code, told) from None
            if request.wanted != "move":
                raise ThinkError(error.code, f"{request.player} {error.reason}") from None
            reason = f"{request.player} {error.reason}"
        # The limit was the other player's; in a new process the quick one has all to load first.
        quick = replace(request, player=QUICK, seconds=self.limits.loading)
        try:
            found = await self._twice(ticket, quick, thinker)
        except ProcessEndedError as error:
            raise ThinkError(error.code, f"{reason}; and a quick player {error.reason}") from None
        return replace(found, substitute=f"{reason}: a quick player has decided instead")

    async def _twice(
        self, ticket: _Ticket, request: ThinkRequest, thinker: _Thinker
    ) -> ThinkAnswer:
        """Ask a worker, and one that takes its place if it dies."""
        try:
            return await self._once(ticket, request, thinker)
        except ProcessEndedError as error:
            if error.code not in {"died", "memory"}:
                raise
        return await self._once(ticket, request, thinker)

    async def _once(self, ticket: _Ticket, request: ThinkRequest, thinker: _Thinker) -> ThinkAnswer:
        process = thinker.process
        data = {**request.data(), "native": not thinker.own or self.limits.native}
        await process.start()
        before = process.used()
        answer: dict[str, Any] = {}
        try:
            answer = await process.ask(data, self.limits.loading, request.seconds)
        finally:
            spent = min(process.used() - before, request.seconds)
            ticket.seconds += answer.get("seconds", spent)
            if not process.running:
                thinker.tables.clear()
        thinker.tables.add(request.table)
        if process.resident() > self.limits.kept:
            await process.kill()
            thinker.tables.clear()
        if "error" in answer:
            raise ThinkError(answer["error"]["code"], answer["error"]["message"])
        return ThinkAnswer(
            answer["choice"],
            tuple(map(Estimates.of_data, answer.get("estimates", ()))),
            answer["seconds"],
        )
