"""The pictures of a report: which there are, and what they show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from cardwright.analysis.figures.theme import styled
from cardwright.lab.contrast import ContrastReading
from cardwright.lab.plan import Design
from cardwright.lab.report.headline import draw_headline, game_of
from cardwright.lab.report.numerals import percent
from cardwright.lab.report.phrases import direction
from cardwright.lab.report.plots import draw_cells, draw_deals, draw_effects, draw_pairs
from cardwright.library.catalogue import people_name
from cardwright.publication.caption_line import CaptionLine, counted_range
from cardwright.publication.figure_files import USUAL_FILES
from cardwright.publication.plotted import points_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import Style
    from cardwright.lab.findings import Findings
    from cardwright.lab.outcomes import Outcomes
    from cardwright.lab.plan import LabPlan
    from cardwright.publication.figure_files import FigureFiles

    _Drawn: TypeAlias = tuple[str, str, str, Figure]

HEADLINE = "headline"
"""The name of the picture that comes first."""


@dataclass(frozen=True, slots=True)
class ReportPicture:
    """A picture: its name, heading and caption, the SVG that stands in the page, and its files.

    `files` has them by name, those for figures before the CSV with all that is drawn.
    """

    name: str
    heading: str
    caption: str
    svg: str
    files: Mapping[str, bytes]


def pictures(
    plan: LabPlan, findings: Findings, outcomes: Outcomes, wanted: FigureFiles = USUAL_FILES
) -> Iterator[ReportPicture]:
    """Draw all pictures; the same findings give the same bytes. `wanted` says as which files."""
    counts = counted_range([findings.deals], "deals"), counted_range([findings.games], "games")
    line = CaptionLine(", ".join(counts), plan.seed, game_of(plan))
    with styled("cardwright") as look:
        for name, heading, caption, figure in _drawn(look, plan, findings, outcomes):
            svg = USUAL_FILES.content(figure, "svg", line).decode()
            files = {
                f"{name}.{kind}": wanted.content(figure, kind, line) for kind in wanted.formats
            }
            files[f"{name}.csv"] = points_text(figure).encode()
            yield ReportPicture(name, heading, caption, svg, files)


def _drawn(look: Style, plan: LabPlan, findings: Findings, outcomes: Outcomes) -> Iterator[_Drawn]:
    """Yield names, headings, captions and figures, the one that comes first in the page first."""
    yield (
        HEADLINE,
        f"What decides {people_name(plan.game.name)}?",
        f"Lines: {percent(findings.level)} intervals. Grey: no effect is shown.",
        draw_headline(look, plan, findings),
    )
    yield from _effects(look, findings)
    if findings.deals > 1:
        yield (
            "deals",
            "How much deals differ",
            (
                "Shares of deals by the value of an effect in the deal, all cells of which are "
                "played with the same cards. Vertical lines: means."
            ),
            draw_deals(look, findings, outcomes),
        )
    if plan.design is Design.FACTORIAL and len(plan.factors) > 1:
        yield from _pairs(look, plan, findings)
    yield (
        "cell-means",
        f"Cells: {findings.responses[0].name}",
        (
            f"Means with {percent(findings.level)} intervals, the best first. A cell is named by "
            "what differs from the base."
        ),
        draw_cells(look, findings),
    )


def _effects(look: Style, findings: Findings) -> Iterator[_Drawn]:
    wins = findings.response_number("wins")
    for response in (0, wins) if wins else (0,):
        measured = findings.responses[response]
        yield (
            f"effects-{measured.name}",
            f"Main effects on {measured.name}",
            (
                f"Thick lines: {percent(findings.level)} intervals of each by itself; thin lines: "
                f"for all of a class together. {_sentence(direction(measured))}"
            ),
            draw_effects(look, findings, response, ContrastReading.MAIN),
        )
    if findings.of(0, 0, ContrastReading.INTERACTION):
        yield (
            "interactions",
            f"Interactions on {findings.responses[0].name}",
            "Half of how much the effect of one factor changes with the other; lines as above.",
            draw_effects(look, findings, 0, ContrastReading.INTERACTION),
        )


def _pairs(look: Style, plan: LabPlan, findings: Findings) -> Iterator[_Drawn]:
    for opponents, name in enumerate(findings.opponents):
        yield (
            f"pairs-{opponents + 1}",
            f"Pairs of factors against {name}",
            (
                f"Mean {findings.responses[0].name} by the levels of two factors: lines that are "
                "not parallel show an interaction."
            ),
            draw_pairs(look, plan, findings, opponents),
        )


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
