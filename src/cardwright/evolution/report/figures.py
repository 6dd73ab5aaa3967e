"""The figures of a report: the map, two aims, what was measured, and the progress of the search."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from textwrap import wrap
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cardwright.analysis.figures.theme import blank, canvas, styled
from cardwright.english import minus
from cardwright.evolution.measures.table import MEASURES
from cardwright.evolution.report.tables import map_tables, scale_of, score_ends
from cardwright.publication import points as draw
from cardwright.publication.figures import (
    USUAL_FILES,
    AxisWord,
    CaptionLine,
    counted_range,
    labelled,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import Style
    from cardwright.evolution.aim import Aim
    from cardwright.evolution.report.account import (
        EvolutionAccount,
        ReportedGame,
    )
    from cardwright.evolution.report.tables import MapTable
    from cardwright.publication.figures import FigureFiles

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
    """A figure that is not drawn yet: what is counted in it, and what draws it."""

    name: str
    counted: str
    draw: Callable[[Style, EvolutionAccount, int], Figure]


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
    figure = chart.draw(look, account, across)
    line = CaptionLine(chart.counted, account.seed, plain_text(account.title))
    made = wanted.files(figure, line)
    files = {f"{chart.name}.{kind}": content for kind, content in made.items()}
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
        yield _Chart("map", kept, _draw_map)
    if len(account.aims) > 1 and account.points:
        yield _Chart("front", of_measured, _draw_front)
    games, names = compared_games(account), compared_measures(account)
    if games and names:
        shown = [game.measures for game in (account.original, *games)]
        counts = [measures[name].count for measures in shown for name in names if name in measures]
        compared = f"{len(games):,} of {tried}, {counted_range(counts, 'deals')}"
        yield _Chart("measures", compared, _draw_measures)
    if any(isfinite(point.total) for point in account.points):
        left_out = len(worst(account))
        without = f", without the worst {left_out:,}" if left_out else ""
        yield _Chart("progress", f"{of_measured}{without}", _draw_progress)


def worst(account: EvolutionAccount) -> set[int]:
    """Return the numbers of the worst fiftieth of candidates, which would flatten a figure."""
    totals = {number: point.total for number, point in enumerate(account.points, 1)}
    scored = sorted(filter(isfinite, totals.values()))
    low = scored[len(scored) // 50]
    return {number for number, total in totals.items() if isfinite(total) and total < low}


def compared_games(account: EvolutionAccount) -> tuple[ReportedGame, ...]:
    """Return the games whose measures are compared: the finalists, or else the best elites."""
    again = [game for game in account.elites if game.held_out]
    return tuple((again or account.elites)[:MOST_GAMES])


def compared_measures(account: EvolutionAccount) -> tuple[str, ...]:
    """Return the measures that are compared: those of aims, then those of the map, once each."""
    games = (account.original, *compared_games(account))
    return tuple(name for name in account.asked if any(name in game.measures for game in games))


# Pictures -------------------------------------------------------------------------------------


def _draw_front(look: Style, account: EvolutionAccount, _across: int) -> Figure:
    """Draw all candidates, the elites and the original by the first two aims, as searched."""
    one, other = account.aims[:2]
    x, y = one.measure, other.measure
    cloud = [
        (left, right)
        for point in account.points
        if (left := point.mean(x)) is not None and (right := point.mean(y)) is not None
    ]
    games = [
        (game, (game.searched[x].mean, game.searched[y].mean))
        for game in (account.original, *account.elites)
        if x in game.searched and y in game.searched
    ]
    places = [*cloud, *(place for _, place in games)]
    figure, axes = blank(look)
    axes.set_xlim(_limits([place[0] for place in places], one))
    axes.set_ylim(_limits([place[1] for place in places], other))
    axes.set_xlabel(_axis_label(account, x))
    axes.set_ylabel(_wrapped(_axis_label(account, y)))
    wanted = [_wanted(axes, one), _wanted(axes, other, up=True)]
    _dots(axes, CANDIDATES, cloud, _CLOUD)
    signs = {CANDIDATES: _sign(_CLOUD), ELITES: _sign(_ELITE)}
    for game, place in games:
        if game.number:
            _dots(axes, ELITES, [place], _ELITE).set_label(f"{GAME_LINK}{game.name}")
        else:  # below elites, which may be at the same place and are smaller
            _dots(axes, _plain(account.title), [place], _ORIGINAL)
            signs[_original(account)] = _sign(_ORIGINAL)
    _legend(figure, signs, wanted=any(wanted))
    return figure


def _draw_progress(look: Style, account: EvolutionAccount, _across: int) -> Figure:
    """Draw the sum of scores of all candidates in their order, and the best so far as a line.

    Those of `worst` are left out. The best begins with the original's and ends with the search.
    """
    from matplotlib.ticker import MaxNLocator

    left_out = worst(account)
    numbered = [(number, point.total) for number, point in enumerate(account.points, 1)]
    scored = [(number, total) for number, total in numbered if isfinite(total)]
    cloud = [(number, total) for number, total in scored if number not in left_out]
    start, last = account.original.total, len(numbered)
    best = [(0, start)] if isfinite(start) else []
    for number, total in scored:
        if not best or total > best[-1][1]:
            best.append((number, total))
    best.append((last, best[-1][1]))
    figure, axes = blank(look)
    axes.set_xlim(0, last * 1.02)
    axes.set_ylim(_limits([*(total for _, total in cloud), start]))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.set_xlabel(labelled(AxisWord.CANDIDATE, "in the order of the search"))
    axes.set_ylabel(_total_label())
    _dots(axes, CANDIDATES, cloud, _CLOUD)
    signs = {
        CANDIDATES: _sign(_CLOUD),
        BEST: _sign(_ELITE._replace(marker=""), line=True),
    }
    if isfinite(start):  # on the line of the best, which begins there
        title, colour, style = _plain(account.title), _ORIGINAL.colour, _ORIGINAL.line
        draw.level(axes, title, y=start, color=colour, linewidth=1.4, linestyle=style, zorder=3)
        signs[_original(account)] = _sign(_ORIGINAL._replace(marker=""), line=True)
    x, y = zip(*best, strict=True)
    draw.line(axes, BEST, x, y, color=_ELITE.colour, linewidth=1.6, drawstyle="steps-post")
    _legend(figure, signs)
    return figure


def _draw_measures(look: Style, account: EvolutionAccount, across: int) -> Figure:
    """Draw the intervals of games below the original's, a panel for each measure."""
    measures, games = compared_measures(account), compared_games(account)
    columns = min(across, len(measures))
    rows = -(-len(measures) // columns)
    height = 0.75 + rows * (_AROUND + _ROW * (len(games) + 1))
    figure = canvas(look, (look.size[0], height))
    panels = list(figure.subplots(rows, columns, squeeze=False, sharey=True).flat)
    wanted = [
        _draw_measure(axes, account, measure, games)
        for axes, measure in zip(panels, measures, strict=False)
    ]
    for axes in panels[len(measures) :]:
        axes.set_visible(False)
    found = "measured in new games" if games[0].held_out else "measured in the search"
    signs = {
        f"{found}, 95 % interval": _sign(_ELITE, line=True),
        _original(account): _sign(_ORIGINAL, line=True),
    }
    _legend(figure, signs, wanted=any(wanted), columns=1)
    return figure


def _draw_measure(
    axes: Axes, account: EvolutionAccount, measure: str, games: Sequence[ReportedGame]
) -> bool:
    """Draw a panel; say whether what is wanted is in it."""
    from matplotlib.ticker import MaxNLocator

    rows = [
        (account.title, account.original, _ORIGINAL),
        *((g.name, g, _ELITE) for g in games),
    ]
    there = [game.measures.get(measure) for _, game, _ in rows]
    aim = next((one for one in account.aims if one.measure == measure), None)
    draw.ticks(axes, "y", [drawn_text(name, 20) for name, _, _ in rows], fontsize=7.5)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    ends = [end for known in there if known for end in (known.mean, known.low, known.high)]
    axes.set_xlim(_limits(ends, aim))
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.set_title(MEASURES[measure].label, fontsize=9)
    axes.set_xlabel(_wrapped(_axis_detail(account, measure)), fontsize=8)
    wanted = _wanted(axes, aim) if aim is not None else False
    if there[0] is not None:
        colour, style = _ORIGINAL.colour, _ORIGINAL.line
        title = _plain(account.title)
        draw.level(axes, title, x=there[0].mean, color=colour, linewidth=0.9, linestyle=style)
    for y, ((name, _, mark), found) in enumerate(zip(rows, there, strict=True)):
        series = _plain(name)
        if found is not None and found.low is not None and found.high is not None:
            looks = {"color": mark.colour, "linewidth": 1.8, "solid_capstyle": "butt"}
            draw.interval(axes, series, found.low, found.high, y, **looks)
        if found is not None:
            _dots(axes, series, [(found.mean, y)], mark)
    return wanted


def _draw_map(look: Style, account: EvolutionAccount, across: int) -> Figure:
    """Draw a cell for each combination of two measures, by its score; panels for a third one."""
    assert account.map is not None
    shown, tables = account.map.shape, map_tables(account)
    columns = min(max(2, across), len(tables))
    rows = -(-len(tables) // columns)
    figure = canvas(look, (look.size[0], 0.9 + (2.5 if columns == 1 else 2.1) * rows))
    grid: Any = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
    panels, norm = list(grid.flat), _norm(account)
    image: Any = None
    for axes, table in zip(panels, tables, strict=False):
        image = _draw_cells(axes, account, table, norm)
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
    if any(table.has_original for table in tables):
        signs[_original(account)] = _sign(_ORIGINAL)
    _legend(figure, signs)
    return figure


def _draw_cells(axes: Axes, account: EvolutionAccount, table: MapTable, norm: Any) -> Any:
    """Draw a slice of a map, and mark the cell in which the original is."""
    upwards = table.rows[::-1]
    totals = [[cell.elite.total if cell.elite else np.nan for cell in row] for _, row in upwards]
    axes.set_facecolor(_EMPTY)
    axes.patch.set_hatch("////")
    axes.patch.set_edgecolor(_HATCH)
    axes.patch.set_linewidth(0)
    draw.ticks(axes, "x", table.across)
    draw.ticks(axes, "y", [name for name, _ in upwards])
    image = draw.cells(
        axes, np.ma.masked_invalid(np.array(totals, float)), table.across,
        cmap="viridis", norm=norm, origin="lower", aspect="auto",
    )  # fmt: skip
    axes.tick_params(which="major", length=0, labelbottom=False, labelleft=False)
    axes.grid(visible=False, which="both")
    if table.caption:
        axes.set_title("\n".join(wrap(drawn_text(table.caption, 40), 13)), fontsize=8)
    for y, (_, row) in enumerate(upwards):
        for x, cell in enumerate(row):
            if cell.original:
                _dots(axes, _plain(account.title), [(x, y)], _ORIGINAL)
    return image


def _edges(axis: Any, edges: Sequence[float], most: int) -> None:
    """Write the edges between bins beside lines between cells; the outermost bins have no end."""
    inner = edges[1:-1]
    step = max(1, -(-len(inner) // most))
    texts = [minus(f"{edge:.3g}") if at % step == 0 else ""
             for at, edge in enumerate(inner)]  # fmt: skip
    places = [at + 0.5 for at in range(len(inner))]
    axis.set_ticks(places, labels=texts, minor=True, fontsize=8)
    axis.set_tick_params(which="minor", length=2)
    axis.grid(visible=True, which="minor", color="white", linewidth=0.8)


def _norm(account: EvolutionAccount) -> Any:
    """Return the scale of colours."""
    from matplotlib.colors import Normalize

    low, high = score_ends(account)
    return Normalize(low, high if high > low else low + 1)


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


def _wanted(axes: Axes, aim: Aim, *, up: bool = False) -> bool:
    """Draw which values are wanted as a band across a panel; say whether there are any."""
    if aim.kind != "range":
        return False
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    ends = (bottom, top) if up else (left, right)
    low, high = max(aim.low, ends[0]), min(aim.high, ends[1])
    if low >= high:
        where: dict[str, float] = {"y" if up else "x": low}
        draw.level(axes, WANTED, **where, color=_WANTED, linewidth=1.4, linestyle=":")
        return True
    looks: dict[str, Any] = {"color": _WANTED, "alpha": 0.16, "hatch": "////"}
    x, lows, highs = ([left, right], [low] * 2, [high] * 2) if up else (
        [low, high], [bottom] * 2, [top] * 2
    )  # fmt: skip
    draw.band(axes, x, lows, highs, WANTED, edgecolor="white", zorder=0.5, **looks)
    return True


def _dots(axes: Axes, series: str, places: Sequence[tuple[float, float]], mark: MarkStyle) -> Any:
    """Draw games as marks without lines."""
    cloud = mark is _CLOUD
    return draw.dots(
        axes, series, [x for x, _ in places], [y for _, y in places],
        marker=mark.marker, color=mark.colour, markersize=mark.size,
        markeredgecolor=mark.colour if cloud else "white", markeredgewidth=0 if cloud else 0.5,
        alpha=0.55 if cloud else None, rasterized=cloud and len(places) > MOST_SHAPES,
    )  # fmt: skip


def _sign(mark: MarkStyle, *, line: bool = False) -> Any:
    """Return the sign of a kind of game in a legend."""
    from matplotlib.lines import Line2D

    return Line2D(
        [], [], color=mark.colour, marker=mark.marker, markersize=mark.size,
        linestyle=mark.line if line else "none", linewidth=1.4, markeredgewidth=0,
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
    return f"{MEASURES[measure].phrase} ({_axis_detail(account, measure)})"


def _axis_detail(account: EvolutionAccount, measure: str) -> str:
    """Return the unit of a measure, and which direction was wanted if no band can show it."""
    unit = MEASURES[measure].measure.unit
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
