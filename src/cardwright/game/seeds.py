"""Seeds: of the games of a job, and for untrusted programs.

The seeds of a job's games are made by `numpy.random.SeedSequence`: the same for any worker and
order.

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
        from numpy.random import SeedSequence

        for n in range(self.first, self.first + self.count):
            yield int(SeedSequence(self.seed, spawn_key=(n,)).generate_state(1, "uint64")[0])

    def __len__(self) -> int:
        return self.count


def game_seeds(seed: int, count: int, first: int = 0) -> GameSeeds:
    """Return the 64-bit seeds of the games of a job, starting with game `first`.

    The n-th game's seed is that of the n-th spawned child of `SeedSequence(seed)`.
    """
    return GameSeeds(seed, count, first)


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
