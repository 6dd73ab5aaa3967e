"""Which functions are inlined: small ones, and those that are called once.

LLVM could choose too, but it takes as long as all else to weigh every call, and most functions that
a program becomes have one caller. How large a function is, with what is inlined in it, is measured
in lines of LLVM's text.
"""

from __future__ import annotations

from collections import Counter
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SMALL = 150
"""Most lines of a function that is inlined wherever it is called."""

GROWTH = 600
"""Most lines by which a module may grow for a larger function that is inlined wherever called."""

LARGE = 5_000
"""Most lines of a function that is inlined where it is called once: time grows with its square."""


class Inline(Enum):
    """Whether calls of a function are replaced by its body."""

    ALWAYS = "always"
    NEVER = "never"
    PERHAPS = "perhaps"
    COLD = "cold"
    """Never, and compiled with the least effort: it hardly ever runs."""


class FunctionSize(NamedTuple):
    """What counts about a function: its own lines, the calls in it, and what is settled already."""

    lines: int
    calls: Sequence[str]
    inline: Inline = Inline.PERHAPS
    exported: bool = False


def chosen(functions: Mapping[str, FunctionSize]) -> frozenset[str]:
    """Return the names of the functions that are worth inlining, of those that may be."""
    callers = Counter(name for size in functions.values() for name in size.calls)
    whole: dict[str, int] = {}
    found = set()
    for name in _callees_first(functions):
        size = functions[name]
        inner = [one for one in size.calls if one in found or _always(functions, one)]
        whole[name] = size.lines + sum(whole.get(one, 0) for one in inner)
        if size.inline is not Inline.PERHAPS or size.exported or whole[name] > LARGE:
            continue
        if any(one in functions and one not in whole for one in size.calls) or name in size.calls:
            continue  # it calls itself, at once or by way of others
        if whole[name] <= SMALL or whole[name] * (callers[name] - 1) <= GROWTH:
            found.add(name)
    return frozenset(found)


def _always(functions: Mapping[str, FunctionSize], name: str) -> bool:
    return name in functions and functions[name].inline is Inline.ALWAYS


def _callees_first(functions: Mapping[str, FunctionSize]) -> list[str]:
    """Return all names, each after those that it calls, except where functions call themselves."""
    order: dict[str, None] = {}
    seen: set[str] = set()
    for root in functions:
        pending = [root]
        while pending:
            name = pending[-1]
            fresh = [one for one in functions[name].calls if one in functions and one not in seen]
            if name not in seen:
                seen.add(name)
                pending.extend(dict.fromkeys(fresh))
            else:
                pending.pop()
                order.setdefault(name)
    return list(order)
