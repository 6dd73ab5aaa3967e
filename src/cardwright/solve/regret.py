"""Counterfactual regret minimization: strategies that approach an equilibrium by playing on.

CFR is that of M. Zinkevich, M. Johanson, M. Bowling and C. Piccione, "Regret minimization in games
with incomplete information" (NIPS 2007), with the seats updated in turn. CFR+ is that of O.
Tammelin, "Solving large imperfect information games using CFR+" (2014): regrets never fall below
zero, and the strategy of iteration t counts t times in the average.

In two-player zero-sum games the average strategies approach an equilibrium. In others they need
not, and `exploitability` says how far they are.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from cardwright.solve.sequences import SequenceForm
    from cardwright.solve.tree import Reals


class RegretMethod(StrEnum):
    """Which regret minimization: CFR+ or plain CFR."""

    CFR_PLUS = "cfr+"
    CFR = "cfr"


class RegretMinimizer:
    """Regret minimization of a game; it holds all that is needed to go on later.

    `regrets` and `sums` (the realization plans, added up) have an array for each seat, with an
    entry for each of its sequences.
    """

    def __init__(self, form: SequenceForm, method: RegretMethod = RegretMethod.CFR_PLUS) -> None:
        self.form = form
        self.method = method
        self.iterations = 0
        self.regrets: list[Reals] = [np.zeros(seat.count) for seat in form.seats]
        self.sums: list[Reals] = [np.zeros(seat.count) for seat in form.seats]
        self._plans: list[Reals] = [seat.plan(seat.uniform()) for seat in form.seats]
        self._strategies: list[Reals] = form.uniform()

    def resume(self, iterations: int, regrets: list[Reals], sums: list[Reals]) -> None:
        """Go on from where another minimizer of this game and method was after some iterations."""
        self.iterations = iterations
        self.regrets = [array.copy() for array in regrets]
        self.sums = [array.copy() for array in sums]
        for seat in range(len(self.form.seats)):
            self._match(seat)

    def copy(self) -> RegretMinimizer:
        """Return an independent minimizer that goes on in the same way."""
        twin = RegretMinimizer(self.form, self.method)
        twin.resume(self.iterations, self.regrets, self.sums)
        return twin

    def iterate(self, count: int = 1) -> None:
        """Run some iterations, each of which updates every seat once."""
        for _ in range(count):
            self.iterations += 1
            for seat in range(len(self.form.seats)):
                self._update(seat)

    def average(self) -> list[Reals]:
        """Return the average strategy of each seat so far."""
        seats = self.form.seats
        return [seat.strategy(plan) for seat, plan in zip(seats, self.sums, strict=True)]

    def _update(self, seat: int) -> None:
        own = self.form.seats[seat]
        plus = self.method is RegretMethod.CFR_PLUS
        values = self.form.outcomes(seat, self._plans)
        expected = own.lift(values, self._strategies[seat])
        regrets = self.regrets[seat]
        for level in own.levels:
            gained = values[level.sequences] - expected[level.sets][level.whose]
            regrets[level.sequences] += gained
        if plus:
            np.maximum(regrets, 0.0, out=regrets)
        self.sums[seat] += self._plans[seat] * (self.iterations if plus else 1)
        self._match(seat)

    def _match(self, seat: int) -> None:
        """Choose by regret matching: each option in proportion to its positive regret."""
        own = self.form.seats[seat]
        self._strategies[seat] = own.strategy(self.regrets[seat])
        self._plans[seat] = own.plan(self._strategies[seat])
