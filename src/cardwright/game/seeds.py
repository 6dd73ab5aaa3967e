"""Seeds: of the games of a job, and for untrusted programs.

The seeds of a job's games are those that `numpy.random.SeedSequence` makes: the same for any worker
and order. `cardwright.compiler.kernels.stream` makes them in machine code, and names the algorithm.

The streams of the language are derived from a game's seed by bijections: fast, and the same in
machine code, but one draw is enough to compute the seed, and so all cards. So whatever is given to
untrusted programs is made from a stream or a seed by a keyed one-way function (BLAKE2b, RFC 7693).
Each purpose has results of its own.
"""

from __future__ import annotations

import operator
import reprlib
import struct
from array import array
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from cardwright.interpreter.stream import Stream, checked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final, SupportsIndex

JOB_BITS, GAME_BITS = 128, 64
"""Bits of a drawn seed: more than can be tried, or as many as a game's seed has."""


def drawn_seed(bits: int = JOB_BITS) -> int:
    """Return a seed of a number of bits, drawn by the operating system, for a job without one."""
    import secrets

    return secrets.randbits(bits)


def natural(value: SupportsIndex) -> int | None:
    """Return a number as a Python integer; None for anything but an integer from 0."""
    try:
        number = operator.index(value)
    except TypeError:
        return None
    return number if number >= 0 else None


def game_seed(value: SupportsIndex) -> int:
    """Return the seed of a game as a Python integer; raises TypeError or ValueError."""
    return checked(value, "a game's seed")


def seed_array(seeds: Iterable[SupportsIndex]) -> array[int]:
    """Return the seeds of games as words of 64 bits; raises TypeError or ValueError."""
    try:
        return array("Q", iter(seeds))  # type: ignore[arg-type] # whatever has an index will do
    except OverflowError:
        raise ValueError("a game's seed is an integer from 0 to 2^64 - 1") from None
    except TypeError as error:
        raise TypeError(
            f"seeds are integers from 0 to 2^64 - 1, one for each game: {error}"
        ) from None


@dataclass(frozen=True, slots=True)
class GameSeeds:
    """The 64-bit seeds of `count` games of a job, starting with game `first`, made on demand."""

    seed: int
    count: int
    first: int = 0

    def __post_init__(self) -> None:
        for name in ("seed", "count", "first"):
            given = getattr(self, name)
            number = natural(given)
            if number is None:
                raise ValueError(
                    "a job's seed and the numbers of its games are integers from 0, not "
                    f"{reprlib.repr(given)}"
                )
            object.__setattr__(self, name, number)  # NumPy's integers become Python's own

    def __iter__(self) -> Iterator[int]:
        first, second, state = _mixed_seed(self.seed)
        for n in range(self.first, self.first + self.count):
            yield _child_seed(first, second, state, n)

    def __len__(self) -> int:
        return self.count


def game_seeds(seed: int, count: int, first: int = 0) -> GameSeeds:
    """Return the 64-bit seeds of the games of a job, starting with game `first`.

    The n-th game's seed is that of the n-th spawned child of `SeedSequence(seed)`.
    """
    return GameSeeds(seed, count, first)


_WORD = 2**32 - 1
_INIT_A, _MULT_A = 0x43B0D7E5, 0x931E8875
_INIT_B, _MULT_B = 0x8B51F9DD, 0x58F38DED
_POOL = 4


def _hashed(word: int, state: int, factor: int = _MULT_A) -> int:
    mixed = (word ^ state) * (state * factor & _WORD) & _WORD
    return mixed ^ mixed >> 16


def _mixed(left: int, right: int) -> int:
    mixed = 0xCA01F9DD * left - 0x4973F715 * right & _WORD
    return mixed ^ mixed >> 16


def _mixed_seed(seed: int) -> tuple[int, int, int]:
    """Return the half of a job's pool that matters to its games, and the state of the hash."""
    words = [seed >> 32 * at & _WORD for at in range(max(_POOL, -(-seed.bit_length() // 32)))]
    state = _INIT_A
    pool = []
    for word in words[:_POOL]:
        pool.append(_hashed(word, state))
        state = state * _MULT_A & _WORD
    for source in range(len(words)):
        for target in range(_POOL):
            if source != target:
                word = pool[source] if source < _POOL else words[source]
                pool[target] = _mixed(pool[target], _hashed(word, state))
                state = state * _MULT_A & _WORD
    return pool[0], pool[1], state


def _child_seed(first: int, second: int, state: int, number: int) -> int:
    """Return the seed of a game from what is known of its job."""
    while True:
        word = number & _WORD
        first = _mixed(first, _hashed(word, state))
        second = _mixed(second, _hashed(word, state * _MULT_A & _WORD))
        state = state * _MULT_A**_POOL & _WORD
        number >>= 32
        if not number:
            break
    high = _hashed(second, _INIT_B * _MULT_B & _WORD, _MULT_B)
    return high << 32 | _hashed(first, _INIT_B, _MULT_B)


# For untrusted programs -------------------------------------------------------------------

TOKEN_BYTES: Final = 32

_WORDS = struct.Struct("<4Q")


def derived(key: bytes, purpose: str, number: int = 0, *, size: int = TOKEN_BYTES) -> bytes:
    """Return a number of bytes, at most 64, derived from a key, a purpose and a number.

    The key has at most 64 bytes, the purpose at most 16 letters. The result reveals nothing about
    the key, or about the results for other purposes and numbers.
    """
    return blake2b(
        number.to_bytes(8, "little"), digest_size=size, key=key, person=purpose.encode("ascii")
    ).digest()


def token(stream: Stream, purpose: str) -> bytes:
    """Return bytes made from the state of a stream, which then advances by a draw.

    So the next token from the same stream is a different one.
    """
    made = derived(_WORDS.pack(*stream.words), purpose)
    stream.next()
    return made


def stream_apart(stream: Stream, purpose: str) -> Stream:
    """Return a stream made from the state of another, which then advances by a draw."""
    return Stream.at(_WORDS.unpack(token(stream, purpose)))
