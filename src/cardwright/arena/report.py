"""The report on a contest: standings, seats, differences, a test, ratings, a payoff matrix."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from cardwright.arena.deals import DealArrays
from cardwright.arena.findings import Difference, EntrantStanding, SeatEffect, TestedDifference
from cardwright.arena.matrix import alone_matrix, difference_matrix
from cardwright.arena.plan import PlanError, numbered
from cardwright.arena.ratings import rate
from cardwright.arena.report_rows import difference_rows, standing_rows
from cardwright.arena.schedule import is_among_copies
from cardwright.arena.shares import share_estimate
from cardwright.players.parameter import PlayerSpecError
from cardwright.statistics.intervals import mean_interval, share_interval
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    import polars as pl

    from cardwright.arena.findings import Measure
    from cardwright.arena.matrix import Matrix
    from cardwright.arena.plan import RunPlan
    from cardwright.arena.ratings import Ratings
    from cardwright.arena.results import Results
    from cardwright.statistics.sample import Estimate, Values
    from cardwright.statistics.sequential import SequentialTest, Verdict

ContestTable: TypeAlias = Literal["results", "standings", "differences"]
"""A table of a report: a row a game and seat, a row an entrant, or a row a pair of them."""


@dataclass(frozen=True, eq=False, repr=False)
class ContestReport:
    """The findings of a contest. Parts that its kind does not have, or nobody asked for, are None.

    `played` deals were played of those in the plan, of which `counted` are whole. `results` has
    what every seat of every game got. Entrants are numbered from 0, as in the plan; where one is
    asked for, its name in `names` will do.
    """

    plan: RunPlan
    results: Results
    highest_wins: bool
    played: int
    counted: int
    failed: int
    standings: tuple[EntrantStanding, ...]
    seats: tuple[SeatEffect, ...]
    differences: tuple[Difference, ...]
    tested: TestedDifference | None = None
    ratings: Ratings | None = None
    matrix: Matrix | None = None
    field: int = 0
    """How many entrants, the last ones, are the field of a ladder."""
    seconds: float = 0.0
    """How long it took to play what was played here."""

    @property
    def names(self) -> list[str]:
        """Names to display of the entrants: equal ones are numbered, as `random #1`."""
        first = len(self.plan.entrants) - self.field
        return [*numbered(self.plan.entrants[:first]), *numbered(self.plan.entrants[first:])]

    @property
    def left_out(self) -> int:
        """The number of deals that are left out because a game failed."""
        return self.played - self.counted

    @property
    def among_copies(self) -> int:
        """The number of tables of one entrant and its copies, which do not count for ranking."""
        return sum(map(is_among_copies, self.plan.tables)) if len(self.plan.entrants) > 1 else 0

    @property
    def games(self) -> int:
        """The number of games that were played, including failed ones."""
        return self.played * len(self.plan.tables)

    @cached_property
    def deals(self) -> DealArrays:
        """The games of all whole deals in arrays, for statistics of one's own."""
        return DealArrays.of(self.results, self.plan.tables, len(self.plan.entrants))

    @property
    def best_first(self) -> list[int]:
        """The entrants but for a ladder's field, the best score first, unknown ones last."""
        sign = -1 if self.highest_wins else 1

        def place(who: int) -> tuple[bool, float]:
            score = self.standings[who].score
            return (False, sign * score.mean) if score.count else (True, 0.0)

        return sorted(range(len(self.plan.entrants) - self.field), key=place)

    def number(self, entrant: int | str) -> int:
        """Return the number of an entrant; raises PlayerSpecError if there is none like that."""
        names = self.names
        if isinstance(entrant, str):
            if entrant in names:
                return names.index(entrant)
            advice = did_you_mean(entrant, names) or f"there are {', '.join(names)}"
            raise PlayerSpecError(f"nobody named {entrant!r} has played; {advice}")
        if not 0 <= entrant < len(names):
            raise PlayerSpecError(
                f"there is no entrant {entrant}: they are numbered 0 to {len(names) - 1}"
            )
        return entrant

    def standing(self, entrant: int | str) -> EntrantStanding:
        """Return what an entrant got; raises PlayerSpecError if there is none like that."""
        return self.standings[self.number(entrant)]

    def difference(self, one: int | str, other: int | str) -> Difference:
        """Return by how much one entrant did better than another, or worse if it is negative.

        Raises PlayerSpecError for an entrant of that there are no differences.
        """
        first, second = self.number(one), self.number(other)
        for found in self.differences:
            if (found.one, found.other) == (first, second):
                return found
            if (found.one, found.other) == (second, first):
                return found.turned()
        raise PlayerSpecError(
            f"there is no difference between {self.names[first]} and {self.names[second]}: it is "
            "between two different entrants, and not of a ladder's field"
        )

    def by_deal(self, measure: Measure = "score") -> Values:
        """Return the mean of each entrant in each whole deal, shape (deals, entrants).

        It is NaN where an entrant met nobody but its own copies.
        """
        return self.deals.among_others().by_entrant(measure)

    def to_polars(self, table: ContestTable = "results") -> pl.DataFrame:
        """Return a table as a polars frame: a row a game and seat, an entrant, or a pair of them.

        The columns of results are those of `Results`, and `player`, the entrant's name. A game that
        broke a rule has nulls for score, rank and win. Raises MissingExtraError without polars.
        """
        from cardwright.arena import tables

        tables.check_polars()
        if table == "results":
            return tables.named_results_frame(self.results, self.names)
        if table not in ("standings", "differences"):
            known = "results, standings, differences"
            raise PlanError(f"there is no table {table!r} of a contest; there are {known}")
        rows = standing_rows if table == "standings" else difference_rows
        return tables.rows_frame(*rows(self, self.names))

    def __repr__(self) -> str:
        deals = f"{self.played} deals at {len(self.plan.tables)} tables"
        return f"<{type(self).__name__} of {self.plan.game.name}, {deals}: {', '.join(self.names)}>"

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object; seeds are strings, as some readers lack 64-bit integers."""
        return {
            "plan": self.plan.data(),
            "highest_wins": self.highest_wins,
            "field": self.field,
            "deals": {
                "played": self.played, "counted": self.counted, "left_out": self.left_out,
            },
            "games": self.games,
            "failed_games": self.failed,
            "standings": [standing.record() for standing in self.standings],
            "seats": [seat.record() for seat in self.seats],
            "differences": [difference.record() for difference in self.differences],
            "sprt": None if self.tested is None else self.tested.record(),
            "ratings": None if self.ratings is None else self.ratings.record(),
            "matrix": None if self.matrix is None else self.matrix.record(),
        }  # fmt: skip


def match_report(
    plan: RunPlan,
    results: Results,
    *,
    highest_wins: bool,
    test: SequentialTest | None = None,
    measure: Measure = "score",
) -> ContestReport:
    """Return the report on a match, with the verdict of a test if it has one."""
    deals = DealArrays.of(results, plan.tables, len(plan.entrants))
    tested = None if test is None else _tested(plan, deals, test, measure, highest_wins)
    return _report(plan, results, deals, highest_wins, tested=tested)


def tournament_report(
    plan: RunPlan,
    results: Results,
    *,
    highest_wins: bool,
    measure: Measure = "score",
    resamples: int = 500,
) -> ContestReport:
    """Return the report on a tournament, with ratings and the payoff matrix."""
    deals = DealArrays.of(results, plan.tables, len(plan.entrants))
    pairs = all(len(set(table)) <= 2 for table in plan.tables)
    matrix = alone_matrix(deals, measure) if pairs else difference_matrix(deals, measure)
    ratings = rate(deals, count=resamples, seed=plan.seed) if len(deals) else None
    return _report(plan, results, deals, highest_wins, ratings=ratings, matrix=matrix)


def ladder_report(
    plan: RunPlan, results: Results, field: int, *, highest_wins: bool
) -> ContestReport:
    """Return the report on a ladder; the last `field` entrants of its plan are the field.

    Differences are between entrants that never met, but played the same deals against the same
    field.
    """
    deals = DealArrays.of(results, plan.tables, len(plan.entrants))
    return _report(plan, results, deals, highest_wins, field=field)


def advantage(deals: DealArrays, measure: Measure, *, highest_wins: bool) -> Values:
    """Return for every deal by how much entrant 0 did better than entrant 1: more is better."""
    sign = 1.0 if highest_wins or measure == "win" else -1.0
    return sign * deals.difference(measure, 0, 1)


def judged(
    plan: RunPlan, results: Results, test: SequentialTest, measure: Measure, *, highest_wins: bool
) -> Verdict:
    """Return a test's verdict on the first deals of a plan."""
    deals = DealArrays.of(results, plan.tables, len(plan.entrants))
    values = advantage(deals, measure, highest_wins=highest_wins)
    return _verdict(deals, values, test, measure)


