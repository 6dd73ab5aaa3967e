"""The charts of a report: the places of their marks in pixels, which templates turn into SVG.

Each has two sizes, one for screens and one for phones, so that texts are as large on both.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from cardwright.evolution.report.account import MeasureLabel
from cardwright.evolution.report.intervals import ChartScale

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cardwright.evolution.report.account import EvolutionAccount, PlottedCandidate
    from cardwright.statistics.intervals import Estimate

MOST_POINTS = 3_000
"""Candidates that are drawn; of more, evenly many are left out."""

_PHONE, _SCREEN = (340, 300), (720, 400)
_LEFT, _RIGHT, _TOP, _BOTTOM = 58, 14, 14, 46


@dataclass(frozen=True)
class ChartMark:
    """A tick or a mark with a text; `x` and `y` are pixels."""

    x: float
    y: float
    text: str
    name: str = ""


@dataclass(frozen=True)
class ChartFrame:
    """A frame with its ticks and the names of its axes; lengths in pixels."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    across: tuple[ChartMark, ...]
    up: tuple[ChartMark, ...]
    across_name: str
    up_name: str


@dataclass(frozen=True)
class FrontChart:
    """All candidates by two aims; `cloud` is a path of dots, `bands` what is wanted."""

    frame: ChartFrame
    cloud: str
    elites: tuple[ChartMark, ...]
    original: ChartMark | None
    across_band: tuple[float, float] | None
    up_band: tuple[float, float] | None


@dataclass(frozen=True)
class ProgressChart:
    """The totals of all candidates in the order of the search, and the best so far as a path."""

    frame: ChartFrame
    cloud: str
    best: str
    original: float | None


def front_charts(account: EvolutionAccount) -> tuple[FrontChart, ...]:
    """Return the chart of the first two aims in both sizes; none for a single aim."""
    if len(account.aims) < 2:
        return ()
    return tuple(_front(account, size) for size in (_SCREEN, _PHONE))


def progress_charts(account: EvolutionAccount) -> tuple[ProgressChart, ...]:
    """Return the chart of totals in both sizes; none if no candidate was measured."""
    if not any(isfinite(point.total) for point in account.points):
        return ()
    return tuple(_progress(account, size) for size in (_SCREEN, _PHONE))


def _front(account: EvolutionAccount, size: tuple[int, int]) -> FrontChart:
    one, other = (aim.measure for aim in account.aims[:2])
    games = [account.original, *account.elites]
    both = [p for p in account.points if one in p.measures and other in p.measures]
    xs = [p.measures[one] for p in both] + [_value(g.searched, one) for g in games]
    ys = [p.measures[other] for p in both] + [_value(g.searched, other) for g in games]
    frame, x, y = _frame(size, xs, ys, account.label(one), account.label(other))
    marks = [
        ChartMark(
            x.at(game.searched[one].mean), y.at(game.searched[other].mean),
            f"{game.name}: {_said(account, game.searched[one].mean, one)}, "
            f"{_said(account, game.searched[other].mean, other)}", game.name,
        )
        for game in games
        if one in game.searched and other in game.searched
    ]  # fmt: skip
    has = bool(marks) and marks[0].name == account.original.name
    return FrontChart(
        frame,
        _dots((x.at(p.measures[one]), y.at(p.measures[other])) for p in _fewer(both)),
        tuple(marks[1:] if has else marks),
        marks[0] if has else None,
        _band(account, 0, x),
        _band(account, 1, y),
    )


def _progress(account: EvolutionAccount, size: tuple[int, int]) -> ProgressChart:
    points, start = account.points, account.original.total
    totals = [point.total for point in points if isfinite(point.total)]
    low = sorted(totals)[len(totals) // 50]  # the worst may be worse by far, and would flatten it
    numbers = [0, *(float(point.number) for point in points)]
    seen = [*(total for total in totals if total >= low), start]
    names = _plain("Candidates measured", 0), _plain("Sum of scores")
    frame, x, y = _frame(size, numbers, seen, *names, slack=0.0)
    known = isfinite(start)
    best = start if known else low
    path = f"M{x.at(0)} {y.at(best)}"
    for point in points:
        if point.total > best:
            best = point.total
            path += f"H{x.at(point.number)}V{y.at(best)}"
    path += f"H{x.end}"
    cloud = _dots((x.at(p.number), y.at(p.total)) for p in _fewer(points) if p.total >= low)
    return ProgressChart(frame, cloud, path, y.at(start) if known else None)


def _frame(  # noqa: PLR0917 - what a frame is made of, across before up
    size: tuple[int, int],
    xs: Iterable[float],
    ys: Iterable[float],
    across: MeasureLabel,
    up: MeasureLabel,
    slack: float = 0.05,
) -> tuple[ChartFrame, ChartScale, ChartScale]:
    width, height = size
    right, bottom = width - _RIGHT, height - _BOTTOM
    x = ChartScale.of(xs, _LEFT, right, slack)
    y = ChartScale.of(ys, bottom, _TOP)
    many = 7 if width > 500 else 4
    ticks = [ChartMark(x.at(v), bottom, across.short(v)) for v in x.ticks(many)]
    heights = [ChartMark(_LEFT, y.at(v), up.short(v)) for v in y.ticks(6)]
    frame = ChartFrame(
        width, height, _LEFT, right, _TOP, bottom,
        tuple(ticks), tuple(heights), across.label, up.label,
    )  # fmt: skip
    return frame, x, y


def _band(account: EvolutionAccount, at: int, scale: ChartScale) -> tuple[float, float] | None:
    """Return between which pixels the values lie that are wanted; None for no range."""
    aim = account.aims[at]
    if aim.kind != "range":
        return None
    low, high = sorted((scale.at(aim.low), scale.at(aim.high)))
    return low, max(high, low + 2)


def _dots(places: Iterable[tuple[float, float]]) -> str:
    """Return dots as one path: lines of no length, with round ends."""
    return "".join(f"M{x:g} {y:g}h0" for x, y in dict.fromkeys(places))


def _fewer(points: Sequence[PlottedCandidate]) -> Sequence[PlottedCandidate]:
    return points[:: -(-len(points) // MOST_POINTS)] if points else points


def _said(account: EvolutionAccount, value: float, measure: str) -> str:
    label = account.label(measure)
    return f"{label.label.lower()} {label.text(value)}"


def _value(measures: Mapping[str, Estimate], name: str) -> float:
    found = measures.get(name)
    return found.mean if found is not None else float("nan")


def _plain(label: str, digits: int = 2) -> MeasureLabel:
    return MeasureLabel("", label, "", digits)
