"""The binary format of WebAssembly: numbers, instructions by their names, sections.

Instructions are bytes. `code` joins some, of which those without operands may be given by name.
`assemble` reads a short text of them, in which locals have names.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

Kind: TypeAlias = int
"""A type of values, as it is encoded."""

I32, I64, V128 = 0x7F, 0x7E, 0x7B

NO_VALUE = b"\x40"
"""The type of a block that leaves nothing."""

_CACHED = 1 << 13


# Numbers ----------------------------------------------------------------------------------


@lru_cache(_CACHED)
def unsigned(value: int) -> bytes:
    """Return an integer from 0: seven bits a byte, the lowest first (LEB128)."""
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


@lru_cache(_CACHED)
def signed(value: int) -> bytes:
    """Return an integer in two's complement; the last byte's upper bit is the sign."""
    encoded = bytearray()
    while not -0x40 <= value < 0x40:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value & 0x7F)
    return bytes(encoded)


# Instructions -----------------------------------------------------------------------------

_ONE_BYTE = {
    0x00: "unreachable", 0x05: "else", 0x0B: "end", 0x0F: "return", 0x1A: "drop", 0x1B: "select",
    0x45: "i32.eqz", 0x50: "i64.eqz", 0xA7: "i32.wrap_i64", 0xAC: "i64.extend_i32_s",
    0xAD: "i64.extend_i32_u", 0x9F: "f64.sqrt", 0xA3: "f64.div", 0xB0: "i64.trunc_f64_s",
    0xB6: "f32.demote_f64", 0xB9: "f64.convert_i64_s", 0xBA: "f64.convert_i64_u",
    0xBC: "i32.reinterpret_f32",
}  # fmt: skip
_ORDERS = ("eq", "ne", "lt_s", "lt_u", "gt_s", "gt_u", "le_s", "le_u", "ge_s", "ge_u")
_ARITHMETIC = (
    "clz", "ctz", "popcnt", "add", "sub", "mul", "div_s", "div_u", "rem_s", "rem_u",
    "and", "or", "xor", "shl", "shr_s", "shr_u", "rotl", "rotr",
)  # fmt: skip
_VECTORS = {
    0x0E: "i8x16.swizzle", 0x0F: "i8x16.splat", 0x12: "i64x2.splat", 0x23: "i8x16.eq",
    0x2C: "i8x16.ge_u", 0x4D: "v128.not", 0x4E: "v128.and", 0x64: "i8x16.bitmask",
    0x6D: "i8x16.shr_u",
}  # fmt: skip

PLAIN: Mapping[str, bytes] = {
    **{name: bytes([byte]) for byte, name in _ONE_BYTE.items()},
    **{
        f"{kind}.{name}": bytes([first + at])
        for kind, first, names in (
            ("i32", 0x46, _ORDERS), ("i64", 0x51, _ORDERS),
            ("i32", 0x67, _ARITHMETIC), ("i64", 0x79, _ARITHMETIC),
        )
        for at, name in enumerate(names)
    },
    **{name: b"\xfd" + unsigned(number) for number, name in _VECTORS.items()},
    "memory.copy": b"\xfc\x0a\x00\x00",
    "memory.fill": b"\xfc\x0b\x00",
}  # fmt: skip
"""The instructions without operands."""

_MEMORY = {
    "i32.load": 0x28, "i64.load": 0x29, "i32.load8_s": 0x2C, "i32.load8_u": 0x2D,
    "i32.load16_s": 0x2E, "i32.load16_u": 0x2F, "i64.load8_s": 0x30, "i64.load8_u": 0x31,
    "i64.load16_s": 0x32, "i64.load16_u": 0x33, "i64.load32_s": 0x34, "i64.load32_u": 0x35,
    "i32.store": 0x36, "i64.store": 0x37, "i32.store8": 0x3A, "i32.store16": 0x3B,
    "i64.store8": 0x3C, "i64.store16": 0x3D, "i64.store32": 0x3E,
}  # fmt: skip
_WIDE_MEMORY = {"v128.load": b"\xfd\x00", "v128.store": b"\xfd\x0b"}


def code(*parts: bytes | str) -> bytes:
    """Return instructions one after another, each encoded or by its name."""
    return b"".join([PLAIN[part] if isinstance(part, str) else part for part in parts])


@lru_cache(_CACHED)
def const32(value: int) -> bytes:
    """Return a constant of 32 bits, of which `value` may have more."""
    return b"\x41" + signed((value + (1 << 31)) % (1 << 32) - (1 << 31))


@lru_cache(_CACHED)
def const64(value: int) -> bytes:
    """Return a constant of 64 bits, of which `value` may have more."""
    return b"\x42" + signed((value + (1 << 63)) % (1 << 64) - (1 << 63))


def const128(content: bytes) -> bytes:
    """Return a constant of sixteen bytes."""
    return b"\xfd\x0c" + content


@lru_cache(_CACHED)
def get(local: int) -> bytes:
    """Return an instruction that pushes a local."""
    return b"\x20" + unsigned(local)


@lru_cache(_CACHED)
def put(local: int) -> bytes:
    """Return an instruction that pops a value into a local."""
    return b"\x21" + unsigned(local)


@lru_cache(_CACHED)
def keep(local: int) -> bytes:
    """Return an instruction that copies the value on top into a local."""
    return b"\x22" + unsigned(local)


@lru_cache(_CACHED)
def memory(name: str, offset: int) -> bytes:
    """Return a load or store some bytes after the address on the stack, which is a sum of 33 bits.

    Nothing is said of the alignment.
    """
    wide = _WIDE_MEMORY.get(name)
    return (wide or bytes([_MEMORY[name]])) + b"\x00" + unsigned(offset)


def call(function: int) -> bytes:
    """Return a call of a function by its number."""
    return b"\x10" + unsigned(function)


# Modules ----------------------------------------------------------------------------------


def vector(items: Sequence[bytes]) -> bytes:
    """Return items after their number."""
    return unsigned(len(items)) + b"".join(items)


def text(name: str) -> bytes:
    """Return a name."""
    content = name.encode()
    return unsigned(len(content)) + content


def section(number: int, content: bytes) -> bytes:
    """Return a section of a module."""
    return bytes([number]) + unsigned(len(content)) + content


def function_type(params: Iterable[Kind], results: Iterable[Kind]) -> bytes:
    """Return the type of a function."""
    return b"\x60" + b"".join(
        vector([bytes([kind]) for kind in some]) for some in (params, results)
    )


def function_body(locals_: Iterable[Kind], instructions: bytes) -> bytes:
    """Return a function's locals besides its parameters, and its instructions."""
    runs = [unsigned(len(list(run))) + bytes([kind]) for kind, run in groupby(locals_)]
    content = vector(runs) + instructions + PLAIN["end"]
    return unsigned(len(content)) + content


