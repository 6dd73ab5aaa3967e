"""The text of the intermediate representation."""

import pytest

from cardwright.compiler.ir import (
    Assign,
    Binary,
    Break,
    Call,
    Clear,
    Const,
    Continue,
    Convert,
    Copy,
    Data,
    Evaluate,
    Function,
    If,
    Inline,
    Load,
    Local,
    Loop,
    Module,
    Negation,
    Offset,
    Op,
    OrderTest,
    Rel,
    Return,
    Select,
    Store,
    Switch,
    Type,
)
from cardwright.compiler.show import show_block, show_expression, show_module, show_statement

N = Local("n")
P = Local("p", Type.POINTER)
SUM = Binary(Op.ADD, N, Const(-1))


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (Const(0, Type.BOOL), "false"),
        (Binary(Op.MUL, SUM, Binary(Op.UDIV, N, N)), "(n + -1) * (n u/ n)"),
        (OrderTest(Rel.ULT, SUM, N), "(n + -1) u< n"),
        (Negation(OrderTest(Rel.EQ, N, N)), "not (n == n)"),
        (Select(Const(1, Type.BOOL), N, SUM), "n if true else (n + -1)"),
        (Convert(SUM, Type.WIDE), "wide(n + -1)"),
        (Load(Offset(P, SUM), 1), "u8[p + (n + -1)]"),
        (Load(P, 2, signed=True), "i16[p]"),
        (Load(P, 8), "i64[p]"),
        (Load(Data("t"), 8, type=Type.POINTER), "pointer[&t]"),
        (Call("g", (SUM, P), Type.INT), "g(n + -1, p)"),
    ],
)
def test_expressions(expr, text):
    assert show_expression(expr) == text


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (Assign(N, SUM), "n = n + -1"),
        (Store(P, N, 4), "u32[p] = n"),
        (Store(P, P, 8), "pointer[p] = p"),
        (Copy(P, Data("t"), N), "copy(p, &t, n)"),
        (Clear(P, N), "clear(p, n)"),
        (Evaluate(Call("g", (), Type.NOTHING)), "g()"),
        (Return(), "return"),
        (Return(N), "return n"),
        (Break(), "break"),
        (Continue(), "continue"),
    ],
)
def test_statements(statement, text):
    assert show_statement(statement) == text


def test_blocks_are_indented():
    test = OrderTest(Rel.LT, N, Const(3))
    block = (
        If(test, (Loop(test, (Continue(),), (Assign(N, SUM),)),), (Break(),)),
        Switch(N, ((1, (Return(),)), (2, ())), (Return(),)),
    )
    assert (
        show_block(block)
        == """\
if n < 3:
    while n < 3:
        continue
    step:
        n = n + -1
else:
    break
switch n:
    case 1:
        return
    case 2:
        pass
    default:
        return"""
    )


def test_modules():
    functions = (
        Function("f", (N, P), Type.INT, (Return(N),), exported=True, inline=Inline.ALWAYS),
        Function("g", (), Type.NOTHING, ()),
    )
    module = Module("m", {f.name: f for f in functions}, {"t": b"\x01\xff"})
    assert (
        show_module(module)
        == """\
module m
data t: 01 ff

exported inline-always function f(n: int, p: pointer) -> int:
    return n

function g() -> nothing:
    pass
"""
    )
