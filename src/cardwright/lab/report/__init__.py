"""The report on an experiment: words, tables and pictures, for terminals, pages and programs."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright._version import __version__
from cardwright.analysis.report import STYLE, Drawing, environment
from cardwright.english import percent
from cardwright.extras import need
from cardwright.jobs.files import write_several
from cardwright.lab.effects import effects
from cardwright.lab.factor import LabError
from cardwright.lab.findings import rounded
from cardwright.lab.report.latex import latex_table
from cardwright.lab.report.phrases import game_name
from cardwright.lab.report.pictures import pictures
from cardwright.lab.report.tables import grids, rich_table
from cardwright.lab.report.words import headline, summary
from cardwright.publication.figures import USUAL_FILES
from cardwright.publication.pages import inlined
from cardwright.syntax.data_files import csv_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from cardwright.lab.findings import Findings
    from cardwright.lab.outcomes import Outcomes
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.report.pictures import ReportPicture
    from cardwright.publication.figures import FigureFiles

    Rows = list[dict[str, Any]]

_WIDTH = 110
"""Width of a line of the report as text, in characters."""

_TEMPLATES = Path(__file__).parent / "templates"


def write_report(
    plan: LabPlan, outcomes: Outcomes, folder: Path, figure_files: FigureFiles = USUAL_FILES
) -> tuple[Path, ...]:
    """Write the report on an experiment to a folder, and return its files, the page first.

    `figure_files` says as which files figures are saved; in the page they are as usual.
    The same plan and outcomes give the same bytes. Raises LabError if there is no deal or no such
    folder can be made, RecordsError if a file cannot be written, and MissingExtraError if a library
    is missing.
    """
    make_ready(folder)
    findings = effects(plan, outcomes)
    drawn = list(pictures(plan, findings, outcomes, figure_files))
    contents = {
        "index.html": _page(plan, findings, drawn),
        "report.txt": report_text(plan, findings),
        "effects.csv": rows_text(effects_rows(findings)),
        "cells.csv": rows_text(cells_rows(plan, findings)),
        "findings.json": json_text(findings),
        "tables.tex": latex_text(plan, findings),
    }
    files = {folder / name: content.encode() for name, content in contents.items()}
    files |= {
        folder / name: content for picture in drawn for name, content in picture.files.items()
    }
    write_several(files)
    return tuple(files)


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


# Data ---------------------------------------------------------------------------------------------


def json_text(findings: Findings) -> str:
    """Return all findings as JSON."""
    return json.dumps(findings.record(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def rows_text(rows: Rows) -> str:
    """Return rows as CSV."""
    return csv_text(list(rows[0]), (list(row.values()) for row in rows))


def effects_rows(findings: Findings) -> Rows:
    """Return all effects, a row for each class, response and contrast."""
    return [
        {name: value for name, value in record.items() if name != "contrast"}
        for record in findings.record()["effects"]
    ]


def cells_rows(plan: LabPlan, findings: Findings) -> Rows:
    """Return the means of all cells, with a column for the level of each factor.

    The column of a factor that is called like another column is `factor NAME`.
    """
    rows = []
    for mean in findings.means:
        one, over = mean.estimate, mean.difference
        row = {
            "opponents": findings.opponents[mean.opponents],
            "response": findings.responses[mean.response].name,
            "cell": findings.labels[mean.cell],
        }
        numbers = {
            "deals": one.count,
            "mean": rounded(one.mean),
            "low": rounded(one.low),
            "high": rounded(one.high),
            "to_base": over and rounded(over.value),
            "to_base_low": over and rounded(over.low),
            "to_base_high": over and rounded(over.high),
            "to_base_p": over and rounded(over.p),
        }
        levels = {
            f"factor {factor.name}" if factor.name in row | numbers else factor.name:
                factor.levels[level].name
            for factor, level in zip(plan.factors, findings.cells[mean.cell], strict=True)
        }  # fmt: skip
        rows.append(row | levels | numbers)
    return rows


# Text ---------------------------------------------------------------------------------------------


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


def latex_text(plan: LabPlan, findings: Findings) -> str:
    """Return all tables as LaTeX, with the package booktabs, each after its heading and note."""
    return "\n".join(
        f"% {grid.heading}\n% {grid.note}\n{latex_table(grid.columns, grid.rows)}\n"
        for grid in grids(plan, findings)
    )


def _page(plan: LabPlan, findings: Findings, drawn: Sequence[ReportPicture]) -> str:
    """Return the page: one self-contained HTML file that needs no network."""
    from jinja2 import ChoiceLoader, FileSystemLoader

    made = environment()
    assert made.loader is not None
    made.loader = ChoiceLoader([FileSystemLoader(_TEMPLATES), made.loader])
    lead, *drawings = [
        Drawing(
            picture.heading,
            picture.caption,
            inlined(picture.svg, picture.name, picture.heading),
            tuple(picture.files),
        )
        for picture in drawn
    ]
    tables = grids(plan, findings)
    return made.get_template("lab.html").render(
        plan=plan,
        findings=findings,
        sections=summary(plan, findings),
        first=[grid for grid in tables if grid.first],
        more=[grid for grid in tables if not grid.first],
        game=game_name(plan),
        first_said=headline(plan, findings),
        lead=lead,
        drawings=drawings,
        text=plan.to_text(),
        level=percent(findings.level, None),
        style=STYLE.read_text(encoding="utf-8"),
        own=(_TEMPLATES / "lab.css").read_text(encoding="utf-8"),
        version=__version__,
    )
