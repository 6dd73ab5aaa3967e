"""The text written so far for a function, and the names in use."""

from __future__ import annotations

import re
from functools import lru_cache

from cardwright.compiler import ir

_PLAIN = re.compile(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*").fullmatch


class Notes:
    """The metadata of a module's instructions, in LLVM's terms."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._tags: dict[str, str] = {}
        self._once: dict[str, str] = {}

    def tag(self, name: str) -> str:
        """Return the annotation of a load or store of tagged memory; nothing for no tag."""
        if not name:
            return ""
        found = self._tags.get(name)
        if found is None:
            kind = self._kind(name)
            found = self._tags[name] = f", !tbaa {self._add(f'!{{{kind}, {kind}, i64 0}}')}"
        return found

    def _kind(self, name: str) -> str:
        """Return the type of tagged memory; what comes after a slash is a part of the rest."""
        whole, _, part = name.rpartition("/")
        if not whole:
            root = self._single('!{!"cardwright"}')
            return self._single(f'!{{!"{quoted(part)}", {root}, i64 0}}')
        dotted = quoted(name.replace("/", "."))
        return self._single(f'!{{!"{dotted}", {self._kind(whole)}, i64 0}}')

    def constant(self) -> str:
        """Return the annotation of a load of memory that never changes."""
        return f", !invariant.load {self._single('!{}')}"

    def rarely(self) -> str:
        """Return the annotation of a branch whose test is rarely true."""
        weights = self._single('!{!"branch_weights", i32 1, i32 2000}')
        return f", !prof {weights}"

    def lines(self) -> list[str]:
        """Return the lines of all metadata."""
        return [f"!{number} = {line}" for number, line in enumerate(self._lines)]

    def _single(self, line: str) -> str:
        if line not in self._once:
            self._once[line] = self._add(line)
        return self._once[line]

    def _add(self, line: str) -> str:
        self._lines.append(line)
        return f"!{len(self._lines) - 1}"


class EmitFrame:
    """The function being written.

    Values are numbered in the order of the text, as LLVM demands; labels and helper values have
    names that begin with one dot, which no local variable's name does.
    """

    __slots__ = ("allocas", "count", "labels", "lines", "loops", "notes", "open", "places")

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.lines: list[str] = []
        self.allocas: list[str] = []
        self.places: dict[str, tuple[str, str]] = {}
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

    def local(self, variable: ir.Local) -> tuple[str, str]:
        """Return the LLVM type and the address of a local variable."""
        place = self.places.get(variable.name)
        if place is None:
            kind = llvm_type(variable.type)
            name = variable.name
            address = f"%{quoted('.' + name if name.startswith('.') else name)}"
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

    def place(self, label: str) -> None:
        """Begin a block; control falls into it."""
        self.jump(label)
        self.lines.append(f"{label}:")
        self.open = True


def llvm_type(kind: ir.Type) -> str:
    """Return LLVM's name of a type."""
    if kind is ir.Type.INT:
        return "i64"
    if kind is ir.Type.POINTER:
        return "ptr"
    if kind is ir.Type.BOOL:
        return "i1"
    return "i128" if kind is ir.Type.WIDE else "void"


@lru_cache(maxsize=4096)
def quoted(name: str) -> str:
    """Return a name as LLVM reads it, without its @ or %."""
    if _PLAIN(name):
        return name
    return '"' + "".join(f"\\{byte:02X}" for byte in name.encode()) + '"'
