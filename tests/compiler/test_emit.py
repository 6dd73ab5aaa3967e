"""What the IR says is what the machine code does, node by node."""

from __future__ import annotations

import ctypes
import math
import operator
import struct
from functools import cache

import pytest
from hypothesis import example, given, strategies as st
from native_calls import (
    BOOL,
    INT,
    NOTHING,
    POINTER,
    WIDE,
    function,
    native,
    number,
    param,
    returning,
    wrapped,
)  # fmt: skip

from cardwright.compiler import intrinsics, ir
from cardwright.compiler.backend import FULL, LEAST
from cardwright.compiler.llvm.emit import emit

A, B, C = param("a"), param("b"), param("c")
P, Q = param("p", POINTER), param("q", POINTER)
TEST = param("t", BOOL)
MASK = 2**64 - 1

_EDGES = [0, 1, -1, 2, -2, 63, 64, 2**31, -(2**31), 2**32, 2**63 - 1, -(2**63)]
integers = st.one_of(st.sampled_from(_EDGES), st.integers(-(2**63), 2**63 - 1), st.integers(-9, 9))


def towards_zero(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def rest(left: int, right: int) -> int:
    return left - right * towards_zero(left, right)


def meaning(op: ir.Op, left: int, right: int, bits: int) -> int:
    """Say what Python makes of an operation on two integers of a width."""
    mask = 2**bits - 1
    operations = {
        ir.Op.ADD: operator.add,
        ir.Op.SUB: operator.sub,
        ir.Op.MUL: operator.mul,
        ir.Op.AND: operator.and_,
        ir.Op.OR: operator.or_,
        ir.Op.XOR: operator.xor,
        ir.Op.SHL: lambda x, y: x << (y % bits),
        ir.Op.SHR: lambda x, y: (x & mask) >> (y % bits),
        ir.Op.SAR: lambda x, y: x >> (y % bits),
        ir.Op.DIV: towards_zero,
        ir.Op.REM: rest,
        ir.Op.UDIV: lambda x, y: (x & mask) // (y & mask),
        ir.Op.UREM: lambda x, y: (x & mask) % (y & mask),
    }
    return wrapped(operations[op](left, right), bits)


SHIFTS = {ir.Op.SHL, ir.Op.SHR, ir.Op.SAR}
DIVISIONS = {ir.Op.DIV, ir.Op.REM, ir.Op.UDIV, ir.Op.UREM}


@cache
def binary(op: ir.Op):
    right = ir.Binary(ir.Op.AND, B, number(63)) if op in SHIFTS else B
    return returning((A, B), ir.Binary(op, A, right))


@pytest.mark.parametrize("op", ir.Op)
@given(left=integers, right=integers)
def test_operations(op: ir.Op, left: int, right: int) -> None:
    if op in DIVISIONS and (right == 0 or (left == -(2**63) and right == -1)):
        right = 1
    assert binary(op)(left, right) == meaning(op, left, right, 64)


def wide_from(high: ir.Local, low: ir.Local) -> ir.Expr:
    """The wide integer of two halves."""
    upper = ir.Binary(ir.Op.SHL, ir.Convert(high, WIDE), ir.Const(64, WIDE))
    lower = ir.Binary(ir.Op.AND, ir.Convert(low, WIDE), ir.Const(MASK, WIDE))
    return ir.Binary(ir.Op.OR, upper, lower)


HALVES = (param("ah"), param("al"), param("bh"), param("bl"))


@cache
def wide_binary(op: ir.Op):
    x, y = param("x", WIDE), param("y", WIDE)
    right = ir.Binary(ir.Op.AND, y, ir.Const(127, WIDE)) if op in SHIFTS else y
    result = param("r", WIDE)
    upper = ir.Binary(ir.Op.SHR, result, ir.Const(64, WIDE))
    return native(
        function(
            (P, *HALVES),
            NOTHING,
            ir.Assign(x, wide_from(*HALVES[:2])),
            ir.Assign(y, wide_from(*HALVES[2:])),
            ir.Assign(result, ir.Binary(op, x, right)),
            ir.Store(P, ir.Convert(result, INT), 8),
            ir.Store(ir.Offset(P, number(8)), ir.Convert(upper, INT), 8),
        )
    )


@pytest.mark.parametrize("op", [op for op in ir.Op if op not in DIVISIONS])
@given(ah=integers, al=integers, bh=integers, bl=integers)
def test_wide_operations(op: ir.Op, ah: int, al: int, bh: int, bl: int) -> None:
    left, right = (ah << 64) | (al & MASK), (bh << 64) | (bl & MASK)
    result = (ctypes.c_uint64 * 2)()
    wide_binary(op)(result, ah, al, bh, bl)
    assert result[0] | result[1] << 64 == meaning(op, left, right, 128) & (2**128 - 1)


RELATIONS = {
    ir.Rel.EQ: operator.eq,
    ir.Rel.NE: operator.ne,
    ir.Rel.LT: operator.lt,
    ir.Rel.LE: operator.le,
    ir.Rel.GT: operator.gt,
    ir.Rel.GE: operator.ge,
    ir.Rel.ULT: lambda x, y: x & MASK < y & MASK,
    ir.Rel.UGE: lambda x, y: x & MASK >= y & MASK,
}


@cache
def comparison(rel: ir.Rel):
    return returning((A, B), ir.OrderTest(rel, A, B))


@pytest.mark.parametrize("rel", ir.Rel)
@given(left=integers, right=integers)
def test_orders(rel: ir.Rel, left: int, right: int) -> None:
    assert comparison(rel)(left, right) == RELATIONS[rel](left, right)
    assert comparison(rel)(left, left) == RELATIONS[rel](left, left)


@cache
def wide_comparison(rel: ir.Rel):
    return returning(HALVES, ir.OrderTest(rel, wide_from(*HALVES[:2]), wide_from(*HALVES[2:])))


@pytest.mark.parametrize("rel", ir.Rel)
@given(ah=integers, al=integers, bh=integers, bl=integers)
def test_orders_of_wide_integers(rel: ir.Rel, ah: int, al: int, bh: int, bl: int) -> None:
    left, right = (ah << 64) | (al & MASK), (bh << 64) | (bl & MASK)
    unsigned = rel in {ir.Rel.ULT, ir.Rel.UGE}
    values = [value % 2**128 if unsigned else value for value in (left, right)]
    compared = {ir.Rel.ULT: operator.lt, ir.Rel.UGE: operator.ge}.get(rel, RELATIONS[rel])
    assert wide_comparison(rel)(ah, al, bh, bl) == compared(*values)
    assert wide_comparison(rel)(ah, al, ah, al) == compared(left, left)


@pytest.mark.parametrize("test", [False, True])
def test_wide_integers_are_selected_and_become_truth_values(test: bool) -> None:
    chosen = ir.Select(TEST, wide_from(A, B), ir.Convert(C, WIDE))
    upper = ir.Binary(ir.Op.SHR, chosen, ir.Const(64, WIDE))
    high = returning((TEST, A, B, C), ir.Convert(upper, INT))
    assert high(test, 7, 3, -1) == (7 if test else -1)
    assert returning((TEST, A, B, C), ir.Convert(chosen, INT))(test, 7, 3, -1) == (
        3 if test else -1
    )
    assert returning((TEST, A, B, C), ir.Convert(chosen, BOOL))(test, 1, 0, 0) is test
    true = ir.Binary(ir.Op.SHL, ir.Convert(TEST, WIDE), ir.Const(64, WIDE))
    assert returning((TEST,), ir.Convert(true, BOOL))(test) is test


@pytest.mark.parametrize("value", [*_EDGES, MASK, 2**63])
def test_constants_wrap(value: int) -> None:
    assert returning((), number(value))() == wrapped(value)


def test_truth_values() -> None:
    either = ir.Binary(ir.Op.OR, TEST, ir.Const(0, BOOL))
    assert returning((TEST,), ir.Negation(either))(False) is True
    assert returning((TEST,), ir.Negation(either))(True) is False
    assert returning((TEST,), ir.Convert(TEST, INT))(True) == 1
    assert returning((A,), ir.Convert(A, BOOL))(2) is True
    assert returning((A,), ir.Convert(A, BOOL))(0) is False


def test_select() -> None:
    chosen = returning((TEST, A, B), ir.Select(TEST, A, B))
    assert [chosen(True, 3, 4), chosen(False, 3, 4)] == [3, 4]


def test_an_integer_widens_with_its_sign() -> None:
    upper = ir.Binary(ir.Op.SHR, ir.Convert(A, WIDE), ir.Const(64, WIDE))
    high = returning((A,), ir.Convert(upper, INT))
    assert [high(-5), high(5)] == [-1, 0]


def test_pointers_compare() -> None:
    same = returning((P, Q), ir.OrderTest(ir.Rel.EQ, P, Q))
    assert same(8, 8)
    assert not same(8, 16)
    assert returning((P,), ir.OrderTest(ir.Rel.EQ, P, ir.Const(0, POINTER)))(None)


# Memory -----------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [1, 2, 4, 8])
@pytest.mark.parametrize("signed", [False, True])
@given(value=integers)
def test_memory_holds_what_fits(width: int, signed: bool, value: int) -> None:
    block = ctypes.create_string_buffer(b"\xaa" * 20, 20)
    copied_through_memory(width, signed)(block, value)
    cut = (value & (1 << 8 * width) - 1).to_bytes(width, "little")
    assert block.raw[3 : 3 + width] == cut
    assert block.raw[:3] == b"\xaa" * 3
    assert block.raw[3 + width : 12] == b"\xaa" * (9 - width)
    assert block.raw[12:20] == wrapped(int.from_bytes(cut, "little", signed=signed)).to_bytes(
        8, "little", signed=True
    )


@cache
def copied_through_memory(width: int, signed: bool):
    """Compile a function that stores its argument at 3, and at 12 what it then loads from 3."""
    place = ir.Offset(P, number(3))
    return native(
        function(
            (P, A),
            NOTHING,
            ir.Store(place, A, width),
            ir.Store(ir.Offset(P, number(12)), ir.Load(place, width, signed), 8),
        )
    )


def test_memory_holds_pointers_and_truth_values() -> None:
    follow = returning((P,), ir.Load(ir.Load(P, 8, type=POINTER), 8))
    value = ctypes.c_int64(77)
    assert follow(ctypes.pointer(ctypes.pointer(value))) == 77
    follow = native(
        function(
            (P, Q),
            INT,
            ir.Store(P, Q, 8),
            ir.Assign(A, ir.Load(ir.Load(P, 8, type=POINTER), 8)),
            ir.Store(P, ir.Const(0, POINTER), 8),
            ir.Return(A),
        )
    )
    cleared = (ctypes.c_int64 * 1)(-1)
    assert follow(cleared, (ctypes.c_int64 * 1)(78)) == 78
    assert list(cleared) == [0]
    keep = native(function((P, Q), NOTHING, ir.Store(P, Q, 8)))
    place = ctypes.c_void_p()
    keep(ctypes.byref(place), 4096)
    assert place.value == 4096
    store = native(function((P, TEST), NOTHING, ir.Store(P, TEST, 1)))
    byte = ctypes.c_uint8(9)
    store(ctypes.byref(byte), True)
    assert byte.value == 1
    assert returning((P,), ir.Load(P, 1, type=BOOL))(ctypes.byref(byte)) is True


@pytest.mark.parametrize("shift", [-3, 0, 3])
@pytest.mark.parametrize("count", [0, 1, 16, 20])
def test_copies_may_overlap(shift: int, count: int) -> None:
    block = bytearray(range(32))
    target, source = ir.Offset(P, B), ir.Offset(P, number(8))
    copy = native(function((P, B, A), NOTHING, ir.Copy(target, source, A)))
    buffer = (ctypes.c_uint8 * 32).from_buffer_copy(block)
    copy(buffer, 8 + shift, count)
    block[8 + shift : 8 + shift + count] = bytes(block[8 : 8 + count])
    assert bytes(buffer) == bytes(block)


@pytest.mark.parametrize("count", [0, 1, 15, 300])
def test_clear(count: int) -> None:
    clear = native(function((P, A), NOTHING, ir.Clear(P, A)))
    buffer = (ctypes.c_uint8 * 400)(*[7] * 400)
    clear(buffer, count)
    assert bytes(buffer) == bytes(count) + b"\x07" * (400 - count)


def test_tables() -> None:
    table = bytes(range(256)) * 3
    look = function((A,), INT, ir.Return(ir.Load(ir.Offset(ir.Data("my table"), A), 1)))
    at = native(look, data={"my table": table, "empty": b""})
    assert bytes(at(i) for i in range(len(table))) == table
    address = native(
        function((), POINTER, ir.Return(ir.Data("my table"))), data={"my table": table}
    )
    assert address() % 64 == 0


# Control ----------------------------------------------------------------------------------


def added(variable: ir.Local, value: ir.Expr) -> ir.Assign:
    return ir.Assign(variable, ir.Binary(ir.Op.ADD, variable, value))


def equals(variable: ir.Local, value: int) -> ir.OrderTest:
    return ir.OrderTest(ir.Rel.EQ, variable, number(value))


@pytest.mark.parametrize("level", [LEAST, FULL])
def test_loops_break_and_continue(level: int) -> None:
    """The sum of the integers below n but for 3, up to the first that is 10; steps counted."""
    i, total, steps = param("i"), param("total"), param("steps")
    sums = native(
        function(
            (A,),
            INT,
            ir.Assign(i, number(0)),
            ir.Assign(total, number(0)),
            ir.Assign(steps, number(0)),
            ir.Loop(
                ir.OrderTest(ir.Rel.LT, i, A),
                (
                    ir.If(equals(i, 3), (ir.Continue(), added(total, number(1000)))),
                    ir.If(equals(i, 10), (ir.Break(),)),
                    added(total, i),
                ),
                (added(i, number(1)), added(steps, number(1))),
            ),
            ir.Return(ir.Binary(ir.Op.ADD, total, ir.Binary(ir.Op.MUL, steps, number(1000)))),
        ),
        level=level,
    )
    for n in (0, 1, 3, 4, 10, 11, 50):
        assert sums(n) == sum(set(range(min(n, 10))) - {3}) + 1000 * min(n, 10)


def test_loops_within_loops() -> None:
    i, j, total = param("i"), param("j"), param("total")
    inner = ir.Loop(
        ir.Const(1, BOOL),
        (ir.If(ir.OrderTest(ir.Rel.GE, j, i), (ir.Break(),)), added(total, number(1))),
        (added(j, number(1)),),
    )
    triangle = native(
        function(
            (A,),
            INT,
            ir.Assign(i, number(0)),
            ir.Assign(total, number(0)),
            ir.Loop(
                ir.Const(1, BOOL),
                (
                    ir.If(ir.OrderTest(ir.Rel.EQ, i, A), (ir.Return(total),)),
                    ir.Assign(j, number(0)),
                    inner,
                ),
                (added(i, number(1)),),
            ),
        )
    )
    assert triangle(10) == 45


def test_branches() -> None:
    sign = native(
        function(
            (A,),
            INT,
            ir.If(
                ir.OrderTest(ir.Rel.LT, A, number(0)),
                (ir.Return(number(-1)), ir.Return(number(5))),
                (
                    ir.If(equals(A, 0), (), (ir.Return(number(1)),)),
                    ir.Return(number(0)),
                ),
            ),
        )
    )
    assert [sign(-7), sign(0), sign(7)] == [-1, 0, 1]


@pytest.mark.parametrize("default", [(), (ir.Assign(B, number(9)),), (ir.Return(number(8)),)])
def test_switch(default: ir.Block) -> None:
    pick = native(
        function(
            (A,),
            INT,
            ir.Assign(B, number(0)),
            ir.Switch(
                A,
                (
                    (0, (ir.Assign(B, number(10)),)),
                    (-1, (ir.Return(number(11)),)),
                    (7, ()),
                ),
                default,
            ),
            ir.Return(B),
        )
    )
    other = {0: 0, 1: 9}.get(len(default), 0)
    if default and isinstance(default[0], ir.Return):
        other = 8
    assert [pick(0), pick(-1), pick(7), pick(3)] == [10, 11, 0, other]


def test_a_switch_leaves_the_loop_around_it() -> None:
    i = param("i")
    stop = native(
        function(
            (),
            INT,
            ir.Assign(i, number(0)),
            ir.Loop(
                ir.OrderTest(ir.Rel.LT, i, number(100)),
                (ir.Switch(i, ((5, (ir.Break(),)), (2, (ir.Continue(),)))),),
                (added(i, number(1)),),
            ),
            ir.Return(i),
        )
    )
    assert stop() == 5


def test_recursion() -> None:
    less = [ir.Call("fib", (ir.Binary(ir.Op.SUB, A, number(k)),), INT) for k in (1, 2)]
    fib = native(
        function(
            (A,),
            INT,
            ir.If(ir.OrderTest(ir.Rel.LT, A, number(2)), (ir.Return(A),)),
            ir.Return(ir.Binary(ir.Op.ADD, *less)),
            name="fib",
        )
    )
    assert fib(20) == 6765


@pytest.mark.parametrize("inline", ir.Inline)
def test_calls(inline: ir.Inline) -> None:
    """Arguments are evaluated from left to right."""
    once = function(
        (P,),
        INT,
        ir.Store(P, ir.Binary(ir.Op.ADD, ir.Load(P, 1), number(1)), 1),
        ir.Return(ir.Load(P, 1)),
        name="once",
        exported=False,
        inline=inline,
    )
    nothing = function((P,), NOTHING, name="nothing", exported=False, inline=inline)
    call = ir.Call("once", (P,), INT)
    tens = ir.Binary(ir.Op.MUL, call, number(10))
    both = function(
        (P,),
        INT,
        ir.Evaluate(ir.Call("nothing", (P,), NOTHING)),
        ir.Evaluate(call),
        ir.Return(ir.Binary(ir.Op.ADD, tens, call)),
    )
    counter = ctypes.c_uint8(0)
    assert native(once, nothing, both)(ctypes.byref(counter)) == 23


def test_odd_names() -> None:
    names = ["0", ".1", ".in.a", "a b", 'quo"te', "é", "%a", "entry", ".entry", "..1"]
    odd = tuple(param(name) for name in names)
    total: ir.Expr = number(0)
    for power, local in enumerate(odd):
        total = ir.Binary(ir.Op.ADD, total, ir.Binary(ir.Op.MUL, local, number(2**power)))
    branchy = ir.If(equals(odd[0], 12345), (ir.Return(number(0)),))
    summed = native(function(odd, INT, branchy, ir.Return(total), name='odd "f" é'))
    assert summed(*range(1, 11)) == sum((i + 1) * 2**i for i in range(10))


def test_deep_and_long_expressions() -> None:
    deep: ir.Expr = A
    for _ in range(300):
        deep = ir.Binary(ir.Op.ADD, deep, B)
    assert returning((A, B), deep)(5, 2) == 605


def test_pointers_do_not_alias_unless_they_may() -> None:
    module = ir.Module("test")
    either = ir.Local("any_p", POINTER)
    module.functions["f"] = function((P, either, A), NOTHING)
    assert "ptr noalias noundef %.in.p, ptr noundef %.in.any_p, i64 noundef %.in.a" in emit(module)


# Intrinsics -------------------------------------------------------------------------------


def signed(value: int) -> int:
    return wrapped(value)


INTRINSICS = {
    "count_ones": lambda x: (x & MASK).bit_count(),
    "lowest_one": lambda x: (x & -x).bit_length() - 1,
    "highest_one": lambda x: (x & MASK).bit_length() - 1,
    "multiply_high": lambda x, y: signed((x & MASK) * (y & MASK) >> 64),
    "nth_one": lambda x, y: [i for i in range(64) if (x & MASK) >> i & 1][y],
    "nth_bit": lambda x, y: signed(1 << [i for i in range(64) if (x & MASK) >> i & 1][y]),
    "deposit": lambda x, y: signed(
        sum(
            1 << at
            for i, at in enumerate(at for at in range(64) if (y & MASK) >> at & 1)
            if (x & MASK) >> i & 1
        )
    ),
    "rotate_left": lambda x, y: signed((x & MASK) << y % 64 | (x & MASK) >> (64 - y % 64)),
    "add_overflows": lambda x, y: x + y != signed(x + y),
    "subtract_overflows": lambda x, y: x - y != signed(x - y),
    "multiply_overflows": lambda x, y: x * y != signed(x * y),
}


@cache
def intrinsic(name: str):
    kinds, result = ir.INTRINSICS[name]
    params = tuple(param(f"x{i}", kind) for i, kind in enumerate(kinds))
    return returning(params, ir.Call(name, params, result))


@pytest.mark.parametrize("name", INTRINSICS)
@given(x=integers, y=integers)
def test_intrinsics(name: str, x: int, y: int) -> None:
    if name in {"lowest_one", "highest_one"} and x == 0:
        x = 1
    if name in {"nth_one", "nth_bit"}:
        x, y = x or 1, y % ((x or 1) & MASK).bit_count()
    args = (x, y)[: len(ir.INTRINSICS[name][0])]
    assert intrinsic(name)(*args) == INTRINSICS[name](*args)


@pytest.mark.parametrize("rest", [(), (B,)])
def test_branches_on_what_is_unlikely_say_so(rest: tuple[ir.Local, ...]) -> None:
    """So machine code runs straight on where nothing unusual happens; a conjunction counts too."""
    unlikely: ir.Expr = ir.Call("unlikely", (TEST,), BOOL)
    for other in rest:
        unlikely = ir.Binary(ir.Op.AND, ir.Convert(other, BOOL), unlikely)
    for test, weighed in ((unlikely, True), (TEST, False)):
        branch = ir.If(test, (ir.Return(number(1)),))
        text = emit(
            ir.Module("test", {"f": function((TEST, *rest), INT, branch, ir.Return(number(2)))})
        )
        assert ("branch_weights" in text and ", !prof !" in text) is weighed


def test_unlikely() -> None:
    assert intrinsic("unlikely")(True) is True
    assert intrinsic("unlikely")(False) is False


@given(root=st.integers(0, 2**25 - 1), more=st.integers(0, 2**26))
@example(root=2**25 - 1, more=2**26 - 2)
def test_square_roots_are_cut_off_and_never_rounded_up(root: int, more: int) -> None:
    take = intrinsic("square_root")
    for square in (root**2, max(0, root**2 - 1), root**2 + more % (2 * root + 1)):
        assert take(square) == math.isqrt(square)


@given(value=integers, divisor=integers.filter(bool))
def test_ratios_are_rounded_to_32_bits(value: int, divisor: int) -> None:
    bits = struct.unpack("<I", struct.pack("<f", float(value) / float(divisor)))[0]
    assert intrinsic("ratio_bits")(value, divisor) == bits
    assert intrinsics.ratio_bits(value, divisor) == bits


def test_every_intrinsic_is_tested() -> None:
    others = {"unlikely", "positions", "find_byte", "square_root", "ratio_bits", "ask"}
    assert set(INTRINSICS) | others == set(ir.INTRINSICS)
    assert set(WIDE_INTRINSICS) | {"positions"} == set(ir.WIDE_INTRINSICS)


WIDE_INTRINSICS = {
    "count_ones": lambda x, _: x.bit_count(),
    "lowest_one": lambda x, _: (x & -x).bit_length() - 1,
    "highest_one": lambda x, _: x.bit_length() - 1,
    "nth_one": lambda x, y: [i for i in range(128) if x >> i & 1][y],
    "nth_bit": lambda x, y: 1 << [i for i in range(128) if x >> i & 1][y],
}
MASKS = st.integers(1, 2**128 - 1) | st.integers(0, 127).map(lambda at: 1 << at)


@cache
def wide_intrinsic(name: str):
    """Return a function of the address of a mask, which is replaced if the result is one."""
    given, result = ir.WIDE_INTRINSICS[name]
    mask = ir.Load(P, 16, type=WIDE)
    called = ir.Call(name, (mask, A)[: len(given)], result)
    if result is WIDE:
        return native(function((P, A), INT, ir.Store(P, called, 16), ir.Return(number(0))))
    return native(function((P, A), INT, ir.Return(called)))


@pytest.mark.parametrize("name", WIDE_INTRINSICS)
@given(mask=MASKS, y=integers)
@example(mask=2**128 - 1, y=127)
@example(mask=2**64 | 1, y=1)
def test_intrinsics_of_wide_masks(name: str, mask: int, y: int) -> None:
    y %= mask.bit_count()
    memory = (ctypes.c_uint8 * 16).from_buffer_copy(mask.to_bytes(16, "little"))
    found = wide_intrinsic(name)(ctypes.byref(memory), y)
    if ir.WIDE_INTRINSICS[name][1] is WIDE:
        found = int.from_bytes(memory, "little")
    assert found == WIDE_INTRINSICS[name](mask, y)


def test_tagged_code_means_the_same() -> None:
    """Tags tell the optimiser what holds anyway."""
    base, total, at = param("base", ir.Type.POINTER), ir.Local("total"), ir.Local("at")

    def field(distance: ir.Expr) -> ir.Expr:
        return ir.Offset(base, distance)

    step = ir.Assign(at, ir.Binary(ir.Op.ADD, at, ir.Const(1)))
    body = (
        ir.Assign(total, ir.Const(0)),
        ir.Assign(at, ir.Const(0)),
        ir.Loop(
            ir.OrderTest(ir.Rel.LT, at, ir.Const(4)),
            (
                ir.Store(field(at), ir.Binary(ir.Op.MUL, at, ir.Const(3)), 1, tag="left"),
                ir.Store(field(ir.Const(8)), at, 8, tag="right"),
                ir.Assign(
                    total,
                    ir.Binary(
                        ir.Op.ADD,
                        total,
                        ir.Binary(
                            ir.Op.ADD,
                            ir.Load(field(at), 1, tag="left"),
                            ir.Load(field(ir.Const(8)), 8, tag="right"),
                        ),
                    ),
                ),
            ),
            (step,),
        ),
        ir.Return(total),
    )
    whole = function((base,), ir.Type.INT, *body)
    text = emit(ir.Module("test", {"f": whole}))
    assert text.count("!tbaa") == 4
    block = (ctypes.c_uint8 * 16)()
    assert native(whole)(block) == 18 + 6
    assert bytes(block[:4]) == bytes([0, 3, 6, 9])
