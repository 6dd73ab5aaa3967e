"""Analyses and figures, as notebooks show them."""

from __future__ import annotations

import tempfile
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.markup.element import display, element, heading, note
from cardwright.markup.numbers import ShownInterval, mean_and_ends
from cardwright.markup.table import table
from cardwright.statistics.ties import tie_words

if TYPE_CHECKING:
    from cardwright.study.figure import DrawnFigure
    from cardwright.study.report import AnalysisReport


def analysis_html(report: AnalysisReport) -> str:
    """Return what was found of each game in sentences, and all measures with their intervals."""
    parts = []
    for at, name in enumerate(report.games):
        rows = [
            (row.name, row.batch, mean_and_ends(ShownInterval(row.value, row.low, row.high), 3))
            for row in report.subjects[at].rows
        ]
        parts.append(heading(name))
        parts += [element("div", sentence) for sentence in report.sentences(at)]
        parts.append(table(("measure", "players", "value"), rows, texts=2))
    title = heading(f"Analysis of {report.heading}", f"seed {report.seed}")
    return display(
        title, *parts, note(f"[ ] are 95 % intervals. {tie_words(report.settings.ties)}")
    )


def figure_html(figure: DrawnFigure) -> str:
    """Return a figure as a picture, in which nothing can run, with its heading and caption."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "figure.svg"
        figure.save(file)
        data = b64encode(file.read_bytes()).decode()
    style = "max-width:100%;background:#fff;padding:.4em"
    source = f"data:image/svg+xml;base64,{data}"
    picture = element("img", src=source, alt=figure.heading, style=style)
    return display(heading(figure.heading), picture, note(figure.caption))
