"""The tables of a report, as strings for terminals, pages and LaTeX."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.english import minus, percent
from cardwright.lab.contrast import ContrastReading
from cardwright.lab.plan import Design
from cardwright.lab.report.phrases import NumberFormat, chance, direction, effect_form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from cardwright.lab.contrast import Contrast
    from cardwright.lab.findings import Findings, Statistic
    from cardwright.lab.plan import LabPlan

_SHORT = 10
"""The most rows of interactions and of cells in a table that may come among the first."""

_MOST_CELLS = 40
"""The most cells in a table; cells.csv has all."""

_NOTHING = "–"


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table: heading, note, names of columns, and the texts of rows, the first of each its name.

    `first` says that it is among those shown first; the others are for readers who want to know
    more. `marked` are the numbers of the rows of clear effects.
    """

    heading: str
    note: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]
    marked: frozenset[int] = frozenset()
    first: bool = True


def rich_table(grid: ReportTable) -> Table:
    """Return a table for a terminal, without its heading and note; clear effects are bold."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(grid.columns):
        table.add_column(Text(column), justify="left" if number == 0 else "right", overflow="fold")
    for number, row in enumerate(grid.rows):
        table.add_row(*map(Text, row), style="bold" if number in grid.marked else "")
    return table


def grids(plan: LabPlan, findings: Findings) -> tuple[ReportTable, ...]:
    """Return all tables, the most important first."""
    return tuple(grid for grid in _grids(plan, findings) if grid.rows)


def _grids(plan: LabPlan, findings: Findings) -> Iterator[ReportTable]:
    classes = range(len(findings.opponents))
    for response in findings.shown:
        for opponents in classes:
            yield _family(plan, findings, opponents, response, ContrastReading.MAIN)
    for opponents in classes:
        yield _readings(findings, opponents)
    for response in findings.shown:
        yield _shifts(findings, response)
    for opponents in classes:
        yield _family(plan, findings, opponents, 0, ContrastReading.INTERACTION)
    yield _tests(findings)
    for opponents in classes:
        yield _cells(findings, opponents)
    for opponents in classes:
        yield _all_responses(findings, opponents)
    yield _costs(findings)
    yield _noise(findings)


# Effects ------------------------------------------------------------------------------------------


def _clear(findings: Findings, found: list[Statistic]) -> frozenset[int]:
    return frozenset(at for at, effect in enumerate(found) if effect.clear(findings.level))


def _family(
    plan: LabPlan, findings: Findings, opponents: int, response: int, reading: ContrastReading
) -> ReportTable:
    measured, level = findings.responses[response], percent(findings.level, None)
    form = effect_form(findings, response, reading)
    main = reading is ContrastReading.MAIN
    effects = findings.largest(opponents, response, reading)
    if not main:
        note = "Half of how much one factor’s effect changes with the other factor."
    elif plan.design is Design.ONE:
        note = "All other factors stand at the base."
    else:
        note = "Each is a mean over the other factors’ settings in the design."
    levels = {_compared(plan, findings.contrast(effect)) for effect in effects} if main else set()
    if len(levels) == 1:
        note = f"Compared is {levels.pop()}. {note}"
    columns = ["Effect", "Estimate", level, f"{level} jointly", "p (Holm)", "Common deals ×"]
    rows = []
    for effect in effects:
        contrast, found = findings.contrast(effect), effect.found
        rows.append([
            " = ".join((contrast.name, *contrast.aliases)),
            form.signed(found.value),
            form.interval(found.low, found.high),
            form.interval(found.joint_low, found.joint_high),
            chance(found.adjusted),
            _NOTHING if effect.gain is None else f"{effect.gain:.1f}",
        ])  # fmt: skip
        if levels:
            rows[-1].insert(1, _compared(plan, contrast))
    return ReportTable(
        heading=f"{'Main effects' if main else 'Interactions'} on {measured.name} against "
        f"{findings.opponents[opponents]}",
        note=f"In {form.unit}; {direction(measured)}. {note}",
        columns=tuple(columns[:1] + ["Compared"] * bool(levels) + columns[1:]),
        rows=list(map(tuple, rows)),
        marked=_clear(findings, [effect.found for effect in effects]),
        first=main or len(rows) <= _SHORT,
    )


def _compared(plan: LabPlan, contrast: Contrast) -> str:
    """Return the levels that an effect of one factor compares, such as `rule − random`."""
    number, level = contrast.terms[0]
    levels = plan.factors[number].levels
    return f"{levels[level].name} − {levels[0].name}"


def _readings(findings: Findings, opponents: int) -> ReportTable:
    form, measured = effect_form(findings, 0), findings.responses[0]
    mains = findings.largest(opponents, 0, ContrastReading.MAIN)
    alone, removed = (
        {
            findings.contrast(one).terms: one.found
            for one in findings.effects_of(opponents, 0, reading)
        }
        for reading in (ContrastReading.ALONE, ContrastReading.REMOVED)
    )
    rows = []
    for effect in mains:
        terms = findings.contrast(effect).terms
        found = [alone.get(terms), effect.found, removed.get(terms)]
        rows.append((
            findings.name_of(effect),
            *(_with_margin(one, form) for one in (found if removed else found[:2])),
        ))  # fmt: skip
    columns = ("Effect", "One at a time from the base", "Mean of all settings",
               "Removed from the full set")  # fmt: skip
    return ReportTable(
        heading=f"Do the factors overlap? {measured.name} against {findings.opponents[opponents]}",
        note=f"In {form.unit}; {direction(measured)}. If the columns differ, the effect of a "
        "factor depends on the levels of the others.",
        columns=columns if removed else columns[:3],
        rows=rows if len(alone) == len(mains) else [],
    )


def _shifts(findings: Findings, response: int) -> ReportTable:
    measured = findings.responses[response]
    shifts = [shift for shift in findings.shifts if shift.response == response]
    form = NumberFormat.of(measured, [shift.found.margin for shift in shifts])
    return ReportTable(
        heading=f"Does it depend on the opponents? {measured.name}",
        note=f"In {form.unit}: the effect against one class minus that against the other, deal by "
        "deal.",
        columns=("Effect", "Classes", "Difference", percent(findings.level, None), "p (Holm)"),
        rows=[
            (
                findings.name_of(shift),
                f"{findings.opponents[shift.second]} − {findings.opponents[shift.first]}",
                form.signed(shift.found.value),
                form.interval(shift.found.low, shift.found.high),
                chance(shift.found.adjusted),
            )
            for shift in shifts
        ],
        marked=_clear(findings, [shift.found for shift in shifts]),
    )


def _all_responses(findings: Findings, opponents: int) -> ReportTable:
    forms = [effect_form(findings, number) for number in range(len(findings.responses))]
    table = [
        findings.effects_of(opponents, number, ContrastReading.MAIN) for number in range(len(forms))
    ]
    return ReportTable(
        heading=f"Main effects on all responses against {findings.opponents[opponents]}",
        note=f"With half the width of each one's own {percent(findings.level, None)} interval.",
        columns=(
            "Effect",
            *(f"{form.response.name}{' (%)' if form.share else ''}" for form in forms),
        ),
        rows=[
            (
                findings.name_of(effects[0]),
                *(
                    _with_margin(effect.found, form)
                    for effect, form in zip(effects, forms, strict=True)
                ),
            )
            for effects in zip(*table, strict=True)
        ],
        first=False,
    )


def _with_margin(found: Statistic | None, form: NumberFormat) -> str:
    if found is None:
        return _NOTHING
    margin = "" if found.margin is None else f"±{form.number(found.margin)}"
    return form.signed(found.value) + margin


def _costs(findings: Findings) -> ReportTable:
    form = effect_form(findings, 0)
    return ReportTable(
        heading=f"What better intervals cost: {findings.responses[0].name}",
        note="Deals for an interval half as wide, and for a fine one (±0.1, of shares ±1 %).",
        columns=(
            "Effect",
            percent(findings.level, None),
            "sd of a deal",
            "Deals: half",
            "Deals: fine",
        ),
        rows=[
            (
                f"{findings.name_of(effect)}, {name}",
                form.interval(effect.found.low, effect.found.high),
                _rough(effect.found.spread),
                _NOTHING if effect.halved is None else f"{effect.halved:,}",
                _NOTHING if effect.fine is None else f"{effect.fine:,}",
            )
            for opponents, name in enumerate(findings.opponents)
            for effect in findings.effects_of(opponents, 0, ContrastReading.MAIN)
        ],
        first=False,
    )


def _rough(value: float | None) -> str:
    return _NOTHING if value is None else f"{value:.3g}"


def _tests(findings: Findings) -> ReportTable:
    verdicts = [test.verdict for test in findings.tested]
    return ReportTable(
        heading="Sequential tests",
        note="The evidence against a hypothesis is the logarithm of what a bet of 1 against it has "
        "become. H1 is accepted when the evidence against H0 has reached what is needed, and H0 "
        "when that against H1 has.",
        columns=("Effect", "Opponents", "Accepted", "Against H0", "Against H1", "Deals"),
        rows=[
            (
                findings.name_of(test),
                findings.opponents[test.opponents],
                verdict.accepted,
                minus(f"{verdict.against_h0:.2f} of {verdict.need_h0:.2f}"),
                minus(f"{verdict.against_h1:.2f} of {verdict.need_h1:.2f}"),
                f"{verdict.deals:,}",
            )
            for test, verdict in zip(findings.tested, verdicts, strict=True)
        ],
        marked=frozenset(at for at, one in enumerate(verdicts) if one.accepted == "H1"),
    )


# Cells --------------------------------------------------------------------------------------------


def _cells(findings: Findings, opponents: int) -> ReportTable:
    level = percent(findings.level, None)
    columns, texts = ["Cell"], [[label] for label in findings.labels]
    for response in findings.shown:
        means = findings.cell_means(opponents, response)
        measured = findings.responses[response]
        form = NumberFormat.of(measured, [one.estimate.margin for one in means])
        columns += [measured.name, level]
        for row, mean in zip(texts, means, strict=True):
            one = mean.estimate
            row.extend([form.plain(one.mean), form.interval(one.low, one.high)])
    differences = [one.difference for one in findings.cell_means(opponents, 0)]
    if any(differences):
        columns += ["To the base", level, "p"]
        form = NumberFormat.of(
            findings.responses[0], [difference.margin for difference in differences if difference]
        )
        for row, over in zip(texts, differences, strict=True):
            row.extend(
                [_NOTHING] * 3
                if over is None
                else [form.signed(over.value), form.interval(over.low, over.high), chance(over.p)]
            )
    order = findings.best_cells(opponents)
    note = "A cell is named by what differs from the base."
    if len(order) > _MOST_CELLS:
        note = f"The best {_MOST_CELLS} of {len(order):,}; the others are in cells.csv. {note}"
    return ReportTable(
        heading=f"Cells against {findings.opponents[opponents]}",
        note=note,
        columns=tuple(columns),
        rows=[tuple(texts[at]) for at in order[:_MOST_CELLS]],
        first=len(order) <= _SHORT,
    )


def _noise(findings: Findings) -> ReportTable:
    return ReportTable(
        heading="The luck of the deal",
        note="Standard deviations of a deal’s value in a cell: as it is, and what is left when the "
        "means of deals and of cells are subtracted.",
        columns=("Response", "Opponents", "sd of a deal", "residual sd"),
        rows=[
            (
                findings.responses[noise.response].name,
                findings.opponents[noise.opponents],
                _rough(noise.within),
                _rough(noise.residual),
            )
            for noise in findings.noises
        ],
        first=False,
    )
