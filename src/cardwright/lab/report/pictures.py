"""The pictures of a report: which there are, and how they are drawn.

Effects, cells and the headline are charts of intervals: a row for each thing, with a colour or a
panel for each class of opponents.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from textwrap import fill
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from cardwright.analysis.figures.theme import GREY, blank, canvas, styled
from cardwright.english import capital, percent
from cardwright.lab.contrast import ContrastReading
from cardwright.lab.plan import Design
from cardwright.lab.report.phrases import (
    NumberFormat,
    change,
    direction,
    effect_form,
    game_name,
    span,
)
from cardwright.lab.response import Better
from cardwright.library.catalogue import people_name
from cardwright.publication import points as draw
from cardwright.publication.figures import (
    USUAL_FILES,
    AxisWord,
    CaptionLine,
    counted_range,
    in_lines,
    labelled,
    legend_outside,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import Style
    from cardwright.lab.findings import Effect, Findings
    from cardwright.lab.outcomes import Outcomes, Values
    from cardwright.lab.plan import LabPlan
    from cardwright.publication.figures import FigureFiles

    _Drawn: TypeAlias = tuple[str, str, str, Figure]
    _Ends: TypeAlias = tuple[int, float | None, float | None]

_T = TypeVar("_T")

_WIDTH = 4.8
"""Inches: readable on a phone, and two side by side on a screen."""

_CHART_WIDTH, _CHART_ROW = 7.1, 0.42
"""Inches: of the first chart, and for each effect in it."""

_MOST_LEADING, _MOST_EFFECTS, _MOST_PAIRS, _MOST_CELLS, _MOST_HISTOGRAMS = 8, 24, 12, 32, 6
"""The most that is drawn, the largest effects and the best cells first."""

_LETTERS = 26
"""The most characters of a line of a name."""


@dataclass(frozen=True, slots=True)
class ReportPicture:
    """A picture: its name, heading and caption, the SVG that stands in the page, and its files.

    `files` has them by name, those for figures before the CSV with all that is drawn.
    """

    name: str
    heading: str
    caption: str
    svg: str
    files: Mapping[str, bytes]


def pictures(
    plan: LabPlan, findings: Findings, outcomes: Outcomes, wanted: FigureFiles = USUAL_FILES
) -> Iterator[ReportPicture]:
    """Draw all pictures; the same findings give the same bytes. `wanted` says as which files."""
    counts = counted_range([findings.deals], "deals"), counted_range([findings.games], "games")
    line = CaptionLine(", ".join(counts), plan.seed, game_name(plan))
    with styled("cardwright") as look:
        for name, heading, caption, figure in _drawn(look, plan, findings, outcomes):
            svg = USUAL_FILES.content(figure, "svg", line)
            files = {
                f"{name}.{kind}": svg
                if kind == "svg" and wanted == USUAL_FILES
                else wanted.content(figure, kind, line)
                for kind in wanted.formats
            }
            files[f"{name}.csv"] = draw.points_text(figure).encode()
            yield ReportPicture(name, heading, caption, svg.decode(), files)


def _drawn(look: Style, plan: LabPlan, findings: Findings, outcomes: Outcomes) -> Iterator[_Drawn]:
    """Yield names, headings, captions and figures, the one that comes first in the page first."""
    level, measured = percent(findings.level, None), findings.responses[0].name
    yield (
        "headline",
        f"What decides {people_name(plan.game.name)}?",
        f"Lines: {level} intervals. Grey: no effect is shown.",
        draw_headline(look, plan, findings),
    )
    for response in findings.shown:
        yield (
            f"effects-{findings.responses[response].name}",
            f"Main effects on {findings.responses[response].name}",
            (
                f"Thick lines: {level} intervals of each by itself; thin lines: for all of a class "
                f"together. {capital(direction(findings.responses[response]))}."
            ),
            _effects(look, findings, response, ContrastReading.MAIN),
        )
    if findings.effects_of(0, 0, ContrastReading.INTERACTION):
        yield (
            "interactions",
            f"Interactions on {measured}",
            "Half of how much the effect of one factor changes with the other; lines as above.",
            _effects(look, findings, 0, ContrastReading.INTERACTION),
        )
    if findings.deals > 1:
        yield (
            "deals",
            "How much deals differ",
            (
                "Shares of deals by the value of an effect in the deal, all cells of which are "
                "played with the same cards. Vertical lines: means."
            ),
            _deals(look, findings, outcomes),
        )
    if plan.design is Design.FACTORIAL and len(plan.factors) > 1:
        for opponents, name in enumerate(findings.opponents):
            yield (
                f"pairs-{opponents + 1}",
                f"Pairs of factors against {name}",
                (
                    f"Mean {measured} by the levels of two factors: lines that are not parallel "
                    "show an interaction."
                ),
                _pairs(look, plan, findings, opponents),
            )
    yield (
        "cell-means",
        f"Cells: {measured}",
        (
            f"Means with {level} intervals, the best first. A cell is named by what differs from "
            "the base."
        ),
        _cells(look, findings),
    )


# Charts of intervals ------------------------------------------------------------------------------


def draw_headline(look: Style, plan: LabPlan, findings: Findings) -> Figure:
    """Draw the main effects, a panel for each class of opponents, with better ones to the right."""
    by_class, order = _largest(findings, 0, ContrastReading.MAIN, _MOST_LEADING)
    response, form = findings.responses[0], effect_form(findings, 0)
    level, game = percent(findings.level, None), people_name(plan.game.name)
    figure = canvas(look, (_CHART_WIDTH, 1.35 + _CHART_ROW * len(order)))
    panels: Any = figure.subplots(1, len(by_class), squeeze=False, sharex=True, sharey=True)
    for axes, name, effects in zip(panels.flat, findings.opponents, by_class, strict=True):
        draw.level(axes, "no effect", x=0, color=GREY, linewidth=0.9)
        for row, effect in enumerate(effects[at] for at in order):
            found, clear = effect.found, effect.found.clear(findings.level)
            colour = look.leader if clear else GREY
            value = form.scale * found.value
            ends = form.scale, found.low, found.high
            _interval(axes, row, ends, colour, f"{level} interval", linewidth=2.4)
            face = colour if clear else "white"
            looks: Any = {"color": colour, "markerfacecolor": face, "markersize": 5.5}
            draw.dots(axes, "effect", [value], [row], **looks)
            axes.annotate(
                form.judged(found.value) if clear else "cannot be told",
                (value, row), xytext=(0, 6), textcoords="offset points", ha="center",
                fontsize=7.5, color=colour,
            )  # fmt: skip
        axes.tick_params(axis="y", length=0)
        axes.grid(visible=False, axis="y")
        axes.set_title(_plain(f"against {name}"), fontsize=9)
    first = panels[0, 0]
    rows = [fill(capital(change(plan, findings.contrast(by_class[0][at]))), 34) for at in order]
    for axes in panels.flat:
        draw.ticks(axes, "y", list(map(_plain, rows)), fontsize=8)
    first.set_ylim(len(rows) - 0.4, -0.75)
    first.margins(x=0.16)
    if response.better is Better.LOWER:
        first.invert_xaxis()
    unit = f"{form.unit} a {span(response)}; better is to the right; bars: {level} intervals"
    figure.supxlabel(in_lines(labelled(AxisWord.EFFECT, unit), 64), fontsize=9)
    figure.suptitle(_plain(f"What decides {game}?"), fontsize=12, x=0.01, ha="left")
    return figure


def _effects(look: Style, findings: Findings, response: int, reading: ContrastReading) -> Figure:
    """Draw effects from top to bottom, a colour and a line for each class of opponents."""
    by_class, order = _largest(findings, response, reading, _MOST_EFFECTS)
    form = NumberFormat.of(findings.responses[response], [])
    classes = len(by_class)
    gap = 0.22 if classes <= 3 else 0.8 / classes
    height = 1.15 + len(order) * max(0.3, 0.19 * classes)
    figure, axes = blank(look, (_WIDTH, height + 0.22 * (classes > 1)))
    draw.level(axes, "no effect", x=0, color=GREY, linewidth=0.9)
    joint = False
    for number, (effects, colour, name) in enumerate(_classes(look, findings, by_class)):
        for place, at in enumerate(order):
            y = place + gap * (number - (classes - 1) / 2)
            found = effects[at].found
            ends = form.scale, found.joint_low, found.joint_high
            joint |= _interval(axes, y, ends, colour, f"{name}, jointly", linewidth=0.9)
            ends = form.scale, found.low, found.high
            _interval(axes, y, ends, colour, name, linewidth=2.6, solid_capstyle="butt")
            value = form.scale * found.value
            draw.dots(axes, name, [value], [y], color=colour, markersize=4.5)
    _rows(axes, [_lines(findings.name_of(by_class[0][at])) for at in order])
    main = reading is ContrastReading.MAIN
    good = f"; {direction(findings.responses[response])}" if main else ""
    axes.set_xlabel(labelled(AxisWord.EFFECT, form.unit + good))
    _legend(figure, look, findings)
    _name_intervals(figure, findings, joint=joint)
    return figure


def _cells(look: Style, findings: Findings) -> Figure:
    """Draw the means of cells from the best to the worst, a colour for each class of opponents."""
    measured = findings.responses[0]
    by_class = [findings.cell_means(at, 0) for at in range(len(findings.opponents))]
    order = findings.best_cells(0)[:_MOST_CELLS]
    figure, axes = blank(look, (_WIDTH, 1.25 + 0.21 * len(order)))
    for means, colour, name in _classes(look, findings, by_class):
        for place, at in enumerate(order):
            mean = means[at].estimate
            _interval(axes, place, (1, mean.low, mean.high), colour, name, linewidth=1.6)
            draw.dots(axes, name, [mean.mean], [place], color=colour, markersize=3.5)
    _rows(axes, [in_lines(findings.labels[at], 34) for at in order])
    axes.set_xlabel(labelled(AxisWord.MEAN, f"{measured.unit}; {direction(measured)}"))
    _legend(figure, look, findings)
    _name_intervals(figure, findings, effects=False)
    return figure


def _interval(axes: Axes, y: float, ends: _Ends, colour: str, series: str, **looks: Any) -> bool:
    """Draw an interval, scaled, across if there is one, and say whether there is."""
    scale, low, high = ends
    if low is None or high is None:
        return False
    draw.interval(axes, series, scale * low, scale * high, y, color=colour, **looks)
    return True


def _largest(
    findings: Findings, response: int, reading: ContrastReading, most: int
) -> tuple[list[list[Effect]], list[int]]:
    """Return the effects against each class, and the places of the largest in any of them."""
    classes = range(len(findings.opponents))
    by_class = [findings.effects_of(opponents, response, reading) for opponents in classes]
    order = sorted(
        range(len(by_class[0])), key=lambda at: -max(abs(of[at].found.value) for of in by_class)
    )
    return by_class, order[:most]


def _classes(
    look: Style, findings: Findings, by_class: Sequence[_T]
) -> Iterator[tuple[_T, str, str]]:
    """Yield what belongs to each class of opponents with the colour and the name of the class."""
    names = [f"against {name}" for name in findings.opponents]
    return zip(by_class, look.seats(len(names)), names, strict=True)


def _rows(axes: Axes, names: Sequence[str]) -> None:
    draw.ticks(axes, "y", names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)


# Panels -------------------------------------------------------------------------------------------


def _panels(look: Style, count: int, top: float, each: float, **shared: Any) -> tuple[Figure, Any]:
    """Return a figure with this many panels in one or two columns, and all axes of its grid."""
    columns = min(count, 2)
    lines = -(-count // columns)
    figure = canvas(look, (_WIDTH, top + each * lines))
    grid: Any = figure.subplots(lines, columns, squeeze=False, **shared)
    for axes in grid.flat[count:]:
        axes.set_visible(False)
    for axes in grid.flat[max(0, count - columns) : count]:
        axes.tick_params(labelbottom=True)
    return figure, grid.flat[:count]


def _pairs(look: Style, plan: LabPlan, findings: Findings, opponents: int) -> Figure:
    """Draw the means of the levels for pairs of factors: the largest interactions first."""
    pairs = _largest_pairs(plan, findings, opponents)
    figure, panels = _panels(look, len(pairs), 0.5, 1.75, sharey=True)
    means = [mean.estimate.mean for mean in findings.cell_means(opponents, 0)]
    for axes, (first, second) in zip(panels, pairs, strict=True):
        one, other = plan.factors[first], plan.factors[second]
        colours = look.seats(len(other.levels) + 2)[2:]  # the first two are those of classes
        for lower, (level, colour) in enumerate(zip(other.levels, colours, strict=True)):
            heights = [
                _mean_of(findings, means, {first: upper, second: lower})
                for upper in range(len(one.levels))
            ]
            draw.line(
                axes, f"{other.name} {level.name}", range(len(heights)), heights, marker="o",
                color=colour, markersize=3.5, linewidth=1.3, label=in_lines(level.name, 12),
            )  # fmt: skip
        draw.ticks(axes, "x", [in_lines(each.name, 12) for each in one.levels])
        axes.set_xlim(-0.25, len(one.levels) - 0.75)
        axes.set_xlabel(_lines(one.name))
        axes.legend(title=in_lines(other.name, 14), fontsize=7, title_fontsize=7, handlelength=1.2)
    figure.supylabel(labelled(AxisWord.MEAN, findings.responses[0].name), fontsize=9)
    return figure


def _largest_pairs(plan: LabPlan, findings: Findings, opponents: int) -> list[tuple[int, int]]:
    """Return pairs of factors by the size of their interactions, unless these are all aliased."""
    sizes: dict[tuple[int, int], float] = {}
    for effect in findings.effects_of(opponents, 0, ContrastReading.INTERACTION):
        (one, _), (other, _) = findings.contrast(effect).terms
        sizes[one, other] = max(sizes.get((one, other), 0.0), abs(effect.found.value))
    pairs = sizes or dict.fromkeys(combinations(range(len(plan.factors)), 2), 0.0)
    return sorted(pairs, key=lambda pair: -pairs[pair])[:_MOST_PAIRS]


def _mean_of(findings: Findings, means: Sequence[float], levels: dict[int, int]) -> float:
    """Return the mean of the cells with some levels; NaN if there are none."""
    inside = [
        mean
        for cell, mean in zip(findings.cells, means, strict=True)
        if all(cell[factor] == level for factor, level in levels.items())
    ]
    return sum(inside) / len(inside) if inside else float("nan")


def _deals(look: Style, findings: Findings, outcomes: Outcomes) -> Figure:
    """Draw the distribution over deals of the largest main effects."""
    by_class, order = _largest(findings, 0, ContrastReading.MAIN, _MOST_HISTOGRAMS)
    figure, panels = _panels(look, len(order), 0.7, 1.45, sharex=True)
    for axes, at in zip(panels, order, strict=True):
        values = [_of_deals(findings, outcomes, effects[at]) for effects in by_class]
        edges = _edges(values)
        for one, colour, name in _classes(look, findings, values):
            heights = np.histogram(one, edges)[0] / len(one)
            draw.steps(axes, name, heights, edges, color=colour, linewidth=1.2)
            dashed: Any = {"color": colour, "linewidth": 0.9, "linestyle": (0, (4, 2))}
            draw.level(axes, f"mean {name}", x=one.mean(), **dashed)
        draw.level(axes, "no effect", x=0, color=GREY, linewidth=0.7)
        axes.set_title(_lines(findings.name_of(by_class[0][at])), fontsize=9)
        axes.set_yticks([])
    word = labelled(AxisWord.EFFECT_IN_A_DEAL, f"{findings.responses[0].unit}; dashed: means")
    figure.supxlabel(word, fontsize=9)
    _legend(figure, look, findings)
    return figure


def _of_deals(findings: Findings, outcomes: Outcomes, effect: Effect) -> Values:
    contrast = findings.contrast(effect)
    values: Values = outcomes.values(effect.opponents, effect.response) @ contrast.weights
    return values / contrast.divisor


def _edges(values: Sequence[Values]) -> Values:
    """Return the edges of 30 bins around all but the rarest values."""
    low = min(float(np.quantile(value, 0.002)) for value in values)
    high = max(float(np.quantile(value, 0.998)) for value in values)
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, 31)


# Legends ------------------------------------------------------------------------------------------


def _legend(figure: Figure, look: Style, findings: Findings) -> None:
    """Put the names of the classes above a figure, if there are several."""
    from matplotlib.lines import Line2D

    names = [f"against {_lines(name)}" for name in findings.opponents]
    if len(names) > 1:
        handles = [
            Line2D([], [], color=colour, marker="o", markersize=4)
            for colour in look.seats(len(names))
        ]
        figure.legend(handles, names, loc="outside upper center", ncols=min(2, len(names)))


def _name_intervals(
    figure: Figure, findings: Findings, *, effects: bool = True, joint: bool = False
) -> None:
    """Name the intervals, thick or also thin, and the line of no effect."""
    from matplotlib.lines import Line2D

    level = percent(findings.level, None)
    named = {f"{level} interval": Line2D([], [], color=GREY, linewidth=2.6 if effects else 1.6)}
    if joint:
        named[f"{level} jointly"] = Line2D([], [], color=GREY, linewidth=0.9)
    if effects:
        named["no effect"] = Line2D(
            [], [], color=GREY, linewidth=0.9, linestyle="none", marker="|", markersize=9
        )
    legend_outside(figure, list(named.values()), list(named))


def _lines(name: str) -> str:
    return in_lines(name, _LETTERS)


def _plain(text: str) -> str:
    return text.replace("$", r"\$")
