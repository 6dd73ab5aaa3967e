"""The protocol of a method of search: it is asked for parents, and told what became of children."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from cardwright.evolution.candidate import Candidate
    from cardwright.evolution.evaluation import Evaluated
    from cardwright.evolution.methods.landscape import Landscape


@dataclass(frozen=True)
class Judged:
    """An evaluated candidate with the score of each aim, in their order; none if it has left."""

    evaluated: Evaluated
    scores: tuple[float, ...] = ()

    @property
    def total(self) -> float:
        """The sum of its scores; minus infinity if it has left."""
        return sum(self.scores) if self.scores else float("-inf")


class SearchMethod(Protocol):
    """A method of search.

    What it does follows from what it was told, in that order, and from the generators it was given.
    To ask leaves no trace: a search goes on after a crash by telling again what was recorded.
    """

    def ask(self, count: int, random: np.random.Generator) -> Sequence[tuple[Candidate, ...]]:
        """Return the parents of the next candidates: each has one parent, or several to cross."""
        ...

    def tell(self, generation: Sequence[Judged]) -> None:
        """Learn what became of all candidates of a generation; the first is the original alone."""
        ...

    def elites(self) -> Sequence[Judged]:
        """Return the best found so far, best first; those of a map or a front are incomparable."""
        ...

    def landscape(self) -> Landscape | None:
        """Return the map or the front found so far; None if the method makes none, or not yet."""
        ...
