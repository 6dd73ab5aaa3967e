"""What is played to compare with published numbers: kinds of games, and batches of each."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.arena.plan import GameRef
from cardwright.library.catalogue import facts

if TYPE_CHECKING:
    from cardwright.program.constants import Constant

FILE = Path(__file__).with_name("published_claims.toml")

PLAYER = "cardstock-pipmc"
"""The player that thinks: what CardStock's articles call AI, with ten rollouts of each option."""

BATCHES = {
    "RR": ("random", "random"),
    "AR": (PLAYER, "random"),
    "AA": (PLAYER, PLAYER),
    "MC": ("pimc:rollouts=50", "pimc:rollouts=50"),
}
"""The player of the first seat, and that of the others, in batches whose records are kept."""


@dataclass(frozen=True)
class Cell:
    """A kind of game for one number of players, and the batches to be played of it.

    `batches` says how large each is, as a multiple of what is asked for, and `first` of how many of
    its first games there are figures of their own. With `tricks` everybody plays a card to each
    trick and decides nothing else.
    """

    name: str
    title: str
    game: str
    players: int
    preset: str | None
    declared: tuple[tuple[str, Constant], ...]
    batches: tuple[tuple[str, float], ...]
    first: tuple[tuple[str, int], ...] = ()
    tricks: bool = False

    def ref(self) -> GameRef:
        """Return how to load the game; raises what `GameRef.of` may raise, or ValueError."""
        declared: dict[str, Constant] = dict(self.declared)
        if self.preset is None and "PLAYERS" in facts(self.game).declared:
            declared["PLAYERS"] = self.players
        made = GameRef.of(self.game, declared, self.preset)
        if made.players != self.players:
            raise ValueError(f"{self.title} is for {made.players} players, not {self.players}")
        return made

    def games(self, batch: str, random: int, thinking: int) -> int:
        """Return how many games of a batch are played if so many are asked for; 100 at least."""
        of = thinking if batch in {"AR", "AA", "MC"} else random
        return max(100, round(dict(self.batches)[batch] * of))


def load_cells(file: Path = FILE) -> tuple[Cell, ...]:
    """Return all cells of the file, one for each number of players."""
    rows = tomllib.loads(file.read_text(encoding="utf-8"))["cell"]
    return tuple(cell for row in rows for cell in _cells(row))


def _cells(row: dict[str, Any]) -> list[Cell]:
    """Return the cells of a table of the file: of its numbers of players, or its kinds of games."""
    if "kinds" in row:
        return [_cell({**row, **kind}, f"{row['name']}-{kind['game']}") for kind in row["kinds"]]
    return [_cell({**row, "players": many}, f"{row['name']}-{many}") for many in row["players"]]


def _cell(row: dict[str, Any], name: str) -> Cell:
    game = row.get("game", row["name"])
    return Cell(
        name=name,
        title=row["title"].replace("{game}", facts(game).title),
        game=game,
        players=row["players"],
        preset=row.get("preset"),
        declared=tuple(row.get("declared", {}).items()),
        batches=tuple(row["batches"].items()),
        first=tuple(row.get("first", {}).items()),
        tricks=row.get("tricks", False),
    )
