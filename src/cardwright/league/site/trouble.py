"""Trouble: the faults of bots, counted by kind, with the first ones of each as examples."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.league.block import BotFault
    from cardwright.league.site.part import SeasonPart

EXAMPLES = 5
"""Faults of a bot and a kind that are kept."""

KINDS = 12
"""Kinds of faults of a bot that are told apart."""

OTHER = "other"


@dataclass
class FaultCount:
    """What bots did of one kind: how often, how often it was a fault, and the first examples.

    `faults` are those that count towards forfeiting, the others are only noted; `forfeits` of them
    forfeited a game.
    """

    count: int = 0
    faults: int = 0
    forfeits: int = 0
    examples: list[BotFault] = field(default_factory=list)

    @property
    def notes(self) -> int:
        """How many are only noted."""
        return self.count - self.faults


class Trouble:
    """The faults of all bots: for each roster entry its kinds of faults by name.

    `games` is in how many games each entry made a fault or forfeited: wherever a site marks a bot
    in a game, it is one of these.
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
        """Return how many faults a bot made that count, those that forfeited among them."""
        return sum(kind.faults for kind in self.kinds[entry].values())

    def notes(self, entry: int) -> int:
        """Return how often a bot did what is only noted."""
        return sum(kind.notes for kind in self.kinds[entry].values())

    def forfeits(self, entry: int) -> int:
        """Return how many games a bot forfeited."""
        return sum(kind.forfeits for kind in self.kinds[entry].values())


def is_marked(fault: BotFault) -> bool:
    """Say whether a game is marked for something: it is a fault, and not only noted."""
    return fault.counts or fault.forfeit
