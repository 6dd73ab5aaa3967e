"""The page of an experiment: one self-contained HTML file that needs no network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cardwright._version import __version__
from cardwright.analysis.report.inline import inlined
from cardwright.analysis.report.page import STYLE, Drawing, environment
from cardwright.lab.report.headline import game_of, headline
from cardwright.lab.report.numerals import percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.lab.findings import Findings
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.report.grid import ReportTable
    from cardwright.lab.report.pictures import ReportPicture
    from cardwright.lab.report.words import ReportSection

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
