"""The tables of a report, as strings for terminals, pages and LaTeX."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.lab.contrast import ContrastReading
from cardwright.lab.plan import Design
from cardwright.lab.report.phrases import (
    NumberFormat,
    called,
    chance,
    compared,
    count,
    direction,
    effect_form,
    percent,
    times,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.table import Table

    from cardwright.lab.findings import CellMean, Effect, Findings, Statistic
    from cardwright.lab.plan import LabPlan

SHORT = 10
"""The most rows of interactions and of cells in a table that may come among the first."""


@dataclass(frozen=True, slots=True)
class ReportRow:
    """A row's cells, the first of which is its name; `marked` rows are clear effects."""

    texts: tuple[str, ...]
    marked: bool = False


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table: heading, note, names of columns, rows.

    `first` says that it is among those shown first; the others are for readers who want to know
    more.
    """

    heading: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[ReportRow, ...]
    first: bool = True


def rich_table(grid: ReportTable) -> Table:
    """Return a table for a terminal, without its heading and note; clear effects are bold."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(grid.columns):
        table.add_column(Text(column), justify="left" if number == 0 else "right", overflow="fold")
    for row in grid.rows:
        table.add_row(*map(Text, row.texts), style="bold" if row.marked else "")
    return table


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


def family_grid(
    plan: LabPlan, findings: Findings, opponents: int, response: int, reading: ContrastReading
) -> ReportTable:
    """Return the effects of one family, the largest first."""
    measured, level = findings.responses[response], percent(findings.level)
    form = effect_form(findings, response, reading)
    what = "Main effects" if reading is ContrastReading.MAIN else "Interactions"
    note = {
        ContrastReading.MAIN: "All other factors stand at the base."
        if plan.design is Design.ONE
        else "Each is a mean over the other factors’ settings in the design.",
        ContrastReading.INTERACTION: (
            "Half of how much one factor’s effect changes with the other factor."
        ),
    }[reading]
    rows = sorted(
        findings.of(opponents, response, reading), key=lambda effect: -abs(effect.found.value)
    )
    levels = {compared(plan, findings.contrasts[effect.contrast]) for effect in rows}
    compare = ("Compared",) if reading is ContrastReading.MAIN and len(levels) > 1 else ()
    if reading is ContrastReading.MAIN and len(levels) == 1:
        note = f"Compared is {levels.pop()}. {note}"
    return ReportTable(
        heading=f"{what} on {measured.name} against {findings.opponents[opponents]}",
        note=f"In {form.unit}; {direction(measured)}. {note}",
        columns=("Effect", *compare, "Estimate", level, f"{level} jointly", "p (Holm)",
                 "Common deals ×"),
        rows=tuple(
            ReportRow(
                (
                    called(findings.contrasts[effect.contrast]),
                    *(compared(plan, findings.contrasts[effect.contrast]) for _ in compare),
                    form.signed(effect.found.value),
                    form.interval(effect.found.low, effect.found.high),
                    form.interval(effect.found.joint_low, effect.found.joint_high),
                    chance(effect.found.adjusted),
                    times(effect.gain),
                ),
                effect.found.clear(findings.level),
            )
            for effect in rows
        ),
        first=reading is ContrastReading.MAIN or len(rows) <= SHORT,
    )  # fmt: skip


def readings_grid(findings: Findings, opponents: int) -> ReportTable:
    """Return main effects next to those from the base and from the full set, if any."""
    form, measured = effect_form(findings, 0), findings.responses[0]
    mains = findings.of(opponents, 0, ContrastReading.MAIN)
    alone = _by_terms(findings, findings.of(opponents, 0, ContrastReading.ALONE))
    removed = _by_terms(findings, findings.of(opponents, 0, ContrastReading.REMOVED))
    columns = ["Effect", "One at a time from the base", "Mean of all settings"]
    if removed:
        columns.append("Removed from the full set")
    rows = []
    for effect in sorted(mains, key=lambda one: -abs(one.found.value)):
        contrast = findings.contrasts[effect.contrast]
        found = [alone.get(contrast.terms), effect.found]
        if removed:
            found.append(removed.get(contrast.terms))
        rows.append(ReportRow((contrast.name, *(_with_margin(one, form) for one in found))))
    return ReportTable(
        heading=f"Do the factors overlap? {measured.name} against {findings.opponents[opponents]}",
        note=f"In {form.unit}; {direction(measured)}. If the columns differ, the effect of a "
        "factor depends on the levels of the others.",
        columns=tuple(columns),
        rows=tuple(rows) if len(alone) == len(mains) else (),
    )


