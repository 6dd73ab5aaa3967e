"""The sequence form of a game: what a seat does is a tree of its own decisions.

A seat with perfect recall knows its own choices: those on the way to an information set are the
same in all its nodes. So a strategy is given by the products of its probabilities along these
sequences of own choices, its realization plan, and what an outcome is worth depends on one sequence
of each seat only (D. Koller, N. Megiddo and B. von Stengel, "Efficient computation of equilibria
for extensive two-person games", Games and Economic Behavior 14, 1996). Whatever sweeps the tree
here sweeps these, which are far fewer than nodes, level by level with NumPy.

A behaviour strategy of a seat is an array with a probability for each of its sequences: that of its
last choice in its information set. The first sequence is the empty one, with probability 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cardwright.solve.tree import TERMINAL, SolveError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.solve.tree import GameTree, Integers, Reals


@dataclass(frozen=True, eq=False)
class SequenceLevel:
    """The information sets that come after the same number of own choices.

    `sets` and `sequences` are ranges within the seat's; `starts` has the first sequence of each
    set, counted from that of the level, `whose` the set of each sequence, counted in the same way,
    and `parents` the sequence that leads to each set.
    """

    sets: slice
    sequences: slice
    starts: Integers
    whose: Integers
    parents: Integers


@dataclass(frozen=True, eq=False)
class SeatSequences:
    """The sequences of a seat: `sets` are its information sets by their number in the tree.

    `firsts` has the first sequence of each set, and the number of all sequences at its end.
    """

    sets: Integers
    firsts: Integers
    parents: Integers
    levels: tuple[SequenceLevel, ...]

    @property
    def count(self) -> int:
        """The number of sequences, the empty one included."""
        return int(self.firsts[-1])

    def uniform(self) -> Reals:
        """Return the strategy that chooses all options with equal probability."""
        sizes = np.diff(self.firsts)
        return np.concatenate([[1.0], np.repeat(1.0 / sizes, sizes)])

    def plan(self, strategy: Reals) -> Reals:
        """Return the realization plan of a strategy: the probability of its choices together."""
        made = strategy.copy()
        for level in self.levels:
            made[level.sequences] *= made[level.parents][level.whose]
        return made

    def strategy(self, plan: Reals) -> Reals:
        """Return the strategy of a plan of any scale; uniform where the plan never comes."""
        made = self.uniform()
        for level in self.levels:
            weights = np.maximum(plan[level.sequences], 0.0)
            sums = np.add.reduceat(weights, level.starts)[level.whose]
            np.divide(weights, sums, out=made[level.sequences], where=sums > 0)
        return made

    def lift(self, values: Reals, strategy: Reals) -> Reals:
        """Return the value of each set, and add those to the sequences that lead to them.

        `values` has for each sequence what the outcomes right after it are worth, and then what
        all after it are worth, when the seat goes on by the strategy.
        """
        lifted = np.empty(len(self.sets))
        for level in reversed(self.levels):
            here = values[level.sequences] * strategy[level.sequences]
            lifted[level.sets] = np.add.reduceat(here, level.starts)
            np.add.at(values, level.parents, lifted[level.sets])
        return lifted

    def respond(self, values: Reals) -> Reals:
        """Return a strategy that makes the most of each set, the first option of equal ones.

        `values` is changed as by `lift`; its first entry is then what the response is worth.
        """
        chosen = np.zeros(self.count)
        chosen[0] = 1.0
        for level in reversed(self.levels):
            here = values[level.sequences]
            best = np.maximum.reduceat(here, level.starts)
            top = np.flatnonzero(here >= best[level.whose])
            _, first = np.unique(level.whose[top], return_index=True)
            chosen[level.sequences.start + top[first]] = 1.0
            np.add.at(values, level.parents, best)
        return chosen


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """A game by its sequences: `joint` x `payoffs` is what each combination of them is worth.

    `joint` is K x n, a sequence of each seat; `payoffs` is K x n too, the utility of each seat
    times the probability of chance, summed up over all outcomes with these sequences.
    """

    tree: GameTree
    seats: tuple[SeatSequences, ...]
    joint: Integers
    payoffs: Reals

    @classmethod
    def of(cls, tree: GameTree) -> SequenceForm:
        """Return the sequence form of a tree; raises SolveError if a seat forgets own choices."""
        before = _before(tree)
        seats, firsts = [], np.zeros(len(tree.sets) + 1, dtype=np.int64)
        for seat in range(tree.players):
            made = _seat_sequences(tree, seat, before)
            firsts[made.sets] = made.firsts[:-1]
            seats.append(made)
        last = np.where(before >= 0, firsts[before >> _BITS] + (before & _MASK), 0)
        ends = tree.terminals
        reach = _chance_reach(tree)[ends]
        joint, where = np.unique(last[ends], axis=0, return_inverse=True)
        payoffs = np.zeros((len(joint), tree.players))
        np.add.at(payoffs, where.reshape(-1), tree.utilities[ends] * reach[:, None])
        return cls(tree, tuple(seats), joint, payoffs)

    def uniform(self) -> list[Reals]:
        """Return the strategies that choose all options with equal probability, of all seats."""
        return [seat.uniform() for seat in self.seats]

    def outcomes(self, seat: int, plans: Sequence[Reals]) -> Reals:
        """Return for each sequence of a seat what the outcomes right after it are worth to it.

        They are weighted by chance and by the plans of the other seats.
        """
        weights = self.payoffs[:, seat].copy()
        for other, plan in enumerate(plans):
            if other != seat:
                weights *= plan[self.joint[:, other]]
        worth = np.bincount(self.joint[:, seat], weights, minlength=self.seats[seat].count)
        return worth.astype(np.float64, copy=False)


_BITS = 20
_MASK = (1 << _BITS) - 1
"""How a last own choice is packed in one number: its information set, and its option."""


def _before(tree: GameTree) -> Integers:
    """Return for each node and seat the last own choice before it, packed; -1 for none."""
    before = np.full((tree.size, tree.players), -1, dtype=np.int64)
    for start, end in zip(tree.depths[1:-1], tree.depths[2:], strict=True):
        nodes = np.arange(start, end)
        parents = tree.parents[nodes]
        before[nodes] = before[parents]
        decided = tree.actors[parents] >= 0
        mine, above = nodes[decided], parents[decided]
        packed = (tree.information[above] << _BITS) | tree.edges[mine]
        before[mine, tree.actors[above]] = packed
    return before


def _chance_reach(tree: GameTree) -> Reals:
    """Return for each node the probability of all chance on the way to it."""
    reach = tree.chances.copy()
    for start, end in zip(tree.depths[1:-1], tree.depths[2:], strict=True):
        reach[start:end] *= reach[tree.parents[start:end]]
    return reach


def _seat_sequences(tree: GameTree, seat: int, before: Integers) -> SeatSequences:
    nodes = np.flatnonzero(tree.actors == seat)
    sets, first = np.unique(tree.information[nodes], return_index=True)
    lead = before[nodes[first], seat]
    spread = np.searchsorted(sets, tree.information[nodes])
    if np.any(before[nodes, seat] != lead[spread]):
        raise SolveError(
            f"p{seat + 1} does not always remember its own choices in this game, "
            "so that it cannot be solved by its sequences"
        )
    at = np.where(lead >= 0, np.searchsorted(sets, lead >> _BITS), -1)
    depth = _set_depths(at)
    order = np.argsort(depth, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    sizes = tree.options[sets[order]]
    firsts = 1 + np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    own, option = at[order], lead[order] & _MASK
    parents = np.where(own >= 0, firsts[place[own]] + option, 0)
    return SeatSequences(sets[order], firsts, parents, _levels(depth[order], firsts, parents))


def _set_depths(parents: Integers) -> Integers:
    """Return the depth of each item of a forest, given the parent of each; -1 for roots."""
    depth = np.zeros(len(parents), dtype=np.int64)
    at = parents.copy()
    while np.any(at >= 0):
        depth += at >= 0
        at = np.where(at >= 0, parents[at], -1)
    return depth


def _levels(depth: Integers, firsts: Integers, parents: Integers) -> tuple[SequenceLevel, ...]:
    levels = []
    for level in range(int(depth.max(initial=-1)) + 1):
        start, end = map(int, np.searchsorted(depth, (level, level + 1)))
        low, high = int(firsts[start]), int(firsts[end])
        starts = firsts[start:end] - low
        whose = np.repeat(np.arange(end - start), np.diff(firsts[start : end + 1]))
        levels.append(
            SequenceLevel(slice(start, end), slice(low, high), starts, whose, parents[start:end])
        )
    return tuple(levels)


def counts(tree: GameTree) -> dict[str, int]:
    """Return how many nodes, outcomes and information sets a tree has."""
    return {
        "nodes": tree.size,
        "terminals": int(np.count_nonzero(tree.actors == TERMINAL)),
        "information_sets": len(tree.sets),
    }


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
