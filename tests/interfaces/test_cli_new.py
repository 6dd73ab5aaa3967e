from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest
from click.testing import Result

from patience import PATIENCE

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_new_game_is_ready_to_be_played(run: Run) -> None:
    result = run("new", "mine", "--kind", "shedding", "--deck", "own", "--seats", "2")
    assert result.exit_code == 0, result.output
    assert (
        result.stdout
        == """\
wrote mine.rcy
wrote mine.toml
wrote mine.positions.toml

Next:
  cardwright play mine.rcy
      play it against the computer
  cardwright check mine.rcy
      see what is wrong after a change
  cardwright test mine.rcy
      play its positions
  cardwright simulate mine.rcy
      play it many times at random
"""
    )
    assert "LEAF" in Path("mine.rcy").read_text()
    assert run("check", "mine.rcy").stdout == "mine.rcy: ok\nmine.toml: ok\n"
    assert run("format", "--check", "mine.rcy").exit_code == 0
    assert run("test", "mine").stdout.endswith("\n3 positions: 3 passed\n")
    again = run("new", "mine")
    assert again.exit_code == 1
    assert "mine.rcy already exists, and nothing is overwritten" in again.stderr


def test_without_a_terminal_nothing_is_asked(run: Run) -> None:
    result = run("new", "mine")
    assert result.exit_code == 0
    text = Path("mine.rcy").read_text()
    assert text.startswith(";; Mine: follow suit")
    assert "(declare 4 'PLAYERS)" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("mine", "--kind", "chess"), "Invalid value for '--kind'"),
        (("mine", "--seats", "1"), "Invalid value for '--seats'"),
        (("hearts",), "hearts is a game of the library"),
        ((), "Missing argument 'GAME'"),
    ],
)
def test_wrong_calls(run: Run, words: tuple[str, ...], message: str) -> None:
    result = run("new", *words)
    assert result.exit_code == 2, result.output
    assert message in result.output
    assert not list(Path().iterdir())


@pytest.mark.slow
def test_on_a_terminal_it_asks(tmp_path: Path) -> None:
    """What an option says is not asked; an answer that is none is asked again."""
    words = ["-m", "cardwright", "new", "mine", "--deck", "36"]
    child = pexpect.spawn(sys.executable, words, timeout=PATIENCE, encoding="utf-8")
    child.expect("betting +bet on a hidden card.*Your choice")
    child.sendline("poker")
    child.expect("'poker' is not one of.*Your choice")
    child.sendline("betting")
    child.expect("How many play.*: ")
    child.sendline("3")
    child.expect("wrote mine.positions.toml")
    child.expect(pexpect.EOF)
    text = (tmp_path / "mine.rcy").read_text()
    assert "(declare 3 'PLAYERS)" in text
    assert "(RANK (SIX," in text
