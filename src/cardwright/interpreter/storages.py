"""What names, strings, storages and point maps mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from cardwright.interpreter import cards, owners
from cardwright.interpreter.points import PointMap
from cardwright.program import nodes as n
from cardwright.program.cards import OwnerId

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.interpreter.world import Cell, World
    from cardwright.program.program import Program

    String: TypeAlias = Callable[[World], str]


def string(program: Program, node: n.Node) -> String:
    """Return the meaning of a string form."""
    match node:
        case n.Text(value=value):
            return lambda _: value
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.Storage():
            where = cell(program, node)
            return lambda world: world.strings.get(where(world), "")
        case n.Attribute():
            return _attribute(program, node)
    raise AssertionError(node)


def _attribute(program: Program, node: n.Attribute) -> String:
    """Return a card's value of a key; the empty string if it has none, or there is no card."""
    key = string(program, node.key)
    card = cards.card(program, node.card)
    attributes = [card.attributes for card in program.cards]

    def meaning(world: World) -> str:
        read = card(world)
        return "" if read is None else attributes[read].get(key(world), "")

    return meaning


def cell(program: Program, node: n.Storage) -> Callable[[World], Cell]:
    """Return the key of a storage's value: owner and name."""
    name = string(program, node.name)
    if isinstance(node.owner, n.Table) and isinstance(node.name, n.Text):
        fixed = (program.table, node.name.value)
        return lambda _: fixed
    owner = owners.owner(program, node.owner)
    return lambda world: (OwnerId(owner(world)), name(world))


def points(program: Program, node: n.Node) -> Callable[[World], PointMap]:
    """Return the meaning of a point map; one that was never set scores 0 for every card."""
    assert isinstance(node, n.Storage)
    where = cell(program, node)
    empty = PointMap((), program)
    return lambda world: world.points.get(where(world), empty)
