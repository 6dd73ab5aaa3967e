"""Many random games by machine code, block by block, and their outcomes as plain numbers.

A thread plays a block of games at a time, without Python's lock. A game depends on its seed alone,
so that the results are the same for any number of threads.
"""

from __future__ import annotations

import os
from array import array
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from itertools import chain
from operator import mul
from queue import SimpleQueue
from typing import TYPE_CHECKING, NamedTuple

from cardwright.compiler.backend import IN_PYODIDE
from cardwright.compiler.kernel_sets import RANDOM_GAMES, RESUMED_GAMES
from cardwright.compiler.kernels.games import (
    LEAST,
    LEFT,
    MOST,
    NUMBERS,
    OPTIONS,
    SEATS,
    SINGLE,
    WIDEST,
)
from cardwright.compiler.structs import TALLY_FIELDS
from cardwright.game.engines import native_engine
from cardwright.game.errors import EngineError, GameError
from cardwright.game.native.threads import check_threads
from cardwright.game.seeds import GameSeeds, seed_array
from cardwright.interpreter.stream import Stream
from cardwright.program.integers import LARGEST, SMALLEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, SupportsIndex

    from cardwright.compiler.kernel_sets import KernelSet
    from cardwright.game.game import Game, State
    from cardwright.game.native.engine import NativeEngine
    from cardwright.interpreter.world import Fault

TALLY_WORDS = len(TALLY_FIELDS)


class Sums(NamedTuple):
    """Numbers added up: how many there are, their ends, their sum, and that of their squares."""

    numbers: int
    least: int
    most: int
    total: int
    squares: int


class GameSums(NamedTuple):
    """Games added up: their decisions, all options, the most of a decision, decisions with one.

    `scores` has those of each seat, and `won` how often it won alone, with one other, and so on.
    """

    decisions: Sums
    options: int
    most: int
    single: int
    scores: list[Sums]
    won: list[list[int]]


@dataclass(frozen=True, eq=False)
class PlayedGames:
    """Games that were played at random: a block of a job, as machine code writes them.

    They are those from the game of the number `first` on. `scores` has a number for every seat of
    each game, zeros for one that broke a rule, and `tallies` the words of `TALLY_FIELDS`. `draws`
    has the seeds of the streams from which the seats drew, if they are not those of `seeds`.
    """

    game: Game
    first: int
    seeds: array[int]
    scores: array[int]
    tallies: array[int]
    draws: array[int] | None = None

    @classmethod
    def unplayed(
        cls, game: Game, seeds: array[int], draws: array[int] | None = None, first: int = 0
    ) -> PlayedGames:
        """Return games with room for their results."""
        scores, tallies = zeros(len(seeds) * game.players), zeros(len(seeds) * TALLY_WORDS)
        return cls(game, first, seeds, scores, tallies, draws)

    def __len__(self) -> int:
        return len(self.seeds)

    def column(self, name: str) -> array[int]:
        """Return a number of every tally."""
        return self.tallies[TALLY_FIELDS.index(name) :: TALLY_WORDS]

    def score_rows(self) -> Iterator[tuple[int, ...]]:
        """Yield the scores of each game."""
        return zip(*[iter(self.scores)] * self.game.players, strict=True)

    def broken(self) -> list[int]:
        """Return the rows of the games that broke a rule."""
        column = self.column("broken")
        return [row for row, broken in enumerate(column) if broken] if any(column) else []

    def ended(self) -> PlayedGames:
        """Return the games that were finished; they have no numbers of their own any more."""
        broken = set(self.broken())
        if not broken:
            return self
        return self.take([row for row in range(len(self)) if row not in broken])

    def faults(self) -> Iterator[tuple[int, Fault]]:
        """Yield the seed and the fault of each game that broke a rule, without playing it again."""
        for row in self.broken():
            tally = self.tallies[row * TALLY_WORDS : (row + 1) * TALLY_WORDS]
            yield self.seeds[row], fault_of(self.game, dict(zip(TALLY_FIELDS, tally, strict=True)))

    def sums(self) -> GameSums:
        """Return the sums over the games that were finished, added up by machine code."""
        game, engine = self.game, native_engine(self.game, "sums of bulk play need")
        width = NUMBERS + game.players
        words = zeros(SEATS + width * game.players)
        seats = range(SEATS, len(words), width)
        for at in (0, *seats):
            words[at + LEAST], words[at + MOST] = LARGEST, SMALLEST
        scores, tallies, out = map(engine.lend, (self.scores, self.tallies, words))
        highest = int(game.highest_wins)
        ended = engine.call("cw_add_games", scores, tallies, len(self), highest, out)

        def added(at: int) -> Sums:
            least, most, total, squares = words[at : at + NUMBERS]
            if ended and max(-least, most) ** 2 * ended > LARGEST:
                games, seat = self.ended(), (at - SEATS) // width
                values = games.scores[seat :: game.players] if at else games.column("decisions")
                total, squares = sum(values), sum(map(mul, values, values))
            return Sums(ended, least, most, total, squares)

        return GameSums(
            added(0),
            words[OPTIONS],
            words[WIDEST],
            words[SINGLE],
            [*map(added, seats)],
            [list(words[at + NUMBERS : at + width]) for at in seats],
        )

    def take(self, rows: Sequence[int]) -> PlayedGames:
        """Return some of the games, whose numbers are then unknown unless they are the first."""
        return replace(
            self,
            seeds=_rows(self.seeds, rows),
            scores=_rows(self.scores, rows, self.game.players),
            tallies=_rows(self.tallies, rows, TALLY_WORDS),
            draws=None if self.draws is None else _rows(self.draws, rows),
        )

    def put(self, rows: Sequence[int], games: PlayedGames) -> None:
        """Write what the first of other games came to into some rows."""
        seats, words = self.game.players, TALLY_WORDS
        for at, row in enumerate(rows):
            self.scores[row * seats : (row + 1) * seats] = games.scores[
                at * seats : (at + 1) * seats
            ]
            self.tallies[row * words : (row + 1) * words] = games.tallies[
                at * words : (at + 1) * words
            ]


