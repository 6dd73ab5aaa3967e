"""Strings, as their numbers, and the cells where values are stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import add, const, mul, sub
from cardwright.compiler.layout import CellGroup
from cardwright.compiler.lower import cards, owners
from cardwright.program import nodes as n
from cardwright.program.places import sort_of

if TYPE_CHECKING:
    from cardwright.compiler.layout import Cells
    from cardwright.compiler.lower.lowering import Lowering, Shared


def string(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the number of a string."""
    match node:
        case n.Text(value=value):
            return const(low.names.number(value))
        case n.Variable(slot=slot):
            return owners.scalar(low, slot)
        case n.Storage():
            return low.stored("strings", cell(low, node))
        case n.Attribute(key=key, card=card):
            read = cards.card(low, card)
            return attribute(low, key, read)
    raise AssertionError(node)


def attribute(low: Lowering, key: n.Node, card: ir.Expr) -> ir.Expr:
    """Return a card's value of a key; the empty string if it has none, or there is no card."""
    if isinstance(key, n.Text):
        table = attribute_table(low.shared, key.value)
        address = ir.Offset(ir.Offset(table, mul(card, const(2))), const(2))
        return low.b.let(ir.Load(address, 2), "value")
    table, row = attribute_rows(low.shared)
    start = mul(string(low, key), const(row))
    address = ir.Offset(ir.Offset(ir.Offset(table, start), mul(card, const(2))), const(2))
    return low.b.let(ir.Load(address, 2), "value")


def attribute_table(shared: Shared, key: str) -> ir.Data:
    """Return the table of a key's values by card; the first entry is that of no card."""
    return shared.integers(f"attribute {key}", _values(shared, key), 2)


def attribute_rows(shared: Shared) -> tuple[ir.Data, int]:
    """Return the tables of all strings as keys, concatenated, and the bytes of each."""
    rows = [value for key in shared.names.texts for value in _values(shared, key)]
    return shared.integers("attributes", rows, 2), 2 * (len(shared.program.cards) + 1)


def _values(shared: Shared, key: str) -> list[int]:
    values = [card.attributes.get(key, "") for card in shared.program.cards]
    return [0, *map(shared.names.number, values)]


def cell(low: Lowering, node: n.Storage) -> ir.Expr:
    """Return the number of the cell where a storage keeps its value: owner, then name."""
    cells: Cells = {
        n.StorageKind.INTEGER: low.layout.integers,
        n.StorageKind.STRING: low.layout.strings,
        n.StorageKind.POINTS: low.layout.points,
    }[node.storage]
    sort = sort_of(node.owner, low.program)
    owner = owners.owner(low, node.owner)
    within = sub(owner, const(sort.first))
    if isinstance(node.name, n.Text):
        return add(const(cells.bases[CellGroup(sort, node.name.value)]), within)
    bases = [cells.bases.get(CellGroup(sort, text), 0) for text in low.names.texts]
    table = low.shared.integers(f"cells {node.storage.value} {sort.first}", bases, 4)
    name = string(low, node.name)
    base = low.b.let(ir.Load(ir.Offset(table, mul(name, const(4))), 4), "cell")
    return add(base, within)
