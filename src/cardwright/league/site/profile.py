"""Profiles of bots: what the page of a bot shows, with its charts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, isfinite, log10
from typing import TYPE_CHECKING

import numpy as np

from cardwright.league.site.ranking import Duel, duel_of, mean_of, share_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.league.block import Column, Timings
    from cardwright.league.site.facts import FaultCount, SeasonFacts
    from cardwright.league.site.ranking import RankingRow
    from cardwright.statistics.intervals import Estimate

RANKS = "AKQJT98765432"
"""Columns of a grid, from the highest."""

SUITS = (("spades", "♠", 2), ("hearts", "♥", 3), ("diamonds", "♦", 1), ("clubs", "♣", 0))
"""Rows of a grid: the suit's name, its sign, and its number among the cards of the league."""


@dataclass(frozen=True)
class CardShare:
    """A card of a grid: how often something was done with it, and out of how many chances."""

    name: str
    count: int
    chances: int

    @property
    def share(self) -> float | None:
        """The share; None without chances."""
        return self.count / self.chances if self.chances else None


@dataclass(frozen=True)
class GridRow:
    """The cards of a suit, from the ace down."""

    suit: str
    sign: str
    cells: tuple[CardShare, ...]


@dataclass(frozen=True)
class CardGrid:
    """A grid with its title."""

    title: str
    rows: tuple[GridRow, ...]


def grid(title: str, counts: Column, chances: Column) -> CardGrid:
    """Return a grid of how often something was done with each card, by chances to do it."""
    rows = []
    for suit, sign, number in SUITS:
        cells = []
        for at, rank in enumerate(RANKS):
            card = 13 * number + 12 - at
            cells.append(CardShare(f"{rank}{sign}", int(counts[card]), int(chances[card])))
        rows.append(GridRow(suit, sign, tuple(cells)))
    return CardGrid(title, tuple(rows))


COLOURS = 8
"""Distinguishable colours of lines; further lines are dashed."""


@dataclass(frozen=True)
class Tick:
    """A position on an axis, in pixels, and its text."""

    at: float
    text: str


@dataclass(frozen=True)
class ChartLine:
    """A line of a chart; `end` is the y of its label, in pixels, `last` its last value."""

    name: str
    colour: int
    dashes: int
    path: str
    end: float
    last: float


@dataclass(frozen=True)
class LineChart:
    """Lines over the games of a season, in a frame; all lengths in pixels."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    lines: tuple[ChartLine, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]


@dataclass(frozen=True)
class Bar:
    """A bar of a chart: its upper left corner and its size in pixels, and its meaning."""

    x: float
    y: float
    width: float
    height: float
    title: str


@dataclass(frozen=True)
class BarChart:
    """Bars on a common baseline; all lengths in pixels."""

    width: int
    height: int
    left: int
    ground: int
    bars: tuple[Bar, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]


@dataclass(frozen=True)
class ChartSize:
    """The size of a chart, and whether there is room for labels at the ends of its lines."""

    width: int
    height: int
    labels: bool


WIDE, NARROW = ChartSize(920, 380, labels=True), ChartSize(360, 280, labels=False)
"""For screens and for phones."""

_LABEL = 14
"""The least distance between labels, in pixels."""


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers from `low` to `high`, at most `most`, in equal steps."""
    if not high > low:
        return [low]
    size = 10.0 ** floor(log10((high - low) / most))
    step = next(
        size * factor
        for factor in (1, 2, 5, 10, 20, 50)
        if floor(high / (size * factor)) - ceil(low / (size * factor)) < most
    )
    return [step * number for number in range(ceil(low / step), floor(high / step) + 1)]


def line_chart(
    games: Sequence[int], series: Sequence[tuple[str, Sequence[float]]], size: ChartSize
) -> LineChart:
    """Return a chart of values after some games, with a named series for each line.

    The first twentieth of the season, where means of few games fluctuate, may leave the frame.
    """
    left, top = 46, 14
    right, bottom = size.width - (168 if size.labels else 18), size.height - 40
    settled = max(0, sum(game < games[-1] / 20 for game in games))
    seen = [value for _, values in series for value in values[settled:] if isfinite(value)]
    low, high = min(seen, default=0.0), max(seen, default=1.0)
    slack = max((high - low) * 0.06, 0.5)
    low, high = low - slack, high + slack

    def x(game: float) -> float:
        return left + (right - left) * game / max(games[-1], 1)

    def y(value: float) -> float:
        return bottom - (bottom - top) * (value - low) / (high - low)

    lines = []
    ends = [next((v for v in reversed(values) if isfinite(v)), low) for _, values in series]
    heights = _apart([y(end) for end in ends], top + 4, bottom - 2)
    for number, (name, values) in enumerate(series):
        path = _path(
            [(x(game), y(v)) for game, v in zip(games, values, strict=True) if isfinite(v)]
        )
        dashes, colour = divmod(number, COLOURS)
        lines.append(ChartLine(name, colour, dashes, path, heights[number], ends[number]))
    across, up = ticks(0, games[-1], 6 if size.labels else 4), ticks(low, high, 7)
    return LineChart(
        size.width, size.height, left, right, top, bottom, tuple(lines),
        tuple(Tick(x(at), f"{at:,.0f}") for at in across if at == int(at)),
        tuple(Tick(y(at), f"{at:g}") for at in up),
    )  # fmt: skip


