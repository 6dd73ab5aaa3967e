"""What commands say of players before they play."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Run = Callable[..., Result]

OMNIBUS = ("--preset", "omnibus", "--engine", "interpreter")
WARNING = "warning: hierarchy:plain in hearts: it leaves the jack of diamonds to the others"


@pytest.fixture(autouse=True)
def _in_empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, _in_data: None) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "call",
    [
        ("match", "hierarchy:plain", "random", "hearts", "--deals", "1", *OMNIBUS),
        pytest.param(
            ("ladder", "random", "hearts", "--field", "hierarchy:plain", "--deals", "1", *OMNIBUS),
            marks=pytest.mark.deep,
        ),
        ("simulate", "hearts", "--games", "1", "--players", "hierarchy:plain", *OMNIBUS),
        pytest.param(
            ("replay", "hearts", "--seed", "1", "--players", "hierarchy:plain", *OMNIBUS),
            marks=pytest.mark.deep,
        ),
        ("play", "hearts", "--auto", "--players", "hierarchy:plain", *OMNIBUS),
    ],
)
def test_a_player_says_what_it_does_not_see(run: Run, call: tuple[str, ...]) -> None:
    result = run(*call)
    assert result.exit_code == 0
    assert result.stderr.count(WARNING) == 1


@pytest.mark.parametrize(
    "call",
    [
        ("match", "rule", "random", "whist", "--deals", "1"),
        ("simulate", "whist", "--games", "1", "--players", "rule"),
        ("replay", "whist", "--seed", "1", "--players", "rule"),
        ("play", "whist", "--auto", "--players", "rule"),
    ],
)
def test_a_player_that_cannot_play_is_refused_before(run: Run, call: tuple[str, ...]) -> None:
    result = run(*call, "--engine", "interpreter")
    assert result.exit_code == 2
    assert "whist is not a game of the Hearts family" in result.stderr
    assert result.stdout == ""
