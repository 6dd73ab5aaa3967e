"""Statistics of games that need no model: lengths, options, scores, wins, and what seats know.

They are sums and counts, so that statistics of parts add up to those of the whole.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields, replace
from functools import reduce
from math import isnan
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.records import Traces
from cardwright.game.errors import CardwrightError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from cardwright.analysis.records import Integers, Values
    from cardwright.game.native.random_games import RandomGames
    from cardwright.game.whereabouts import Awareness

GROUPS = 10
"""Groups of games whose means show how much they vary, as in CardStock's articles."""

POINTS = 101
"""Points of the grid of a course: every hundredth of a game."""

MEASURES = ("bits", "remembered", "seen", "known")
"""The measures of a course: two uncertainties in bits, and two shares of all cards, from 0 to 1."""

_QUANTILES = {"least": 0.0, "quarter": 0.25, "median": 0.5, "three_quarters": 0.75, "most": 1.0}


class CourseError(CardwrightError):
    """Courses that cannot be added up, or that have no mean."""


@dataclass(frozen=True, eq=False)
class OptionCounts:
    """Numbers of options at the decisions of some games.

    `counts` says how many decisions had each number of options. `by_ply` has a row for every
    decision number, from 0: how many games got that far, and the sum of their options and of its
    squares. `by_seat` has one for every seat: its decisions, their options, and how many of them
    left a single option.
    """

    counts: Counter[int]
    by_ply: Values
    by_seat: Values

    @classmethod
    def of(cls, traces: Traces) -> OptionCounts:
        """Return the options of the recorded decisions."""
        noted = traces.noted
        options = noted.options.astype(np.float64)
        one, single = np.ones(len(noted)), (noted.options == 1).astype(np.float64)
        return cls(
            _counter(noted.options),
            _sums(traces.ply, 0, one, options, options**2),
            _sums(noted.seat, traces.players, one, options, single),
        )

    def __add__(self, other: OptionCounts) -> OptionCounts:
        """Return the options of both."""
        return OptionCounts(
            self.counts + other.counts,
            _added(self.by_ply, other.by_ply),
            _added(self.by_seat, other.by_seat),
        )

    def mean_by_ply(self) -> Values:
        """Return the mean number of options at each decision number, over games that get there."""
        return _quotient(self.by_ply)

    def mean_by_seat(self) -> Values:
        """Return the mean number of options of each seat; NaN for one that never decides."""
        return _quotient(self.by_seat)


