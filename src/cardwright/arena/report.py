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
from cardwright.statistics.intervals import mean_interval, share_interval

if TYPE_CHECKING:
    from cardwright.arena.findings import Measure
    from cardwright.arena.matrix import Matrix
    from cardwright.arena.plan import RunPlan
    from cardwright.arena.ratings import Ratings
    from cardwright.arena.results import Results
    from cardwright.statistics.sample import Estimate, Values
    from cardwright.statistics.sequential import SequentialTest, Verdict


def match_report(
    plan: RunPlan,
    results: Results,
    *,
    highest_wins: bool,
    test: SequentialTest | None = None,
    measure: Measure = "score",
) -> ContestReport:
    """Return the report on a match, with the verdict of a test if it has one."""
    deals = DealArrays.of(results, plan.tables, len(plan.entrants), plan.exchanged)
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
    deals = DealArrays.of(results, plan.tables, len(plan.entrants), plan.exchanged)
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
    deals = DealArrays.of(results, plan.tables, len(plan.entrants), plan.exchanged)
    return _report(plan, results, deals, highest_wins, field=field)


def advantage(deals: DealArrays, measure: Measure, *, highest_wins: bool) -> Values:
    """Return for every deal by how much entrant 0 did better than entrant 1: more is better."""
    sign = 1.0 if highest_wins or measure == "win" else -1.0
    return sign * deals.difference(measure, 0, 1)


def judged(
    plan: RunPlan, results: Results, test: SequentialTest, measure: Measure, *, highest_wins: bool
) -> Verdict:
    """Return a test's verdict on the first deals of a plan."""
    deals = DealArrays.of(results, plan.tables, len(plan.entrants), plan.exchanged)
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
