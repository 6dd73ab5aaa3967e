"""What the branches of a choice have in common, worked out once before the first of them.

Tests of a whole location by a mask are a few instructions, and neighbouring branches ask for the
same ones: whether there is a card of the suit led, and which. They are made at the beginning of a
function, where the optimiser sees which are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.keys import free
from cardwright.compiler.lower import masks
from cardwright.program import nodes as n
from cardwright.program.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.compiler.chains import Chain
    from cardwright.compiler.lower.lowering import Lowering


def prepare(low: Lowering, chains: list[Chain]) -> None:
    """Work out the mask tests of some chains; the lowering finds them in its memory."""
    for chain in chains:
        for node in _tests(chain):
            if not free(node) or not low.facts.pure(node):
                continue
            found = None
            if isinstance(node, n.Quantifier):
                found = masks.passing(
                    low, node.collection, node.variable, node.test, opposite=node.every
                )
            elif node.kind is Kind.LOCATION and masks.is_array(low, node.collection):
                which = masks.mask(low, node.test, node.variable.slot)
                if which is not None:
                    found = masks.select(low, node.collection, which)
            if found is not None:
                low.shared_tests[id(node)] = found


def _tests(chain: Chain) -> Iterator[n.Quantifier | n.Filter]:
    for link in chain.links:
        form = link.test if isinstance(link, n.When) else getattr(link, "collection", None)
        if isinstance(form, n.Node):
            for inner in n.walk(form):
                if isinstance(inner, n.Quantifier | n.Filter):
                    yield inner
