"""What tests of runs share: small plans, players that misbehave, functions that kill workers."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.arena.plan import GameRef, Plan

if TYPE_CHECKING:
    from cardwright.arena.played import Played
    from cardwright.arena.unit import PlayDeals

PLAYERS = """
import sys
import time
from cardwright.players.note import Note

class Good:
    def choose(self, decision):
        index = decision.stream.below(decision.option_count)
        decision.report(Note(spread=0.25, lead=(0.5, 0.5), iterations=index))
        return index

class Raising(Good):
    def __init__(self, every="1"):
        self.every, self.made = int(every), 0
    def choose(self, decision):
        self.made += 1
        if self.made % int(self.every) == 0:
            raise ValueError(f"no idea,\\n at {object()}")
        return super().choose(decision)

class Greedy(Good):
    def choose(self, decision):
        raise MemoryError

class Printing(Good):
    def choose(self, decision):
        print("hello")
        return super().choose(decision)
"""


@dataclass(frozen=True)
class Small:
    """Plans of a small game that needs no compiling."""

    deals: int = 12
    detail: Any = "scores"

    def plan(self, *entrants: str, **more: Any) -> Plan:
        """Return a plan for these players, or for two that play at random."""
        usual = {
            "game": GameRef.of("kuhn", engine="interpreter"),
            "entrants": entrants or ("random", "random"),
            "tables": ((0, 1), (1, 0)),
            "seed": 5,
            "detail": self.detail,
            "deals": self.deals,
        }
        return Plan(**{**usual, **more})


def players_file(folder: Path) -> str:
    """Write the file of players into a folder, and return what names one of them, all but that."""
    file = folder / "mine.py"
    file.write_text(PLAYERS, encoding="utf-8")
    return f"python:{file}:"


@dataclass(frozen=True)
class Dying:
    """Plays deals, but kills its process when it comes to one, as long as marks are left.

    The marks are files in a folder: each death takes one.
    """

    play: PlayDeals
    deal: int
    marks: str

    def __call__(self, deals: range) -> Played:
        if self.deal in deals:
            for mark in sorted(Path(self.marks).iterdir()):
                mark.unlink()
                os.kill(os.getpid(), signal.SIGKILL)
        return self.play(deals)


def marked(folder: Path, count: int) -> str:
    """Make so many marks, and return their folder."""
    marks = folder / "marks"
    marks.mkdir()
    for number in range(count):
        (marks / str(number)).touch()
    return str(marks)


@dataclass(frozen=True)
class Slow:
    """Takes a while for every batch but single deals, and then writes a file."""

    file: str

    def __call__(self, batch: range) -> int:
        if len(batch) > 1:
            time.sleep(1.5)
            Path(self.file).touch()
        return len(batch)


def failing(batch: range) -> None:
    """Raise an error that no batch should."""
    raise KeyError(batch[0])


def lengths(batch: range) -> int:
    """Return the number of deals."""
    return len(batch)


def running() -> dict[int, int]:
    """Return the processes that run, each with the one that has started it."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended just now
            if fields[0] != "Z":
                found[int(entry.name)] = int(fields[1])
    return found


def children(parent: int | None = None) -> list[int]:
    """Return the processes that one has started, or this one."""
    return [pid for pid, of in running().items() if of == (parent or os.getpid())]


def counted_slowly(batch: range) -> int:
    """Return how many deals there are, after a while."""
    time.sleep(0.2)
    return len(batch)
