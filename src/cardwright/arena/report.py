"""Making the report of a contest: standings, seats, differences, test, ratings, payoff matrix."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from cardwright.arena.contest_report import ContestReport
from cardwright.arena.deals import DealArrays
from cardwright.arena.findings import Difference, EntrantStanding, SeatEffect, TestedDifference
from cardwright.arena.matrix import alone_matrix, difference_matrix
from cardwright.arena.ratings import rate
from cardwright.arena.shares import share_estimate
from cardwright.statistics.betting import betting_interval
from cardwright.statistics.intervals import mean_interval, share_interval

if TYPE_CHECKING:
    from cardwright.arena.bounded_test import BoundedTest
    from cardwright.arena.findings import Measure
    from cardwright.arena.matrix import Matrix
    from cardwright.arena.plan import RunPlan
    from cardwright.arena.ratings import Ratings
    from cardwright.arena.results import Results
    from cardwright.arena.score_range import ScoreRange
    from cardwright.statistics.sample import Estimate, Values
    from cardwright.statistics.sequential import Verdict


def match_report(
    plan: RunPlan,
    results: Results,
    *,
    highest_wins: bool,
    scores: ScoreRange | None = None,
    test: BoundedTest | None = None,
) -> ContestReport:
    """Return the report on a match, with the verdict of a test if it has one.

    `scores` is the range of the game's scores, if it is known; so it is in all reports here.
    """
    deals = DealArrays.of(results, plan.tables, len(plan.entrants), plan.exchanged)
    tested = None if test is None else _tested(deals, test, highest_wins=highest_wins)
    return _report(plan, results, deals, highest_wins, scores, tested=tested)


def tournament_report(
    plan: RunPlan,
    results: Results,
    *,
    highest_wins: bool,
    scores: ScoreRange | None = None,
    measure: Measure = "score",
    resamples: int = 500,
) -> ContestReport:
    """Return the report on a tournament, with ratings and the payoff matrix."""
    deals = DealArrays.of(results, plan.tables, len(plan.entrants), plan.exchanged)
    pairs = all(len(set(table)) <= 2 for table in plan.tables)
    matrix = alone_matrix(deals, measure) if pairs else difference_matrix(deals, measure)
    ratings = rate(deals, count=resamples, seed=plan.seed) if len(deals) else None
    return _report(plan, results, deals, highest_wins, scores, ratings=ratings, matrix=matrix)


def ladder_report(
    plan: RunPlan,
    results: Results,
    field: int,
    *,
    highest_wins: bool,
    scores: ScoreRange | None = None,
) -> ContestReport:
    """Return the report on a ladder; the last `field` entrants of its plan are the field.

    Differences are between entrants that never met, but played the same deals against the same
    field.
    """
    deals = DealArrays.of(results, plan.tables, len(plan.entrants), plan.exchanged)
    return _report(plan, results, deals, highest_wins, scores, field=field)


def advantage(deals: DealArrays, measure: Measure, *, highest_wins: bool) -> Values:
    """Return for every deal by how much entrant 0 did better than entrant 1: more is better."""
    sign = 1.0 if highest_wins or measure == "win" else -1.0
    return sign * deals.difference(measure, 0, 1)


def judged(plan: RunPlan, results: Results, test: BoundedTest, *, highest_wins: bool) -> Verdict:
    """Return a test's verdict on the first deals of a plan; raises PlanError as `verdict` does."""
    deals = DealArrays.of(results, plan.tables, len(plan.entrants), plan.exchanged)
    return test.verdict(deals, advantage(deals, test.measure, highest_wins=highest_wins))


def _report(
    plan: RunPlan,
    results: Results,
    deals: DealArrays,
    highest_wins: bool,
    scores: ScoreRange | None,
    *,
    field: int = 0,
    tested: TestedDifference | None = None,
    ratings: Ratings | None = None,
    matrix: Matrix | None = None,
) -> ContestReport:
    ranked = len(plan.entrants) - field
    played = _played(plan, results)
    known = None if tested is not None and played < plan.deals else scores
    telling = deals.among_others()
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
        tested=tested,
        ratings=ratings,
        matrix=matrix,
        field=field,
    )


def _played(plan: RunPlan, results: Results) -> int:
    return len(results) // (len(plan.tables) * plan.game.players)


def _standings(
    plan: RunPlan, results: Results, deals: DealArrays, ranked: int, known: ScoreRange | None
) -> tuple[EntrantStanding, ...]:
    """Return the standings of all entrants; those from the `ranked`-th on are a ladder's field."""
    scores, wins = deals.by_entrant("score"), deals.by_entrant("win")
    least, most = deals.share_bounds()
    ends = None if known is None else deals.score_bounds(known)
    places = deals.places()
    merged = deals.merged(ranked) if ranked < len(plan.entrants) else None

    def over_field(who: int) -> tuple[Estimate | None, Estimate | None]:
        if merged is None or who >= ranked:
            return None, None
        values = merged.difference("score", who, ranked)
        bounds = None if known is None else merged.difference_bounds(who, ranked, known)
        return mean_interval(values), _guaranteed(values, bounds)

    def seconds(who: int) -> float | None:
        timing = results.timing[who] if results.timing else None
        return timing.seconds / timing.decisions if timing and timing.decisions else None

    def standing(who: int, name: str) -> EntrantStanding:
        over, over_guaranteed = over_field(who)
        return EntrantStanding(
            entrant=name,
            score=mean_interval(_met(scores[:, who])),
            win=share_estimate(wins[:, who], least[who], most[who]),
            places=None if np.isnan(places[who]).any() else tuple(places[who].tolist()),
            seats=int(deals.seats_taken[who]),
            decisions=int(deals.decisions[who]),
            faults=int(deals.faults[who]),
            seconds=seconds(who),
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
    shares = deals.share_bounds()
    ends = None if known is None else deals.score_bounds(known)

    def between(ends: tuple[Values, Values], one: int, other: int) -> tuple[float, float]:
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

    return tuple(difference(one, other) for one, other in combinations(range(ranked), 2))


def _tested(deals: DealArrays, test: BoundedTest, *, highest_wins: bool) -> TestedDifference:
    values = advantage(deals, test.measure, highest_wins=highest_wins)
    verdict = test.verdict(deals, values)
    if test.measure == "win":
        estimate = share_estimate(values, *deals.difference_bounds(0, 1))
    else:
        estimate = mean_interval(values)
    return TestedDifference(test.test, test.measure, verdict, estimate, test.basis)