def bar_chart(
    counts: Sequence[int], names: Sequence[str], what: str, labels: Sequence[str]
) -> BarChart:
    """Return a chart of shares of a whole: a bar for each count, with a name in its tooltip.

    `what` is counted; labels stand below the bars, and may be empty.
    """
    width, height, left, top = 360, 180, 40, 10
    ground = height - 24
    total = max(sum(counts), 1)
    values = [count / total for count in counts]
    high = max([*values, 1e-9]) * 1.04
    step = (width - left - 4) / max(len(values), 1)

    def y(value: float) -> float:
        return ground - (ground - top) * value / high

    titles = (f"{name}: {count:,} {what}" for name, count in zip(names, counts, strict=True))
    bars = tuple(
        Bar(left + step * (at + 0.09), y(value), step * 0.82, ground - y(value),
            f"{title} ({value:.1%})")
        for at, (value, title) in enumerate(zip(values, titles, strict=True))
    )  # fmt: skip
    across = [Tick(left + step * (at + 0.5), label) for at, label in enumerate(labels) if label]
    up = [Tick(y(at), f"{100 * at:g}\u202f%") for at in ticks(0, high, 4)]
    return BarChart(width, height, left, ground, bars, tuple(across), tuple(up))


def _path(points: Sequence[tuple[float, float]]) -> str:
    """Return a line through points as an SVG path."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) if points else ""


def _apart(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return y coordinates of labels near the given ones, far enough apart to be readable."""
    order = sorted(range(len(heights)), key=lambda at: heights[at])
    placed = dict.fromkeys(order, 0.0)
    above = top - _LABEL
    for at in order:
        above = placed[at] = max(heights[at], above + _LABEL)
    below = bottom + _LABEL
    for at in reversed(order):
        below = placed[at] = min(placed[at], below - _LABEL)
    return [placed[at] for at in range(len(heights))]


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
    used = np.flatnonzero(counts)
    bounds = [in_words(2**column) for column in range(used[0], used[-1] + 2)]
    every = -(-len(bounds[1:]) // 6)
    labels = ["" if at % every else bound for at, bound in enumerate(bounds[:-1])]
    names = [f"{low} to {high}" for low, high in pairwise(bounds)]
    chart = bar_chart(counts[used[0] : used[-1] + 1], names, "moves", labels)
    mean, longest = timings.total[row] / moves, int(timings.longest[row])
    return Thinking(moves, in_words(mean), in_words(longest), chart)


def in_words(nanoseconds: float) -> str:
    """Return a time with a suitable unit, such as `1.5 ms`."""
    size, unit = next((one for one in _UNITS if nanoseconds >= one[0]), _UNITS[-1])
    value = nanoseconds / size
    return f"{value:.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"


WAYS = ("Passing to the next seat", "Passing to the previous seat", "Passing across")
"""The names of the directions in `play.DIRECTIONS`."""

_TENS = 10


@dataclass(frozen=True)
class SeatRecord:
    """A bot's results in one seat, counted from 1; `wins` is its share of first places there."""

    seat: int
    games: int
    points: Estimate
    wins: Estimate


@dataclass(frozen=True)
class Profile:
    """What a bot's page shows."""

    row: RankingRow
    rounds: int
    round_chart: BarChart
    game_chart: BarChart
    seats: tuple[SeatRecord, ...]
    duels: tuple[Duel, ...]
    passing: tuple[CardGrid, ...]
    leading: CardGrid
    kinds: tuple[tuple[str, FaultCount], ...]
    thinking: Thinking | None

    @property
    def fewest(self) -> int:
        """The fewest games behind an interval on its page; 0 without any."""
        counts = [self.row.games, *(seat.games for seat in self.seats),
                  *(duel.games for duel in self.duels)]  # fmt: skip
        return min((count for count in counts if count > 1), default=0)


def profile(facts: SeasonFacts, row: RankingRow, order: list[int]) -> Profile:
    """Return the profile of a bot; `order` has all roster entries as they are ranked."""
    entry, scores, habits = row.entry, facts.scores, facts.habits
    passed, dealt = habits.passed[entry], habits.dealt[entry]
    rounds = scores.rounds[entry].tolist()
    games = scores.points[entry].sum(axis=0).tolist()
    tens = range(0, len(games), _TENS)
    kinds = sorted(facts.trouble.kinds[entry].items(), key=lambda one: -one[1].count)
    return Profile(
        row=row,
        rounds=sum(rounds),
        round_chart=bar_chart(
            rounds, [f"{at} points" for at in range(len(rounds))], "rounds",
            ["" if at % 2 else str(at) for at in range(len(rounds))],
        ),
        game_chart=bar_chart(
            [sum(games[low : low + _TENS]) for low in tens],
            [f"{low} to {low + _TENS - 1} points" for low in tens], "games", list(map(str, tens)),
        ),
        seats=tuple(
            SeatRecord(seat + 1, int(points.sum()), mean_of(points), share_of(wins))
            for seat, (points, wins) in enumerate(
                zip(scores.points[entry], scores.wins[entry], strict=True)
            )
        ),
        duels=tuple(
            duel_of(facts.duels, entry, other)
            for other in order
            if facts.duels.games[entry, other]
        ),
        passing=(
            grid("All directions", passed.sum(axis=0), dealt.sum(axis=0)),
            *(grid(title, passed[way], dealt[way]) for way, title in enumerate(WAYS)),
        ),
        leading=grid("Led, of all times held after passing", habits.led[entry],
                     habits.played[entry]),
        kinds=tuple(kinds),
        thinking=thinking(facts.timings, entry),
    )  # fmt: skip
