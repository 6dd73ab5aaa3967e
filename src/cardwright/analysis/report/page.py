"""The page of a report: one self-contained HTML file that needs no network.

What comes from games and their files is escaped by Jinja. The drawings are this program's own, with
all text escaped already.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright._version import __version__
from cardwright.analysis.report.names import ALL, MORE, SIX, THINKING
from cardwright.analysis.report.words import caution, errors, interval, summary, verdict
from cardwright.analysis.report.words import missing as without
from cardwright.analysis.templates import templates
from cardwright.statistics.ties import tie_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Environment

    from cardwright.analysis.heuristics import HeuristicRow
    from cardwright.analysis.report.comparison import Comparison
    from cardwright.analysis.report.subject import Subject

_TEMPLATES = Path(__file__).parent / "templates"

STYLE = _TEMPLATES / "report.css"
"""The style of all pages of reports."""


@dataclass(frozen=True)
class Drawing:
    """A picture in a page: heading, caption, the SVG element itself, and files to open or save."""

    heading: str
    caption: str
    svg: str
    files: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Chapter:
    """What a page shows of one game. `left_out` are missing pictures, with reasons."""

    subject: Subject
    figures: Sequence[Drawing]
    diagrams: Sequence[Drawing]
    left_out: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, eq=False)
class Page:
    """All that a page shows. `sheets` are pictures of several games side by side."""

    heading: str
    player: str
    seed: int
    chapters: Sequence[Chapter]
    comparison: Comparison | None = None
    sheets: Sequence[Drawing] = ()
    left_out: Sequence[tuple[str, str]] = ()

    def text(self) -> str:
        """Return the page as HTML; raises MissingExtraError without Jinja."""
        template = environment().get_template("report.html")
        style = STYLE.read_text(encoding="utf-8")
        ties = self.chapters[0].subject.ties
        return template.render(
            page=self,
            style=style,
            version=__version__,
            six=SIX,
            more=MORE,
            thinking=THINKING,
            measures={key: one.counting(ties) for key, one in ALL.items()},
            ties=tie_words(ties),
        )


def environment() -> Environment:
    """Return the Jinja environment of reports; raises MissingExtraError without Jinja."""
    made = templates(_TEMPLATES)
    from markupsafe import Markup

    made.filters.update(number=number, markup=Markup, true_minus=_true_minus)
    made.globals.update(
        signed=signed,
        verdict=verdict,
        summary=summary,
        interval=interval,
        caution=caution,
        errors=errors,
        without=without,
    )
    return made


def number(value: float, digits: int = 3) -> str:
    """Return a number with a true minus sign; a dash for an unknown one."""
    return _true_minus(f"{value:,.{digits}f}") if math.isfinite(value) else "–"


def signed(row: HeuristicRow, digits: int = 2, *, share: bool = False) -> str:
    """Return a difference with its sign; differences of shares are in percentage points."""
    value = 100 * row.value if share else row.value
    return _true_minus(f"{value:+,.{1 if share else digits}f}")


def _true_minus(text: str) -> str:
    return text.replace("-", "−")
