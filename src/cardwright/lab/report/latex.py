"""The tables of a report as LaTeX, in the style of the package booktabs.

A column of numbers has numbers and nothing else, in mathematics: an interval such as `1.2 to 3.4`,
or a value with its margin, stands in two columns, and a per cent sign in the head.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PREAMBLE = "% Needs \\usepackage{booktabs} and \\usepackage[T1]{fontenc}."

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "%": r"\%", "_": r"\_", "&": r"\&",
    "#": r"\#", "$": r"\$", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}",
    "±": r"$\pm$", "−": "$-$", "×": r"$\times$", "·": r"$\cdot$", "≤": r"$\leq$", "≥": r"$\geq$",
    "→": r"$\to$", "♠": r"$\spadesuit$", "♥": r"$\heartsuit$", "♦": r"$\diamondsuit$",
    "♣": r"$\clubsuit$", "…": r"\ldots{}", "–": "--", "—": "---", "’": "'", "‘": "`",
    "“": "``", "”": "''", "\u00a0": "~", "\n": " ",
}  # fmt: skip
"""What LaTeX reads otherwise, or its usual fonts lack; other letters stand as they are."""

_SIGN = re.compile(r"(?<![^\s(\[])[-−](?=\.?\d)")
"""A minus before a number in a text; other hyphens are none."""

_NUMBER = re.compile(r"(<? ?[+\-−]?\d[\d,]*(?:\.\d+)?)(?:e([+\-]?\d+))?")
_BETWEEN = re.compile(r" to |±")
_NOTHING = "–"


def latex_text(text: str) -> str:
    """Return a text as LaTeX that prints it."""
    return "".join(_SPECIAL.get(letter, letter) for letter in _SIGN.sub("−", text))


def latex_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a `tabular` with rules of booktabs; the first column has the names of the rows."""
    parts = [(latex_text(columns[0]), [latex_text(row[0]) for row in rows])]
    for at, head in enumerate(columns[1:], 1):
        parts += _columns(head, [row[at] for row in rows])
    lines = [
        rf"\begin{{tabular}}{{l{'r' * (len(parts) - 1)}}}",
        r"\toprule",
        _row(head for head, _ in parts),
        r"\midrule",
        *map(_row, zip(*(cells for _, cells in parts), strict=True)),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines)


def _columns(head: str, cells: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return the columns, each with its head, that show one: one for each number of its cells."""
    split = [_BETWEEN.split(cell.removesuffix(" %")) for cell in cells]
    numbers = [part for parts in split for part in parts if part != _NOTHING]
    if not numbers or not all(map(_NUMBER.fullmatch, numbers)):
        return [(latex_text(head), [*map(latex_text, cells)])]
    unit = " (%)" if any(cell.endswith(" %") for cell in cells) else ""
    heads = [latex_text(head + unit), r"$\pm$"]
    if any(" to " in cell for cell in cells):
        heads = [f"{latex_text(head)} from", "to"]
    wide = max(map(len, split))
    split = [parts * (wide if parts == [_NOTHING] else 1) for parts in split]
    return [
        (heads[at], [_number(parts[at]) if at < len(parts) else "" for parts in split])
        for at in range(wide)
    ]


def _number(text: str) -> str:
    match = _NUMBER.fullmatch(text)
    if match is None:
        return latex_text(text)
    digits = match[1].replace("−", "-").replace(",", "{,}").replace(" ", "")
    return f"${digits}$" if match[2] is None else rf"${digits} \cdot 10^{{{int(match[2])}}}$"


def _row(cells: Iterable[str]) -> str:
    return " & ".join(cells) + r" \\"
