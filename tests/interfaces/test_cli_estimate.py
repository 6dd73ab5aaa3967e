"""What is said before long jobs, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from click.testing import Result

from cardwright.interfaces.cli import estimate
from cardwright.interfaces.cli.estimate import duration

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., Result]

SAID = re.compile(r"^estimate: about .* for ([\d,]+) games?(, \d+ at a time)?$", re.MULTILINE)


@pytest.fixture
def everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let estimates of next to nothing be worth saying."""
    monkeypatch.setattr(estimate, "_WORTH_SAYING", 0)


CALLS = {
    "simulate": (("simulate", "coin.rcy", "--players", "pimc:rollouts=1", "--games", "3"), "3"),
    "match": (("match", "random", "pimc:rollouts=1", "coin.rcy", "--deals", "2"), "4"),
    "ladder": (
        ("ladder", "pimc:rollouts=1", "first", "coin.rcy", "--field", "random", "--deals", "2"),
        None,
    ),
    "tournament": (
        ("tournament", "random", "first", "pimc:rollouts=1", "coin.rcy", "--deals", "1"), None,
    ),
    "lab": (
        ("lab", "one", "--game", "kuhn", "--factor", "who=player:random,pimc:rollouts=1",
         "--opponents", "random", "--deals", "2", "--workers", "1"),
        None,
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.usefixtures("everything")
@pytest.mark.parametrize("name", CALLS)
def test_slow_players_are_estimated(run: Run, name: str) -> None:
    words, games = CALLS[name]
    result = run(*words)
    assert result.exit_code == 0, result.output
    said = SAID.search(result.stderr)
    assert said, result.stderr
    assert games in {None, said[1]}
    assert "estimate" not in result.stdout
    assert "estimate" not in run(*words, "--quiet").stderr


@pytest.mark.usefixtures("everything")
def test_quick_players_need_no_estimate(run: Run) -> None:
    assert "estimate" not in run("match", "random", "first", "coin.rcy", "--deals", "2").stderr
    assert "estimate" not in run("simulate", "coin.rcy", "--games", "5").stderr


def test_what_takes_seconds_is_not_said(run: Run) -> None:
    words, _ = CALLS["match"]
    assert "estimate" not in run(*words).stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("simulate", "kuhn", "--games", "1" + "0" * 23), "--games"),
        (("simulate", "kuhn", "--seeds", f"0..{2**64 - 1}"), "1,000,000,000,000 can be played"),
        (("match", "random", "first", "kuhn", "--deals", "1" + "0" * 23), "--deals"),
        (("lab", "one", "passTest", "--deals", "1" + "0" * 23), "--deals"),
        (("analyze", "kuhn", "--games", "1" + "0" * 23), "--games"),
    ],
)
def test_numbers_of_games_that_nobody_can_play_are_refused(
    run: Run, words: tuple[str, ...], said: str
) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (61, "1 min"),
        (3_599, "59 min"),
        (7_800, "2 h 10 min"),
        (40 * 3_600, "1 day 16 h"),
        (11 * 86_400 + 7_200, "11 days"),
        (3e11, "9,506 years"),
    ],
)
def test_durations_are_said_by_two_units_at_most(seconds: float, said: str) -> None:
    assert duration(seconds) == said


@pytest.mark.slow
def test_a_report_of_the_lab_is_not_written_over_another(run: Run, tmp_path: Path) -> None:
    """As `analyze` does it: only what is resumed writes its report again."""
    out, records = tmp_path / "out", tmp_path / "records"
    words = (
        "lab", "one", "--game", "kuhn", "--factor", "who=player:random,first",
        "--opponents", "random",
        "--deals", "4", "--seed", "1", "--quiet", "--workers", "1", "--out", str(out),
    )  # fmt: skip
    assert run(*words, "--records", str(records)).exit_code == 0
    before = {file: file.read_bytes() for file in out.iterdir()}
    assert before
    for again in (words, ("lab", "report", str(records), "--out", str(out))):
        refused = run(*again)
        assert refused.exit_code != 0
        assert f"{out} is not empty: name another folder with --out" in refused.stderr
    assert {file: file.read_bytes() for file in out.iterdir()} == before
    assert run(*words, "--records", str(records), "--resume").exit_code == 0
