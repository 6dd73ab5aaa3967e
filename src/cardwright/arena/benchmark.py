"""How fast a game is played here: random games and rollouts a second, on one core."""

from __future__ import annotations

import os
import platform
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from cardwright._version import __version__
from cardwright.game.seeds import game_seeds
from cardwright.interpreter.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from cardwright.game.game import Game

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
    from cardwright.arena.measured import TimedGame
    from cardwright.arena.startup import seconds_from_cache
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
    from cardwright.arena.handwritten import HandwrittenHearts, is_handwritten

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
