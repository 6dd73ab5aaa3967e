"""Statistics of games that need no model: lengths, options, scores, wins, what seats know."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.analysis import AnalysisError
from cardwright.game.errors import CardwrightError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.analysis.records import Integers, Traces, Values
    from cardwright.game.native.random_games import RandomGames
    from cardwright.game.whereabouts import Awareness

    Floats: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"
    Codes: TypeAlias = "np.ndarray[Any, np.dtype[np.uint8]]"


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
        single = (noted.options == 1).astype(np.float64)
        one = np.ones(len(noted))
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
        means: Values = self.by_ply[:, 1] / self.by_ply[:, 0]
        return means

    def mean_by_seat(self) -> Values:
        """Return the mean number of options of each seat; NaN for one that never decides."""
        with np.errstate(invalid="ignore"):
            means: Values = self.by_seat[:, 1] / self.by_seat[:, 0]
        return means


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
    options: OptionCounts | None = field(default=None)

    @classmethod
    def of(cls, traces: Traces) -> Statistics:
        """Return the statistics of some games."""
        made = _of_outcomes(traces.lengths, traces.scores, traces.ranks)
        if traces.decisions is None:
            return made
        counts = traces.decisions.options
        return _with(
            made,
            decisions=len(counts),
            choices=int(counts.sum()),
            single=int((counts == 1).sum()),
            options=OptionCounts.of(traces),
        )

    @classmethod
    def of_random(cls, games: RandomGames) -> Statistics:
        """Return the statistics of random games in bulk; those that broke a rule are left out."""
        ended = games.ended()
        good = ended.scores if ended.game.highest_wins else -ended.scores
        ranks = (good[:, None, :] > good[:, :, None]).sum(axis=2)
        return _with(
            _of_outcomes(ended.decisions, ended.scores, ranks),
            decisions=int(ended.decisions.sum()),
            choices=int(ended.option_sums.sum()),
            single=int(ended.single_sums.sum()),
        )

    def __add__(self, other: Statistics) -> Statistics:
        """Return the statistics of both; options are known if both have them."""
        if len(self.scores) != len(other.scores):
            raise AnalysisError("statistics of different numbers of players cannot be added")
        options = None
        if self.options is not None and other.options is not None:
            options = self.options + other.options
        summed: dict[str, Any] = {
            one.name: getattr(self, one.name) + getattr(other, one.name)
            for one in fields(self)
            if one.name not in {"scores", "options"}
        }
        seats = zip(self.scores, other.scores, strict=True)
        scores = tuple(mine + theirs for mine, theirs in seats)
        return Statistics(scores=scores, options=options, **summed)

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

    def share_with(self, score: int) -> float:
        """Return the share of games in which some seat has this score."""
        return self.with_score[score] / self.games if self.games else float("nan")

    def record(self) -> dict[str, Any]:
        """Return the most useful numbers as a JSON object."""
        games = max(self.games, 1)
        known = self.options is not None
        return {
            "games": self.games,
            "length": {"mean": self.mean_length, **_quantiles(self.lengths)},
            "branching": self.branching if self.decisions else None,
            "forced": self.forced if self.decisions else None,
            "options": _quantiles(self.options.counts) if self.options else None,
            "options_by_decision": self.options.mean_by_ply().tolist() if self.options else None,
            "options_by_seat": _known(self.options.mean_by_seat()) if self.options else None,
            "score_by_seat": self.mean_scores(),
            "score": {"mean": _mean(self.all_scores()), **_quantiles(self.all_scores())},
            "ranks_by_seat": (self.ranks / games).tolist(),
            "wins_by_seat": (self.wins / games).tolist(),
            "shared_wins_by_seat": (self.shared / games).tolist(),
            "ties_for_first": self.tied / games,
            "every_decision": known,
        }

    def all_scores(self) -> Counter[int]:
        """Return how often each score was made, by any seat."""
        return sum(self.scores, Counter())


def statistics(parts: Iterable[Traces]) -> Statistics:
    """Return the statistics of all parts, read in order.

    Raises AnalysisError if there is no game at all.
    """
    whole = None
    for part in parts:
        if len(part):
            more = Statistics.of(part)
            whole = more if whole is None else whole + more
    if whole is None:
        raise AnalysisError("there are no finished games in these records")
    return whole


def quantile(counts: Counter[int], share: float) -> int:
    """Return the smallest number that this share of the counts does not exceed.

    Raises ValueError if nothing was counted.
    """
    if not counts:
        raise ValueError("nothing was counted")
    need = share * counts.total()
    below = 0
    for number in sorted(counts):
        below += counts[number]
        if below >= need:
            return number
    return max(counts)


def _of_outcomes(lengths: Integers, scores: Integers, ranks: Integers) -> Statistics:
    players = ranks.shape[1]
    best = ranks == 0
    winners = best.sum(axis=1, keepdims=True)
    table = [
        [int((ranks[:, seat] == rank).sum()) for rank in range(players)] for seat in range(players)
    ]
    ordered = np.sort(scores, axis=1)
    again = np.zeros(ordered.shape, bool)
    again[:, 1:] = ordered[:, 1:] == ordered[:, :-1]
    return Statistics(
        games=len(lengths),
        lengths=_counter(lengths),
        scores=tuple(_counter(scores[:, seat]) for seat in range(players)),
        with_score=_counter(ordered[~again]),
        ranks=np.array(table, np.int64).reshape(players, players),
        wins=best.sum(axis=0),
        shared=(best / np.maximum(winners, 1)).sum(axis=0),
        tied=int((winners > 1).sum()),
    )


def _with(statistics: Statistics, **changed: Any) -> Statistics:
    kept = {one.name: getattr(statistics, one.name) for one in fields(statistics)}
    return Statistics(**{**kept, **changed})


def _counter(numbers: Integers) -> Counter[int]:
    values, counts = np.unique(numbers, return_counts=True)
    return Counter(dict(zip(values.tolist(), counts.tolist(), strict=True)))


def _sums(at: Integers, least: int, *columns: Values) -> Values:
    """Return sums of columns by a number, one row for each number."""
    sums: Values = np.stack([np.bincount(at, one, minlength=least) for one in columns], axis=1)
    return sums


def _added(some: Values, others: Values) -> Values:
    """Return the sum of two tables, of which one may have more rows."""
    longer, shorter = (some, others) if len(some) >= len(others) else (others, some)
    whole = longer.copy()
    whole[: len(shorter)] += shorter
    return whole


def _mean(counts: Counter[int]) -> float:
    total = counts.total()
    return sum(value * times for value, times in counts.items()) / total if total else float("nan")


def _known(values: Values) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]


def _quantiles(counts: Counter[int]) -> dict[str, int]:
    if not counts:
        return {}
    shares = {"least": 0.0, "quarter": 0.25, "median": 0.5, "three_quarters": 0.75, "most": 1.0}
    return {name: quantile(counts, share) for name, share in shares.items()}


GROUPS = 10
"""Groups of games whose means show how much they vary, as in CardStock's articles."""


