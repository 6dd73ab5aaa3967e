"""Which forms read cards that some player may not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program.cards import OPEN_KINDS
from cardwright.program.traits import StatePart

if TYPE_CHECKING:
    from cardwright.program import nodes as n


def conceals(node: n.Node) -> bool:
    """Return whether a form itself names cards that are not visible to all.

    A form that reads cards without saying from which kind of location may read any.
    """
    if not node.traits.reads & StatePart.CARDS:
        return False
    return getattr(node, "place", None) not in OPEN_KINDS
