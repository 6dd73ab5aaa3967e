"""Kernels for the bounds by which a search prefers a child: UCB, in integers.

A bound is the mean reward and a bonus, k sqrt(ln(a) / n), for a child available a times and visited
n times.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import divide, highest_one, square_root
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.lists import word
from cardwright.compiler.kernels.nodes import node_at

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Node, Search

WIDENING_BITS = 8
"""The factor of widening is a multiple of 2 to the minus this."""

LOG_BITS = 12
"""Logarithms are tabulated for counts of up to this many bits; larger counts are halved first."""


@kernel
def bonus_bits(search: Search, count: int) -> int:
    """Return the logarithm of a count, scaled like the table of logarithms."""
    if count >> LOG_BITS == 0:
        return word(search.logs, count)
    halved = highest_one(count) - (LOG_BITS - 1)
    doubling: int = search.doubling
    return word(search.logs, count >> halved) + halved * doubling


@kernel
def bound_of(search: Search, node: Node, mover: int) -> int:
    """Return the bound of a child for the seat that decides: its mean reward, and a bonus."""
    visits: int = node.visits
    bound = divide(node.total[mover], visits)
    return bound + square_root(bonus_bits(search, node.available) // visits)


@kernel
def may_grow(search: Search, nodes: Node, parent: int, tried: int) -> bool:
    """Return whether a node may have another child, given how many options have been tried there.

    Where `widening` is set, the number grows with the square root of the visits: progressive
    widening, as Coulom described it ("Computing Elo ratings of move patterns in the game of Go",
    2007) with logarithms. All options of the root are tried.
    """
    if search.widening == 0 or search.path_length == 0:
        return True
    node = node_at(nodes, parent)
    most: int = search.widening * square_root(node.visits) >> WIDENING_BITS
    return tried <= most