def _by_terms(
    findings: Findings, effects: Sequence[Effect]
) -> dict[tuple[tuple[int, int], ...], Statistic]:
    return {findings.contrasts[effect.contrast].terms: effect.found for effect in effects}


def shifts_grid(findings: Findings, response: int) -> ReportTable:
    """Return how main effects on a response differ between classes."""
    measured = findings.responses[response]
    shifts = [shift for shift in findings.shifts if shift.response == response]
    form = NumberFormat.of(measured, [shift.found.margin for shift in shifts])
    return ReportTable(
        heading=f"Does it depend on the opponents? {measured.name}",
        note=f"In {form.unit}: the effect against one class minus that against the other, deal by "
        "deal.",
        columns=("Effect", "Classes", "Difference", percent(findings.level), "p (Holm)"),
        rows=tuple(
            ReportRow(
                (
                    findings.contrasts[shift.contrast].name,
                    f"{findings.opponents[shift.second]} − {findings.opponents[shift.first]}",
                    form.signed(shift.found.value),
                    form.interval(shift.found.low, shift.found.high),
                    chance(shift.found.adjusted),
                ),
                shift.found.clear(findings.level),
            )
            for shift in shifts
        ),
    )


def all_responses_grid(findings: Findings, opponents: int) -> ReportTable:
    """Return the main effects on all responses."""
    forms = [effect_form(findings, number) for number in range(len(findings.responses))]
    columns = [
        f"{response.name}{' (%)' if form.share else ''}"
        for response, form in zip(findings.responses, forms, strict=True)
    ]
    table = [findings.of(opponents, number, ContrastReading.MAIN) for number in range(len(forms))]
    rows = tuple(
        ReportRow((
            findings.contrasts[effects[0].contrast].name,
            *map(_with_margin, (effect.found for effect in effects), forms),
        ))
        for effects in zip(*table, strict=True)
    )  # fmt: skip
    return ReportTable(
        heading=f"Main effects on all responses against {findings.opponents[opponents]}",
        note=f"With half the width of the {percent(findings.level)} interval of each by itself.",
        columns=("Effect", *columns),
        rows=rows,
        first=False,
    )


def _with_margin(found: Statistic | None, form: NumberFormat) -> str:
    if found is None:
        return "–"
    margin = "" if found.margin is None else f"±{form.number(found.margin)}"
    return form.signed(found.value) + margin


def costs_grid(findings: Findings) -> ReportTable:
    """Return how much effects vary from deal to deal, and what better intervals would cost."""
    form, level = effect_form(findings, 0), percent(findings.level)
    rows = [
        ReportRow((
            f"{findings.contrasts[effect.contrast].name}, {name}",
            form.interval(effect.found.low, effect.found.high),
            "–" if effect.found.spread is None else f"{effect.found.spread:.3g}",
            "–" if effect.halved is None else count(effect.halved),
            "–" if effect.fine is None else count(effect.fine),
        ))
        for opponents, name in enumerate(findings.opponents)
        for effect in findings.of(opponents, 0, ContrastReading.MAIN)
    ]  # fmt: skip
    return ReportTable(
        heading=f"What better intervals cost: {findings.responses[0].name}",
        note="Deals for an interval half as wide, and for a fine one (±0.1, of shares ±1 %).",
        columns=("Effect", level, "sd of a deal", "Deals: half", "Deals: fine"),
        rows=tuple(rows),
        first=False,
    )  # fmt: skip


def tests_grid(findings: Findings) -> ReportTable:
    """Return the verdicts of sequential tests; no rows without any."""
    rows = []
    for test in findings.tested:
        verdict = test.verdict
        rows.append(
            ReportRow(
                (
                    findings.contrasts[test.contrast].name,
                    findings.opponents[test.opponents],
                    verdict.accepted,
                    _evidence(verdict.against_h0, verdict.need_h0),
                    _evidence(verdict.against_h1, verdict.need_h1),
                    count(verdict.deals),
                ),
                verdict.accepted == "H1",
            )
        )
    return ReportTable(
        heading="Sequential tests",
        note="The evidence against a hypothesis is the logarithm of what a bet of 1 against it has "
        "become. H1 is accepted when the evidence against H0 has reached what is needed, and H0 "
        "when that against H1 has.",
        columns=("Effect", "Opponents", "Accepted", "Against H0", "Against H1", "Deals"),
        rows=tuple(rows),
    )


def _evidence(found: float, need: float) -> str:
    return f"{found:.2f} of {need:.2f}".replace("-", "−")


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
