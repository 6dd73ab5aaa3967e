"""The payoff matrix of a tournament: what each entrant gets against each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.arena.shares import share_estimate, win_bounds
from cardwright.statistics.intervals import LEVEL, mean_interval

if TYPE_CHECKING:
    from cardwright.arena.deals import DealArrays
    from cardwright.arena.schedule import Seating
    from cardwright.statistics.sample import Estimate

MEASURES = ("score", "win")
"""What a game is worth: its score, or the share of the win."""


@dataclass(frozen=True)
class Matrix:
    """What the entrant of a row gets in a game against the one of the column.

    `kind` says what a cell is: `alone`, the mean of the row's entrant alone against copies of the
    column's (on the diagonal against copies of itself); or `difference`, the mean of the row's
    minus the column's in all games in which both sit. A cell is None where they never met.
    """

    kind: str
    measure: str
    cells: tuple[tuple[Estimate | None, ...], ...]

    def means(self) -> list[list[float]]:
        """Return the means alone; NaN where there is none."""
        return [[float("nan") if cell is None else cell.mean for cell in row] for row in self.cells]

    def _repr_html_(self) -> str:
        from cardwright.arena.displays import matrix_html

        return matrix_html(self)

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {
            "kind": self.kind,
            "measure": self.measure,
            "cells": [[None if cell is None else cell.record() for cell in row]
                      for row in self.cells],
        }  # fmt: skip


def alone_matrix(deals: DealArrays, measure: str, level: float = LEVEL) -> Matrix:
    """Return what each entrant gets alone against copies of each other entrant, and of itself.

    Its share of wins among copies of itself has no interval where shared wins are fractions: it is
    the same in every game.
    """
    many = deals.entrants
    cells = np.array([_alone(table, many) for table in deals.tables], dtype=np.int64)
    values = deals.means(deals.column(measure), cells[deals.table], many * many)
    least, most = win_bounds(cells, many * many, deals.ties)

    def cell(place: int) -> Estimate | None:
        here = values[:, place]
        here = here[~np.isnan(here)]
        if not len(here):
            return None
        if measure == "win":
            return share_estimate(here, least[place], most[place], level)
        return mean_interval(here, level)

    return Matrix(
        "alone",
        measure,
        tuple(tuple(cell(row * many + column) for column in range(many)) for row in range(many)),
    )


def difference_matrix(deals: DealArrays, measure: str, level: float = LEVEL) -> Matrix:
    """Return the mean difference of each pair of entrants in the games in which both sit."""
    many = deals.entrants
    cells: list[list[Estimate | None]] = [[None] * many for _ in range(many)]
    for row in range(many):
        for column in range(row):
            values = deals.difference(measure, row, column)
            values = values[~np.isnan(values)]
            if len(values):
                if measure == "win":
                    bounds = deals.difference_bounds(row, column)
                    estimate = share_estimate(values, *bounds, level)
                else:
                    estimate = mean_interval(values, level)
                cells[row][column], cells[column][row] = estimate, estimate.negated()
    return Matrix("difference", measure, tuple(map(tuple, cells)))


def _alone(table: Seating, entrants: int) -> list[int]:
    """Return for each seat the number of its cell: row * entrants + column, or -1 for none."""
    kinds = set(table)
    if len(kinds) == 1:
        return [who * entrants + who for who in table]
    if len(kinds) > 2:
        return [-1] * len(table)
    return [
        who * entrants + next(iter(kinds - {who})) if table.count(who) == 1 else -1 for who in table
    ]
