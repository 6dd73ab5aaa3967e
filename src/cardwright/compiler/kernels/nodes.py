"""Kernels for the nodes of search trees and their children.

A child is found in one of two ways. At a choice between single cards a node has the set of the
cards by which it has children, and these lie in a list in the order of the cards: the number of
smaller cards in the set is the place in the list. All lists lie in one block of memory; one that is
full moves to its end, with twice the room. Every other child is found in a table by its parent and
its key, a hash of the option.

A node lists the children of one choice only, the first that it had there. If play can come to it
with another choice between cards, those children are in the table too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.intrinsics import (
    Pointer,
    clear,
    copy,
    count_ones,
    like,
    load,
    offset,
    pointer_to,
    store,
    wrap,
)
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.content import GOLDEN, scattered
from cardwright.compiler.kernels.lists import put_word, word
from cardwright.compiler.structs import NODE_HEAD

if TYPE_CHECKING:
    from cardwright.compiler.kernels.types import Node, Search

PLAYERS = 1

ENTRY = 16
ENTRY_PARENT = 8
ENTRY_NODE = 12
"""The bytes of an entry of the table: a key, and where its parent and its node are."""


@kernel
def node_at(nodes: Node, index: int) -> Node:
    """Return a node."""
    return like(nodes, offset(nodes, (NODE_HEAD + 8 * PLAYERS) * index))


@kernel
def begin_nodes(search: Search, nodes: Node) -> None:
    """Begin with a root for every seat, and no children."""
    if search.keyed > 0:
        clear(search.table, ENTRY * (search.mask + 1))
    clear(pointer_to(nodes), (NODE_HEAD + 8 * PLAYERS) * PLAYERS)
    search.nodes = PLAYERS
    search.keyed = 0
    search.listed = 0


@kernel
def new_node(search: Search, nodes: Node) -> int:
    """Return the index of a new node; 0 if there is no room."""
    index: int = search.nodes
    if index >= search.room:
        return 0
    search.nodes = index + 1
    clear(pointer_to(node_at(nodes, index)), NODE_HEAD + 8 * PLAYERS)
    return index


# By key -----------------------------------------------------------------------------------


@kernel
def entry_of(search: Search, parent: int, key: int) -> Pointer:
    """Return the entry of a child in the table, or the empty one where it would go."""
    mask: int = search.mask
    at = scattered(key ^ wrap(parent * GOLDEN)) & mask
    while True:
        entry = offset(search.table, ENTRY * at)
        if load(offset(entry, ENTRY_NODE), 4) == 0:
            return entry
        if word(entry, 0) == key and load(offset(entry, ENTRY_PARENT), 4) == parent:
            return entry
        at = (at + 1) & mask


@kernel
def child_by_key(search: Search, parent: int, key: int) -> int:
    """Return a node's child by its key; 0, which is a root, if there is none."""
    return load(offset(entry_of(search, parent, key), ENTRY_NODE), 4)


@kernel
def add_by_key(search: Search, nodes: Node, parent: int, key: int) -> int:
    """Return a new child of a node; 0 if there is no room."""
    index = new_node(search, nodes)
    if index != 0:
        entry = entry_of(search, parent, key)
        put_word(entry, 0, key)
        store(offset(entry, ENTRY_PARENT), parent, 4)
        store(offset(entry, ENTRY_NODE), index, 4)
        search.keyed += 1
    return index


# By card ----------------------------------------------------------------------------------


@kernel
def lists_choice(search: Search, node: Node, choice: int) -> bool:
    """Return whether a node lists, or may list, its children of a choice between cards."""
    listed: bool = node.cards == 0 or node.choice == choice
    return listed and search.by_card != 0


@kernel
def child_by_card(search: Search, node: Node, bit: int) -> int:
    """Return the child by a card, which is given as a set and is one of the node's."""
    place: int = node.list + count_ones(node.cards & wrap(bit - 1))
    return load(offset(search.lists, 4 * place), 4)


@kernel
def add_by_card(search: Search, nodes: Node, parent: int, choice: int, bit: int) -> int:
    """Return a new child of a node; 0 if there is no room."""
    index = new_node(search, nodes)
    if index != 0:
        node = node_at(nodes, parent)
        count = count_ones(node.cards)
        if count & (count - 1) == 0:
            longer_list(search, node, count)
        place: int = node.list + count_ones(node.cards & wrap(bit - 1))
        here = offset(search.lists, 4 * place)
        after: int = 4 * (node.list + count - place)
        copy(offset(here, 4), here, after)
        store(here, index, 4)
        node.cards = node.cards | bit
        node.choice = choice
    return index


@kernel
def longer_list(search: Search, node: Node, count: int) -> None:
    """Move a list of children, which is full, to where there is room for twice as many.

    A list of one begins. There is always room: the lists that a list of so many children has been
    have taken less than four places a child.
    """
    start: int = search.listed
    copy(offset(search.lists, 4 * start), offset(search.lists, 4 * node.list), 4 * count)
    node.list = start
    search.listed = start + max(2 * count, 1)
