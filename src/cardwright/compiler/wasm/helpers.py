"""Functions for what no instruction of WebAssembly does, in a text that `encoding` assembles.

They search masks and many bytes at once, and calculate with 128 bits. A module has those that it
calls; what is usual for some of them is written in place of the call. Sixteen bytes at a time are
searched with instructions for vectors: a card's upper bits choose a byte of the mask, its lower
three a bit of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardwright.compiler.wasm.encoding import (
    I32,
    I64,
    V128,
    assemble,
    function_body,
    function_type,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardwright.compiler.wasm.encoding import Kind

SELECT_TABLE = "bits of bytes by rank"
"""The name of the table that `nth_one` reads."""

_KINDS: Mapping[str, Kind] = {"address": I32, "word": I64, "bytes": V128}


def select_table() -> bytes:
    """Return for each rank and each byte the number of the bit of that rank."""
    table = bytearray(8 << 8)
    for byte in range(256):
        ones = [bit for bit in range(8) if byte >> bit & 1]
        for rank, bit in enumerate(ones):
            table[rank << 8 | byte] = bit
    return bytes(table)


def _bytes(*content: int) -> str:
    return f"i8x16.const {' '.join(map(str, content))}"


_BITS = _bytes(*(1 << at % 8 for at in range(16)))
_SEVENS = _bytes(*[7] * 16)
_UPPER = _bytes(*[64] * 16)

_SET = f"""
    {_BITS}; local.get at; v128.load; local.tee chunk; {_SEVENS}; v128.and; i8x16.swizzle
    local.tee tests
    local.get value; i64x2.splat; local.get chunk; i32.const 3; i8x16.shr_u; i8x16.swizzle
    v128.and; local.get tests; i8x16.eq; i8x16.bitmask; i64.extend_i32_u
"""
"""For each of the bytes at an address, which are below 64: whether its bit in `value` is set."""

_EQUAL = """
    local.get at; v128.load; local.get value; i32.wrap_i64; i8x16.splat; i8x16.eq
    i8x16.bitmask; i64.extend_i32_u
"""
"""For each of the bytes at an address: whether it is `value`."""

_WITHIN = "i64.const -1; local.get count; i64.shl; i64.const -1; i64.xor; i64.and"
"""Leave the lowest bits of a word: as many as `count` says, below 64."""


class _Helper(NamedTuple):
    """A function: its parameters, results and other locals as "name:kind", and its text."""

    params: str
    results: str
    locals: str
    text: str


# Bits -------------------------------------------------------------------------------------

_BY_STEPS = 8
"""Below this number a bit is found by clearing those before it, one after another."""

_NTH_BY_STEPS = "".join(
    f"""
    local.get mask; local.get mask; i64.const 1; i64.sub; i64.and; local.get mask
    local.get number; i64.const {step}; i64.ge_u; select; local.set mask
    """
    for step in range(1, _BY_STEPS)
)

_NTH_BY_SUMS = """
    local.get mask; local.get mask; i64.const 1; i64.shr_u
    i64.const 0x5555555555555555; i64.and; i64.sub; local.tee sums
    i64.const 0x3333333333333333; i64.and
    local.get sums; i64.const 2; i64.shr_u; i64.const 0x3333333333333333; i64.and
    i64.add; local.tee sums
    local.get sums; i64.const 4; i64.shr_u; i64.add; i64.const 0x0f0f0f0f0f0f0f0f; i64.and
    i64.const 0x0101010101010101; i64.mul; local.set sums

    local.get number; i64.const 0x0101010101010101; i64.mul
    i64.const 0x8080808080808080; i64.or; local.get sums; i64.sub
    i64.const 0x8080808080808080; i64.and; i64.popcnt; i64.const 3; i64.shl; local.tee at

    global.get 0
    local.get mask; local.get at; i64.shr_u; i64.const 255; i64.and
    local.get number
    local.get sums; i64.const 8; i64.shl; local.get at; i64.shr_u; i64.const 255; i64.and
    i64.sub; i64.const 8; i64.shl; i64.or
    i32.wrap_i64; i32.add; i64.load8_u {table}
    i64.add
"""
"""Sums of the bits in each byte and those below it; the byte is where the number is not reached
yet, which is tested for all at once (S. Vigna, Broadword implementation of rank/select queries,
2008); its bit is looked up."""

_NTH_ONE = f"""
    local.get number; i64.const {_BY_STEPS}; i64.lt_u
    if i64
      {_NTH_BY_STEPS}
      local.get mask; i64.ctz
    else
      {_NTH_BY_SUMS}
    end
