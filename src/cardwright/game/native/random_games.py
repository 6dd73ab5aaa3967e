"""Many random games by machine code, and their outcomes in arrays with a row for each game.

A thread plays a block of games at a time, without Python's lock. A game depends on its seed alone,
so that the results are the same for any number of threads.
"""

from __future__ import annotations

import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from cardwright.compiler.kernel_sets import RANDOM_GAMES, RESUMED_GAMES
from cardwright.compiler.kernels.games import LEFT
from cardwright.compiler.structs import TALLY_FIELDS
from cardwright.game.engines import native_engine
from cardwright.game.errors import EngineError, GameError
from cardwright.game.native.threads import check_threads, on_interrupt
from cardwright.game.seeds import GameSeeds, seed_array
from cardwright.interpreter.stream import Stream
from cardwright.markup.lazy_display import shown_by

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any, SupportsIndex

    from cardwright.compiler.kernel_sets import KernelSet
    from cardwright.game.game import Game, State
    from cardwright.game.native.engine import NativeEngine
    from cardwright.interpreter.world import Fault

Integers: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
Seeds: TypeAlias = "np.ndarray[Any, np.dtype[np.uint64]]"
Rows: TypeAlias = "slice | np.ndarray[Any, np.dtype[np.bool_]]"

TALLIES = np.dtype([(name, np.int64) for name in TALLY_FIELDS])


@dataclass(frozen=True, eq=False)
class RandomGames:
    """Games that were played at random: those of a whole job, or of a part of it.

    `numbers` says which games of the job they are, from 0 on, and `seeds` has their seeds. `scores`
    has a column for every seat; the row of a game that broke a rule has zeros. `stopped` says that
    the job was stopped early. `draws` has the seeds of the streams from which the seats of each
    game drew, if they are not those of its seed.
    """

    game: Game
    numbers: Integers
    seeds: Seeds
    scores: Integers
    tallies: np.ndarray[Any, Any]
    stopped: bool = False
    draws: Seeds | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    _repr_html_ = shown_by("cardwright.game.displays", "random_games_html")

    @property
    def decisions(self) -> Integers:
        """How many decisions each game had."""
        return self.tallies["decisions"]

    @property
    def option_sums(self) -> Integers:
        """How many options the decisions of each game had together."""
        return self.tallies["options"]

    @property
    def option_most(self) -> Integers:
        """How many options a decision of each game had at most."""
        return self.tallies["most"]

    @property
    def single_sums(self) -> Integers:
        """How many decisions of each game had only one option."""
        return self.tallies["single"]

    @property
    def broken(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Whether each game broke a rule of the language."""
        found: np.ndarray[Any, np.dtype[np.bool_]] = self.tallies["broken"] != 0
        return found

    def best(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return for every game and seat whether no seat has a better score."""
        best = self.scores.max if self.game.highest_wins else self.scores.min
        found: np.ndarray[Any, np.dtype[np.bool_]] = self.scores == best(axis=1, keepdims=True)
        return found

    def take(self, rows: Rows) -> RandomGames:
        """Return some of the games."""
        return replace(self, **{name: part[rows] for name, part in self._columns().items()})

    def _columns(self) -> dict[str, Any]:
        """Return the arrays that have a row for each game, by name."""
        names = ("numbers", "seeds", "scores", "tallies", "draws")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}

    def ended(self) -> RandomGames:
        """Return the games that were finished."""
        return self.take(~self.broken) if self.broken.any() else self

    def errors(self) -> Iterator[GameError]:
        """Yield the error of each game that broke a rule, as raised by playing it again."""
        drawn = self.seeds if self.draws is None else self.draws
        for seed, draws in zip(self.seeds[self.broken], drawn[self.broken], strict=True):
            yield random_error(self.game, int(seed), int(draws))

    def faults(self) -> Iterator[tuple[int, Fault]]:
        """Yield the seed and the fault of each game that broke a rule, without playing it again."""
        engine = native_engine(self.game, "faults of bulk play need")
        for row in np.flatnonzero(self.broken):
            numbers = [int(self.tallies[f"fault_{name}"][row]) for name in ("site", *"abc")]
            yield int(self.seeds[row]), engine.fault_of(numbers, RANDOM_GAMES, RESUMED_GAMES)


