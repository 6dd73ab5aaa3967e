"""What is inlined is chosen by size and number of calls, and LLVM does as it is told."""

from __future__ import annotations

import pytest
from native_calls import INT, function, number, param

from cardwright.compiler import ir
from cardwright.compiler.backend import FULL, LEAST
from cardwright.compiler.inlining import GROWTH, LARGE, SMALL, FunctionSize, worth_inlining
from cardwright.compiler.llvm import backend
from cardwright.compiler.llvm.backend import llvm_functions
from cardwright.compiler.llvm.emit import emit

A = param("a")
ROOT = "root"


def size(lines: int, *calls: str, inline: ir.Inline = ir.Inline.PERHAPS) -> FunctionSize:
    return FunctionSize(lines, calls, inline)


def root(*calls: str) -> FunctionSize:
    return FunctionSize(5, calls, exported=True)


@pytest.mark.parametrize(
    ("lines", "calls", "worth"),
    [
        (SMALL, 50, True),
        (SMALL + 1, 50, False),
        (GROWTH, 2, True),
        (GROWTH + 1, 2, False),
        (LARGE, 1, True),
        (LARGE + 1, 1, False),
    ],
)
def test_functions_are_inlined_by_size_and_calls(lines: int, calls: int, *, worth: bool) -> None:
    """Small ones anywhere, larger ones for little growth, and where there is but one call."""
    assert worth_inlining({ROOT: root(*["f"] * calls), "f": size(lines)}) == (
        {"f"} if worth else set()
    )


def test_what_is_inlined_in_a_function_counts_as_its_own() -> None:
    many = ["middle"] * 20
    half = SMALL // 2 + 1
    functions = {ROOT: root(*many), "middle": size(half, "leaf"), "leaf": size(half)}
    assert worth_inlining(functions) == {"leaf"}
    functions["leaf"] = size(half, inline=ir.Inline.NEVER)
    assert worth_inlining(functions) == {"middle"}
    functions["leaf"] = size(half, inline=ir.Inline.ALWAYS)
    assert worth_inlining(functions) == set()


def test_exported_functions_and_those_that_are_settled_are_not_chosen() -> None:
    for inline in (ir.Inline.ALWAYS, ir.Inline.NEVER):
        assert worth_inlining({ROOT: root("f"), "f": size(1, inline=inline)}) == set()
    assert worth_inlining({ROOT: root("f"), "f": root()}) == set()


def test_functions_that_call_themselves_are_left_alone() -> None:
    """At once or by way of another: of a circle one is kept; its callers are inlined as others."""
    assert worth_inlining({ROOT: root("f"), "f": size(3, "f", "g"), "g": size(3)}) == {"g"}
    circle = {"f": size(3, "g"), "g": size(3, "f"), "h": size(3, "f")}
    assert worth_inlining({ROOT: root("h"), **circle}) == {"f", "h"}


@pytest.mark.parametrize(("level", "left"), [(FULL, {"outer"}), (LEAST, {"outer", "called once"})])
def test_llvm_inlines_what_was_chosen(level: int, left: set[str]) -> None:
    """At the full level nothing is left of a function that is inlined; at the least it stays."""
    body = ir.Return(ir.Binary(ir.Op.MUL, A, number(3)))
    call = ir.Return(ir.Call("called once", (A,), INT))
    inner = function((A,), INT, body, name="called once", exported=False)
    outer = function((A,), INT, call, name="outer")
    text = emit(ir.Module("test", {"outer": outer, "called once": inner}))
    assert set(llvm_functions(backend.shown(text, level, assembly=False))) == left
