"""The report on an experiment: words, tables and pictures, for terminals, pages and programs."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright._version import __version__
from cardwright.analysis.report import STYLE, Drawing, environment
from cardwright.extras import need
from cardwright.lab.effects import effects
from cardwright.lab.factor import LabError
from cardwright.lab.findings import rounded
from cardwright.lab.report.phrases import percent
from cardwright.lab.report.pictures import game_of, headline
from cardwright.lab.report.tables import grids, rich_table
from cardwright.lab.report.words import summary
from cardwright.publication.figures import USUAL_FILES
from cardwright.publication.latex import latex_table
from cardwright.publication.pages import inlined
from cardwright.syntax.data_files import csv_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console

    from cardwright.lab.findings import Findings
    from cardwright.lab.outcomes import Outcomes
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.report.pictures import ReportPicture
    from cardwright.lab.report.tables import ReportTable
    from cardwright.lab.report.words import ReportSection
    from cardwright.publication.figures import FigureFiles


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


_WIDTH = 110
"""Width of a line of the report as text, in characters."""


def write_report(
    plan: LabPlan, outcomes: Outcomes, folder: Path, figure_files: FigureFiles = USUAL_FILES
) -> tuple[Path, ...]:
    """Write the report on an experiment to a folder, and return its files, the page first.

    `figure_files` says as which files figures are saved; in the page they are as usual.
    The same plan and outcomes give the same bytes. Raises LabError if there is no deal or no such
    folder can be made, RecordsError if a file cannot be written, and MissingExtraError if a library
    is missing.
    """
    from cardwright.jobs.files import write_several
    from cardwright.lab.plan import plan_text
    from cardwright.lab.report.pictures import pictures

    make_ready(folder)
    findings = effects(plan, outcomes)
    drawn = list(pictures(plan, findings, outcomes, figure_files))
    text = page(
        plan,
        findings,
        sections=summary(plan, findings),
        grids=grids(plan, findings),
        drawn=drawn,
        text=plan_text(plan),
    )
    contents: dict[str, str | bytes] = {
        "index.html": text,
        "report.txt": report_text(plan, findings),
        "effects.csv": effects_text(findings),
        "cells.csv": cells_text(plan, findings),
        "findings.json": json_text(findings),
        "tables.tex": latex_text(plan, findings),
    }
    for picture in drawn:
        contents |= picture.files
    files = {
        folder / name: content if isinstance(content, bytes) else content.encode()
        for name, content in contents.items()
    }
    write_several(files)
    return tuple(folder / name for name in contents)


def make_ready(folder: Path) -> None:
    """Make the folder of a report, so that problems with it are found before hours of play.

    Raises LabError if the folder cannot be used, and MissingExtraError without the libraries.
    """
    need("matplotlib", "jinja2")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LabError(f"{folder} cannot be made: {error.strerror or error}") from None
    if not os.access(folder, os.W_OK):
        raise LabError(f"{folder} cannot be written to: name another folder")


def show(plan: LabPlan, findings: Findings, console: Console, *, everything: bool = False) -> None:
    """Print the findings: a summary in words, then the first tables, or all of them."""
    from rich.padding import Padding
    from rich.text import Text

    console.print(Text(findings.name, style="bold"))
    console.print()
    console.print(Text(headline(plan, findings), style="bold"))
    for section in summary(plan, findings):
        console.print()
        console.print(Text(section.heading, style="bold"))
        for sentence in section.sentences:
            console.print(Padding(Text(f"• {sentence}"), (0, 0, 0, 1)))
    for grid in grids(plan, findings):
        if grid.first or everything:
            console.print()
            console.print(Text(grid.heading, style="bold"))
            console.print(Text(grid.note, style="dim"))
            console.print(rich_table(grid))


def latex_text(plan: LabPlan, findings: Findings) -> str:
    """Return all tables as LaTeX, with the package booktabs, each after its heading and note."""
    parts = []
    for grid in grids(plan, findings):
        right = [number > 0 for number in range(len(grid.columns))]
        rows = [row.texts for row in grid.rows]
        parts.append(f"% {grid.heading}\n% {grid.note}\n{latex_table(grid.columns, rows, right)}\n")
    return "\n".join(parts)


def report_text(plan: LabPlan, findings: Findings) -> str:
    """Return everything that `show` can print, as plain text."""
    from rich.console import Console

    file = io.StringIO()
    console = Console(
        file=file, width=_WIDTH, color_system=None, force_terminal=False, force_jupyter=False,
        legacy_windows=False, no_color=True, highlight=False, markup=False, emoji=False,
    )  # fmt: skip
    show(plan, findings, console, everything=True)
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()) + "\n"


_TEMPLATES = Path(__file__).parent / "templates"


def page(
    plan: LabPlan,
    findings: Findings,
    *,
    sections: Sequence[ReportSection],
    grids: Sequence[ReportTable],
    drawn: Sequence[ReportPicture],
    text: str,
) -> str:
    """Return the page as HTML; `text` is the plan's. Raises MissingExtraError without Jinja."""
    made = environment()
    from jinja2 import ChoiceLoader, FileSystemLoader

    assert made.loader is not None
    made.loader = ChoiceLoader([FileSystemLoader(_TEMPLATES), made.loader])
    drawings = [
        Drawing(
            one.heading,
            one.caption,
            inlined(one.svg, one.name, one.heading),
            tuple(one.files),
        )
        for one in drawn
    ]
    return made.get_template("lab.html").render(
        plan=plan,
        findings=findings,
        sections=sections,
        first=[grid for grid in grids if grid.first],
        more=[grid for grid in grids if not grid.first],
        game=game_of(plan),
        first_said=headline(plan, findings),
        lead=drawings[0],
        drawings=drawings[1:],
        text=text,
        level=percent(findings.level),
        style=STYLE.read_text(encoding="utf-8"),
        own=(_TEMPLATES / "lab.css").read_text(encoding="utf-8"),
        version=__version__,
    )