def zeros(count: int) -> array[int]:
    """Return words that are 0."""
    return array("q", bytes(8 * count))


def _rows(words: array[int], rows: Iterable[int], width: int = 1) -> array[int]:
    return array(
        words.typecode, chain.from_iterable(words[row * width : (row + 1) * width] for row in rows)
    )


def fault_of(game: Game, tally: Mapping[str, int]) -> Fault:
    """Return the fault in the tally of a game that broke a rule."""
    engine = native_engine(game, "faults of bulk play need")
    numbers = [tally[f"fault_{name}"] for name in ("site", *"abc")]
    return engine.fault_of(numbers, RANDOM_GAMES, RESUMED_GAMES)


def singly(game: Game, seeds: array[int], draws: array[int] | None = None) -> PlayedGames:
    """Play the games of `Bulk` one decision at a time, by the engine of the game.

    They are the same games; that way the interpreter plays them, which needs no compilation.
    """
    games = PlayedGames.unplayed(game, seeds, draws)
    for row, (seed, drawn) in enumerate(zip(seeds, draws or seeds, strict=True)):
        counts: list[int] = []
        tally = dict.fromkeys(TALLY_FIELDS, 0)
        try:
            state = game.start(seed)
            counts.extend(decision.option_count for decision in random_decisions(state, drawn))
            scores = state.scores
        except GameError:
            tally["broken"] = 1
        else:
            games.scores[row * game.players : (row + 1) * game.players] = array("q", scores)
            tally["decisions"], tally["options"] = len(counts), sum(counts)
            tally["most"], tally["single"] = max(counts, default=0), counts.count(1)
        games.tallies[row * TALLY_WORDS : (row + 1) * TALLY_WORDS] = array("q", tally.values())
    return games


def random_error(game: Game, seed: int, draws: int | None = None) -> GameError:
    """Play a game with random players up to the rule that it breaks, and return the error.

    The seats draw from the streams of the seed `draws`, or of the game's.
    """
    try:
        for _ in random_decisions(game.start(seed), seed if draws is None else draws):
            pass
    except GameError as error:
        return error
    raise ValueError(f"the game of seed {seed} breaks no rule")


def random_decisions(state: State, draws: int) -> Iterator[State]:
    """Yield a state at each of its decisions, which are then made at random.

    The seats draw from the streams of the seed `draws`.
    """
    streams = [Stream.of_seat(draws, seat) for seat in range(state.game.players)]
    while (seat := state.player) is not None:
        yield state
        state.play(streams[seat].below(state.option_count))


_MOST = 16_384
"""Most games of a block: enough that Python's overhead for a block is negligible."""

_LEAST_BLOCKS = 64
"""Least blocks of a job, if it has as many games, so that there is work for many threads."""

_LOOK = 0.05
"""Seconds between two checks of the threads' progress."""


