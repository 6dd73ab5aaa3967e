"""Comparisons: games or variants side by side, with their differences from the first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.heuristics import compared
from cardwright.analysis.report.numbers import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.analysis.heuristics import HeuristicRow
    from cardwright.analysis.report.names import NamedMeasure
    from cardwright.analysis.report.subject import Subject


@dataclass(frozen=True)
class ComparisonCell:
    """A measure of one game: its line, and that of its difference from the first game's, if any."""

    row: HeuristicRow | None
    difference: HeuristicRow | None = None

    @property
    def clear(self) -> bool:
        """Whether the interval of the difference excludes 0, or all deals have the same one."""
        return self.difference is not None and self.difference.side(0.0) != 0


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
        found = [ComparisonCell(shown.row(self.subjects[0]))]
        for one, rows in zip(self.subjects[1:], self.differences, strict=True):
            here = [
                row
                for row in rows
                if (row.family, row.name, row.batch) == (shown.family, shown.name, shown.batch)
                and not math.isnan(row.value)
            ]
            found.append(ComparisonCell(shown.row(one), here[0] if here else None))
        return found

    def sentences(self, measures: Sequence[NamedMeasure]) -> Iterator[str]:
        """Yield which of some measures differ clearly from the first game's, game by game."""
        base = self.subjects[0].title.shown
        for at, one in enumerate(self.subjects[1:], 1):
            higher: list[str] = []
            lower: list[str] = []
            for shown in measures:
                cell = self.cells(shown)[at]
                if cell.clear and cell.difference is not None:
                    (higher if cell.difference.value > 0 else lower).append(shown.label.lower())
            said = [
                f"{word} {', '.join(names)}"
                for word, names in (("higher", higher), ("lower", lower))
                if names
            ]
            what = " and ".join(said) if said else "no clear difference in these measures"
            yield f"{one.title.shown}, compared with {base}: {what}."

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
