"""LaTeX that compiles: every row has as many cells as the head, and nothing is raw."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from cardwright.lab.report.latex import latex_table, latex_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Run = Callable[..., Result]

_NUMBER = r"\$[<>]?[+-]?[\d.{},]+( \\cdot 10\^\{-?\d+\})?\$"
_MACRO = re.compile(r"\\[a-zA-Z]+\{\}|\\[{}%_&#$]|\$\\?[a-zA-Z-]+\$|\$\^\{\*\}\$|" + _NUMBER)


def bare(text: str) -> str:
    """Return a cell without what is escaped properly."""
    return _MACRO.sub("", text)


def parsed(tabular: str) -> list[list[str]]:
    """Return the cells of a table, or fail if it is not one of booktabs'."""
    begin, top, *body, bottom, end = tabular.splitlines()
    kinds = re.fullmatch(r"\\begin\{tabular\}\{([lr]+)\}", begin)
    assert kinds is not None
    assert (top, bottom, end) == (r"\toprule", r"\bottomrule", r"\end{tabular}")
    rows = []
    for line in body:
        if line == r"\midrule":
            continue
        assert line.endswith(r" \\")
        cells = re.split(r"(?<!\\)&", line.removesuffix(r" \\"))
        assert len(cells) == len(kinds[1])
        rows.append([cell.strip() for cell in cells])
    return rows


def tables(text: str) -> list[str]:
    return re.findall(r"\\begin\{tabular\}.*?\\end\{tabular\}", text, re.S)


@given(st.lists(st.lists(st.text(max_size=12), min_size=2, max_size=2), min_size=1, max_size=4))
def test_no_special_character_stays_raw(rows: list[list[str]]) -> None:
    cells = [["".join(letter for letter in cell if letter.isprintable()) for cell in row]
             for row in rows]  # fmt: skip
    for row in parsed(latex_table(["a_b", "50 %"], cells))[1:]:
        for cell in row:
            assert not set(bare(cell)) & set('\\{}%_&#$^<>|"')


def test_what_has_a_sign_in_latex_has_it() -> None:
    assert latex_text("50 % of a_b & #1 ~ ^ \\ {x}") == (
        r"50 \% of a\_b \& \#1 \textasciitilde{} \textasciicircum{} \textbackslash{} \{x\}"
    )
    assert latex_text("Q♠ ± 1 − 2") == r"Q$\spadesuit$ $\pm$ 1 $-$ 2"


@pytest.mark.parametrize(
    ("cells", "heads", "numbers"),
    [
        (["+5±1", "−2±0.5"], ["x", r"$\pm$"], [["$+5$", "$1$"], ["$-2$", "$0.5$"]]),
        (["−0.45±0.24", "1,200"], ["x", r"$\pm$"], [["$-0.45$", "$0.24$"], ["$1{,}200$", ""]]),
        (["72.5 %", "–"], [r"x (\%)"], [["$72.5$"], ["--"]]),
        (["−0.1 to 0.3", "–"], ["x from", "to"], [["$-0.1$", "$0.3$"], ["--", "--"]]),
        (["< 0.001", "0.020"], ["x"], [["$<0.001$"], ["$0.020$"]]),
        (["1e-05", "0.5"], ["x"], [[r"$1 \cdot 10^{-5}$"], ["$0.5$"]]),
        (["1.23 of 3.00", "-1"], ["x"], [["1.23 of 3.00"], ["$-$1"]]),
        (["–", "–"], ["x"], [["--"], ["--"]]),
    ],
)
def test_number_columns_have_numbers_alone(
    cells: list[str], heads: list[str], numbers: list[list[str]]
) -> None:
    """In mathematics, so that a minus is none of text; a cell of several has a column for each."""
    made = latex_table(["who", "x"], [["a", cell] for cell in cells])
    lines = [line.removesuffix(r" \\").split(" & ") for line in made.splitlines() if "&" in line]
    assert [line[1:] for line in lines] == [heads, *numbers]


@given(st.floats(allow_nan=False, allow_infinity=False, width=32), st.integers(0, 6))
def test_every_number_is_one_in_latex(number: float, digits: int) -> None:
    text = f"{number:,.{digits}f}"
    *_, row = [
        line for line in latex_table(["who", "x"], [["a", text]]).splitlines() if "$" in line
    ]
    assert row == f"a & ${text.replace(',', '{,}')}$" + r" \\"


def test_a_minus_in_a_text_is_none_of_its_hyphens() -> None:
    assert latex_text("gin-2 -16.6 (-1) a - b 3-4") == "gin-2 $-$16.6 ($-$1) a - b 3-4"


def test_all_columns_but_the_names_are_right_aligned() -> None:
    text = latex_table(["who", "n", "of"], [["a", "1 to 2", "x"], ["b", "22 to 23", "y"]])
    assert text.startswith(r"\begin{tabular}{lrrr}")


def test_experiments_are_printed_as_latex(run: Run) -> None:
    """Tables with their rules; everything else is a comment."""
    words = ["lab", "one", "passTest", "--deals", "10", "--seed", "1", "--latex", "--quiet"]
    result = run(*words)
    assert result.exit_code == 0, result.output
    found = tables(result.stdout)
    assert found
    for one in found:
        assert len(parsed(one)) > 1
    rest = result.stdout
    for one in found:
        rest = rest.replace(one, "")
    assert all(line.startswith("%") for line in rest.splitlines() if line)
