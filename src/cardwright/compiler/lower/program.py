"""A whole program as a module: its functions, and the kernels that they call."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.fixed_structs import CONTEXT, NODE, SEARCH, STREAM, TALLY
from cardwright.compiler.ir import Type, callees
from cardwright.compiler.kernel import is_kernel
from cardwright.compiler.kernel_lowering import kernels_needed
from cardwright.compiler.kernels import (
    by_hand,
    deferred,
    exchanges,
    groups,
    known_cards,
    lists,
    locations,
    masks,
    numbers,
    options,
    piles,
    places,
    runs,
    sightings,
    stream,
    work,
)
from cardwright.compiler.lower import setup, slots
from cardwright.compiler.lower.lowering import Shared
from cardwright.compiler.lower.machine import MachineLowering
from cardwright.compiler.plan import Site, Sites

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from cardwright.compiler.layout import BoardLayout
    from cardwright.compiler.plan import BlockPlan, ProgramPlan

_P, _I = Type.POINTER, Type.INT

ENGINE = {
    "start": ((_P, _P, _I), _I),
    "arrive": ((_P, _P), _I),
    "find_options": ((_P, _P), _I),
    "advance": ((_P, _P), _I),
    "play_on": ((_P, _P, _P), _I),
    "play_counted": ((_P, _P, _P), _I),
    "play_by_policy": ((_P, _P, _P), _I),
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

_MODULES = (
    deferred, exchanges, groups, known_cards, lists, locations, masks, numbers, options, piles,
    places, runs, sightings, stream, work,
)  # fmt: skip


@dataclass(frozen=True)
class Lowered:
    """A program as IR; `rules` are the functions made from the program, the others are kernels."""

    module: ir.Module
    layout: BoardLayout
    sites: tuple[Site, ...]
    rules: tuple[str, ...]


def lower(
    of: ProgramPlan,
    kernels: Sequence[Callable[..., Any]],
    *,
    whole: bool,
    seen: bool = False,
    by_hand: bool = False,
) -> Lowered:
    """Lower a program to a module that exports these kernels.

    It contains only what these need. If all games are `whole`, they are played from the beginning,
    and what is needed only to go on from elsewhere is not worth much effort. If games are `seen`,
    every event is reported. `by_hand` says that `kernels.by_hand` draws.
    """
    own = ir.Module("game")
    shared = Shared(
        of.program, of.analysis, of.names, of.layout, own, Sites(), {},
        whole=whole, seen=seen, by_hand=by_hand,
    )  # fmt: skip
    rules = _add_functions(shared, of.plan, kernels, whole=whole)
    return Lowered(shared.module, shared.layout, tuple(shared.sites.found), rules)


def _add_functions(
    shared: Shared, plan: BlockPlan, exported: Sequence[Callable[..., Any]], *, whole: bool
) -> tuple[str, ...]:
    """Add the kernels that are exported, and all that is called; return the names of the rules."""
    functions = shared.module.functions
    makers = _makers(shared, plan, whole=whole)
    known = dict(_kernels())
    if shared.by_hand:
        known |= {kernel.__name__: kernel for kernel in by_hand.INSTEAD}
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
        called = dict.fromkeys(name for one in fresh.values() for name in callees(one))
        explores = explores or "explore" in called
        before = set(functions)
        for name in called:
            if name in makers and name not in functions:
                makers[name]()
        fresh = {name: one for name, one in functions.items() if name not in before}
        rules |= dict.fromkeys(fresh)
        own = [known[name] for name in called if name in known]
        fresh |= kernels_needed(own, *given, functions)
    if explores:
        setup.explore(shared)  # now it is known which branches are
        rules["explore"] = None
    return tuple(rules)


def _makers(shared: Shared, plan: BlockPlan, *, whole: bool) -> dict[str, Callable[[], None]]:
    """Return what makes the functions of the rules, by their names."""
    machine = MachineLowering(shared, plan, whole=whole)
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
        "start": partial(setup.start, shared),
        "fail": partial(setup.fail, shared),
        "too_many": partial(setup.too_many, shared),
        **slots.makers(shared),
    }


def _kernels() -> Iterator[tuple[str, Callable[..., Any]]]:
    for module in _MODULES:
        for name, value in vars(module).items():
            if is_kernel(value):
                yield name, value
