"""Subjects: a game or a variant with everything from its records, read once, part by part."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.heuristics import HeuristicRow, heuristics
from cardwright.analysis.statistics import Statistics
from cardwright.analysis.tally import MeasureSums, Study
from cardwright.analysis.traces import Traces
from cardwright.analysis.tricks import TrickOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from cardwright.analysis.awareness import AwarenessSums
    from cardwright.analysis.measure import Batch
    from cardwright.analysis.records import RunFrames
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
