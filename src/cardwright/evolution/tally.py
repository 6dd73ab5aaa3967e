"""What generations came to, one after the other: whether they are made just now, or read."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cardwright.evolution.aim import scores
from cardwright.evolution.generation import GenerationSummary, counted_departures
from cardwright.evolution.methods.method import Judged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.evolution.aim import Aim
    from cardwright.evolution.evaluation import Evaluated


class GenerationTally:
    """The candidates that passed the funnel, what is known of all others, and a summary of each.

    `known` are the fingerprints and `names` the names of all candidates so far.
    """

    def __init__(self) -> None:
        self.summaries: list[GenerationSummary] = []
        self.measured: dict[str, Evaluated] = {}
        self.known: set[str] = set()
        self.names: set[str] = set()
        self.best: float | None = None

    @property
    def passed(self) -> int:
        """How many candidates passed the funnel, besides the original."""
        return sum(one.measured for one in self.summaries[1:])

    @property
    def elites(self) -> int:
        """How many elites there are."""
        return self.summaries[-1].elites if self.summaries else 0

    def take(self, judged: Sequence[Judged], elites: int) -> None:
        """Take the next generation, after which there were so many elites."""
        for one in judged:
            self._note(one, original=not self.summaries)
        departures = counted_departures(one.evaluated for one in judged)
        left = sum(one.count for one in departures)
        number = len(self.summaries)
        size = len(judged)
        self.summaries.append(
            GenerationSummary(number, size, size - left, departures, self.best, elites)
        )

    def _note(self, one: Judged, *, original: bool) -> None:
        candidate = one.evaluated.candidate
        if candidate is None:
            return
        self.names.add(candidate.name)
        if one.evaluated.fingerprint:
            self.known.add(one.evaluated.fingerprint)
        if one.evaluated.departure is None or original:
            self.measured[candidate.name] = one.evaluated
        if one.scores and math.isfinite(one.total):
            self.best = one.total if self.best is None else max(self.best, one.total)


def judge(one: Evaluated, aims: Sequence[Aim]) -> Judged:
    """Return an evaluated candidate with its scores; without any if it has left."""
    return Judged(one) if one.departure is not None else Judged(one, scores(aims, one.measures))
