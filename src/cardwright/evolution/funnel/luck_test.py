"""Whether the deal alone decides who wins, whatever is chosen."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from cardwright.evolution.evaluation import DepartureReason, FunnelStep
from cardwright.evolution.funnel.leaving import LeftError, left_by_fault
from cardwright.evolution.funnel.trial_game import WorkError
from cardwright.interpreter.world import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.evolution.funnel.trial_game import TrialGame, TrialTable

DEALS = 30
"""Deals that are played a second time with other choices. If choices changed who wins in one deal
of ten, all 30 would end alike for 4 % of such games; most games show a difference in the first two.
"""


def check_choices(
    table: TrialTable, played: Sequence[TrialGame], seeds: Iterable[int], *, by_ranks: bool
) -> None:
    """Raise LeftError if no deal ended otherwise when it was played again with other choices.

    If even all deals ended alike, one seat always wins, or nobody.

    `played` are games of some of the deals; `seeds` are those of more. A game ends otherwise with
    other ranks, or if these say nothing, as in a game of one player, with other scores. Games that
    cost so much that they may not be played so often are not judged.
    """
    table.left = table.limits.work
    outcomes = []
    try:
        for first in _deals(table, played, seeds):
            again = table.play(first.seed, _others(first.seed))
            outcome = first.ranks if by_ranks else first.scores
            if outcome != (again.ranks if by_ranks else again.scores):
                return
            outcomes.append(outcome)
    except WorkError:
        return
    except Fault as fault:
        raise left_by_fault(FunnelStep.PLAY, fault, table.program) from None
    if outcomes:
        raise _left(outcomes, by_ranks=by_ranks)


def _deals(
    table: TrialTable, played: Sequence[TrialGame], seeds: Iterable[int]
) -> Iterator[TrialGame]:
    """Yield games that were played, then more, each played when it is asked for."""
    yield from played[:DEALS]
    for seed in islice(seeds, max(0, DEALS - len(played))):
        yield table.play(seed, seed)


def _left(outcomes: Sequence[tuple[int, ...]], *, by_ranks: bool) -> LeftError:
    """Return how a candidate leaves whose deals had these outcomes whatever was chosen."""
    count, first = len(outcomes), outcomes[0]
    if len(set(outcomes)) > 1 or not by_ranks:
        detail = f"{count} deals ended alike with other choices"
        return LeftError(FunnelStep.PLAY, DepartureReason.DEALT, detail)
    detail = f"{2 * count} games had the same winners"
    reason = DepartureReason.ONE_SEAT if any(first) else DepartureReason.DRAWN
    return LeftError(FunnelStep.PLAY, reason, detail)


def _others(seed: int) -> int:
    """Return another seed, for the choices."""
    return seed ^ 0x5851F42D4C957F2D
