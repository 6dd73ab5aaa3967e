"""The memory of tree search: the settings of a search, its counters, and the nodes of its trees."""

from __future__ import annotations

from cardwright.compiler.structs import Field, Struct, Type

SEARCH_FIELDS = (
    "seat",
    "many",
    "deals",
    "again",
    "narrow",
    "by_card",
    "reward",
    "highest",
    "low",
    "span",
    "doubling",
    "widening",
    "room",
    "mask",
    "path_room",
    "root",
    "nodes",
    "keyed",
    "listed",
    "path_length",
    "child",
    "grew",
    "done",
    "failed",
    "plies",
    "gained",
)
"""Integers of a search.

seat: the seat that searches. many: 1 for a tree of each seat (MO-ISMCTS), 0 for one tree. deals: 0
if every iteration plays in the board as it is, 1 if in a new world. again: 1 if the cards are
redealt for every opponent that chooses in the tree. narrow: 1 if only some options of the root are
wanted. by_card: 1 if nodes list their children by cards, 0 if all are found by keys. reward: one of
the kinds in `kernels.rewards`; highest: 1 if the highest score wins; low and span: the raw reward
that is worth 0, and how far above it the one worth 1 is. doubling: what doubling a count adds to
its logarithm. widening: the factor of progressive widening, or 0. room: the most nodes; mask: the
entries of the table of children, less one; path_room: the most nodes of one iteration. root: where
a single tree begins.

The others are counters: nodes so far, those found by keys, and the places taken in lists of
children; nodes of the iteration; the child chosen, and whether it is new; iterations done, those
that broke a rule, and decisions made in trees; and the points of the seat in the iteration.
"""

SEARCH_POINTERS = (
    "allowed",
    "chain",
    "wanted",
    "forms",
    "logs",
    "table",
    "lists",
    "path",
    "at",
    "streams",
    "ends",
    "rewards",
)
"""Pointers: what a seat knows, the chain of worlds; a byte for each option of the root that says
whether it is wanted; how options lie in memory; logarithms; the table of children, and lists of
them; the nodes of the iteration, the node of each tree; the random streams of seats, and room for
scores and for rewards.
"""

SEARCH = Struct(
    "Search",
    {
        **{
            name: Field(8 * at, 8, signed=True, tag=f"search.{name}")
            for at, name in enumerate(SEARCH_FIELDS)
        },
        **{
            name: Field(8 * (len(SEARCH_FIELDS) + at), 8, type=Type.POINTER, tag=f"search.{name}")
            for at, name in enumerate(SEARCH_POINTERS)
        },
    },
    8 * (len(SEARCH_FIELDS) + len(SEARCH_POINTERS)),
)

NODE_HEAD = 32

NODE = Struct(
    "Node",
    {
        "cards": Field(0, 8, signed=True, tag="node.cards"),
        "list": Field(8, 4, tag="node.list"),
        "choice": Field(12, 4, tag="node.choice"),
        "visits": Field(16, 4, tag="node.visits"),
        "available": Field(20, 4, tag="node.available"),
        "gained": Field(24, 8, signed=True, tag="node.gained"),
        "total": Field(NODE_HEAD, 8, signed=True, strides=(8,), tag="node.total"),
    },
    NODE_HEAD,
)
"""A node: the set of cards by which it has children, the start of the list of these, and the choice
between cards that they belong to; how often it was visited, and how often it was available; the sum
of the points of the seat that searches; and for each seat the sum of its rewards. So it has more
bytes than declared here, 8 for each seat.
"""

CHILD = Struct(
    "Child",
    {
        "key": Field(0, 8, signed=True, tag="child.key"),
        "parent": Field(8, 4, tag="child.parent"),
        "node": Field(12, 4, tag="child.node"),
    },
    16,
)
"""An entry of the table of children by keys: a key, a parent, and the child; 0 if it is empty."""


def node_bytes(players: int) -> int:
    """Return the size of a node."""
    return NODE_HEAD + 8 * players
