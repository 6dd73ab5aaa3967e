"""Strings, as their numbers; the attributes of cards; and the cells where values are stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import add, const, mul, sub
from cardwright.compiler.layout import CellGroup
from cardwright.compiler.lower import words
from cardwright.compiler.lower.lowering import entry
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
            return low.scalar(slot)
        case n.Storage():
            return low.read("strings", cell(low, node))
        case n.Attribute(key=key, card=card):
            return attribute(low, key, low.card(card))
    raise AssertionError(node)


# Attributes -------------------------------------------------------------------------------


def attribute(low: Lowering, key: n.Node, card: ir.Expr) -> ir.Expr:
    """Return a card's value of a key; the empty string if it has none, or there is no card."""
    if isinstance(key, n.Text):
        table: ir.Expr = low.shared.integers(
            f"attribute {key.value}", _values(low.shared, key.value), 2
        )
    else:
        table = attributes_of(low.shared, string(low, key))
    return low.b.let(value_of(table, card), "value")


def value_of(table: ir.Expr, card: ir.Expr) -> ir.Expr:
    """Return a card's value in the table of a key; its first entry is that of no card."""
    return ir.Load(ir.Offset(ir.Offset(table, mul(card, const(2))), const(2)), 2)


def attributes_of(shared: Shared, key: ir.Expr) -> ir.Expr:
    """Return the table of a key that is known only in play, given as the string's number."""
    rows = [value for text in shared.names.texts for value in _values(shared, text)]
    table = shared.integers("attributes", rows, 2)
    return ir.Offset(table, mul(key, const(2 * (len(shared.program.cards) + 1))))


def _values(shared: Shared, key: str) -> list[int]:
    values = [card.attributes.get(key, "") for card in shared.program.cards]
    return [0, *map(shared.names.number, values)]


def cards_with(low: Lowering, key: str, value: ir.Expr) -> ir.Expr:
    """Return the mask of the cards that have a value of a key, given as the string's number."""
    by_value = _cards_by_value(low.shared, key)
    kind, step = low.layout.mask, low.layout.mask_bits // 8
    if isinstance(value, ir.Const):
        return words.word(kind, by_value[value.value])
    table = low.shared.integers(f"masks {key}", by_value, step)
    return ir.Load(ir.Offset(table, mul(value, const(step))), step, step == 8, kind)


def cards_alike(shared: Shared, key: str, card: ir.Expr) -> ir.Expr:
    """Return the mask of the cards that have the same value of a key as a card."""
    by_value = _cards_by_value(shared, key)
    values = _values(shared, key)[1:]
    table = shared.integers(f"alike {key}", [by_value[value] for value in values], 8)
    return entry(table, card, 8, signed=True)


def _cards_by_value(shared: Shared, key: str) -> list[int]:
    by_value = [0] * len(shared.names)
    for card, value in enumerate(_values(shared, key)[1:]):
        by_value[value] |= 1 << card
    return by_value


# Cells ------------------------------------------------------------------------------------


def cell(low: Lowering, node: n.Node) -> ir.Expr:
    """Return the number of the cell where a storage keeps its value: owner, then name."""
    assert isinstance(node, n.Storage)
    cells: Cells = {
        n.StorageKind.INTEGER: low.layout.integers,
        n.StorageKind.STRING: low.layout.strings,
        n.StorageKind.POINTS: low.layout.points,
    }[node.storage]
    sort = sort_of(node.owner, low.program)
    within = sub(low.owner(node.owner), const(sort.first))
    if isinstance(node.name, n.Text):
        return add(const(cells.bases[CellGroup(sort, node.name.value)]), within)
    bases = [cells.bases.get(CellGroup(sort, text), 0) for text in low.names.texts]
    table = low.shared.integers(f"cells {node.storage.value} {sort.first}", bases, 4)
    base = low.b.let(entry(table, string(low, node.name), 4), "cell")
    return add(base, within)
