"""What a search has found: its elites beside the original, and how they came about."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright.authoring.rule_difference import explained
from cardwright.english import counted, number
from cardwright.evolution.aim import scores
from cardwright.evolution.errors import EvolutionError
from cardwright.evolution.generation import all_departures
from cardwright.evolution.methods.method import Judged
from cardwright.extras import in_pandas, need
from cardwright.markup.element import display, element, heading, joined, note, table
from cardwright.markup.numbers import ShownInterval, mean_and_ends

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import pandas as pd
    import polars as pl

    from cardwright.evolution.candidate import Candidate, Evaluated
    from cardwright.evolution.generation import DepartureCount, EvolutionTiming, GenerationSummary
    from cardwright.evolution.methods.method import Landscape
    from cardwright.evolution.plan import EvolutionPlan
    from cardwright.game.game import Game
    from cardwright.markup.element import Html
    from cardwright.statistics.intervals import Estimate

_ENDS = ("", "_low", "_high")
"""What follows the name of a measure in the columns of the table of elites."""

_SHOWN = 10
"""So many elites stand in a display: each is compared with the original, in 0.1 s or so."""


@dataclass(frozen=True)
class Elite:
    """A candidate that a search has kept, or its original.

    `judged` is what the search saw, by which the candidate was chosen: of many, the chosen look
    better than they are. `again` is what other games from fresh seeds said of it, which is free of
    that; None for elites that are not among the finalists.
    """

    judged: Judged
    again: Judged | None = None

    @property
    def candidate(self) -> Candidate:
        """Its rules."""
        return self.judged.candidate

    @property
    def name(self) -> str:
        """The name of its candidate: twelve hexadecimal digits."""
        return self.candidate.name

    @property
    def measures(self) -> Mapping[str, Estimate]:
        """What is to be reported of it: the second measures, or the first if that is all."""
        return (self.again or self.judged).evaluated.measures

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object, without its rules."""
        return {
            "name": self.name,
            "parents": list(self.candidate.parents),
            "changes": [asdict(change) for change in self.candidate.changes],
            "search": _judged_record(self.judged),
            "again": None if self.again is None else _judged_record(self.again),
        }

    def row(self, *, original: bool) -> dict[str, Any]:
        """Return this as a row of the table of elites."""
        total, again = (
            None if judged is None or not judged.scores else judged.total
            for judged in (self.judged, self.again)
        )
        values = {
            f"{name}{end}": value
            for name, estimate in self.measures.items()
            for end, value in zip(_ENDS, (estimate.mean, estimate.low, estimate.high), strict=True)
        }
        start = {"name": self.name, "original": original, "total": total, "total_again": again}
        return {**start, **values}


def _judged_record(judged: Judged) -> dict[str, Any]:
    left = judged.evaluated.departure
    return {
        "scores": [score if math.isfinite(score) else None for score in judged.scores],
        "left": None if left is None else asdict(left),
        "measures": {key: estimate.record() for key, estimate in judged.evaluated.measures.items()},
    }


