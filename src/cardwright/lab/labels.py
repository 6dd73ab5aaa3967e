"""Names of cells in tables and pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.lab.factor import Factor
    from cardwright.lab.plan import Cell


def cell_label(factors: Sequence[Factor], cell: Cell) -> str:
    """Return the name of a cell: what differs from the base, by factors and levels.

    With two levels the factor's name is enough. `base` is the base itself, and `all` the cell in
    which every one of several factors with two levels is changed.
    """
    if not any(cell):
        return "base"
    if len(factors) > 2 and all(cell) and all(len(factor.levels) == 2 for factor in factors):
        return "all"
    return " + ".join(
        factor.name if len(factor.levels) == 2 else f"{factor.name}: {factor.levels[level].name}"
        for factor, level in zip(factors, cell, strict=True)
        if level
    )
