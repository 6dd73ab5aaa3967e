"""Functions that kernels may call besides each other, defined here as plain Python.

Integers are signed and have 64 bits; each function here takes and returns such integers.
Python's own operators do not wrap, so a kernel puts `wrap` around arithmetic that may leave the 64
bits. Natively `wrap` costs nothing, and the functions are instructions.
"""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from struct import pack, unpack
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

Bytes: TypeAlias = bytearray | memoryview

_MASK = 2**64 - 1
_SIGN = 2**63


@dataclass(frozen=True, slots=True, eq=False)
class Pointer:
    """An address: a place in a block of bytes.

    It can be used as an array of words, signed integers of 8 bytes: `pointer[i]` is the i-th of
    them, and `pointer + i` its address.
    """

    buffer: Bytes
    at: int

    def __getitem__(self, index: int) -> int:
        return load(self + index, 8)

    def __setitem__(self, index: int, value: int) -> None:
        store(self + index, value, 8)

    def __add__(self, words: int) -> Pointer:
        return Pointer(self.buffer, self.at + 8 * words)

    def __eq__(self, other: object) -> bool:
        """Whether both are the same place in the same block."""
        return isinstance(other, Pointer) and self.buffer is other.buffer and self.at == other.at

    def __hash__(self) -> int:
        return hash((id(self.buffer), self.at))


Address: TypeAlias = Any
"""A pointer, or a struct, which tests have as plain Python."""


# Memory -----------------------------------------------------------------------------------


def pointer_to(value: Address) -> Pointer:
    """The address of a struct."""
    return value if isinstance(value, Pointer) else value._pointer


def like(struct: Any, address: Address) -> Any:
    """The struct of the same type at an address."""
    return struct._like(pointer_to(address))


def offset(address: Address, bytes: int) -> Pointer:  # noqa: A002 - the IR's word
    """The address some bytes later."""
    start = pointer_to(address)
    return Pointer(start.buffer, start.at + bytes)


def _stretch(address: Address, count: int) -> tuple[Bytes, slice]:
    """The block and the slice of it that begins at an address; Python would truncate a long one."""
    start = pointer_to(address)
    if not 0 <= start.at <= start.at + count <= len(start.buffer):
        msg = f"bytes {start.at} to {start.at + count} of a block of {len(start.buffer)}"
        raise IndexError(msg)
    return start.buffer, slice(start.at, start.at + count)


def load(address: Address, width: int) -> int:
    """The integer of some bytes at an address: from 0, or if it has 8 bytes, signed."""
    buffer, part = _stretch(address, width)
    return int.from_bytes(buffer[part], "little", signed=width == 8)


def load_signed(address: Address, width: int) -> int:
    """The signed integer of some bytes at an address."""
    buffer, part = _stretch(address, width)
    return int.from_bytes(buffer[part], "little", signed=True)


def store(address: Address, value: int, width: int) -> None:
    """Put the lowest bytes of an integer at an address."""
    buffer, part = _stretch(address, width)
    buffer[part] = (value & ((1 << 8 * width) - 1)).to_bytes(width, "little")


def copy(target: Address, source: Address, bytes: int) -> None:  # noqa: A002 - the IR's word
    """Copy bytes from one address to another; the two stretches may overlap."""
    buffer, part = _stretch(source, bytes)
    # A slice of a bytearray is a copy; one of a memoryview is not.
    taken = bytearray(buffer[part])
    buffer, part = _stretch(target, bytes)
    buffer[part] = taken


def clear(target: Address, bytes: int) -> None:  # noqa: A002 - the IR's word
    """Fill bytes with zeros."""
    buffer, part = _stretch(target, bytes)
    buffer[part] = bytearray(bytes)


# Integers ---------------------------------------------------------------------------------


def wrap(value: int) -> int:
    """An integer truncated to 64 bits, as a signed one."""
    return ((value + _SIGN) & _MASK) - _SIGN


def shift_right(value: int, bits: int) -> int:
    """An integer shifted right by less than 64 bits, filling with zeros whatever its sign."""
    return wrap((value & _MASK) >> bits)


def shift_right_signed(value: int, bits: int) -> int:
    """An integer shifted right by less than 64 bits, filling with its sign."""
    return value >> bits


