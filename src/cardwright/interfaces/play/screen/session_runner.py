"""The session runner: it plays a game on the screen, in a thread of its own, and can be stopped."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from msgspec import structs

from cardwright.game.errors import CardwrightError, GameError
from cardwright.interfaces.play.screen.selection import own_decision, owns, watched

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.table.estimates import Hint
    from cardwright.table.scene import SceneTrick, TableLook, TableScene
    from cardwright.table.session import PlaySession
    from cardwright.table.setup import DisplayOptions


def with_trick(scene: TableScene, trick: SceneTrick) -> TableScene:
    """Return a scene in which a completed trick still lies on the table, and nobody is due."""
    seats = tuple(structs.replace(seat, due=False) for seat in scene.seats)
    return structs.replace(scene, due=None, seats=seats, decision=None, trick=trick)


T = TypeVar("T")


class WorkThread:
    """Runs tasks in its thread; `busy` says whether one is running or waiting.

    Computer players may take long; the screen stays responsive in the meantime. There is only one
    thread, so that the game does not change while it is being read. It is a daemon: the program can
    end without it.
    """

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]]]
        self._work = queue.SimpleQueue()
        self._open = 0
        threading.Thread(target=self._run, name="work", daemon=True).start()

    @property
    def busy(self) -> bool:
        """Whether there are unfinished tasks."""
        return self._open > 0

    async def do(self, work: Callable[[], T]) -> T:
        """Run a task in its turn and return its result; raises what it raises."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._open += 1
        self._work.put((work, future))
        try:
            return await asyncio.shield(future)
        finally:
            self._open -= 1

    def _run(self) -> None:
        while True:
            work, future = self._work.get()
            try:
                done, result, error = True, work(), None
            except BaseException as raised:  # passed on to the waiting caller
                done, result, error = False, None, raised
            with suppress(RuntimeError):  # the screen is closed: nobody waits
                future.get_loop().call_soon_threadsafe(_resolve, future, done, result, error)


def _resolve(
    future: asyncio.Future[Any], done: bool, result: object, error: BaseException | None
) -> None:
    if future.done():
        return
    if done:
        future.set_result(result)
    else:
        assert error is not None
        future.set_exception(error)


_TRICK_PAUSE = 2.5
"""The number of pauses that a finished trick stays on the table."""
_DEAL_PAUSE = 6
"""The number of pauses that the end of a deal is shown to a spectator."""

_FORCED_PAUSE = 0.7
"""The least seconds in which the only possible choice is seen before it is made."""

_GRACE = 0.35
"""Seconds after a pause in which a key that would have skipped it does not count as a move."""


class Watcher(NamedTuple):
    """Callbacks for changes.

    `changed` redraws; `ended` gets `deal` at the end of a deal, `end` at the end of the game, and
    an empty string when the end of a deal is no longer shown; `told` gets other messages for the
    person.
    """

    changed: Callable[[], None]
    ended: Callable[[str], None]
    told: Callable[[str], None]