"""

_BITS_BY_NUMBER = {
    "nth_one": _Helper("mask:word number:word", "word", "sums:word at:word", _NTH_ONE),
    "deposit": _Helper(
        "bits:word mask:word",
        "word",
        "found:word rest:word",
        """
    block; loop
      local.get mask; i64.eqz; br_if 1
      local.get mask; local.get mask; i64.const 1; i64.sub; i64.and; local.tee rest
      local.get mask; i64.xor
      i64.const 0; local.get bits; i64.const 1; i64.and; i64.sub; i64.and
      local.get found; i64.or; local.set found
      local.get bits; i64.const 1; i64.shr_u; local.set bits
      local.get rest; local.set mask
      br 0
    end; end
    local.get found
""",
    ),
    "wide_nth_one": _Helper(
        "low:word high:word number:word",
        "word",
        "count:word",
        """
    local.get number; local.get low; i64.popcnt; local.tee count; i64.lt_u
    if i64
      local.get low; local.get number; call nth_one
    else
      local.get high; local.get number; local.get count; i64.sub; call nth_one
      i64.const 64; i64.or
    end
""",
    ),
    "wide_nth_bit": _Helper(
        "low:word high:word number:word",
        "word word",
        "at:word bit:word",
        """
    i64.const 1; local.get low; local.get high; local.get number; call wide_nth_one; local.tee at
    i64.shl; local.tee bit; i64.const 0; local.get at; i64.const 64; i64.lt_u; select
    i64.const 0; local.get bit; local.get at; i64.const 64; i64.lt_u; select
""",
    ),
}

# Bytes ------------------------------------------------------------------------------------

_BYTE_SEARCHES = {
    "positions": _Helper(
        "cards:address count:word value:word",
        "word",
        "place:word known:word at:address chunk:bytes tests:bytes",
        f"""
    loop
      local.get cards; local.get place; i32.wrap_i64; i32.add; local.set at
      {_SET}
      local.get place; i64.shl; local.get known; i64.or; local.set known
      local.get place; i64.const 16; i64.add; local.tee place
      local.get count; i64.lt_u; br_if 0
    end
    local.get known; i64.const -1; i64.const 64; local.get count; i64.sub; i64.shr_u; i64.and
""",
    ),
    "find_byte": _Helper(
        "cards:address count:word value:word",
        "word",
        "place:word equal:word at:address",
        f"""
    loop
      local.get cards; local.get place; i32.wrap_i64; i32.add; local.set at
      {_EQUAL}
      local.tee equal; i64.eqz
      if
        local.get place; i64.const 16; i64.add; local.tee place
        local.get count; i64.lt_u; br_if 1
        local.get count; return
      end
    end
    local.get place; local.get equal; i64.ctz; i64.add; local.tee place; local.get count
    local.get place; local.get count; i64.lt_u; select
""",
    ),
    "wide_set": _Helper(
        "at:address value:word high:word",
        "word",
        "chunk:bytes tests:bytes upper:word",
        f"""
    local.get at; v128.load; {_UPPER}; i8x16.ge_u; i8x16.bitmask; i64.extend_i32_u
    local.set upper
    {_SET}
    local.get upper; i64.const -1; i64.xor; i64.and
    local.get high; i64x2.splat
    local.get chunk; i32.const 3; i8x16.shr_u; {_SEVENS}; v128.and; i8x16.swizzle
    local.get tests; v128.and; local.get tests; i8x16.eq; i8x16.bitmask; i64.extend_i32_u
    local.get upper; i64.and; i64.or
""",
    ),
    "wide_positions": _Helper(
        "cards:address count:word low:word high:word",
        "word word",
        "place:word first:word second:word found:word",
        """
    block; loop
      local.get place; local.get count; i64.ge_u; br_if 1
      local.get cards; local.get place; i32.wrap_i64; i32.add
      local.get low; local.get high; call wide_set
      i64.const -1; i64.const 16; local.get count; local.get place; i64.sub; local.tee found
      local.get found; i64.const 16; i64.gt_u; select; i64.shl
      i64.const -1; i64.xor; i64.and
      local.get place; i64.shl; local.set found
      local.get place; i64.const 64; i64.lt_u
      if
        local.get found; local.get first; i64.or; local.set first
      else
        local.get found; local.get second; i64.or; local.set second
      end
      local.get place; i64.const 16; i64.add; local.set place
      br 0
    end; end
    local.get first; local.get second
""",
    ),
}

# Arithmetic -------------------------------------------------------------------------------


def _wide_shift(less: str, more: str) -> _Helper:
    """Return a shift of two words: by less than 64 bits but not 0, and by 64 or more."""
    return _Helper(
        "low:word high:word bits:word",
        "word word",
        "",
        f"""
    local.get bits; i64.const 64; i64.and; i64.eqz
    if
      local.get bits; i64.eqz; i32.eqz
      if
        {less}
      end
    else
      {more}
    end
    local.get low; local.get high
