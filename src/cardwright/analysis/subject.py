"""Subjects: a game or a variant with everything from its records, alone and side by side."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from cardwright.analysis import AnalysisError
from cardwright.analysis.records import Traces
from cardwright.analysis.results import (
    LEVEL,
    HeuristicRow,
    MeasureSums,
    Study,
    compared,
    heuristics,
)
from cardwright.analysis.statistics import Statistics, TrickOptions
from cardwright.syntax.data_files import csv_text as as_csv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from cardwright.analysis.formulas import Batch
    from cardwright.analysis.measures import NamedMeasure
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
    rows: list[HeuristicRow]
    tricks: TrickOptions | None = None
    no_tricks: str = ""
    bulk: Statistics | None = None
    course: AwarenessSums | None = None
    broken: Mapping[Batch, int] = field(default_factory=dict)

    @property
    def ties(self) -> Ties:
        """How shared wins count in all that it says."""
        return next(iter(self.tallies.values())).study.rules.ties

    def row(self, family: str, name: str, batch: str) -> HeuristicRow | None:
        """Return a line of the table that has a value; None if there is none."""
        for row in self.rows:
            if (row.family, row.name, row.batch) == (family, name, batch):
                return None if math.isnan(row.value) else row
        return None


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
        width = None
        if batch == "RR":
            width, why = trick_start(title, samples[batch])
        tally = statistics = None
        for part in one.parts(progress=_telling(progress, batch)):
            if not len(part):
                continue
            tally = _sum(tally, MeasureSums.of(part, how))
            statistics = _sum(statistics, Statistics.of(part))
            if width is not None:
                tricks = _sum(tricks, TrickOptions.of(part, first=width))
        if tally is None or statistics is None:
            raise AnalysisError(f"no game of {title.name} was finished in batch {batch}")
        tallies[batch], counts[batch] = tally, statistics
    rows = heuristics(tallies)
    if title.players == 1:
        rows = [row for row in rows if not math.isnan(row.value)]
    broken = {batch: one.games - tallies[batch].games for batch, one in records.items()}
    made = Subject(title, tallies, counts, samples, rows, tricks, why, broken=broken)
    return _with_bulk(made, bulk, how)


def _sum(whole: Sum | None, more: Sum) -> Sum:
    return more if whole is None else whole + more


def _telling(
    progress: Callable[[Batch, int, int], object] | None, batch: Batch
) -> Callable[[int, int], object] | None:
    if progress is None:
        return None
    return lambda done, total: progress(batch, done, total)


def _with_bulk(made: Subject, bulk: Iterable[RandomGames], study: Study) -> Subject:
    """Return a subject in which games in bulk, which are more, replace what they measure better."""
    tally = statistics = None
    for block in bulk:
        tally = _sum(tally, MeasureSums.of(_outcomes(block), study))
        statistics = _sum(statistics, Statistics.of_random(block))
    if tally is None or statistics is None:
        return made
    better = {
        (row.family, row.name): row
        for row in heuristics({"RR": tally})
        if row.batch == "RR" and not math.isnan(row.value)
    }
    rows = [
        better.get((row.family, row.name), row) if row.batch == "RR" else row for row in made.rows
    ]
    return replace(made, rows=rows, bulk=statistics)


def _outcomes(block: RandomGames) -> Traces:
    """Return games in bulk as traces without decisions."""
    ended = block.ended()
    good = ended.scores if ended.game.highest_wins else -ended.scores
    ranks = (good[:, None, :] > good[:, :, None]).sum(axis=2)
    return Traces(
        deal=ended.numbers.astype(np.int64),
        table=np.zeros(len(ended), np.int64),
        scores=ended.scores,
        ranks=ranks,
        entrants=np.zeros(ended.scores.shape, np.int64),
        lengths=ended.decisions,
    )


def trick_start(title: Title, traces: Traces) -> tuple[int | None, str]:
    """Return how many decisions come before the tricks of a game, or None and why it has none.

    A game fits if all its games are equally long, and from there on every seat decides once in each
    round of as many decisions as there are seats. It is the smallest number for which that is so
    and the second round does not always begin with the same seat: after a trick that varies, after
    a round of bids it does not.
    """
    if title.trick_taking is False:
        return None, "it is not a trick-taking game"
    seats, decisions = traces.players, traces.noted
    lengths = np.unique(traces.lengths)
    if seats < 2 or len(lengths) != 1 or lengths[0] < 2 * seats:
        return None, "its games have different numbers of decisions"
    movers = decisions.seat.reshape(len(traces), int(lengths[0]))
    for first in range(int(lengths[0]) % seats, int(lengths[0]) - seats + 1, seats):
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


FORMAT, VERSION = "cardwright-analysis", 1


def numbers(subjects: Sequence[Subject], comparison: Comparison | None) -> dict[str, Any]:
    """Return all numbers as a JSON object; what has no value is null."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "ties": subjects[0].ties,
        "games": [_game(one) for one in subjects],
        "differences": [] if comparison is None else comparison.record(),
    }


def csv_text(subjects: Iterable[Subject]) -> str:
    """Return the tables of heuristics of all games as CSV, with the game's name first."""
    names = list(HeuristicRow.__dataclass_fields__)
    rows = (
        [one.title.name, *(values[name] for name in names)]
        for one in subjects
        for values in map(record, one.rows)
    )
    return as_csv(["game", *names], rows)


def record(row: HeuristicRow) -> dict[str, Any]:
    """Return a line of the table as a JSON object."""
    return {key: _known(value) for key, value in asdict(row).items()}


def _game(one: Subject) -> dict[str, Any]:
    title, course = one.title, one.course
    return {
        "name": title.name,
        "game": title.game,
        "players": title.players,
        "preset": title.preset or None,
        "set": dict(title.settings),
        "digest": title.digest,
        "games_with_errors": dict(one.broken),
        "statistics": {batch: plain(counts.record()) for batch, counts in one.statistics.items()},
        "random_games_in_bulk": None if one.bulk is None else plain(one.bulk.record()),
        "measures": [record(row) for row in one.rows],
        "tricks": None if one.tricks is None else plain(one.tricks.means().tolist()),
        "unknown_bits": None
        if course is None or not course.games
        else {
            "games": course.games,
            "portion": course.grid.tolist(),
            "seen_now": course.mean("bits").tolist(),
            "remembered": course.mean("remembered").tolist(),
        },
    }


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: NaN and infinities become null."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return _known(value)


def _known(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


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
