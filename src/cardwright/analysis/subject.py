"""Subjects: a game or a variant with everything from its records, alone and side by side."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.measures import NAMED, MeasureResult, NamedMeasure
from cardwright.analysis.records import Traces
from cardwright.analysis.results import MeasureSums, Study, compared, heuristics
from cardwright.analysis.statistics import Statistics, TrickOptions
from cardwright.english import listed
from cardwright.statistics.intervals import LEVEL
from cardwright.syntax.data_files import csv_text as as_csv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cardwright.analysis.measures import Batch
    from cardwright.analysis.records import RunFrames
    from cardwright.analysis.statistics import AwarenessSums
    from cardwright.game.native.random_games import RandomGames
    from cardwright.statistics.ties import Ties

Sum = TypeVar("Sum", MeasureSums, Statistics, TrickOptions)

SAMPLE = 100
"""Games in a figure that shows single games, as in the published ones."""


@dataclass(frozen=True)
class Title:
    """A game's name in a report, and what exactly was played.

    `slug` is its name in files. `settings` are the options that were set, as strings; `digest` is
    that of the program with all its values. `trick_taking` is whether its facts say so: None if it
    has none. `people` is the name as people write it, if that is another one.
    """

    name: str
    slug: str
    game: str
    players: int
    highest_wins: bool = True
    digest: str = ""
    preset: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    trick_taking: bool | None = None
    people: str = ""

    @property
    def shown(self) -> str:
        """The name as people write it, which figures and pages show."""
        return self.people or self.name

    def record(self) -> dict[str, Any]:
        """Return what was played as a JSON object."""
        return {
            "name": self.name,
            "game": self.game,
            "players": self.players,
            "preset": self.preset or None,
            "set": dict(self.settings),
            "digest": self.digest,
        }


@dataclass(frozen=True, eq=False)
class Subject:
    """A game with the data from its records.

    `tallies`, `statistics` and `samples` (the first hundred games) have an item for each batch.
    `tricks` is None where options by trick are not defined, for the reason in `no_tricks`. `bulk`
    are statistics of random games of which only outcomes are known, if any were played. `course` is
    what seats know along a game, if that was recorded. `broken` counts the games of each batch that
    stopped with an error: they are in nothing else.
    """

    title: Title
    tallies: Mapping[Batch, MeasureSums]
    statistics: Mapping[Batch, Statistics]
    samples: Mapping[Batch, Traces]
    rows: list[MeasureResult]
    tricks: TrickOptions | None = None
    no_tricks: str = ""
    bulk: Statistics | None = None
    course: AwarenessSums | None = None
    broken: Mapping[Batch, int] = field(default_factory=dict)

    @property
    def ties(self) -> Ties:
        """How shared wins count in all that it says."""
        return next(iter(self.tallies.values())).study.rules.ties

    @property
    def random(self) -> Statistics:
        """The statistics of as many random games as there are."""
        return self.bulk or self.statistics["RR"]

    @cached_property
    def _by_name(self) -> dict[tuple[str, str, str], MeasureResult]:
        return _known(self.rows)

    def row(self, family: str, name: str, batch: str) -> MeasureResult | None:
        """Return a line of the table that has a value; None if there is none."""
        return self._by_name.get((family, name, batch))

    def result(self, measure: NamedMeasure | str) -> MeasureResult | None:
        """Return the result of a measure, also by its key; None if it has no value."""
        one = (NAMED[measure] if isinstance(measure, str) else measure).counting(self.ties)
        return self.row(one.measure.family, one.measure.name, one.batch)

    def record(self) -> dict[str, Any]:
        """Return all numbers as a JSON object; what has no value is null."""
        course, tricks = self.course, self.tricks
        known = course is not None and course.games
        plain: dict[str, Any] = _plain(
            {
                **self.title.record(),
                "games_with_errors": dict(self.broken),
                "statistics": {batch: part.record() for batch, part in self.statistics.items()},
                "random_games_in_bulk": None if self.bulk is None else self.bulk.record(),
                "measures": [row.record() for row in self.rows],
                "tricks": None if tricks is None else tricks.means().tolist(),
                "unknown_bits": {
                    "games": course.games,
                    "portion": course.grid.tolist(),
                    "seen_now": course.mean("bits").tolist(),
                    "remembered": course.mean("remembered").tolist(),
                }
                if course is not None and known
                else None,
            }
        )
        return plain


def _known(rows: Iterable[MeasureResult]) -> dict[tuple[str, str, str], MeasureResult]:
    return {(row.family, row.name, row.batch): row for row in rows if not math.isnan(row.value)}


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it: NaN and infinities become null."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def subject(
    title: Title,
    records: Mapping[Batch, RunFrames],
    study: Study | None = None,
    bulk: Iterable[RandomGames] = (),
    progress: Callable[[Batch, int, int], object] | None = None,
) -> Subject:
    """Read the records of a game's batches, part by part, and return a subject.

    `bulk` are random games in bulk, of which no decisions are known: they give the lines of `RR`
    that need none. `progress` is given the batch, the deals that were read, and the number of all.
    Raises AnalysisError if there are no finished games.
    """
    how = study or Study()
    tallies: dict[Batch, MeasureSums] = {}
    counts: dict[Batch, Statistics] = {}
    samples: dict[Batch, Traces] = {}
    tricks, why = None, "random games were not recorded"
    for batch, one in records.items():
        samples[batch] = one.first(SAMPLE)
        start = None
        if batch == "RR":
            start, why = trick_start(title, samples[batch])

        def tell(done: int, total: int, batch: Batch = batch) -> None:
            if progress is not None:
                progress(batch, done, total)

        tally = statistics = None
        for part in filter(len, one.parts(progress=tell)):
            tally = _sum(tally, MeasureSums.of(part, how))
            statistics = _sum(statistics, Statistics.of(part))
            if start is not None:
                tricks = _sum(tricks, TrickOptions.of(part, first=start))
        if tally is None or statistics is None:
            raise AnalysisError(f"no game of {title.name} was finished in batch {batch}")
        tallies[batch], counts[batch] = tally, statistics
    rows = heuristics(tallies)
    if title.players == 1:
        rows = [row for row in rows if not math.isnan(row.value)]
    broken = {batch: kept.games - tallies[batch].games for batch, kept in records.items()}
    made = Subject(title, tallies, counts, samples, rows, tricks, why, broken=broken)
    return _with_bulk(made, bulk, how)


def _sum(whole: Sum | None, more: Sum) -> Sum:
    return more if whole is None else whole + more


def _with_bulk(made: Subject, bulk: Iterable[RandomGames], study: Study) -> Subject:
    """Return a subject in which games in bulk, which are more, replace what they measure better."""
    tally = statistics = None
    for block in bulk:
        tally = _sum(tally, MeasureSums.of(Traces.of_random(block), study))
        statistics = _sum(statistics, Statistics.of_random(block))
    if tally is None or statistics is None:
        return made
    better = _known(heuristics({"RR": tally}))
    rows = [better.get((row.family, row.name, row.batch), row) for row in made.rows]
    return replace(made, rows=rows, bulk=statistics)


def trick_start(title: Title, traces: Traces) -> tuple[int | None, str]:
    """Return how many decisions come before the tricks of a game, or None and why it has none.

    A game fits if all its games are equally long, and from there on every seat decides once in each
    round of as many decisions as there are seats. It is the smallest number for which that is so
    and the second round does not always begin with the same seat: after a trick that varies, after
    a round of bids it does not.
    """
    if title.trick_taking is False:
        return None, "it is not a trick-taking game"
    seats, lengths = traces.players, np.unique(traces.lengths)
    if seats < 2 or len(lengths) != 1 or lengths[0] < 2 * seats:
        return None, "its games have different numbers of decisions"
    length = int(lengths[0])
    movers = traces.noted.seat.reshape(len(traces), length)
    for first in range(length % seats, length - seats + 1, seats):
        rounds = movers[:, first:].reshape(len(traces), -1, seats)
        whole = (np.sort(rounds, axis=2) == np.arange(seats)).all()
        if whole and (rounds.shape[1] < 2 or len(np.unique(rounds[:, 1, 0])) > 1):
            return first, ""
    return None, "not every seat plays one card to every trick"


def names_once(titles: Iterable[Title]) -> Iterator[Title]:
    """Yield titles with slugs that differ: the second of equal ones ends in -2, and so on."""
    seen: Counter[str] = Counter()
    for title in titles:
        seen[title.slug] += 1
        number = seen[title.slug]
        yield title if number == 1 else replace(title, slug=f"{title.slug}-{number}")


# Side by side -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class ComparisonCell:
    """A measure of one game: its line, and that of its difference from the first game's, if any.

    The difference is `clear` if its interval as printed excludes 0, or if all deals have the same
    one.
    """

    row: MeasureResult | None
    difference: MeasureResult | None = None
    clear: bool = False


@dataclass(frozen=True, eq=False)
class Comparison:
    """Games side by side. `differences` has the lines of `compared` for each but the first."""

    subjects: Sequence[Subject]
    differences: Sequence[Sequence[MeasureResult]]

    @classmethod
    def of(cls, subjects: Sequence[Subject]) -> Comparison:
        """Compare all games with the first; raises AnalysisError if they are fewer than two."""
        if len(subjects) < 2:
            raise AnalysisError("a comparison needs at least two games")
        first = subjects[0].tallies
        return cls(subjects, [compared(first, one.tallies) for one in subjects[1:]])

    def cells(self, measure: NamedMeasure) -> list[ComparisonCell]:
        """Return a measure of all games."""
        differences = [_line(rows, measure, self.subjects[0]) for rows in self.differences]
        return [
            ComparisonCell(
                subject.result(measure),
                difference,
                difference is not None and difference.printed_side(0.0) != 0,
            )
            for subject, difference in zip(self.subjects, [None, *differences], strict=True)
        ]

    def sentences(self, measures: Iterable[NamedMeasure]) -> Iterator[str]:
        """Yield which of some measures differ clearly from the first game's, game by game.

        The intervals of the differences are widened by Bonferroni's correction, so that of a game
        with the same rules nothing is said in 95 % of comparisons, however many measures there are.
        """
        first, measures = self.subjects[0], list(measures)
        for one, rows in zip(self.subjects[1:], self.differences, strict=True):
            shown = [measure for measure in measures if _line(rows, measure, first) is not None]
            chance = (1 - LEVEL) / max(1, len(shown))
            wider = compared(first.tallies, one.tallies, 1 - chance)
            signs = math.ceil(math.log2(2 / chance))
            sides: dict[int, list[str]] = {1: [], 0: [], -1: []}
            for measure in shown:
                row = _line(wider, measure, first)
                sides[0 if row is None else row.side(0.0, signs)].append(measure.label.lower())
            words = {1: "higher", -1: "lower"}
            said = [
                f"{word} {', '.join(sides[side])}" for side, word in words.items() if sides[side]
            ]
            what = listed(said) or "no clear difference in these measures"
            yield f"{one.title.shown}, compared with {first.title.shown}: {what}."

    def record(self) -> list[dict[str, Any]]:
        """Return all differences as JSON objects: second minus first."""
        first = self.subjects[0].title.name
        return [
            {
                "first": first,
                "second": one.title.name,
                "measures": [row.record() for row in rows],
            }
            for one, rows in zip(self.subjects[1:], self.differences, strict=True)
        ]


def _line(
    rows: Sequence[MeasureResult], measure: NamedMeasure, first: Subject
) -> MeasureResult | None:
    """Return the line of a measure that has a value."""
    one = measure.counting(first.ties)
    return _known(rows).get((one.measure.family, one.measure.name, one.batch))


# All numbers ------------------------------------------------------------------------------------


def numbers(subjects: Sequence[Subject], comparison: Comparison | None) -> dict[str, Any]:
    """Return all numbers as a JSON object; what has no value is null."""
    return {
        "format": "cardwright-analysis",
        "version": 2,
        "ties": subjects[0].ties,
        "games": [one.record() for one in subjects],
        "differences": [] if comparison is None else comparison.record(),
    }


def csv_text(subjects: Iterable[Subject]) -> str:
    """Return the tables of results of all games as CSV, with the game's name first."""
    rows = ([one.title.name, *row.record().values()] for one in subjects for row in one.rows)
    return as_csv(["game", *MeasureResult.__dataclass_fields__], rows)
