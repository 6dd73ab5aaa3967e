"""The command line as a process: what only a process shows."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import call
from deep import mostly_deep, usually
from patience import PATIENCE

Process = Callable[..., "subprocess.CompletedProcess[str]"]

COMMAND = [sys.executable, "-m", "cardwright"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("check", "coin.rcy"), 0),
        (("check", "wrong.rcy"), 1),
        (("check", "nothing.rcy"), 1),
        (("check",), 2),
        (("simulate", "breaks.rcy", "--seeds", "2..3"), 1),
        (("simulate", sys.executable), 1),
        (("simulate", "/dev/null"), 2),
        (("simulate", "coin.rcy", "--seed", "-1"), 2),
        (("replay", "coin.rcy", "--seed", "1", "--choices", "5"), 2),
        (("show", "."), 2),
        (("format", "/"), 1),
        (("nonsense",), 2),
    ],
)
def test_exit_codes_without_tracebacks(words: tuple[str, ...], code: int) -> None:
    done = call(words)
    assert done.returncode == code
    assert "Traceback" not in done.stderr + done.stdout
    assert done.stdout or done.stderr


@pytest.mark.parametrize(("words", "code"), [(("check", "wrong.rcy"), 1), (("nonsense",), 2)])
def test_a_process_ends_with_the_code_of_its_command(
    process: Process, words: tuple[str, ...], code: int
) -> None:
    done, here = process(*words), call(words)
    assert (done.returncode, done.stdout, done.stderr) == (code, here.stdout, here.stderr)


def test_a_pipe_that_closes_early_is_no_trouble() -> None:
    """Who reads the output may stop before it comes: no message, and not a good exit code."""
    words = ["replay", "coin.rcy", "--seed", "1", "--choices", "0,0,0", "--engine", "interpreter"]
    reading, writing = os.pipe()
    os.close(reading)
    try:
        ended = subprocess.run(
            [*COMMAND, *words], stdout=writing, stderr=subprocess.PIPE, text=True, check=False
        )
    finally:
        os.close(writing)
    assert ended.stderr == ""
    assert ended.returncode in {1, -signal.SIGPIPE}


WITHOUT = (
    (("--help",), 0),
    (("simulate", "coin.rcy", "--games", "3", "--seed", "1", "--engine", "interpreter"), 0),
    (("format", "coin.rcy", "wrong.rcy", "--diff"), 0),
    (("play", "coin.rcy", "--seed", "1", "--no-save", "--players", "random"), 1),
    (("check", "-"), 1),
    (("nonsense",), 2),
)


ALL = "<&- >&- 2>&-"
"""All three streams closed."""

USUAL = {
    ("--help", ALL),
    ("play", ALL),
    ("check", ALL),
    ("format", ">&-"),
    ("format", "2>/dev/full"),
}
"""What any run tries."""

WRITING = mostly_deep(
    [words for words, code in WITHOUT if code == 0] + [("games",)],
    lambda words: words[0] in {"--help", "format"},
    ids=lambda words: words[0],
)
"""Commands that write to the standard output: before any command runs, and at its end."""


def through_shell(words: tuple[str, ...], redirected: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell that closes or redirects its streams."""
    return subprocess.run(
        ["sh", "-c", f'"$0" "$@" {redirected}', *COMMAND, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such shell there")
@pytest.mark.parametrize(
    ("words", "code", "redirected"),
    [
        pytest.param(
            words, code, redirected,
            id=f"{words[0]} {redirected}",
            marks=() if (words[0], redirected) in USUAL else pytest.mark.deep,
        )
        for words, code in WITHOUT
        for redirected in ("<&-", ">&-", "2>&-", ALL, "2>/dev/full")
    ],
)  # fmt: skip
def test_closed_streams_are_no_bug(words: tuple[str, ...], code: int, redirected: str) -> None:
    """Without some of its streams a command does what it does, with the exit code it has."""
    done = through_shell(words, redirected)
    assert "this is a bug" not in done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode == code


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
@pytest.mark.parametrize("words", WRITING)
def test_output_that_cannot_be_written_is_an_error(words: tuple[str, ...]) -> None:
    """On a full disk a command says once that its output is lost, and exits with 1."""
    done = through_shell(words, ">/dev/full")
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert done.stderr.count("error:") == 1
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such shell there")
@pytest.mark.parametrize("words", WRITING)
def test_a_reader_that_leaves_is_no_error_to_speak_of(words: tuple[str, ...]) -> None:
    """Nobody is told that a pipe was closed: neither for commands nor for `--help`."""
    done = through_shell(words, "| true")
    assert done.stderr == ""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.parametrize(
    ("style", "engine"),
    [("json", "native"), pytest.param("table", "interpreter", marks=pytest.mark.deep)],
)
def test_an_interrupt_prints_what_was_played(style: str, engine: str) -> None:
    """What was played until Ctrl-C is summed up, and marked as partial."""
    games = 10**12
    words = ["simulate", "coin.rcy", "--games", str(games), "--seed", "1"]
    words += ["--format", style, "--engine", engine]
    for wait in (1.5, 6, 20):  # a busy machine may still be loading after the shorter ones
        code, output, errors = _interrupted(words, wait)
        assert code == 130
        assert "Traceback" not in errors
        if "interrupted after " in errors:
            break
    assert errors.splitlines()[-1].startswith("interrupted after ")
    if style == "json":
        found = json.loads(output)
        assert 0 < found["games"] < games
        assert found["decisions"]["mean"] == 3
    else:
        assert f"games of {games:,} (interrupted)" in output
        assert "p1" in output


def _interrupted(words: list[str], wait: float) -> tuple[int, str, str]:
    """Run a command, interrupt it after some seconds, and return its exit code and outputs."""
    with subprocess.Popen(
        [*COMMAND, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    ) as child:
        time.sleep(wait)
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=PATIENCE)
    return child.returncode, output, errors


def test_output_goes_where_it_can(process: Process) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    words = ("simulate", "coin.rcy", "--games", "5", "--seed", "1", "--engine", "interpreter")
    done = process(*words, env=environment)
    assert done.returncode == 0
    assert "+/-" in done.stdout
    assert done.stdout.isascii()


def test_a_name_that_is_no_text(process: Process, tmp_path: Path) -> None:
    file = os.fsencode(tmp_path) + b"/\xff.rcy"
    try:
        Path(os.fsdecode(file)).write_text("(game")
    except OSError:
        pytest.skip("the file system wants names in UTF-8")
    all_words = (("check",), ("simulate",), ("check", "--format", "json"), ("format",))
    for words in all_words[: usually(2, 4)]:
        done = process(*words, os.fsdecode(file))
        assert done.returncode == 1
        assert "Traceback" not in done.stderr


def test_a_shell_completes_games() -> None:
    environment = {
        **os.environ,
        "_CARDWRIGHT_COMPLETE": "bash_complete",
        "COMP_WORDS": "cardwright simulate hea",
        "COMP_CWORD": "2",
    }
    code = (
        "import sys; from cardwright.interfaces.cli import main; sys.argv = ['cardwright']; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "plain,hearts\n"


def test_a_short_command_spends_no_time_on_threads_and_cycles() -> None:
    """It looks for cycles rarely, and NumPy starts no threads, unless the environment says so."""
    asked = """
import gc, os, sys
from cardwright.interfaces.cli import main
sys.argv[1:] = ["-h"]
for wanted in ({}, {"OPENBLAS_NUM_THREADS": "3"}):
    os.environ.pop("OPENBLAS_NUM_THREADS", None)
    os.environ.update(wanted)
    gc.set_threshold(700)
    try:
        main()
    except SystemExit:
        print(gc.get_threshold()[0], os.environ["OPENBLAS_NUM_THREADS"], file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines() == ["50000 1", "50000 3"]


def test_an_interrupt_while_a_string_is_executed_is_one_as_any_other(tmp_path: Path) -> None:
    """CPython remembers it, and would end the process by the signal although it was handled."""
    (tmp_path / "late.py").write_text("""
import sys
import click
import cardwright.interfaces.cli.text  # what is loaded later would make it forget
from cardwright.interfaces.cli import main
click.Group.invoke = lambda *_: exec("raise KeyboardInterrupt")
sys.argv[1:] = ["list"]
main()
""")
    done = subprocess.run(
        [sys.executable, "-m", "late"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 130, done.stderr
    assert "interrupted" in done.stderr
