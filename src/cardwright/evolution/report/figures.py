"""The figures of a report: the map, two aims, what was measured, and the progress."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.analysis.figures.theme import blank, canvas, styled
from cardwright.evolution.report.map_tables import map_tables
from cardwright.publication.figures import (
    USUAL_FILES,
    AxisWord,
    CaptionLine,
    counted_range,
    labelled,
)
from cardwright.publication.points import band, called, points_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import Style
    from cardwright.evolution.aim import Aim
    from cardwright.evolution.report.account import EvolutionAccount, PlottedCandidate, ReportedGame
    from cardwright.evolution.report.map_tables import MapTable
    from cardwright.publication.figures import FigureFiles

CANDIDATES, ELITES, WANTED = "candidates", "elites", "wanted"
"""Names in legends and tables of points."""

_LETTERS = 28
"""The most characters of a game's name that are drawn."""


@dataclass(frozen=True)
class GameMark:
    """How a kind of game is drawn: its marker, its colour, and the marker's size in points.

    Kinds differ by all three, so that no picture needs its colours.
    """

    marker: str
    colour: str
    size: float
    line: Any = "-"


CLOUD = GameMark("o", "#8a8a8a", 2.2)
ELITE = GameMark("D", "#0072B2", 5.0)
ORIGINAL = GameMark("*", "#D55E00", 10.0, (0, (4, 2)))
_BAND = "#009E73"


def drawn_text(text: str, letters: int = _LETTERS) -> str:
    """Return a text shortened for drawing; dollar signs are escaped, as they begin mathematics."""
    one = plain_text(text)
    short = one if len(one) <= letters else f"{one[: letters - 1]}…"
    return short.replace("$", r"\$")


def plain_text(text: str) -> str:
    """Return a text on one line, without characters that no font has."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def original_name(account: EvolutionAccount) -> str:
    """Return what the original is called in legends."""
    return f"{drawn_text(account.title)} (original)"


def dots(axes: Axes, x: Sequence[float], y: Sequence[float], mark: GameMark) -> Any:
    """Draw games as marks without lines; return the artists."""
    edge = "white" if mark is not CLOUD else mark.colour
    return axes.plot(
        x, y, mark.marker, color=mark.colour, markersize=mark.size, markeredgecolor=edge,
        markeredgewidth=0.5 if mark is not CLOUD else 0, linestyle="none",
    )  # fmt: skip


def handle(mark: GameMark, *, line: bool = False) -> Any:
    """Return the sign of a kind of game in a legend."""
    from matplotlib.lines import Line2D

    return Line2D(
        [], [], color=mark.colour, marker=mark.marker, markersize=mark.size,
        linestyle=mark.line if line else "none", linewidth=1.4, markeredgewidth=0,
    )  # fmt: skip


def legend(figure: Figure, handles: Sequence[Any], names: Sequence[str]) -> None:
    """Put a legend above a figure, in two columns so that it fits the narrowest width."""
    figure.legend(
        handles, names, loc="outside upper left", ncols=min(2, len(names)),
        handlelength=1.8, columnspacing=1.2,
    )  # fmt: skip


def wanted_handle() -> Any:
    """Return the sign of what was wanted."""
    from matplotlib.patches import Patch

    return Patch(facecolor=_BAND, alpha=0.25, hatch="////", edgecolor="white", linewidth=0)


def wanted_across(axes: Axes, aim: Aim) -> None:
    """Draw which values are wanted as a band from the bottom to the top of a panel."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    low, high = max(aim.low, left), min(aim.high, right)
    if low < high:
        band(axes, [low, high], [bottom] * 2, [top] * 2, WANTED, **_looks())
    else:
        called(axes.axvline(low, color=_BAND, linewidth=1.4, linestyle=":"), WANTED)


