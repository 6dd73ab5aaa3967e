"""What tests of runs share: small plans, and players that misbehave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.arena.plan import GameRef, RunPlan
from cardwright.players.kind import FULL_TRUST

if TYPE_CHECKING:
    from pathlib import Path

PLAYERS = """
import sys
import time
from cardwright.players.player import Note

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

    def plan(self, *entrants: str, **more: Any) -> RunPlan:
        """Return a plan for these players, or for two that play at random."""
        usual = {
            "game": GameRef.of("kuhn", engine="interpreter"),
            "entrants": entrants or ("random", "random"),
            "tables": ((0, 1), (1, 0)),
            "seed": 5,
            "detail": self.detail,
            "deals": self.deals,
            "trust": FULL_TRUST,
        }
        return RunPlan(**{**usual, **more})


def players_file(folder: Path) -> str:
    """Write the file of players into a folder, and return what names one of them, all but that."""
    file = folder / "mine.py"
    file.write_text(PLAYERS, encoding="utf-8")
    return f"python:{file}:"
