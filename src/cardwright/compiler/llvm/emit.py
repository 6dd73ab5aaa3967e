"""LLVM's text for a module of the IR.

The text is the same on every machine. Where the machine matters, for the intrinsics that look at
many bytes at once, it calls functions that `cardwright.compiler.llvm.helpers` defines.

What the IR leaves open is defined as follows:

- Pointer parameters are `noalias`: while a function runs, what it writes through one pointer (or
  through pointers derived from it) it neither reads nor writes through another. Parameters whose
  names begin with "any_" are exempt; they may point anywhere.
- Addresses need no alignment.
- An integer is sign-extended to a wide one; a truth value made from an integer is whether it is
  not 0.
- A local variable that is read before it was assigned, and reaching the end of a function with a
  result without `Return`, are undefined behaviour.
- Statements after `Break`, `Continue` and `Return` in the same block are left out.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from cardwright.compiler import ir
from cardwright.compiler.inlining import FunctionSize, worth_inlining

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

Value: TypeAlias = tuple[str, str]
"""An LLVM type, and an operand of that type."""

_TYPES = {
    ir.Type.INT: "i64",
    ir.Type.WIDE: "i128",
    ir.Type.BOOL: "i1",
    ir.Type.POINTER: "ptr",
    ir.Type.NOTHING: "void",
}
_BITS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "i128": 128}

_INLINE = {
    ir.Inline.ALWAYS: " alwaysinline",
    ir.Inline.NEVER: " noinline",
    ir.Inline.PERHAPS: " noinline",
    ir.Inline.COLD: " noinline cold optnone",
}
_OPERATIONS = {op: op.name.lower() for op in ir.Op} | {
    ir.Op.SHR: "lshr",
    ir.Op.SAR: "ashr",
    ir.Op.DIV: "sdiv",
    ir.Op.REM: "srem",
}
_RELATIONS = {rel: rel.name.lower() for rel in ir.Rel} | {
    rel: f"s{rel.name.lower()}" for rel in (ir.Rel.LT, ir.Rel.LE, ir.Rel.GT, ir.Rel.GE)
}

_INTRINSICS: Mapping[str, tuple[str, ...]] = {
    "count_ones": ("call i64 @llvm.ctpop.i64(i64 {0})",),
    "lowest_one": ("call i64 @llvm.cttz.i64(i64 {0}, i1 true)",),
    "highest_one": ("call i64 @llvm.ctlz.i64(i64 {0}, i1 true)", "xor i64 {1}, 63"),
    "multiply_high": (
        "zext i64 {0} to i128",
        "zext i64 {1} to i128",
        "mul nuw i128 {2}, {3}",
        "lshr i128 {4}, 64",
        "trunc i128 {5} to i64",
    ),
    "rotate_left": ("call i64 @llvm.fshl.i64(i64 {0}, i64 {0}, i64 {1})",),
    **{
        f"{name}_overflows": (
            f"call {{{{i64, i1}}}} @llvm.s{name[:3]}.with.overflow.i64(i64 {{0}}, i64 {{1}})",
            "extractvalue {{i64, i1}} {2}, 1",
        )
        for name in ("add", "subtract", "multiply")
    },
    "positions": ("call i64 @.positions(ptr {0}, i64 {1}, i64 {2})",),
    "find_byte": ("call i64 @.find_byte(ptr {0}, i64 {1}, i64 {2})",),
    "nth_one": ("call i64 @.nth_one(i64 {0}, i64 {1})",),
    "nth_bit": ("call i64 @.nth_bit(i64 {0}, i64 {1})",),
    "deposit": ("call i64 @.deposit(i64 {0}, i64 {1})",),
    # Below 2^50 the root of a square less one, rounded as IEEE 754 demands, stays below the root.
    "square_root": (
        "uitofp i64 {0} to double",
        "call double @llvm.sqrt.f64(double {1})",
        "fptosi double {2} to i64",
    ),
    "ratio_bits": (
        "sitofp i64 {0} to double",
        "sitofp i64 {1} to double",
        "fdiv double {2}, {3}",
        "fptrunc double {4} to float",
        "bitcast float {5} to i32",
        "zext i32 {6} to i64",
    ),
    "unlikely": (),  # the branch on it says so
    "ask": ("inttoptr i64 {0} to ptr", "call i64 {1}()"),
}
"""The instructions of each intrinsic, which refer to its operands and then to one another."""

_WIDE_INTRINSICS: Mapping[str, tuple[str, ...]] = {
    "count_ones": ("call i128 @llvm.ctpop.i128(i128 {0})", "trunc i128 {1} to i64"),
    "lowest_one": ("call i128 @llvm.cttz.i128(i128 {0}, i1 true)", "trunc i128 {1} to i64"),
    "highest_one": (
        "call i128 @llvm.ctlz.i128(i128 {0}, i1 true)",
        "trunc i128 {1} to i64",
        "xor i64 {2}, 127",
    ),
    "positions": ("call i128 @.wide_positions(ptr {0}, i64 {1}, i128 {2})",),
    "nth_one": ("call i64 @.wide_nth_one(i128 {0}, i64 {1})",),
    "nth_bit": ("call i128 @.wide_nth_bit(i128 {0}, i64 {1})",),
}
"""The same for masks of 128 bits."""

_PLAIN_NAME = re.compile(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*").fullmatch
_BYTES = {byte: f"\\{byte:02X}" for byte in range(256)}


def emit(module: ir.Module) -> str:
    """Return a module as LLVM text, to be compiled by `cardwright.compiler.llvm.backend`.

    Functions that are worth inlining have the attributes `#0`, which are defined there.
    """
    metadata = _Metadata()
    bodies = {name: _body(function, metadata) for name, function in module.functions.items()}
    inlined = worth_inlining(
        {
            name: FunctionSize(body.count("\n"), calls, function.inline, function.exported)
            for (name, function), (body, calls) in zip(
                module.functions.items(), bodies.values(), strict=True
            )
        }
    )
    functions = [
        f"{_head(function, inlined=name in inlined)}\n{bodies[name][0]}"
        for name, function in module.functions.items()
    ]
    return "\n".join((*_tables(module), *functions, *metadata.lines(), ""))


def _tables(module: ir.Module) -> Iterator[str]:
    for name, table in module.data.items():
        text = table.decode("latin-1").translate(_BYTES)
        yield (
            f"@{_quoted('.data.' + name)} = private unnamed_addr constant [{len(table)} x i8] "
            f'c"{text}", align 64'
        )


def _body(function: ir.Function, metadata: _Metadata) -> tuple[str, list[str]]:
    """Return the text of a function after its head, and the names of the functions it calls."""
    frame = _Frame(metadata)
    for param in function.params:
        kind, place = frame.local(param)
        frame.lines.append(f"store {kind} {_argument(param)}, ptr {place}")
    _emit_block(frame, function.body)
    if frame.open:
        frame.lines.append("ret void" if function.result is ir.Type.NOTHING else "unreachable")
    return "\n".join((".entry:", *frame.allocas, *frame.lines, "}")), frame.calls


def _head(function: ir.Function, *, inlined: bool) -> str:
    linkage = "" if function.exported else "internal "
    params = ", ".join(
        f"{_TYPES[param.type]}{_promises(param)} {_argument(param)}" for param in function.params
    )
    attributes = "#0" if inlined else f"nounwind{_INLINE[function.inline]}"
    name = _quoted(function.name)
    return f"define {linkage}{_TYPES[function.result]} @{name}({params}) {attributes} {{"


def _argument(param: ir.Local) -> str:
    return f"%{_quoted('.in.' + param.name)}"


def _promises(param: ir.Local) -> str:
    alone = param.type is ir.Type.POINTER and not param.name.startswith("any_")
    return " noalias noundef" if alone else " noundef"


@lru_cache(maxsize=4096)
def _quoted(name: str) -> str:
    """Return a name as LLVM reads it, without its @ or %."""
    if _PLAIN_NAME(name):
        return name
    return '"' + "".join(f"\\{byte:02X}" for byte in name.encode()) + '"'


class _Metadata:
    """The numbered metadata of a module, to which instructions refer."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._tags: dict[str, str] = {"": ""}

    def tag(self, name: str) -> str:
        """Return the annotation of a load or store of tagged memory; nothing for no tag."""
        if name not in self._tags:
            kind = self._kind(name)
            access = self._number(f"!{{{kind}, {kind}, i64 0}}")
            self._tags[name] = f", !tbaa {access}"
        return self._tags[name]

    def _kind(self, name: str) -> str:
        """Return the type of tagged memory; what comes after a slash is a part of the rest."""
        whole = name.rpartition("/")[0]
        within = self._kind(whole) if whole else self._number('!{!"cardwright"}')
        dotted = _quoted(name.replace("/", "."))
        return self._number(f'!{{!"{dotted}", {within}, i64 0}}')

    def constant(self) -> str:
        """Return the annotation of a load of memory that never changes."""
        nothing = self._number("!{}")
        return f", !invariant.load {nothing}"

    def rarely(self) -> str:
        """Return the annotation of a branch whose test is rarely true."""
        weights = self._number('!{!"branch_weights", i32 1, i32 2000}')
        return f", !prof {weights}"

    def lines(self) -> list[str]:
        """Return the lines of all metadata."""
        return [f"!{number} = {line}" for line, number in self._numbers.items()]

    def _number(self, line: str) -> str:
        return f"!{self._numbers.setdefault(line, len(self._numbers))}"


