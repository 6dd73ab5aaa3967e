"""Figures of all candidates of a search: by two aims, and in the order of the search.

The style is that of `figures.theme`, which must be in effect.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from cardwright.analysis.figures.theme import blank
from cardwright.evolution.report.axis_units import axis_label, total_label, wrapped
from cardwright.evolution.report.figure_parts import (
    CANDIDATES,
    CLOUD,
    ELITE,
    ELITES,
    ORIGINAL,
    WANTED,
    dots,
    drawn_text,
    handle,
    legend,
    limits,
    original_name,
    wanted_across,
    wanted_handle,
    wanted_up,
)
from cardwright.publication.axis_words import AxisWord, labelled
from cardwright.publication.plotted import called

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import Style
    from cardwright.evolution.report.account import EvolutionAccount, PlottedCandidate

MOST_SHAPES = 3_000
"""Candidates that files of lines have as shapes; of more, the cloud is an image in these files."""

BEST = "best so far"


def draw_front(look: Style, account: EvolutionAccount) -> Figure:
    """Draw all candidates, the elites and the original by the first two aims, as the search saw."""
    one, other = account.aims[:2]
    names = one.measure, other.measure
    points = [p.measures for p in account.points if all(name in p.measures for name in names)]
    games = [
        tuple(game.searched[name].mean for name in names)
        for game in (account.original, *account.elites)
        if all(name in game.searched for name in names)
    ]
    xs, ys = ([*(p[name] for p in points), *(game[at] for game in games)]
              for at, name in enumerate(names))  # fmt: skip
    figure, axes = blank(look)
    axes.set_xlim(limits(xs, one))
    axes.set_ylim(limits(ys, other))
    axes.set_xlabel(axis_label(account, names[0]))
    axes.set_ylabel(wrapped(axis_label(account, names[1])))
    if one.kind == "range":
        wanted_across(axes, one)
    if other.kind == "range":
        wanted_up(axes, other)
    _cloud(axes, [p[names[0]] for p in points], [p[names[1]] for p in points])
    has = all(name in account.original.searched for name in names)
    elites = games[has:]
    signs = {CANDIDATES: handle(CLOUD), ELITES: handle(ELITE)}
    if has:  # below elites, which may be at the same place and are smaller
        called(dots(axes, [games[0][0]], [games[0][1]], ORIGINAL), drawn_text(account.title))
        signs[original_name(account)] = handle(ORIGINAL)
    called(dots(axes, [x for x, _ in elites], [y for _, y in elites], ELITE), ELITES)
    if "range" in {one.kind, other.kind}:
        signs[WANTED] = wanted_handle()
    legend(figure, list(signs.values()), list(signs))
    return figure


def draw_progress(look: Style, account: EvolutionAccount) -> Figure:
    """Draw the sum of scores of all candidates in their order, and the best so far as a line.

    Those of `worst` are left out.
    """
    from matplotlib.ticker import MaxNLocator

    left_out = {point.number for point in worst(account)}
    shown = [p for p in account.points if p.number not in left_out and isfinite(p.total)]
    start = account.original.total
    known = isfinite(start)
    figure, axes = blank(look)
    last = max(point.number for point in account.points)
    axes.set_xlim(0, last * 1.02)
    axes.set_ylim(limits([*(p.total for p in shown), *([start] if known else [])]))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.set_xlabel(labelled(AxisWord.CANDIDATE, "in the order of the search"))
    axes.set_ylabel(total_label())
    _cloud(axes, [p.number for p in shown], [p.total for p in shown])
    signs = {CANDIDATES: handle(CLOUD), BEST: _line()}
    if known:
        level = axes.axhline(
            start, color=ORIGINAL.colour, linewidth=1.4, linestyle=ORIGINAL.line, zorder=3
        )  # on the line of the best, which begins there
        called(level, drawn_text(account.title))
        signs[original_name(account)] = _line(ORIGINAL.colour, ORIGINAL.line)
    x, y = _best(account, start)
    called(axes.plot(x, y, color=ELITE.colour, linewidth=1.6, drawstyle="steps-post"), BEST)
    legend(figure, list(signs.values()), list(signs))
    return figure


def worst(account: EvolutionAccount) -> list[PlottedCandidate]:
    """Return the candidates with the worst fiftieth of scores, which would flatten a figure."""
    scored = sorted((p for p in account.points if isfinite(p.total)), key=lambda p: p.total)
    low = scored[len(scored) // 50].total
    return [point for point in scored if point.total < low]


def _best(account: EvolutionAccount, start: float) -> tuple[list[float], list[float]]:
    """Return where the best score so far rises, from the original on, and the end."""
    scored = [point for point in account.points if isfinite(point.total)]
    best = start if isfinite(start) else -float("inf")
    x, y = ([0.0], [start]) if isfinite(start) else ([], [])
    for point in scored:
        if point.total > best:
            best = point.total
            x.append(point.number)
            y.append(best)
    return [*x, max(point.number for point in account.points)], [*y, best]


def _cloud(axes: Axes, x: list[Any], y: list[float]) -> None:
    marks = called(dots(axes, x, y, CLOUD), CANDIDATES)
    for one in marks:
        one.set_alpha(0.55)
        one.set_rasterized(len(x) > MOST_SHAPES)


def _line(colour: str = ELITE.colour, style: Any = "-") -> Any:
    from matplotlib.lines import Line2D

    return Line2D([], [], color=colour, linestyle=style, linewidth=1.6)
