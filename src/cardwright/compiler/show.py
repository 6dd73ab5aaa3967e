"""The intermediate representation as text, like a small programming language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.ir import Type

if TYPE_CHECKING:
    from collections.abc import Iterator

_INDENT = "    "


def show_expression(expr: ir.Expr) -> str:
    """Return an expression as text, with brackets around every operation but the outermost."""
    match expr:
        case ir.Binary(op, left, right) | ir.OrderTest(op, left, right):
            return f"{_operand(left)} {op.value} {_operand(right)}"
        case ir.Negation(value):
            return f"not {_operand(value)}"
        case ir.Select(test, yes, no):
            return f"{_operand(yes)} if {_operand(test)} else {_operand(no)}"
        case ir.Offset(base, count):
            return f"{_operand(base)} + {_operand(count)}"
    return _operand(expr)


def _operand(expr: ir.Expr) -> str:
    match expr:
        case ir.Const(value, Type.BOOL):
            return "true" if value else "false"
        case ir.Const(value):
            return str(value)
        case ir.Local(name):
            return name
        case ir.Data(name):
            return f"&{name}"
        case ir.Convert(value, type_):
            return f"{type_.value}({show_expression(value)})"
        case ir.Load(address, width, signed, type_):
            return f"{_memory(width, signed, type_)}[{show_expression(address)}]"
        case ir.Call(name, args):
            return f"{name}({_listed(*args)})"
    return f"({show_expression(expr)})"


def _listed(*exprs: ir.Expr) -> str:
    return ", ".join(map(show_expression, exprs))


def _memory(width: int, signed: bool, type_: Type) -> str:
    """The name of an integer or pointer type of some bytes."""
    if type_ is Type.POINTER:
        return "pointer"
    return f"{'i' if signed or width >= 8 else 'u'}{width * 8}"


def show_statement(statement: ir.Statement) -> str:
    """Return a statement as text."""
    return "\n".join(_lines(statement))


def show_block(block: ir.Block) -> str:
    """Return statements as text, a line each and more for their blocks."""
    return "\n".join(map(show_statement, block))


def show_function(function: ir.Function) -> str:
    """Return a function as text."""
    params = ", ".join(f"{p.name}: {p.type.value}" for p in function.params)
    marks = "exported " if function.exported else ""
    if function.inline is not ir.Inline.PERHAPS:
        marks += f"inline-{function.inline.value} "
    head = f"{marks}function {function.name}({params}) -> {function.result.value}:"
    return "\n".join([head, *_inner(function.body)])


def show_module(module: ir.Module) -> str:
    """Return a module as text."""
    tables = [f"data {name}: {content.hex(' ')}" for name, content in module.data.items()]
    functions = [f"\n{show_function(function)}" for function in module.functions.values()]
    return "\n".join([f"module {module.name}", *tables, *functions]) + "\n"


def _inner(block: ir.Block) -> Iterator[str]:
    """The indented lines of a nested block."""
    if not block:
        yield f"{_INDENT}pass"
    for statement in block:
        for line in _lines(statement):
            yield _INDENT + line


def _lines(statement: ir.Statement) -> Iterator[str]:
    match statement:
        case ir.If(test, yes, no):
            yield f"if {show_expression(test)}:"
            yield from _inner(yes)
            if no:
                yield "else:"
                yield from _inner(no)
        case ir.Loop(test, body, step):
            yield f"while {show_expression(test)}:"
            yield from _inner(body)
            if step:
                yield "step:"
                yield from _inner(step)
        case ir.Switch(value, cases, default):
            yield f"switch {show_expression(value)}:"
            ways = [(f"case {case}:", block) for case, block in cases]
            if default:
                ways.append(("default:", default))
            for title, block in ways:
                yield _INDENT + title
                yield from (_INDENT + line for line in _inner(block))
        case ir.Assign(target, value):
            yield f"{target.name} = {show_expression(value)}"
        case ir.Store(address, value, width):
            kept = _memory(width, False, value.type)
            yield f"{kept}[{show_expression(address)}] = {show_expression(value)}"
        case ir.Copy(target, source, count):
            yield f"copy({_listed(target, source, count)})"
        case ir.Clear(target, count):
            yield f"clear({_listed(target, count)})"
        case ir.Evaluate(value):
            yield show_expression(value)
        case ir.Return(value):
            yield "return" if value is None else f"return {show_expression(value)}"
        case ir.Break():
            yield "break"
        case ir.Continue():
            yield "continue"
