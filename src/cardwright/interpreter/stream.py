"""Random streams: xoshiro256** 1.0 seeded by splitmix64, and the draws made from it.

The generators are those of Blackman and Vigna, "Scrambled linear pseudorandom number generators"
(2021); the draws are defined by Cardwright, so that a seed replays a game anywhere.
"""

from __future__ import annotations

import operator
import reprlib
from typing import TYPE_CHECKING, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence
    from typing import SupportsIndex

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15

Words: TypeAlias = tuple[int, int, int, int]
Item = TypeVar("Item")


def checked(value: SupportsIndex, what: str, least: int = 0, most: int = _MASK) -> int:
    """Return a number as a Python integer; NumPy's integers are converted.

    NumPy's wrap around where Python's grow. A truth value counts as 0 or 1. Raises TypeError for a
    value that is not an integer, and ValueError for one out of range.
    """
    if type(value) is int and least <= value <= most:
        return value
    problem: type[Exception] = ValueError
    try:
        number = operator.index(value)
        if least <= number <= most:
            return number
    except TypeError:
        problem = TypeError
    largest = "2^64" if most > _MASK else "2^64 - 1"
    raise problem(f"{what} is an integer from {least} to {largest}, not {reprlib.repr(value)}")


class Stream:
    """A random stream; `words` is its whole state, four integers of 64 bits.

    Seeds, words and numbers may be any kind of integer, NumPy's included.
    """

    __slots__ = ("words",)

    def __init__(self, seed: SupportsIndex) -> None:
        self.words: Words = _expand(checked(seed, "a seed"))

    @classmethod
    def at(cls, words: Words) -> Stream:
        """Return a stream in a given state."""
        first, second, third, fourth = (checked(word, "a word of a stream") for word in words)
        return cls._at((first, second, third, fourth))

    @classmethod
    def _at(cls, words: Words) -> Stream:
        stream = cls.__new__(cls)
        stream.words = words
        return stream

    @classmethod
    def of_seat(cls, seed: SupportsIndex, seat: SupportsIndex) -> Stream:
        """Return the stream from which the player of a seat (from 0) draws in a game."""
        number = checked(seat, "the number of a seat") + 1
        return cls(checked(seed, "a seed") ^ (number * _GOLDEN & _MASK))

    @classmethod
    def of_decision(
        cls, seed: SupportsIndex, seat: SupportsIndex, ordinal: SupportsIndex
    ) -> Stream:
        """Return a stream for one decision of a seat, its `ordinal`-th in the game (from 0).

        Its draws depend on nothing else: they do not shift with what others do, or what the seat
        itself did before. The derivation is that of `of_seat`, applied twice: for the decision, to
        the first draw of the seat's own stream.
        """
        own = cls.of_seat(seed, seat).next()
        return cls(own ^ ((checked(ordinal, "the number of a decision") + 1) * _GOLDEN & _MASK))

    def __repr__(self) -> str:
        return f"Stream.at({self.words})"

    def copy(self) -> Stream:
        """Return a stream that gives the same draws."""
        return Stream._at(self.words)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the words, which are checked when they are read."""
        return type(self).at, (self.words,)

    def next(self) -> int:
        """Return the next 64 random bits."""
        s0, s1, s2, s3 = self.words
        product = s1 * 5 & _MASK
        result = ((product << 7 | product >> 57) & _MASK) * 9 & _MASK
        shifted = s1 << 17 & _MASK
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        self.words = (s0, s1, s2, (s3 << 45 | s3 >> 19) & _MASK)
        return result

    def below(self, bound: SupportsIndex) -> int:
        """Return a uniform integer from 0 to bound - 1; bound is from 1 to 2^64."""
        return self._below(checked(bound, "a bound", 1, _MASK + 1))

    def _below(self, bound: int) -> int:
        threshold = -bound % (1 << 64) % bound
        while True:
            product = self.next() * bound
            if product & _MASK >= threshold:
                return product >> 64

    def between(self, low: int, high: int) -> int:
        """Return a uniform integer of a range that includes both ends."""
        return low + self.below(high - low + 1)

    def one_of(self, cards: Sequence[Item]) -> Item:
        """Return one of several cards."""
        return cards[self._below(len(cards))]

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Permute a list uniformly (Fisher-Yates from the last element down)."""
        for i in range(len(items) - 1, 0, -1):
            j = self._below(i + 1)
            items[i], items[j] = items[j], items[i]


def _expand(seed: int) -> Words:
    """Return the first four outputs of splitmix64."""
    words = []
    for _ in range(4):
        seed = seed + _GOLDEN & _MASK
        mixed = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _MASK
        words.append(mixed ^ mixed >> 31)
    return words[0], words[1], words[2], words[3]