def _processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Bulk:
    """Random games to be played, block by block.

    `stop` may be called at any time, from any thread: games in play are dropped at once, and the
    finished ones before them, in each block, are kept. Raises EngineError if the game is played by
    another engine or cannot be compiled, and ValueError for a wrong seed, or another number of
    draws than of games.
    """

    def __init__(
        self,
        game: Game,
        seeds: Iterable[SupportsIndex],
        threads: int | None = None,
        draws: Iterable[SupportsIndex] | None = None,
    ) -> None:
        engine = game._machine
        if engine is None:
            raise EngineError(f"bulk play is for the native engine, not for the {game.engine_name}")
        check_threads(1 if threads is None else threads)
        self.game = game
        self.stopped = False
        self._seeds = seeds if isinstance(seeds, GameSeeds | range) else seed_array(seeds)
        engine.extended(RANDOM_GAMES)
        self._engine = engine
        self.count = _length(self._seeds)
        self._draws = None if draws is None else seed_array(draws)
        if self._draws is not None and len(self._draws) != self.count:
            raise ValueError(f"{self.count} games need as many draws, not {len(self._draws)}")
        self._size = max(1, min(_MOST, self.count // _LEAST_BLOCKS))
        blocks = -(-self.count // self._size)
        self._workers = [
            _Worker(engine) for _ in range(min(engine.threads(threads or _processors()), blocks))
        ]
        self._free = SimpleQueue[_Worker]()
        for worker in self._workers:
            self._free.put(worker)

    @property
    def done(self) -> int:
        """How many games have been played so far."""
        return sum(worker.context.get("done") for worker in self._workers)

    def stop(self) -> None:
        """Stop the job, keeping the games that are finished."""
        self.stopped = True
        for worker in self._workers:
            worker.context.stop()

    def blocks(self, progress: Callable[[int], object] | None = None) -> Iterator[PlayedGames]:
        """Play, and yield the games in order; this can be done once.

        `progress` is called now and then with the number of games played, by the thread that
        iterates over the blocks. In Pyodide, which has no other, that thread plays as well.
        """
        if not self._workers:
            return
        report = progress or (lambda _: None)
        starts = iter(range(0, self.count, self._size))
        if IN_PYODIDE:
            for first in starts:
                games = self._play(first)
                report(self.done)
                yield games
            return
        waiting: deque[Future[PlayedGames]] = deque()
        with ThreadPoolExecutor(len(self._workers)) as pool:
            try:
                while True:
                    while len(waiting) < 2 * len(self._workers) and not self.stopped:
                        at = next(starts, None)
                        if at is None:
                            break
                        waiting.append(pool.submit(self._play, at))
                    if not waiting:
                        return
                    block = waiting.popleft()
                    while not wait((block,), _LOOK).done:
                        report(self.done)
                    report(self.done)
                    if len(block.result()):
                        yield block.result()
            except BaseException:
                self.stop()
                raise

    def _play(self, at: int) -> PlayedGames:
        """Play the block that begins with a game."""
        size = min(self._size, self.count - at)
        worker = self._free.get()
        try:
            draws = None if self._draws is None else self._draws[at : at + size]
            return worker.play(
                PlayedGames.unplayed(self.game, self._block_seeds(at, size), draws, at)
            )
        finally:
            self._free.put(worker)

    def _block_seeds(self, at: int, size: int) -> array[int]:
        if isinstance(self._seeds, GameSeeds):
            job = self._seeds
            return array("Q", self._engine.game_seeds(job.seed, job.first + at, size))
        part = self._seeds[at : at + size]
        return seed_array(part) if isinstance(part, range) else part


class _Worker:
    """What a thread needs to play."""

    def __init__(self, engine: NativeEngine) -> None:
        self.context = engine.new_context()
        self._engine = engine
        self._board, self._template = engine.new_board(), engine.new_board()
        self._streams = array("Q", bytes(32 * engine.native.program.players))

    def play(self, games: PlayedGames) -> PlayedGames:
        """Play games, and return those that were finished."""
        done = self._run(RANDOM_GAMES, games)
        left = [row for row, one in enumerate(games.column("broken")[:done]) if one == LEFT]
        if left:
            those = games.take(left)
            played = self._run(RESUMED_GAMES, those)
            games.put(left[:played], those)
            done = done if played == len(left) else left[played]
        whole = games if done == len(games) else games.take(range(done))
        seats = games.game.players
        for row in whole.broken():
            whole.scores[row * seats : (row + 1) * seats] = zeros(seats)
        return whole

    def _run(self, extension: KernelSet, games: PlayedGames) -> int:
        seeds, draws = games.seeds, games.draws or games.seeds
        return self.run(extension, seeds, draws, games.scores, games.tallies)

    def run(self, extension: KernelSet, *rows: Any) -> int:
        """Play a game for each seed of the first rows; return how many were played, or left."""
        seeds, draws, *out = map(self._engine.lend, rows)
        return self._engine.extended(extension).functions["cw_random_games"](
            self._board.address, self.context.address, self._template.address,
            self._engine.lend(self._streams), seeds, draws, len(rows[0]), *out,
        )  # fmt: skip


def _length(seeds: GameSeeds | range | array[int]) -> int:
    """Return how many seeds there are, which may be more than `len` can return."""
    if isinstance(seeds, range):
        return seeds[-1] - seeds[0] + 1 if seeds else 0
    return seeds.count if isinstance(seeds, GameSeeds) else len(seeds)
