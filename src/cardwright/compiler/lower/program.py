"""A whole program as a module: its functions, and the kernels that they call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.effect_analysis import EffectAnalysis
from cardwright.compiler.ir import Type
from cardwright.compiler.kernel import is_kernel
from cardwright.compiler.kernel_lowering import kernels_needed
from cardwright.compiler.kernels import (
    groups,
    lists,
    numbers,
    options,
    piles,
    places,
    stream,
    work,
)
from cardwright.compiler.layout import CONTEXT, STREAM, TALLY, BoardLayout, layout
from cardwright.compiler.lower import setup
from cardwright.compiler.lower.lowering import Shared
from cardwright.compiler.lower.machine import MachineLowering
from cardwright.compiler.names import Names
from cardwright.compiler.plan import BlockPlan
from cardwright.compiler.search_structs import NODE, SEARCH
from cardwright.compiler.sites import Site, Sites

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from cardwright.program.program import Program

_P, _I = Type.POINTER, Type.INT

ENGINE = {
    "start": ((_P, _P, _I), _I),
    "arrive": ((_P, _P), _I),
    "find_options": ((_P, _P), _I),
    "advance": ((_P, _P), _I),
    "play_on": ((_P, _P, _P), _I),
    "prefix": ((_P, _P), _I),
    "play_out": ((_P, _P, _P), _I),
    "settled": ((_P, _P, _P, _I), _I),
    "settled_card": ((_P, _P, _P, _I), _I),
    "preferred": ((_P, _P, _I), _I),
    "preferred_card": ((_P, _P, _I), _I),
    "give_rewards": ((_P, _P, _P), _I),
    "carry_out": ((_P, _P, _I), _I),
    "card_choice": ((_P,), _I),
    "card_options": ((_P, _P), _I),
    "play_card": ((_P, _P, _I), _I),
    "scores": ((_P, _P, _P), _I),
    "player": ((_P,), _I),
    "explore": ((_P, _P, _I), _I),
    "too_many": ((_P, _I), _I),
    "in_order": ((_I,), _I),
    "slot_at": ((_P, _I), _I),
    "slot_kind": ((_P, _I), _I),
    "slot_name": ((_P, _I), _I),
    "slot_owner": ((_P, _I), _I),
    "member": ((_I, _I), _I),
    "back": ((_I,), _I),
    "listed": ((_I, _I), _I),
}
"""Functions that the lowering makes from a program and that kernels may call."""

_MODULES = (groups, lists, numbers, options, piles, places, stream, work)


@dataclass(frozen=True)
class Lowered:
    """A program as IR; `rules` are the functions made from the program, the others are kernels."""

    module: ir.Module
    layout: BoardLayout
    sites: tuple[Site, ...]
    rules: tuple[str, ...]


def lower(program: Program, kernels: Sequence[Callable[..., Any]]) -> Lowered:
    """Lower a program to a module that exports these kernels.

    It contains only what these need. Fault sites are those of all rules: the same for any kernels.
    """
    analysis = EffectAnalysis(program)
    names = Names(program)
    shared = Shared(
        program, analysis, names, layout(analysis, names), ir.Module("game"), Sites({}), {}
    )
    setup.slot_tables(shared)
    setup.card_tables(shared)
    machine = MachineLowering(shared, BlockPlan(program.items))
    machine.arrive()
    machine.find_options()
    machine.advance()
    machine.play_on()
    machine.prefix()
    machine.carry_out()
    if kernels:
        machine.card_choices()
    machine.scores()
    machine.player()
    setup.start(shared)
    setup.reports(shared)
    setup.explore(shared)
    rules = tuple(shared.module.functions)
    _add_kernels(shared, kernels)
    functions = shared.module.functions
    _drop_uncalled(functions)
    left = tuple(name for name in rules if name in functions)
    return Lowered(shared.module, shared.layout, tuple(shared.sites.found), left)


def _add_kernels(shared: Shared, exported: Sequence[Callable[..., Any]]) -> None:
    """Add the kernels that are exported, and everything that is called."""
    functions = shared.module.functions
    known = dict(_kernels())
    called = dict.fromkeys(name for rule in functions.values() for name in _called(rule))
    wanted = [*exported, *(known[name] for name in called if name in known)]
    structs = {
        "Board": shared.layout.board, "Context": CONTEXT, "Stream": STREAM, "Tally": TALLY,
        "Search": SEARCH, "Node": NODE,
    }  # fmt: skip
    functions.update(kernels_needed(wanted, structs, shared.layout.parameters, ENGINE))


def _drop_uncalled(functions: dict[str, ir.Function]) -> None:
    """Drop the functions that nothing calls which is exported."""
    pending = [name for name, function in functions.items() if function.exported]
    reached = set(pending)
    while pending:
        fresh = (functions.keys() & _called(functions[pending.pop()])) - reached
        reached |= fresh
        pending.extend(fresh)
    for name in functions.keys() - reached:
        del functions[name]


def _kernels() -> Iterator[tuple[str, Callable[..., Any]]]:
    for module in _MODULES:
        for name, value in vars(module).items():
            if is_kernel(value):
                yield name, value


def _called(function: ir.Function) -> dict[str, None]:
    """Return the names of all functions that a function calls, as keys in the order found."""
    found: dict[str, None] = {}
    pending: list[object] = [function.body]
    while pending:
        piece = pending.pop()
        if isinstance(piece, tuple):
            pending.extend(piece)
        elif isinstance(piece, ir.Call):
            found[piece.function] = None
            pending.extend(piece.args)
        elif hasattr(piece, "__slots__"):
            pending.extend(getattr(piece, name) for name in piece.__slots__)
    return found
