"""The figures of a report: the map, two aims, what was measured, and the progress of the search.

Each is first a table of points, which its CSV has too, and then drawn from these.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from math import isfinite
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cardwright.analysis.figures.theme import blank, canvas, styled
from cardwright.evolution.measures.table import MEASURES
from cardwright.evolution.report.intervals import scale_of
from cardwright.evolution.report.map_tables import map_tables
from cardwright.publication.figures import (
    USUAL_FILES,
    AxisWord,
    CaptionLine,
    counted_range,
    labelled,
)
from cardwright.publication.points import COLUMNS, PlottedRow
from cardwright.syntax.data_files import csv_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import Style
    from cardwright.evolution.aim import Aim
    from cardwright.evolution.report.account import (
        EvolutionAccount,
        PlottedCandidate,
        ReportedGame,
    )
    from cardwright.publication.figures import FigureFiles

    Points = list[PlottedRow]

MOST_GAMES = 20
"""Games whose measures are compared with the original's, the best first."""

MOST_SHAPES = 1_000
"""Candidates that files of lines have as shapes; of more, the cloud is an image in these files."""

CANDIDATES, ELITES, WANTED, BEST = "candidates", "elites", "wanted", "best so far"
"""Names in legends and tables of points."""

GAME_LINK = "game:"
"""How links of marks in the page's pictures begin; the name of a game follows."""

_LETTERS = 28
"""The most characters of a game's name that are drawn."""

_LINE = 24
"""Characters of a line of a label."""

_ROW, _AROUND = 0.2, 1.0
"""Inches: of a row of compared games, and of what is above and below the rows of a panel."""

_MOST_EDGES = 6, 3
"""Edges of bins that are written along an axis of a single map, and of one of several.

Of more, evenly many are left out."""


class MarkStyle(NamedTuple):
    """How a kind of game is drawn: its marker, its colour, the marker's size in points, its line.

    Kinds differ by all of these, so that no picture needs its colours.
    """

    marker: str
    colour: str
    size: float
    line: Any = "-"


_CLOUD = MarkStyle("o", "#8a8a8a", 2.2)
_ELITE = MarkStyle("D", "#0072B2", 5.0)
_ORIGINAL = MarkStyle("*", "#D55E00", 10.0, (0, (4, 2)))
_WANTED, _EMPTY, _HATCH = "#009E73", "#f3f3f3", "#d5d5d5"
_PATCHES: dict[str, dict[str, Any]] = {
    WANTED: {"facecolor": _WANTED, "alpha": 0.25, "edgecolor": "white"},
    "empty": {"facecolor": _EMPTY, "edgecolor": _HATCH},
}


@dataclass(frozen=True)
class EvolutionPicture:
    """A figure: its name, its files by name, the CSV with its points last, and the page's SVG."""

    name: str
    files: Mapping[str, bytes]
    svg: str = ""


class _Chart(NamedTuple):
    """A figure that is not drawn yet: its points, what is counted in it, and what draws it."""

    name: str
    points: Points
    counted: str
    draw: Callable[[Style, EvolutionAccount, Points, int], Figure]


def evolution_pictures(
    account: EvolutionAccount, wanted: FigureFiles = USUAL_FILES
) -> tuple[EvolutionPicture, ...]:
    """Draw all figures that the account has something for; `wanted` says as which files.

    The same account gives the same bytes. Raises MissingExtraError without matplotlib.
    """
    with styled("cardwright") as look:
        return tuple(_picture(look, account, chart, wanted) for chart in _charts(account))


def _picture(
    look: Style, account: EvolutionAccount, chart: _Chart, wanted: FigureFiles
) -> EvolutionPicture:
    across = {1: 1, 2: 3}.get(wanted.columns or 0, 2)
    figure = chart.draw(look, account, chart.points, across)
    line = CaptionLine(chart.counted, account.seed, plain_text(account.title))
    files = {f"{chart.name}.{kind}": wanted.content(figure, kind, line) for kind in wanted.formats}
    rows = ([getattr(row, name) for name in COLUMNS] for row in chart.points)
    files[f"{chart.name}.csv"] = csv_text(COLUMNS, rows).encode()
    svg = ""
    if chart.name in {"front", "progress"} and wanted.formats:
        for mark in figure.axes[0].lines:
            if str(mark.get_label()).startswith(GAME_LINK):
                mark.set_url(str(mark.get_label()))
        svg = USUAL_FILES.content(figure, "svg").decode()
    return EvolutionPicture(chart.name, files, svg)


