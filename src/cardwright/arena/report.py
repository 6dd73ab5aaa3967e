"""Reports on contests: how they are made from results, and what can be asked of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from cardwright.arena.bounds import share_estimate
from cardwright.arena.deals import DealArrays
from cardwright.arena.findings import (
    Difference,
    EntrantStanding,
    SeatEffect,
    TestedDifference,
    alone_matrix,
    difference_matrix,
    recorded,
)
from cardwright.arena.plan import PlanError, numbered
from cardwright.arena.ratings import rate
from cardwright.arena.results import results_frame, rows_frame
from cardwright.arena.schedule import is_among_copies, is_balanced
from cardwright.arena.settings import RESAMPLES
from cardwright.english import counted
from cardwright.extras import in_pandas, need
from cardwright.markup.lazy_display import shown_by
from cardwright.players.kind import PlayerSpecError
from cardwright.statistics.intervals import betting_interval, mean_interval, share_interval
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from cardwright.arena.bounds import ScoreRange
    from cardwright.arena.findings import BoundedTest, Matrix
    from cardwright.arena.plan import RunPlan
    from cardwright.arena.ratings import Ratings
    from cardwright.arena.results import Results
    from cardwright.arena.settings import Measure
    from cardwright.statistics.intervals import Estimate, Values
    from cardwright.statistics.sequential import Verdict

    Rows: TypeAlias = tuple[list[str], list[list[Any]]]
    Ends: TypeAlias = tuple[Values, Values]

ContestTable: TypeAlias = Literal["results", "standings", "differences"]
"""A table of a report: a row per game and seat, per entrant, or per pair of entrants."""


@dataclass(frozen=True, eq=False, repr=False)
class ContestReport:
    """The findings of a contest. Parts that its kind does not have, or nobody asked for, are None.

    `played` deals were played of those in the plan, of which `counted` are whole. `results` has
    what every seat of every game got. Entrants are numbered from 0, as in the plan; wherever one is
    asked for, its name in `names` works too.
    """

    plan: RunPlan
    results: Results
    highest_wins: bool
    played: int
    counted: int
    failed: int
    score_range: ScoreRange | None
    """From where to where scores can be, if that is known: what guaranteed intervals rest on."""
    standings: tuple[EntrantStanding, ...]
    seats: tuple[SeatEffect, ...]
    differences: tuple[Difference, ...]
    tested: TestedDifference | None = None
    ratings: Ratings | None = None
    matrix: Matrix | None = None
    field: int = 0
    """How many entrants, the last ones, are the field of a ladder."""
    seconds: float = 0.0
    """How long it took to play what was played in this run."""

    @property
    def names(self) -> list[str]:
        """Names to display of the entrants: equal ones are numbered, as `random #1`."""
        first = len(self.plan.entrants) - self.field
        return [*numbered(self.plan.entrants[:first]), *numbered(self.plan.entrants[first:])]

    @property
    def guaranteed(self) -> bool:
        """Whether scores have guaranteed intervals, too.

        They have none where the range of scores is not known, and where a test ended the match:
        they are for a number of deals that was fixed beforehand.
        """
        return self.standings[0].score_guaranteed is not None

    @property
    def left_out(self) -> int:
        """The number of deals that are left out because a game failed."""
        return self.played - self.counted

    @property
    def among_copies(self) -> int:
        """The number of tables of one entrant and its copies, which do not count for ranking."""
        return sum(map(is_among_copies, self.plan.tables)) if len(self.plan.entrants) > 1 else 0

    @cached_property
    def neighbours_balanced(self) -> bool:
        """Whether each entrant of a table has every other as each neighbour equally often."""
        return is_balanced(self.plan.tables)

    @property
    def games(self) -> int:
        """The number of games that were played, including failed ones."""
        return self.played * len(self.plan.tables)

    @cached_property
    def deals(self) -> DealArrays:
        """The games of all whole deals in arrays, for statistics of your own."""
        return DealArrays.of_plan(self.results, self.plan)

    @property
    def best_first(self) -> list[int]:
        """The entrants except a ladder's field, the best score first, unknown ones last."""
        sign = -1 if self.highest_wins else 1

        def place(who: int) -> tuple[bool, float]:
            score = self.standings[who].score
            return (False, sign * score.mean) if score.count else (True, 0.0)

        return sorted(range(len(self.plan.entrants) - self.field), key=place)

    def number(self, entrant: int | str) -> int:
        """Return the number of an entrant; raises PlayerSpecError for an unknown one."""
        names = self.names
        if isinstance(entrant, str):
            if entrant in names:
                return names.index(entrant)
            advice = advice_on(entrant, names)
            raise PlayerSpecError(f"nobody named {entrant!r} has played; {advice}")
        if not 0 <= entrant < len(names):
            raise PlayerSpecError(
                f"there is no entrant {entrant}: entrants are numbered 0 to {len(names) - 1}"
            )
        return entrant

    def standing(self, entrant: int | str) -> EntrantStanding:
        """Return what an entrant got; raises PlayerSpecError for an unknown one."""
        return self.standings[self.number(entrant)]

    def difference(self, one: int | str, other: int | str) -> Difference:
        """Return by how much one entrant did better than another, or worse if it is negative.

        Raises PlayerSpecError for an entrant without differences.
        """
        first, second = self.number(one), self.number(other)
        for difference in self.differences:
            if (difference.one, difference.other) == (first, second):
                return difference
            if (difference.one, difference.other) == (second, first):
                return difference.turned()
        raise PlayerSpecError(
            f"there is no difference between {self.names[first]} and {self.names[second]}: it is "
            "between two different entrants, and not of a ladder's field"
        )

    def by_deal(self, measure: Measure = "score") -> Values:
        """Return the mean of each entrant in each whole deal, shape (deals, entrants).

        It is NaN where an entrant met only its own copies.
        """
        return self.deals.among_others().by_entrant(measure)

    def to_polars(self, table: ContestTable = "results") -> pl.DataFrame:
        """Return a table as a polars frame: a row per game and seat, per entrant, or per pair.

        The columns of results are those of `Results`, and `player`, the entrant's name. A game that
        broke a rule has nulls for score, rank and win. Raises MissingExtraError without polars.
        """
        need("polars")
        match table:
            case "results":
                return results_frame(self.results, self.names)
            case "standings":
                return rows_frame(*standing_rows(self))
            case "differences":
                return rows_frame(*difference_rows(self))
        known = "results, standings, differences"
        raise PlanError(f"a contest has no table {table!r}; choose from {known}")

    def to_pandas(self, table: ContestTable = "results") -> pd.DataFrame:
        """Return what `to_polars` does in pandas; raises MissingExtraError without either."""
        return in_pandas(lambda: self.to_polars(table))

    _repr_html_ = shown_by("cardwright.arena.displays", "contest_html")

    def __repr__(self) -> str:
        deals = f"{counted(self.played, 'deal')} at {counted(len(self.plan.tables), 'table')}"
        return f"<{type(self).__name__} of {self.plan.game.name}, {deals}: {', '.join(self.names)}>"

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object; seeds are strings, as some readers lack 64-bit integers."""
        return {
            "plan": self.plan.data(),
            "highest_wins": self.highest_wins,
            "field": self.field,
            "neighbours_balanced": self.neighbours_balanced,
            "deals": {
                "played": self.played, "counted": self.counted, "left_out": self.left_out,
            },
            "games": self.games,
            "failed_games": self.failed,
            "score_range": recorded(self.score_range),
            "standings": recorded(self.standings),
            "seats": recorded(self.seats),
            "differences": recorded(self.differences),
            "sprt": recorded(self.tested),
            "ratings": recorded(self.ratings),
            "matrix": recorded(self.matrix),
        }  # fmt: skip


# Tables -------------------------------------------------------------------------------------------


def standing_rows(report: ContestReport) -> Rows:
    """Return the columns of standings, and a row per entrant; unknown values are None."""
    seats = range(1, report.plan.game.players + 1)
    columns = [
        "entrant", *_SCORE, *_with_ends("win_share"), *(f"place_{place}" for place in seats),
        "deals", "seats", "decisions", "faults",
    ]  # fmt: skip
    rows = [
        [
            name, *_ends(standing.score), *_ends(standing.score_guaranteed)[1:],
            *_ends(standing.win), *(standing.places or [None] * len(seats)),
            report.counted, standing.seats, standing.decisions, standing.faults,
        ]
        for name, standing in zip(report.names, report.standings, strict=True)
    ]  # fmt: skip
    return columns, rows


def difference_rows(report: ContestReport) -> Rows:
    """Return the columns of differences, and a row per pair of entrants."""
    names = report.names
    columns = ["one", "other", *_SCORE, *_with_ends("win_share"), *_with_ends("duplicate_gain")]
    rows = [
        [
            names[difference.one], names[difference.other], *_ends(difference.score),
            *_ends(difference.score_guaranteed)[1:], *_ends(difference.win),
            *_ends(difference.gain),
        ]
        for difference in report.differences
    ]  # fmt: skip
    return columns, rows


def _with_ends(name: str) -> list[str]:
    return [f"{name}{end}" for end in ("", "_low", "_high")]


_SCORE = (*_with_ends("score"), *_with_ends("score_guaranteed")[1:])


def _ends(estimate: Estimate | None) -> list[float | None]:
    if estimate is None:
        return [None] * 3
    return [estimate.mean if estimate.count else None, estimate.low, estimate.high]


# Making reports -----------------------------------------------------------------------------------


def contest_report(
    plan: RunPlan,
    results: Results,
    *,
    highest_wins: bool,
    scores: ScoreRange | None = None,
    field: int = 0,
    test: BoundedTest | None = None,
    rated: Measure | None = None,
    resamples: int = RESAMPLES,
) -> ContestReport:
    """Return the report on a contest: with ratings and a payoff matrix of what is `rated`.

    `scores` is the range of the game's scores, if it is known. The last `field` entrants are that
    of a ladder: differences are then between entrants that never met, but played the same deals
    against the same field. There is a verdict if there is a `test`.
    """
    deals = DealArrays.of_plan(results, plan)
    ranked = len(plan.entrants) - field
    played = len(results) // (len(plan.tables) * plan.game.players)
    known = None if test is not None and played < plan.deals else scores
    telling = deals.among_others()
    matrix = ratings = None
    if rated is not None:
        pairs = all(len(set(table)) <= 2 for table in plan.tables)
        matrix = (alone_matrix if pairs else difference_matrix)(deals, rated)
        ratings = rate(deals, count=resamples, seed=plan.seed) if len(deals) else None
    return ContestReport(
        plan=plan,
        results=results,
        highest_wins=highest_wins,
        played=played,
        counted=len(deals),
        failed=deals.failed,
        score_range=scores,
        standings=_standings(plan, results, telling, ranked, known),
        seats=_seats(deals, known),
        differences=_differences(telling, ranked, known),
        tested=None if test is None else _tested(deals, test, highest_wins=highest_wins),
        ratings=ratings,
        matrix=matrix,
        field=field,
    )


def advantage(deals: DealArrays, measure: Measure, *, highest_wins: bool) -> Values:
    """Return for every deal by how much entrant 0 did better than entrant 1: more is better."""
    sign = 1.0 if highest_wins or measure == "win" else -1.0
    return sign * deals.difference(measure, 0, 1)


def judged(plan: RunPlan, results: Results, test: BoundedTest, *, highest_wins: bool) -> Verdict:
    """Return a test's verdict on the first deals of a plan; raises PlanError as `verdict` does."""
    deals = DealArrays.of_plan(results, plan)
    return test.verdict(deals, advantage(deals, test.measure, highest_wins=highest_wins))


