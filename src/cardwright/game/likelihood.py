"""Inference from choices: worlds are the likelier, the likelier what players have chosen in them.

Rules and moves say which worlds are possible (`cardwright.game.deduction`). Of these, one in which
a player would hardly have chosen as it did is hardly the true one. How likely a choice is, a model
of the players says; Bayes' rule makes it a weight of the world.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

Past_contra = TypeVar("Past_contra", contravariant=True)
"""An imagined state: `cardwright.game.game.State`."""

MOST_WEIGHED = 100
"""Worlds that are weighed for a decision, unless an inference says otherwise."""


class ChoiceModel(Protocol[Past_contra]):
    """What the players of a game would choose."""

    def probabilities(self, past: Past_contra) -> Sequence[float] | None:
        """Return how likely the seat that decides in an imagined state is to choose each option.

        That is by nothing but what the seat sees there. None means that the model knows nothing of
        such decisions, whatever the cards.
        """
        ...


@dataclass(frozen=True, slots=True)
class Inference:
    """How worlds are weighted: by a model of the players, in so many worlds that may be the true.

    More of them are better, and take longer: in each one the model is asked about every choice of
    another seat since the last shuffle of all cards.
    """

    model: ChoiceModel[Any]
    worlds: int = MOST_WEIGHED

    def __post_init__(self) -> None:
        if self.worlds < 1:
            raise ValueError(f"an inference weighs one world or more, not {self.worlds}")


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of some worlds, which add up to 1, from first to last."""

    shares: tuple[float, ...]
    ends: tuple[float, ...]

    @classmethod
    def of(cls, logarithms: Sequence[float]) -> Weights:
        """Return weights by their logarithms; all are alike where all worlds are impossible."""
        most = max(logarithms)
        if most == -math.inf:
            return cls.of([0.0] * len(logarithms))
        weights = [math.exp(one - most) for one in logarithms]
        total = math.fsum(weights)
        shares = tuple(weight / total for weight in weights)
        return cls(shares, tuple(accumulate(shares)))

    @property
    def effective(self) -> float:
        """How many worlds of equal weight tell as much (Kish's effective sample size)."""
        return 1 / math.fsum(share * share for share in self.shares)

    def drawn(self, number: float) -> int:
        """Return the world at a number from 0 to below 1."""
        return min(bisect_right(self.ends, number), len(self.ends) - 1)
