"""The intermediate representation as text, like a small programming language."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    If,
    Inline,
    Load,
    Local,
    Loop,
    Negation,
    Offset,
    OrderTest,
    Return,
    Select,
    Store,
    Switch,
    Type,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.compiler.ir import Block, Expr, Function, Module, Statement

_INDENT = "    "


def show_expression(expr: Expr) -> str:
    """Return an expression as text, with brackets around every operation but the outermost."""
    match expr:
        case Binary(op, left, right):
            return f"{_operand(left)} {op.value} {_operand(right)}"
        case OrderTest(rel, left, right):
            return f"{_operand(left)} {rel.value} {_operand(right)}"
        case Negation(value):
            return f"not {_operand(value)}"
        case Select(test, yes, no):
            return f"{_operand(yes)} if {_operand(test)} else {_operand(no)}"
        case Offset(base, bytes_):
            return f"{_operand(base)} + {_operand(bytes_)}"
        case _:
            return _operand(expr)


def _operand(expr: Expr) -> str:
    match expr:
        case Const(value, Type.BOOL):
            return "true" if value else "false"
        case Const(value):
            return str(value)
        case Local(name):
            return name
        case Data(name):
            return f"&{name}"
        case Convert(value, type_):
            return f"{type_.value}({show_expression(value)})"
        case Load(address, width, signed, type_):
            return f"{_memory(width, signed, type_)}[{show_expression(address)}]"
        case Call(name, args):
            return f"{name}({', '.join(map(show_expression, args))})"
        case _:
            return f"({show_expression(expr)})"


def _memory(width: int, signed: bool, type_: Type) -> str:
    """The name of an integer or pointer type of some bytes."""
    if type_ is Type.POINTER:
        return "pointer"
    return f"{'i' if signed or width >= 8 else 'u'}{width * 8}"


def show_statement(statement: Statement) -> str:
    """Return a statement as text."""
    return "\n".join(_lines(statement))


def show_block(block: Block) -> str:
    """Return statements as text, a line each and more for their blocks."""
    return "\n".join(line for statement in block for line in _lines(statement))


def show_function(function: Function) -> str:
    """Return a function as text."""
    params = ", ".join(f"{p.name}: {p.type.value}" for p in function.params)
    marks = "exported " if function.exported else ""
    if function.inline is not Inline.PERHAPS:
        marks += f"inline-{function.inline.value} "
    head = f"{marks}function {function.name}({params}) -> {function.result.value}:"
    return "\n".join([head, *_inner(function.body)])


def show_module(module: Module) -> str:
    """Return a module as text."""
    tables = [f"data {name}: {content.hex(' ')}" for name, content in module.data.items()]
    functions = [f"\n{show_function(function)}" for function in module.functions.values()]
    return "\n".join([f"module {module.name}", *tables, *functions]) + "\n"


def _inner(block: Block) -> Iterator[str]:
    """The indented lines of a nested block."""
    if not block:
        yield f"{_INDENT}pass"
    for statement in block:
        for line in _lines(statement):
            yield _INDENT + line


def _lines(statement: Statement) -> Iterator[str]:
    match statement:
        case If(test, yes, no):
            yield f"if {show_expression(test)}:"
            yield from _inner(yes)
            if no:
                yield "else:"
                yield from _inner(no)
        case Loop(test, body, step):
            yield f"while {show_expression(test)}:"
            yield from _inner(body)
            if step:
                yield "step:"
                yield from _inner(step)
        case Switch(value, cases, default):
            yield f"switch {show_expression(value)}:"
            for case, block in cases:
                yield f"{_INDENT}case {case}:"
                yield from (_INDENT + line for line in _inner(block))
            if default:
                yield f"{_INDENT}default:"
                yield from (_INDENT + line for line in _inner(default))
        case _:
            yield _line(statement)


def _line(statement: Statement) -> str:
    match statement:
        case Assign(target, value):
            return f"{target.name} = {show_expression(value)}"
        case Store(address, value, width):
            kept = _memory(width, False, value.type)
            return f"{kept}[{show_expression(address)}] = {show_expression(value)}"
        case Copy(target, source, bytes_):
            return f"copy({', '.join(map(show_expression, (target, source, bytes_)))})"
        case Clear(target, bytes_):
            return f"clear({show_expression(target)}, {show_expression(bytes_)})"
        case Evaluate(value):
            return show_expression(value)
        case Return(None):
            return "return"
        case Return(value) if value is not None:
            return f"return {show_expression(value)}"
        case Break():
            return "break"
        case Continue():
            return "continue"
        case _:
            return repr(statement)