def _charts(account: EvolutionAccount) -> Iterator[_Chart]:
    """Yield the figures that there is something for, in the order of the page."""
    tried = counted_range([account.candidates], "candidates")
    of_measured = f"{len(account.points):,} of {tried}"
    if account.map is not None and account.map.cells:
        cells = counted_range([account.map.shape.size], "cells")
        kept = f"{len(account.map.cells):,} elites in {cells}, of {tried}"
        yield _Chart("map", map_points(account), kept, _draw_map)
    if len(account.aims) > 1 and account.points:
        yield _Chart("front", front_points(account), of_measured, _draw_front)
    games, names = compared_games(account), compared_measures(account)
    if games and names:
        shown = [game.measures for game in (account.original, *games)]
        counts = [one[name].count for one in shown for name in names if name in one]
        compared = f"{len(games):,} of {tried}, {counted_range(counts, 'deals')}"
        yield _Chart("measures", measures_points(account), compared, _draw_measures)
    if any(isfinite(point.total) for point in account.points):
        left_out = len(worst(account))
        without = f", without the worst {left_out:,}" if left_out else ""
        yield _Chart(
            "progress", progress_points(account), f"{of_measured}{without}", _draw_progress
        )


# Points ---------------------------------------------------------------------------------------


def front_points(account: EvolutionAccount) -> Points:
    """Return all candidates, the elites and the original by the first two aims, as searched."""
    aims = account.aims[:2]
    one, other = (aim.measure for aim in aims)
    rows = [
        PlottedRow("", "point", CANDIDATES, "", p.measures[one], p.measures[other])
        for p in account.points
        if one in p.measures and other in p.measures
    ]
    for game in (account.original, *account.elites):
        if one in game.searched and other in game.searched:
            x, y = game.searched[one].mean, game.searched[other].mean
            series, name = (ELITES, game.name) if game.number else (_plain(account.title), "")
            rows.append(PlottedRow("", "point", series, name, x, y))
    x_ends = _limits([row.x for row in rows], aims[0])
    y_ends = _limits([row.y for row in rows], aims[1])
    return [*_wanted(aims[0], x_ends, y_ends), *_wanted(aims[1], y_ends, x_ends, up=True), *rows]


def progress_points(account: EvolutionAccount) -> Points:
    """Return the sums of scores of the candidates in their order, and the best so far.

    Those of `worst` are left out. The best begins with the original's and ends with the search.
    """
    left_out = {point.number for point in worst(account)}
    scored = [point for point in account.points if isfinite(point.total)]
    rows = [
        PlottedRow("", "point", CANDIDATES, "", float(point.number), point.total)
        for point in scored
        if point.number not in left_out
    ]
    best = account.original.total
    if isfinite(best):
        rows.append(PlottedRow("", "level", _plain(account.title), y=best))
        rows.append(PlottedRow("", "line", BEST, x=0.0, y=best))
    for point in scored:
        if point.total > best or not isfinite(best):
            best = point.total
            rows.append(PlottedRow("", "line", BEST, x=float(point.number), y=best))
    last = max(point.number for point in account.points)
    return [*rows, PlottedRow("", "line", BEST, x=float(last), y=best)]


