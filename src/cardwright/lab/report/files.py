"""The numbers of an experiment as files: CSV and JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cardwright.lab.findings import rounded
from cardwright.syntax.data_files import csv_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.lab.findings import Findings
    from cardwright.lab.plan import LabPlan


def json_text(findings: Findings) -> str:
    """Return all findings as JSON."""
    return json.dumps(findings.record(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def effects_text(findings: Findings) -> str:
    """Return all effects as CSV, a line for each class, response and contrast."""
    return csv_text(*effects_table(findings))


def cells_text(plan: LabPlan, findings: Findings) -> str:
    """Return the means of all cells as CSV, with a column for the level of each factor."""
    return csv_text(*cells_table(plan, findings))


def effects_table(findings: Findings) -> tuple[list[str], list[list[Any]]]:
    """Return the columns and rows of all effects."""
    records = findings.record()["effects"]
    names = [name for name in records[0] if name != "contrast"]
    return names, [[record[name] for name in names] for record in records]


def cells_table(plan: LabPlan, findings: Findings) -> tuple[list[str], list[list[Any]]]:
    """Return the columns and rows of the means of all cells; factors begin at the fourth column."""
    factors = [factor.name for factor in plan.factors]
    columns = [
        *("opponents", "response", "cell", *factors, "deals", "mean", "low", "high"),
        *("to_base", "to_base_low", "to_base_high", "to_base_p"),
    ]
    return columns, list(_cells(plan, findings))


def _cells(plan: LabPlan, findings: Findings) -> Iterable[list[Any]]:
    for mean in findings.means:
        levels = zip(plan.factors, findings.cells[mean.cell], strict=True)
        one, over = mean.estimate, mean.difference
        yield [
            findings.opponents[mean.opponents],
            findings.responses[mean.response].name,
            findings.labels[mean.cell],
            *(factor.levels[level].name for factor, level in levels),
            *(one.count, rounded(one.mean), rounded(one.low), rounded(one.high)),
            *((None,) * 4 if over is None else
              map(rounded, (over.value, over.low, over.high, over.p))),
        ]  # fmt: skip
