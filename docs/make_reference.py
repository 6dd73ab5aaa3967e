"""Writes docs/forms.md and docs/diagnostics.md from the tables that the checker works by.

With --check it changes nothing and fails if a page is not up to date.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.program.forms import SECTIONS, SHAPES, Section
from cardwright.program.kinds import ValueKind, in_words
from cardwright.syntax.diagnostic import Code

if TYPE_CHECKING:
    from cardwright.program.shapes import FormShape

FOLDER = Path(__file__).parent

KINDS = """
Operands in capitals stand for any form of that kind; `'V` is a variable that the form binds; `...`
means one or more; what stands in square brackets may be left out. Forms marked with + are
[extensions](language.md#extensions), which other engines of RECYCLE do not have; so are the
conditions `true` and `false`.
"""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _form(row: FormShape | Section) -> str:
    """Return the pattern of a row, with the mark of an extension."""
    return f"`{_cell(row.pattern)}`" + (" +" if row.extension else "")


def forms_page() -> str:
    """Return the page of all forms."""
    lines = [
        "# Every form of the language",
        "",
        "This page is made by `scripts/docs` from the table by which the checker works; edit the",
        "table, not the page.",
        KINDS,
        "## The frame of a program",
        "",
        "| form | meaning |",
        "|---|---|",
    ]
    lines += [f"| {_form(s)} | {s.sentence} Example: `{_cell(s.example)}` |" for s in SECTIONS]
    section = ""
    for shape in SHAPES:
        if shape.section != section:
            section = shape.section
            lines += ["", f"## {section}", "", "| form | gives | meaning |", "|---|---|---|"]
        result = shape.result & ~(ValueKind.INTEGER_STORAGE | ValueKind.STRING_STORAGE)
        lines.append(
            f"| {_form(shape)} | {in_words(result)} | "
            f"{shape.sentence} Example: `{_cell(shape.example)}` |"
        )
    return "\n".join(lines) + "\n"


def diagnostics_page() -> str:
    """Return the page of all diagnostics."""
    lines = [
        "# Every diagnostic of the checker",
        "",
        "Codes are stable. E stops a game from running, W is a warning, N a note.",
        "A comment [silences](language.md#warnings-that-you-know-better) a warning or note in one",
        "place. This page is made by `scripts/docs`.",
        "",
        "| code | name | says |",
        "|---|---|---|",
    ]
    lines += [
        f"| {code.code} | {code.name.lower().replace('_', ' ')} | {code.meaning} |" for code in Code
    ]
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Write the pages, or only compare them."""
    stale = []
    for name, text in (("forms.md", forms_page()), ("diagnostics.md", diagnostics_page())):
        path = FOLDER / name
        if "--check" in arguments:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                stale.append(name)
        else:
            path.write_text(text, encoding="utf-8")
    if stale:
        sys.stderr.write(f"not up to date: {', '.join(stale)}; run scripts/docs\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
