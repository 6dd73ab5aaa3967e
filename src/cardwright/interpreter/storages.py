"""What names, strings, storages and point maps mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from cardwright.interpreter.world import PointMap
from cardwright.program import nodes as n
from cardwright.program.cards import OwnerId

if TYPE_CHECKING:
    from cardwright.interpreter.meaning import Meanings
    from cardwright.interpreter.world import Cell, Meaning, World


def string(by: Meanings, node: n.Node) -> Meaning[str]:
    """Return the meaning of a string form."""
    assert isinstance(node, n.StringForm)
    match node:
        case n.Text(value=value):
            return lambda _: value
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.Storage():
            where = by.cell(node)
            return lambda world: world.strings.get(where(world), "")
        case n.Attribute():
            return _attribute(by, node)
    assert_never(node)


def _attribute(by: Meanings, node: n.Attribute) -> Meaning[str]:
    """Return a card's value of a key; the empty string if it has none, or there is no card."""
    key = by.string(node.key)
    card = by.card(node.card)
    attributes = [card.attributes for card in by.program.cards]

    def meaning(world: World) -> str:
        read = card(world)
        return "" if read is None else attributes[read].get(key(world), "")

    return meaning


def cell(by: Meanings, node: n.Node) -> Meaning[Cell]:
    """Return the key of a storage's value: owner and name."""
    assert isinstance(node, n.Storage)
    name = by.string(node.name)
    if isinstance(node.owner, n.Table) and isinstance(node.name, n.Text):
        fixed = (by.program.table, node.name.value)
        return lambda _: fixed
    owner = by.owner(node.owner)
    return lambda world: (OwnerId(owner(world)), name(world))


def points(by: Meanings, node: n.Node) -> Meaning[PointMap]:
    """Return the meaning of a point map; one that was never set scores 0 for every card."""
    where = by.cell(node)
    empty = PointMap((), by.program)
    return lambda world: world.points.get(where(world), empty)
