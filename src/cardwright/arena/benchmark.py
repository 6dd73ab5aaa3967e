"""How fast a game is played here: random games and rollouts a second, on one core."""

from __future__ import annotations

import ctypes
import os
import pickle
import platform
import subprocess
import sys
import time
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from cardwright._version import __version__
from cardwright.compiler.backend import FULL, backend
from cardwright.compiler.cache import VARIABLE, ObjectCache
from cardwright.compiler.ir import Module
from cardwright.compiler.kernel_lowering import kernels_needed
from cardwright.compiler.kernel_sets import WHOLE, KernelSet
from cardwright.compiler.native import NativeCode, cache_key, compilation, native
from cardwright.compiler.structs import STREAM, TALLY
from cardwright.game.game import Game
from cardwright.game.seeds import game_seeds
from cardwright.hearts.kernels import random_deals
from cardwright.interpreter.machine import GameLimits
from cardwright.interpreter.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from cardwright.compiler.backend import Loaded
    from cardwright.compiler.native import Compiled

    Play: TypeAlias = Callable[[int], object]

REPEATS = 5


@dataclass(frozen=True)
class BenchmarkFigures:
    """The figures of one game; None where an engine has no such figure.

    Games a second are random games: `traced` with every decision recorded, `bulk` with the
    outcome only, `python` by `State.play`. Rollouts start from the first decisions of five deals.
    Times to compile and to load from the cache are processor time. `handwritten` is the kernel that
    plays random deals of Hearts and nothing else, measured in turns with those in bulk, of whose
    rate to the kernel's `handwritten_share` is the median.
    """

    game: str
    engine: str
    python_per_second: float
    decisions: float
    traced_per_second: float | None = None
    bulk_per_second: float | None = None
    rollouts_per_second: float | None = None
    ns_per_decision: float | None = None
    state_bytes: int | None = None
    copy_ns: float | None = None
    compile_seconds: float | None = None
    cached_seconds: float | None = None
    handwritten_per_second: float | None = None
    handwritten_share: float | None = None

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return asdict(self)


def measure(game: Game, seconds: float = 1.0) -> BenchmarkFigures:
    """Measure a game; each figure takes about `seconds`.

    Raises GameError if a random game breaks a rule.
    """
    if game.engine_name == "native":
        return _native(game, seconds)
    decisions = [_play(game, seed) for seed in range(10)]
    per_second = rate(_by_python(game), seconds)
    return BenchmarkFigures(
        game.name, game.engine_name, per_second, sum(decisions) / len(decisions)
    )


def rate(play: Play, seconds: float) -> float:
    """Return how often a second of processor time `play`, given a number of times, does something.

    It is the median of several repeats, after a warm-up.
    """
    return median(one for (one,) in rates_in_turns([play], seconds))


def rates_in_turns(plays: Sequence[Play], seconds: float) -> list[tuple[float, ...]]:
    """Return the rates of several things of which each is done for `seconds`, by turns.

    There is a tuple for each turn: what slows the machine down for a while slows down all of it.
    """
    each = seconds / (REPEATS + 1)
    counts = [_count(play, each) for play in plays]
    return [
        tuple(count / _seconds(play, count) for play, count in zip(plays, counts, strict=True))
        for _ in range(REPEATS)
    ]