def _standings(
    plan: RunPlan, results: Results, deals: DealArrays, ranked: int, known: ScoreRange | None
) -> tuple[EntrantStanding, ...]:
    """Return the standings of all entrants; those from the `ranked`-th on are a ladder's field."""
    scores, wins = deals.by_entrant("score"), deals.by_entrant("win")
    least, most = deals.mean_bounds()
    ends = None if known is None else deals.mean_bounds(known)
    places = deals.places()
    merged = deals.merged(ranked) if ranked < len(plan.entrants) else None

    def standing(who: int, name: str) -> EntrantStanding:
        timing = results.timing[who] if results.timing else None
        over = over_guaranteed = None
        if merged is not None and who < ranked:
            values = merged.difference("score", who, ranked)
            over = mean_interval(values)
            if known is not None:
                bounds = merged.difference_bounds(who, ranked, known)
                over_guaranteed = _guaranteed(values, bounds)
        return EntrantStanding(
            entrant=name,
            score=mean_interval(_met(scores[:, who])),
            win=share_estimate(wins[:, who], least[who], most[who]),
            places=None if np.isnan(places[who]).any() else tuple(places[who].tolist()),
            seats=int(deals.seats_taken[who]),
            decisions=int(deals.decisions[who]),
            faults=int(deals.faults[who]),
            seconds=timing.seconds / timing.decisions if timing and timing.decisions else None,
            over_field=over,
            score_guaranteed=_guaranteed(scores[:, who], ends and (ends[0][who], ends[1][who])),
            over_field_guaranteed=over_guaranteed,
        )

    return tuple(standing(who, name) for who, name in enumerate(plan.entrants))


