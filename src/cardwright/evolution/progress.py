"""How far a search is, for those who wait."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EvolutionProgress:
    """How far a search is: of `total` candidates `done` are finished.

    `final` says that the candidates are the finalists, which are measured again. `measured`
    candidates have passed the funnel so far, in whole generations; `best` is the best sum of scores
    among them, None if there is none, and `elites` is how many elites there are.
    """

    done: int
    total: int
    final: bool
    measured: int
    best: float | None
    elites: int
