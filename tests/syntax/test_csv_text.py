"""CSV that people open in spreadsheets has no formulas in it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import cardwright
from cardwright.arena.plan import GameRef, RunPlan
from cardwright.arena.records import export_csv
from cardwright.arena.run import run
from cardwright.interfaces.cli.rows import as_csv
from cardwright.lab.plan import LabPlan
from cardwright.lab.report import cells_rows, effects_rows, rows_text
from cardwright.lab.run import run as run_experiment
from cardwright.league.outputs import csv_rows, quoted, repeated, texts
from cardwright.league.roster import RosterEntry, read_roster, write_roster
from cardwright.syntax.data_files import csv_text, safe_cell

FORMULAS = ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(1)", "\t=1", "\r=1", "=", "--"]
HARMLESS = ["", "Ann", "'=1", "1", "-1", "+1.5", "-.5", "-1e-9", "-inf", "-", "+", 3, -3, 0.5, None,
            True]  # fmt: skip


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_are_texts(text: str) -> None:
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize("cell", HARMLESS)
def test_everything_else_stays_as_it_is(cell: object) -> None:
    assert safe_cell(cell) is cell


@given(st.text())
def test_no_cell_is_a_formula(text: str) -> None:
    made = safe_cell(text)
    assert made in {text, f"'{text}"}
    first = made[:1]
    assert first not in set("=@\t\r") or not first
    assert safe_cell(made) == made


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_headers_and_cells_of_commands() -> None:
    assert rows(csv_text(["=a"], [["=b"], [-1]])) == [["'=a"], ["'=b"], ["-1"]]
    assert rows(as_csv(["n"], [["@x"], [["=a", "b"]]])) == [["n"], ["'@x"], ["'=a;b"]]


def test_names_of_the_league() -> None:
    """Its tables keep their form, and rosters keep the names: the league's programs read these."""
    names = ["=Eve", "-2+3", "Ann", ""]
    frame = csv_rows([repeated("=S", 4), texts(names), np.arange(4)])
    assert rows(frame.decode()) == [
        ["'=S", "'=Eve", "0"], ["'=S", "'-2+3", "1"], ["'=S", "Ann", "2"], ["'=S", "", "3"],
    ]  # fmt: skip
    assert quoted("=S") == "'=S"


def test_rosters_keep_names(tmp_path: Path) -> None:
    entries = tuple(RosterEntry("a", name, name) for name in ("=Eve", "@Ann"))
    write_roster(tmp_path / "Main.csv", entries)
    assert read_roster(tmp_path / "Main.csv").entries == entries


PLAN = """
name = "=plan"
deals = 2
tested = "first"
opponents = [{ name = "=opponents", spec = "random" }]
[game]
name = "kuhn"
engine = "interpreter"
[[factors]]
name = "=who"
kind = "player"
levels = { "=first" = "first", "@other" = "random" }
"""


def test_names_in_experiments() -> None:
    from cardwright.lab.effects import effects

    plan = LabPlan.from_text(PLAN)
    findings = effects(plan, run_experiment(plan))
    for text in map(rows_text, (cells_rows(plan, findings), effects_rows(findings))):
        for row in rows(text):
            assert not any(cell.startswith(("=", "@")) for cell in row)
        assert "'=" in text


def test_players_in_exported_records(tmp_path: Path) -> None:
    """Records may come from anybody, and name players as they like."""
    plan = RunPlan(GameRef.of("kuhn", engine="interpreter"), ("random",), ((0, 0),), 1, 1)
    run(plan, tmp_path / "run")
    manifest = tmp_path / "run" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"random"', '"=1+1"'))
    export_csv(tmp_path / "run", tmp_path / "results.csv")
    assert {row[-1] for row in rows((tmp_path / "results.csv").read_text())} == {"player", "'=1+1"}


WRITERS = {
    "league/roster.py": "rosters, which are read again",
    "league/outputs.py": "the league's tables, whose texts go through safe_cell",
    "league/site/data.py": "the same",
    "arena/records.py": "the same",
    "interfaces/cli/evolve.py": "numbers, and names that the search has made",
    "syntax/data_files.py": "here",
}
"""The modules that write CSV by themselves."""


def test_csv_is_written_in_one_place() -> None:
    source = Path(cardwright.__file__).parent
    found = {
        file.relative_to(source).as_posix()
        for file in source.rglob("*.py")
        if "csv.writer(" in (text := file.read_text()) or "write_csv(" in text
    }
    assert found == set(WRITERS)
