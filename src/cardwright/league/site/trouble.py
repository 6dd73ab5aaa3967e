"""Trouble: the faults of bots, counted by kind, with the first ones of each as examples."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.league.block import BotFault
    from cardwright.league.site.part import SeasonPart

EXAMPLES = 5
"""The most faults kept per bot and kind."""

KINDS = 12
"""The most kinds of faults distinguished per bot."""

OTHER = "other"


@dataclass
class FaultCount:
    """Faults of one kind: their number, how many count, and the first examples.

    `faults` is the number of those that count towards forfeiting, the others are only noted;
    `forfeits` of them forfeited a game.
    """

    count: int = 0
    faults: int = 0
    forfeits: int = 0
    examples: list[BotFault] = field(default_factory=list)

    @property
    def notes(self) -> int:
        """The number of those that are only noted."""
        return self.count - self.faults


class Trouble:
    """The faults of all bots: for each roster entry, its kinds of faults by name.

    `games` is the number of games in which each entry made a fault or forfeited: those in which a
    site marks the bot.
    """

    def __init__(self, entries: int) -> None:
        self.kinds: list[dict[str, FaultCount]] = [{} for _ in range(entries)]
        self.games = [0] * entries

    def add(self, part: SeasonPart) -> None:
        """Count the faults of some more games."""
        marked = set()
        for fault in part.block.faults:
            entry = int(part.seats[fault.game - part.block.first, fault.seat])
            kinds = self.kinds[entry]
            known = fault.kind in kinds or len(kinds) < KINDS
            kind = kinds.setdefault(fault.kind if known else OTHER, FaultCount())
            kind.count += 1
            kind.faults += fault.counts
            kind.forfeits += fault.forfeit
            if is_marked(fault):
                marked.add((entry, fault.game))
            if len(kind.examples) < EXAMPLES:
                kind.examples.append(fault)
        for entry, _ in marked:
            self.games[entry] += 1

    def faults(self, entry: int) -> int:
        """Return the number of a bot's faults that count, including those that forfeited a game."""
        return sum(kind.faults for kind in self.kinds[entry].values())

    def notes(self, entry: int) -> int:
        """Return the number of a bot's faults that are only noted."""
        return sum(kind.notes for kind in self.kinds[entry].values())

    def forfeits(self, entry: int) -> int:
        """Return the number of games that a bot forfeited."""
        return sum(kind.forfeits for kind in self.kinds[entry].values())


def is_marked(fault: BotFault) -> bool:
    """Say whether a game is marked for a fault: it counts or forfeits, and is not only noted."""
    return fault.counts or fault.forfeit