def _report(
    plan: RunPlan,
    results: Results,
    deals: DealArrays,
    highest_wins: bool,
    *,
    field: int = 0,
    tested: TestedDifference | None = None,
    ratings: Ratings | None = None,
    matrix: Matrix | None = None,
) -> ContestReport:
    ranked = len(plan.entrants) - field
    telling = deals.among_others()
    return ContestReport(
        plan=plan,
        results=results,
        highest_wins=highest_wins,
        played=_played(plan, results),
        counted=len(deals),
        failed=deals.failed,
        standings=_standings(plan, results, telling, ranked),
        seats=_seats(deals),
        differences=_differences(telling, ranked),
        tested=tested,
        ratings=ratings,
        matrix=matrix,
        field=field,
    )


def _played(plan: RunPlan, results: Results) -> int:
    return len(results) // (len(plan.tables) * plan.game.players)


def _standings(
    plan: RunPlan, results: Results, deals: DealArrays, ranked: int
) -> tuple[EntrantStanding, ...]:
    """Return the standings of all entrants; those from the `ranked`-th on are a ladder's field."""
    scores, wins = deals.by_entrant("score"), deals.by_entrant("win")
    least, most = deals.share_bounds()
    places = deals.places()
    merged = deals.merged(ranked) if ranked < len(plan.entrants) else None

    def over_field(who: int) -> Estimate | None:
        if merged is None or who >= ranked:
            return None
        return mean_interval(merged.difference("score", who, ranked))

    def seconds(who: int) -> float | None:
        timing = results.timing[who] if results.timing else None
        return timing.seconds / timing.decisions if timing and timing.decisions else None

    return tuple(
        EntrantStanding(
            entrant=name,
            score=mean_interval(_known(scores[:, who])),
            win=share_estimate(wins[:, who], least[who], most[who]),
            places=None if np.isnan(places[who]).any() else tuple(places[who].tolist()),
            seats=int(deals.seats_taken[who]),
            decisions=int(deals.decisions[who]),
            faults=int(deals.faults[who]),
            seconds=seconds(who),
            over_field=over_field(who),
        )
        for who, name in enumerate(plan.entrants)
    )


