"""Statements of the IR as instructions, and functions that are written where they are called.

The rule of a statement returns False if control does not reach what follows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.compiler import ir
from cardwright.compiler.ir import Type
from cardwright.compiler.wasm.encoding import (
    I32,
    I64,
    V128,
    const32,
    const64,
    memory,
    put,
)
from cardwright.compiler.wasm.expressions import push_address, push_low
from cardwright.compiler.wasm.frame import VALUES, OpenLoop, VariableScope

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.compiler.wasm.frame import Frame, Rule

_STORE = {1: "i64.store8", 2: "i64.store16", 4: "i64.store32", 8: "i64.store"}
_NARROW_STORE = {1: "i32.store8", 2: "i32.store16", 4: "i32.store"}

_MOST_COPIED = 64
"""Most bytes that are copied by loads and stores, if they are words."""


def write_block(frame: Frame, block: ir.Block) -> bool:
    """Write statements up to one that leaves the block; return whether control reaches its end."""
    for statement in block:
        mark = frame.mark()
        goes_on = frame.rules[type(statement)](frame, statement)
        frame.end_statement(mark)
        if goes_on is False:
            return False
    return True


def write_function(frame: Frame, body: ir.Block, result: Type) -> None:
    """Write the statements of a function, which leave its result on the stack at the end."""
    last = body[-1] if body else None
    if not isinstance(last, ir.Return) or last.value is None:
        write_block(frame, body)
    elif write_block(frame, body[:-1]):
        mark = frame.mark()
        frame.push(last.value)
        frame.end_statement(mark)
        return
    if result is not Type.NOTHING:  # each way has left before
        frame.write("unreachable")


def write_inlined(
    frame: Frame, function: ir.Function, args: tuple[ir.Expr, ...], assigned: frozenset[str]
) -> None:
    """Write a function in place of its call.

    A parameter that is not `assigned` is the constant or the variable that is given for it.
    """
    scope, given = VariableScope(), []
    for param, arg in zip(function.params, args, strict=True):
        if param.name not in assigned:
            if isinstance(arg, ir.Const):
                scope.names[param.name] = arg
                continue
            if isinstance(arg, ir.Local):
                scope.names[param.name] = frame.variable(arg.name, arg.type)
                continue
        frame.push(arg)
        given.append(param)
    outer, frame.scope = frame.scope, scope
    for param in reversed(given):
        frame.write(*map(put, reversed(frame.declare(param.name, param.type))))
    body = function.body
    if len(body) == 1 and isinstance(body[0], ir.Return) and body[0].value is not None:
        frame.push(body[0].value)
    else:
        scope.returns = frame.block(frame.around.block_type(function.result))
        write_function(frame, body, function.result)
        frame.end()
    frame.scope = outer
    for local in scope.owned:
        frame.release(local)


# Values and memory ------------------------------------------------------------------------


def _assign(frame: Frame, node: ir.Assign) -> None:
    frame.push(node.value)
    named = frame.variable(node.target.name, node.target.type)
    assert not isinstance(named, ir.Const)
    frame.write(*map(put, reversed(named)))


def _store(frame: Frame, node: ir.Store) -> None:
    constant = push_address(frame, node.address)
    match node.value.type:
        case Type.INT:
            frame.push(node.value)
            frame.write(memory(_STORE[node.width], constant))
        case Type.POINTER:  # the upper half of its eight bytes is 0
            frame.push(node.value)
            frame.write("i64.extend_i32_u", memory("i64.store", constant))
        case Type.WIDE:
            base = frame.set_aside(I32)
            low, high = frame.halves(node.value)
            frame.write(base, low, memory("i64.store", constant))
            frame.write(base, high, memory("i64.store", constant + 8))
        case _:
            frame.push(node.value)
            frame.write(memory(_NARROW_STORE[node.width], constant))


def _copy(frame: Frame, node: ir.Copy) -> None:
    count = node.bytes
    if isinstance(count, ir.Const) and 0 < count.value <= _MOST_COPIED and count.value % 8 == 0:
        _copy_words(frame, node, count.value)
        return
    frame.push(node.target)
    frame.push(node.source)
    push_low(frame, count)
    frame.write("memory.copy")


def _copy_words(frame: Frame, node: ir.Copy, count: int) -> None:
    """Write a copy: all is loaded before anything is stored, since the stretches may overlap."""
    frame.push(node.target)
    target = frame.set_aside(I32)
    frame.push(node.source)
    source = frame.set_aside(I32)
    pieces = []
    for at in range(0, count, 16):
        name, kind = ("v128", V128) if count - at >= 16 else ("i64", I64)
        frame.write(source, memory(f"{name}.load", at))
        pieces.append((name, at, frame.set_aside(kind)))
    for name, at, piece in pieces:
        frame.write(target, piece, memory(f"{name}.store", at))


def _clear(frame: Frame, node: ir.Clear) -> None:
    frame.push(node.target)
    frame.write(const32(0))
    push_low(frame, node.bytes)
    frame.write("memory.fill")


def _evaluate(frame: Frame, node: ir.Evaluate) -> None:
    frame.push(node.value)
    frame.write(*["drop"] * len(VALUES[node.value.type]))


# Control ----------------------------------------------------------------------------------


def _if(frame: Frame, node: ir.If) -> bool:
    frame.push(node.test)
    frame.if_()
    goes_on = write_block(frame, node.yes)
    if node.no:
        frame.write("else")
        goes_on = write_block(frame, node.no) or goes_on
    frame.end()
    return goes_on or not node.no


def _loop(frame: Frame, node: ir.Loop) -> bool:
    endless = isinstance(node.test, ir.Const) and bool(node.test.value)
    end, head = frame.block(), frame.loop()
    if not endless:
        mark = frame.mark()
        frame.push(node.test)
        frame.end_statement(mark)
        frame.write("i32.eqz")
        frame.jump_if(end)
    loop = OpenLoop(end, frame.block())
    frame.scope.loops.append(loop)
    goes_on = write_block(frame, node.body)
    frame.scope.loops.pop()
    frame.end()
    if (goes_on or loop.stepped) and write_block(frame, node.step):
        frame.jump(head)
    frame.end()
    frame.end()
    return not endless or loop.left


def _break(frame: Frame, _node: ir.Break) -> bool:
    loop = frame.scope.loops[-1]
    loop.left = True
    frame.jump(loop.end)
    return False


def _continue(frame: Frame, _node: ir.Continue) -> bool:
    loop = frame.scope.loops[-1]
    loop.stepped = True
    frame.jump(loop.step)
    return False


def _switch(frame: Frame, node: ir.Switch) -> bool:
    end = frame.block()
    default = frame.block() if node.default else end
    labels = {value: frame.block() for value, _ in reversed(node.cases)}
    mark = frame.mark()
    frame.push(node.value)
    value = frame.set_aside(I64)
    low, high = min(labels, default=0), max(labels, default=-1)
    if high - low < _SPARSEST * len(labels):
        frame.write(value, const64(low), "i64.sub", const64(high - low), "i64.gt_u")
        frame.jump_if(default)
        frame.write(value, const64(low), "i64.sub", "i32.wrap_i64")
        frame.jump_by_table([labels.get(at, default) for at in range(low, high + 1)], default)
    else:
        for at, label in labels.items():
            frame.write(value, const64(at), "i64.eq")
            frame.jump_if(label)
        frame.jump(default)
    frame.end_statement(mark)
    goes_on = not node.default
    for _, block in node.cases:
        frame.end()
        if write_block(frame, block):
            goes_on = True
            frame.jump(end)
    if node.default:
        frame.end()
        goes_on = write_block(frame, node.default) or goes_on
    frame.end()
    return goes_on


_SPARSEST = 8
"""A table of jumps has at most so many entries for each case."""


def _return(frame: Frame, node: ir.Return) -> bool:
    if node.value is not None:
        frame.push(node.value)
    if frame.scope.returns is None:
        frame.write("return")
    else:
        frame.jump(frame.scope.returns)
    return False


STATEMENTS: Mapping[type[Any], Rule] = {
    ir.Assign: _assign,
    ir.Store: _store,
    ir.Copy: _copy,
    ir.Clear: _clear,
    ir.Evaluate: _evaluate,
    ir.If: _if,
    ir.Loop: _loop,
    ir.Break: _break,
    ir.Continue: _continue,
    ir.Switch: _switch,
    ir.Return: _return,
}
