"""NSGA-II: a Pareto front of candidates, by the operators of pymoo.

Deb, Pratap, Agarwal and Meyarivan, "A fast and elitist multiobjective genetic algorithm: NSGA-II",
2002. Sorting, crowding, survival and the tournament are the library's; an individual has a
candidate as its variable, and an objective for each aim.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.evolution.methods.method import ParetoFront
from cardwright.evolution.methods.ranked import RankedSearch
from cardwright.extras import missing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.evolution.methods.method import Judged
    from cardwright.evolution.methods.ranked import Distance, Parents


class ParetoSearch(RankedSearch):
    """NSGA-II with a population of `size`; a share `crossed` of the candidates has two parents.

    `aims` are the names of what the scores are of. The front is that of all candidates told, not of
    the population alone.
    """

    def __init__(
        self, distance: Distance, aims: Sequence[str], size: int = 50, crossed: float = 0.2
    ) -> None:
        super().__init__(distance)
        self.aims = tuple(aims)
        self.crossed = crossed
        self._nsga = Nsga(size, len(self.aims))
        self._front: list[Judged] = []

    def ask(self, count: int, random: np.random.Generator) -> Parents:
        """Return winners of tournaments, one or two for each candidate."""
        couples = random.random(count) < self.crossed
        if not len(self._nsga.population):
            return [(self.original,)] * count
        winners = [judged.candidate for judged in self._nsga.winners(2 * count, random)]
        return [
            tuple(winners[2 * at : 2 * at + (2 if couple else 1)])
            for at, couple in enumerate(couples)
        ]

    def learn(self, generation: Sequence[Judged], living: Sequence[Judged]) -> None:
        """Let the population survive, and keep the front of all."""
        if not living:
            return
        self._nsga.add(living)
        told = {judged.candidate.name: judged for judged in [*living[::-1], *self._front[::-1]]}
        union = list(told.values())[::-1]
        self._front = [union[index] for index in self._nsga.front(union)]

    def elites(self) -> Sequence[Judged]:
        """Return the front, in falling order of the scores, from the first aim on."""
        return sorted(self._front, key=lambda judged: judged.scores, reverse=True)

    def landscape(self) -> ParetoFront | None:
        """Return the front; None if nothing was found."""
        names = tuple(elite.candidate.name for elite in self.elites())
        return ParetoFront(self.aims, names) if names else None


class Nsga:
    """The population of NSGA-II, with judged candidates as its individuals' variables."""

    def __init__(self, size: int, aims: int) -> None:
        try:
            from pymoo.algorithms.moo.nsga2 import NSGA2
            from pymoo.core.population import Population
            from pymoo.core.problem import Problem
            from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting
        except ImportError as error:
            raise missing("pymoo") from error
        self._algorithm = NSGA2(pop_size=size)
        self._problem = Problem(n_var=1, n_obj=aims, vtype=object)
        self._sorting = NonDominatedSorting()
        self._population: Any = Population
        self._generations = 0
        self.population: Any = Population.empty()

    def add(self, living: Sequence[Judged]) -> None:
        """Add candidates, and let as many survive as the population has place for."""
        names = {individual.X[0].candidate.name for individual in self.population}
        fresh: dict[str, Judged] = {}
        for judged in living:
            if judged.candidate.name not in names:
                fresh.setdefault(judged.candidate.name, judged)
        if not fresh:
            return
        variables = np.empty((len(fresh), 1), dtype=object)
        variables[:, 0] = list(fresh.values())
        made = self._population.new("X", variables, "F", losses(list(fresh.values())))
        # Survivors follow from what was told alone, so chance is seeded by the generation's number.
        self.population = self._algorithm.survival.do(
            self._problem,
            self._population.merge(self.population, made),
            n_survive=self._algorithm.pop_size,
            random_state=np.random.default_rng(self._generations),
        )
        self._generations += 1

    def winners(self, count: int, random: np.random.Generator) -> list[Judged]:
        """Return the winners of so many binary tournaments, by dominance and then by crowding."""
        self._algorithm.random_state = random
        picks = self._algorithm.mating.selection.do(
            self._problem, self.population, count, 1,
            to_pop=False, algorithm=self._algorithm, random_state=random,
        )  # fmt: skip
        return [self.population[int(pick)].X[0] for pick in picks[:, 0]]

    def front(self, candidates: Sequence[Judged]) -> list[int]:
        """Return which of some candidates no other dominates, in their order."""
        front = self._sorting.do(losses(candidates), only_non_dominated_front=True)
        return sorted(int(index) for index in front)


def losses(candidates: Sequence[Judged]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the scores with the opposite sign, candidates by aims: the library minimises."""
    return -np.array([judged.scores for judged in candidates], dtype=float)
