"""Equilibria of two-player zero-sum games by linear programs over sequences.

A seat's plan x is best against the worst answer of the other. By duality that answer's value is
the largest q of the other's information sets under constraints that are linear in x, so that one
program finds both: D. Koller, N. Megiddo and B. von Stengel, "Efficient computation of equilibria
for extensive two-person games", Games and Economic Behavior 14, 1996. Each seat has a program of
its own, whose size is linear in that of the tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.extras import need
from cardwright.solve.tree import SolveError

if TYPE_CHECKING:
    from cardwright.solve.sequences import SeatSequences, SequenceForm
    from cardwright.solve.tree import Reals

MOST_SEQUENCES = 50_000
"""The most sequences of both seats for which programs are solved: larger ones take hours."""


@dataclass(frozen=True, eq=False)
class Equilibrium:
    """The value of the game for each seat, and strategies that guarantee it."""

    values: tuple[float, float]
    strategies: tuple[Reals, Reals]


def solve_linear(form: SequenceForm) -> Equilibrium:
    """Return an equilibrium of a two-player game of constant sum.

    Raises SolveError for any other game, and MissingExtraError if scipy is not installed.
    """
    if form.tree.players != 2:
        raise SolveError(
            f"a linear program solves games of two, and this one has {form.tree.players} players; "
            "use cfr+, which plays on for any number, but need not find an equilibrium"
        )
    total = form.tree.constant_sum
    if total is None:
        raise SolveError(
            "a linear program solves games in which what one seat wins the other loses, and here "
            "the utilities of both do not always add up to the same; count margins or wins"
        )
    sequences = sum(seat.count for seat in form.seats)
    if sequences > MOST_SEQUENCES:
        raise SolveError(
            f"the linear program would be too large: the game has {sequences:,} sequences, and at "
            f"most {MOST_SEQUENCES:,} are possible; use cfr+"
        )
    need("scipy")
    first, strategy = _one_side(form, 0)
    _, other = _one_side(form, 1)
    return Equilibrium((first, total - first), (strategy, other))


def _one_side(form: SequenceForm, seat: int) -> tuple[float, Reals]:
    """Return the value that a seat can guarantee itself, and a strategy that does so."""
    from scipy import sparse
    from scipy.optimize import linprog

    own, other = form.seats[seat], form.seats[1 - seat]
    rows, columns = form.joint[:, 1 - seat], form.joint[:, seat]
    shape = (other.count, own.count)
    worth = sparse.coo_matrix((form.payoffs[:, seat], (rows, columns)), shape=shape)
    flows, answers = _flows(own), _flows(other)
    free = answers.shape[0]
    aim = np.zeros(own.count + free)
    aim[own.count] = -1.0
    solution = linprog(
        aim,
        A_ub=sparse.hstack([-worth, answers.T], format="csr"),
        b_ub=np.zeros(other.count),
        A_eq=sparse.hstack([flows, sparse.csr_matrix((flows.shape[0], free))], format="csr"),
        b_eq=np.eye(1, flows.shape[0])[0],
        bounds=[(0, None)] * own.count + [(None, None)] * free,
        method="highs",
    )
    if not solution.success:
        raise SolveError(f"the linear program was not solved: {solution.message}")
    return -float(solution.fun), own.strategy(solution.x[: own.count])


def _flows(seat: SeatSequences) -> Any:
    """Return the equations of plans, a row for each: the first sequence, then each set."""
    from scipy import sparse

    sizes = np.diff(seat.firsts)
    sets = np.arange(len(seat.sets)) + 1
    rows = np.concatenate([[0], sets, np.repeat(sets, sizes)])
    columns = np.concatenate([[0], seat.parents, np.arange(1, seat.count)])
    signs = np.concatenate([[1.0], -np.ones(len(sets)), np.ones(seat.count - 1)])
    return sparse.csr_matrix((signs, (rows, columns)), shape=(len(sets) + 1, seat.count))
