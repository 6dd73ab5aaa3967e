"""Sizes of games, as OpenSpiel wants to know them: of utilities, of chance, of whole trees."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from cardwright.envs.openspiel.node import GameNode, OpenSpielError
from cardwright.interpreter.chance import MOST_OUTCOMES
from cardwright.interpreter.stream import Stream
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from cardwright.envs.openspiel.node import SampledStart
    from cardwright.game.actions.observation import Numbers
    from cardwright.game.game import Game


class Recollection:
    """The tensors of information states of a game that has at most some decisions.

    A tensor has for every decision of the game so far, from the first, what the seat saw as it was
    due: `State.observation` with the last choice, so that every choice is seen at the next
    decision. The end of the game comes last. The rest is zero, but for a column for each action:
    for those that the seat has made so far of the decision that is due, their number by order.
    """

    def __init__(self, game: Game, decisions: int) -> None:
        self.layout = game.observation_layout(history=1)
        self._actions = len(game.actions)
        self._rows = decisions + 1

    @property
    def size(self) -> int:
        """The number of columns."""
        return self._rows * self.layout.size + self._actions

    def tensor(self, node: GameNode | SampledStart, seat: int) -> Numbers:
        """Return what a seat has seen at a node; zeros before the first decision.

        Raises OpenSpielError for a node of which the past is not known.
        """
        out = np.zeros(self.size, np.float32)
        rows, pending = self.parts(node, seat)
        if rows:
            out[: len(rows) * self.layout.size] = np.concatenate(rows)
        for number, action in enumerate(pending, start=1):
            out[self._rows * self.layout.size + action] = number
        return out

    def parts(
        self, node: GameNode | SampledStart, seat: int
    ) -> tuple[list[Numbers], tuple[int, ...]]:
        """Return what a seat saw at each decision so far, and its actions of the one that is due.

        No row of numbers is all zeros, so that tensors are as different as these are.
        """
        if not isinstance(node, GameNode) or not node.recall:
            raise OpenSpielError(
                "this state was not played from the start of the game, so that nothing is known of "
                "its past: take information_state_string"
            )
        rows = [earlier.numbers(seat, self.layout) for earlier in node.decisions()]
        return rows, node.state.pending if node.player == seat else ()


_PROBES = 20

_LONGEST = 1_000_000
"""What is said of the length of a game for which nothing is proved."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """What is known of a game.

    `least` and `most` bound the utilities, and `total` is what those of all seats add up to, None
    if that differs or is not known; `longest` bounds the actions of a game, which draws do not
    count among, and `outcomes` those of a draw. `recollection` has the tensors of information
    states if the whole tree has shown that no two of them have the same.
    """

    least: float
    most: float
    total: float | None
    longest: int
    outcomes: int
    recollection: Recollection | None = None


def measured(root: GameNode, cap: int) -> Sizes | None:
    """Return the exact sizes of a game by its whole tree, or None if it has more nodes than `cap`.

    The tree is first estimated by random paths, as by Knuth ("Estimating the efficiency of
    backtrack programs", 1975).
    """
    if _seems_larger(root, cap):
        return None
    utilities: list[list[float]] = []
    longest = outcomes = nodes = 0
    known = _Tensors(root.state.game)
    if root.state.player is not None:
        known.add(root)
    paths = [(root, 0, iter(_branches(root)))]
    while paths:
        node, depth, branches = paths[-1]
        action = next(branches, None)
        if action is None:
            paths.pop()
            continue
        nodes += 1
        if nodes > cap:
            return None
        depth += node.chance is None
        after = node.after(action)
        if after.chance is not None:
            outcomes = max(outcomes, len(after.chance))
        if after.state.finished:
            utilities.append(after.utilities)
            longest = max(longest, depth)
        else:
            if after.state.player is not None:  # first, as those after it begin with its key
                known.add(after)
            paths.append((after, depth, iter(_branches(after))))
    recollection = Recollection(root.state.game, longest)
    first = 0 if root.chance is None else len(root.chance)
    totals = {round(sum(values), 9) for values in utilities}
    return Sizes(
        min(map(min, utilities)),
        max(map(max, utilities)),
        totals.pop() if len(totals) == 1 else None,
        longest,
        max(first, outcomes),
        recollection if known.distinct else None,
    )


class _Tensors:
    """Whether the tensors of information states tell apart what seats can tell apart."""

    def __init__(self, game: Game) -> None:
        self.distinct = True
        self._recollection = Recollection(game, 0)
        self._keys: dict[bytes, bytes] = {}

    def add(self, node: GameNode) -> None:
        """Add the information state of the seat that decides."""
        seat = node.state.player
        assert seat is not None
        rows, pending = self._recollection.parts(node, seat)  # first: keys are then found with it
        digest = blake2b(repr(pending).encode(), digest_size=16)
        for row in rows:
            digest.update(row.tobytes())
        key = node.state.information(seat)
        self.distinct &= self._keys.setdefault(digest.digest(), key) == key


def _branches(node: GameNode) -> range | list[int]:
    return node.actions if node.chance is None else range(len(node.chance))


def _seems_larger(root: GameNode, cap: int) -> bool:
    """Return whether a tree has more nodes than `cap`, as far as random paths show."""
    stream, total = Stream(0), 0
    for _ in range(_PROBES):
        node, weight = root, 1
        while not node.state.finished:
            branches = _branches(node)
            weight *= len(branches)
            total += weight
            if total > cap * _PROBES:
                return True
            node = node.after(branches[stream.below(len(branches))])
    return False


def assumed(game: Game, utility: str) -> Sizes:
    """Return the sizes of a game that is too large for its tree: what is proved of its rules."""
    draws = any(isinstance(node, n.Random) for node in game.program.nodes())
    outcomes = MOST_OUTCOMES if draws else len(game.cards)
    longest = game.longest
    if longest is None or game.actions.sequences:
        longest = _LONGEST
    if utility == "win":
        return Sizes(0.0, 1.0, 1.0, longest, outcomes)
    least, most = game.score_range or (-inf, inf)
    total = None if game.constant_sum is None else float(game.constant_sum)
    if not game.highest_wins:
        least, most = -most, -least
        total = None if total is None else 0.0 - total
    return Sizes(float(least), float(most), total, longest, outcomes)
