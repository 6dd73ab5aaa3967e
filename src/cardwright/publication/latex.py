"""Tables as LaTeX, in the style of the package booktabs.

Columns of numbers have numbers and nothing else, in mathematics: what a terminal shows in one cell,
such as `72.5 % (59.3 to 82.7)` or `0.45 ± 0.24`, stands in columns of its own, and units stand in
the head.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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


PREAMBLE = "% Needs \\usepackage{booktabs} and \\usepackage[T1]{fontenc}."

_NUMBER = r"[+\-−]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:e[+\-]?\d+)?"
_RANGE = rf"(?P<low>{_NUMBER})(?: %)?(?: to |\.\.|, ?)(?P<high>{_NUMBER})(?: %)?"
_CELL = re.compile(
    rf"(?P<value>(?:[<>≤≥] ?)?{_NUMBER})(?P<unit> ?%)?(?P<mark>\*)?"
    rf"(?: ?(?:±|\+/-) ?(?P<margin>{_NUMBER})(?: ?%)?)?"
    rf"(?:\s+[(\[]?{_RANGE}[)\]]?)?\s*"
)
_ENDS = re.compile(rf"[(\[]?{_RANGE}[)\]]?")
"""A value with what may stand beside it, and an interval alone, as our tables write them."""

_NOTHING = frozenset({"", "-", "–", "—"})
_SIGN = re.compile(r"(?<![^\s(\[])[-−](?=\.?\d)")
"""A minus before a number in a text; other hyphens are none."""

_PARTS = ("value", "mark", "margin", "low", "high")


def latex_text(text: str) -> str:
    """Return a text as LaTeX that prints it."""
    return "".join(_SPECIAL.get(letter, letter) for letter in _SIGN.sub("−", text))


def latex_table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[bool] | None = None
) -> str:
    """Return a `tabular` with rules of booktabs; `right` says which columns are right-aligned.

    Without it those are in which all cells are numbers. A right-aligned column of numbers, with
    intervals or without, becomes as many columns as there are numbers in a cell. Raises ValueError
    for rows of other lengths than the head.
    """
    cells = [[cell.strip() for cell in row] for row in rows]
    if any(len(row) != len(columns) for row in cells):
        raise ValueError("every row needs a cell for each column")
    table = [
        _column(head, [row[at] for row in cells], None if right is None else right[at])
        for at, head in enumerate(columns)
    ]
    whole = [part for parts in table for part in parts]
    head = [_row([part.head for part in whole]), r"\midrule"] if any(columns) else []
    lines = [
        rf"\begin{{tabular}}{{{''.join(part.kind for part in whole)}}}",
        r"\toprule",
        *head,
        *(_row([part.cells[at] for part in whole]) for at in range(len(cells))),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines)


@dataclass(frozen=True)
class _Column:
    """A column as LaTeX: its kind, `l` or `r`, its head, and its cells.

    A cell is None where one to its left reaches into it.
    """

    kind: str
    head: str
    cells: list[str | None]


def _column(head: str, cells: Sequence[str], right: bool | None) -> list[_Column]:
    """Return the column or columns that show one of the table."""
    found = None if right is False else _numbers(cells, words=right is True)
    if found is None:
        return [_Column("r" if right else "l", latex_text(head), [*map(latex_text, cells)])]
    known = [one for one in found if one]
    units = {bool(one.get("unit")) for one in known if one.get("value")}
    if len(units) > 1:
        return [_Column("r", latex_text(head), [*map(latex_text, cells)])]
    if True in units and "%" not in head:
        head = f"{head} (%)" if head else "%"
    parts = [part for part in _PARTS if any(one.get(part) for one in known)]
    heads = {"mark": "", "margin": r"$\pm$", "low": "from", "high": "to"}
    if "value" not in parts:
        heads |= {"low": f"{latex_text(head)} from", "high": "to"}
    made = [
        _Column(
            "l" if part == "mark" else "r",
            latex_text(head) if part == "value" else heads[part],
            [_part(one, part) for one in found],
        )
        for part in parts
    ]
    for at, cell in enumerate(cells):
        if not found[at] and cell not in _NOTHING:
            said = rf"\multicolumn{{{len(made)}}}{{r}}{{{latex_text(cell)}}}"
            made[0].cells[at] = said
            for other in made[1:]:
                other.cells[at] = None
    return made


def _numbers(cells: Sequence[str], *, words: bool) -> list[dict[str, str]] | None:
    """Return the numbers of each cell by what they are; None if some cell is something else.

    With `words` half of the cells may be words without a digit, such as `always`.
    """
    found: list[dict[str, str]] = []
    for cell in cells:
        match = _CELL.fullmatch(cell) or _ENDS.fullmatch(cell)
        said = words and not any(map(str.isdigit, cell))
        if match is None and cell not in _NOTHING and not said:
            return None
        found.append({} if match is None else {k: v for k, v in match.groupdict().items() if v})
    said_only = sum(
        not one and cell not in _NOTHING for one, cell in zip(found, cells, strict=True)
    )
    return found if any(found) and 2 * said_only <= len(cells) else None


def _part(numbers: Mapping[str, str], part: str) -> str:
    if part not in numbers:
        return "" if part == "mark" or numbers else "--"
    if part == "mark":
        return "$^{*}$"
    text = numbers[part].replace("−", "-").replace(",", "{,}").replace(" ", "")
    for sign, command in (("≤", r"\leq "), ("≥", r"\geq ")):
        text = text.replace(sign, command)
    mantissa, _, power = text.partition("e")
    return rf"${mantissa} \cdot 10^{{{int(power)}}}$" if power else f"${mantissa}$"


def _row(cells: Sequence[str | None]) -> str:
    return " & ".join(cell for cell in cells if cell is not None) + r" \\"
