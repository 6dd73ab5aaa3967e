"""Random search: every candidate is a variation of the original. Other methods have to beat it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.evolution.methods.ranked import RankedSearch

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from cardwright.evolution.candidate import Candidate
    from cardwright.evolution.methods.method import Judged


class RandomSearch(RankedSearch):
    """Variations of the original alone."""

    def ask(
        self,
        count: int,
        random: np.random.Generator,
    ) -> Sequence[tuple[Candidate, ...]]:
        """Return the original, so many times."""
        return [(self.original,)] * count

    def learn(self, generation: Sequence[Judged], living: Sequence[Judged]) -> None:
        """Learn nothing: what was found does not lead this search."""