def joined(game: Game, parts: Sequence[RandomGames], *, stopped: bool) -> RandomGames:
    """Return the games of all parts."""
    if not parts:
        return replace(_unplayed(game, np.empty(0, np.uint64)), stopped=stopped)
    columns = [part._columns() for part in parts]
    whole: dict[str, Any] = {
        name: np.concatenate([part[name] for part in columns]) for name in columns[0]
    }
    return replace(parts[0], stopped=stopped, **whole)


def _unplayed(game: Game, seeds: Seeds, draws: Seeds | None = None, first: int = 0) -> RandomGames:
    """Return games with room for their results; the number of the first game may be given."""
    count = len(seeds)
    scores, tallies = np.zeros((count, game.players), np.int64), np.zeros(count, TALLIES)
    return RandomGames(game, np.arange(first, first + count), seeds, scores, tallies, draws=draws)


def singly(game: Game, seeds: Sequence[int], draws: Sequence[int] | None = None) -> RandomGames:
    """Play the games of `play_random` one decision at a time, by the engine of the game.

    They are the same games; that way the interpreter plays them, which needs no compilation.
    """
    own = None if draws is None else np.array(draws, np.uint64)
    games = _unplayed(game, np.array(seeds, np.uint64), own)
    for row, (seed, drawn) in enumerate(zip(seeds, draws or seeds, strict=True)):
        counts: list[int] = []
        try:
            state = game.start(seed)
            counts.extend(decision.option_count for decision in _at_random(state, drawn))
            games.scores[row] = state.scores
        except GameError:
            games.tallies["broken"][row] = 1
            continue
        tallies = games.tallies[row]
        tallies["decisions"], tallies["options"] = len(counts), sum(counts)
        tallies["most"], tallies["single"] = max(counts, default=0), counts.count(1)
    return games


def random_error(game: Game, seed: int, draws: int | None = None) -> GameError:
    """Play a game with random players up to the rule that it breaks, and return the error.

    The seats draw from the streams of the seed `draws`, or of the game's.
    """
    try:
        for _ in _at_random(game.start(seed), seed if draws is None else draws):
            pass
    except GameError as error:
        return error
    raise ValueError(f"the game of seed {seed} breaks no rule")


def _at_random(state: State, draws: int) -> Iterator[State]:
    """Yield a state at each of its decisions, which are then made at random."""
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


def _processors() -> int:
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
        self._draws = None if draws is None else np.frombuffer(seed_array(draws), np.uint64)
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

    def blocks(self, progress: Callable[[int], object] | None = None) -> Iterator[RandomGames]:
        """Play, and yield the games in order; this can be done once.

        `progress` is called as in `play_random`, by the thread that iterates over the blocks.
        """
        if not self._workers:
            return
        report = progress or (lambda _: None)
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
                    block = waiting.popleft()
                    while not wait((block,), _LOOK).done:
                        report(self.done)
                    report(self.done)
                    if len(block.result()):
                        yield block.result()
            except BaseException:
                self.stop()
                raise

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
        self._board, self._template = engine.new_board(), engine.new_board()
        self._streams = np.empty((engine.native.program.players, 4), np.uint64)

    def play(self, game: Game, first: int, seeds: Seeds, draws: Seeds | None) -> RandomGames:
        """Play a game for each seed, and return those that were finished."""
        games = _unplayed(game, seeds, draws, first)
        scores, tallies = games.scores, games.tallies
        drawn = seeds if draws is None else draws
        done = self._run(RANDOM_GAMES, seeds, drawn, scores, tallies)
        left = np.flatnonzero(tallies["broken"][:done] == LEFT)
        if len(left):
            of_those, their = scores[left], tallies[left]
            played = self._run(RESUMED_GAMES, seeds[left], drawn[left], of_those, their)
            scores[left[:played]], tallies[left[:played]] = of_those[:played], their[:played]
            done = done if played == len(left) else int(left[played])
        scores[tallies["broken"] != 0] = 0
        return games.take(slice(done))

    def _run(self, extension: KernelSet, *rows: np.ndarray[Any, Any]) -> int:
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