class _Frame:
    """The function being written.

    Values are numbered in the order of the text, as LLVM demands; labels and helper values have
    names that begin with one dot, which no local variable's name does.
    """

    __slots__ = (
        "allocas", "calls", "count", "labels", "lines", "loops", "metadata", "open", "places",
    )  # fmt: skip

    def __init__(self, metadata: _Metadata) -> None:
        self.metadata = metadata
        self.lines: list[str] = []
        self.allocas: list[str] = []
        self.calls: list[str] = []
        """The functions of the module that are called, in order."""
        self.places: dict[str, Value] = {}
        """The LLVM type and the address of each local variable."""
        self.count = 0
        self.labels = 0
        self.loops: list[tuple[str, str]] = []
        """For each enclosing loop: the labels of its step and of its end."""
        self.open = True
        """Whether control can reach the place where the next line goes."""

    def value(self, text: str) -> str:
        """Write an instruction, and return the name of its result."""
        name = f"%{self.count}"
        self.count += 1
        self.lines.append(f"{name} = {text}")
        return name

    def local(self, variable: ir.Local) -> Value:
        """Return the LLVM type and the address of a local variable."""
        place = self.places.get(variable.name)
        if place is None:
            kind = _TYPES[variable.type]
            name = variable.name
            address = f"%{_quoted('.' + name if name.startswith('.') else name)}"
            self.allocas.append(f"{address} = alloca {kind}")
            place = self.places[name] = (kind, address)
        return place

    def label(self) -> str:
        """Return a new label."""
        self.labels += 1
        return f".{self.labels}"

    def jump(self, label: str) -> None:
        """Jump to a label, if this point is reachable."""
        if self.open:
            self.lines.append(f"br label %{label}")
            self.open = False

    def branch(self, test: str, yes: str, no: str, note: str = "") -> None:
        """Jump to one of two labels."""
        self.lines.append(f"br i1 {test}, label %{yes}, label %{no}{note}")
        self.open = False

    def begin(self, label: str) -> None:
        """Begin a block; control falls into it."""
        self.jump(label)
        self.lines.append(f"{label}:")
        self.open = True


