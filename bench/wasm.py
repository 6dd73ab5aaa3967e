"""WebAssembly against LLVM: random games and ISMCTS a second, and how large the code is.

Games are played by LLVM's code and by wasmtime's in turns on one core, in one thread; rates and
ratios are medians over the turns, in processor time. Where `node` is installed, V8 plays the same
random games between them (`wasm_host.mjs`), which have to come to the same results. Run:
`python bench/wasm.py`, or with names of games.
"""

from __future__ import annotations

import argparse
import ctypes
import gzip
import hashlib
import json
import math
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from peers.figures import pin
from script import carry_out

from cardwright.compiler.context import Context
from cardwright.compiler.kernel_sets import RANDOM_GAMES, SEARCHES
from cardwright.compiler.layout import SLACK
from cardwright.compiler.native import compilation
from cardwright.compiler.wasm import wasmtime_backend
from cardwright.compiler.wasm.emit import emit, table_bytes
from cardwright.compiler.wasm.expressions import LOWEST
from cardwright.game.find import library_names
from cardwright.game.game import Game
from cardwright.game.native.bulk import Bulk
from cardwright.game.native.random_games import TALLIES
from cardwright.game.search import SearchTask
from cardwright.game.seeds import seed_array
from cardwright.interpreter.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardwright.compiler.backend import Backend

HOST = Path(__file__).with_name("wasm_host.mjs")
SEARCHED = frozenset({"hearts", "whist", "skat", "rummy", "scopa"})
ITERATIONS = 20_000
SECONDS = 0.1
"""How long random games are played at a time, about."""


class Block(NamedTuple):
    """A block of memory of another process: its address there, and its content if it has any."""

    address: int
    place: int
    content: Any = None


class ElsewhereMemory:
    """A plan of the memory of another process, in which contexts can be made."""

    ARENA_BYTES = wasmtime_backend.ARENA_BYTES
    KEPT_BYTES = wasmtime_backend.KEPT_BYTES
    MOST_THREADS = wasmtime_backend.MOST_THREADS

    def __init__(self) -> None:
        self.end = LOWEST
        self.blocks: list[Block] = []

    def memory(self, size: int, *, zeroed: bool = True) -> Block:
        """Plan a block: of what need not be zeros nothing is written."""
        content = (ctypes.c_char * size)() if zeroed else None
        place = ctypes.addressof(content) if content is not None else 0
        block = Block(self.end, place, content)
        self.blocks.append(block)
        self.end += size + -size % 64
        return block

    def filled(self, content: bytes) -> int:
        """Plan a block with a content, and return its address."""
        block = self.memory(len(content))
        ctypes.memmove(block.place, content, len(content))
        return block.address


class RandomGames:
    """Random games of a game, always the same ones, by the code of an engine or by V8."""

    def __init__(self, game: Game, count: int) -> None:
        self.game = game
        self.seeds = np.frombuffer(seed_array(range(1, count + 1)), np.uint64)
        self.scores = np.zeros((count, game.players), np.int64)
        self.tallies = np.zeros(count, TALLIES)
        self._worker = Bulk(game, range(1), 1)._workers[0]

    def play(self) -> None:
        """Play them."""
        self._worker.run(RANDOM_GAMES, self.seeds, self.seeds, self.scores, self.tallies)

    @property
    def digest(self) -> str:
        """A digest of the results."""
        return hashlib.sha256(self.scores.tobytes() + self.tallies.tobytes()).hexdigest()

    def by_v8(self, module: bytes, turns: int) -> list[float]:
        """Return the rates of V8 in some turns; its results are compared with ours."""
        memory, native = ElsewhereMemory(), compilation(self.game.program, RANDOM_GAMES).plan
        tables = memory.memory(table_bytes(module)).address
        limits = self.game.limits
        machine: Backend = memory  # type: ignore[assignment]
        context = Context(machine, native.state_bytes, limits.steps, limits.decisions)
        board, template = (memory.memory(native.state_bytes + SLACK).address for _ in range(2))
        streams = memory.memory(32 * self.game.players).address
        seeds = memory.filled(self.seeds.tobytes())
        scores = memory.memory(self.scores.nbytes).address
        tallies = memory.memory(self.tallies.nbytes).address
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "module.wasm"
            place.write_bytes(module)
            plan = {
                "module": str(place),
                "tables": tables,
                "bytes": memory.end,
                "blocks": [
                    [block.address, bytes(block.content).hex()]
                    for block in memory.blocks
                    if block.content is not None and any(block.content.raw)
                ],
                "function": "cw_random_games",
                "args": [
                    board, context.address, template, streams, seeds, seeds,
                    str(len(self.seeds)), scores, tallies,
                ],
                "results": [[scores, self.scores.nbytes], [tallies, self.tallies.nbytes]],
                "turns": turns,
            }  # fmt: skip
            done = subprocess.run(
                ["node", "--no-liftoff", HOST],
                input=json.dumps(plan),
                capture_output=True,
                text=True,
                check=True,
            )
        found = json.loads(done.stdout)
        assert found["digest"] == self.digest, f"V8 plays {self.game.name} otherwise"
        return [len(self.seeds) / seconds for seconds in found["seconds"]]


