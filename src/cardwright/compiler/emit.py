"""LLVM's text for a module of the IR.

The text is the same on every machine. Where the machine matters, for the intrinsics that look at
many bytes at once, it calls functions that `cardwright.compiler.helpers` defines.

What the IR leaves open is defined as follows:

- Pointer parameters are `noalias`: while a function runs, what it writes through one pointer (or
  through pointers derived from it) it neither reads nor writes through another. Parameters whose
  names begin with "any_" are exempt; they may point anywhere.
- Addresses need no alignment. - An integer is sign-extended to a wide one; a truth value made from
an integer is whether it is not 0. - A local variable that is read before it was assigned, and
reaching the end of a function with a result without `Return`, are undefined behaviour. - Statements
after `Break`, `Continue` and `Return` in the same block are left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cardwright.compiler import ir
from cardwright.compiler.emit_frame import EmitFrame, Notes, llvm_type, quoted
from cardwright.compiler.emit_statements import emit_block
from cardwright.compiler.inlining import FunctionSize, chosen

if TYPE_CHECKING:
    from collections.abc import Iterator

_BYTES = {byte: f"\\{byte:02X}" for byte in range(256)}

_INLINE = {
    ir.Inline.ALWAYS: " alwaysinline",
    ir.Inline.NEVER: " noinline",
    ir.Inline.PERHAPS: " noinline",
    ir.Inline.COLD: " noinline cold optnone",
}

_CALLS = re.compile(r"^(?:%\d+ = )?call [\w{},]+(?: [\w{},]+)* @([^(]+)\(", re.MULTILINE)


def emit(module: ir.Module) -> str:
    """Return a module as LLVM text, to be compiled by `cardwright.compiler.jit`.

    Functions that are worth inlining have the attributes `#0`, which are defined there.
    """
    notes = Notes()
    bodies = {name: _body(function, notes) for name, function in module.functions.items()}
    worth = chosen(
        {
            quoted(name): FunctionSize(
                body.count("\n"),
                _CALLS.findall(body),
                module.functions[name].inline,
                module.functions[name].exported,
            )
            for name, body in bodies.items()
        }
    )
    functions = [
        f"{_head(function, worth)}\n{bodies[name]}" for name, function in module.functions.items()
    ]
    return "\n".join((*_tables(module), *functions, *notes.lines(), ""))


def _tables(module: ir.Module) -> Iterator[str]:
    for name, table in module.data.items():
        text = table.decode("latin-1").translate(_BYTES)
        yield (
            f"@{quoted('.data.' + name)} = private unnamed_addr constant [{len(table)} x i8] "
            f'c"{text}", align 64'
        )


def _body(function: ir.Function, notes: Notes) -> str:
    frame = EmitFrame(notes)
    for param in function.params:
        kind, place = frame.local(param)
        frame.lines.append(f"store {kind} {_argument(param)}, ptr {place}")
    emit_block(frame, function.body)
    if frame.open:
        frame.lines.append("ret void" if function.result is ir.Type.NOTHING else "unreachable")
    return "\n".join((".entry:", *frame.allocas, *frame.lines, "}"))


def _head(function: ir.Function, worth_inlining: frozenset[str]) -> str:
    linkage = "" if function.exported else "internal "
    params = ", ".join(
        f"{llvm_type(param.type)}{_promises(param)} {_argument(param)}" for param in function.params
    )
    name = quoted(function.name)
    attributes = "#0" if name in worth_inlining else f"nounwind{_INLINE[function.inline]}"
    return f"define {linkage}{llvm_type(function.result)} @{name}({params}) {attributes} {{"


def _argument(param: ir.Local) -> str:
    return f"%{quoted('.in.' + param.name)}"


def _promises(param: ir.Local) -> str:
    alone = param.type is ir.Type.POINTER and not param.name.startswith("any_")
    return " noalias noundef" if alone else " noundef"
