"""Players in a process of their own, which is ended if they never answer.

Where there is a limit for a move, each entrant from a Python file thinks in a process for itself.
It is a worker of `jobs`, so it is started like one, and trusted: what a file may do is not limited.
The process is told the seed of the game and the choices made, from which it plays the same state as
the referee's: so whatever a player asks of a decision has the same answer as anywhere else, and the
record of a game does not depend on where its players are.

A player that has not answered is ended `GRACE` seconds after its limit, by the clock on the wall,
if it has computed for as long, too; one that only waits, for a while longer. So a player that has
to wait for a busy machine is not ended. The process is then started anew, and the entrant's players
at the table are made again: they remember nothing of the game, whose choices they can still look
up.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import pickle
import signal
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from cardwright.arena.referee import FaultKind, JudgedAnswer, SeparatePlayer, error_line, judged
from cardwright.interpreter.stream import Stream
from cardwright.jobs.processes import end_of_worker, started_worker
from cardwright.jobs.worker import receive, send
from cardwright.players.kind import Loads, PlayerSpecError
from cardwright.players.player import SINGLE_NUMBERS, Decision, Note
from cardwright.players.spec import PlayerSpec
from cardwright.sandbox.allowance import CEILING, ProcessorTime, WallTime, clock_of, without_clock

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Sequence

    from cardwright.game.game import Game, State
    from cardwright.interpreter.stream import Words
    from cardwright.players.player import Player
    from cardwright.program.cards import Seat
    from cardwright.sandbox.allowance import Allowance

GRACE = 1.0
"""Seconds after its limit until a player that does not answer is ended."""

MAKING = 60.0
"""Seconds that a player may take to be made: it may load a model."""

_LOOK = 0.05
"""Seconds between two looks at players that are thinking."""

_IDLE = 30.0
"""Seconds after which a process that nobody uses is ended."""

_PR_SET_PDEATHSIG = 1
"""See prctl(2)."""


class OverdueError(Exception):
    """A process that was ended because its answer did not come."""


class EndedError(Exception):
    """A process that has ended by itself; the message says how."""


# In the process of a player ---------------------------------------------------------------------


@dataclass
class PlayerHost:
    """What answers requests in the process of a player: it holds the game and its players.

    A request is the name of a method, with what it is given.
    """

    game: Game
    spec: PlayerSpec
    _number: int = field(default=-1, init=False)
    _state: State | None = field(default=None, init=False)
    _players: dict[int, Player] = field(default_factory=dict, init=False)

    def __call__(self, request: tuple[str, tuple[Any, ...]]) -> Any:
        """Answer a request; raises what making a player raises."""
        name, given = request
        return getattr(self, name)(*given)

    def prepare(self) -> None:
        """Get the game ready: what is loaded or compiled for it is no player's thinking."""
        if sys.platform == "linux":  # end with the thread that started this process, in any call
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        self.game.prepare()
        self.game.start(0)

    def make(self, game: int, seat: int) -> None:
        """Make a new player for a seat, in a game with a number."""
        if game != self._number:
            self._number, self._state, self._players = game, None, {}
        self._players[seat] = self.spec.build()

    def choose(
        self, seat: Seat, seed: int, choices: tuple[int, ...], options: int, words: Words
    ) -> tuple[JudgedAnswer, Words]:
        """Return the answer of a seat's player, after further choices were made in the game.

        The state of the seat's stream is `words`; the reply has it after the player's draws.
        """
        if self._state is None:
            self._state = self.game.start(seed)
        state = self._state
        for choice in choices:
            state.play(choice)
        stream = Stream.at(words)
        decision = Decision(seat, options, stream, state, len(state.choices))
        answer = judged(self._players[seat], decision)
        return _portable(answer), stream.words


def _portable(answer: JudgedAnswer) -> JudgedAnswer:
    """Return an answer without classes of the player's own, which others could not unpickle."""
    note = answer.note
    if note is None:
        return answer
    single = {name: getattr(note, name) for name in SINGLE_NUMBERS}
    numbers: Any = {name: float(value) for name, value in single.items() if value is not None}
    plain = Note(
        **numbers,
        lead=None if note.lead is None else tuple(map(float, note.lead)),
        iterations=None if note.iterations is None else int(note.iterations),
    )
    return JudgedAnswer(answer.chosen, answer.seconds, note=plain)


# Where the game is played -----------------------------------------------------------------------


