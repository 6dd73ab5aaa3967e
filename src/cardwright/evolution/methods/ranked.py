"""Methods that keep the best in one order: random search, hill climbing, lexicase selection."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import insort
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from cardwright.evolution.candidate import DepartureReason

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from cardwright.evolution.candidate import Candidate
    from cardwright.evolution.methods.method import Judged, Landscape

    Distance: TypeAlias = Callable[[Candidate], float]
    """How far a candidate is from the original."""

    Parents: TypeAlias = Sequence[tuple[Candidate, ...]]


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

    def all(self) -> list[Judged]:
        """Return all of them, best first."""
        return [place.judged for place in self._places]

    def add(self, judged: Judged) -> bool:
        """Take in a candidate that is alive; say whether it is the best now."""
        self._told += 1
        candidate = judged.candidate
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
            self._names.remove(self._places.pop().judged.candidate.name)
        return self._places[0] is place


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
    def ask(self, count: int, random: np.random.Generator) -> Parents:
        """Return the parents of the next candidates."""

    def tell(self, generation: Sequence[Judged]) -> None:
        """Learn what became of a generation; the first one is the original alone."""
        if self._original is None:
            self._original = generation[0].evaluated.candidate
        living = [judged for judged in generation if judged.alive]
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


class RandomSearch(RankedSearch):
    """Variations of the original alone. Other methods have to beat it."""

    def ask(self, count: int, random: np.random.Generator) -> Parents:
        """Return the original, so many times."""
        return [(self.original,)] * count

    def learn(self, generation: Sequence[Judged], living: Sequence[Judged]) -> None:
        """Learn nothing: what was found does not lead this search."""


class HillClimbing(RankedSearch):
    """Variations of the `few` best candidates of a climb, each as often as the others.

    A share `fresh` of the candidates are variations of the original itself, so that a change which
    does all at once is found however far the climb has gone. A climb is stuck when `patience`
    candidates in a row were not better than its best, nor as good and nearer to the original. Then
    the next one starts at the original, and the elites stay what they are.

    In a climb, each unit of the distance from the original costs `price` of the total. Without that
    a climb collects changes that each help a little, and ends on a hill far from the original,
    from which the one change that would help much no longer does.
    """

    def __init__(
        self,
        distance: Distance,
        keep: int = 20,
        *,
        few: int = 3,
        fresh: float = 0.2,
        patience: int = 150,
        price: float = 0.1,
    ) -> None:
        super().__init__(distance, keep)
        self.fresh = fresh
        self.patience = patience
        self._new_climb: Callable[[], Ranking] = partial(Ranking, few, distance, price)
        self._climb = self._new_climb()
        self._waited = 0

    def ask(self, count: int, random: np.random.Generator) -> Parents:
        """Return one of the best few of the climb, or the original, for each candidate."""
        few = [judged.candidate for judged in self._climb.all()] or [self.original]
        fresh = random.random(count) < self.fresh
        picks = random.integers(len(few), size=count)
        return [
            (self.original if new else few[pick],) for new, pick in zip(fresh, picks, strict=True)
        ]

    def learn(self, generation: Sequence[Judged], living: Sequence[Judged]) -> None:
        """Climb on, or start anew.

        A candidate that plays like one of an earlier climb has left the pipeline; that one takes
        its place, or the paths of earlier climbs would be closed to this one.
        """
        self._waited += len(generation)
        twins = [self.twin(judged) for judged in generation]
        for judged in [*living, *(twin for twin in twins if twin is not None)]:
            if self._climb.add(judged):
                self._waited = 0
        if self._waited >= self.patience:
            self._climb = self._new_climb()
            self._waited = 0


class LexicaseEvolution(RankedSearch):
    """Epsilon-lexicase selection, for many aims, in a population of `size`.

    Parents are those that are best in some order of aims, and so are survivors. A share `crossed`
    of the candidates has two parents. Spector, "Assessment of problem modality by differential
    performance of lexicase selection", 2012; La Cava, Spector and Danai, "Epsilon-lexicase
    selection for regression", 2016 (the semi-dynamic form: an aim's epsilon is its median absolute
    deviation over the population).
    """

    def __init__(
        self, distance: Distance, keep: int = 20, size: int = 50, crossed: float = 0.2
    ) -> None:
        super().__init__(distance, keep)
        self.size = size
        self.crossed = crossed
        self._population: list[Judged] = []
        self._generations = 0

    def ask(self, count: int, random: np.random.Generator) -> Parents:
        """Return one or two of the population for each candidate."""
        population = [judged.candidate for judged in self._population]
        if not population:
            return [(self.original,)] * count
        scores = np.array([judged.scores for judged in self._population])
        couples = random.random(count) < self.crossed
        return [
            tuple(population[selected(scores, random)] for _ in range(2 if couple else 1))
            for couple in couples
        ]

    def learn(self, generation: Sequence[Judged], living: Sequence[Judged]) -> None:
        """Let those survive that lexicase selection takes, one after another."""
        there = {judged.candidate.name: judged for judged in self._population}
        for judged in living:
            there.setdefault(judged.candidate.name, judged)
        self._population = list(there.values())
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