def machine() -> dict[str, Any]:
    """Return what figures depend on: the processor, the system, the versions."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "cardwright": __version__,
    }


def _native(game: Game, seconds: float) -> BenchmarkFigures:
    from cardwright.compiler.kernel_sets import PLAY
    from cardwright.compiler.native import compilation
    from cardwright.game.native.random_games import play_random

    stages = compilation(game.program)
    _ = stages.machine_code
    sample = play_random(game, game_seeds(0, 1000), threads=1)
    for error in sample.errors():
        raise error
    decisions = float(sample.decisions.mean())
    measured = TimedGame(game)
    bulk, handwritten, share = _bulk(game, measured.play, seconds)
    return BenchmarkFigures(
        game.name,
        game.engine_name,
        rate(_by_python(game), seconds),
        decisions,
        rate(measured.trace, seconds),
        bulk,
        rate(measured.roll_out, seconds),
        1e9 / (bulk * max(decisions, 1.0)),
        measured.state_bytes,
        1e9 / rate(measured.copy, seconds),
        sum(stages.seconds.values()),
        seconds_from_cache(game, compilation(game.program, PLAY).compiled),
        handwritten,
        share,
    )


def _bulk(game: Game, play: Play, seconds: float) -> tuple[float, float | None, float | None]:
    """Return the rate of games in bulk, that of the kernel written by hand, and their ratio."""
    if not is_handwritten(game):
        return rate(play, seconds), None, None
    turns = rates_in_turns([play, HandwrittenHearts().play], seconds)
    bulk, handwritten = map(median, zip(*turns, strict=True))
    return bulk, handwritten, median(ours / theirs for ours, theirs in turns)


def _count(play: Play, seconds: float) -> int:
    """Return how often something is done in some seconds, by doing it for about half of them."""
    count = 1
    while (spent := _seconds(play, count)) < seconds / 2:
        count *= 2
    return max(1, round(count * seconds / spent))


def _seconds(play: Play, count: int) -> float:
    begun = time.process_time()
    play(count)
    return max(time.process_time() - begun, 1e-9)


def _by_python(game: Game) -> Play:
    def play(count: int) -> None:
        for seed in range(count):
            _play(game, seed)

    return play


def _play(game: Game, seed: int) -> int:
    """Play a random game; return its number of decisions."""
    state = game.start(seed)
    streams = [Stream.of_seat(seed, seat) for seat in range(game.players)]
    while (seat := state.player) is not None:
        state.play(streams[seat].below(state.option_count))
    return len(state.choices)


def _cpu() -> str:
    """Return the name of the processor, if the system tells it."""
    if sys.platform == "linux":
        try:
            lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
            names = [line.partition(":")[2] for line in lines if line.startswith("model name")]
            return names[0].strip()
        except (OSError, IndexError):
            pass
    return platform.processor() or platform.machine()


_MEASURES = KernelSet(
    "measures",
    WHOLE.modules,
    (*WHOLE.exports, "cw_traced_games", "cw_play_outs", "cw_copies"),
)
_CHUNK = 256
"""Games that are played at once; what they write stays in the processor's caches."""

_SEEDS = 1 << 16
"""Games after which the seeds are repeated: too many for a processor to learn their branches."""

_DEALS = 5
"""Deals from which rollouts start."""

_ROOM = 1 << 20
"""The most decisions of a trace."""


class TimedGame:
    """A game and memory to play it in: each method does something a given number of times.

    The games must not break a rule.
    """

    def __init__(self, game: Game) -> None:
        compiled = compilation(game.program, _MEASURES).compiled
        self._native = native(game.program)
        self._code = NativeCode(self._native.machine, compiled)
        limits = GameLimits()
        self._context = self._native.context(limits.steps, limits.decisions)
        self._board, self._held = self._new_board()
        self._template, self._held_too = self._new_board()
        self._deals = [self._dealt(seed) for seed in range(_DEALS)]
        self._streams = (ctypes.c_uint64 * (4 * game.players))()
        self._scores = (ctypes.c_int64 * game.players)()
        self._all_scores = (ctypes.c_int64 * (game.players * _CHUNK))()
        self._tallies = (ctypes.c_char * (TALLY.bytes * _CHUNK))()
        self._seeds = (ctypes.c_int64 * _SEEDS)(*range(_SEEDS))
        self._next_seed = 0
        self._trace = (ctypes.c_uint64 * _ROOM)()

    @property
    def state_bytes(self) -> int:
        """The size of a state."""
        return self._native.state_bytes

    def play(self, games: int) -> None:
        """Play random games from their beginnings."""
        for done in range(0, games, _CHUNK):
            seeds = self._seeds_at()
            self._call(
                "cw_random_games", self._board, self._context.address, self._template,
                self._streams, seeds, seeds, min(_CHUNK, games - done), self._all_scores,
                self._tallies,
            )  # fmt: skip

    def trace(self, games: int) -> None:
        """Play random games from their beginnings, and record every decision."""
        chunk = min(games, _CHUNK)
        while games > 0:
            done = self._call(
                "cw_traced_games", self._board, self._context.address, self._streams,
                self._seeds_at(), min(chunk, games), self._trace, _ROOM, self._scores,
            )  # fmt: skip
            if done >= 0:
                games -= chunk
            elif chunk == 1:
                raise ValueError("a random game stops with an error, or has too many decisions")
            else:
                chunk //= 2

    def roll_out(self, times: int) -> None:
        """Play at random from the first decision of a deal to its end, deal after deal."""
        for number, (deal, _) in enumerate(self._deals):
            self._call(
                "cw_play_outs", self._board, self._context.address, self._streams, deal,
                (times + number) // _DEALS, self._scores,
            )  # fmt: skip

    def copy(self, times: int) -> None:
        """Copy a state."""
        self._call("cw_copies", self._board, self._context.address, times)

    def traced(self, seed: int) -> tuple[list[tuple[int, int]], list[int]]:
        """Play one game; return the options and the choice of each decision, and the scores."""
        seeds = (ctypes.c_int64 * 1)(seed)
        done = self._call(
            "cw_traced_games", self._board, self._context.address, self._streams, seeds, 1,
            self._trace, _ROOM, self._scores,
        )  # fmt: skip
        pairs = [(word & 0xFFFF_FFFF, word >> 32) for word in self._trace[:done]]
        return pairs, list(self._scores)

    def _seeds_at(self) -> int:
        """Return the address of the seeds of the next chunk."""
        at = self._next_seed
        self._next_seed = (at + _CHUNK) % _SEEDS
        return ctypes.addressof(self._seeds) + 8 * at

    def _call(self, name: str, *args: Any) -> int:
        result: int = self._code.functions[name](*args)
        return result

    def _dealt(self, seed: int) -> tuple[int, Any]:
        """Return a board at the first decision of a game."""
        board, held = self._new_board()
        self._call("cw_start", board, self._context.address, seed)
        self._call("cw_advance", board, self._context.address)
        return board, held

    def _new_board(self) -> tuple[int, Any]:
        """Return the address of memory for a state, and what holds it."""
        memory = self._native.new_board()
        held = (ctypes.c_char * len(memory)).from_buffer(memory)
        return ctypes.addressof(held), held


