"""Players that think for very long, or for ever: the commands that play contests."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from cardwright.arena import player_process
from cardwright.interfaces.cli.progress import thinking_lines
from cardwright.jobs import long_steps
from cardwright.jobs.long_steps import LongStep, report_steps
from deep import mostly_deep
from patience import PATIENCE, wait_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

STUCK = """
import time

class Stuck:
    def choose(self, decision):
        while True:
            time.sleep(0.1)
"""
SMALL = ("kuhn", "--engine", "interpreter", "--deals", "1", "--seed", "1")


@pytest.fixture
def stuck(tmp_path: Path) -> str:
    """Return a player that never answers."""
    file = tmp_path / "stuck.py"
    file.write_text(STUCK, encoding="utf-8")
    return f"python:{file}:Stuck"


@pytest.mark.parametrize(
    "command",
    mostly_deep(
        [("match",), ("tournament",), ("ladder", "--field", "random", "--workers", "2")],
        lambda command: command[0] == "ladder",
    ),
)
def test_a_contest_with_a_limit_for_a_move_ends(
    run: Callable[..., Result],
    monkeypatch: pytest.MonkeyPatch,
    stuck: str,
    command: tuple[str, ...],
) -> None:
    """The trial before it, which estimates how long it will take, does as well."""
    monkeypatch.setattr(player_process, "GRACE", 0.1)
    players = [stuck] if command[0] == "ladder" else [stuck, "random"]
    result = run(*command, *players, *SMALL, "--move-ms", "50", "--faults", "0", "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["failed_games"] == 0
    assert found["faults"]
    for fault in found["faults"]:
        assert (fault["entrant"], fault["deal"], fault["decision"]) == (0, 0, 0)
        assert fault["kind"] == "late"
        assert fault["reason"] == "took more than 0.05 s for a move, and was ended"


def test_who_thinks_for_long_is_named_in_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_steps, "monotonic", lambda: 0.0)
    steps = [LongStep(f"p\x1b{number}", "deal 3, p2", 12.0 + number) for number in range(5)]
    report_steps(1, tuple(steps[:1]))
    assert thinking_lines() == ["p\ufffd0 has been thinking for 12 s (deal 3, p2)"]
    report_steps(1, tuple(steps))
    assert thinking_lines()[2:] == [
        "p\ufffd2 has been thinking for 14 s (deal 3, p2)", "... and 2 players more"
    ]  # fmt: skip
    report_steps(1, ())
    assert thinking_lines() == []


@pytest.mark.parametrize(
    "more", mostly_deep([(), ("--resume", "--records"), ("--workers", "2")], lambda more: not more)
)
def test_who_thinks_for_long_is_named_on_the_screen_and_on_ctrl_c(
    tmp_path: Path, stuck: str, more: tuple[str, ...]
) -> None:
    """That is in the trial before a match, in a match here, and in one by workers."""
    where = "a trial of one game, p1" if not more else "deal 0, table 0, p1"
    if "--resume" in more:  # nothing is tried before a match that is resumed
        more = (*more, str(tmp_path / "records"))
    words = ["match", stuck, "random", *SMALL, *more]
    if "--workers" in more:
        words.append("--resume")
        words += ["--records", str(tmp_path / "records")]
    ours, theirs = pty.openpty()
    shown = bytearray()

    def read() -> None:
        with contextlib.suppress(OSError):  # how Linux says that nobody writes any more
            while piece := os.read(ours, 65536):
                shown.extend(piece)

    def text() -> str:
        return " ".join(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode()).split())

    with subprocess.Popen(
        [sys.executable, "-m", "cardwright", *words],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "300", "LINES": "30"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    ) as child:
        os.close(theirs)
        reading = threading.Thread(target=read, daemon=True)
        reading.start()
        said = rf"{re.escape(stuck)} has been thinking for \d+ s \({where}\)"
        wait_until(lambda: re.search(said, text()) or child.poll() is not None)
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=PATIENCE)
        reading.join(PATIENCE)
    os.close(ours)
    assert child.returncode == 130, text()
    assert "Traceback" not in text()
    assert re.search(rf"interrupted after 0 of 1 deal.*{said}", text())
