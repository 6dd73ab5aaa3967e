"""Hints: what a searching player would do in the person's place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.game.errors import CardwrightError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.wording.describe import DescribedOption
    from cardwright.table.estimates import Estimates, EstimateUnit
    from cardwright.table.judgement import JudgedDecision


class HintError(CardwrightError):
    """There is no hint; the message says why."""


@dataclass(frozen=True)
class Hint:
    """The option that a player advises, in words, and its estimates of the options it tried.

    `estimates` are those by which it chooses, and perhaps others beside them; there are none if the
    player has none. `tried` are the options that have some, with their words: the advised one
    first, and then the best first.
    """

    index: int
    words: str
    estimates: tuple[Estimates, ...]
    tried: tuple[tuple[int, str], ...]

    @property
    def units(self) -> tuple[EstimateUnit, ...]:
        """What the estimates are."""
        return tuple(one.unit for one in self.estimates)

    def amounts(self, option: int) -> tuple[str, ...]:
        """Return the estimates of an option as people read them; a dash for an unknown one."""
        return tuple(
            "-" if (value := one.values[option]) is None else one.unit.amount(value)
            for one in self.estimates
        )


def hint_of(index: int, decision: JudgedDecision, choices: Sequence[DescribedOption]) -> Hint:
    """Return the advice of a player that chose an option; that option comes first."""
    words = choices[index].words
    if not decision.estimates:
        return Hint(index, words, (), ())
    first = decision.estimates[0]
    known = [(at, value) for at, value in enumerate(first.values) if value is not None]
    sign = -1 if first.unit.higher_is_better else 1
    known.sort(key=lambda one: (one[0] != index, sign * one[1], one[0]))
    tried = tuple((at, choices[at].words) for at, _ in known)
    return Hint(index, words, decision.estimates, tried)
