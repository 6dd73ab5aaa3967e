"""Writes the pages of all forms, diagnostics and measures from the tables that the code works by.

With --check it changes nothing and fails if a page is not up to date.
"""

from __future__ import annotations

import re
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import FunnelStep
from cardwright.evolution.measures.table import MEASURES
from cardwright.program.forms import SECTIONS, SHAPES, Section
from cardwright.program.kinds import ValueKind, in_words
from cardwright.syntax.diagnostic import Code

if TYPE_CHECKING:
    from cardwright.evolution.measures.table import GameMeasure
    from cardwright.program.forms import FormShape

FOLDER = Path(__file__).parent

KINDS = """
Operands in capitals stand for any form of that kind; `'V` is a variable that the form binds; `...`
means one or more; square brackets enclose what may be left out. Forms marked with + are
[extensions](language.md#extensions), and so are the conditions `true` and `false`.
"""

AIMS = """
What `cardwright evolve` can [aim at](evolution.md#aims): a measure, and what is wanted of it.

| aim | wants | score of a value v |
|---|---|---|
| `length 40..60` | a value in this range | 0 in it, else -(distance from it) / scale |
| `length 40..`, `length ..60` | at least, at most | the same |
| `length 50` | exactly this | the same |
| `fairness max` | as much as possible | (v - most) / scale, or v / scale if there is no most |
| `luck min` | as little as possible | (least - v) / scale, or -v / scale |
| `luck min x2` | the same, counted twice | times the weight |

Scores of several aims are added. What cannot be measured of a game scores minus infinity.

## How they are measured

Measures follow from a seed and are the same on both engines and every machine. Each has a 95 %
interval, which counts a deal as one value. *Sides* are the teams of a game with partners, otherwise
the seats; a win that k sides share counts 1/k for each.

- **Random games** take some 20 milliseconds for 200 games once the game is compiled. For luck each
  of these deals is played three more times with other choices; as these are random, a game in which
  good play is worth much may look lucky: use `skill` and `depth`.
- **Searching players** take seconds. The weakest plays against random ones, the strongest against
  the weakest and with itself. Games in which a player fails are left out. Measures of decisions are
  the [heuristics](heuristics.md) of the same name in the games of the strongest player with itself,
  from its notes: `cardstock-pipmc`, `pimc` and tree searches with `reward=rank` note estimates;
  without notes these measures are absent.
"""

COVERAGE = """
## Coverage of the intervals

The mean of the estimates, and how often the interval covers the truth, in 2,000 samples
(`python tests/evolution/measure_coverage.py`).

| measure | truth | 20 deals | 200 deals |
|---|---|---|---|
| fairness, sides win 0.50, 0.50 | 1.00 | 0.92, 95.5 % | 0.98, 96.9 % |
| fairness, sides win 0.70, 0.30 | 0.60 | 0.66, 96.2 % | 0.61, 94.5 % |
| fairness, sides win 0.25, 0.25, 0.25, 0.25 | 1.00 | 0.93, 97.0 % | 0.98, 95.2 % |
| fairness, sides win 0.30, 0.25, 0.25, 0.20 | 0.92 | 0.91, 98.2 % | 0.93, 99.1 % |
| fairness, sides win 0.55, 0.15, 0.15, 0.15 | 0.60 | 0.64, 88.3 % | 0.60, 96.0 % |
| luck | 0.00 | 0.04, 98.8 % | 0.01, 98.3 % |
| luck | 0.20 | 0.20, 95.5 % | 0.20, 95.2 % |
| luck | 0.60 | 0.60, 97.3 % | 0.60, 95.9 % |
| luck | 0.90 | 0.90, 97.8 % | 0.90, 95.8 % |

The best of thousands of estimates is biased upwards: measure what a search found again, with
another seed.
"""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _form(row: FormShape | Section) -> str:
    """Return the pattern of a row, with the mark of an extension."""
    return f"`{_cell(row.pattern)}`" + (" +" if row.extension else "")