class DealTotals(NamedTuple):
    """Sums over deals: the score of each seat, and how often the moon was shot."""

    scores: tuple[int, ...]
    moons: int


class HandwrittenHearts:
    """Plays random deals of the library's `hearts` by a kernel that knows only its rules."""

    def __init__(self, seed: int = 1) -> None:
        self._loaded = _compiled()
        kernel = random_deals.cw_random_deals.__name__
        self._function = self._loaded.function(kernel, "ppip")
        self._stream = (ctypes.c_uint64 * 4)(*Stream(seed).words)
        self._table = ctypes.create_string_buffer(random_deals.fresh_table())
        self._totals = (ctypes.c_int64 * random_deals.TOTALS)()

    def play(self, deals: int) -> None:
        """Play some deals."""
        self._function(self._stream, self._table, deals, self._totals)

    @property
    def totals(self) -> DealTotals:
        """The sums over all deals played so far."""
        *scores, moons = self._totals
        return DealTotals(tuple(scores), moons)


def is_handwritten(game: Game) -> bool:
    """Return whether a game has the rules of the kernel: `hearts` of the library, as it stands."""
    return game.program.digest == Game.load("hearts", engine="interpreter").program.digest


def _compiled() -> Loaded:
    """Compile the kernel, which takes no rules of a game."""
    functions = kernels_needed([random_deals.cw_random_deals], {"Stream": STREAM}, {}, {})
    machine = backend()
    made = machine.compile(Module("random deals", functions), FULL, nullcontext)
    return machine.load(made.content)


_PROBE = """
import pickle, sys, time
from cardwright.program.check import check
from cardwright.syntax.source import Source
name, text, values, base = pickle.load(sys.stdin.buffer)
program = check(Source(name, text), values, base).program
begun = time.process_time()
from cardwright.compiler.native import native
native(program).code().functions["cw_start"]
print(time.process_time() - begun)
"""


def seconds_from_cache(game: Game, compiled: Compiled, repeats: int = 3) -> float | None:
    """Return the processor time from the checked rules to functions that can be called.

    It is the median of several processes, including their imports. None if no process can be
    started, or the code was not taken from the cache.
    """
    program = game.program
    source = program.source
    pickled = pickle.dumps((source.name, source.text, game.declared, program.base))
    with TemporaryDirectory() as folder:
        cache = ObjectCache(Path(folder))
        cache.put(cache_key(program), compiled.packed(), game.name)
        before = cache.entries()
        seconds = [_probe_seconds(pickled, folder) for _ in range(repeats)]
        if len(before) != 1 or len(cache.entries()) != 1:
            return None
    return median(seconds) if all(seconds) else None


def _probe_seconds(told: bytes, folder: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", _PROBE],
        input=told,
        env={**os.environ, VARIABLE: folder},
        check=False,
        capture_output=True,
    )
    return float(done.stdout) if done.returncode == 0 else 0.0
