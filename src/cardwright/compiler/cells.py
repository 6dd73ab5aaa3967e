"""Cells: where a state keeps stored integers, strings and point maps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cardwright.program import nodes as n
from cardwright.program.cards import OwnerId
from cardwright.program.places import OwnerRange, sort_of

if TYPE_CHECKING:
    from cardwright.compiler.effect_analysis import EffectAnalysis
    from cardwright.compiler.names import Names


class CellGroup(NamedTuple):
    """The cells of one name of one sort of owner."""

    sort: OwnerRange
    name: str


@dataclass(frozen=True)
class Cells:
    """The cells of one kind of storage: groups with their first cells, and each cell's storage."""

    bases: dict[CellGroup, int]
    owners: tuple[tuple[OwnerId, str], ...]

    def __len__(self) -> int:
        return len(self.owners)


def cells(analysis: EffectAnalysis, names: Names, kind: n.StorageKind) -> Cells:
    """Return the cells of a program; a computed name can be any string of the program."""
    bases: dict[CellGroup, int] = {}
    owners: list[tuple[OwnerId, str]] = []
    for node in analysis.program.nodes():
        if isinstance(node, n.Storage) and node.storage is kind:
            sort = sort_of(node.owner, analysis.program)
            for name in analysis.strings(node.name) or names.texts:
                if CellGroup(sort, name) not in bases:
                    bases[CellGroup(sort, name)] = len(owners)
                    first, count = sort
                    owners += [(OwnerId(owner), name) for owner in range(first, first + count)]
    return Cells(bases, tuple(owners))
