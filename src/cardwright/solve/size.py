"""How large a tree is at least, found out before it is built.

A random game makes an unbiased estimate of the size of a tree: how many nodes it would have if all
others of each depth had as many edges as that on the path (D. E. Knuth, "Estimating the efficiency
of backtrack programs", Mathematics of Computation 29, 1975). An estimate is F times too large with
a probability of at most 1/F, by Markov's inequality; that all of several are, practically never
happens.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cardwright.game.errors import GameError
from cardwright.interpreter.stream import Stream
from cardwright.solve.errors import TreeTooLargeError
from cardwright.solve.tree_growth import TooManyWaysError, TreeBrokenError, TreeGrowth

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.game.native.engine import NativeEngine

_GAMES = 10
_FACTOR = 1000.0
"""How many random games are played, and how many times too large all of them must be."""


def least_size(game: Game, most: int, engine: NativeEngine | None = None) -> float:
    """Return the size of a tree that is certainly too large, by the median of estimates.

    That is the decimal logarithm of the number of nodes; 0 if the tree may have no more than
    `most` nodes. `engine` is what builds the tree, None for the interpreter.
    """
    enough = math.log10(most * _FACTOR)
    found = []
    for number in range(_GAMES):
        size = _native_estimate(game, engine, number) if engine else _estimate(game, number)
        if size <= enough:
            return 0.0
        found.append(size)
    return sorted(found)[_GAMES // 2]


def too_large(game: Game, most: int, seen: float) -> TreeTooLargeError:
    """Return the error for a tree that was followed only so far."""
    return TreeTooLargeError(
        f"the tree of {game.name} is too large: at {most:,} nodes, the most allowed, about "
        f"{100 * seen:.2g} % of it had been followed",
        most,
    )


def _estimate(game: Game, number: int) -> float:
    """Return the decimal logarithm of the estimate by a random game: of its largest level."""
    state, stream, size = game.start_chance(), Stream(number), 0.0
    while not state.finished:
        chance = state.chance
        count = state.option_count if chance is None else len(chance)
        size += math.log10(count)
        if chance is None:
            state.play(stream.below(count))
        else:
            state.take_chance(stream.below(count))
    return size


def _native_estimate(game: Game, engine: NativeEngine, number: int) -> float:
    """Return the same where machine code builds the tree, in which hands are dealt as sets."""
    try:
        edges = TreeGrowth(game, engine).follow_at_random(Stream(number))
    except TooManyWaysError:
        return _estimate(game, number)
    except TreeBrokenError as broken:
        raise GameError(broken.fault, game.program, game.name, None, ()) from None
    return sum(map(math.log10, edges))
