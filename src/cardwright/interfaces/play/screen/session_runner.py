"""The session runner: it plays a game on the screen, in a thread of its own, and can be stopped."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cardwright.game.errors import CardwrightError, GameError
from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.play.screen.scene import Log, finished_trick, scene_of
from cardwright.interfaces.play.screen.selection import Menu
from cardwright.table.hearts_table import with_last_trick

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.game.game import Game
    from cardwright.interfaces.play.screen.card_face import Faces
    from cardwright.interfaces.play.screen.scene import Scene, TrickShown
    from cardwright.program.cards import Card
    from cardwright.table.account import Event
    from cardwright.table.estimates import Hint
    from cardwright.table.session import PlaySession


def left_by(event: Event, before: Scene, trick: TrickShown | None) -> Scene:
    """Return the table with the trick that a move has completed, if any, before any consequence.

    `before` is the scene in which the move was made.
    """
    gone = {card.id for card in event.cards}
    kept = [at for at, card in enumerate(before.cards) if card.id not in gone]
    menu = Menu(
        tuple(before.menu.hand[at] for at in kept), tuple(before.menu.typed[at] for at in kept)
    )
    seats = tuple(
        replace(seat, due=False, backs=max(0, seat.backs - len(gone) * (seat.seat == event.seat)))
        for seat in before.seats
    )
    return replace(
        before,
        mine=False,
        due=None,
        seats=seats,
        hand=tuple(before.hand[at] for at in kept),
        cards=tuple(before.cards[at] for at in kept),
        menu=menu,
        words=(),
        asked="",
        trick=trick,
    )


def summed_up(left: Scene, after: Scene, event: Event, game: Game, faces: Faces) -> Scene:
    """Return the table of a deal that a move has finished, with the standing in `after`.

    In games of the Hearts family the cards taken include those of the last trick. The log ends with
    the deal: how the next one began, which may tell cards, comes later.
    """
    scores, sheet = after.scores, after.sheet
    seats = tuple(
        replace(seat, score=None if scores is None else scores[seat.seat]) for seat in left.seats
    )
    last = None if sheet.hearts is None else sheet.hearts.last
    taken = left.taken
    if left.hearts is not None and last is not None:
        sheet = replace(sheet, hearts=with_last_trick(game, left.hearts, last))
        assert sheet.hearts is not None
        taken = tuple(faces.seen(cards) for cards in sheet.hearts.taken)
    next_deal = len(event.begun[1:])
    return replace(
        left, trick=None, seats=seats, sheet=sheet, taken=taken, scores=scores,
        log=after.log[: len(after.log) - next_deal], ended=event.deal,
    )  # fmt: skip


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

    `scene` is the moment shown. `status` says what the game waits for. `held` stops a watched game
    between two moves. After the end of a deal the runner continues when `skip` is called.
    """

    def __init__(
        self,
        session: PlaySession,
        faces: Faces,
        pause: float,
        watcher: Watcher,
    ) -> None:
        self.session = session
        self.pause = pause
        self.held = False
        self.thinking_since: float | None = None
        self.waiting = False
        self._trick_taken = False
        self._lapsed = -_GRACE
        self._faces = faces
        self._log = Log(tuple(map(printable, session.names)), faces)
        self.scene: Scene = self._made()
        self._changed, self._ended, self._told = watcher
        self._work_thread = WorkThread()
        self._go = asyncio.Event()
        self._skip = asyncio.Event()
        self._chosen: asyncio.Future[int] | None = None

    # Actions of the person ------------------------------------------------------------------

    @property
    def status(self) -> str:
        """The status, if it is not the person's move."""
        if self.thinking_since is not None and self.scene.due is not None:
            spent = int(time.monotonic() - self.thinking_since)
            seconds = f" ({spent} s)" if spent else ""
            return f"{self.scene.names[self.scene.due]} thinks{seconds}"
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
        verb = "takes" if scene.watching or winner != scene.shown else "take"
        return f"{scene.names[winner]} {verb} the trick"

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
        await self._look()
        return plies

    async def hint(self) -> Hint:
        """Return the advice of the player for hints."""
        return await self._work_thread.do(self.session.hint)

    async def reason(self, card: Card) -> str | None:
        """Return why a card cannot be played now."""
        return await self._work_thread.do(lambda: self.session.reason(card))

    async def use(self, faces: Faces) -> None:
        """Draw cards with these faces from now on."""
        self._faces = faces
        self._log = Log(self.scene.names, faces)
        await self._look()

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
        index = await self._chosen
        before = self.scene
        self.scene = replace(before, mine=False)
        self._changed()
        try:
            event = await self._work_thread.do(lambda: self.session.choose(index))
        except GameError:
            raise
        except CardwrightError as error:
            if len(self.session.events()) == before.moves:
                raise
            event = self.session.events()[-1]  # only the file failed
            self._told(str(error))
        await self._look(before, event)

    async def _others(self) -> None:
        while self.held and not self._go.is_set():
            self._changed()
            await self._go.wait()
        self._go.clear()
        before = self.scene
        self.thinking_since = time.monotonic()
        self._changed()
        try:
            event = await self._work_thread.do(self.session.step)
        finally:
            self.thinking_since = None
        await self._look(before, event)

    async def _look(self, before: Scene | None = None, event: Event | None = None) -> None:
        """Show the results of a move: a finished trick, the end of a deal, then the next scene."""
        scene = await self._work_thread.do(self._made)
        if before is None or event is None:
            self.scene = scene
            self._changed()
            return
        trick = finished_trick(event, self._faces)
        deal_over = event.deal is not None
        left = left_by(event, before, trick)
        if trick is not None:
            self.scene = left if deal_over else replace(scene, trick=trick, mine=False, due=None)
            self._trick_taken = True
            await self._wait(self.pause * _TRICK_PAUSE)
            self._trick_taken = False
        if deal_over:
            self.scene = summed_up(left, scene, event, self.session.game, self._faces)
        elif trick is None:
            self.scene = scene
        if deal_over and not (scene.finished and len(scene.sheet.deals) == 1):
            self._ended("deal")
            await self._wait(self.pause * _DEAL_PAUSE if scene.watching else None)
            self._ended("")
        self.scene = scene
        self._changed()
        if trick is None and not deal_over and not scene.finished:
            own = event.seat == scene.shown and not scene.watching
            await self._wait(0 if own or scene.mine else self.pause)

    def _made(self) -> Scene:
        return scene_of(self.session, self._faces, self._log)

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
