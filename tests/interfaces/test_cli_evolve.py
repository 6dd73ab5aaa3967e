"""`cardwright evolve`: what it prints, writes, refuses, and how it goes on after Ctrl-C."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from cardwright.evolution.generation import EvolutionProgress
from cardwright.interfaces.cli import evolve_show
from cardwright.interfaces.cli.group import commands

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Run = Callable[..., Result]

CALL = "evolve agram --candidates 10 --generation 5 --games 10 --finalists 2 --seed 5 --workers 1"


def words(out: Path, *more: str) -> list[str]:
    rest = "--vary", "constants", "--aim", "length 20..30", "--out", str(out)
    return [*CALL.split(), *rest, *more]


@pytest.fixture(scope="module")
def searched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("cli") / "out"
    result = CliRunner().invoke(commands, words(out), prog_name="cardwright")
    assert result.exit_code == 0, result.output
    return out


def test_a_search_prints_what_was_found_and_what_to_do_with_it(run: Run, searched: Path) -> None:
    result = run(*words(searched, "--resume"))
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "agram: 10 candidates, length 20..30, method climb, seed 5"
    assert any(line.split()[:3] == ["agram", "-0.200", "18"] for line in lines)
    assert any(line.split()[:2] == ["agram-01", "0.000"] for line in lines)
    assert "HANDSIZE is" in result.stdout
    assert (
        sum(int(line.split()[-1]) for line in lines if line.startswith("  ") and "measured" in line)
        > 0
    )
    assert (searched / "index.html").exists()
    command = next(line for line in lines if line.strip().startswith("cardwright play"))
    file = Path(command.split()[-1])
    assert run("check", str(file)).exit_code == 0
    assert run("simulate", str(file), "--games", "5").exit_code == 0


def test_a_finished_search_is_shown_again_in_all_ways(run: Run, searched: Path) -> None:
    result = run(*words(searched, "--resume", "--json"))
    assert result.exit_code == 0, result.output
    record = json.loads(result.stdout)
    assert record["candidates"] == 10
    assert record["files"][0] == str(searched / "index.html")
    assert len(record["elites"][0]["again"]["scores"]) == 1
    rows = list(csv.DictReader(io.StringIO(run(*words(searched, "--resume", "--csv")).stdout)))
    assert rows[0]["original"] == "true"
    assert rows[1]["name"] == record["elites"][0]["name"]


def test_records_of_a_search_are_inspected(run: Run, searched: Path) -> None:
    result = run("records", str(searched))
    assert result.exit_code == 0, result.output
    assert "search, finished; 4 files as written" in result.stdout


def test_a_folder_in_use_is_refused(run: Run, searched: Path, tmp_path: Path) -> None:
    result = run(*words(searched))
    assert result.exit_code == 1
    assert "has the records of a search: continue it with --resume" in result.stderr
    (tmp_path / "file").touch()
    result = run(*words(tmp_path))
    assert (result.exit_code, "is not empty" in result.stderr) == (1, True)
    result = run(*words(searched, "--resume", "--distance", "3"))
    assert (result.exit_code, "the search in" in result.stderr) == (1, True)


def test_without_an_aim_it_says_what_can_be_aimed_at(run: Run, tmp_path: Path) -> None:
    result = run("evolve", "agram", "--out", str(tmp_path / "out"))
    assert result.exit_code == 2
    assert "name what is wanted with --aim" in result.stderr
    assert "  length   " in result.stderr
    assert "  skill               * " in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "more",
    [
        ["nosuch", "--aim", "length max"],
        ["agram", "--aim", "colour max"],
        ["agram", "--aim", "length max", "--map", "length"],
        ["agram", "--aim", "length max", "--map", "length,colour"],
        ["agram", "--aim", "length max", "--method", "nosuch"],
        ["agram", "--aim", "length max", "--vary", "nosuch"],
        ["agram", "--aim", "length max", "--keep", "(nosuch)"],
        ["agram", "--aim", "length max", "--mate", "nosuch"],
        ["agram", "--aim", "depth max", "--searcher", "nosuch"],
        ["agram", "--aim", "depth max", "--searcher", "random"],
        ["agram", "--aim", "length max", "--candidates", "0"],
        ["agram", "--aim", "length max", "--set", "NOSUCH=1"],
    ],
)
def test_a_wrong_search_is_2_and_does_nothing(run: Run, more: list[str], tmp_path: Path) -> None:
    result = run("evolve", *more, "--out", str(tmp_path / "out"))
    assert result.exit_code == 2, result.output
    assert list(tmp_path.iterdir()) == []


def test_after_an_interrupt_it_says_how_to_go_on(
    run: Run, searched: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cardwright.evolution.generation import GenerationTally

    take = GenerationTally.take

    def interrupted(self: GenerationTally, *arguments: object) -> None:
        take(self, *arguments)  # type: ignore[arg-type]
        if len(self.summaries) == 2:
            raise KeyboardInterrupt

    out = tmp_path / "out"
    with monkeypatch.context() as patch:
        patch.setattr(GenerationTally, "take", interrupted)
        result = run(*words(out))
    assert result.exit_code == 130
    assert "interrupted after 5 of 10 candidates; what was played is kept" in result.stderr
    assert result.stderr.rstrip().endswith("--resume")
    assert run(*words(out, "--resume")).exit_code == 0
    for name in ("manifest.json", "blocks/000003.npz"):
        assert (out / "records" / name).read_bytes() == (searched / "records" / name).read_bytes()


def test_the_bar_tells_what_was_found() -> None:
    table = evolve_show.found_table(EvolutionProgress(7, 10, False, 5, None, 3))
    assert [list(column.cells) for column in table.columns] == [["5"], ["3"], ["-"]]


def test_measures_and_methods_are_completed() -> None:
    from cardwright.interfaces.cli.evolve import complete_measure, complete_method

    found = complete_measure(None, None, "length,lu")  # type: ignore[arg-type]
    assert [one.value for one in found] == ["length,luck"]
    assert [one.value for one in complete_method(None, None, "m")] == ["map"]  # type: ignore[arg-type]