def _known(values: Values) -> Values:
    """Return the known values; where somebody met nobody they are NaN."""
    return values[~np.isnan(values)]


def _seats(deals: DealArrays) -> tuple[SeatEffect, ...]:
    scores, wins = deals.by_seat("score"), deals.by_seat("win")
    effects = scores - scores.mean(axis=1, keepdims=True)
    return tuple(
        SeatEffect(seat, mean_interval(effects[:, seat]), share_interval(wins[:, seat]))
        for seat in range(scores.shape[1])
    )


def _differences(deals: DealArrays, ranked: int) -> tuple[Difference, ...]:
    """Return the differences of each pair of entrants over all their games of each deal."""
    scores, wins = deals.by_entrant("score"), deals.by_entrant("win")
    least, most = deals.share_bounds()

    def win(one: int, other: int) -> Estimate:
        bounds = (least[one] - most[other], most[one] - least[other])
        return share_estimate(wins[:, one] - wins[:, other], *bounds)

    return tuple(
        Difference(
            one,
            other,
            mean_interval(_known(scores[:, one] - scores[:, other])),
            win(one, other),
            deals.duplicate_gain("score", one, other),
        )
        for one, other in combinations(range(ranked), 2)
    )


def _tested(
    plan: RunPlan, deals: DealArrays, test: SequentialTest, measure: Measure, highest_wins: bool
) -> TestedDifference:
    values = advantage(deals, measure, highest_wins=highest_wins)
    verdict = _verdict(deals, values, test, measure)
    if measure == "win":
        estimate = share_estimate(values, *deals.difference_bounds(0, 1))
    else:
        estimate = mean_interval(values)
    return TestedDifference(test, measure, verdict, estimate)


def _verdict(deals: DealArrays, values: Values, test: SequentialTest, measure: Measure) -> Verdict:
    """Return a test's verdict on these values, one per deal."""
    looks = test.looks(len(deals) + deals.left_out)
    counts = np.searchsorted(deals.numbers, looks)
    return test.judge(values, deals.widths(measure), looks, counts)
