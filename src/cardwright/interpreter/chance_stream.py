"""The random stream of a game whose chance is taken by hand.

In ordinary play all options of a decision are built from the same outputs of the stream, and the
game goes on with those that the chosen option has not used. So it is here, with each output a
uniform real number between 0 and 1: a draw below n is the integer part of n times the output. An
output is known to lie in an interval, which every draw from it narrows.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, NamedTuple

from cardwright.interpreter.chance import Draw, current
from cardwright.interpreter.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, MutableSequence, Sequence
    from typing import SupportsIndex

    from cardwright.interpreter.stream import Item, Words

MOST_OUTCOMES = 100_000
"""Most outcomes of one draw by hand."""


class TooManyOutcomesError(Exception):
    """A draw has more outcomes than can be taken by hand."""


class Interval(NamedTuple):
    """The real numbers from `low / whole` on that are less than `high / whole`."""

    low: int
    high: int
    whole: int

    def parts(self, count: int) -> tuple[range, tuple[int, ...]]:
        """Cut the interval where the number times `count` is whole.

        Return the integer parts of these products, and the weight of each.
        """
        low, high = self.low * count, self.high * count
        first, last = low // self.whole, (high - 1) // self.whole
        if last - first >= MOST_OUTCOMES:
            raise TooManyOutcomesError(
                f"a draw with {last - first + 1:,} outcomes cannot be taken by hand:"
                f" {MOST_OUTCOMES:,} are the most"
            )
        cuts = [low, *(number * self.whole for number in range(first + 1, last + 1)), high]
        weights = [cuts[at + 1] - cuts[at] for at in range(len(cuts) - 1)]
        least = gcd(*weights)
        return range(first, last + 1), tuple(weight // least for weight in weights)

    def part(self, count: int, number: int) -> Interval:
        """Return one of these parts."""
        low = max(self.low * count, number * self.whole)
        high = min(self.high * count, (number + 1) * self.whole)
        least = gcd(low, high, self.whole * count)
        return Interval(low // least, high // least, self.whole * count // least)


_ANY = Interval(0, 1, 1)


class ChanceStream(Stream):
    """A stream whose outputs are drawn by hand; `known` is what they are known to be.

    The first of `words` is how many outputs were used since the last decision.
    """

    __slots__ = ("known",)

    def __init__(self) -> None:
        self.words: Words = (0, 0, 0, 0)
        self.known: tuple[Interval, ...] = ()

    def copy(self) -> ChanceStream:
        """Return a stream of which as much is known."""
        stream = ChanceStream()
        stream.words, stream.known = self.words, self.known
        return stream

    @property
    def ahead(self) -> tuple[Interval, ...]:
        """What is known of the outputs that come next."""
        return self.known[self.words[0] :]

    def settle(self) -> None:
        """Forget the outputs that were used, once an option has been chosen."""
        self.known = self.ahead
        self.words = (0, 0, 0, 0)

    def _draw(self, count: int, draw: Draw, meaning: Callable[[int], int]) -> int:
        """Draw a number below `count` by the next output; each number has a meaning."""
        run = current()
        assert run is not None, "a draw outside a run"
        at = self.words[0]
        output = self.known[at] if at < len(self.known) else _ANY
        numbers, weights = output.parts(count)
        items = tuple(map(meaning, numbers))
        number = numbers[run.take(draw._replace(items=items, weights=weights))]
        self.known = (*self.known[:at], output.part(count, number), *self.known[at + 1 :])
        self.words = (at + 1, 0, 0, 0)
        return number

    def next(self) -> int:
        """Raise AssertionError: only draws are made by hand, not bits."""
        raise AssertionError("a stream by hand has no bits")

    def below(self, bound: SupportsIndex) -> int:
        """Draw an integer from 0 to bound - 1."""
        return self.between(0, int(bound) - 1)

    def between(self, low: int, high: int) -> int:
        """Draw an integer of a range that includes both ends."""
        return low + self._draw(high - low + 1, Draw((), ()), lambda number: low + number)

    def one_of(self, cards: Sequence[Item]) -> Item:
        """Draw one of several cards that tie."""
        numbers: Sequence[int] = cards  # type: ignore[assignment]
        return cards[self._draw(len(cards), Draw((), (), cards=True), numbers.__getitem__)]

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Permute a list of cards, drawing every position, the last one first."""
        for i in range(len(items) - 1, 0, -1):
            numbers: MutableSequence[int] = items  # type: ignore[assignment]
            draw = Draw((), (), cards=True, at=i, size=len(items))
            j = self._draw(i + 1, draw, numbers.__getitem__)
            items[i], items[j] = items[j], items[i]