def divide(left: int, right: int) -> int:
    """Division towards zero; the divisor is not 0 and the result fits."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def remainder(left: int, right: int) -> int:
    """The remainder of division towards zero."""
    return left - right * divide(left, right)


def unsigned_divide(left: int, right: int) -> int:
    """Division of the integers as unsigned."""
    return wrap((left & _MASK) // (right & _MASK))


def unsigned_remainder(left: int, right: int) -> int:
    """The remainder of the integers as unsigned."""
    return wrap((left & _MASK) % (right & _MASK))


def unsigned_less(left: int, right: int) -> bool:
    """Whether an integer is less than another, both as unsigned."""
    return left & _MASK < right & _MASK


# The operations of `ir.INTRINSICS` --------------------------------------------------------


def _bits(value: int) -> int:
    """The bits of an integer as a number from 0: a wide mask is one already."""
    return value & _MASK if value < 0 else value


def count_ones(value: int) -> int:
    """How many bits of an integer are set."""
    return _bits(value).bit_count()


def ones(value: int) -> Iterator[int]:
    """The numbers of the set bits of an integer, from the lowest; only for loops."""
    left = _bits(value)
    while left:
        yield lowest_one(left)
        left &= left - 1


def lowest_one(value: int) -> int:
    """The number of the lowest set bit, from 0, of an integer that is not 0."""
    return (value & -value).bit_length() - 1


def highest_one(value: int) -> int:
    """The number of the highest set bit, from 0, of an integer that is not 0."""
    return _bits(value).bit_length() - 1


def multiply_high(left: int, right: int) -> int:
    """The upper half of the product of the integers as unsigned."""
    return wrap((left & _MASK) * (right & _MASK) >> 64)


def rotate_left(value: int, bits: int) -> int:
    """An integer rotated left by less than 64 bits."""
    value &= _MASK
    return wrap(value << bits | value >> (64 - bits))


def add_overflows(left: int, right: int) -> bool:
    """Whether a sum needs more than 64 bits."""
    return left + right != wrap(left + right)


def subtract_overflows(left: int, right: int) -> bool:
    """Whether a difference needs more than 64 bits."""
    return left - right != wrap(left - right)


def multiply_overflows(left: int, right: int) -> bool:
    """Whether a product needs more than 64 bits."""
    return left * right != wrap(left * right)


def positions(cards: Address, count: int, mask: int) -> int:
    """The positions, as a bit mask, of those of the first bytes whose bit in `mask` is set."""
    buffer, part = _stretch(cards, count)
    return wrap(sum(1 << i for i, card in enumerate(buffer[part]) if mask >> card & 1))


def find_byte(bytes: Address, count: int, value: int) -> int:  # noqa: A002 - the IR's word
    """The first position of a byte among the first `count`, or `count`."""
    buffer, part = _stretch(bytes, count)
    for i, byte in enumerate(buffer[part]):
        if byte == value:
            return i
    return count


def nth_one(mask: int, number: int) -> int:
    """The number of the n-th set bit of a mask, counted from 0 at the lowest."""
    for _ in range(number):
        mask &= mask - 1
    return lowest_one(mask)


def nth_bit(mask: int, number: int) -> int:
    """The n-th set bit of a mask, counted from 0 at the lowest, alone."""
    bit = 1 << nth_one(mask, number)
    return wrap(bit) if mask < 0 else bit


def deposit(bits: int, mask: int) -> int:
    """The set bits of a mask whose positions among them are those of the set bits of `bits`."""
    return wrap(sum(1 << bit for at, bit in enumerate(ones(mask)) if bits >> at & 1))


def square_root(value: int) -> int:
    """The integer part of the root of an integer from 0 and below 2^50."""
    return math.isqrt(value)


def ratio_bits(value: int, divisor: int) -> int:
    """The bits of a ratio as a floating-point number of 32 bits; the divisor is not 0."""
    bits: int = unpack("<I", pack("<f", float(value) / float(divisor)))[0]
    return bits


def unlikely(value: bool) -> bool:
    """A truth value that is rarely true."""
    return value


def ask(address: int) -> int:
    """The result of calling the function at an address."""
    answer: int = ctypes.CFUNCTYPE(ctypes.c_int64)(address)()
    return answer
