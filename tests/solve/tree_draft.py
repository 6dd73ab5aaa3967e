"""Trees built node by node, in any order: those of tests, by hand or from other programs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from cardwright.solve.tree import CHANCE, TERMINAL, GameTree

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from cardwright.solve.tree import InformationSet


@dataclass
class TreeDraft:
    """A tree while it is built: nodes are added below ones that are there, in any order.

    `sets` are the information sets so far.
    """

    players: int
    _parents: list[int] = field(default_factory=list)
    _edges: list[int] = field(default_factory=list)
    _actors: list[int] = field(default_factory=list)
    _information: list[int] = field(default_factory=list)
    _chances: list[float] = field(default_factory=list)
    _depths: list[int] = field(default_factory=list)
    _utilities: dict[int, tuple[float, ...]] = field(default_factory=dict)
    _outcomes: dict[int, Sequence[float]] = field(default_factory=dict)
    sets: list[InformationSet] = field(default_factory=list)
    _numbers: dict[tuple[int, Hashable], int] = field(default_factory=dict)

    def chance(self, parent: int, edge: int, probabilities: Sequence[float]) -> int:
        """Add a node where chance decides, and return its number; -1 is the parent of the root."""
        node = self._add(parent, edge, CHANCE, -1)
        self._outcomes[node] = probabilities
        return node

    def decision(self, parent: int, edge: int, information: int) -> int:
        """Add a node where the seat of an information set decides, and return its number."""
        return self._add(parent, edge, self.sets[information].seat, information)

    def terminal(self, parent: int, edge: int, utilities: Sequence[float]) -> int:
        """Add a node where the game is over, with what that is worth to each seat."""
        node = self._add(parent, edge, TERMINAL, -1)
        self._utilities[node] = tuple(utilities)
        return node

    def information(self, found: InformationSet) -> int:
        """Return the number of an information set, which is added if it is new."""
        number = self._numbers.setdefault((found.seat, found.key), len(self.sets))
        if number == len(self.sets):
            self.sets.append(found)
        assert self.sets[number].options == found.options
        return number

    def _add(self, parent: int, edge: int, actor: int, information: int) -> int:
        outcomes = self._outcomes.get(parent)
        self._chances.append(1.0 if outcomes is None else float(outcomes[edge]))
        self._parents.append(parent)
        self._edges.append(edge if parent >= 0 else -1)
        self._actors.append(actor)
        self._information.append(information)
        self._depths.append(self._depths[parent] + 1 if parent >= 0 else 0)
        return len(self._parents) - 1

    def freeze(self) -> GameTree:
        """Return the tree, with its nodes in order of depth."""
        depths = np.array(self._depths, dtype=np.int64)
        order = np.argsort(depths, kind="stable")
        renamed = np.empty_like(order)
        renamed[order] = np.arange(len(order))
        parents = np.array(self._parents, dtype=np.int64)[order]
        utilities = np.zeros((len(order), self.players))
        for node, worth in self._utilities.items():
            utilities[renamed[node]] = worth
        return GameTree(
            np.where(parents >= 0, renamed[parents], -1),
            np.array(self._edges, dtype=np.int64)[order],
            np.array(self._actors, dtype=np.int64)[order],
            np.array(self._information, dtype=np.int64)[order],
            np.array(self._chances)[order],
            utilities,
            (0, *np.cumsum(np.bincount(depths)).tolist()),
            np.array([len(known.options) for known in self.sets], dtype=np.int64),
            tuple(self.sets),
        )