# Expressions ------------------------------------------------------------------------------


def _emit(frame: _Frame, node: ir.Expr) -> Value:
    """Write the evaluation of an expression, and return its type and operand."""
    return _EXPRESSIONS[type(node)](frame, node)


def _resized(frame: _Frame, value: Value, kind: str, *, signed: bool) -> str:
    """Return an integer or pointer as an operand of an LLVM type, extended or truncated."""
    have, operand = value
    if have == kind:
        return operand
    if "ptr" in {have, kind}:
        how = "ptrtoint" if have == "ptr" else "inttoptr"
    elif _BITS[have] > _BITS[kind]:
        how = "trunc"
    else:
        how = "sext" if signed and have != "i1" else "zext"
    return frame.value(f"{how} {have} {operand} to {kind}")


def _const(_frame: _Frame, node: ir.Const) -> Value:
    kind = _TYPES[node.type]
    if kind == "i1":
        return kind, "true" if node.value else "false"
    if kind == "ptr":
        return kind, f"inttoptr (i64 {node.value} to ptr)" if node.value else "null"
    half = 1 << _BITS[kind] - 1
    return kind, str((node.value + half) % (2 * half) - half)


def _local(frame: _Frame, node: ir.Local) -> Value:
    kind, place = frame.local(node)
    return kind, frame.value(f"load {kind}, ptr {place}")


# Deep expressions take one call a level: operands are not evaluated by way of `_emit`.