def _said(shape: FormShape) -> tuple[str, str, bool]:
    """Return what is said of a shape; neighbours of which the same is said share a row."""
    result = shape.result & ~(ValueKind.INTEGER_STORAGE | ValueKind.STRING_STORAGE)
    gives = re.sub(r"\b(an?|the) ", "", in_words(result))
    return gives, shape.sentence, shape.extension


def forms_page() -> str:
    """Return the page of all forms."""
    lines = [
        "# RECYCLE forms: reference",
        "",
        "This page is made by `scripts/docs` from the checker's table of forms. The",
        "[language guide](language.md) explains how to use them.",
        KINDS,
        "## The frame of a program",
        "",
        "| form | meaning and example |",
        "|---|---|",
    ]
    lines += [f"| {_form(s)} | {s.sentence}<br>`{_cell(s.example)}` |" for s in SECTIONS]
    for section, shapes in groupby(SHAPES, lambda shape: shape.section):
        rows = [(said, list(alike)) for said, alike in groupby(shapes, _said)]
        every = {gives for (gives, _, _), _ in rows}
        lines += ["", f"## {section}", ""]
        if len(every) == 1:
            lines += [
                f"All give: {every.pop()}.",
                "",
                "| form | meaning and example |",
                "|---|---|",
            ]
        else:
            lines += ["| form | gives | meaning and example |", "|---|---|---|"]
        for (gives, sentence, _), alike in rows:
            cells = ["<br>".join(map(_form, alike)), *([gives] if every else [])]
            lines.append(f"| {' | '.join(cells)} | {sentence}<br>`{_cell(alike[0].example)}` |")
    return "\n".join(lines) + "\n"


def diagnostics_page() -> str:
    """Return the page of all diagnostics."""
    lines = [
        "# Errors, warnings and notes of the checker",
        "",
        "Codes are stable: E is an error, W a warning, N a note. Errors stop a game from running.",
        "A comment [silences](language.md#silencing-a-warning) a warning or note in one place.",
        "`check --fix` [mends](command-line.md#check) what it is sure of. This page is made by",
        "`scripts/docs`.",
        "",
        "| code | name | says |",
        "|---|---|---|",
    ]
    lines += [
        f"| {code.code} | {code.name.lower().replace('_', ' ')} | {code.meaning} |" for code in Code
    ]
    return "\n".join(lines) + "\n"


def measures_page() -> str:
    """Return the page of all measures that design search can aim at."""
    lines = ["# Measures of design search", "", "This page is made by `scripts/docs`.", AIMS]
    for step, heading in (
        (FunnelStep.PLAY, "From random games"),
        (FunnelStep.SEARCH, "From searching players"),
    ):
        lines += [f"## {heading}", "", "| measure | is | from .. to | better | scale |"]
        lines.append("|---|---|---|---|---|")
        lines += [_measure(one) for one in MEASURES.values() if one.step is step]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n" + COVERAGE


def _measure(one: GameMeasure) -> str:
    ends = ("" if end is None else f"{end:g}" for end in (one.least, one.most))
    bounds = " .. ".join(ends).strip() if (one.least, one.most) != (None, None) else ""
    return f"| `{one.name}` | {_cell(one.sentence)} | {bounds} | {one.better} | {one.scale:g} |"


def main(arguments: list[str]) -> int:
    """Write the pages, or only compare them."""
    stale = []
    pages = {
        "forms.md": forms_page(),
        "diagnostics.md": diagnostics_page(),
        "evolution-measures.md": measures_page(),
    }
    for name, text in pages.items():
        path = FOLDER / name
        if "--check" in arguments:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                stale.append(name)
        else:
            path.write_text(text, encoding="utf-8", newline="\n")
    if stale:
        sys.stderr.write(f"not up to date: {', '.join(stale)}; run scripts/docs\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
