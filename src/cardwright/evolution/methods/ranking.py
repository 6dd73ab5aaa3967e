"""The best candidates told so far, in one order that all methods share."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardwright.evolution.candidate import Candidate
    from cardwright.evolution.methods.method import Judged

    Distance: TypeAlias = Callable[[Candidate], float]
    """How far a candidate is from the original."""


def candidate_of(judged: Judged) -> Candidate:
    """Return the candidate of one that is alive."""
    candidate = judged.evaluated.candidate
    if candidate is None:
        raise ValueError("no candidate could be made here, so there is none to vary")
    return candidate


def alive(generation: Iterable[Judged]) -> list[Judged]:
    """Return those that passed the funnel with every aim measured, in their order."""
    return [
        one
        for one in generation
        if one.evaluated.candidate is not None
        and one.evaluated.departure is None
        and one.scores
        and all(isfinite(score) for score in one.scores)
    ]


@dataclass(frozen=True, order=True)
class _RankedPlace:
    """Where a candidate stands: the smaller loss first, then the nearer, then the earlier."""

    loss: float
    distance: float
    number: int
    judged: Judged = field(compare=False)


@dataclass
class Ranking:
    """At most `size` candidates with different texts, best first.

    What counts is the total, less `price` for each unit of the distance from the original. Among
    equals that nearer to the original comes first, and then the one told earlier.
    """

    size: int
    distance: Distance
    price: float = 0.0
    _places: list[_RankedPlace] = field(default_factory=list)
    _names: set[str] = field(default_factory=set)
    _told: int = 0

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._places)

    def __getitem__(self, rank: int) -> Judged:
        """Return the candidate at a rank, from 0."""
        return self._places[rank].judged

    def all(self) -> list[Judged]:
        """Return all of them, best first."""
        return [place.judged for place in self._places]

    def add(self, judged: Judged) -> bool:
        """Take in a candidate that is alive; say whether it is the best now."""
        self._told += 1
        candidate = candidate_of(judged)
        full = len(self._places) == self.size
        # A distance is only measured where it may count, since trees are compared for it.
        if candidate.name in self._names or (full and -judged.total > self._places[-1].loss):
            return False
        distance = self.distance(candidate)
        loss = self.price * distance - judged.total
        place = _RankedPlace(loss, distance, self._told, judged)
        insort(self._places, place)
        self._names.add(candidate.name)
        if len(self._places) > self.size:
            self._names.remove(candidate_of(self._places.pop().judged).name)
        return self._places[0] is place
