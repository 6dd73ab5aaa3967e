"""The full screen from outside: a program in a pseudo-terminal that is sent keys and read back."""

import json
import os
import re
import sys
import time
from pathlib import Path

import pytest

import needed
from patience import PATIENCE

pexpect = needed.module("pexpect")
pyte = needed.module("pyte")
needed.module("textual")
pytestmark = pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no pseudo-terminals")

LEFT, RIGHT, UP, DOWN = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B"
PASSING = f" {RIGHT} {RIGHT} \r"
"""Picks three cards from the cursor on and passes them; in play it takes one of the first."""


class Terminal:
    """A run of `cardwright play`, and the screen that it draws."""

    def __init__(self, folder: Path, *args: str, size: tuple[int, int] = (80, 24)) -> None:
        env = {**os.environ, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            env.pop(name, None)
        self.screen = pyte.Screen(*size)
        self._stream = pyte.Stream(self.screen)
        self.text = ""
        self._child = pexpect.spawn(
            sys.executable,
            ["-m", "cardwright", "play", *args],
            cwd=str(folder),
            env=env,
            dimensions=size[::-1],
            encoding="utf-8",
            codec_errors="replace",
            timeout=PATIENCE,
        )

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        self._child.close(force=True)

    def read(self, seconds: float) -> bool:
        """Read what comes within a time; False at the end of the program."""
        end = time.monotonic() + seconds
        while True:
            try:
                piece = self._child.read_nonblocking(1 << 16, max(0.0, end - time.monotonic()))
            except pexpect.TIMEOUT:
                return True
            except pexpect.EOF:
                return False
            self.text += piece
            self._stream.feed(piece)
            if time.monotonic() >= end:
                return True

    def send(self, keys: str) -> None:
        """Send keys."""
        self._child.send(keys)

    def resize(self, columns: int, lines: int) -> None:
        """Make the terminal larger or smaller."""
        self._child.setwinsize(lines, columns)
        self.screen.resize(lines, columns)

    def until(self, words: str, seconds: float = 60) -> str:
        """Read until the screen shows these words; return the screen."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            alive = self.read(0.05)
            shown = "\n".join(self.screen.display)
            if words in shown:
                return shown
            assert alive, f"the program ended without {words!r}:\n{self.text[-2000:]}"
        raise AssertionError(f"no {words!r} on the screen:\n" + "\n".join(self.screen.display))

    def over(self, seconds: float = 60) -> int:
        """Read to the end of the program and return its exit status."""
        end = time.monotonic() + seconds
        while self.read(0.1):
            assert time.monotonic() < end, "\n".join(self.screen.display)
        self._child.wait()
        return self._child.exitstatus


def play(folder, *args, size=(80, 24)):
    return Terminal(folder, "hearts", "--players", "rule", "--pace", "0", *args, size=size)


def colours_of_suits(screen):
    """Return how many colours the suits on the screen have, of which each has one."""
    colours = {}
    for y, line in enumerate(screen.display):
        for x, char in enumerate(line):
            if char in "♣♦♠♥":
                colours.setdefault(char, set()).add(screen.buffer[y][x].fg)
    assert set(colours) == set("♣♦♠♥")
    assert all(len(one) == 1 for one in colours.values())
    return len(set(map(min, colours.values())))


@pytest.mark.deep
def test_a_whole_match_to_100_by_keys_alone(tmp_path):
    """The scores that are told at the end are those of the game that was kept."""
    from cardwright.table.session import PlaySession

    with play(tmp_path, "--seed", "2", "--save", "match.json") as terminal:
        terminal.until("Pass 3 cards")
        end = time.monotonic() + 400
        while "End of the game" not in (shown := "\n".join(terminal.screen.display)):
            terminal.send(PASSING if "Pass 3 cards" in shown else "\r")
            if not terminal.read(0.02):
                break  # the last key sent has closed the end as well
            assert time.monotonic() < end, "\n".join(terminal.screen.display)
        else:
            terminal.send("\r")
        assert terminal.over() == 0, terminal.text[-2000:]
    session = PlaySession.resume(tmp_path / "match.json")
    assert session.finished
    assert max(session.scores()) >= 100
    told = re.search(r"Final ranking: (.*)", terminal.text)[1]
    for name, score in zip(session.names, session.scores(), strict=True):
        assert re.search(rf"\d\. {name} {score}\b", told)


@pytest.mark.slow
def test_resize_and_wrong_keys_in_mid_game(tmp_path):
    with play(tmp_path, "--seed", "3") as terminal:
        terminal.until("Pass 3 cards")
        assert colours_of_suits(terminal.screen) == 2
        terminal.send("x")
        terminal.until("x does nothing here; ? has all keys")
        terminal.send("\x1b[15~")  # F5
        terminal.until("f5 does nothing here")
        terminal.resize(60, 20)
        terminal.until("60x20: parts are cut; 80x24 shows all")
        terminal.resize(130, 40)
        shown = terminal.until("Scores")
        assert "Log" in shown
        terminal.resize(80, 24)
        terminal.until("Pass 3 cards")
        terminal.send("q")
        terminal.until("Leave the table?")
        terminal.send("x")
        terminal.until("y leaves, n stays")
        terminal.send("n")
        terminal.until("Enter play")
        terminal.send("qy")
        assert terminal.over() == 0


@pytest.mark.slow
def test_ctrl_c_saves_and_the_game_goes_on_by_the_words_that_were_told(tmp_path):
    with play(tmp_path, "--seed", "3") as terminal:
        terminal.until("Pass 3 cards")
        terminal.send(PASSING)
        terminal.until("Your move")
        terminal.send("\x03")
        assert terminal.over() == 130
    told = re.search(r"cardwright play (--resume \S+)", terminal.text)[1].split()
    saved = json.loads((tmp_path / told[1]).read_text())
    assert saved["choices"]
    with Terminal(tmp_path, *told, "--pace", "0") as terminal:
        terminal.until("Your move")
        terminal.send("l")
        terminal.until("You pass")
        terminal.send("\x03")
        assert terminal.over() == 130


@pytest.mark.slow
def test_a_watched_game_plays_itself(tmp_path):
    with Terminal(
        tmp_path, "kuhn", "--auto", "--players", "random", "--pace", "0", "--seed", "1"
    ) as terminal:
        terminal.until("The game is over")
        terminal.send("q")
        assert terminal.over() == 0
    assert "Final ranking" in terminal.text


@pytest.mark.parametrize(
    "option", ["--four-colours", pytest.param("--four-colors", marks=pytest.mark.deep)]
)
def test_suits_can_have_four_colours(tmp_path, option):
    with play(tmp_path, "--seed", "3", option) as terminal:
        terminal.until("Pass 3 cards")
        assert colours_of_suits(terminal.screen) == 4
