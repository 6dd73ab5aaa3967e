"""Models of what players choose, by which searching players weight the worlds that they imagine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.interpreter.stream import Stream
from cardwright.players.player import Decision

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.game.game import State

_ERROR = 0.1
"""How often a player is taken to do anything at all, instead of what its rules say."""


@dataclass(frozen=True, slots=True)
class UniformModel:
    """Players choose at random: a choice tells how few others there were."""

    def probabilities(self, past: State) -> list[float]:
        """Return the same for every option."""
        return [1 / past.option_count] * past.option_count


@dataclass(frozen=True, slots=True)
class RuleModel:
    """Players choose by a rule, which says nothing of some decisions, except for an `error`.

    In that share of the decisions they choose at random.
    """

    rule: Callable[[Decision], int | None]
    error: float = _ERROR

    def probabilities(self, past: State) -> list[float] | None:
        """Return how likely each option is; None where there is no rule."""
        seat, count = past.player, past.option_count
        assert seat is not None
        ruled = self.rule(Decision(seat, count, Stream(0), past, len(past.choices)))
        if ruled is None:
            return None
        found = [self.error / count] * count
        found[ruled] += 1 - self.error
        return found