class PlayerProcess:
    """The process of an entrant's players, as seen from where the game is played.

    It is started when it is first asked, and again after it has ended; `starts` counts how often.
    It is for one thread at a time.
    """

    def __init__(self, host: PlayerHost, key: bytes) -> None:
        self.key = key
        self.starts = 0
        self.idle_since = 0.0
        self._host = host
        self._process: subprocess.Popen[bytes] | None = None
        self._clock: Callable[[], int] | None = None
        self._allowance: Allowance | None = None
        self._overdue = False
        self._lock = threading.Lock()
        self._games = itertools.count()
        self._told = (-1, 0)  # the number of a game, and how many of its choices

    def new_game(self) -> int:
        """Return the number of a new game, to be played after those with smaller ones."""
        return next(self._games)

    def make(self, game: int, seat: int) -> int:
        """Make a new player for a seat, and return the start of the process in which it is.

        Raises what making it raises, and PlayerSpecError if the process ends instead.
        """
        try:
            if self._process is None:
                self._start()
            self._ask(WallTime(MAKING), "make", game, seat)
        except OverdueError:
            raise PlayerSpecError(f"it took more than {MAKING:g} s, and was ended") from None
        except EndedError as error:
            raise PlayerSpecError(str(error)) from None
        return self.starts

    @property
    def running_start(self) -> int:
        """The number of the process's start, from 1; 0 while there is none."""
        return self.starts if self._process is not None else 0

    def choose(self, game: int, decision: Decision, limit: float) -> JudgedAnswer:
        """Return the answer of the player of a decision's seat, which is in this game.

        Raises OverdueError and EndedError.
        """
        state = decision._state
        assert state.seed is not None
        told = self._told[1] if self._told[0] == game else 0
        choices = tuple(state.choices[told:])
        answer: JudgedAnswer
        answer, decision.stream.words = self._ask(
            self._until(limit + GRACE), "choose",
            decision.seat, state.seed, choices, decision.option_count, decision.stream.words,
        )  # fmt: skip
        self._told = game, len(state.choices)
        return answer

    def end(self) -> None:
        """End the process, and all that it has started, if there is one."""
        with self._lock:
            process, self._process = self._process, None
            if process is not None:
                _kill(process)
                end_of_worker(process)

    def look(self) -> None:
        """End the process if its answer is overdue."""
        with self._lock:
            process, allowance = self._process, self._allowance
            if process is not None and allowance is not None and allowance.left() <= 0:
                self._overdue = True
                _kill(process)  # whoever waits for the answer sees the end of its pipe

    def _start(self) -> None:
        self._process = process = started_worker()
        self._clock = clock_of(process.pid)
        self._overdue = False
        self._told = -1, 0
        self.starts += 1
        _POOL.watch(self)
        assert process.stdin is not None
        with suppress(OSError):  # the next request says how it has ended
            send(process.stdin, self._host)
        self._ask(None, "prepare")

    def _ask(self, allowance: Allowance | None, name: str, *given: Any) -> Any:
        """Return the reply to a request, for which there is so much time."""
        process = self._process
        assert process is not None
        assert process.stdin is not None
        assert process.stdout is not None
        with self._lock:
            self._allowance = allowance
        try:
            send(process.stdin, (name, given))
            reply, error = receive(process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError):
            with self._lock:
                self._allowance, self._process = None, None
            ended = end_of_worker(process)
            if self._overdue:
                raise OverdueError("did not answer in time") from None
            raise EndedError(f"its process {ended}") from None
        with self._lock:
            self._allowance = None
            if self._overdue:  # it has answered just before it was ended
                self._process = None
        if self._process is None:
            end_of_worker(process)
        if error is not None:
            raise error
        return reply

    def _until(self, seconds: float) -> Allowance:
        if self._clock is None:
            return without_clock(seconds)
        used = ProcessorTime(self._clock, self._clock(), seconds, ceiling=seconds + CEILING)
        return _Both(WallTime(seconds), used)


@dataclass(frozen=True)
class _Both:
    """A limit that is used up when two are: threads compute faster than the clock on the wall."""

    one: Allowance
    other: Allowance

    def left(self) -> float:
        """Return the seconds until both may be used up."""
        return max(self.one.left(), self.other.left())


