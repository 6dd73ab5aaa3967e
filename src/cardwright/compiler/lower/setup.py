"""Set-up: the board of a new game, and tables of what every slot is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    FALSE,
    ZERO,
    add,
    both,
    call,
    compare,
    const,
    either,
    equal,
    mul,
)
from cardwright.compiler.ir import Inline, Local, Rel, Type
from cardwright.compiler.lower import locations, piles
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL, Lowering, Shared, card_address
from cardwright.compiler.pile_forms import PileForm
from cardwright.program import nodes as n
from cardwright.program.cards import OwnerId
from cardwright.program.places import KINDS, in_order

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


def slot_tables(shared: Shared) -> None:
    """Make the functions that give the owner and the kind of a slot."""
    where = shared.layout.places.locations
    table = shared.integers("slot owners", [place.owner for place in where] or [0], 2)
    _by_slot(shared, "slot_owner", table, "pool_owner")
    _listed(shared)
    kinds = [KINDS.index(place.kind) + 1 for place in where]
    table = shared.integers("slot kinds", kinds or [0], 2)
    _by_slot(shared, "slot_kind", table, "pool_kind")
    table = shared.integers("slot names", [shared.names.number(p.name) for p in where] or [0], 2)
    _by_slot(shared, "slot_name", table, "pool_name")
    table = shared.integers("slot indices", [p.at for p in where] or [0], 8, signed=True)
    _by_slot(shared, "slot_at", table, "pool_at", width=8)
    order = sorted(range(len(where)), key=lambda slot: in_order(where[slot]))
    table = shared.integers("slots in order", order or [0], 2)
    at = Local("at")
    _pure(shared, "in_order", (at,), ir.Load(ir.Offset(table, mul(at, const(2))), 2))


def _listed(shared: Shared) -> None:
    """Make the function that returns whether `indexed` may list locations of a kind and name."""
    kind, name = Local("kind"), Local("name")
    found: ir.Expr = FALSE
    for place, text in sorted(shared.layout.places.indexed, key=str):
        same = equal(kind, const(KINDS.index(place) + 1))
        if text is not None:
            same = both(same, equal(name, const(shared.names.number(text))))
        found = either(found, same)
    _pure(shared, "listed", (kind, name), ir.Convert(found, Type.INT))


def card_tables(shared: Shared) -> None:
    """Make the functions that give a card's back, and whether a seat is behind an owner."""
    program = shared.program
    backs = list(dict.fromkeys(card.back for card in program.cards))
    table = shared.integers("backs", [backs.index(card.back) for card in program.cards] or [0], 2)
    card, owner, seat = Local("card"), Local("owner"), Local("seat")
    _pure(shared, "back", (card,), ir.Load(ir.Offset(table, mul(card, const(2))), 2))
    rows = [
        int(seat in program.members(OwnerId(owner)))
        for owner in range(program.table + 1)
        for seat in range(program.players)
    ]
    table = shared.integers("members", rows, 1)
    at = add(mul(owner, const(program.players)), seat)
    _pure(shared, "member", (owner, seat), ir.Load(ir.Offset(table, at), 1))


def _pure(shared: Shared, name: str, params: tuple[Local, ...], value: ir.Expr) -> None:
    shared.module.functions[name] = ir.Function(
        name, params, Type.INT, (ir.Return(value),), inline=Inline.ALWAYS
    )


def _by_slot(shared: Shared, name: str, table: ir.Data, field: str, *, width: int = 2) -> None:
    """Make a function that reads a fixed slot from a table, one of the pool from its field."""
    low = Lowering(shared)
    fixed = const(shared.layout.places.fixed)
    if shared.layout.places.pool:
        with low.b.when(compare(Rel.GE, _SLOT, fixed)):
            at = ir.Binary(ir.Op.SUB, _SLOT, fixed)
            inside = compare(Rel.LT, at, const(shared.layout.places.pool))
            with low.b.when(inside):
                low.b.add(ir.Return(low.board.load(field, at)))
            low.b.add(ir.Return(ZERO))
    row = ir.Offset(table, mul(_SLOT, const(width)))
    low.b.add(ir.Return(ir.Load(row, width, signed=width == 8)))
    body = low.b.finish()
    shared.module.functions[name] = ir.Function(
        name, (BOARD, _SLOT), Type.INT, body, inline=Inline.ALWAYS
    )


def reports(shared: Shared) -> None:
    """Make the functions that record a fault in the context."""
    site, a, b, c = (Local(name) for name in ("site", "a", "b", "c"))
    low = Lowering(shared)
    for name, value in (("site", site), ("a", a), ("b", b), ("c", c)):
        low.b.add(low.context.store(f"fault_{name}", value=value))
    low.b.add(ir.Return(const(-1)))
    shared.module.functions["fail"] = ir.Function(
        "fail", (CONTEXT_LOCAL, site, a, b, c), Type.INT, low.b.finish(), inline=Inline.NEVER
    )
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