@dataclass(frozen=True, eq=False)
class Statistics:
    """The outcomes of some games, and the options on the way.

    `lengths` counts games by their number of decisions, and `scores` has for each seat how many
    games ended with each score. `with_score` counts games in which some seat has a certain score: a
    moon of Hearts, say. `ranks[s, r]` is how often seat s had rank r. `wins` has for each seat its
    wins with ties in full, `shared` those with 1/k for each of k winners, and `tied` is in how many
    games the first place was shared. `decisions`, `choices` and `single` are the decisions of all
    games, their options in total, and those that left one option; they are 0 if not recorded, and
    then `options` is None. It is also None where only sums are known, as for random games in bulk.
    """

    games: int
    lengths: Counter[int]
    scores: tuple[Counter[int], ...]
    with_score: Counter[int]
    ranks: Integers
    wins: Integers
    shared: Values
    tied: int
    decisions: int = 0
    choices: int = 0
    single: int = 0
    options: OptionCounts | None = None

    @classmethod
    def of(cls, traces: Traces) -> Statistics:
        """Return the statistics of some games."""
        best, ordered = traces.ranks == 0, np.sort(traces.scores, axis=1)
        first = np.ones(ordered.shape, bool)
        first[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
        every = np.arange(traces.players)
        made = cls(
            games=len(traces),
            lengths=_counter(traces.lengths),
            scores=tuple(_counter(scores) for scores in traces.scores.T),
            with_score=_counter(ordered[first]),
            ranks=(traces.ranks[:, :, None] == every).sum(axis=0),
            wins=best.sum(axis=0),
            shared=traces.wins.sum(axis=0),
            tied=int((best.sum(axis=1) > 1).sum()),
        )
        if traces.decisions is None:
            return made
        options = traces.decisions.options
        return replace(
            made,
            decisions=len(options),
            choices=int(options.sum()),
            single=int((options == 1).sum()),
            options=OptionCounts.of(traces),
        )

    @classmethod
    def of_random(cls, games: RandomGames) -> Statistics:
        """Return the statistics of random games in bulk; those that broke a rule are left out."""
        ended = games.ended()
        return replace(
            cls.of(Traces.of_random(games)),
            decisions=int(ended.decisions.sum()),
            choices=int(ended.option_sums.sum()),
            single=int(ended.single_sums.sum()),
        )

    def __add__(self, other: Statistics) -> Statistics:
        """Return the statistics of both; options are known if both have them."""
        if len(self.scores) != len(other.scores):
            raise AnalysisError("statistics of different numbers of players cannot be added")
        summed: dict[str, Any] = {
            field.name: getattr(self, field.name) + getattr(other, field.name)
            for field in fields(self)
            if field.name not in {"scores", "options"}
        }
        both = self.options is not None and other.options is not None
        return Statistics(
            scores=tuple(map(add, self.scores, other.scores)),
            options=self.options + other.options if both else None,  # type: ignore[operator]
            **summed,
        )

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.scores)

    @property
    def mean_length(self) -> float:
        """Decisions per game."""
        return _mean(self.lengths)

    @property
    def branching(self) -> float:
        """Options per decision; NaN if they are not known."""
        return self.choices / self.decisions if self.decisions else float("nan")

    @property
    def forced(self) -> float:
        """The share of decisions that left one option; NaN if it is not known."""
        return self.single / self.decisions if self.decisions else float("nan")

    def mean_scores(self) -> list[float]:
        """Return the mean score of each seat."""
        return [_mean(counts) for counts in self.scores]

    def all_scores(self) -> Counter[int]:
        """Return how often each score was made, by any seat."""
        return sum(self.scores, Counter())

    def share_with(self, score: int) -> float:
        """Return the share of games in which some seat has this score."""
        return self.with_score[score] / self.games if self.games else float("nan")

    def record(self) -> dict[str, Any]:
        """Return the most useful numbers as a JSON object."""
        games, options = max(self.games, 1), self.options
        by_seat = None if options is None else options.mean_by_seat().tolist()
        return {
            "games": self.games,
            "length": _spread(self.lengths),
            "branching": self.branching if self.decisions else None,
            "forced": self.forced if self.decisions else None,
            "options": None if options is None else _quantiles(options.counts),
            "options_by_decision": None if options is None else options.mean_by_ply().tolist(),
            "options_by_seat": by_seat and [None if isnan(mean) else mean for mean in by_seat],
            "score_by_seat": self.mean_scores(),
            "score": _spread(self.all_scores()),
            "ranks_by_seat": (self.ranks / games).tolist(),
            "wins_by_seat": (self.wins / games).tolist(),
            "shared_wins_by_seat": (self.shared / games).tolist(),
            "ties_for_first": self.tied / games,
            "every_decision": options is not None,
        }


def statistics(parts: Iterable[Traces]) -> Statistics:
    """Return the statistics of all parts, read in order.

    Raises AnalysisError if there is no game at all.
    """
    counted = [Statistics.of(part) for part in parts if len(part)]
    if not counted:
        raise AnalysisError("there are no finished games in these records")
    return reduce(add, counted)


def quantile(counts: Counter[int], share: float) -> int:
    """Return the smallest number that this share of the counts does not exceed.

    Raises ValueError if nothing was counted.
    """
    if not counts:
        raise ValueError("nothing was counted")
    below, need = 0, share * counts.total()
    for number in sorted(counts):
        below += counts[number]
        if below >= need:
            break
    return number