class ProcessPlayer(SeparatePlayer):
    """A player of a seat in one game, which thinks in a process of its own."""

    def __init__(self, process: PlayerProcess, game: int, seat: int) -> None:
        """Make the player; raises what making it raises, and PlayerSpecError if it cannot be."""
        self._process = process
        self._game = game
        self._seat = seat
        self._start = process.make(game, seat)

    def judged(self, decision: Decision, limit: float | None) -> JudgedAnswer:
        """Return what came of asking the player, which is made again if its process was ended."""
        assert limit is not None
        begun = time.perf_counter()
        try:
            if self._start != self._process.running_start:
                self._start = self._process.make(self._game, self._seat)
            return self._process.choose(self._game, decision, limit)
        except (KeyboardInterrupt, MemoryError):
            raise
        except OverdueError:
            fault = FaultKind.LATE, f"took more than {limit:g} s for a move, and was ended"
        except EndedError as error:
            fault = FaultKind.RAISED, str(error)
        except BaseException as error:  # it could not be made again; the run goes on in any case
            fault = FaultKind.RAISED, f"could not be started again: {error_line(error)}"
        return JudgedAnswer(None, time.perf_counter() - begun, fault)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process that was not waited for yet, and all of its group."""
    if os.name == "posix":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


class EntrantSeating:
    """Who sits where, game by game: of each entrant from a Python file, players in a process.

    That is so with a `limit` for a move, in seconds; without one all players are in this process.
    Use it with `with`, in one thread; processes stay for a while for the next one.
    """

    def __init__(
        self, game: Game, makers: Sequence[Callable[[], Player]], limit: float | None
    ) -> None:
        self._game = game
        self._makers = makers
        self._limit = limit
        self._processes: dict[int, PlayerProcess] = {}

    def makers(self, table: Sequence[int]) -> list[Callable[[], Player | SeparatePlayer]]:
        """Return for each seat of a new game what makes its player: of the entrants at a table."""
        if self._limit is None:
            return [self._makers[who] for who in table]
        games = {
            who: self._process(who, spec).new_game()
            for who in set(table)
            if isinstance(spec := self._makers[who], PlayerSpec) and spec.loads is Loads.PROGRAM
        }
        return [
            partial(ProcessPlayer, self._processes[who], games[who], seat)
            if who in games
            else self._makers[who]
            for seat, who in enumerate(table)
        ]

    def __enter__(self) -> EntrantSeating:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for process in self._processes.values():
            if kind is None:
                _POOL.give(process)
            else:
                process.end()  # it may owe an answer

    def _process(self, who: int, spec: PlayerSpec) -> PlayerProcess:
        if who not in self._processes:
            self._processes[who] = _POOL.take(PlayerHost(self._game, spec))
        return self._processes[who]


class _Pool:
    """The processes of players in this process: those that are idle, and a watch over all."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew in a fork of this process, which inherits neither threads nor children."""
        self._lock = threading.Lock()
        self._idle: list[PlayerProcess] = []
        self._watched: set[PlayerProcess] = set()
        self._watching = False

    def take(self, host: PlayerHost) -> PlayerProcess:
        """Return a process of this host that nobody uses, or a new one."""
        key = pickle.dumps(host)
        with self._lock:
            for process in self._idle:
                if process.key == key:
                    self._idle.remove(process)
                    return process
        return PlayerProcess(host, key)

    def give(self, process: PlayerProcess) -> None:
        """Let others have a process, for a while."""
        process.idle_since = time.monotonic()
        with self._lock:
            self._idle.append(process)

    def end_idle(self, seconds: float = 0.0) -> None:
        """End processes that nobody has used for so many seconds."""
        until = time.monotonic() - seconds
        with self._lock:
            old = [process for process in self._idle if process.idle_since <= until]
            self._idle = [process for process in self._idle if process.idle_since > until]
        for process in old:
            process.end()

    def watch(self, process: PlayerProcess) -> None:
        """Look at a process every now and then, as long as it runs."""
        with self._lock:
            self._watched.add(process)
            if not self._watching:
                self._watching = True
                threading.Thread(target=self._look, name="player watch", daemon=True).start()

    def _look(self) -> None:
        while True:
            time.sleep(_LOOK)
            self.end_idle(_IDLE)
            with self._lock:
                self._watched = {one for one in self._watched if one.running_start}
                self._watching = bool(self._watched)
                watched = list(self._watched)
            if not watched:
                return
            for process in watched:
                process.look()


_POOL = _Pool()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_POOL.forget)

end_idle_processes = _POOL.end_idle
