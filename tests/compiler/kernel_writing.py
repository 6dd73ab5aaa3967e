"""Kernels from text, and random ones."""

from __future__ import annotations

import itertools
import linecache
import re
from typing import TYPE_CHECKING, Any

from cardwright.compiler.ir import Field, Struct, Type

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

BOX = Struct(
    "Box",
    {
        "count": Field(0, 8),
        "small": Field(8, 1),
        "least": Field(9, 1, signed=True),
        "open": Field(10, 1, type=Type.BOOL),
        "row": Field(16, 2, strides=(2,)),
        "grid": Field(32, 4, signed=True, strides=(16, 4)),
    },
    96,
)

_HEAD = """\
from __future__ import annotations
from cardwright.compiler.intrinsics import *
from cardwright.compiler.ir import Inline
from cardwright.compiler.kernel import kernel

LIMIT = 3
HUGE = 0xFFFFFFFFFFFFFFFF

@kernel
def bump(box: Box, by: int) -> int:
    box.count = wrap(box.count + by)
    box.small += 1
    box.row[by & 7] = box.count
    box.grid[by & 3, box.small & 3] += by & 7
    return box.count

@kernel
def flip(box: Box) -> bool:
    box.open = not box.open
    return box.open

"""
_numbers = itertools.count()


def kernels_of(source: str) -> dict[str, Callable[..., Any]]:
    """Return the functions of a module whose source is the head and a text."""
    filename = f"<kernels {next(_numbers)}>"
    text = _HEAD + source
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    names: dict[str, Any] = {}
    exec(compile(text, filename, "exec"), names)
    return names


_LEAVES = (
    "a",
    "b",
    "c",
    "0",
    "1",
    "7",
    "-1",
    "LIMIT",
    "wrap(HUGE)",
    "box.count",
    "box.small",
    "box.least",
    "box.row[2]",
    "box.row[c & 7]",
)
_INTEGERS = (
    "wrap(I + I)",
    "wrap(I - I)",
    "wrap(I * I)",
    "(I ^ I)",
    "(I & I)",
    "(I | I)",
    "bump(box, I)",
    "bump(box, I)",
    "box.row[I & 7]",
    "box.grid[I & 3, I & 3]",
    "(I if T else I)",
    "(I if T else I)",
    "min(I, I)",
    "max(I, I)",
    "((I & 0xFFFF) // ((I & 15) + 1))",
    "((I & 0xFFFF) % ((I & 15) + 1))",
    "wrap(I << (I & 63))",
    "shift_right(I, I & 63)",
    "shift_right_signed(I, I & 63)",
    "remainder(I, I | 1)",
    "divide(I & 0xFFFF, I | 1)",
    "unsigned_divide(I, I | 1)",
    "rotate_left(I, I & 31)",
    "multiply_high(I, I)",
    "find_byte(box.row, I & 7, I & 15)",
    "(~I)",
    "wrap(-I)",
    "int(T)",
)
_TESTS = (
    "True",
    "yes",
    "box.open",
    "flip(box)",
    "(I == I)",
    "(I < I)",
    "(I <= I < I)",
    "(I > I != I >= I)",
    "unsigned_less(I, I)",
    "unlikely(I == I)",
    "add_overflows(I, I)",
    "bool(I)",
    "(not T)",
    "(T and T)",
    "(T or T)",
    "(T or T or T)",
    "(T and T and T)",
    "(T & T)",
    "(T == T)",
)
_LINES = (
    "a = I",
    "b = I",
    "c = I",
    "yes = T",
    "box.small = I",
    "box.least = I",
    "box.count = I",
    "box.open = T",
    "box.grid[I & 3, I & 3] = I",
    "box.row[I & 7] ^= I",
    "a ^= I",
    "b |= I",
    "bump(box, I)",
    "copy(box.grid[I & 3], offset(box.grid[1], I & 7), 6)",
    "if T: return a",
    "if T or T: return 7",
)


class Writer:
    """Writes bodies of kernels at random."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def fill(self, text: str, depth: int = 3) -> str:
        """Replace the letters I and T of a pattern by integers and tests."""
        return re.sub(r"\b[IT]\b", lambda letter: self._part(letter[0], depth), text)

    def _part(self, letter: str, depth: int) -> str:
        if letter == "T":
            choices = _TESTS if depth > 0 else _TESTS[:4]
        else:
            choices = _INTEGERS if depth > 0 and self.random.random() < 0.6 else _LEAVES
        return self.fill(self.random.choice(choices), depth - 1)

    def block(self, depth: int, *, looping: bool = False) -> list[str]:
        """Lines of a kernel's body, which may leave a loop around them."""
        kinds = ["line"] * 3 + ["if", "for", "while"] * (depth > 0) + ["leave"] * looping
        lines: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            lines += getattr(self, f"_{self.random.choice(kinds)}")(depth, looping)
        return lines

    def _line(self, depth: int, looping: bool) -> list[str]:
        return [self.fill(self.random.choice(_LINES))]

    def _leave(self, depth: int, looping: bool) -> list[str]:
        return [self.fill(f"if T: {self.random.choice(['break', 'continue'])}")]

    def _if(self, depth: int, looping: bool) -> list[str]:
        lines = [self.fill("if T:"), *_indented(self.block(depth - 1, looping=looping))]
        if self.random.random() < 0.5:
            lines += ["else:", *_indented(self.block(depth - 1, looping=looping))]
        return lines

    def _for(self, depth: int, looping: bool) -> list[str]:
        bounds = self.random.choice(["4", "c & 3", "1, 5", "4, 0, -2", "c & 1, 6, 2", "I & 3"])
        name = self.random.choice(["c", f"i{depth}"])
        body = [f"a ^= {name}", *self.block(depth - 1, looping=True)]
        return [f"for {name} in range({self.fill(bounds)}):", *_indented(body)]

    def _while(self, depth: int, looping: bool) -> list[str]:
        left = f"left{depth}"
        body = [f"{left} += 1", *self.block(depth - 1, looping=True)]
        return [f"{left} = 0", self.fill(f"while {left} < 3 and T:"), *_indented(body)]


def _indented(block: list[str]) -> list[str]:
    return ["    " + line for line in block]