def _mean(counts: Counter[int]) -> float:
    total = counts.total()
    return sum(value * times for value, times in counts.items()) / total if total else float("nan")


def _quantiles(counts: Counter[int]) -> dict[str, int]:
    return {name: quantile(counts, share) for name, share in _QUANTILES.items() if counts}


def _spread(counts: Counter[int]) -> dict[str, float]:
    return {"mean": _mean(counts), **_quantiles(counts)}


def _counter(numbers: Integers) -> Counter[int]:
    values, counts = np.unique(numbers, return_counts=True)
    return Counter(dict(zip(values.tolist(), counts.tolist(), strict=True)))


def _sums(at: Integers, least: int, *columns: Values) -> Values:
    """Return sums of columns by a number, one row for each number."""
    sums: Values = np.stack(
        [np.bincount(at, column, minlength=least) for column in columns], axis=1
    )
    return sums


def _added(some: Values, others: Values) -> Values:
    """Return the sum of two tables, of which one may have more rows."""
    longer, shorter = sorted((some, others), key=len, reverse=True)
    whole: Values = longer.copy()
    whole[: len(shorter)] += shorter
    return whole


def _quotient(sums: Values) -> Values:
    """Return the sums in the second column of the last axis by the numbers in the first."""
    with np.errstate(invalid="ignore"):
        means: Values = sums[..., 1] / sums[..., 0]
    return means


# Options by trick, where every seat plays one card to every trick ---------------------------------


@dataclass(frozen=True, eq=False)
class TrickOptions:
    """Sums of options, of shape (tricks, groups, 2, 2).

    The third axis is the leader and the others, the fourth their decisions and their options.
    Games are put into groups by the numbers of their deals.
    """

    sums: Values

    @classmethod
    def of(
        cls, traces: Traces, per_trick: int | None = None, first: int = 0, groups: int = GROUPS
    ) -> TrickOptions:
        """Return the sums over some games.

        A trick has `per_trick` decisions, by default as many as seats, of which the first is the
        leader's. The `first` decisions of each game are not tricks: passing, say. Raises
        AnalysisError for impossible numbers.
        """
        width = traces.players if per_trick is None else per_trick
        if width < 1 or first < 0 or groups < 1:
            raise AnalysisError("a trick has 1 decision or more, and no less than 0 come before")
        played = traces.ply >= first
        trick, within = np.divmod(traces.ply[played] - first, width)
        group = traces.deal[traces.noted.game[played]] % groups
        count = int(trick.max(initial=-1)) + 1
        key = (trick * groups + group) * 2 + (within != 0)
        options = traces.noted.options[played].astype(np.float64)
        sums = _sums(key, count * groups * 2, np.ones(len(key)), options)
        return cls(sums.reshape(count, groups, 2, 2))

    def __add__(self, other: TrickOptions) -> TrickOptions:
        """Return the sums over both."""
        return TrickOptions(_added(self.sums, other.sums))

    def means(self) -> Values:
        """Return the mean options by trick of the leader and of the others: shape (tricks, 2)."""
        return _quotient(self.sums.sum(axis=1))

    def deviations(self) -> Values:
        """Return the standard deviations of the groups' means, of the same shape.

        It is how much the means of a tenth of the games vary, not a standard error of the whole.
        NaN for a single group.
        """
        means = _quotient(self.sums)
        known = (~np.isnan(means)).sum(axis=1)
        middle = np.nansum(means, axis=1) / np.maximum(known, 1)
        squares = np.nansum((means - middle[:, None]) ** 2, axis=1)
        spread: Values = np.sqrt(squares / np.where(known > 1, known - 1, np.nan))
        return spread


def tricks(
    parts: Iterable[Traces], per_trick: int | None = None, first: int = 0, groups: int = GROUPS
) -> TrickOptions:
    """Return the sums over all parts; see `TrickOptions.of`."""
    counted = [TrickOptions.of(part, per_trick, first, groups) for part in parts]
    if not counted:
        raise AnalysisError("there are no finished games in these records")
    return reduce(add, counted)


