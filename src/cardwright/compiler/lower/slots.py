"""Functions that kernels ask about slots, owners and cards; most read a table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import FALSE, ZERO, add, both, compare, const, either, equal, mul
from cardwright.compiler.ir import Inline, Local, Rel, Type
from cardwright.compiler.lower.lowering import BOARD, Lowering, Shared
from cardwright.program.cards import OwnerId
from cardwright.program.places import KINDS, in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SLOT = Local("slot")


def makers(shared: Shared) -> dict[str, Callable[[], None]]:
    """Return what makes each of these functions, by its name."""
    return {
        "slot_owner": partial(slot_owner, shared),
        "slot_kind": partial(slot_kind, shared),
        "slot_name": partial(slot_name, shared),
        "slot_at": partial(slot_at, shared),
        "in_order": partial(slots_in_order, shared),
        "listed": partial(listed, shared),
        "back": partial(back, shared),
        "member": partial(member, shared),
    }


def slot_owner(shared: Shared) -> None:
    """Make the function that gives the owner of a slot."""
    owners = [place.owner for place in shared.layout.places.locations]
    _by_slot(shared, "slot_owner", owners, "pool_owner")


def slot_kind(shared: Shared) -> None:
    """Make the function that gives the number of a slot's kind."""
    kinds = [KINDS.index(place.kind) + 1 for place in shared.layout.places.locations]
    _by_slot(shared, "slot_kind", kinds, "pool_kind")


def slot_name(shared: Shared) -> None:
    """Make the function that gives the number of a slot's name."""
    names = [shared.names.number(place.name) for place in shared.layout.places.locations]
    _by_slot(shared, "slot_name", names, "pool_name")


def slot_at(shared: Shared) -> None:
    """Make the function that gives the index of a slot."""
    indices = [place.at for place in shared.layout.places.locations]
    _by_slot(shared, "slot_at", indices, "pool_at", width=8)


def slots_in_order(shared: Shared) -> None:
    """Make the function that gives the slot at a place in the order of dealing."""
    where = shared.layout.places.locations
    order = sorted(range(len(where)), key=lambda slot: in_order(where[slot]))
    table = shared.integers("slots in order", order or [0], 2)
    at = Local("at")
    _pure(shared, "in_order", (at,), ir.Load(ir.Offset(table, mul(at, const(2))), 2))


def listed(shared: Shared) -> None:
    """Make the function that returns whether `indexed` may list locations of a kind and name."""
    kind, name = Local("kind"), Local("name")
    found: ir.Expr = FALSE
    for place, text in sorted(shared.layout.places.indexed, key=str):
        same = equal(kind, const(KINDS.index(place) + 1))
        if text is not None:
            same = both(same, equal(name, const(shared.names.number(text))))
        found = either(found, same)
    _pure(shared, "listed", (kind, name), ir.Convert(found, Type.INT))


def back(shared: Shared) -> None:
    """Make the function that gives the number of a card's back."""
    cards = shared.program.cards
    backs = list(dict.fromkeys(card.back for card in cards))
    table = shared.integers("backs", [backs.index(card.back) for card in cards] or [0], 2)
    card = Local("card")
    _pure(shared, "back", (card,), ir.Load(ir.Offset(table, mul(card, const(2))), 2))


def member(shared: Shared) -> None:
    """Make the function that returns whether a seat is behind an owner."""
    program = shared.program
    owner, seat = Local("owner"), Local("seat")
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


def _by_slot(
    shared: Shared, name: str, values: Sequence[int], field: str, *, width: int = 2
) -> None:
    """Make a function that reads a fixed slot from a table, one of the pool from its field."""
    table = shared.integers(f"{name}s", list(values) or [0], width, signed=width == 8)
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
