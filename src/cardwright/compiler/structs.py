"""Structs: blocks of memory with named fields, and those that are alike in all games."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Type(Enum):
    """The type of an expression; a wide integer has 128 bits."""

    BOOL = "bool"
    INT = "int"
    WIDE = "wide"
    POINTER = "pointer"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Field:
    """The offset and the width of a field.

    A field with strides is an array: `field[i, j]` lies at offset + i * strides[0] + j *
    strides[1]. Fields with different tags never alias.
    """

    offset: int
    width: int
    signed: bool = False
    strides: tuple[int, ...] = ()
    type: Type = Type.INT
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Struct:
    """A type of memory block with named fields."""

    name: str
    fields: Mapping[str, Field]
    bytes: int


def _words(name: str, integers: Iterable[str], pointers: Iterable[str], tag: str = "") -> Struct:
    """Return a struct of integers and then pointers, a word for each; tags begin with `tag`."""
    fields = {
        word: Field(8 * at, 8, signed=True, tag=tag + word) for at, word in enumerate(integers)
    }
    fields |= {
        word: Field(8 * at, 8, type=Type.POINTER, tag=tag + word)
        for at, word in enumerate(pointers, len(fields))
    }
    return Struct(name, fields, 8 * len(fields))


CONTEXT = _words(
    "Context",
    (
        "fault_site", "fault_a", "fault_b", "fault_c", "step_limit", "limit", "allowance", "left",
        "begun", "later", "parts", "ticks", "watch", "decision_limit", "pause", "options_room",
        "arena_end", "kept_end", "top", "kept", "picks", "result", "stop", "done", "pick_count",
        "option_sum", "option_most", "option_single", "changed", "one_deal",
    ),
    ("options", "arena", "scratch", "trail", "extra", "forms"),
)  # fmt: skip
"""A thread's work.

Integers: the last fault, limits, how much of them is left (see `kernels.rules`), the number of
decisions at which random play pauses, marks in its memory, the tally of a random game's options,
and whether games end with the deal. Pointers: to the options, lists, the scratch board, picks that
are tried, and what a set of kernels has to know about the game.
"""

STREAM = Struct("Stream", {"words": Field(0, 8, strides=(8,), tag="words")}, 32)

TALLY_FIELDS = (
    "decisions", "options", "most", "single",
    "broken", "fault_site", "fault_a", "fault_b", "fault_c",
)  # fmt: skip

TALLY = _words("Tally", TALLY_FIELDS, (), tag="tally.")
"""The tally of a random game: how many decisions it had, the total and the most options of a
decision, and how many had a single one; or that it broke a rule, and the fault.
"""

SEARCH = _words(
    "Search",
    (
        "seat", "many", "deals", "pooled", "again", "narrow", "by_card", "reward", "highest",
        "low", "span", "doubling", "widening", "room", "mask", "path_room", "root", "nodes",
        "keyed", "listed", "path_length", "child", "grew", "done", "failed", "plies", "gained",
    ),
    (
        "allowed", "chain", "wanted", "forms", "logs", "table", "lists", "path", "at", "streams",
        "ends", "rewards",
    ),
    tag="search.",
)  # fmt: skip
"""A search.

seat: the seat that searches. many: 1 for a tree of each seat (MO-ISMCTS), 0 for one tree. deals: 0
if every iteration plays in the board as it is, 1 if in a new world; pooled: 1 if new worlds are
those of a pool, to which `allowed` then points. again: 1 if the cards are
redealt for every opponent that chooses in the tree. narrow: 1 if only some options of the root are
wanted. by_card: 1 if nodes list their children by cards, 0 if all are found by keys. reward: one of
the kinds in `kernels.evaluation`; highest: 1 if the highest score wins; low and span: the raw
reward that is worth 0, and how far above it the one worth 1 is. doubling: what doubling a count
adds to its logarithm. widening: the factor of progressive widening, or 0. room: the most nodes;
mask: the entries of the table of children, less one; path_room: the most nodes of one iteration.
root: where a single tree begins.

The other integers are counters: nodes so far, those found by keys, and the places taken in lists of
children; nodes of the iteration; the child chosen, and whether it is new; iterations done, those
that broke a rule, and decisions made in trees; and the points of the seat in the iteration.

Pointers: what a seat knows, the chain of worlds; a byte for each option of the root that says
whether it is wanted; how options lie in memory; logarithms; the table of children, and lists of
them; the nodes of the iteration, the node of each tree; the random streams of seats, and room for
scores and for rewards.
"""

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
