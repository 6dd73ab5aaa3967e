"""LLVM's text for statements and blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.compiler import ir
from cardwright.compiler.emit_expressions import emit_expression, resized

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.compiler.emit_frame import EmitFrame


def emit_block(frame: EmitFrame, block: ir.Block) -> None:
    """Write the statements of a block, up to one that leaves it."""
    for statement in block:
        if not frame.open:
            return
        _EMITTERS[type(statement)](frame, statement)


def _assign(frame: EmitFrame, node: ir.Assign) -> None:
    _, operand = emit_expression(frame, node.value)
    kind, place = frame.local(node.target)
    frame.lines.append(f"store {kind} {operand}, ptr {place}")


def _store(frame: EmitFrame, node: ir.Store) -> None:
    _, address = emit_expression(frame, node.address)
    kind, operand = emit_expression(frame, node.value)
    if kind != "ptr":
        held = f"i{8 * node.width}"
        operand = resized(frame, (kind, operand), held, signed=True)
        kind = held
    note = frame.notes.tag(node.tag)
    frame.lines.append(f"store {kind} {operand}, ptr {address}, align 1{note}")


def _copy(frame: EmitFrame, node: ir.Copy) -> None:
    _, target = emit_expression(frame, node.target)
    _, source = emit_expression(frame, node.source)
    _, count = emit_expression(frame, node.bytes)
    frame.lines.append(
        f"call void @llvm.memmove.p0.p0.i64(ptr {target}, ptr {source}, i64 {count}, i1 false)"
    )


def _clear(frame: EmitFrame, node: ir.Clear) -> None:
    _, target = emit_expression(frame, node.target)
    _, count = emit_expression(frame, node.bytes)
    frame.lines.append(f"call void @llvm.memset.p0.i64(ptr {target}, i8 0, i64 {count}, i1 false)")


def _do(frame: EmitFrame, node: ir.Evaluate) -> None:
    emit_expression(frame, node.value)


def _if(frame: EmitFrame, node: ir.If) -> None:
    _, test = emit_expression(frame, node.test)
    yes, end = frame.label(), frame.label()
    no = frame.label() if node.no else end
    _branch(frame, test, yes, no, frame.notes.rarely() if _is_rare(node.test) else "")
    reached = not node.no
    for label, block in ((yes, node.yes), (no, node.no)):
        if label != end:
            frame.place(label)
            emit_block(frame, block)
            reached = reached or frame.open
            frame.jump(end)
    if reached:
        frame.place(end)


def _loop(frame: EmitFrame, node: ir.Loop) -> None:
    head, body, step, end = (frame.label() for _ in range(4))
    frame.place(head)
    _, test = emit_expression(frame, node.test)
    _branch(frame, test, body, end)
    frame.place(body)
    frame.loops.append((step, end))
    emit_block(frame, node.body)
    frame.loops.pop()
    frame.place(step)
    emit_block(frame, node.step)
    frame.jump(head)
    frame.place(end)


def _break(frame: EmitFrame, _node: ir.Break) -> None:
    frame.jump(frame.loops[-1][1])


def _continue(frame: EmitFrame, _node: ir.Continue) -> None:
    frame.jump(frame.loops[-1][0])


def _switch(frame: EmitFrame, node: ir.Switch) -> None:
    kind, operand = emit_expression(frame, node.value)
    end = frame.label()
    default = frame.label() if node.default else end
    blocks = [(frame.label(), block) for _, block in node.cases]
    table = " ".join(
        f"{kind} {value}, label %{label}"
        for (value, _), (label, _) in zip(node.cases, blocks, strict=True)
    )
    frame.lines.append(f"switch {kind} {operand}, label %{default} [ {table} ]")
    frame.open = False
    reached = not node.default
    if node.default:
        blocks.append((default, node.default))
    for label, block in blocks:
        frame.place(label)
        emit_block(frame, block)
        reached = reached or frame.open
        frame.jump(end)
    if reached:
        frame.place(end)


def _return(frame: EmitFrame, node: ir.Return) -> None:
    if node.value is None:
        frame.lines.append("ret void")
    else:
        kind, operand = emit_expression(frame, node.value)
        frame.lines.append(f"ret {kind} {operand}")
    frame.open = False


def _branch(frame: EmitFrame, test: str, yes: str, no: str, note: str = "") -> None:
    frame.lines.append(f"br i1 {test}, label %{yes}, label %{no}{note}")
    frame.open = False


def _is_rare(test: ir.Expr) -> bool:
    """Whether a test is marked as unlikely, or is a conjunction with such a test."""
    if isinstance(test, ir.Binary):
        return test.op is ir.Op.AND and (_is_rare(test.left) or _is_rare(test.right))
    return isinstance(test, ir.Call) and test.function == "unlikely"


_EMITTERS: Mapping[type[Any], Callable[[EmitFrame, Any], None]] = {
    ir.Assign: _assign,
    ir.Store: _store,
    ir.Copy: _copy,
    ir.Clear: _clear,
    ir.Evaluate: _do,
    ir.If: _if,
    ir.Loop: _loop,
    ir.Break: _break,
    ir.Continue: _continue,
    ir.Switch: _switch,
    ir.Return: _return,
}
