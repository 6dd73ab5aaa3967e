"""Whether a game that was found is better than the original, aim by aim."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.evolution.aim import Aim
    from cardwright.evolution.report.account import EvolutionAccount, ReportedGame
    from cardwright.statistics.sample import Estimate


class AimSide(StrEnum):
    """On which side of the original a game is in one aim."""

    BETTER = "better"
    WORSE = "worse"
    UNCLEAR = "unclear"


@dataclass(frozen=True)
class AimOutcome:
    """What became of one aim: the measure of the original and of the game, and who is better."""

    aim: Aim
    before: Estimate
    after: Estimate
    side: AimSide


def outcomes(account: EvolutionAccount, game: ReportedGame) -> tuple[AimOutcome, ...]:
    """Return the outcome of each aim whose measure both games have."""
    return tuple(_outcomes(account, game))


def _outcomes(account: EvolutionAccount, game: ReportedGame) -> Iterator[AimOutcome]:
    for aim in account.aims:
        before = account.original.measures.get(aim.measure)
        after = game.measures.get(aim.measure)
        if before is not None and after is not None:
            yield AimOutcome(aim, before, after, compared(aim, before, after))


def compared(aim: Aim, before: Estimate, after: Estimate) -> AimSide:
    """Say which of two estimates is better in an aim.

    One is better only if the worst value of its interval scores more than the best value of the
    other's. That is more than a test of the difference would ask for, and needs no pairing.
    """
    if _worst(aim, after) > _best(aim, before):
        return AimSide.BETTER
    return AimSide.WORSE if _best(aim, after) < _worst(aim, before) else AimSide.UNCLEAR


def _ends(found: Estimate) -> tuple[float, float]:
    low = found.mean if found.low is None else found.low
    high = found.mean if found.high is None else found.high
    return low, high


def _worst(aim: Aim, found: Estimate) -> float:
    return min(map(aim.score, _ends(found)))


def _best(aim: Aim, found: Estimate) -> float:
    """Return the best score in an interval; a range is met where they overlap."""
    low, high = _ends(found)
    inside = [min(max(aim.low, low), high)] if aim.kind == "range" else []
    return max(map(aim.score, (low, high, *inside)))