# What seats know along games --------------------------------------------------------------------


def resampled(values: Values, points: int = POINTS) -> Values:
    """Return values at N decisions, (N, P), at evenly spaced portions of the game, (points, P)."""
    count = len(values)
    if not count:
        raise CourseError("there is no course of a game without decisions")
    portion, grid = np.linspace(0, 1, count), np.linspace(0, 1, points)
    return np.column_stack([np.interp(grid, portion, column) for column in values.T])


def measures(awareness: Awareness) -> dict[str, Values]:
    """Return the four measures of a game by name, each (N, P)."""
    seen, known = (
        count / max(len(awareness.cards), 1) for count in (awareness.seen, awareness.known)
    )
    columns = (awareness.bits, awareness.remembered, seen, known)
    return dict(zip(MEASURES, columns, strict=True))


def who_knows(awareness: Awareness, seat: int) -> NDArray[np.uint8]:
    """Return what a seat knows about each card at each decision, (C, N): codes of `Sight`."""
    return np.ascontiguousarray(awareness.sights[:, seat, :].T)


@dataclass(frozen=True, eq=False)
class AwarenessSums:
    """Sums over games on a grid, for each of `MEASURES`: (4, points, P) of values and of squares.

    Courses of parts of the games add up to that of all of them. Games without decisions are counted
    in `idle` and nowhere else.
    """

    games: int
    idle: int
    sums: Values
    squares: Values

    @classmethod
    def none(cls, players: int, points: int = POINTS) -> AwarenessSums:
        """Return the course of no games at all."""
        if points < 2:
            raise CourseError(f"a course has at least two points, not {points}")
        nothing = np.zeros((len(MEASURES), points, players))
        return cls(0, 0, nothing, nothing)

    @classmethod
    def of(cls, games: Iterable[Awareness], players: int, points: int = POINTS) -> AwarenessSums:
        """Return the course of games, which are taken one by one and not kept."""
        return reduce(cls.with_game, games, cls.none(players, points))

    @property
    def grid(self) -> Values:
        """The portions of the game, from 0 to 1, (points)."""
        return np.linspace(0, 1, self.sums.shape[1])

    def with_game(self, awareness: Awareness) -> AwarenessSums:
        """Return the course with one more game."""
        if not len(awareness):
            return replace(self, idle=self.idle + 1)
        columns = measures(awareness).values()
        sums = np.stack([resampled(column, self.sums.shape[1]) for column in columns])
        return self + AwarenessSums(1, 0, sums, sums**2)

    def __add__(self, other: AwarenessSums) -> AwarenessSums:
        """Return the course of the games of both; raises CourseError for unlike ones."""
        shapes = self.sums.shape[1:], other.sums.shape[1:]
        if shapes[0] != shapes[1]:
            raise CourseError(
                "courses of games with different numbers of players, or with different grids, "
                f"cannot be added up: {shapes[0]} and {shapes[1]} points and players"
            )
        names = [field.name for field in fields(self)]
        return AwarenessSums(*(getattr(self, name) + getattr(other, name) for name in names))

    def mean(self, measure: str) -> Values:
        """Return the mean of a measure over the games, (points, P); raises CourseError if none."""
        if not self.games:
            raise CourseError("there is no mean over no games: add at least one")
        mean: Values = self.sums[MEASURES.index(measure)] / self.games
        return mean

    def error(self, measure: str) -> Values:
        """Return the standard error of that mean, (points, P); NaN for a single game."""
        mean, squares = self.mean(measure), self.squares[MEASURES.index(measure)]
        if self.games < 2:
            return np.full_like(mean, np.nan)
        spread = np.maximum(squares - self.games * mean**2, 0) / (self.games - 1)
        return np.asarray(np.sqrt(spread / self.games))
