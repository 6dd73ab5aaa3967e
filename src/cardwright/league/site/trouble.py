"""Trouble: the faults of bots, counted by kind, with the first ones of each as examples."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.league.block import Fault
    from cardwright.league.site.part import Part

EXAMPLES = 5
"""Faults of a bot and a kind that are kept."""

KINDS = 12
"""Kinds of faults of a bot that are told apart."""

OTHER = "other"


@dataclass
class Kind:
    """Faults of one kind: how many, how many of them forfeited a game, and the first ones.

    `counts` says whether faults of this kind count towards forfeiting.
    """

    count: int = 0
    forfeits: int = 0
    counts: bool = False
    examples: list[Fault] = field(default_factory=list)


class Trouble:
    """The faults of all bots: for each roster entry its kinds of faults by name."""

    def __init__(self, entries: int) -> None:
        self.kinds: list[dict[str, Kind]] = [{} for _ in range(entries)]

    def add(self, part: Part) -> None:
        """Count the faults of some more games."""
        for fault in part.block.faults:
            kinds = self.kinds[part.seats[fault.game - part.block.first, fault.seat]]
            known = fault.kind in kinds or len(kinds) < KINDS
            kind = kinds.setdefault(fault.kind if known else OTHER, Kind())
            kind.count += 1
            kind.forfeits += fault.forfeit
            kind.counts |= fault.counts
            if len(kind.examples) < EXAMPLES:
                kind.examples.append(fault)

    def faults(self, entry: int) -> int:
        """Return how many faults a bot made that count, those that forfeited among them."""
        return sum(kind.count for kind in self.kinds[entry].values() if kind.counts)

    def forfeits(self, entry: int) -> int:
        """Return how many games a bot forfeited."""
        return sum(kind.forfeits for kind in self.kinds[entry].values())
