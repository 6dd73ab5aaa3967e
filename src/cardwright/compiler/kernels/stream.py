"""Random streams, as `cardwright.interpreter.stream` defines them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.inlining import Inline
from cardwright.compiler.intrinsics import (
    multiply_high,
    rotate_left,
    shift_right,
    unlikely,
    unsigned_less,
    unsigned_remainder,
    wrap,
)
from cardwright.compiler.kernel import kernel

if TYPE_CHECKING:
    from cardwright.compiler.intrinsics import StructView as Stream

GOLDEN = wrap(0x9E3779B97F4A7C15)
FIRST_MIX = wrap(0xBF58476D1CE4E5B9)
SECOND_MIX = wrap(0x94D049BB133111EB)


@kernel(inline=Inline.ALWAYS)
def next_bits(stream: Stream) -> int:
    """Return the next 64 random bits."""
    s0: int = stream.words[0]
    s1: int = stream.words[1]
    s2: int = stream.words[2] ^ s0
    s3: int = stream.words[3] ^ s1
    result = wrap(rotate_left(wrap(s1 * 5), 7) * 9)
    stream.words[0] = s0 ^ s3
    stream.words[1] = s1 ^ s2
    stream.words[2] = s2 ^ wrap(s1 << 17)
    stream.words[3] = rotate_left(s3, 45)
    return result


@kernel(inline=Inline.ALWAYS)
def below(stream: Stream, bound: int) -> int:
    """Return a uniform integer from 0 to bound - 1; bound is from 1."""
    bits = next_bits(stream)
    # The threshold is below the bound, so that a larger low half needs no division.
    if unlikely(unsigned_less(wrap(bits * bound), bound)):
        bits = redrawn(stream, bound, bits)
    return multiply_high(bits, bound)


@kernel(inline=Inline.NEVER)
def redrawn(stream: Stream, bound: int, bits: int) -> int:
    """Return random bits, or others if these would favour some of the integers below a bound."""
    threshold = unsigned_remainder(wrap(-bound), bound)
    while unsigned_less(wrap(bits * bound), threshold):
        bits = next_bits(stream)
    return bits


@kernel
def seed_stream(stream: Stream, seed: int) -> None:
    """Set a stream to its beginning for a seed: the first four outputs of splitmix64."""
    for i in range(4):
        seed = wrap(seed + GOLDEN)
        mixed = wrap((seed ^ shift_right(seed, 30)) * FIRST_MIX)
        mixed = wrap((mixed ^ shift_right(mixed, 27)) * SECOND_MIX)
        stream.words[i] = mixed ^ shift_right(mixed, 31)


@kernel
def seat_seed(seed: int, seat: int) -> int:
    """Return the seed of the stream of a seat's player in a game."""
    return seed ^ wrap((seat + 1) * GOLDEN)