@dataclass(frozen=True, eq=False)
class TrickOptions:
    """Sums of options, of shape (groups, tricks, 2, 2).

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
        at = traces.ply - first
        played = at >= 0
        trick = at[played] // width
        other = (at[played] % width != 0).astype(np.int64)
        group = traces.deal[traces.noted.game[played]] % groups
        count = int(trick.max(initial=-1)) + 1
        key = (group * count + trick) * 2 + other
        size = groups * count * 2
        options = traces.noted.options[played].astype(np.float64)
        sums = np.stack([np.bincount(key, minlength=size), np.bincount(key, options, size)], axis=1)
        return cls(sums.astype(np.float64).reshape(groups, count, 2, 2))

    def __add__(self, other: TrickOptions) -> TrickOptions:
        """Return the sums over both."""
        longer, shorter = sorted((self.sums, other.sums), key=lambda sums: -sums.shape[1])
        whole = longer.copy()
        whole[:, : shorter.shape[1]] += shorter
        return TrickOptions(whole)

    def means(self) -> Values:
        """Return the mean options by trick of the leader and of the others: shape (tricks, 2)."""
        return _quotient(self.sums.sum(axis=0))

    def deviations(self) -> Values:
        """Return the standard deviations of the groups' means, of the same shape.

        It is how much the means of a tenth of the games vary, not a standard error of the whole.
        NaN for a single group.
        """
        means = _quotient(self.sums)
        known = (~np.isnan(means)).sum(axis=0)
        middle = np.nansum(means, axis=0) / np.maximum(known, 1)
        squares = np.nansum((means - middle) ** 2, axis=0)
        spread: Values = np.sqrt(squares / np.where(known > 1, known - 1, np.nan))
        return spread


def tricks(
    parts: Iterable[Traces], per_trick: int | None = None, first: int = 0, groups: int = GROUPS
) -> TrickOptions:
    """Return the sums over all parts; see `TrickOptions.of`."""
    whole = None
    for part in parts:
        more = TrickOptions.of(part, per_trick, first, groups)
        whole = more if whole is None else whole + more
    if whole is None:
        raise AnalysisError("there are no finished games in these records")
    return whole


def _quotient(sums: Values) -> Values:
    with np.errstate(invalid="ignore"):
        means: Values = sums[..., 1] / sums[..., 0]
    return means


POINTS = 101
"""Points of the grid: every hundredth of a game."""

MEASURES = ("bits", "remembered", "seen", "known")
"""The measures of a course: two uncertainties in bits, and two shares of all cards, from 0 to 1."""


class CourseError(CardwrightError):
    """Courses that cannot be added up, or that have no mean."""


def resampled(values: Floats, points: int = POINTS) -> Floats:
    """Return values at N decisions, (N, P), at evenly spaced portions of the game, (points, P)."""
    count = len(values)
    if not count:
        raise CourseError("there is no course of a game without decisions")
    portion = np.linspace(0, 1, count)
    grid = np.linspace(0, 1, points)
    return np.column_stack([np.interp(grid, portion, column) for column in values.T])


def measures(awareness: Awareness) -> dict[str, Floats]:
    """Return the four measures of a game by name, each (N, P)."""
    cards = max(len(awareness.cards), 1)
    return {
        "bits": awareness.bits,
        "remembered": awareness.remembered,
        "seen": awareness.seen / cards,
        "known": awareness.known / cards,
    }


def who_knows(awareness: Awareness, seat: int) -> Codes:
    """Return what a seat knows about each card at each decision, (C, N): codes of `Sight`."""
    return np.ascontiguousarray(awareness.sights[:, seat, :].T)


@dataclass(frozen=True, eq=False)
class AwarenessSums:
    """Sums over games on a grid, for each of `MEASURES`: (points, P) of values and of squares.

    Courses of parts of the games add up to that of all of them. Games without decisions are counted
    in `idle` and nowhere else.
    """

    games: int
    idle: int
    sums: dict[str, Floats]
    squares: dict[str, Floats]

    @classmethod
    def none(cls, players: int, points: int = POINTS) -> AwarenessSums:
        """Return the course of no games at all."""
        if points < 2:
            raise CourseError(f"a course has at least two points, not {points}")
        sums = {name: np.zeros((points, players)) for name in MEASURES}
        squares = {name: np.zeros((points, players)) for name in MEASURES}
        return cls(0, 0, sums, squares)

    @classmethod
    def of(cls, games: Iterable[Awareness], players: int, points: int = POINTS) -> AwarenessSums:
        """Return the course of games, which are taken one by one and not kept."""
        course = cls.none(players, points)
        for one in games:
            course = course.with_game(one)
        return course

    @property
    def grid(self) -> Floats:
        """The portions of the game, from 0 to 1, (points)."""
        return np.linspace(0, 1, len(self.sums["bits"]))

    def with_game(self, awareness: Awareness) -> AwarenessSums:
        """Return the course with one more game."""
        if not len(awareness):
            return AwarenessSums(self.games, self.idle + 1, self.sums, self.squares)
        points = len(self.sums["bits"])
        found = {name: resampled(one, points) for name, one in measures(awareness).items()}
        squares = {name: one**2 for name, one in found.items()}
        return self + AwarenessSums(1, 0, found, squares)

    def __add__(self, other: AwarenessSums) -> AwarenessSums:
        """Return the course of the games of both; raises CourseError for unlike ones."""
        shapes = self.sums["bits"].shape, other.sums["bits"].shape
        if shapes[0] != shapes[1]:
            raise CourseError(
                "courses of games with different numbers of players, or with different grids, "
                f"cannot be added up: {shapes[0]} and {shapes[1]} points and players"
            )
        return AwarenessSums(
            self.games + other.games,
            self.idle + other.idle,
            {name: self.sums[name] + other.sums[name] for name in MEASURES},
            {name: self.squares[name] + other.squares[name] for name in MEASURES},
        )

    def mean(self, measure: str) -> Floats:
        """Return the mean of a measure over the games, (points, P); raises CourseError if none."""
        if not self.games:
            raise CourseError("there is no mean over no games: add at least one")
        return self.sums[measure] / self.games

    def error(self, measure: str) -> Floats:
        """Return the standard error of that mean, (points, P); NaN for a single game."""
        mean = self.mean(measure)
        if self.games < 2:
            return np.full_like(mean, np.nan)
        spread = np.maximum(self.squares[measure] - self.games * mean**2, 0) / (self.games - 1)
        return np.asarray(np.sqrt(spread / self.games))
