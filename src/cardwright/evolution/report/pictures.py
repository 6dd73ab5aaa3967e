"""The figures of a report as files: which there are, of how many candidates, and their names."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from cardwright.analysis.figures.theme import styled
from cardwright.evolution.report.figure_parts import plain_text
from cardwright.evolution.report.map_plot import draw_map
from cardwright.evolution.report.measures_plot import (
    compared_games,
    compared_measures,
    draw_measures,
)
from cardwright.evolution.report.search_plots import draw_front, draw_progress, worst
from cardwright.publication.caption_line import CaptionLine, counted_range
from cardwright.publication.figure_files import USUAL_FILES
from cardwright.publication.plotted import points_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import Style
    from cardwright.evolution.report.account import EvolutionAccount
    from cardwright.publication.figure_files import FigureFiles


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
