"""Bulk play: many random games by machine code, in threads.

A thread plays a block of games at a time, without Python's lock. A game depends on
its seed alone, so that the results are the same for any number of threads.
"""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor, wait
from queue import SimpleQueue
from typing import TYPE_CHECKING

import numpy as np

from cardwright.compiler.kernel_sets import RANDOM_GAMES, RESUMED_GAMES
from cardwright.compiler.kernels.random_games import LEFT
from cardwright.game.engines import EngineError
from cardwright.game.interrupt import on_interrupt
from cardwright.game.native import NativeBoard, native_or_none
from cardwright.game.random_games import TALLIES, RandomGames, joined
from cardwright.game.seeds import GameSeeds, seed_array

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, SupportsIndex

    from cardwright.compiler.kernel_sets import KernelSet
    from cardwright.game.game import Game
    from cardwright.game.native import NativeEngine
    from cardwright.game.random_games import Integers, Seeds

_MOST = 16_384
"""Most games of a block: enough that Python's overhead for a block is negligible."""

_LEAST_BLOCKS = 64
"""Least blocks of a job, if it has as many games, so that there is work for many threads."""

_LOOK = 0.05
"""Seconds between two checks of the threads' progress."""


def play_random(
    game: Game,
    seeds: Iterable[SupportsIndex],
    *,
    draws: Iterable[SupportsIndex] | None = None,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> RandomGames:
    """Play a game for each seed with random players, by the native engine.

    Each seat draws from its own stream, so these are the games that the player `random` plays. For
    the seeds of a job take `game_seeds`, which are then made natively too. With `draws`, as many
    seeds, the seats draw from the streams of these: other choices in the same deals. `threads` is
    one for each processor by default; `progress` is called now and then with the number of games
    played. Ctrl-C stops the job: what is finished is returned, with `stopped` set. Raises
    EngineError if the game is played by another engine or cannot be compiled, and ValueError for a
    wrong seed, or another number of draws than of games.
    """
    bulk = Bulk(game, seeds, threads, draws)
    with on_interrupt(bulk.stop):
        parts = list(bulk.blocks(progress))
    return joined(game, parts, stopped=bulk.stopped)


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Bulk:
    """Random games to be played, block by block.

    `stop` may be called at any time, from any thread: games in play are dropped at once, and the
    finished ones before them, in each block, are kept.
    """

    def __init__(
        self,
        game: Game,
        seeds: Iterable[SupportsIndex],
        threads: int | None = None,
        draws: Iterable[SupportsIndex] | None = None,
    ) -> None:
        engine = native_or_none(game)
        if engine is None:
            raise EngineError(f"bulk play is for the native engine, not for the {game.engine_name}")
        if threads is not None and threads < 1:
            raise ValueError(f"games are played by 1 thread or more, not by {threads}")
        self.game = game
        self.stopped = False
        self._seeds = seeds if isinstance(seeds, GameSeeds | range) else seed_array(seeds)
        engine.extended(RANDOM_GAMES)
        self._engine = engine
        self.count = _length(self._seeds)
        self._draws = None if draws is None else np.frombuffer(seed_array(draws), np.uint64)
        if self._draws is not None and len(self._draws) != self.count:
            raise ValueError(f"{self.count} games need as many draws, not {len(self._draws)}")
        self._size = max(1, min(_MOST, self.count // _LEAST_BLOCKS))
        blocks = -(-self.count // self._size)
        self._workers = [_Worker(engine) for _ in range(min(threads or processors(), blocks))]
        self._free: SimpleQueue[_Worker] = SimpleQueue()
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

    def blocks(self, progress: Callable[[int], object] | None = None) -> Iterator[RandomGames]:
        """Play, and yield the games in order; this can be done once.

        `progress` is called as in `play_random`, by the thread that iterates over the blocks.
        """
        if not self._workers:
            return
        starts = iter(range(0, self.count, self._size))
        waiting: deque[Future[RandomGames]] = deque()
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
                    games = self._awaited(waiting.popleft(), progress)
                    if len(games):
                        yield games
            except BaseException:
                self.stop()
                raise

    def _awaited(
        self, block: Future[RandomGames], progress: Callable[[int], object] | None
    ) -> RandomGames:
        while True:
            finished = wait((block,), _LOOK).done
            if progress is not None:
                progress(self.done)
            if finished:
                return block.result()

    def _play(self, at: int) -> RandomGames:
        """Play the block that begins with a game."""
        size = min(self._size, self.count - at)
        worker = self._free.get()
        try:
            seeds = self._block_seeds(at, size)
            draws = None if self._draws is None else self._draws[at : at + size]
            return worker.play(self.game, at, seeds, draws)
        finally:
            self._free.put(worker)

    def _block_seeds(self, at: int, size: int) -> Seeds:
        if isinstance(self._seeds, GameSeeds):
            job = self._seeds
            made = self._engine.game_seeds(job.seed, job.first + at, size)
            return np.frombuffer(made, np.uint64)
        part = self._seeds[at : at + size]
        return np.frombuffer(seed_array(part) if isinstance(part, range) else part, np.uint64)


class _Worker:
    """What a thread needs to play."""

    def __init__(self, engine: NativeEngine) -> None:
        self.context = engine.new_context()
        self._engine = engine
        self._board = NativeBoard(engine, engine.native.new_board())
        self._template = NativeBoard(engine, engine.native.new_board())
        self._streams = np.empty((engine.native.program.players, 4), np.uint64)

    def play(self, game: Game, first: int, seeds: Seeds, draws: Seeds | None) -> RandomGames:
        """Play a game for each seed, and return those that were finished."""
        scores = np.zeros((len(seeds), game.players), np.int64)
        tallies = np.zeros(len(seeds), TALLIES)
        drawn = seeds if draws is None else draws
        done = self._run(RANDOM_GAMES, seeds, drawn, scores, tallies)
        left = np.flatnonzero(tallies["broken"][:done] == LEFT)
        if len(left):
            of_those, their = scores[left], tallies[left]
            played = self._run(RESUMED_GAMES, seeds[left], drawn[left], of_those, their)
            scores[left[:played]], tallies[left[:played]] = of_those[:played], their[:played]
            done = done if played == len(left) else int(left[played])
        scores[tallies["broken"] != 0] = 0
        numbers = np.arange(first, first + len(seeds))
        return RandomGames(game, numbers, seeds, scores, tallies, draws=draws).take(slice(done))

    def _run(
        self,
        extension: KernelSet,
        seeds: Seeds,
        draws: Seeds,
        scores: Integers,
        tallies: np.ndarray[Any, Any],
    ) -> int:
        """Play a game for each seed by an extension; return how many were played, or left."""
        done: int = self._engine.extended(extension).functions["cw_random_games"](
            self._board.address,
            self.context.address,
            self._template.address,
            self._streams.ctypes.data,
            seeds.ctypes.data,
            draws.ctypes.data,
            len(seeds),
            scores.ctypes.data,
            tallies.ctypes.data,
        )
        return done


def _length(seeds: GameSeeds | range | array[int]) -> int:
    """Return how many seeds there are, which may be more than `len` can return."""
    if isinstance(seeds, range):
        return seeds[-1] - seeds[0] + 1 if seeds else 0
    return seeds.count if isinstance(seeds, GameSeeds) else len(seeds)
