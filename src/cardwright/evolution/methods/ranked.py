"""What all methods share: they know the original, and keep the best candidates as elites."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from cardwright.evolution.evaluation import DepartureReason
from cardwright.evolution.methods.ranking import Ranking, alive

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from cardwright.evolution.candidate import Candidate
    from cardwright.evolution.methods.landscape import Landscape
    from cardwright.evolution.methods.method import Judged
    from cardwright.evolution.methods.ranking import Distance


class RankedSearch(ABC):
    """A method whose elites are the `keep` best candidates; its parents are up to the subclass."""

    def __init__(self, distance: Distance, keep: int = 20) -> None:
        self.distance = distance
        self.best = Ranking(keep, distance)
        self._original: Candidate | None = None
        self._by_fingerprint: dict[str, Judged] = {}

    @property
    def original(self) -> Candidate:
        """The original; raises ValueError before the method was told of it."""
        if self._original is None:
            raise ValueError("a method is told of the original before it is asked for parents")
        return self._original

    @abstractmethod
    def ask(self, count: int, random: np.random.Generator) -> Sequence[tuple[Candidate, ...]]:
        """Return the parents of the next candidates."""

    def tell(self, generation: Sequence[Judged]) -> None:
        """Learn what became of a generation; the first one is the original alone."""
        if self._original is None:
            self._original = generation[0].evaluated.candidate
        living = alive(generation)
        for judged in living:
            self.best.add(judged)
            if judged.evaluated.fingerprint:
                self._by_fingerprint.setdefault(judged.evaluated.fingerprint, judged)
        self.learn(generation, living)

    @abstractmethod
    def learn(self, generation: Sequence[Judged], living: Sequence[Judged]) -> None:
        """Take in a generation, and those of it that are alive."""

    def twin(self, judged: Judged) -> Judged | None:
        """Return the earlier candidate that one plays like, if it left because of that."""
        departure = judged.evaluated.departure
        if departure is None or departure.reason is not DepartureReason.KNOWN:
            return None
        return self._by_fingerprint.get(judged.evaluated.fingerprint)

    def elites(self) -> Sequence[Judged]:
        """Return the best found so far, best first."""
        return self.best.all()

    def landscape(self) -> Landscape | None:
        """Return nothing: there is neither a map nor a front."""
        return None