def wanted_up(axes: Axes, aim: Aim) -> None:
    """Draw which values are wanted as a band from the left to the right of a panel."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    low, high = max(aim.low, bottom), min(aim.high, top)
    if low < high:
        band(axes, [left, right], [low] * 2, [high] * 2, WANTED, **_looks())
    else:
        called(axes.axhline(low, color=_BAND, linewidth=1.4, linestyle=":"), WANTED)


def limits(values: Sequence[float], aim: Aim | None = None) -> tuple[float, float]:
    """Return the ends of an axis for some values, so that some of what is wanted is seen too."""
    from math import isfinite

    from cardwright.evolution.report.intervals import ChartScale

    seen = [value for value in values if isfinite(value)]
    if seen and aim is not None and aim.kind == "range":
        span = max(seen) - min(seen)
        if aim.low > max(seen):
            seen.append(min(aim.high, aim.low + span / 10))
        elif aim.high < min(seen):
            seen.append(max(aim.low, aim.high - span / 10))
    scale = ChartScale.of(seen, 0.0, 1.0)
    return scale.low, scale.high


def _looks() -> dict[str, Any]:
    return {"color": _BAND, "alpha": 0.16, "hatch": "////", "edgecolor": "white", "zorder": 0.5}


MORE, LESS = (f"{word}\u00a0is\u00a0wanted" for word in ("more", "less"))
"""Spaces at which lines are not broken."""

_LINE = 24
"""Letters of a line of a label."""

_OPTIONS = "options of a decision"
_GAMES, _DECISIONS = "share of games", "share of decisions"
_POINTS, _GAINED, _EQUAL = "points", "share of wins gained", "1 is equal"

UNITS = {
    "length": str(AxisWord.LENGTH),
    "choices": str(AxisWord.LENGTH),
    "branching": _OPTIONS,
    "widest": _OPTIONS,
    "dead": _DECISIONS,
    "fairness": _EQUAL,
    "draws": _GAMES,
    "score-range": _POINTS,
    "score": _POINTS,
    "highest-score": _POINTS,
    "lowest-score": _POINTS,
    "luck": "share of variance",
    "skill": _GAINED,
    "depth": _GAINED,
    "matters": _DECISIONS,
    "searched-fairness": _EQUAL,
    "searched-draws": _GAMES,
    "searched-length": str(AxisWord.LENGTH),
    "searched-branching": _OPTIONS,
    "searched-dead": _DECISIONS,
    "convergence": "above 0.5 options become fewer",
    "decision-spread": "of estimates, 0 to 1",
    "drama": "0 to 1",
    "security": _DECISIONS,
    "decisiveness": "share of the game",
    "clarity": "share of the spread",
    "uncertainty": "0 to 1",
    "lead-change": "share of steps",
    "permanence": "share of changes",
    "killer-moves": "of estimates, 0 to 1",
    "coolness": "share of estimates",
}
"""The unit of each measure, or what its values mean, as axes have it in brackets."""


def total_label() -> str:
    """Return the label of an axis of sums of scores."""
    return wrapped(labelled(AxisWord.TOTAL, "more\u00a0is\u00a0better"))


def axis_label(account: EvolutionAccount, measure: str) -> str:
    """Return the label of an axis, such as `length (decisions of a game)`."""
    name = account.label(measure).label
    detail = axis_detail(account, measure)
    small = f"{name[:1].lower()}{name[1:]}"
    return f"{small} ({detail})" if detail else small


def axis_detail(account: EvolutionAccount, measure: str) -> str:
    """Return the unit of a measure, and which direction was wanted if no band can show it."""
    aims = [aim for aim in account.aims if aim.measure == measure]
    parts = (UNITS.get(measure, ""), _direction(aims[0]) if aims else "")
    return "; ".join(part for part in parts if part)


def wrapped(label: str) -> str:
    """Return the label of an axis in lines that fit a narrow figure."""
    return "\n".join(wrap(label, _LINE, break_long_words=False))


def _direction(aim: Aim) -> str:
    return {"max": MORE, "min": LESS}.get(aim.kind, "")


_EMPTY, _HATCH = "#f3f3f3", "#d5d5d5"
_MOST_EDGES = 6, 3
"""Edges of bins that are written along an axis of a single panel, and of one of several.