def _met(values: Values) -> Values:
    """Return the known values; where somebody met nobody they are NaN."""
    return values[~np.isnan(values)]


def _guaranteed(values: Values, bounds: tuple[float, float] | None) -> Estimate | None:
    """Return the interval by betting for the mean of values with bounds, ignoring NaN."""
    return None if bounds is None else betting_interval(_met(values), *bounds)


def _seats(deals: DealArrays, known: ScoreRange | None) -> tuple[SeatEffect, ...]:
    scores, wins = deals.by_seat("score"), deals.by_seat("win")
    effects = scores - scores.mean(axis=1, keepdims=True)
    seats = scores.shape[1]
    bounds = None if known is None else known.seat_bounds(seats)
    return tuple(
        SeatEffect(
            seat,
            mean_interval(effects[:, seat]),
            share_interval(wins[:, seat]),
            _guaranteed(effects[:, seat], bounds),
        )
        for seat in range(seats)
    )


def _differences(
    deals: DealArrays, ranked: int, known: ScoreRange | None
) -> tuple[Difference, ...]:
    """Return the differences of each pair of entrants over all their games of each deal."""
    scores, wins = deals.by_entrant("score"), deals.by_entrant("win")
    shares = deals.mean_bounds()
    ends = None if known is None else deals.mean_bounds(known)

    def between(ends: Ends, one: int, other: int) -> tuple[float, float]:
        least, most = ends
        return float(least[one] - most[other]), float(most[one] - least[other])

    def difference(one: int, other: int) -> Difference:
        apart = scores[:, one] - scores[:, other]
        return Difference(
            one,
            other,
            mean_interval(_met(apart)),
            share_estimate(wins[:, one] - wins[:, other], *between(shares, one, other)),
            deals.duplicate_gain("score", one, other),
            _guaranteed(apart, ends and between(ends, one, other)),
        )

    return tuple(difference(first, other) for first, other in combinations(range(ranked), 2))


def _tested(deals: DealArrays, test: BoundedTest, *, highest_wins: bool) -> TestedDifference:
    values = advantage(deals, test.measure, highest_wins=highest_wins)
    verdict = test.verdict(deals, values)
    if test.measure == "win":
        estimate = share_estimate(values, *deals.difference_bounds(0, 1))
    else:
        estimate = mean_interval(values)
    return TestedDifference(test.test, test.measure, verdict, estimate, test.basis)
