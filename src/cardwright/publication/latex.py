"""Tables as LaTeX, in the style of the package booktabs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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


def latex_text(text: str) -> str:
    """Return a text as LaTeX that prints it."""
    return "".join(_SPECIAL.get(letter, letter) for letter in text)


def latex_table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[bool] | None = None
) -> str:
    """Return a `tabular` with rules of booktabs; `right` says which columns are right-aligned.

    Without it those are in which all cells are numbers. Raises ValueError for rows of other lengths
    than the head.
    """
    cells = [list(row) for row in rows]
    if any(len(row) != len(columns) for row in cells):
        raise ValueError("every row needs a cell for each column")
    if right is None:
        right = [
            bool(cells) and all(map(_is_number, column)) for column in zip(*cells, strict=True)
        ]
    kinds = "".join("r" if one else "l" for one in right) or "l" * len(columns)
    head = [_row(columns), r"\midrule"] if any(columns) else []
    lines = [
        rf"\begin{{tabular}}{{{kinds}}}",
        r"\toprule",
        *head,
        *map(_row, cells),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return " & ".join(latex_text(cell.strip()) for cell in cells) + r" \\"


def _is_number(text: str) -> bool:
    try:
        float(text or "0")
    except ValueError:
        return False
    return True