Of more, evenly many are left out."""


def draw_map(look: Style, account: EvolutionAccount, across: int = 2) -> Figure:
    """Draw the map, with at most so many panels beside each other; it holds an elite at least."""
    shown = account.map
    assert shown is not None
    tables = map_tables(account)
    columns = min(across, len(tables))
    rows = -(-len(tables) // columns)
    figure = canvas(look, (look.size[0], 0.9 + (2.5 if columns == 1 else 2.1) * rows))
    grid: Any = figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True)
    panels = list(grid.flat)
    norm = _norm(account)
    image: Any = None
    for axes, table in zip(panels, tables, strict=False):
        image = _panel(axes, table, norm)
        _edges(axes.xaxis, shown.edges[0], _MOST_EDGES[columns > 1])
        _edges(axes.yaxis, shown.edges[1] if len(shown.edges) > 1 else (), _MOST_EDGES[0])
        _mark(axes, account, table)
    for axes in panels[len(tables) :]:
        axes.set_visible(False)
    for axes in panels[max(0, len(tables) - columns) : len(tables)]:
        axes.tick_params(which="minor", labelbottom=True)
    figure.supxlabel(axis_label(account, shown.measures[0]), fontsize=9)
    if len(shown.measures) > 1:
        figure.supylabel(wrapped(axis_label(account, shown.measures[1])), fontsize=9)
    where: dict[str, Any] = {"shrink": 0.9, "aspect": 25}
    if len(tables) > 1:
        where = {"location": "top", "shrink": 0.7, "aspect": 35}
    bar = figure.colorbar(image, ax=panels[: len(tables)], extend="min", **where)
    bar.set_label(total_label(), fontsize=9)
    bar.outline.set_visible(False)
    signs = {"empty": _empty_handle()}
    if any(table.has_original for table in tables):
        signs[original_name(account)] = handle(ORIGINAL)
    legend(figure, list(signs.values()), list(signs))
    return figure


def _panel(axes: Axes, table: MapTable, norm: Any) -> Any:
    """Draw a slice: row 0 is the lowest bin, as places of cells are."""
    upwards = table.rows[::-1]
    totals = [[c.elite.total if c.elite else np.nan for c in cells] for _, cells in upwards]
    values = np.ma.masked_invalid(np.array(totals, dtype=float))
    axes.set_facecolor(_EMPTY)
    axes.patch.set_hatch("////")
    axes.patch.set_edgecolor(_HATCH)
    axes.patch.set_linewidth(0)
    image = axes.imshow(values, cmap="viridis", norm=norm, origin="lower", aspect="auto")
    axes.set_xticks(range(len(table.across)), list(table.across))
    axes.set_yticks(range(len(upwards)), [name for name, _ in upwards])
    axes.tick_params(which="major", length=0, labelbottom=False, labelleft=False)
    axes.grid(visible=False, which="both")
    if table.caption:
        axes.set_title("\n".join(wrap(drawn_text(table.caption, 40), 13)), fontsize=8)
    return image


def _edges(axis: Any, edges: Sequence[float], most: int) -> None:
    """Write the edges between bins beside lines between cells; the outermost bins have no end."""
    inner = edges[1:-1]
    step = max(1, -(-len(inner) // most))
    axis.set_ticks(
        [at + 0.5 for at in range(len(inner))],
        labels=[_number(edge) if at % step == 0 else "" for at, edge in enumerate(inner)],
        minor=True, fontsize=8,
    )  # fmt: skip
    axis.set_tick_params(which="minor", length=2)
    axis.grid(visible=True, which="minor", color="white", linewidth=0.8)


def _mark(axes: Axes, account: EvolutionAccount, table: MapTable) -> None:
    """Mark the cell in which the original is."""
    for y, (_, cells) in enumerate(table.rows[::-1]):
        for x, cell in enumerate(cells):
            if cell.original:
                mark = dots(axes, [x], [y], ORIGINAL)
                called(mark, drawn_text(account.title))


def _norm(account: EvolutionAccount) -> Any:
    """Return the scale of colours, from a tenth of the elites on, as the worst may be far off."""
    from matplotlib.colors import Normalize

    totals = sorted(one.total for one in account.elites if isfinite(one.total)) or [0.0]
    low, high = totals[len(totals) // 10], totals[-1]
    return Normalize(low, high if high > low else low + 1)


def _number(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")


def _empty_handle() -> Any:
    from matplotlib.patches import Patch

    return Patch(facecolor=_EMPTY, edgecolor=_HATCH, hatch="////", linewidth=0)


MOST_GAMES = 20
"""Rows besides the original's, the best games first."""

