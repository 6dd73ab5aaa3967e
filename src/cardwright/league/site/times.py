"""Thinking times of a bot, for its page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.league.site.drawing import BarChart, bar_chart, in_percent

if TYPE_CHECKING:
    from cardwright.league.block import Timings

_UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns"))


@dataclass(frozen=True)
class Thinking:
    """The number of timed moves, their mean and longest time in words, and a histogram."""

    moves: int
    mean: str
    longest: str
    chart: BarChart


def thinking(timings: Timings, entry: int) -> Thinking | None:
    """Return a bot's thinking times; None if its moves were not timed."""
    rows = [row for row, one in enumerate(timings.entries.tolist()) if one == entry]
    if not rows or not timings.moves[rows[0]]:
        return None
    row = rows[0]
    moves, counts = int(timings.moves[row]), timings.counts[row].tolist()
    used = [column for column, count in enumerate(counts) if count]
    columns = range(used[0], used[-1] + 1)
    titles = [
        f"{in_words(2**column)} to {in_words(2 ** (column + 1))}: {counts[column]:,} moves"
        for column in columns
    ]
    every = -(-len(columns) // 6)
    labels = [in_words(2**column) if at % every == 0 else "" for at, column in enumerate(columns)]
    chart = bar_chart([counts[column] / moves for column in columns], titles, labels, in_percent)
    mean, longest = timings.total[row] / moves, int(timings.longest[row])
    return Thinking(moves, in_words(mean), in_words(longest), chart)


def in_words(nanoseconds: float) -> str:
    """Return a time with a suitable unit, such as `1.5 ms`."""
    size, unit = next((one for one in _UNITS if nanoseconds >= one[0]), _UNITS[-1])
    value = nanoseconds / size
    return f"{value:.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"
