"""The pictures of a report: which there are, and how they are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from textwrap import fill
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.analysis.figures.theme import GREY, canvas, styled
from cardwright.game.errors import override_text
from cardwright.lab.contrast import ContrastReading
from cardwright.lab.plan import Design
from cardwright.lab.report.phrases import (
    NumberFormat,
    capital,
    change,
    direction,
    effect_form,
    judged,
    judged_range,
    listed,
    many,
    percent,
    sided,
    span,
)
from cardwright.lab.response import Better
from cardwright.library.catalogue import people_name
from cardwright.publication.figures import (
    USUAL_FILES,
    AxisWord,
    CaptionLine,
    counted_range,
    in_lines,
    labelled,
    legend_outside,
)
from cardwright.publication.points import called, points_text

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

_WIDTH = 4.8
"""Inches: readable on a phone, and two side by side on a screen."""

_MOST_EFFECTS, _MOST_PAIRS, _MOST_CELLS, _MOST_HISTOGRAMS = 24, 12, 32, 6
"""The most that is drawn, the largest effects and the best cells first."""

_LETTERS = 26
"""The most characters of a line of a name."""


def draw_effects(
    look: Style, findings: Findings, response: int, reading: ContrastReading
) -> Figure:
    """Draw effects from top to bottom, a colour and a line for each class of opponents."""
    classes = range(len(findings.opponents))
    measured = findings.responses[response]
    scale = 100 if measured.unit == "share" else 1
    by_class = [findings.of(opponents, response, reading) for opponents in classes]
    order = sorted(
        range(len(by_class[0])), key=lambda at: -max(abs(of[at].found.value) for of in by_class)
    )[:_MOST_EFFECTS]
    gap = 0.22 if len(classes) <= 3 else 0.8 / len(classes)
    height = 1.15 + len(order) * max(0.3, 0.19 * len(classes))
    figure, axes = _blank(look, height + 0.22 * (len(classes) > 1))
    called(axes.axvline(0, color=GREY, linewidth=0.9), "no effect")
    colours = look.seats(len(classes))
    for opponents in classes:
        for place, at in enumerate(order):
            y = place + gap * (opponents - (len(classes) - 1) / 2)
            name = f"against {findings.opponents[opponents]}"
            _interval(axes, by_class[opponents][at], scale, y, (colours[opponents], name))
    names = [_lines(findings.contrasts[by_class[0][at].contrast].name) for at in order]
    _rows(axes, names)
    unit = NumberFormat.of(measured, []).unit
    main = reading is ContrastReading.MAIN
    detail = f"{unit}; {direction(measured)}" if main else unit
    axes.set_xlabel(labelled(AxisWord.EFFECT, detail))
    _legend(figure, findings, colours)
    shown = [by_class[opponents][at].found for opponents in classes for at in order]
    joint = any(one.joint_low is not None for one in shown)
    _name_intervals(figure, percent(findings.level), joint=joint)
    return figure


def _interval(axes: Axes, effect: Effect, scale: float, y: float, look: tuple[str, str]) -> None:
    colour, name = look
    found = effect.found
    if found.joint_low is not None and found.joint_high is not None:
        ends = [scale * found.joint_low, scale * found.joint_high]
        line = axes.plot(ends, [y, y], color=colour, linewidth=0.9)
        called(line, f"{name}, jointly", "interval")
    if found.low is not None and found.high is not None:
        ends = [scale * found.low, scale * found.high]
        line = axes.plot(ends, [y, y], color=colour, linewidth=2.6, solid_capstyle="butt")
        called(line, name, "interval")
    called(axes.plot([scale * found.value], [y], "o", color=colour, markersize=4.5), name)


def draw_pairs(look: Style, plan: LabPlan, findings: Findings, opponents: int) -> Figure:
    """Draw the means of the levels for pairs of factors: the largest interactions first."""
    pairs = _largest_pairs(plan, findings, opponents)
    columns = 1 if len(pairs) == 1 else 2
    lines = -(-len(pairs) // columns)
    figure = canvas(look, (_WIDTH, 0.5 + 1.75 * lines))
    grid: Any = figure.subplots(lines, columns, sharey=True, squeeze=False)
    means = [mean.estimate.mean for mean in findings.cell_means(opponents, 0)]
    for axes, pair in zip(grid.flat, pairs, strict=False):
        _pair(axes, look, plan=plan, findings=findings, means=means, pair=pair)
    for axes in grid.flat[len(pairs) :]:
        axes.set_visible(False)
    figure.supylabel(labelled(AxisWord.MEAN, findings.responses[0].name), fontsize=9)
    return figure


def _largest_pairs(plan: LabPlan, findings: Findings, opponents: int) -> list[tuple[int, int]]:
    found: dict[tuple[int, int], float] = {}
    for effect in findings.of(opponents, 0, ContrastReading.INTERACTION):
        (one, _), (other, _) = findings.contrasts[effect.contrast].terms
        found[one, other] = max(found.get((one, other), 0.0), abs(effect.found.value))
    if not found:  # all of them are aliased with main effects
        found = dict.fromkeys(combinations(range(len(plan.factors)), 2), 0.0)
    return sorted(found, key=lambda pair: -found[pair])[:_MOST_PAIRS]


def _pair(
    axes: Axes,
    look: Style,
    *,
    plan: LabPlan,
    findings: Findings,
    means: Sequence[float],
    pair: tuple[int, int],
) -> None:
    one, other = (plan.factors[number] for number in pair)
    colours = look.seats(len(other.levels) + 2)[2:]  # the first two are those of classes
    for second, level in enumerate(other.levels):
        heights = [
            _mean_of(findings, means, {pair[0]: first, pair[1]: second})
            for first in range(len(one.levels))
        ]
        line = axes.plot(
            range(len(heights)), heights, "o-", color=colours[second], markersize=3.5,
            linewidth=1.3, label=in_lines(level.name, 12),
        )  # fmt: skip
        called(line, f"{other.name} {level.name}")
    axes.set_xticks(range(len(one.levels)), [in_lines(level.name, 12) for level in one.levels])
    axes.set_xlim(-0.25, len(one.levels) - 0.75)
    axes.set_xlabel(_lines(one.name))
    axes.legend(title=in_lines(other.name, 14), fontsize=7, title_fontsize=7, handlelength=1.2)


def _mean_of(findings: Findings, means: Sequence[float], levels: dict[int, int]) -> float:
    """Return the mean of the cells with some levels; NaN if there are none."""
    inside = [
        mean
        for cell, mean in zip(findings.cells, means, strict=True)
        if all(cell[factor] == level for factor, level in levels.items())
    ]
    return sum(inside) / len(inside) if inside else float("nan")


def draw_cells(look: Style, findings: Findings) -> Figure:
    """Draw the means of cells from the best to the worst, a colour for each class of opponents."""
    measured = findings.responses[0]
    classes = range(len(findings.opponents))
    means = [findings.cell_means(opponents, 0) for opponents in classes]
    turn = -1 if direction(measured).startswith("higher") else 1
    order = sorted(range(len(findings.cells)), key=lambda at: turn * means[0][at].estimate.mean)[
        :_MOST_CELLS
    ]
    figure, axes = _blank(look, 1.25 + 0.21 * len(order))
    colours = look.seats(len(classes))
    for opponents in classes:
        name = f"against {findings.opponents[opponents]}"
        for place, at in enumerate(order):
            estimate = means[opponents][at].estimate
            if estimate.low is not None and estimate.high is not None:
                line = axes.plot(
                    [estimate.low, estimate.high], [place] * 2,
                    color=colours[opponents], linewidth=1.6,
                )  # fmt: skip
                called(line, name, "interval")
            dot = axes.plot([estimate.mean], [place], "o", color=colours[opponents], markersize=3.5)
            called(dot, name)
    _rows(axes, [in_lines(findings.labels[at], 34) for at in order])
    axes.set_xlabel(labelled(AxisWord.MEAN, f"{measured.unit}; {direction(measured)}"))
    _legend(figure, findings, colours)
    _name_intervals(figure, percent(findings.level), effects=False)
    return figure


def draw_deals(look: Style, findings: Findings, outcomes: Outcomes) -> Figure:
    """Draw the distribution over deals of the largest main effects."""
    by_class = [
        findings.of(opponents, 0, ContrastReading.MAIN)
        for opponents in range(len(findings.opponents))
    ]
    order = sorted(
        range(len(by_class[0])), key=lambda at: -max(abs(of[at].found.value) for of in by_class)
    )[:_MOST_HISTOGRAMS]
    columns = 1 if len(order) == 1 else 2
    lines = -(-len(order) // columns)
    figure = canvas(look, (_WIDTH, 0.7 + 1.45 * lines))
    grid: Any = figure.subplots(lines, columns, sharex=True, squeeze=False)
    colours = look.seats(len(by_class))
    for axes, at in zip(grid.flat, order, strict=False):
        values = [_of_deals(findings, outcomes, of[at]) for of in by_class]
        edges = _edges(values)
        for one, colour, who in zip(values, colours, findings.opponents, strict=True):
            heights = np.histogram(one, edges)[0] / len(one)
            called(axes.stairs(heights, edges, color=colour, linewidth=1.2), f"against {who}")
            mean = axes.axvline(one.mean(), color=colour, linewidth=0.9, linestyle=(0, (4, 2)))
            called(mean, f"mean against {who}")
        called(axes.axvline(0, color=GREY, linewidth=0.7), "no effect")
        axes.set_title(_lines(findings.contrasts[by_class[0][at].contrast].name), fontsize=9)
        axes.set_yticks([])
    for axes in grid.flat[max(0, len(order) - columns) : len(order)]:
        axes.tick_params(labelbottom=True)
    for axes in grid.flat[len(order) :]:
        axes.set_visible(False)
    word = labelled(AxisWord.EFFECT_IN_A_DEAL, f"{findings.responses[0].unit}; dashed: means")
    figure.supxlabel(word, fontsize=9)
    _legend(figure, findings, colours)
    return figure


def _of_deals(findings: Findings, outcomes: Outcomes, effect: Effect) -> Values:
    contrast = findings.contrasts[effect.contrast]
    values = outcomes.values(effect.opponents, effect.response)
    found: Values = values @ np.array(contrast.weights, dtype=float) / contrast.divisor
    return found


def _edges(values: Sequence[Values]) -> Values:
    """Return the edges of 30 bins around all but the rarest values."""
    low = min(float(np.quantile(one, 0.002)) for one in values)
    high = max(float(np.quantile(one, 0.998)) for one in values)
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    return np.linspace(low, high, 31)


def _blank(look: Style, height: float) -> tuple[Figure, Axes]:
    figure = canvas(look, (_WIDTH, height))
    return figure, figure.add_subplot()


def _rows(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), list(names))
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)


def _legend(figure: Figure, findings: Findings, colours: Sequence[str]) -> None:
    """Put the names of the classes above a figure, if there are several."""
    from matplotlib.lines import Line2D

    if len(colours) < 2:
        return
    handles = [Line2D([], [], color=colour, marker="o", markersize=4) for colour in colours]
    names = [f"against {_lines(name)}" for name in findings.opponents]
    figure.legend(handles, names, loc="outside upper center", ncols=min(2, len(names)))


def _name_intervals(
    figure: Figure, level: str, *, effects: bool = True, joint: bool = False
) -> None:
    """Name the intervals, thick or also thin, and the line of no effect."""
    from matplotlib.lines import Line2D

    wide = Line2D([], [], color=GREY, linewidth=2.6 if effects else 1.6)
    named = [(wide, f"{level} interval")]
    if joint:
        named.append((Line2D([], [], color=GREY, linewidth=0.9), f"{level} jointly"))
    if effects:
        level_line = Line2D(
            [], [], color=GREY, linewidth=0.9, linestyle="none", marker="|", markersize=9
        )
        named.append((level_line, "no effect"))
    legend_outside(figure, [one for one, _ in named], [name for _, name in named])


def _lines(name: str) -> str:
    return in_lines(name, _LETTERS)


_MOST_LEADING = 8
"""Effects in the chart, the largest first."""

_CHART_WIDTH, _ROW = 7.1, 0.42
"""Inches: of the chart, and for each effect."""


def game_of(plan: LabPlan) -> str:
    """Return the game of a plan as people write it."""
    game = plan.game
    settings = {name: override_text(value) for name, value in game.declared}
    return people_name(game.name, game.preset, settings)


def headline(plan: LabPlan, findings: Findings) -> str:
    """Return what decides the game, in one sentence, with intervals against each class.

    Where no effect is clear against any class, it says that this cannot be told.
    """
    response, form = findings.responses[0], effect_form(findings, 0)
    leading = leading_contrast(findings)
    game, level = people_name(plan.game.name), percent(findings.level)
    if leading is None:
        names = dict.fromkeys(findings.contrasts[one.contrast].name for one in _mains(findings, 0))
        what = f"whether {next(iter(names))} matters" if len(names) == 1 else (
            f"which of {listed(names)} matters"
        )  # fmt: skip
        return (
            f"In {game}, {what} cannot be told from {many(findings.deals, 'deal')}: "
            "no effect is clear."
        )
    contrast = findings.contrasts[leading]
    told = []
    for opponents, name in enumerate(findings.opponents):
        found = _effect(findings, opponents, leading).found
        if found.clear(findings.level):
            size = f"{judged(found.value, response, form)} {form.unit} a {span(response)}"
            ends = sided(found.low, found.high, found.value, form)
            told.append(f"against {name} it is {size} ({level}: {ends})")
        else:
            ends = judged_range(found.low, found.high, response, form)
            told.append(f"against {name} its effect cannot be told ({ends})")
    several = len(_mains(findings, 0)) > 1
    matters = "matters most" if several else "matters"
    what = f" for {response.name}" if response.better is Better.NEITHER else ""
    return f"In {game}, {change(plan, contrast)} {matters}{what}: {listed(told)}."


def leading_contrast(findings: Findings) -> int | None:
    """Return the main effect that is largest among those that are clear; None if none is."""
    clear = [
        one
        for opponents in range(len(findings.opponents))
        for one in _mains(findings, opponents)
        if one.found.clear(findings.level)
    ]
    return max(clear, key=lambda one: abs(one.found.value)).contrast if clear else None


def draw_headline(look: Style, plan: LabPlan, findings: Findings) -> Figure:
    """Draw the main effects, a panel for each class of opponents, with better ones to the right."""
    classes = range(len(findings.opponents))
    by_class = [{one.contrast: one for one in _mains(findings, at)} for at in classes]
    order = sorted(
        by_class[0], key=lambda key: -max(abs(of[key].found.value) for of in by_class)
    )[:_MOST_LEADING]  # fmt: skip
    figure = canvas(look, (_CHART_WIDTH, 1.35 + _ROW * len(order)))
    panels: Any = figure.subplots(1, len(by_class), squeeze=False, sharex=True, sharey=True)
    for axes, opponents in zip(panels.flat, classes, strict=True):
        _panel(axes, look, findings, [by_class[opponents][key] for key in order])
        axes.set_title(_plain(f"against {findings.opponents[opponents]}"), fontsize=9)
    rows = [fill(capital(change(plan, findings.contrasts[key])), 34) for key in order]
    panels[0, 0].set_yticks(range(len(rows)), [_plain(row) for row in rows], fontsize=8)
    panels[0, 0].set_ylim(len(rows) - 0.4, -0.75)
    panels[0, 0].margins(x=0.16)
    response = findings.responses[0]
    sides = (
        "more is to the right" if response.better is Better.NEITHER else "better is to the right"
    )
    if response.better is Better.LOWER:
        panels[0, 0].invert_xaxis()
    unit = (
        f"{effect_form(findings, 0).unit} a {span(response)}; {sides}; "
        f"bars: {percent(findings.level)} intervals"
    )
    figure.supxlabel(in_lines(labelled(AxisWord.EFFECT, unit), 64), fontsize=9)
    figure.suptitle(
        _plain(f"What decides {people_name(plan.game.name)}?"), fontsize=12, x=0.01, ha="left"
    )
    return figure


def _panel(axes: Axes, look: Style, findings: Findings, effects: list[Effect]) -> None:
    response, form = findings.responses[0], effect_form(findings, 0)
    scale = 100 if form.share else 1
    called(axes.axvline(0, color=GREY, linewidth=0.9), "no effect")
    for row, one in enumerate(effects):
        found, clear = one.found, one.found.clear(findings.level)
        colour = look.leader if clear else GREY
        if found.low is not None and found.high is not None:
            ends = [scale * found.low, scale * found.high]
            line = axes.plot(ends, [row, row], color=colour, linewidth=2.4)
            called(line, f"{percent(findings.level)} interval", "interval")
        x = scale * found.value
        face = colour if clear else "white"
        called(axes.plot([x], [row], "o", color=colour, markerfacecolor=face, markersize=5.5),
               "effect")  # fmt: skip
        said = judged(found.value, response, form) if clear else "cannot be told"
        axes.annotate(
            said, (x, row), xytext=(0, 6), textcoords="offset points", ha="center",
            fontsize=7.5, color=colour,
        )  # fmt: skip
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")


def _mains(findings: Findings, opponents: int) -> list[Effect]:
    return list(findings.of(opponents, 0, ContrastReading.MAIN))


def _effect(findings: Findings, opponents: int, contrast: int) -> Effect:
    return next(one for one in _mains(findings, opponents) if one.contrast == contrast)


def _plain(text: str) -> str:
    return text.replace("$", r"\$")


HEADLINE = "headline"
"""The name of the picture that comes first."""


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
    line = CaptionLine(", ".join(counts), plan.seed, game_of(plan))
    with styled("cardwright") as look:
        for name, heading, caption, figure in _drawn(look, plan, findings, outcomes):
            svg = USUAL_FILES.content(figure, "svg", line).decode()
            files = {
                f"{name}.{kind}": wanted.content(figure, kind, line) for kind in wanted.formats
            }
            files[f"{name}.csv"] = points_text(figure).encode()
            yield ReportPicture(name, heading, caption, svg, files)


def _drawn(look: Style, plan: LabPlan, findings: Findings, outcomes: Outcomes) -> Iterator[_Drawn]:
    """Yield names, headings, captions and figures, the one that comes first in the page first."""
    yield (
        HEADLINE,
        f"What decides {people_name(plan.game.name)}?",
        f"Lines: {percent(findings.level)} intervals. Grey: no effect is shown.",
        draw_headline(look, plan, findings),
    )
    yield from _effects(look, findings)
    if findings.deals > 1:
        yield (
            "deals",
            "How much deals differ",
            (
                "Shares of deals by the value of an effect in the deal, all cells of which are "
                "played with the same cards. Vertical lines: means."
            ),
            draw_deals(look, findings, outcomes),
        )
    if plan.design is Design.FACTORIAL and len(plan.factors) > 1:
        yield from _pairs(look, plan, findings)
    yield (
        "cell-means",
        f"Cells: {findings.responses[0].name}",
        (
            f"Means with {percent(findings.level)} intervals, the best first. A cell is named by "
            "what differs from the base."
        ),
        draw_cells(look, findings),
    )


def _effects(look: Style, findings: Findings) -> Iterator[_Drawn]:
    wins = findings.response_number("wins")
    for response in (0, wins) if wins else (0,):
        measured = findings.responses[response]
        yield (
            f"effects-{measured.name}",
            f"Main effects on {measured.name}",
            (
                f"Thick lines: {percent(findings.level)} intervals of each by itself; thin lines: "
                f"for all of a class together. {_sentence(direction(measured))}"
            ),
            draw_effects(look, findings, response, ContrastReading.MAIN),
        )
    if findings.of(0, 0, ContrastReading.INTERACTION):
        yield (
            "interactions",
            f"Interactions on {findings.responses[0].name}",
            "Half of how much the effect of one factor changes with the other; lines as above.",
            draw_effects(look, findings, 0, ContrastReading.INTERACTION),
        )


def _pairs(look: Style, plan: LabPlan, findings: Findings) -> Iterator[_Drawn]:
    for opponents, name in enumerate(findings.opponents):
        yield (
            f"pairs-{opponents + 1}",
            f"Pairs of factors against {name}",
            (
                f"Mean {findings.responses[0].name} by the levels of two factors: lines that are "
                "not parallel show an interaction."
            ),
            draw_pairs(look, plan, findings, opponents),
        )


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
