"""The figure of what was measured: for each measure the intervals of games beside the original's.

The style is that of `figures.theme`, which must be in effect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.analysis.figures.theme import canvas
from cardwright.evolution.report.axis_units import axis_detail, wrapped
from cardwright.evolution.report.figure_parts import (
    ELITE,
    ORIGINAL,
    WANTED,
    drawn_text,
    handle,
    limits,
    original_name,
    wanted_across,
    wanted_handle,
)
from cardwright.publication.plotted import called

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import Style
    from cardwright.evolution.report.account import EvolutionAccount, ReportedGame
    from cardwright.evolution.report.figure_parts import GameMark

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
        _panel(axes, account, measure, games)
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


def _panel(
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