@dataclass(frozen=True, eq=False)
class Evolution:
    """A search that was carried out.

    `original` is the game it began with and `elites` are what it found, best first, of which
    `landscape` is the map or the front, if the method makes one. `generations` begins with the
    original alone. `measured` has all candidates that passed the funnel, and the original, by name.
    `folder` is where the records are, if they are kept; `timing` says where the time went, as far
    as it is known.
    """

    plan: EvolutionPlan
    original: Elite
    elites: tuple[Elite, ...]
    generations: tuple[GenerationSummary, ...]
    measured: Mapping[str, Evaluated] = field(repr=False)
    landscape: Landscape | None = None
    folder: Path | None = None
    timing: EvolutionTiming | None = None

    def __repr__(self) -> str:
        return f"<Evolution of {self.plan.name}, {counted(len(self.elites), 'elite')}>"

    def _repr_html_(self) -> str:
        return evolution_html(self)

    @property
    def candidates(self) -> int:
        """How many candidates were made in all."""
        return sum(generation.candidates for generation in self.generations[1:])

    @property
    def departures(self) -> tuple[DepartureCount, ...]:
        """How many candidates left at which step of the funnel, and why."""
        return all_departures(self.generations)

    @property
    def finalists(self) -> tuple[Elite, ...]:
        """The elites that were measured again."""
        return tuple(elite for elite in self.elites if elite.again is not None)

    def candidate(self, name: str) -> Candidate:
        """Return a measured candidate by its name, or the beginning of it.

        Raises EvolutionError if there is none, or several.
        """
        names = [candidate for candidate in self.measured if candidate.startswith(name)]
        if len(names) != 1 or not name:
            many = "more than one candidate begins" if names and name else "no candidate begins"
            raise EvolutionError(f"{many} with {name!r}: take a name from the table of elites")
        return Judged(self.measured[names[0]]).candidate

    def total(self, name: str) -> float:
        """Return the sum of the scores of a measured candidate, as the search saw it."""
        return sum(scores(self.plan.aims, self.measured[name].measures))

    def lineage(self, name: str) -> tuple[Candidate, ...]:
        """Return the ancestors of a candidate by first parents, from the original to itself.

        Raises EvolutionError if there is no such candidate.
        """
        line = [self.candidate(name)]
        while line[-1].parents and line[-1].parents[0] in self.measured:
            line.append(self.candidate(line[-1].parents[0]))
        return tuple(reversed(line))

    def game(self, name: str) -> Game:
        """Return a candidate as a game; raises EvolutionError if there is no such candidate."""
        from cardwright.game.game import Game

        candidate = self.candidate(name)
        return Game.from_text(candidate.text, name=f"{self.plan.name}-{candidate.name}")

    def record(self) -> dict[str, Any]:
        """Return what was found as a JSON object, without the rules of the candidates."""
        return {
            "game": self.plan.name,
            "seed": str(self.plan.seed),
            "aims": [aim.text for aim in self.plan.aims],
            "method": self.plan.method,
            "candidates": self.candidates,
            "original": self.original.record(),
            "elites": [elite.record() for elite in self.elites],
            "departures": [asdict(departure) for departure in self.departures],
            "generations": [asdict(generation) for generation in self.generations],
        }

    def to_polars(self) -> pl.DataFrame:
        """Return the original and the elites as a table; raises MissingExtraError without polars.

        A row has the name, the sum of scores in the search and of the second measurement, and for
        each measure its mean and interval, of the second measurement where there was one.
        """
        need("polars")
        import polars

        everyone = (self.original, *self.elites)
        names = dict.fromkeys(name for elite in everyone for name in elite.measures)
        numbers = ["total", "total_again", *(f"{one}{end}" for one in names for end in _ENDS)]
        schema = {"name": polars.String, "original": polars.Boolean}
        return polars.DataFrame(
            [elite.row(original=elite is self.original) for elite in everyone],
            schema={**schema, **dict.fromkeys(numbers, polars.Float64)},
        )

    def to_pandas(self) -> pd.DataFrame:
        """Return what `to_polars` does in pandas; raises MissingExtraError without either."""
        return in_pandas(self.to_polars)


def evolution_html(found: Evolution) -> str:
    """Return the original and the best elites: how rules differ, and what the aims are about."""
    plan = found.plan
    measures = list(dict.fromkeys(aim.measure for aim in plan.aims))
    aims, candidates = (
        ", ".join(aim.text for aim in plan.aims),
        counted(found.candidates, "candidate"),
    )
    shown = found.elites[:_SHOWN]
    rows = [("", "the original", "", *_measured(found.original, measures))]
    rows += [
        (elite.name, _changes(found, elite), _score(elite), *_measured(elite, measures))
        for elite in shown
    ]
    more = len(found.elites) - len(shown)
    said = "[ ] are 95 % intervals; of finalists, from games that had no part in the choice."
    return display(
        heading(f"Games near {plan.name}", aims, plan.method, candidates, f"seed {plan.seed}"),
        table(("name", "rules", "score", *measures), rows, texts=2),
        note(said + (f" {more} more elites are in table()." if more else "")),
    )


def _measured(elite: Elite, measures: list[str]) -> list[Html | str]:
    found = [elite.measures.get(name) for name in measures]
    return [
        "–" if one is None else mean_and_ends(ShownInterval(one.mean, one.low, one.high), 3)
        for one in found
    ]


def _changes(found: Evolution, elite: Elite) -> Html:
    changes = explained(found.original.candidate.text, elite.candidate.text)
    return joined(*(element("div", change.sentence) for change in changes))


def _score(elite: Elite) -> str:
    judged = elite.again or elite.judged
    return number(judged.total if judged.scores else None, 3)
