"""A whole program as a module: its functions, and the kernels that they call."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    FALSE,
    NONE,
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
from cardwright.compiler.ir import Inline, Local, Rel, Type, callees, signature_of
from cardwright.compiler.kernel import is_kernel
from cardwright.compiler.kernel_lowering import kernels_needed
from cardwright.compiler.kernels import (
    engine,
    game_trees,
    groups,
    histories,
    information,
    lists,
    locations,
    places,
    rules,
    stream,
)
from cardwright.compiler.layout import BoardLayout, PileForm
from cardwright.compiler.lower import piles
from cardwright.compiler.lower.forms import FormLowering
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL, Shared, card_address, entry
from cardwright.compiler.lower.machine import MachineLowering
from cardwright.compiler.structs import CONTEXT, NODE, SEARCH, STREAM, TALLY
from cardwright.program import nodes as n
from cardwright.program.cards import OwnerId
from cardwright.program.places import KINDS, in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from cardwright.compiler.plan import BlockPlan, Site
    from cardwright.program.program import Deck


ENGINE = {
    name: signature_of(value)
    for name, value in vars(engine).items()
    if isinstance(value, FunctionType)
}
"""Functions that the lowering makes from a program and that kernels may call."""

_MODULES = (groups, information, lists, locations, places, rules, stream)


@dataclass(frozen=True)
class Lowered:
    """A program as IR; `rules` are the functions made from the program, the others are kernels."""

    module: ir.Module
    layout: BoardLayout
    sites: tuple[Site, ...]
    rules: tuple[str, ...]


def lower(shared: Shared, plan: BlockPlan, kernels: Sequence[Callable[..., Any]]) -> Lowered:
    """Lower a program to a module that exports these kernels, with only what these need."""
    rules = _add_functions(shared, plan, kernels)
    return Lowered(shared.module, shared.layout, tuple(shared.sites.found), rules)


def _add_functions(
    shared: Shared, plan: BlockPlan, exported: Sequence[Callable[..., Any]]
) -> tuple[str, ...]:
    """Add the kernels that are exported, and all that is called; return the names of the rules."""
    functions = shared.module.functions
    makers = _makers(shared, plan)
    known = dict(_kernels())
    if shared.by_hand:
        known |= {kernel.__name__: kernel for kernel in game_trees.INSTEAD}
    if shared.retraced:
        known |= {kernel.__name__: kernel for kernel in histories.INSTEAD}
    structs = {
        "Board": shared.layout.board, "Context": CONTEXT, "Stream": STREAM, "Tally": TALLY,
        "Search": SEARCH, "Node": NODE,
    }  # fmt: skip
    given = structs, shared.layout.parameters, ENGINE
    rules: dict[str, None] = {}
    explores = False
    fresh = kernels_needed(exported, *given)
    while fresh:
        functions.update(fresh)
        called = dict.fromkeys(name for function in fresh.values() for name in callees(function))
        explores = explores or "explore" in called
        before = set(functions)
        for name in called:
            if name in makers and name not in functions:
                makers[name]()
        fresh = {name: function for name, function in functions.items() if name not in before}
        rules |= dict.fromkeys(fresh)
        own = [known[name] for name in called if name in known]
        fresh |= kernels_needed(own, *given, functions)
    if explores:
        _explore(shared)  # now it is known which branches are
        rules["explore"] = None
    return tuple(rules)


def _makers(shared: Shared, plan: BlockPlan) -> dict[str, Callable[[], None]]:
    machine = MachineLowering(shared, plan)
    return {
        "arrive": machine.arrive,
        "find_options": machine.find_options,
        "advance": machine.advance,
        "play_on": partial(machine.play_on, "play_on"),
        "play_counted": partial(machine.play_on, "play_counted"),
        "play_by_policy": partial(machine.play_on, "play_by_policy"),
        "prefix": machine.prefix,
        "carry_out": machine.carry_out,
        "card_choice": machine.cards.card_choice,
        "card_options": machine.cards.card_options,
        "play_card": machine.cards.play_card,
        "scores": machine.scores,
        "player": machine.player,
        "start": partial(_start, shared),
        "fail": partial(_fail, shared),
        "too_many": partial(_too_many, shared),
        **_slot_tables(shared),
        "in_order": partial(_in_order, shared),
        "listed": partial(_listed, shared),
        "back": partial(_back, shared),
        "member": partial(_member, shared),
    }


def _kernels() -> Iterator[tuple[str, Callable[..., Any]]]:
    for module in _MODULES:
        for name, value in vars(module).items():
            if is_kernel(value):
                yield name, value


# Set-up -----------------------------------------------------------------------------------


def _start(shared: Shared) -> None:
    """Make the function that sets a board up for a seed; it returns -1 for a fault."""
    low = FormLowering(shared)
    seed = Local("seed")
    low.b.add(low.context.store("top", value=ZERO))
    low.b.add(ir.Clear(BOARD, const(shared.layout.board.bytes)))
    low.b.run("seed_stream", BOARD, seed)
    for number, deck in enumerate(shared.program.decks):
        if isinstance(deck.location, n.Place):
            _lay(low, number, deck)
    low.give(ZERO)
    low.finish("start", seed)


def _lay(low: FormLowering, number: int, deck: Deck) -> None:
    pile = low.pile(deck.location, keep=bool(deck.cards))
    if not deck.cards:
        return
    width = low.layout.card_bytes
    cards = low.shared.integers(f"deck {number}", list(deck.cards), width)
    size = const(len(deck.cards))
    if pile.form is not PileForm.PILE:
        with low.b.count(size) as at:
            piles.put(low, pile, ir.Load(card_address(low, cards, at), width))
        return
    count = piles.count(low, pile)
    low.b.run("bear", BOARD, pile.slot)
    target = card_address(low, low.board.at("card", pile.slot, ZERO), count)
    low.b.add(ir.Copy(target, cards, mul(size, const(width))))
    low.store("count", pile.slot, value=add(count, size))
    with low.b.count(size) as at:
        low.store("where", ir.Load(card_address(low, cards, at), width), value=pile.slot)


# Faults and exploration -------------------------------------------------------------------


def _fail(shared: Shared) -> None:
    params = tuple(Local(name) for name in ("site", "a", "b", "c"))
    low = FormLowering(shared)
    for param in params:
        low.b.add(low.context.store(f"fault_{param.name}", value=param))
    low.give(NONE)
    shared.function("fail", (CONTEXT_LOCAL, *params), low.b.finish(), inline=Inline.NEVER)


def _too_many(shared: Shared) -> None:
    site = Local("site")
    body = (ir.Return(call("fail", CONTEXT_LOCAL, site, ZERO, ZERO, ZERO)),)
    shared.function("too_many", (CONTEXT_LOCAL, site), body, inline=Inline.NEVER)


def _explore(shared: Shared) -> None:
    which = Local("which")
    cases = tuple(
        (number, (ir.Return(call(name, BOARD, CONTEXT_LOCAL)),))
        for number, name in shared.explored.items()
    )
    body = (ir.Switch(which, cases), ir.Return(NONE))
    shared.function("explore", (BOARD, CONTEXT_LOCAL, which), body, inline=Inline.NEVER)


# Functions that kernels ask about slots, owners and cards ---------------------------------

_SLOT = Local("slot")


def _slot_tables(shared: Shared) -> dict[str, Callable[[], None]]:
    """Return what makes the functions that give the owner, kind, name or index of a slot."""
    where = shared.layout.places.locations
    return {
        "slot_owner": partial(_by_slot, shared, "owner", [place.owner for place in where]),
        "slot_kind": partial(
            _by_slot, shared, "kind", [KINDS.index(place.kind) + 1 for place in where]
        ),
        "slot_name": partial(
            _by_slot, shared, "name", [shared.names.number(place.name) for place in where]
        ),
        "slot_at": partial(_by_slot, shared, "at", [place.at for place in where], width=8),
    }


def _by_slot(shared: Shared, what: str, values: Sequence[int], *, width: int = 2) -> None:
    """Make a function that reads a fixed slot from a table, one of the pool from its field."""
    table = shared.integers(f"slot_{what}s", values, width, signed=width == 8)
    low = FormLowering(shared)
    fixed = const(shared.layout.places.fixed)
    if shared.layout.places.pool:
        with low.b.when(compare(Rel.GE, _SLOT, fixed)):
            at = ir.Binary(ir.Op.SUB, _SLOT, fixed)
            inside = compare(Rel.LT, at, const(shared.layout.places.pool))
            with low.b.when(inside):
                low.give(low.board.load(f"pool_{what}", at))
            low.give(ZERO)
    low.give(entry(table, _SLOT, width, signed=width == 8))
    params = BOARD, _SLOT
    shared.function(f"slot_{what}", params, low.b.finish(), inline=Inline.ALWAYS)


def _in_order(shared: Shared) -> None:
    where = shared.layout.places.locations
    order = sorted(range(len(where)), key=lambda slot: in_order(where[slot]))
    at = Local("at")
    _answer(shared, "in_order", (at,), entry(shared.integers("slots in order", order, 2), at, 2))


def _listed(shared: Shared) -> None:
    """Make the function that returns whether `indexed` may list locations of a kind and name."""
    kind, name = Local("kind"), Local("name")
    listed: ir.Expr = FALSE
    for place, text in sorted(shared.layout.places.indexed, key=str):
        same = equal(kind, const(KINDS.index(place) + 1))
        if text is not None:
            same = both(same, equal(name, const(shared.names.number(text))))
        listed = either(listed, same)
    _answer(shared, "listed", (kind, name), ir.Convert(listed, Type.INT))


def _back(shared: Shared) -> None:
    cards = shared.program.cards
    backs = list(dict.fromkeys(card.back for card in cards))
    table = shared.integers("backs", [backs.index(card.back) for card in cards], 2)
    card = Local("card")
    _answer(shared, "back", (card,), entry(table, card, 2))


def _member(shared: Shared) -> None:
    program = shared.program
    owner, seat = Local("owner"), Local("seat")
    rows = [
        int(seat in program.members(OwnerId(owner)))
        for owner in range(program.table + 1)
        for seat in range(program.players)
    ]
    table = shared.integers("members", rows, 1)
    at = add(mul(owner, const(program.players)), seat)
    _answer(shared, "member", (owner, seat), entry(table, at, 1))


def _answer(shared: Shared, name: str, params: tuple[Local, ...], value: ir.Expr) -> None:
    shared.function(name, params, (ir.Return(value),), inline=Inline.ALWAYS)
