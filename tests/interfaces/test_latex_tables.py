"""LaTeX that compiles: every row has as many cells as the head, and nothing is raw."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.publication.latex import latex_table, latex_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Run = Callable[..., Result]

_MACRO = re.compile(r"\\[a-zA-Z]+\{\}|\\[{}%_&#$]|\$\\?[a-zA-Z-]+\$")


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


def test_columns_of_numbers_are_right_aligned() -> None:
    text = latex_table(["who", "n"], [["a", "1"], ["b", "22"]])
    assert text.startswith(r"\begin{tabular}{lr}")
    with pytest.raises(ValueError, match="a cell for each"):
        latex_table(["who"], [["a", "b"]])


@pytest.mark.parametrize("words", [
    "check wrong.rcy", "games", "show coin.rcy", "replay coin.rcy --seed 1 --choices 0",
    "simulate coin.rcy --games 5", "match random random coin.rcy --deals 2",
    "tournament random random coin.rcy --deals 2", "players", "lab all --dry-run --seed 1",
    "ladder random coin.rcy --field random --deals 2",
])  # fmt: skip
def test_results_are_printed_as_latex(words: str, run: Run) -> None:
    """Tables with their rules; everything else is a comment."""
    result = run(*words.split(), "--format", "latex")
    assert result.exit_code in {0, 1}, result.output
    found = tables(result.stdout)
    assert found
    for one in found:
        assert len(parsed(one)) > 1
    rest = result.stdout
    for one in found:
        rest = rest.replace(one, "")
    assert all(line.startswith("%") for line in rest.splitlines() if line)
