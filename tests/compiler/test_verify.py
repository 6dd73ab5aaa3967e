"""Each rule of the intermediate representation, broken once."""

import time

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
from ir_verifier import InvalidError, verify

ONE = Const(1)
YES = Const(1, Type.BOOL)
N = Local("n")
P = Local("p", Type.POINTER)
X = Local("x")
Y = Local("y")
WIDE = Convert(ONE, Type.WIDE)
NOTHING = Call("nothing", (), Type.NOTHING)
SET_X = Assign(X, ONE)


def module(*body, result=Type.NOTHING):
    """A module with a function of some statements, and one that it may call."""
    function = Function("f", (N, P), result, body)
    other = Function("nothing", (), Type.NOTHING, ())
    return Module("m", {"f": function, "nothing": other}, {"table": b"abc"})


def of(expr):
    """A module that evaluates an expression."""
    return module(Assign(Local("z", expr.type), expr))


@pytest.mark.parametrize(
    "body",
    [
        (If(YES, (SET_X,), (SET_X,)), Assign(Y, X)),
        (If(YES, (Return(),), (SET_X,)), Assign(Y, X)),
        (Loop(YES, (SET_X, Break())), Assign(Y, X)),
        (Loop(OrderTest(Rel.LT, N, ONE), (SET_X, Continue()), (Assign(Y, X),)),),
        (Switch(N, ((1, (SET_X,)), (2, (Return(),))), (SET_X,)), Assign(Y, X)),
        (Assign(N, Binary(Op.ADD, N, ONE)), Evaluate(NOTHING), Copy(P, Data("table"), ONE)),
        (Store(P, P, 8), Clear(Load(P, 8, type=Type.POINTER), N), Return()),
        (Assign(Local("w", Type.WIDE), Binary(Op.MUL, WIDE, WIDE)),),
        (Evaluate(Call("positions", (P, N, ONE), Type.INT)),),
        (Evaluate(Call("positions", (P, N, WIDE), Type.WIDE)), Store(P, WIDE, 16)),
        (Assign(X, Call("count_ones", (Load(P, 16, type=Type.WIDE),), Type.INT)),),
        (Assign(Local("b", Type.BOOL), Binary(Op.XOR, YES, OrderTest(Rel.NE, P, P))),),
    ],
)
def test_good_functions_pass(body):
    verify(module(*body))


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        (of(Binary(Op.ADD, ONE, YES)), "int expected, not bool true: 1 + true"),
        (of(Binary(Op.ADD, YES, YES)), "no operation of bool: true + true"),
        (of(Binary(Op.AND, P, P)), "no operation of pointer: p & p"),
        (of(Binary(Op.DIV, WIDE, WIDE)), "no operation of wide: wide(1) / wide(1)"),
        (of(OrderTest(Rel.EQ, P, ONE)), "pointer expected, not int 1: p == 1"),
        (of(OrderTest(Rel.LT, P, P)), "no order of pointer: p < p"),
        (of(OrderTest(Rel.LT, YES, YES)), "no order of bool"),
        (of(Negation(ONE)), "bool expected, not int 1: not 1"),
        (of(Select(ONE, ONE, ONE)), "bool expected"),
        (of(Select(YES, ONE, P)), "int expected, not pointer p"),
        (of(Select(YES, NOTHING, NOTHING)), "nothing selected"),
        (of(Convert(P, Type.INT)), "no conversion of pointer to int"),
        (of(Convert(ONE, Type.BOOL)), "no conversion of int to bool"),
        (of(Offset(ONE, ONE)), "pointer expected"),
        (of(Offset(P, P)), "int expected"),
        (of(Load(ONE, 1)), "pointer expected"),
        (of(Load(P, 3)), "no int of width 3 in memory: u24[p]"),
        (of(Load(P, 16)), "no int of width 16 in memory: i128[p]"),
        (of(Load(P, 8, type=Type.WIDE)), "no wide of width 8 in memory: i64[p]"),
        (of(Load(P, 16, signed=True, type=Type.WIDE)), "a signed wide: i128[p]"),
        (of(Load(P, 4, type=Type.POINTER)), "no pointer of width 4"),
        (of(Load(P, 1, type=Type.BOOL)), "no bool of width 1"),
        (of(Data("desk")), "no such table: &desk"),
        (of(Const(2**64)), "no constant of type int"),
        (of(Const(2, Type.BOOL)), "no constant of type bool"),
        (of(Const(0, Type.POINTER)), "no constant of type pointer"),
        (of(Call("g", (), Type.INT)), "no such function: g()"),
        (of(Call("count_ones", (), Type.INT)), "1 arguments expected: count_ones()"),
        (of(Call("count_ones", (P,), Type.INT)), "int expected, not pointer p"),
        (of(Call("count_ones", (N,), Type.BOOL)), "int called as bool"),
        (of(Call("nth_bit", (WIDE, N), Type.INT)), "wide called as int"),
        (of(Call("multiply_high", (WIDE, WIDE), Type.INT)), "int expected, not wide"),
        (of(NOTHING), "nothing z assigned as nothing"),
        (of(X), "a variable may be read before it is assigned: x"),
        (of(Local("n", Type.BOOL)), "int n read as bool"),
        (module(Assign(N, YES)), "int expected, not bool true: n = true"),
        (module(Assign(Local("n", Type.BOOL), YES)), "int n assigned as bool: n = true"),
        (module(If(YES, (SET_X,)), Assign(Y, X)), "x"),
        (module(Switch(N, ((1, (SET_X,)),)), Assign(Y, X)), "before it is assigned"),
        (module(Loop(OrderTest(Rel.LT, N, ONE), (SET_X,)), Assign(Y, X)), "before"),
        (module(Loop(YES, (If(YES, (Break(),)), SET_X)), Assign(Y, X)), "before"),
        (module(Loop(YES, (If(YES, (Continue(),)), SET_X), (Assign(Y, X),))), "before"),
        (module(If(ONE, ())), "bool expected"),
        (module(Loop(ONE, ())), "bool expected"),
        (module(Switch(YES, ())), "int expected"),
        (module(Switch(N, ((1, ()), (1, ())))), "a case twice"),
        (module(Break()), "no loop around: break"),
        (module(Loop(YES, (), (Continue(),))), "no loop around: continue"),
        (module(Store(ONE, ONE, 1)), "pointer expected"),
        (module(Store(P, ONE, 5)), "no int of width 5 in memory: u40[p] = 1"),
        (module(Store(P, WIDE, 8)), "no wide of width 8 in memory"),
        (module(Store(P, P, 4)), "no pointer of width 4"),
        (module(Store(P, YES, 1)), "no bool of width 1"),
        (module(Copy(P, ONE, ONE)), "pointer expected"),
        (module(Clear(P, YES)), "int expected"),
        (module(Evaluate(ONE)), "only calls are done: 1"),
        (module(Return(ONE)), "a value where nothing is returned: return 1"),
        (module(Return(), result=Type.INT), "int expected, not nothing: return"),
        (module(Return(YES), result=Type.INT), "int expected, not bool true: return true"),
        (module(If(YES, (Return(ONE),)), result=Type.INT), "a path ends without return"),
        (module(Loop(YES, (Break(),)), result=Type.INT), "a path ends without return"),
        (
            Module("m", {"f": Function("f", (N, N), Type.NOTHING, ())}),
            "two parameters n",
        ),
    ],
)
def test_a_broken_rule_is_named_with_its_place(wrong, complaint):
    with pytest.raises(InvalidError) as caught:
        verify(wrong)
    assert str(caught.value).startswith("f: ")
    assert complaint in str(caught.value)


@pytest.mark.parametrize("name", ["g", "count_ones"])
def test_functions_have_their_own_names(name):
    with pytest.raises(InvalidError, match=name):
        verify(Module("m", {name: Function("f", (), Type.NOTHING, ())}))


def test_many_nodes_are_quick():
    """The time grows with the number of nodes, not faster."""

    def seconds(count):
        body = [Assign(Local(f"v{i}"), Binary(Op.ADD, N, ONE)) for i in range(count)]
        body += [If(OrderTest(Rel.LT, N, ONE), (Assign(N, ONE),)) for _ in range(count)]
        start = time.process_time()
        verify(module(*body))
        return time.process_time() - start

    assert min(seconds(4000) for _ in range(3)) < 12 * min(seconds(1000) for _ in range(3))
