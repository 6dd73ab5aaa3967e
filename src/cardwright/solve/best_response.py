"""Best responses, exactly, and how far strategies are from an equilibrium.

`exploitability` is what a seat gains on average by a best response to the others: NashConv (the sum
of these gains) by the number of seats, as OpenSpiel has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.solve.sequences import SequenceForm
    from cardwright.solve.tree import Reals


@dataclass(frozen=True, eq=False)
class BestResponse:
    """The most that a seat can get against the others, and a strategy that gets it."""

    seat: int
    value: float
    strategy: Reals


@dataclass(frozen=True)
class Exploitability:
    """What strategies are worth to each seat, and what a best response of each would be worth."""

    values: tuple[float, ...]
    responses: tuple[float, ...]

    @property
    def gains(self) -> tuple[float, ...]:
        """What each seat would gain by its best response; rounding never makes it a loss."""
        pairs = zip(self.responses, self.values, strict=True)
        return tuple(max(0.0, best - own) for best, own in pairs)

    @property
    def nash_conv(self) -> float:
        """The sum of what each seat would gain by its best response."""
        return sum(self.gains)

    @property
    def per_seat(self) -> float:
        """NashConv by the number of seats: the exploitability."""
        return self.nash_conv / len(self.values)


def best_response(form: SequenceForm, seat: int, strategies: Sequence[Reals]) -> BestResponse:
    """Return a best response of a seat to the strategies of all others."""
    plans = [form.seats[at].plan(strategy) for at, strategy in enumerate(strategies)]
    values = form.outcomes(seat, plans)
    chosen = form.seats[seat].respond(values)
    return BestResponse(seat, float(values[0]), chosen)


def expected_values(form: SequenceForm, strategies: Sequence[Reals]) -> tuple[float, ...]:
    """Return what the strategies of all seats are worth to each seat."""
    plans = [form.seats[at].plan(strategy) for at, strategy in enumerate(strategies)]
    return tuple(float(form.outcomes(seat, plans) @ plans[seat]) for seat in range(len(form.seats)))


def exploitability(form: SequenceForm, strategies: Sequence[Reals]) -> Exploitability:
    """Return how much best responses would gain against the strategies of all seats."""
    responses = tuple(
        best_response(form, seat, strategies).value for seat in range(len(form.seats))
    )
    return Exploitability(expected_values(form, strategies), responses)
