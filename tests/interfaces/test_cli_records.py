"""The command `records`: what it says of records that are whole, and what it does to damage."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from click.testing import Result

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., Result]

MATCH = ("match", "random", "first", "coin.rcy", "--deals", "6", "--seed", "4", "--json")


def flip(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def untimed(text: str) -> dict[str, object]:
    found = json.loads(text)
    rows = [{**one, "seconds_per_decision": None} for one in found["standings"]]
    return {**found, "seconds": None, "standings": rows}


def test_damage_is_told_set_aside_and_played_again(run: Run, tmp_path: Path) -> None:
    """The numbers that are printed in the end are those of the first time."""
    words = (*MATCH, "--records", str(tmp_path / "run"))
    first = run(*words)
    whole = run("records", str(tmp_path / "run"))
    assert (whole.exit_code, whole.output) == (
        0,
        f"{tmp_path}/run: run, finished; 2 files as written\n",
    )
    flip(tmp_path / "run/results.parquet")
    again = run(*words, "--resume")
    assert again.exit_code == 1
    assert f"cardwright records {tmp_path}/run --set-aside" in again.stderr
    told = run("records", str(tmp_path / "run"))
    assert told.exit_code == 1
    assert "run, finished; 1 of 2 files damaged\n  results.parquet: it has changed" in told.stdout
    aside = run("records", str(tmp_path / "run"), "--set-aside")
    assert aside.exit_code == 0
    assert f"set aside: {tmp_path}/run/damaged/results.parquet" in aside.stdout
    assert "it plays all its deals again" in aside.stdout
    assert untimed(run(*words, "--resume").stdout) == untimed(first.stdout)
    assert run("records", str(tmp_path / "run")).exit_code == 0


def test_all_records_in_a_folder_are_looked_through(run: Run, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run(*MATCH, "--records", str(tmp_path / name))
    (tmp_path / "three").mkdir()
    (tmp_path / "three/manifest.json").write_text('{"format": ["other"]}')
    found = run("records", str(tmp_path))
    assert found.exit_code == 0
    assert [line.split(":")[0] for line in found.stdout.splitlines()] == [
        f"{tmp_path}/one", f"{tmp_path}/two",
    ]  # fmt: skip


def test_a_folder_without_records_is_told(run: Run, tmp_path: Path) -> None:
    found = run("records", str(tmp_path))
    assert (found.exit_code, found.stderr) == (
        1, f"error: there are no records in {tmp_path}: no manifest.json that can be read\n",
    )  # fmt: skip
    assert run("records", str(tmp_path / "none")).exit_code == 2
