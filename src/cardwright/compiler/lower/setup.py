"""Set-up: the board of a new game, and tables of what every slot is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    ZERO,
    add,
    call,
    const,
    mul,
)
from cardwright.compiler.ir import Inline, Local, Type
from cardwright.compiler.layout import PileForm
from cardwright.compiler.lower import locations, piles
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL, Lowering, Shared, card_address
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from cardwright.program.program import Deck

_SLOT = Local("slot")


def start(shared: Shared) -> None:
    """Make the function that sets a board up for a seed; it returns -1 for a fault."""
    low = Lowering(shared)
    seed = Local("seed")
    low.b.add(low.context.store("top", value=ZERO))
    low.b.add(ir.Clear(BOARD, const(shared.layout.board.bytes)))
    low.b.run("seed_stream", BOARD, seed)
    for number, deck in enumerate(shared.program.decks):
        if isinstance(deck.location, n.Place):
            _lay(low, number, deck)
    low.b.add(ir.Return(ZERO))
    low.finish("start", seed)


def _lay(low: Lowering, number: int, deck: Deck) -> None:
    """Lay a deck on its location."""
    assert isinstance(deck.location, n.Place)
    pile = locations.place(low, deck.location, keep=bool(deck.cards))
    if not deck.cards:
        return
    width = low.layout.card_bytes
    cards = low.shared.integers(f"deck {number}", list(deck.cards), width)
    size = const(len(deck.cards))
    if pile.form is not PileForm.PILE:
        with low.b.count(size) as at:
            piles.put_on_top(low, pile, ir.Load(card_address(low, cards, at), width))
        return
    count = low.count(pile)
    low.b.run("bear", BOARD, pile.slot)
    target = card_address(low, low.board.at("card", pile.slot, ZERO), count)
    low.b.add(ir.Copy(target, cards, mul(size, const(width))))
    low.store("count", pile.slot, value=add(count, size))
    with low.b.count(size) as at:
        low.store("where", ir.Load(card_address(low, cards, at), width), value=pile.slot)


def fail(shared: Shared) -> None:
    """Make the function that records a fault in the context."""
    site, a, b, c = (Local(name) for name in ("site", "a", "b", "c"))
    low = Lowering(shared)
    for name, value in (("site", site), ("a", a), ("b", b), ("c", c)):
        low.b.add(low.context.store(f"fault_{name}", value=value))
    low.b.add(ir.Return(const(-1)))
    shared.module.functions["fail"] = ir.Function(
        "fail", (CONTEXT_LOCAL, site, a, b, c), Type.INT, low.b.finish(), inline=Inline.NEVER
    )


def too_many(shared: Shared) -> None:
    """Make the function that records that there is no room for more options."""
    site = Local("site")
    low = Lowering(shared)
    zeros = (ZERO, ZERO, ZERO)
    low.b.add(ir.Return(call("fail", CONTEXT_LOCAL, site, *zeros)))
    shared.module.functions["too_many"] = ir.Function(
        "too_many", (CONTEXT_LOCAL, site), Type.INT, low.b.finish(), inline=Inline.NEVER
    )


def explore(shared: Shared) -> None:
    """Make the function that runs a branch with prescribed picks, by its number."""
    low = Lowering(shared)
    which = Local("which")
    cases = []
    for number, name in shared.explored.items():
        with low.b.case() as block:
            low.b.add(ir.Return(call(name, BOARD, CONTEXT_LOCAL)))
        cases.append((number, tuple(block)))
    low.b.add(ir.Switch(which, tuple(cases)))
    low.b.add(ir.Return(const(-1)))
    shared.module.functions["explore"] = ir.Function(
        "explore", (BOARD, CONTEXT_LOCAL, which), Type.INT, low.b.finish(), inline=Inline.NEVER
    )
