"""Where the funnel lost candidates: a bar for each step and reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.evolution.evaluation import DepartureReason, FunnelStep

if TYPE_CHECKING:
    from cardwright.evolution.report.account import EvolutionAccount

STEPS = {
    FunnelStep.VARY: "made",
    FunnelStep.CHECK: "checked",
    FunnelStep.TRY: "tried in a few games",
    FunnelStep.COMPARE: "compared with those known",
    FunnelStep.PLAY: "played many times at random",
    FunnelStep.SEARCH: "played by players that think",
}
"""What is done at each step."""


@dataclass(frozen=True)
class LossReason:
    """A reason with the number of candidates that left for it, and that as a part of all."""

    reason: str
    count: int
    share: float


@dataclass(frozen=True)
class StepLosses:
    """A step of the funnel: how many came to it, and for which reasons some left."""

    step: str
    came: int
    share: float
    reasons: tuple[LossReason, ...]


def losses(account: EvolutionAccount) -> tuple[StepLosses, ...]:
    """Return all steps in order; shares are in per cent of all candidates."""
    found, left = [], account.candidates
    for step in FunnelStep:
        reasons = [
            LossReason(reason.value, count, _share(count, account.candidates))
            for reason in DepartureReason
            if (count := account.departures.get((step, reason), 0))
        ]
        found.append(
            StepLosses(STEPS[step], left, _share(left, account.candidates), tuple(reasons))
        )
        left -= sum(one.count for one in reasons)
    return tuple(found)


def _share(count: int, total: int) -> float:
    return round(100 * count / total, 2) if total else 0.0
