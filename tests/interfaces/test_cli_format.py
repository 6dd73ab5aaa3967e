from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cardwright.syntax.formatter import format_source
from cardwright.syntax.source import Source

Run = Callable[..., Result]

GOOD = format_source(Source("coin", (Path(__file__).parent / "data" / "coin.rcy").read_text()))
UGLY = GOOD.replace("\n  ", "\n         ")


@pytest.fixture
def ugly(tmp_path: Path) -> Path:
    file = tmp_path / "ugly.rcy"
    file.write_text(UGLY)
    return file


def test_a_file_is_written_in_place(run: Run, ugly: Path) -> None:
    result = run("format", str(ugly))
    assert (result.exit_code, result.output) == (0, f"formatted {ugly}\n")
    assert ugly.read_text() == GOOD
    assert list(ugly.parent.iterdir()) == [ugly]
    result = run("format", str(ugly))
    assert (result.exit_code, result.output) == (0, "")


def test_mode_and_links_stay(run: Run, ugly: Path) -> None:
    ugly.chmod(0o640)
    link = ugly.with_name("link.rcy")
    link.symlink_to(ugly.name)
    assert run("format", str(link)).exit_code == 0
    assert link.is_symlink()
    assert ugly.read_text() == GOOD
    assert stat.S_IMODE(ugly.stat().st_mode) == 0o640


@pytest.mark.parametrize("written", [b"\xef\xbb\xbf" + GOOD.encode(), GOOD.encode() + b"\r\n"])
def test_marks_of_byte_order_and_line_ends_count(run: Run, ugly: Path, written: bytes) -> None:
    ugly.write_bytes(written)
    assert run("format", "--check", str(ugly)).exit_code == 1
    assert run("format", str(ugly)).exit_code == 0
    assert ugly.read_bytes() == GOOD.encode()


def test_check_changes_nothing(run: Run, ugly: Path) -> None:
    result = run("format", "--check", str(ugly))
    assert result.exit_code == 1
    assert result.stderr == f"would format {ugly}\n"
    assert ugly.read_text() == UGLY
    ugly.write_text(GOOD)
    assert run("format", "--check", str(ugly)).exit_code == 0


def test_diff_changes_nothing(run: Run, ugly: Path) -> None:
    result = run("format", "--diff", str(ugly))
    assert result.exit_code == 0
    assert result.stdout.startswith(f"--- {ugly}\n+++ ")
    assert "\n+  (setup\n" in result.stdout
    assert ugly.read_text() == UGLY
    assert run("format", "--diff", "--check", str(ugly)).exit_code == 1


def test_standard_input_to_standard_output(run: Run) -> None:
    result = run("format", "-", input=UGLY)
    assert (result.exit_code, result.stdout) == (0, GOOD)
    result = run("format", "--check", "-", input=UGLY)
    assert (result.exit_code, result.stdout) == (1, "")


@pytest.mark.parametrize("text", ["(game (setup", "(game))(", "", "(game \xff \0"])
def test_what_cannot_be_formatted_stays(run: Run, ugly: Path, text: str) -> None:
    ugly.write_text(text)
    before = ugly.read_bytes()
    result = run("format", str(ugly))
    if result.exit_code == 0:  # a text after the program is kept
        assert text.startswith("(game))")
        return
    assert result.exit_code == 1
    assert result.stderr.startswith("error: ")
    assert ugly.read_bytes() == before


def test_one_bad_file_does_not_stop_the_others(run: Run, ugly: Path) -> None:
    result = run("format", "nothing.rcy", str(ugly))
    assert result.exit_code == 1
    assert "nothing.rcy: there is no such file" in result.stderr
    assert "1 file changed, 0 unchanged, 1 failed" in result.stderr
    assert ugly.read_text() == GOOD


def test_a_failure_to_write_destroys_nothing(
    run: Run, ugly: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", str(ugly))

    monkeypatch.setattr(os, "fsync", full)
    result = run("format", str(ugly))
    assert result.exit_code == 1
    assert "No space left on device; nothing was changed" in result.stderr
    assert ugly.read_text() == UGLY
    assert list(ugly.parent.iterdir()) == [ugly]


def test_a_file_that_may_not_be_written_is_left_alone(
    run: Run, ugly: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    result = run("format", str(ugly))
    assert result.exit_code == 1
    assert "read-only" in result.stderr
    assert ugly.read_text() == UGLY


EXTENDED = """
;; A comment before.
(game
  (declare 2 'PLAYERS)  ;; how many
  (setup (create players 'PLAYERS) (create deck (game iloc STOCK) (deck (RANK (A, K)))))
  (do (((== (size player) 2) (turn pass) else (do (;; inside
    (shuffle (game iloc STOCK)))))))
  (scoring max (size player)))
;; A comment after.
"""


def test_plain_text_has_no_extension_and_keeps_comments(run: Run, tmp_path: Path) -> None:
    """Nothing is written to the file, and what the constants are set to stands in the text."""
    file = tmp_path / "extended.rcy"
    file.write_text(EXTENDED)
    result = run("format", "--plain", str(file), "--set", "PLAYERS=3")
    assert result.exit_code == 0
    assert file.read_text() == EXTENDED
    for text in ("before", "how many", "inside", "after", "(declare 3 'PLAYERS)", "(not (== (size"):
        assert text in result.stdout
    assert "else" not in result.stdout
    assert run("check", "--strict", "-", input=result.stdout).exit_code == 0
    assert run("format", "--plain", "-", input=EXTENDED).stdout.count("declare 2") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("--plain", "{}", "{}"),
        ("--plain", "--check", "{}"),
        ("--plain", "--diff", "{}"),
        ("--set", "PLAYERS=3", "{}"),
        ("--plain", "--preset", "none", "-"),
    ],
)
def test_options_that_do_not_go_together(run: Run, ugly: Path, words: tuple[str, ...]) -> None:
    result = run("format", *(word.format(ugly) for word in words), input=EXTENDED)
    assert result.exit_code == 2
    assert "error: " in result.stderr
