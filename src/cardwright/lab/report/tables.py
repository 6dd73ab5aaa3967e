"""All tables of a report, in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.lab.contrast import ContrastReading
from cardwright.lab.report.cell_tables import cells_grid, noise_grid
from cardwright.lab.report.effect_tables import (
    all_responses_grid,
    costs_grid,
    family_grid,
    readings_grid,
    shifts_grid,
    tests_grid,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.lab.findings import Findings
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.report.grid import ReportTable


def grids(plan: LabPlan, findings: Findings) -> tuple[ReportTable, ...]:
    """Return all tables, the most important first."""
    return tuple(grid for grid in _grids(plan, findings) if grid.rows)


def _grids(plan: LabPlan, findings: Findings) -> Iterator[ReportTable]:
    shown = [0]
    wins = findings.response_number("wins")
    if wins:
        shown.append(wins)
    classes = range(len(findings.opponents))
    for response in shown:
        for opponents in classes:
            yield family_grid(plan, findings, opponents, response, ContrastReading.MAIN)
    for opponents in classes:
        yield readings_grid(findings, opponents)
    for response in shown:
        yield shifts_grid(findings, response)
    for opponents in classes:
        yield family_grid(plan, findings, opponents, 0, ContrastReading.INTERACTION)
    yield tests_grid(findings)
    for opponents in classes:
        yield cells_grid(findings, opponents, shown)
    for opponents in classes:
        yield all_responses_grid(findings, opponents)
    yield costs_grid(findings)
    yield noise_grid(findings)