""",
    )


def _wide_shift_right(shift: str, filling: str) -> _Helper:
    return _wide_shift(
        f"""
        local.get low; local.get bits; i64.shr_u
        local.get high; i64.const 64; local.get bits; i64.sub; i64.shl; i64.or; local.set low
        local.get high; local.get bits; {shift}; local.set high
        """,
        f"local.get high; local.get bits; {shift}; local.set low; {filling}; local.set high",
    )


_ARITHMETIC = {
    "multiply_high": _Helper(
        "left:word right:word",
        "word",
        "low:word middle:word",
        """
    local.get left; i64.const 0xffffffff; i64.and; local.set low
    local.get left; i64.const 32; i64.shr_u; local.get right; i64.const 0xffffffff; i64.and
    i64.mul
    local.get low; local.get right; i64.const 0xffffffff; i64.and; i64.mul
    i64.const 32; i64.shr_u; i64.add; local.set middle
    local.get left; i64.const 32; i64.shr_u; local.get right; i64.const 32; i64.shr_u; i64.mul
    local.get middle; i64.const 32; i64.shr_u; i64.add
    local.get middle; i64.const 0xffffffff; i64.and
    local.get low; local.get right; i64.const 32; i64.shr_u; i64.mul; i64.add
    i64.const 32; i64.shr_u; i64.add
""",
    ),
    "multiply_overflows": _Helper(
        "left:word right:word",
        "address",
        "",
        """
    local.get left; i64.const 0x40000000; i64.add
    local.get right; i64.const 0x40000000; i64.add; i64.or; i64.const 31; i64.shr_u; i64.eqz
    if i32
      i32.const 0
    else
      local.get left; local.get right; call multiply_high
      local.get left; i64.const 63; i64.shr_s; local.get right; i64.and; i64.sub
      local.get right; i64.const 63; i64.shr_s; local.get left; i64.and; i64.sub
      local.get left; local.get right; i64.mul; i64.const 63; i64.shr_s; i64.ne
    end
""",
    ),
    "wide_multiply": _Helper(
        "low:word high:word lower:word upper:word",
        "word word",
        "",
        """
    local.get low; local.get lower; i64.mul
    local.get low; local.get lower; call multiply_high
    local.get low; local.get upper; i64.mul; i64.add
    local.get high; local.get lower; i64.mul; i64.add
""",
    ),
    "wide_shl": _wide_shift(
        """
        local.get high; local.get bits; i64.shl
        local.get low; i64.const 64; local.get bits; i64.sub; i64.shr_u; i64.or; local.set high
        local.get low; local.get bits; i64.shl; local.set low
        """,
        "local.get low; local.get bits; i64.shl; local.set high; i64.const 0; local.set low",
    ),
    "wide_shr": _wide_shift_right("i64.shr_u", "i64.const 0"),
    "wide_sar": _wide_shift_right("i64.shr_s", "local.get high; i64.const 63; i64.shr_s"),
}

# What is usual ----------------------------------------------------------------------------


class UsualCase(NamedTuple):
    """What is done without a call: locals, operands first; when it is usual, and how it is done."""

    locals: str
    test: str
    text: str


_SHORT = "local.get count; i64.const 16; i64.le_u"

USUAL_CASES = {
    "positions": UsualCase(
        "at:address count:word value:word chunk:bytes tests:bytes", _SHORT, f"{_SET}; {_WITHIN}"
    ),
    # A bit at `count` is for "not found".
    "find_byte": UsualCase(
        "at:address count:word value:word",
        _SHORT,
        f"{_EQUAL}; i64.const 1; local.get count; i64.shl; i64.or; i64.ctz",
    ),
    "multiply_high": UsualCase(
        "left:word right:word",
        "local.get right; i64.const 32; i64.shr_u; i64.eqz",
        """
        local.get left; i64.const 32; i64.shr_u; local.get right; i64.mul
        local.get left; i64.const 0xffffffff; i64.and; local.get right; i64.mul
        i64.const 32; i64.shr_u; i64.add; i64.const 32; i64.shr_u
        """,
    ),
}
"""Short lists of cards are searched in place, and products with small numbers made there."""


def local_kinds(locals_: str) -> list[tuple[str, Kind]]:
    """Return the names and the types of locals that are written as "name:kind"."""
    pairs = [local.split(":") for local in locals_.split()]
    return [(name, _KINDS[kind]) for name, kind in pairs]


_HELPERS: Mapping[str, _Helper] = {**_BITS_BY_NUMBER, **_BYTE_SEARCHES, **_ARITHMETIC}


def helper(
    name: str, number: Callable[[str], int], place: Callable[[str], int]
) -> tuple[bytes, bytes]:
    """Return the type and the body of a helper function.

    `number` gives a function's number, and `place` a table's place, by name.
    """
    params, results, others, lines = _HELPERS[name]
    if name == "nth_one":
        lines = lines.format(table=place(SELECT_TABLE))
    locals_ = local_kinds(f"{params} {others}")
    kinds = [kind for _, kind in locals_]
    count = len(params.split())
    names = {local: at for at, (local, _) in enumerate(locals_)}
    return (
        function_type(kinds[:count], [_KINDS[kind] for kind in results.split()]),
        function_body(kinds[count:], assemble(lines, names, number)),
    )
