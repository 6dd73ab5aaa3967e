"""Epsilon-lexicase selection, for many aims: parents are those that are best in some order of aims.

Spector, "Assessment of problem modality by differential performance of lexicase selection", 2012;
La Cava, Spector and Danai, "Epsilon-lexicase selection for regression", 2016 (the semi-dynamic
form: an aim's epsilon is its median absolute deviation over the population).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.evolution.methods.ranked import RankedSearch
from cardwright.evolution.methods.ranking import candidate_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cardwright.evolution.candidate import Candidate
    from cardwright.evolution.methods.method import Judged
    from cardwright.evolution.methods.ranking import Distance


class LexicaseEvolution(RankedSearch):
    """A population of `size`: parents are chosen by lexicase selection, and so are survivors.

    A share `crossed` of the candidates has two parents.
    """

    def __init__(
        self, distance: Distance, keep: int = 20, size: int = 50, crossed: float = 0.2
    ) -> None:
        super().__init__(distance, keep)
        self.size = size
        self.crossed = crossed
        self._population: list[Judged] = []
        self._generations = 0

    def ask(self, count: int, random: np.random.Generator) -> Sequence[tuple[Candidate, ...]]:
        """Return one or two of the population for each candidate."""
        if not self._population:
            return [(self.original,)] * count
        scores = np.array([judged.scores for judged in self._population])
        couples = random.random(count) < self.crossed
        return [
            tuple(
                candidate_of(self._population[selected(scores, random)])
                for _ in range(2 if couple else 1)
            )
            for couple in couples
        ]

    def learn(self, generation: Sequence[Judged], living: Sequence[Judged]) -> None:
        """Let those survive that lexicase selection takes, one after another."""
        names = {candidate_of(judged).name for judged in self._population}
        for judged in living:
            name = candidate_of(judged).name
            if name not in names:
                names.add(name)
                self._population.append(judged)
        # Survivors follow from what was told alone, so chance is seeded by the generation's number.
        random = np.random.default_rng(self._generations)
        self._generations += 1
        left = list(range(len(self._population)))
        scores = np.array([judged.scores for judged in self._population])
        kept: list[int] = []
        while left and len(kept) < self.size:
            kept.append(left.pop(selected(scores[left], random)))
        self._population = [self._population[index] for index in sorted(kept)]


def selected(scores: NDArray[np.float64], random: np.random.Generator) -> int:
    """Return the row that one lexicase selection takes of `scores`, candidates by aims.

    Aims are gone through in a random order; each leaves those within its epsilon of the best.
    """
    epsilons = np.median(np.abs(scores - np.median(scores, axis=0)), axis=0)
    rows = np.arange(len(scores))
    for aim in random.permutation(scores.shape[1]):
        column = scores[rows, aim]
        rows = rows[column >= column.max() - epsilons[aim]]
        if len(rows) == 1:
            break
    return int(random.choice(rows))