def _binary(frame: _Frame, node: ir.Binary) -> Value:
    left, right = node.left, node.right
    kind, first = _EXPRESSIONS[type(left)](frame, left)
    _, second = _EXPRESSIONS[type(right)](frame, right)
    return kind, frame.value(f"{_OPERATIONS[node.op]} {kind} {first}, {second}")


def _compare(frame: _Frame, node: ir.OrderTest) -> Value:
    left, right = node.left, node.right
    kind, first = _EXPRESSIONS[type(left)](frame, left)
    _, second = _EXPRESSIONS[type(right)](frame, right)
    return "i1", frame.value(f"icmp {_RELATIONS[node.rel]} {kind} {first}, {second}")


def _select(frame: _Frame, node: ir.Select) -> Value:
    _, test = _emit(frame, node.test)
    kind, yes = _emit(frame, node.yes)
    _, no = _emit(frame, node.no)
    return kind, frame.value(f"select i1 {test}, {kind} {yes}, {kind} {no}")


def _convert(frame: _Frame, node: ir.Convert) -> Value:
    value = _emit(frame, node.value)
    kind = _TYPES[node.type]
    if kind == "i1" and value[0] != "i1":
        zero = "null" if value[0] == "ptr" else "0"
        return kind, frame.value(f"icmp ne {value[0]} {value[1]}, {zero}")
    return kind, _resized(frame, value, kind, signed=True)


def _offset(frame: _Frame, node: ir.Offset) -> Value:
    base, count = node.base, node.bytes
    _, address = _EXPRESSIONS[type(base)](frame, base)
    _, distance = _EXPRESSIONS[type(count)](frame, count)
    return "ptr", frame.value(f"getelementptr i8, ptr {address}, i64 {distance}")


def _load(frame: _Frame, node: ir.Load) -> Value:
    _, address = _EXPRESSIONS[type(node.address)](frame, node.address)
    kind = _TYPES[node.type]
    if kind == "ptr":
        return kind, frame.value(f"load ptr, ptr {address}, align 1{frame.metadata.tag(node.tag)}")
    held = f"i{8 * node.width}"
    metadata = frame.metadata
    note = metadata.constant() if _in_table(node.address) else metadata.tag(node.tag)
    operand = frame.value(f"load {held}, ptr {address}, align 1{note}")
    if kind == "i1":
        return kind, frame.value(f"icmp ne {held} {operand}, 0")
    return kind, _resized(frame, (held, operand), kind, signed=node.signed)


def _in_table(address: ir.Expr) -> bool:
    """Return whether an address lies in a constant table."""
    while isinstance(address, ir.Offset):
        address = address.base
    return isinstance(address, ir.Data)


def _call(frame: _Frame, node: ir.Call) -> Value:
    args = [_EXPRESSIONS[type(arg)](frame, arg) for arg in node.args]
    kind = _TYPES[node.type]
    instructions = _INTRINSICS.get(node.function)
    if instructions is not None:
        if any(have == "i128" for have, _ in args):
            instructions = _WIDE_INTRINSICS.get(node.function, instructions)
        values = [operand for _, operand in args]
        for text in instructions:
            values.append(frame.value(text.format(*values)))
        return kind, values[-1]
    passed = ", ".join([f"{have} {operand}" for have, operand in args])
    call = f"call {kind} @{_quoted(node.function)}({passed})"
    frame.calls.append(node.function)
    if kind == "void":
        frame.lines.append(call)
        return kind, ""
    return kind, frame.value(call)


_EXPRESSIONS: Mapping[type[Any], Callable[[_Frame, Any], Value]] = {
    ir.Const: _const,
    ir.Local: _local,
    ir.Data: lambda _, node: ("ptr", f"@{_quoted('.data.' + node.name)}"),
    ir.Binary: _binary,
    ir.OrderTest: _compare,
    ir.Negation: lambda frame, node: (
        "i1",
        frame.value(f"xor i1 {_EXPRESSIONS[type(node.value)](frame, node.value)[1]}, true"),
    ),
    ir.Select: _select,
    ir.Convert: _convert,
    ir.Offset: _offset,
    ir.Load: _load,
    ir.Call: _call,
}


# Statements -------------------------------------------------------------------------------


def _emit_block(frame: _Frame, block: ir.Block) -> None:
    """Write the statements of a block, up to one that leaves it."""
    for statement in block:
        if not frame.open:
            return
        _STATEMENTS[type(statement)](frame, statement)


