"""Pieces: parts of a deal of slow players that are stored separately, so that a crash loses little.

A deal may be hundreds of games that take seconds each. Its tables are divided into as many pieces
as the plan says, and the sums of a deal are those of its pieces. Blocks are still made of whole
deals: they do not show how they were played.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cardwright.lab.tables import layout_of
from cardwright.lab.task import PlayLabDeals, narrowed, slow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.lab.manifest import LabManifest
    from cardwright.lab.plan import LabPlan
    from cardwright.lab.records import LabRecords
    from cardwright.lab.task import Part

GAMES = 2
"""Games of a piece."""


def pieces(plan: LabPlan) -> int:
    """Return how many pieces a deal of a plan has: 1 if a block of deals takes little time."""
    return -(-layout_of(plan).most_tables // GAMES) if slow(plan) else 1


@dataclass(frozen=True)
class PlayPiece:
    """Plays one piece of a deal, by its number: those of deal 0 come first.

    It can be sent to other processes.
    """

    deals: PlayLabDeals

    def __call__(self, numbers: range) -> Part:
        """Return the sums of a piece, with the other tables of its deal counted as zero."""
        (number,) = numbers
        deal, piece = divmod(number, pieces(self.deals.plan))
        return self.deals.piece(range(deal, deal + 1), piece, pieces(self.deals.plan))


class Gathered:
    """The pieces of blocks that are not whole."""

    def __init__(self, plan: LabPlan, manifest: LabManifest, records: LabRecords | None) -> None:
        self._plan = plan
        self._manifest = manifest
        self._records = records
        self._pieces = pieces(plan)
        self._there: dict[int, Part] = {}
        self._unkept: dict[int, Part] = {}

    def of_block(self, block: int) -> range:
        """Return the numbers of the pieces of a block."""
        deals = self._manifest.deals(self._plan, block)
        return range(deals.start * self._pieces, deals.stop * self._pieces)

    def kept(self) -> Iterator[tuple[int, Part]]:
        """Yield the pieces that are in the folder."""
        return iter(()) if self._records is None else self._records.pieces(self._pieces)

    def add(self, number: int, part: Part, *, new: bool) -> tuple[int, Part] | None:
        """Take a piece, and return the number and the sums of the block that it completes.

        A `new` piece is stored by `keep`, unless its block is forgotten before.
        """
        self._there[number] = part
        if new:
            self._unkept[number] = part
        block = number // self._pieces // self._manifest.together
        if all(one in self._there for one in self.of_block(block)):
            return block, self._joined(block)
        return None

    def forget(self, block: int) -> None:
        """Drop the pieces of a block that was stored."""
        numbers = self.of_block(block)
        for number in numbers:
            self._there.pop(number, None)
            self._unkept.pop(number, None)
        if self._records is not None:
            self._records.drop_pieces(numbers)

    def keep(self) -> None:
        """Store what is not stored yet."""
        if self._records is not None and self._unkept:
            self._records.add_pieces(self._pieces, self._unkept)
        self._unkept = {}

    def _joined(self, block: int) -> Part:
        parts = [self._there[number] for number in self.of_block(block)]
        size = self._pieces
        deals = [_added(parts[first : first + size]) for first in range(0, len(parts), size)]
        return tuple(np.concatenate(ones) for ones in zip(*deals, strict=True))


def _added(parts: Sequence[Part]) -> Part:
    """Return the sums of a deal from those of its pieces."""
    return tuple(
        narrowed(np.stack(ones).sum(axis=0, dtype=np.int64)) for ones in zip(*parts, strict=True)
    )
