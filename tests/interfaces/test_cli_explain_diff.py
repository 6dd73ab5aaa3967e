"""`cardwright explain-diff`: what it prints, in three ways, and what it refuses."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Run = Callable[..., Result]


def test_a_preset_is_told_by_its_constants(run: Run) -> None:
    result = run("explain-diff", "hearts", "hearts:omnibus")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "hearts and hearts:omnibus: 1 difference",
        "- Points of the jack of diamonds: -10 instead of 0 (JACKDIAMONDS). (line 52)",
    ]


def test_equal_rules_have_no_difference(run: Run) -> None:
    """A preset that sets nothing is the game itself; the exit code is the same."""
    result = run("explain-diff", "hearts", "hearts:valet")
    assert (result.exit_code, result.stdout) == (
        0,
        "hearts and hearts:valet have the same rules.\n",
    )


def test_set_is_for_the_second_game(run: Run) -> None:
    result = run("explain-diff", "agram", "agram", "--set", "HANDSIZE=5", "--json")
    (change,) = json.loads(result.stdout)["changes"]
    assert change["before"] == "HANDSIZE=6"
    assert change["after"] == "HANDSIZE=5"


def test_files_with_lines_json_and_csv(run: Run, tmp_path: Path) -> None:
    """The three ways say the same; `--diff` adds the lines, but not to CSV."""
    text = (
        "(game (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K)))))\n"
        "(do ((shuffle (game iloc STOCK))))\n(scoring max 1))\n"
    )
    before, after = tmp_path / "one.rcy", tmp_path / "two.rcy"
    before.write_text(text)
    after.write_text(text.replace("max", "min"))
    sentence = "The lowest score wins instead of the highest."
    table = run("explain-diff", str(before), str(after), "--diff").stdout
    assert f"- {sentence} (line 3)" in " ".join(table.split())
    assert "-(scoring max 1))" in table
    assert "+(scoring min 1))" in table
    record = json.loads(run("explain-diff", str(before), str(after), "--json", "--diff").stdout)
    assert record["changes"] == [
        {
            "kind": "changed", "sentence": sentence, "before": "(scoring max 1)",
            "after": "(scoring min 1)", "line_before": 3, "line_after": 3,
        }
    ]  # fmt: skip
    assert "+(scoring min 1))" in record["diff"]
    rows = csv.DictReader(io.StringIO(run("explain-diff", str(before), str(after), "--csv").stdout))
    assert [row["sentence"] for row in rows] == [sentence]
    refused = run("explain-diff", str(before), str(after), "--csv", "--diff")
    assert refused.exit_code == 2
    assert "--diff has no place in CSV" in refused.stderr


def test_wrong_games_are_errors(run: Run, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.rcy"
    wrong.write_text("(game (setup")
    for call, code, words in (
        (("agram", "nosuch"), 2, "no game 'nosuch'"),
        (("agram", "hearts:nosuch"), 2, "no preset"),
        (("agram", str(wrong)), 1, "wrong.rcy"),
        (("agram", "agram", "--set", "NOSUCH=1"), 2, "NOSUCH"),
    ):
        result = run("explain-diff", *call)
        assert result.exit_code == code, result.stderr
        assert words in result.stderr
        assert "Traceback" not in result.stderr