_ROW, _AROUND = 0.2, 1.0
"""Inches: of a row, and of what is above and below the rows of a panel."""


def compared_games(account: EvolutionAccount) -> tuple[ReportedGame, ...]:
    """Return the games of the figure: the finalists, or without any the best elites."""
    again = [game for game in account.elites if game.held_out]
    return tuple((again or account.elites)[:MOST_GAMES])


def compared_measures(account: EvolutionAccount) -> tuple[str, ...]:
    """Return the measures of the figure: those of aims, then those of the map, once each."""
    axes = account.map.measures if account.map is not None else ()
    names = dict.fromkeys((*(aim.measure for aim in account.aims), *axes))
    games = (account.original, *compared_games(account))
    return tuple(name for name in names if any(name in game.measures for game in games))


def draw_measures(look: Style, account: EvolutionAccount, across: int = 2) -> Figure:
    """Draw a panel for each measure, at most so many beside each other; there is one at least."""
    measures, games = compared_measures(account), compared_games(account)
    columns = min(across, len(measures))
    rows = -(-len(measures) // columns)
    height = 0.75 + rows * (_AROUND + _ROW * (len(games) + 1))
    figure = canvas(look, (look.size[0], height))
    grid: Any = figure.subplots(rows, columns, squeeze=False, sharey=True)
    panels = list(grid.flat)
    for axes, measure in zip(panels, measures, strict=False):
        _measure_panel(axes, account, measure, games)
    for axes in panels[len(measures) :]:
        axes.set_visible(False)
    found = "measured in new games" if games[0].held_out else "measured in the search"
    signs = {
        f"{found}, 95 % interval": handle(ELITE, line=True),
        original_name(account): handle(ORIGINAL, line=True),
    }
    if any(aim.kind == "range" and aim.measure in measures for aim in account.aims):
        signs[WANTED] = wanted_handle()
    figure.legend(
        list(signs.values()), list(signs), loc="outside upper left", ncols=1, handlelength=2.2
    )
    return figure


def _measure_panel(
    axes: Axes, account: EvolutionAccount, measure: str, games: Sequence[ReportedGame]
) -> None:
    from matplotlib.ticker import MaxNLocator

    aim = next((one for one in account.aims if one.measure == measure), None)
    names = [drawn_text(account.title, 20), *(drawn_text(game.name, 20) for game in games)]
    axes.set_yticks(range(len(names)), names, fontsize=7.5)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)
    axes.set_xlim(limits(_ends(measure, (account.original, *games)), aim))
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.set_title(account.label(measure).label, fontsize=9)
    axes.set_xlabel(wrapped(axis_detail(account, measure)), fontsize=8)
    if aim is not None and aim.kind == "range":
        wanted_across(axes, aim)
    start = account.original.measures.get(measure)
    if start is not None:
        line = axes.axvline(start.mean, color=ORIGINAL.colour, linewidth=0.9, linestyle=(0, (4, 2)))
        called(line, drawn_text(account.title))
    _interval(axes, account.original, measure, 0, ORIGINAL, account.title)
    for row, game in enumerate(games, 1):
        _interval(axes, game, measure, row, ELITE, game.name)


