"""Hill climbing: variations of the best few, and a new start at the original when that is stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.evolution.methods.ranked import RankedSearch
from cardwright.evolution.methods.ranking import Ranking, candidate_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from cardwright.evolution.candidate import Candidate
    from cardwright.evolution.methods.method import Judged
    from cardwright.evolution.methods.ranking import Distance


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
        self.few = few
        self.fresh = fresh
        self.patience = patience
        self.price = price
        self._climb = Ranking(few, distance, price)
        self._waited = 0

    def ask(self, count: int, random: np.random.Generator) -> Sequence[tuple[Candidate, ...]]:
        """Return one of the best few of the climb, or the original, for each candidate."""
        few = [candidate_of(judged) for judged in self._climb.all()] or [self.original]
        fresh = random.random(count) < self.fresh
        picks = random.integers(len(few), size=count)
        return [
            (self.original if new else few[pick],) for new, pick in zip(fresh, picks, strict=True)
        ]

    def learn(self, generation: Sequence[Judged], living: Sequence[Judged]) -> None:
        """Climb on, or start anew.

        A candidate that plays like one of an earlier climb has left the funnel; that one takes its
        place, or the paths of earlier climbs would be closed to this one.
        """
        self._waited += len(generation)
        twins = [self.twin(judged) for judged in generation]
        for judged in [*living, *(twin for twin in twins if twin is not None)]:
            if self._climb.add(judged):
                self._waited = 0
        if self._waited >= self.patience:
            self._climb = Ranking(self.few, self.distance, self.price)
            self._waited = 0