def custom_section(module: bytes, name: str) -> bytes | None:
    """Return the content of a module's section that has a name; None if there is none."""
    at = 8
    while at < len(module):
        number, at = module[at], at + 1
        size, at = read_unsigned(module, at)
        if number == 0:
            length, start = read_unsigned(module, at)
            if module[start : start + length] == name.encode():
                return module[start + length : at + size]
        at += size
    return None


def read_unsigned(content: bytes, at: int) -> tuple[int, int]:
    """Return the integer that begins at a place, and the place after it."""
    value = shift = 0
    while True:
        byte = content[at]
        at, value, shift = at + 1, value | (byte & 0x7F) << shift, shift + 7
        if byte < 0x80:
            return value, at


# Text -------------------------------------------------------------------------------------

_LOCALS = {"local.get": get, "local.set": put, "local.tee": keep}
_BLOCKS = {"block": 0x02, "loop": 0x03, "if": 0x04}
_KINDS = {"": NO_VALUE, "i32": bytes([I32]), "i64": bytes([I64])}
_JUMPS = {"br": b"\x0c", "br_if": b"\x0d"}


def assemble(
    lines: str, locals_: Mapping[str, int], number: Callable[[str], int] | None = None
) -> bytes:
    """Return the instructions of a text, which are separated by semicolons or ends of lines.

    Locals are written by the names in `locals_`; `number` gives that of a function by its name.
    """
    parts: list[bytes] = []
    for line in lines.replace("\n", ";").split(";"):
        name, *operands = line.split() or [""]
        first = operands[0] if operands else ""
        if name in PLAIN:
            parts.append(PLAIN[name])
        elif name in _LOCALS:
            parts.append(_LOCALS[name](locals_[first]))
        elif name in _BLOCKS:
            parts += [bytes([_BLOCKS[name]]), _KINDS[first]]
        elif name in _JUMPS:
            parts += [_JUMPS[name], unsigned(int(first))]
        elif name == "i32.const":
            parts.append(const32(int(first, 0)))
        elif name == "i64.const":
            parts.append(const64(int(first, 0)))
        elif name == "i8x16.const":
            parts.append(const128(bytes(int(byte, 0) for byte in operands)))
        elif name == "call" and number is not None:
            parts.append(call(number(first)))
        elif name == "global.get":
            parts.append(b"\x23" + unsigned(int(first)))
        elif name:
            parts.append(memory(name, int(first or "0", 0)))
    return b"".join(parts)