def seconds(run: Callable[[], object]) -> float:
    """Return the processor time of something."""
    begun = time.process_time()
    run()
    return time.process_time() - begun


def in_turns(runs: Iterable[Callable[[], object]], turns: int) -> list[float]:
    """Return the median time of each of several things, done in turns after each was done once."""
    runs = list(runs)
    for run in runs:
        run()
    times = [[seconds(run) for run in runs] for _ in range(turns)]
    return [median(column) for column in zip(*times, strict=True)]


class Row(NamedTuple):
    """The figures of a game: rates of LLVM, and ratios to them."""

    games: float
    wasmtime: float
    v8: float | None
    search: float | None
    search_ratio: float | None


def measured(name: str, turns: int, *, v8: bool) -> Row:
    """Measure a game."""
    game = Game.load(name)
    engines = game, game.with_engine("wasm")
    few = RandomGames(game, 50)
    few.play()
    count = min(20_000, max(50, int(SECONDS * 50 / seconds(few.play))))
    played = [RandomGames(one, count) for one in engines]
    llvm, wasmtime = in_turns([games.play for games in played], turns)
    assert played[0].digest == played[1].digest, f"wasmtime plays {name} otherwise"
    by_v8 = None
    if v8:
        module = emit(compilation(game.program, RANDOM_GAMES).lowered.module)
        by_v8 = median(played[0].by_v8(module, turns)) * llvm / count
    rate = ratio = None
    if name in SEARCHED:
        states, task = [one.start(1) for one in engines], SearchTask(iterations=ITERATIONS)
        first, second = in_turns(
            [lambda state=state: state.search(Stream(1), task) for state in states], turns
        )
        rate, ratio = ITERATIONS / first, first / second
    return Row(count / llvm, llvm / wasmtime, by_v8, rate, ratio)


def sizes(name: str) -> str:
    """Return the bytes of the code that plays random games and searches."""
    parts = []
    for kernels in (RANDOM_GAMES, SEARCHES):
        stages = compilation(Game.load(name).program, kernels)
        module = emit(stages.lowered.module)
        native = len(stages.machine_code.content)
        packed = len(gzip.compress(module, mtime=0))
        parts.append(f"{kernels.name} {len(module):,} ({packed:,} by gzip; LLVM {native:,})")
    return f"bytes of {name}: {', '.join(parts)}"


def mean(ratios: Iterable[float | None]) -> str:
    """Return the geometric mean of the ratios that there are."""
    logarithms = [math.log(ratio) for ratio in ratios if ratio is not None]
    return f"{math.exp(sum(logarithms) / len(logarithms)):.2f}" if logarithms else "-"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=library_names())
    parser.add_argument("--turns", type=int, default=5)
    options = parser.parse_args()
    pin()
    v8 = shutil.which("node") is not None
    heads = "LLVM games/s", "wasmtime", "V8", "LLVM ISMCTS/s", "wasmtime"
    print(f"{'game':18}", *(f"{head:>14}" for head in heads))
    rows = []
    for name in options.games:
        row = measured(name, options.turns, v8=v8)
        rows.append(row)
        cells = [
            *(f"{value:14,.0f}" if value else f"{'-':>14}" for value in (row.games,)),
            *(f"{value:14.2f}" if value else f"{'-':>14}" for value in (row.wasmtime, row.v8)),
            f"{row.search:14,.0f}" if row.search else f"{'-':>14}",
            f"{row.search_ratio:14.2f}" if row.search_ratio else f"{'-':>14}",
        ]
        print(f"{name:18}", *cells, flush=True)
    columns = ("wasmtime", "v8", "search_ratio")
    means = {column: mean(getattr(row, column) for row in rows) for column in columns}
    print(
        f"geometric means: wasmtime {means['wasmtime']}, V8 {means['v8']},"
        f" ISMCTS {means['search_ratio']}"
    )
    print(sizes(options.games[0]))


if __name__ == "__main__":
    carry_out(main)