def _interval(  # noqa: PLR0917 - a game, and how it is drawn
    axes: Axes, game: ReportedGame, measure: str, row: int, mark: GameMark, name: str
) -> None:
    found = game.measures.get(measure)
    if found is None:
        return
    series = drawn_text(name)
    if found.low is not None and found.high is not None:
        ends = [found.low, found.high]
        line = axes.plot(ends, [row, row], color=mark.colour, linewidth=1.8, solid_capstyle="butt")
        called(line, series, "interval")
    dot = axes.plot(
        [found.mean], [row], mark.marker, color=mark.colour, markersize=mark.size * 0.85,
        markeredgecolor="white", markeredgewidth=0.4,
    )  # fmt: skip
    called(dot, series)


def _ends(measure: str, games: Sequence[ReportedGame]) -> list[float]:
    found = [game.measures[measure] for game in games if measure in game.measures]
    return [end for one in found for end in (one.mean, one.low, one.high) if end is not None]


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


@dataclass(frozen=True, slots=True)
class EvolutionPicture:
    """A figure: its name of `CHARTS`, and its files by name, the CSV with its points last."""

    name: str
    files: Mapping[str, bytes]


def evolution_pictures(
    account: EvolutionAccount, wanted: FigureFiles = USUAL_FILES
) -> tuple[EvolutionPicture, ...]:
    """Draw all figures that the account has something for; `wanted` says as which files.

    The same account gives the same bytes. Raises MissingExtraError without matplotlib.
    """
    with styled("cardwright") as look:
        return tuple(
            EvolutionPicture(name, _files(name, figure, wanted, _caption(account, counted)))
            for name, figure, counted in _drawn(look, account, wanted)
        )


def _files(name: str, figure: Figure, wanted: FigureFiles, line: CaptionLine) -> dict[str, bytes]:
    files = {f"{name}.{kind}": wanted.content(figure, kind, line) for kind in wanted.formats}
    return {**files, f"{name}.csv": points_text(figure).encode()}


def _caption(account: EvolutionAccount, counted: str) -> CaptionLine:
    return CaptionLine(counted, account.seed, plain_text(account.title))


def _drawn(
    look: Style, account: EvolutionAccount, wanted: FigureFiles
) -> Iterator[tuple[str, Figure, str]]:
    """Yield names, figures, and what is counted in them, in the order of `CHARTS`."""
    across = {1: 1, 2: 3}.get(wanted.columns or 0, 2)
    tried = f"{counted_range([account.candidates], 'candidates')}"
    of_measured = f"{len(account.points):,} of {tried}"
    if account.map is not None and account.map.names:
        cells = counted_range([account.map.size], "cells")
        kept = f"{len(account.map.names):,} elites in {cells}, of {tried}"
        yield "map", draw_map(look, account, max(2, across)), kept
    if len(account.aims) > 1 and account.points:
        yield "front", draw_front(look, account), of_measured
    if compared_games(account) and compared_measures(account):
        yield "measures", draw_measures(look, account, across), _compared(account)
    if any(isfinite(point.total) for point in account.points):
        left_out = len(worst(account))
        without = f", without the worst {left_out:,}" if left_out else ""
        yield "progress", draw_progress(look, account), f"{of_measured}{without}"


def _compared(account: EvolutionAccount) -> str:
    """Return how many games are compared, and by how many deals each was measured."""
    games, names = compared_games(account), compared_measures(account)
    counts = [
        game.measures[name].count
        for game in (account.original, *games)
        for name in names
        if name in game.measures
    ]
    tried = counted_range([account.candidates], "candidates")
    return f"{len(games):,} of {tried}, {counted_range(counts, 'deals')}"
