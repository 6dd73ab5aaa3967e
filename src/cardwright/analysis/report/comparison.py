"""Comparisons: games or variants side by side, with their differences from the first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.heuristics import LEVEL, compared
from cardwright.analysis.report.numbers import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.analysis.heuristics import HeuristicRow
    from cardwright.analysis.report.names import NamedMeasure
    from cardwright.analysis.report.subject import Subject


@dataclass(frozen=True)
class ComparisonCell:
    """A measure of one game: its line, and that of its difference from the first game's, if any.

    The difference is `clear` if its interval as printed excludes 0, or if all deals have the same
    one.
    """

    row: HeuristicRow | None
    difference: HeuristicRow | None = None
    clear: bool = False

    @classmethod
    def of(
        cls, shown: NamedMeasure, row: HeuristicRow | None, difference: HeuristicRow | None
    ) -> ComparisonCell:
        """Return the cell of a measure."""
        return cls(row, difference, difference is not None and shown.side(difference, 0.0) != 0)


@dataclass(frozen=True, eq=False)
class Comparison:
    """Games side by side. `differences` has the lines of `compared` for each but the first."""

    subjects: Sequence[Subject]
    differences: Sequence[Sequence[HeuristicRow]]

    @classmethod
    def of(cls, subjects: Sequence[Subject]) -> Comparison:
        """Compare all games with the first; raises AnalysisError if they are fewer than two."""
        if len(subjects) < 2:
            raise AnalysisError("a comparison needs at least two games")
        first = subjects[0].tallies
        return cls(subjects, [compared(first, one.tallies) for one in subjects[1:]])

    def cells(self, shown: NamedMeasure) -> list[ComparisonCell]:
        """Return a measure of all games."""
        counted = shown.counting(self.subjects[0].ties)
        rows = [shown.row(subject) for subject in self.subjects]
        differences = [_line(lines, counted) for lines in self.differences]
        return [
            ComparisonCell.of(shown, row, difference)
            for row, difference in zip(rows, [None, *differences], strict=True)
        ]

    def sentences(self, measures: Iterable[NamedMeasure]) -> Iterator[str]:
        """Yield which of some measures differ clearly from the first game's, game by game.

        The intervals of the differences are widened by Bonferroni's correction, so that of a game
        with the same rules nothing is said in 95 % of comparisons, however many measures there are.
        """
        first = self.subjects[0]
        measures = [measure.counting(first.ties) for measure in measures]
        for one, rows in zip(self.subjects[1:], self.differences, strict=True):
            shown = [measure for measure in measures if _line(rows, measure) is not None]
            chance = (1 - LEVEL) / max(1, len(shown))
            wider = compared(first.tallies, one.tallies, 1 - chance)
            signs = math.ceil(math.log2(2 / chance))
            higher: list[str] = []
            lower: list[str] = []
            for measure in shown:
                row = _line(wider, measure)
                side = 0 if row is None else row.side(0.0, signs)
                if side:
                    (higher if side > 0 else lower).append(measure.label.lower())
            said = [
                f"{word} {', '.join(names)}"
                for word, names in (("higher", higher), ("lower", lower))
                if names
            ]
            what = " and ".join(said) if said else "no clear difference in these measures"
            yield f"{one.title.shown}, compared with {first.title.shown}: {what}."

    def record(self) -> list[dict[str, Any]]:
        """Return all differences as JSON objects: second minus first."""
        first = self.subjects[0].title.name
        return [
            {
                "first": first,
                "second": one.title.name,
                "measures": [record(row) for row in rows],
            }
            for one, rows in zip(self.subjects[1:], self.differences, strict=True)
        ]


def _line(rows: Sequence[HeuristicRow], shown: NamedMeasure) -> HeuristicRow | None:
    """Return the line of a measure that has a value."""
    for row in rows:
        if (row.family, row.name, row.batch) == (shown.family, shown.name, shown.batch):
            return None if math.isnan(row.value) else row
    return None