class SessionRunner:
    """Runs a session: the computer's moves in the work thread, with pauses, and the person's.

    `look` is what is shown. `status` says what the game waits for. `held` stops a watched game
    between two moves. After the end of a deal the runner continues when `skip` is called, or after
    `next_deal` seconds, unless these are 0. With `forced` it makes the only possible choice.
    """

    def __init__(self, session: PlaySession, display: DisplayOptions, watcher: Watcher) -> None:
        self.session = session
        self.pause = display.pause
        self.forced = display.forced
        self.next_deal = display.next_deal
        self.held = False
        self.thinking_since: float | None = None
        self.waiting = False
        self._trick_taken = False
        self._lapsed = -_GRACE
        self.look: TableLook = session.look()
        self._changed, self._ended, self._told = watcher
        self._work_thread = WorkThread()
        self._go = asyncio.Event()
        self._skip = asyncio.Event()
        self._chosen: asyncio.Future[int | None] | None = None

    @property
    def scene(self) -> TableScene:
        """The scene that is shown."""
        return self.look.scene

    # Actions of the person ------------------------------------------------------------------

    @property
    def status(self) -> str:
        """The status, if it is not the person's move."""
        if self.thinking_since is not None and self.scene.due is not None:
            spent = int(time.monotonic() - self.thinking_since)
            seconds = f" ({spent} s)" if spent else ""
            return f"{self.scene.seats[self.scene.due].name} thinks{seconds}"
        if self._trick_taken and self.waiting:
            return f"{self._taker()} (Enter goes on)"
        if self.held:
            return "paused (Space goes on)"
        return ""

    def _taker(self) -> str:
        scene = self.scene
        winner = None if scene.trick is None else scene.trick.winner
        if winner is None:
            return "the trick is complete"
        verb = "take" if owns(scene, winner) else "takes"
        return f"{scene.seats[winner].name} {verb} the trick"

    @property
    def choosing(self) -> bool:
        """Whether the game waits for the person's move."""
        return self._chosen is not None and not self._chosen.done()

    @property
    def too_soon(self) -> bool:
        """Whether a pause has just run out, so that Enter was meant to skip it."""
        return time.monotonic() - self._lapsed < _GRACE

    @property
    def busy(self) -> bool:
        """Whether the work thread is busy."""
        return self._work_thread.busy

    def choose(self, index: int) -> None:
        """Take an option; only while `choosing`."""
        assert self._chosen is not None
        self._chosen.set_result(index)

    def claim(self) -> None:
        """Claim the rest of the tricks; only while `choosing`, where the scene has a claim."""
        assert self._chosen is not None
        self._chosen.set_result(None)

    def skip(self) -> None:
        """Continue after a pause, or after the end of a deal."""
        self._skip.set()

    def hold(self) -> None:
        """Stop a watched game, or let it continue."""
        self.held = not self.held
        self._go.set()
        self._skip.set()

    def single(self) -> None:
        """Stop a watched game after one more move."""
        self.held = True
        self._go.set()
        self._skip.set()

    async def undo(self) -> int:
        """Undo to the person's last decision; return the number of moves. Raises UndoError."""
        plies = await self._work_thread.do(self.session.undo)
        await self._show()
        return plies

    async def hint(self) -> Hint:
        """Return the advice of the player for hints."""
        return await self._work_thread.do(self.session.hint)

    async def reason(self, card: int) -> str | None:
        """Return why the card of a number cannot be played now."""
        found = self.session.game.program.cards[card]
        return await self._work_thread.do(lambda: self.session.reason(found))

    # The game -------------------------------------------------------------------------------

    async def run(self) -> None:
        """Play to the end; raises the errors of the game or a player."""
        while not self.session.finished:
            if self.session.mine:
                await self._own()
            else:
                await self._others()
        self._ended("end")

    async def _own(self) -> None:
        self._chosen = asyncio.get_running_loop().create_future()
        self._changed()
        await self._force(self._chosen)
        index = await self._chosen
        before = self.scene
        self._put(structs.replace(before, decision=None))
        try:
            await self._work_thread.do(lambda: self._decide(index))
        except GameError:
            raise
        except CardwrightError as error:
            if self.session.table.number == before.number:
                raise
            self._told(str(error))  # only the file failed
        await self._show_move()

    async def _force(self, chosen: asyncio.Future[int | None]) -> None:
        """Make the only possible choice after a pause, unless moves were taken back meanwhile."""
        before = self.scene
        decision = own_decision(before)
        if not self.forced or decision is None or len(decision.options) > 1:
            return
        await self._wait(max(self.pause, _FORCED_PAUSE))
        if not chosen.done() and self.scene is before:
            chosen.set_result(0)

    def _decide(self, index: int | None) -> None:
        if index is None:
            self.session.claim()
        else:
            self.session.choose(index)

    async def _others(self) -> None:
        while self.held and not self._go.is_set():
            self._changed()
            await self._go.wait()
        self._go.clear()
        self.thinking_since = time.monotonic()
        self._changed()
        try:
            await self._work_thread.do(self.session.step)
        finally:
            self.thinking_since = None
        await self._show_move()

    async def _show(self) -> None:
        self.look = await self._work_thread.do(self.session.look)
        self._changed()

    def _put(self, scene: TableScene) -> None:
        self.look = structs.replace(self.look, scene=scene)
        self._changed()

    async def _show_move(self) -> None:
        """Show the results of a move: a finished trick, the end of a deal, then the next scene."""
        await self._show()
        scene = self.scene
        move = next(one for one in reversed(self.look.events) if one.kind == "move")
        if move.trick is not None:
            self._put(with_trick(scene, move.trick))
            self._trick_taken = True
            await self._wait(self.pause * _TRICK_PAUSE)
            self._trick_taken = False
            self._put(scene)
        end = scene.deal_end
        if end is not None and (scene.over is None or end.number > 1):
            self._ended("deal")
            await self._wait(self.pause * _DEAL_PAUSE if watched(scene) else self.next_deal or None)
            self._ended("")
            await self._work_thread.do(self.session.go_on)
            await self._show()
        elif move.trick is None and scene.over is None:
            own = owns(scene, move.seat) or own_decision(scene) is not None
            await self._wait(0 if own else self.pause)

    async def _wait(self, seconds: float | None) -> None:
        """Wait for some seconds, or until `skip`; None waits only for `skip`."""
        if seconds == 0:
            await asyncio.sleep(0)
            return
        self._skip.clear()
        self.waiting = True
        self._changed()
        try:
            await asyncio.wait_for(self._skip.wait(), seconds)
        except TimeoutError:
            self._lapsed = time.monotonic()
        self.waiting = False
