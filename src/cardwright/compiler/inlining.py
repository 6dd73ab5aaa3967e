"""The choice of the functions that are inlined.

Those are the small ones, and those that are called once. LLVM could choose too, but takes as long
as for all else to weigh every call, and hosts of WebAssembly inline nothing; most functions that a
program becomes have one caller. How large one is, with what is inlined in it, a backend measures in
lines of its text, or in nodes of the IR, of which there are about as many.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cardwright.compiler import ir

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SMALL = 150
"""Most lines of a function that is inlined wherever it is called."""

GROWTH = 600
"""Most lines by which a module may grow for a larger function that is inlined wherever called."""

LARGE = 5_000
"""Most lines of a function that is inlined where it is called once: time grows with its square."""


class FunctionSize(NamedTuple):
    """What counts about a function: its own lines, the functions it calls, what is settled."""

    lines: int
    calls: Sequence[str]
    inline: ir.Inline = ir.Inline.PERHAPS
    exported: bool = False


def worth_inlining(functions: Mapping[str, FunctionSize]) -> frozenset[str]:
    """Return the names of the functions that are worth inlining, of those that may be."""
    callers = Counter(name for size in functions.values() for name in size.calls)
    whole: dict[str, int] = {}
    worth: set[str] = set()
    for name in _callees_first(functions):
        lines, calls, inline, exported = functions[name]
        whole[name] = lines + sum(
            whole.get(callee, 0)
            for callee in calls
            if callee in worth or functions[callee].inline is ir.Inline.ALWAYS
        )
        if inline is not ir.Inline.PERHAPS or exported or whole[name] > LARGE:
            continue
        if name in calls or not all(callee in whole for callee in calls):
            continue  # it calls itself, at once or by way of others
        if whole[name] <= SMALL or whole[name] * (callers[name] - 1) <= GROWTH:
            worth.add(name)
    return frozenset(worth)


def _callees_first(functions: Mapping[str, FunctionSize]) -> list[str]:
    """Return all names, each after those that it calls, except where functions call themselves."""
    order: dict[str, None] = {}
    seen: set[str] = set()
    for root in functions:
        pending = [root]
        while pending:
            name = pending[-1]
            if name in seen:
                pending.pop()
                order.setdefault(name)
            else:
                calls = dict.fromkeys(functions[name].calls)
                pending.extend(callee for callee in calls if callee not in seen)
                seen.add(name)
    return list(order)
