"""The pictures of a report: which there are, and what they show."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.analysis.figures.theme import styled
from cardwright.lab.contrast import ContrastReading
from cardwright.lab.plan import Design
from cardwright.lab.report.numerals import percent
from cardwright.lab.report.phrases import direction
from cardwright.lab.report.plots import draw_cells, draw_deals, draw_effects, draw_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import Style
    from cardwright.lab.findings import Findings
    from cardwright.lab.outcomes import Outcomes
    from cardwright.lab.plan import LabPlan


@dataclass(frozen=True, slots=True)
class ReportPicture:
    """A picture: its file name without the extension, heading, caption, and SVG."""

    name: str
    heading: str
    caption: str
    svg: str


def pictures(plan: LabPlan, findings: Findings, outcomes: Outcomes) -> Iterator[ReportPicture]:
    """Draw all pictures; the same findings give the same bytes."""
    with styled("cardwright") as look:
        yield from _effects(look, findings)
        if findings.deals > 1:
            yield ReportPicture(
                "deals",
                "How much deals differ",
                "Shares of deals by the value of an effect in the deal, all cells of which are "
                "played with the same cards. Vertical lines: means.",
                _svg(draw_deals(look, findings, outcomes)),
            )
        if plan.design is Design.FACTORIAL and len(plan.factors) > 1:
            yield from _pairs(look, plan, findings)
        yield ReportPicture(
            "cells",
            f"Cells: {findings.responses[0].name}",
            f"Means with {percent(findings.level)} intervals, the best first. A cell is named by "
            "what differs from the base.",
            _svg(draw_cells(look, findings)),
        )


def _effects(look: Style, findings: Findings) -> Iterator[ReportPicture]:
    wins = findings.response_number("wins")
    for response in (0, wins) if wins else (0,):
        measured = findings.responses[response]
        yield ReportPicture(
            f"effects-{measured.name}",
            f"Main effects on {measured.name}",
            f"Thick lines: {percent(findings.level)} intervals of each by itself; thin lines: for "
            f"all of a class together. {_sentence(direction(measured))}",
            _svg(draw_effects(look, findings, response, ContrastReading.MAIN)),
        )
    if findings.of(0, 0, ContrastReading.INTERACTION):
        yield ReportPicture(
            "interactions",
            f"Interactions on {findings.responses[0].name}",
            "Half of how much the effect of one factor changes with the other; lines as above.",
            _svg(draw_effects(look, findings, 0, ContrastReading.INTERACTION)),
        )


def _pairs(look: Style, plan: LabPlan, findings: Findings) -> Iterator[ReportPicture]:
    for opponents, name in enumerate(findings.opponents):
        yield ReportPicture(
            f"pairs-{opponents + 1}",
            f"Pairs of factors against {name}",
            f"Mean {findings.responses[0].name} by the levels of two factors: lines that are not "
            "parallel show an interaction.",
            _svg(draw_pairs(look, plan, findings, opponents)),
        )


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _svg(figure: Figure) -> str:
    """Return a figure as SVG; the style must be in effect."""
    file = io.BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue().decode()
