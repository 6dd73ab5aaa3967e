"""The lowering of forms: what ties the chapters together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.lower import (
    cards,
    conditions,
    integers,
    locations,
    owners,
    storages,
)
from cardwright.compiler.lower.lowering import Lowering

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from cardwright.compiler import ir
    from cardwright.compiler.lower.values import Cards
    from cardwright.program import nodes as n


class FormLowering(Lowering):
    """One function under construction, with all forms of the language."""

    def integer(self, node: n.Node) -> ir.Expr:
        """See `integers`."""
        return integers.integer(self, node)

    def string(self, node: n.Node) -> ir.Expr:
        """See `storages`."""
        return storages.string(self, node)

    def condition(self, node: n.Node) -> ir.Expr:
        """See `conditions`."""
        return conditions.condition(self, node)

    def card(self, node: n.Node) -> ir.Expr:
        """See `cards`."""
        return cards.card(self, node)

    def owner(self, node: n.Node) -> ir.Expr:
        """See `owners`."""
        return owners.owner(self, node)

    def seat(self, node: n.Node) -> ir.Expr:
        """See `owners`."""
        return owners.seat(self, node)

    def team(self, node: n.Node) -> ir.Expr:
        """See `owners`."""
        return owners.team(self, node)

    def location(self, node: n.Node, *, keep: bool = False) -> Cards:
        """See `locations`."""
        return locations.location(self, node, keep=keep)

    def each_card(
        self, node: n.Node, stop: ir.Local | None = None
    ) -> AbstractContextManager[ir.Expr]:
        """See `locations`."""
        return locations.each_card(self, node, stop)