def worst(account: EvolutionAccount) -> list[PlottedCandidate]:
    """Return the candidates with the worst fiftieth of scores, which would flatten a figure."""
    scored = sorted((p for p in account.points if isfinite(p.total)), key=lambda p: p.total)
    low = scored[len(scored) // 50].total
    return [point for point in scored if point.total < low]


def compared_games(account: EvolutionAccount) -> tuple[ReportedGame, ...]:
    """Return the games whose measures are compared: the finalists, or else the best elites."""
    again = [game for game in account.elites if game.held_out]
    return tuple((again or account.elites)[:MOST_GAMES])


def compared_measures(account: EvolutionAccount) -> tuple[str, ...]:
    """Return the measures that are compared: those of aims, then those of the map, once each."""
    games = (account.original, *compared_games(account))
    return tuple(name for name in account.asked if any(name in game.measures for game in games))


def measures_points(account: EvolutionAccount) -> Points:
    """Return the intervals of games below the original's, a panel for each measure."""
    return [row for name in compared_measures(account) for row in _measure_points(account, name)]


def _measure_points(account: EvolutionAccount, measure: str) -> Iterator[PlottedRow]:
    panel = account.label(measure).label
    games = [account.original, *compared_games(account)]
    aim = next((one for one in account.aims if one.measure == measure), None)
    if aim is not None:
        rows = (-0.6, len(games) - 0.4)
        yield from _wanted(aim, _limits(_values(games, measure), aim), rows, panel)
    start = account.original.measures.get(measure)
    if start is not None:
        yield PlottedRow(panel, "level", _plain(account.title), x=start.mean)
    for row, game in enumerate(games):
        found = game.measures.get(measure)
        name = _plain(game.name if row else account.title)
        if found is not None and found.low is not None and found.high is not None:
            ends: dict[str, Any] = {"low": found.low, "high": found.high}
            yield PlottedRow(panel, "interval", name, name, y=row, **ends)
        if found is not None:
            yield PlottedRow(panel, "point", name, name, x=found.mean, y=row)


def _values(games: Iterable[ReportedGame], measure: str) -> list[float | None]:
    found = (game.measures[measure] for game in games if measure in game.measures)
    return [end for one in found for end in (one.mean, one.low, one.high)]


def map_points(account: EvolutionAccount) -> Points:
    """Return the cells of the map with the scores of their elites, and where the original is."""
    rows = []
    for number, table in enumerate(map_tables(account), 1):
        panel = _plain(table.caption) or (str(number) if number > 1 else "")
        for y, (name, cells) in enumerate(table.rows[::-1]):
            for x, cell in enumerate(cells):
                value = cell.elite.total if cell.elite and isfinite(cell.elite.total) else None
                place = {"x": float(x), "y": float(y)}
                series = _plain(table.across[x])
                rows.append(PlottedRow(panel, "cell", series, _plain(name), **place, value=value))
                if cell.original:
                    series = _plain(account.title)
                    rows.append(PlottedRow(panel, "point", series, _plain(name), **place))
    return rows


def _wanted(
    aim: Aim, along: tuple[float, float], across: tuple[float, float], panel: str = "", *,
    up: bool = False,
) -> Points:  # fmt: skip
    """Return which values are wanted as a band across a panel; none for no range."""
    if aim.kind != "range":
        return []
    low, high = max(aim.low, along[0]), min(aim.high, along[1])
    if low >= high:
        ends: dict[str, Any] = {"y" if up else "x": low}
        return [PlottedRow(panel, "level", WANTED, **ends)]
    places = [(end, low, high) for end in across] if up else [(end, *across) for end in (low, high)]
    return [PlottedRow(panel, "band", WANTED, "", at, None, *ends) for at, *ends in places]


def _limits(values: Iterable[float | None], aim: Aim | None = None) -> tuple[float, float]:
    """Return the ends of an axis for some values, so that some of what is wanted is seen too."""
    seen = [value for value in values if value is not None and isfinite(value)]
    if seen and aim is not None and aim.kind == "range":
        span = max(seen) - min(seen)
        if aim.low > max(seen):
            seen.append(min(aim.high, aim.low + span / 10))
        elif aim.high < min(seen):
            seen.append(max(aim.low, aim.high - span / 10))
    return scale_of(seen)


# Pictures -------------------------------------------------------------------------------------


def _draw_front(look: Style, account: EvolutionAccount, points: Points, across: int) -> Figure:
    one, other = account.aims[:2]
    figure, axes = blank(look)
    marks = [row for row in points if row.kind == "point"]
    axes.set_xlim(_limits([row.x for row in marks], one))
    axes.set_ylim(_limits([row.y for row in marks], other))
    axes.set_xlabel(_axis_label(account, one.measure))
    axes.set_ylabel(_wrapped(_axis_label(account, other.measure)))
    _paint(axes, points, account)
    signs = {CANDIDATES: _sign(_CLOUD), ELITES: _sign(_ELITE)}
    if any(row.series == _plain(account.title) for row in marks):
        signs[_original(account)] = _sign(_ORIGINAL)
    _legend(figure, signs, wanted=any(row.series == WANTED for row in points))
    return figure


def _draw_progress(look: Style, account: EvolutionAccount, points: Points, across: int) -> Figure:
    from matplotlib.ticker import MaxNLocator

    figure, axes = blank(look)
    axes.set_xlim(0, max(row.x or 0 for row in points) * 1.02)
    axes.set_ylim(_limits(row.y for row in points if row.kind != "line"))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.set_xlabel(labelled(AxisWord.CANDIDATE, "in the order of the search"))
    axes.set_ylabel(_total_label())
    _paint(axes, points, account)
    signs = {CANDIDATES: _sign(_CLOUD), BEST: _sign(_ELITE._replace(marker=""), line=True)}
    if any(row.kind == "level" for row in points):
        signs[_original(account)] = _sign(_ORIGINAL._replace(marker=""), line=True)
    _legend(figure, signs)
    return figure


def _draw_measures(look: Style, account: EvolutionAccount, points: Points, across: int) -> Figure:
    """Draw a panel for each measure, at most so many beside each other."""
    from matplotlib.ticker import MaxNLocator

    measures, games = compared_measures(account), compared_games(account)
    columns = min(across, len(measures))
    rows = -(-len(measures) // columns)
    height = 0.75 + rows * (_AROUND + _ROW * (len(games) + 1))
    figure = canvas(look, (look.size[0], height))
    panels = list(figure.subplots(rows, columns, squeeze=False, sharey=True).flat)
    names = [drawn_text(one, 20) for one in (account.title, *(game.name for game in games))]
    for axes, measure in zip(panels, measures, strict=False):
        aim = next((one for one in account.aims if one.measure == measure), None)
        axes.set_yticks(range(len(names)), names, fontsize=7.5)
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="y", visible=False)
        axes.set_xlim(_limits(_values((account.original, *games), measure), aim))
        axes.xaxis.set_major_locator(MaxNLocator(4))
        label = account.label(measure).label
        axes.set_title(label, fontsize=9)
        axes.set_xlabel(_wrapped(_axis_detail(account, measure)), fontsize=8)
        _paint(axes, [row for row in points if row.panel == label], account)
    for axes in panels[len(measures) :]:
        axes.set_visible(False)
    found = "measured in new games" if games[0].held_out else "measured in the search"
    signs = {
        f"{found}, 95 % interval": _sign(_ELITE, line=True),
        _original(account): _sign(_ORIGINAL, line=True),
    }
    _legend(figure, signs, wanted=any(row.series == WANTED for row in points), columns=1)
    return figure


def _draw_map(look: Style, account: EvolutionAccount, points: Points, across: int) -> Figure:
    """Draw a cell for each combination of two measures, by its score; panels for a third one."""
    assert account.map is not None
    shown, tables = account.map.shape, map_tables(account)
    columns = min(max(2, across), len(tables))
    rows = -(-len(tables) // columns)
    figure = canvas(look, (look.size[0], 0.9 + (2.5 if columns == 1 else 2.1) * rows))
    grid: Any = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
    panels = list(grid.flat)
    size = len(tables[0].rows), len(tables[0].across)
    norm = _norm(account)
    image: Any = None
    for axes, (_, group) in zip(panels, groupby(points, lambda row: row.panel), strict=False):
        values = np.full(size, np.nan)
        for row in group:
            place = int(row.y or 0), int(row.x or 0)
            if row.kind == "point":
                _dots(axes, [row], _ORIGINAL)
            elif row.value is not None:
                values[place] = row.value
            caption = row.panel if len(shown.edges) > 2 else ""
        image = _paint_cells(axes, values, norm, caption)
        _edges(axes.xaxis, shown.edges[0], _MOST_EDGES[columns > 1])
        _edges(axes.yaxis, shown.edges[1], _MOST_EDGES[0])
    for axes in panels[len(tables) :]:
        axes.set_visible(False)
    for axes in panels[max(0, len(tables) - columns) : len(tables)]:
        axes.tick_params(which="minor", labelbottom=True)
    figure.supxlabel(_axis_label(account, shown.measures[0]), fontsize=9)
    figure.supylabel(_wrapped(_axis_label(account, shown.measures[1])), fontsize=9)
    where: dict[str, Any] = {"shrink": 0.9, "aspect": 25}
    if len(tables) > 1:
        where = {"location": "top", "shrink": 0.7, "aspect": 35}
    bar = figure.colorbar(image, ax=panels[: len(tables)], extend="min", **where)
    bar.set_label(_total_label(), fontsize=9)
    bar.outline.set_visible(False)
    signs = {"empty": _patch("empty")}
    if any(row.kind == "point" for row in points):
        signs[_original(account)] = _sign(_ORIGINAL)
    _legend(figure, signs)
    return figure


def _paint_cells(axes: Axes, values: np.ndarray[Any, Any], norm: Any, caption: str) -> Any:
    """Draw a slice of a map: row 0 is the lowest bin, as places of cells are."""
    axes.set_facecolor(_EMPTY)
    axes.patch.set_hatch("////")
    axes.patch.set_edgecolor(_HATCH)
    axes.patch.set_linewidth(0)
    image = axes.imshow(
        np.ma.masked_invalid(values), cmap="viridis", norm=norm, origin="lower", aspect="auto"
    )
    axes.tick_params(which="major", length=0, labelbottom=False, labelleft=False)
    axes.grid(visible=False, which="both")
    if caption:
        axes.set_title("\n".join(wrap(drawn_text(caption, 40), 13)), fontsize=8)
    return image


def _edges(axis: Any, edges: Sequence[float], most: int) -> None:
    """Write the edges between bins beside lines between cells; the outermost bins have no end."""
    inner = edges[1:-1]
    step = max(1, -(-len(inner) // most))
    axis.set_ticks(
        [at + 0.5 for at in range(len(inner))],
        labels=[f"{edge:.3g}".replace("-", "−") if at % step == 0 else ""
                for at, edge in enumerate(inner)],
        minor=True, fontsize=8,
    )  # fmt: skip
    axis.set_tick_params(which="minor", length=2)
    axis.grid(visible=True, which="minor", color="white", linewidth=0.8)


def _norm(account: EvolutionAccount) -> Any:
    """Return the scale of colours, from a tenth of the elites on, as the worst may be far off."""
    from matplotlib.colors import Normalize

    totals = sorted(one.total for one in account.elites if isfinite(one.total)) or [0.0]
    low, high = totals[len(totals) // 10], totals[-1]
    return Normalize(low, high if high > low else low + 1)


def _paint(axes: Axes, points: Points, account: EvolutionAccount) -> None:
    """Draw points, lines, levels, intervals and bands; each series looks the same everywhere."""
    looks = {CANDIDATES: _CLOUD, _plain(account.title): _ORIGINAL}
    band: dict[str, Any] = {"color": _WANTED, "alpha": 0.16, "hatch": "////", "edgecolor": "white"}
    for (kind, series), group in groupby(points, lambda row: (row.kind, row.series)):
        rows: list[Any] = list(group)
        look = looks.get(series, _ELITE)
        colour, style = (_WANTED, ":") if series == WANTED else (look.colour, look.line)
        if kind == "point":
            _dots(axes, rows, look)
        elif kind == "line":
            x, y = [row.x for row in rows], [row.y for row in rows]
            axes.plot(x, y, color=colour, linewidth=1.6, drawstyle="steps-post")
        elif kind == "band":
            for one, other in zip(rows[::2], rows[1::2], strict=True):
                low, high = [one.low, other.low], [one.high, other.high]
                axes.fill_between([one.x, other.x], low, high, linewidth=0, zorder=0.5, **band)
        for row in rows if kind in {"interval", "level"} else ():
            if kind == "interval":
                ends, at = [row.low, row.high], [row.y, row.y]
                axes.plot(ends, at, color=colour, linewidth=1.8, solid_capstyle="butt")
            elif row.y is None:
                axes.axvline(row.x, color=colour, linewidth=0.9, linestyle=style)
            else:
                axes.axhline(row.y, color=colour, linewidth=1.4, linestyle=style, zorder=3)


def _dots(axes: Axes, rows: Sequence[PlottedRow], look: MarkStyle) -> None:
    """Draw games as marks without lines: those with a name apart, so that they can be linked."""
    cloud = look is _CLOUD
    looks: dict[str, Any] = {
        "color": look.colour, "markersize": look.size, "linestyle": "none",
        "markeredgecolor": look.colour if cloud else "white",
        "markeredgewidth": 0 if cloud else 0.5,
        "alpha": 0.55 if cloud else None, "rasterized": cloud and len(rows) > MOST_SHAPES,
    }  # fmt: skip
    for name, group in groupby(rows, lambda row: row.name):
        x, y = zip(*((row.x, row.y) for row in group), strict=True)
        label = f"{GAME_LINK}{name}" if name else None
        axes.plot(x, y, look.marker, label=label, **looks)


def _sign(look: MarkStyle, *, line: bool = False) -> Any:
    """Return the sign of a kind of game in a legend."""
    from matplotlib.lines import Line2D

    return Line2D(
        [], [], color=look.colour, marker=look.marker, markersize=look.size,
        linestyle=look.line if line else "none", linewidth=1.4, markeredgewidth=0,
    )  # fmt: skip


def _patch(name: str) -> Any:
    """Return the sign of an area in a legend."""
    from matplotlib.patches import Patch

    return Patch(hatch="////", linewidth=0, **_PATCHES[name])


def _legend(
    figure: Figure, signs: Mapping[str, Any], *, wanted: bool = False, columns: int = 2
) -> None:
    """Put a legend above a figure, in two columns so that it fits the narrowest width."""
    signs = {**signs, WANTED: _patch(WANTED)} if wanted else signs
    figure.legend(
        list(signs.values()), list(signs), loc="outside upper left", ncols=min(columns, len(signs)),
        handlelength=2.0, columnspacing=1.2,
    )  # fmt: skip


# Texts ----------------------------------------------------------------------------------------


def plain_text(text: str) -> str:
    """Return a text on one line, without characters that no font has."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _plain(text: str, letters: int = _LETTERS) -> str:
    """Return a text as points have it: on one line, and no longer than it is drawn."""
    line = plain_text(text)
    return line if len(line) <= letters else f"{line[: letters - 1]}…"


def drawn_text(text: str, letters: int = _LETTERS) -> str:
    """Return a text shortened for drawing; dollar signs are escaped, as they begin mathematics."""
    return _plain(text, letters).replace("$", r"\$")


def _original(account: EvolutionAccount) -> str:
    """Return what the original is called in legends."""
    return f"{drawn_text(account.title)} (original)"


def _axis_label(account: EvolutionAccount, measure: str) -> str:
    """Return the label of an axis, such as `length (decisions of a game)`."""
    name, detail = account.label(measure).label, _axis_detail(account, measure)
    small = f"{name[:1].lower()}{name[1:]}"
    return f"{small} ({detail})" if detail else small


def _axis_detail(account: EvolutionAccount, measure: str) -> str:
    """Return the unit of a measure, and which direction was wanted if no band can show it."""
    unit = MEASURES[measure].unit if measure in MEASURES else ""
    kinds = [aim.kind for aim in account.aims if aim.measure == measure]
    direction = {"max": "more is wanted", "min": "less is wanted"}.get(
        kinds[0] if kinds else "", ""
    )
    return "; ".join(filter(None, (unit, direction.replace(" ", "\u00a0"))))


def _total_label() -> str:
    return _wrapped(labelled(AxisWord.TOTAL, "more\u00a0is\u00a0better"))


def _wrapped(label: str) -> str:
    """Return the label of an axis in lines that fit a narrow figure."""
    return "\n".join(wrap(label, _LINE, break_long_words=False))
