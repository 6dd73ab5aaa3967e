"""Analyses from Python: what can be asked of them, and that they write what the command writes."""

from __future__ import annotations

import csv
import gc
import json
import tempfile
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from cardwright import Game, analyze
from cardwright.analysis import AnalysisReport, analyze_variants
from cardwright.analysis.figures.registry import OF_ONE_GAME
from cardwright.arena.plan import PlanError
from cardwright.errors import AnalysisError
from cardwright.interfaces.cli.group import commands
from cardwright.study import report as writer
from commands import leave_pictures_empty

if TYPE_CHECKING:
    from pathlib import Path

THINKER = "cardstock-pipmc:tests=1"
STUCK = """(game
  (setup (create players 2)
    (create deck (game iloc STOCK) (deck (SUIT (MOON, STAR)))))
  (stage player (end (> (game sto TURNS) 2))
    (do ((inc (game sto TURNS))))
    (choice ((move (top (game iloc STOCK)) (top ((current player) iloc HAND))))))
  (scoring max 0))"""


@pytest.fixture(scope="module")
def pair() -> AnalysisReport:
    """Return an analysis of two games, whose games nobody keeps."""
    return analyze(["leduc", "agram"], games=12, ai_games=2, player=THINKER, seed=5)


@pytest.fixture
def _few_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a page have its first picture only, which is quicker."""
    monkeypatch.setattr(writer, "OF_ONE_GAME", OF_ONE_GAME[:1])


@pytest.fixture(autouse=True)
def _empty_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    leave_pictures_empty(monkeypatch)


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of a study but for those that say how long it took."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and file.name != "timing.json"
    }


@pytest.mark.slow
@pytest.mark.usefixtures("_few_pictures")
def test_a_report_writes_the_folder_that_the_command_writes(
    pair: AnalysisReport, tmp_path: Path
) -> None:
    words = ("--games", "12", "--ai-games", "2", "--player", THINKER, "--seed", "5")
    out = ("--workers", "1", "--style", "valet", "--json", "--out", str(tmp_path / "command"))
    done = CliRunner().invoke(commands, ["analyze", "leduc", "agram", *words, *out])
    assert pair.save(tmp_path / "python", style="valet") == tmp_path / "python/index.html"
    assert contents(tmp_path / "python") == contents(tmp_path / "command")
    assert pair.record() == json.loads(done.stdout)


@pytest.mark.usefixtures("_few_pictures")
def test_games_that_are_kept_are_read_again(tmp_path: Path) -> None:
    told: list[str] = []
    kept = analyze("leduc", games=6, ai_games=0, folder=tmp_path / "kept")
    again = analyze(
        "leduc", games=6, ai_games=0, folder=tmp_path / "kept", resume=True,
        progress=lambda label, done, total: told.append(label),
    )  # fmt: skip
    assert again.seed == kept.seed
    assert again.record() == kept.record()
    assert "leduc: reading RR" in told
    assert "leduc: playing RR" not in told
    full = analyze("leduc", games=6, ai_games=0, folder=tmp_path / "kept", resume=True, ties="full")
    assert (kept.record()["ties"], full.record()["ties"]) == ("shared", "full")
    with pytest.raises(AnalysisError, match="resume it, or name another folder"):
        analyze("leduc", games=6, ai_games=0, folder=tmp_path / "kept")
    assert again.save() == tmp_path / "kept/index.html"
    assert {"index.html", "numbers.csv", "records"} <= {one.name for one in kept.folder.iterdir()}


def test_games_that_nobody_keeps_go_with_the_report() -> None:
    report = analyze("kuhn", games=3, ai_games=0)
    folder = report.folder
    assert (folder / "records/kuhn/RR/results.parquet").exists()
    with pytest.raises(AnalysisError, match="name one to save to"):
        report.save()
    del report
    gc.collect()
    assert not folder.exists()


def test_games_that_were_interrupted_leave_nothing_where_nobody_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def interrupt(label: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        analyze("kuhn", games=3, ai_games=0, progress=interrupt)
    assert not list(tmp_path.iterdir())


def test_measures_are_those_of_the_numbers(pair: AnalysisReport) -> None:
    assert pair.games == ["leduc", "agram"]
    row = pair.measure("decisions", "agram")
    assert row == pair.measure("decisions", 1)
    assert row is not None
    assert (row.value, row.games) == (18.0, 12)
    assert pair.measure("decisions") != row
    assert pair.verdict("convergence", "agram") == "Choices become fewer."
    assert pair.sentences("agram")[0].startswith("A random game has 18 decisions")
    assert pair.errors == 0


def test_tables_have_the_lines_of_the_files(pair: AnalysisReport, tmp_path: Path) -> None:
    table = pair.to_polars()
    text = writer.csv_text(pair.subjects)
    rows = list(csv.DictReader(text.splitlines()))
    assert table.columns == list(rows[0])
    for name in ("game", "family", "name", "batch"):
        assert table[name].to_list() == [row[name] for row in rows]
    for name in ("value", "low", "high"):
        assert table[name].to_list() == [float(row[name]) if row[name] else None for row in rows]
    (compared,) = pair.record()["differences"]
    differences = pair.differences()
    assert differences["value"].to_list() == [one["value"] for one in compared["measures"]]
    assert set(differences["game"]) == {"agram"}


def test_one_game_has_no_differences() -> None:
    report = analyze("kuhn", games=3, ai_games=0)
    assert report.comparison is None
    assert report.differences().is_empty()


def test_what_there_is_not_is_said(pair: AnalysisReport, tmp_path: Path) -> None:
    with pytest.raises(AnalysisError, match="did you mean drama"):
        pair.measure("dramma")
    with pytest.raises(AnalysisError, match="did you mean agram"):
        pair.measure("drama", "agrm")
    with pytest.raises(AnalysisError, match="there is no game 2"):
        pair.measure("drama", 2)
    with pytest.raises(AnalysisError, match="no sentence"):
        pair.verdict("branching")
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(AnalysisError, match="not empty"):
        pair.save(tmp_path)
    with pytest.raises(AnalysisError, match="not empty"):
        analyze("leduc", games=3, ai_games=0, folder=tmp_path)


def test_a_game_that_is_loaded_keeps_its_constants() -> None:
    report = analyze(Game.load("president", EQUAL=1), games=2, ai_games=0, seed=1)
    assert report.games == ["president EQUAL=1"]
    same = analyze("president", declared={"EQUAL": 1}, games=2, ai_games=0, seed=1)
    assert same.record() == report.record()
    by_preset = analyze("gofish:valet", games=2, ai_games=0)
    assert by_preset.games == ["gofish:valet"]


def test_games_that_cannot_be_studied_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"cannot be loaded again.*\n.*Save its rules in a file"):
        analyze(Game.from_text(STUCK, name="stuck.rcy"), games=2, ai_games=0)
    with pytest.raises(PlanError, match="loaded already"):
        analyze(Game.load("kuhn"), games=2, declared={"CHIPS": 3})
    with pytest.raises(PlanError, match="needs a game"):
        analyze([])
    with pytest.raises(PlanError, match="1 random game or more"):
        analyze("kuhn", games=0, folder=tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.deep  # the command of variants is given the same
def test_variants_are_compared_and_what_cannot_be_played_is_left_out() -> None:
    report = analyze_variants(
        "hearts", {"MOON": ["MINUS", "OFF"], "TIES": ["SHARED", "EXTRA"]}, games=4, ai_games=0
    )
    assert report.games == ["MOON=MINUS TIES=SHARED", "MOON=OFF TIES=SHARED"]
    assert [words for words, _ in report.left_out] == [
        "MOON=MINUS TIES=EXTRA", "MOON=OFF TIES=EXTRA",
    ]  # fmt: skip
    assert repr(report).startswith("<AnalysisReport on Variants of hearts")


@pytest.mark.slow
def test_values_may_be_lists() -> None:
    lists = analyze_variants("hearts", {"CYCLE": [["LEFT"], ["RIGHT"]]}, games=2, ai_games=0)
    assert lists.games == ["CYCLE=(LEFT)", "CYCLE=(RIGHT)"]


def test_variants_that_make_no_sense_are_refused() -> None:
    with pytest.raises(AnalysisError, match="set and varied"):
        analyze_variants("hearts", {"MOON": ["OFF"]}, declared={"MOON": "PLUS"})
    for nothing in ({}, {"MOON": []}):
        with pytest.raises(AnalysisError, match="nothing is varied"):
            analyze_variants("hearts", nothing)
