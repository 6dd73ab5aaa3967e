"""The interval of fairness and the sentence on it, tried on games with known chances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cardwright.analysis.formulas import MeasureRules, fairness
from cardwright.analysis.records import Traces
from cardwright.analysis.report import verdict
from cardwright.analysis.results import MeasureSums, Study, heuristics
from cardwright.analysis.statistics import Statistics
from cardwright.analysis.subject import Subject, Title

if TYPE_CHECKING:
    from cardwright.statistics.ties import Ties

_RESAMPLES = 200
_CLOSE = 1e-9


@dataclass(frozen=True)
class Chances:
    """Games of `seats`: the first wins alone with a chance of `first`, each other one with another.

    In the share `tied` of games the first seat and another share the win as often as any two do.
    """

    seats: int
    first: float
    tied: float = 0.0

    def __str__(self) -> str:
        what = "equal" if self.fair else f"the first wins {100 * self.first:.0f} %"
        ties = f", {100 * self.tied:.0f} % tied" if self.tied else ""
        return f"{self.seats} seats, {what}{ties}"

    @property
    def fair(self) -> bool:
        """Whether no seat has an advantage."""
        return abs(self.first - 1 / self.seats) < _CLOSE

    def wins(self, ties: Ties) -> float:
        """Return the first seat's chance of a win, with ties counted in this way."""
        shared = self.tied * 2 / self.seats
        return (1 - self.tied) * self.first + (shared if ties == "full" else shared / 2)

    def draw(self, generator: np.random.Generator, games: int) -> Traces:
        """Return games with scores of 1 for winners and 0 for others."""
        scores = np.zeros((games, self.seats), np.int64)
        order = generator.permuted(np.tile(np.arange(self.seats), (games, 1)), axis=1)
        others = 1 + generator.integers(self.seats - 1, size=games)
        alone = np.where(generator.random(games) < self.first, 0, others)
        tied = generator.random(games) < self.tied
        at = np.arange(games)
        scores[at, np.where(tied, order[:, 0], alone)] = 1
        scores[at[tied], order[tied, 1]] = 1
        zeros = np.zeros(games, np.int64)
        return Traces(at, zeros, scores, 1 - scores, 0 * scores, zeros + 1)


def subject_of(traces: Traces, ties: Ties, seed: int = 0) -> Subject:
    """Return random games as a report has them."""
    tally = MeasureSums.of(traces, Study(MeasureRules(ties=ties), _RESAMPLES, seed))
    title = Title("made", "made", "made", traces.players)
    rows = heuristics({"RR": tally})
    return Subject(title, {"RR": tally}, {"RR": Statistics.of(traces)}, {"RR": traces}, rows)


def tried(case: Chances, ties: Ties, games: int, runs: int) -> tuple[float, float, float]:
    """Return how often fairness covers the truth, and the first seat is called worse, and better.

    All are shares of the samples.
    """
    generator = np.random.default_rng([1, games])
    truth = float(fairness(case.wins(ties), case.seats))
    covered = worse = better = 0
    for run in range(runs):
        subject = subject_of(case.draw(generator, games), ties, run)
        row = subject.row("articles", "fairness", "RR")
        assert row is not None
        covered += row.low - _CLOSE <= truth <= row.high + _CLOSE
        said = verdict("fairness", subject)
        worse += "worse off" in said
        better += "better off" in said
    return covered / runs, worse / runs, better / runs


CASES = (
    Chances(2, 1 / 2), Chances(4, 1 / 4), Chances(4, 1 / 4, 0.25), Chances(4, 1 / 4, 0.6),
    Chances(4, 0.2), Chances(4, 0.2, 0.25), Chances(4, 0.3), Chances(4, 0.3, 0.25),
)  # fmt: skip
