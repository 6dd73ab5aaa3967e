"""Tables of cells, and of how much deals vary in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.lab.report.grid import SHORT, ReportRow, ReportTable
from cardwright.lab.report.numerals import NumberFormat, chance, count, percent
from cardwright.lab.report.phrases import direction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.lab.findings import CellMean, Findings

_CELLS = 40
"""The most cells in a table; cells.csv has all."""


def cells_grid(findings: Findings, opponents: int, shown: Sequence[int]) -> ReportTable:
    """Return the means of cells, best first, with their differences from the base."""
    names = [findings.responses[response].name for response in shown]
    means = {response: findings.cell_means(opponents, response) for response in shown}
    forms = {
        response: NumberFormat.of(
            findings.responses[response], [one.estimate.margin for one in found]
        )
        for response, found in means.items()
    }
    turn = -1 if direction(findings.responses[0]).startswith("higher") else 1
    order = sorted(range(len(findings.cells)), key=lambda at: turn * means[0][at].estimate.mean)
    level = percent(findings.level)
    columns = ["Cell"]
    for name in names:
        columns += [name, level]
    differences = [one.difference for one in means[0] if one.difference is not None]
    based = bool(differences)
    finer = NumberFormat.of(findings.responses[0], [one.margin for one in differences])
    if based:
        columns += ["To the base", level, "p"]
    rows = []
    for at in order[:_CELLS]:
        texts = [findings.labels[at]]
        for response in shown:
            texts += _cell_texts(means[response][at], forms[response])
        if based:
            texts += _difference_texts(means[0][at], finer)
        rows.append(ReportRow(tuple(texts)))
    left = len(order) - len(rows)
    note = (
        f"The best {len(rows)} of {count(len(order))}; the others are in cells.csv. "
        if left
        else ""
    )
    return ReportTable(
        heading=f"Cells against {findings.opponents[opponents]}",
        note=f"{note}A cell is named by what differs from the base.",
        columns=tuple(columns),
        rows=tuple(rows),
        first=len(order) <= SHORT,
    )


def _cell_texts(mean: CellMean, form: NumberFormat) -> list[str]:
    estimate = mean.estimate
    return [form.plain(estimate.mean), form.interval(estimate.low, estimate.high)]


def _difference_texts(mean: CellMean, form: NumberFormat) -> list[str]:
    found = mean.difference
    if found is None:
        return ["–", "–", "–"]
    return [form.signed(found.value), form.interval(found.low, found.high), chance(found.p)]


def noise_grid(findings: Findings) -> ReportTable:
    """Return how much deals vary, on all responses against all classes."""

    def text(value: float | None) -> str:
        return "–" if value is None else f"{value:.3g}"

    return ReportTable(
        heading="The luck of the deal",
        note="Standard deviations of a deal’s value in a cell: as it is, and what is left when the "
        "means of deals and of cells are subtracted.",
        columns=("Response", "Opponents", "sd of a deal", "residual sd"),
        rows=tuple(
            ReportRow((
                findings.responses[noise.response].name,
                findings.opponents[noise.opponents],
                text(noise.within),
                text(noise.residual),
            ))
            for noise in findings.noises
        ),
        first=False,
    )  # fmt: skip
