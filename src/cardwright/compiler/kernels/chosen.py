"""Kernels that read what a chosen option has picked.

`forms` describes how options lie in memory: for every place in the program it has the start of the
row of the choice there, in words of 8 bytes. A table of sorts has for strict options a row for each
branch, of one word more than the most picks: their number, and the sort of each; for others the
sort of every form that picks. A table of the numbers of their variables lies in the same way, and
one of their numbers among `chains.public_picks`, counted from 1, with 0 for cards. Branches are
numbered over all choices.
"""

from __future__ import annotations

from cardwright.compiler.intrinsics import Pointer, offset
from cardwright.compiler.kernel import kernel
from cardwright.compiler.kernels.lists import word

WORDS, STRICT, SORTS, NAMES, FIRST, PUBLIC = range(6)
"""The words of a row: those of an option, whether options are strict, where the tables begin, and
the number of the first branch, before the last table."""


@kernel
def pick_count(forms: Pointer, row: Pointer, option: Pointer) -> int:
    """Return how many picks an option has."""
    if word(row, STRICT) == 0:
        return word(option, 1)
    return word(forms, word(row, SORTS) + form_at(row, option, -1))


@kernel
def pick_at(row: Pointer, option: Pointer, i: int) -> Pointer:
    """Return where a pick is: its item, its ordinal, and if options are loose its form."""
    if word(row, STRICT) == 0:
        return offset(option, 16 + 24 * i)
    return offset(option, 8 + 16 * i)


@kernel
def form_at(row: Pointer, option: Pointer, i: int) -> int:
    """Return the place of a pick's form in a table of sorts or of names."""
    if word(row, STRICT) == 0:
        return word(option, 4 + 3 * i)
    return (word(row, WORDS) - 1) // 2 * word(option, 0) + word(option, 0) + 1 + i