def _assign(frame: _Frame, node: ir.Assign) -> None:
    _, operand = _emit(frame, node.value)
    kind, place = frame.local(node.target)
    frame.lines.append(f"store {kind} {operand}, ptr {place}")


def _store(frame: _Frame, node: ir.Store) -> None:
    _, address = _emit(frame, node.address)
    kind, operand = _emit(frame, node.value)
    if kind != "ptr":
        held = f"i{8 * node.width}"
        operand = _resized(frame, (kind, operand), held, signed=True)
        kind = held
    note = frame.metadata.tag(node.tag)
    frame.lines.append(f"store {kind} {operand}, ptr {address}, align 1{note}")


def _copy(frame: _Frame, node: ir.Copy) -> None:
    target, source, count = (
        _emit(frame, part)[1] for part in (node.target, node.source, node.bytes)
    )
    frame.lines.append(
        f"call void @llvm.memmove.p0.p0.i64(ptr {target}, ptr {source}, i64 {count}, i1 false)"
    )


def _clear(frame: _Frame, node: ir.Clear) -> None:
    target, count = (_emit(frame, part)[1] for part in (node.target, node.bytes))
    frame.lines.append(f"call void @llvm.memset.p0.i64(ptr {target}, i8 0, i64 {count}, i1 false)")


def _if(frame: _Frame, node: ir.If) -> None:
    _, test = _emit(frame, node.test)
    yes, end = frame.label(), frame.label()
    no = frame.label() if node.no else end
    frame.branch(test, yes, no, frame.metadata.rarely() if _is_rare(node.test) else "")
    _ways(frame, [(yes, node.yes), (no, node.no)], end)


def _switch(frame: _Frame, node: ir.Switch) -> None:
    kind, operand = _emit(frame, node.value)
    end = frame.label()
    default = frame.label() if node.default else end
    ways = [(frame.label(), block) for _, block in node.cases]
    table = " ".join(
        f"{kind} {value}, label %{label}"
        for (value, _), (label, _) in zip(node.cases, ways, strict=True)
    )
    frame.lines.append(f"switch {kind} {operand}, label %{default} [ {table} ]")
    frame.open = False
    _ways(frame, [*ways, (default, node.default)], end)


def _ways(frame: _Frame, ways: Iterable[tuple[str, ir.Block]], end: str) -> None:
    """Write blocks that control may jump to, each with its label, and their common end."""
    reached = False
    for label, block in ways:
        if label == end:
            reached = True
            continue
        frame.begin(label)
        _emit_block(frame, block)
        reached = reached or frame.open
        frame.jump(end)
    if reached:
        frame.begin(end)


def _loop(frame: _Frame, node: ir.Loop) -> None:
    head, body, step, end = (frame.label() for _ in range(4))
    frame.begin(head)
    _, test = _emit(frame, node.test)
    frame.branch(test, body, end)
    frame.begin(body)
    frame.loops.append((step, end))
    _emit_block(frame, node.body)
    frame.loops.pop()
    frame.begin(step)
    _emit_block(frame, node.step)
    frame.jump(head)
    frame.begin(end)


def _return(frame: _Frame, node: ir.Return) -> None:
    if node.value is None:
        frame.lines.append("ret void")
    else:
        kind, operand = _emit(frame, node.value)
        frame.lines.append(f"ret {kind} {operand}")
    frame.open = False


def _is_rare(test: ir.Expr) -> bool:
    """Whether a test is marked as unlikely, or is a conjunction with such a test."""
    if isinstance(test, ir.Binary):
        return test.op is ir.Op.AND and (_is_rare(test.left) or _is_rare(test.right))
    return isinstance(test, ir.Call) and test.function == "unlikely"


_STATEMENTS: Mapping[type[Any], Callable[[_Frame, Any], object]] = {
    ir.Assign: _assign,
    ir.Store: _store,
    ir.Copy: _copy,
    ir.Clear: _clear,
    ir.Evaluate: lambda frame, node: _emit(frame, node.value),
    ir.If: _if,
    ir.Loop: _loop,
    ir.Break: lambda frame, _: frame.jump(frame.loops[-1][1]),
    ir.Continue: lambda frame, _: frame.jump(frame.loops[-1][0]),
    ir.Switch: _switch,
    ir.Return: _return,
}
