"""A module of the IR as a module of WebAssembly, whose bytes are the same everywhere.

It imports from `host`

- `ask`, a function that returns the address that it is given to go on, and anything else to stop:
  what the function at that address says;
- `memory`, which it shares with all others of its process;
- `tables`, a constant: the address where its tables go, a multiple of 64.

A section named `TABLES` says how many bytes these take. Pointers have 32 bits; in memory they take
eight bytes, of which the upper four are 0, so that structs are laid out as everywhere. Instructions
for vectors are used.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from cardwright.compiler import ir
from cardwright.compiler.inlining import FunctionSize, worth_inlining
from cardwright.compiler.ir import Inline, Type
from cardwright.compiler.wasm.encoding import (
    I64,
    NO_VALUE,
    call,
    custom_section,
    function_body,
    function_type,
    read_unsigned,
    section,
    signed,
    text,
    unsigned,
    vector,
)
from cardwright.compiler.wasm.expressions import EXPRESSIONS
from cardwright.compiler.wasm.frame import VALUES, Frame
from cardwright.compiler.wasm.helpers import SELECT_TABLE, helper, select_table
from cardwright.compiler.wasm.statements import STATEMENTS, write_function, write_inlined

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.compiler.wasm.frame import Rule

TABLES = "cardwright.tables"

EMPTY = b"\0asm\x01\0\0\0"
"""A module without anything, and the beginning of all others."""
_IMPORTS = 1
"""The number of imported functions: those of the module are numbered after them."""

_ALIGNMENT = 64


def emit(module: ir.Module) -> bytes:
    """Return a module as a binary module of WebAssembly."""
    return _Module(module).content()


def table_bytes(module: bytes) -> int:
    """Return how many bytes the tables of a module take in memory."""
    return read_unsigned(custom_section(module, TABLES) or b"\x00", 0)[0]


class _Module:
    """A module being written."""

    rules: Mapping[type[Any], Rule] = {**EXPRESSIONS, **STATEMENTS}

    def __init__(self, module: ir.Module) -> None:
        self._functions = module.functions
        self._assigned: dict[str, frozenset[str]] = {}
        self._types: dict[bytes, int] = {}
        self._tables: dict[str, int] = {}
        self._data = bytearray()
        for name, content in module.data.items():
            self._add_table(name, content)
        self._numbers = {name: _IMPORTS + at for at, name in enumerate(self._written)}
        self._helpers: list[str] = []

    def _add_table(self, name: str, content: bytes) -> None:
        self._data += bytes(-len(self._data) % _ALIGNMENT)
        self._tables[name] = len(self._data)
        self._data += content

    # What is inlined ----------------------------------------------------------------------

    @cached_property
    def _calls(self) -> Mapping[str, list[str]]:
        """The functions of the module that each calls, as often as it does."""
        return {
            name: [
                node.function
                for node in ir.walk(function.body)
                if isinstance(node, ir.Call) and node.function in self._functions
            ]
            for name, function in self._functions.items()
        }

    @cached_property
    def _inlined(self) -> frozenset[str]:
        sizes = {
            name: FunctionSize(
                sum(not isinstance(node, ir.Const) for node in ir.walk(function.body)),
                self._calls[name],
                function.inline,
                function.exported,
            )
            for name, function in self._functions.items()
        }
        always = {
            name
            for name, function in self._functions.items()
            if function.inline is Inline.ALWAYS and not function.exported
        }
        return worth_inlining(sizes) | always

    @cached_property
    def _written(self) -> list[str]:
        """The functions that can be called and are not all inlined, in their order."""
        exported = [name for name, function in self._functions.items() if function.exported]
        seen, pending = set(exported), exported.copy()
        while pending:
            new = {*self._calls[pending.pop()]} - seen
            seen |= new
            pending += new
        return [
            name
            for name, function in self._functions.items()
            if name in seen and (function.exported or name not in self._inlined)
        ]

    # What functions ask for ---------------------------------------------------------------

    def helper(self, name: str) -> int:
        """Return the number of a helper function, which the module then has."""
        if name not in self._helpers:
            self._helpers.append(name)
        return _IMPORTS + len(self._numbers) + self._helpers.index(name)

    def place(self, table: str) -> int:
        """Return where a table lies, from the first of all on."""
        if table == SELECT_TABLE and table not in self._tables:
            self._add_table(table, select_table())
        return self._tables[table]

    def block_type(self, kind: Type) -> bytes:
        """Return the type of a block that leaves a value."""
        values = VALUES[kind]
        if len(values) > 1:
            return signed(self._type(function_type((), values)))
        return bytes(values) or NO_VALUE

    def called(self, frame: Frame, name: str, args: tuple[ir.Expr, ...]) -> None:
        """Write a call of a function of the module, or the function itself."""
        if name in self._inlined:
            write_inlined(frame, self._functions[name], args, self._assigned_in(name))
            return
        for arg in args:
            frame.push(arg)
        frame.write(call(self._numbers[name]))

    def _assigned_in(self, name: str) -> frozenset[str]:
        """Return the variables that a function assigns."""
        if name not in self._assigned:
            nodes = ir.walk(self._functions[name].body)
            self._assigned[name] = frozenset(
                node.target.name for node in nodes if isinstance(node, ir.Assign)
            )
        return self._assigned[name]

    def _type(self, encoded: bytes) -> int:
        return self._types.setdefault(encoded, len(self._types))

    # Writing ------------------------------------------------------------------------------

    def content(self) -> bytes:
        """Return the bytes of the module."""
        ask = self._type(function_type((I64,), (I64,)))
        types, bodies = [], []
        for name in self._written:
            function = self._functions[name]
            params = [kind for param in function.params for kind in VALUES[param.type]]
            types.append(self._type(function_type(params, VALUES[function.result])))
            bodies.append(self._body(function, len(params)))
        for name in self._helpers:  # to which those are added that helpers call
            kind, body = helper(name, self.helper, self.place)
            types.append(self._type(kind))
            bodies.append(body)
        host = text("host")
        imports = [
            host + text("ask") + b"\x00" + unsigned(ask),
            host + text("memory") + b"\x02\x00\x00",
            host + text("tables") + b"\x03\x7f\x00",
        ]
        exports = [
            text(name) + b"\x00" + unsigned(self._numbers[name])
            for name in self._written
            if self._functions[name].exported
        ]
        size = len(self._data)
        at_tables = b"\x00\x23\x00\x0b"
        return b"".join(
            (
                EMPTY,
                section(0, text(TABLES) + unsigned(size)),
                section(1, vector([*self._types])),
                section(2, vector(imports)),
                section(3, vector([*map(unsigned, types)])),
                section(7, vector(exports)),
                section(10, vector(bodies)),
                section(11, vector([at_tables + unsigned(size) + self._data])) if size else b"",
            )
        )

    def _body(self, function: ir.Function, params: int) -> bytes:
        frame = Frame(self)
        for param in function.params:
            frame.declare(param.name, param.type)
        write_function(frame, function.body, function.result)
        return function_body(frame.kinds[params:], bytes(frame.out))
