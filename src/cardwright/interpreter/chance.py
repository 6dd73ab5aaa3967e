"""Chance by hand: random draws that are asked for one by one, instead of taken from a seed.

The rules run as always, in a `ScriptedRun`: its script has the outcomes of its first draws. The
first draw that the script does not have raises DrawDueError; to go on, the rules are run again from
the same world, with one more outcome in the script.

What is drawn has the distribution of ordinary play. There, all options of a decision are built from
the same outputs of the stream, and the game goes on with those that the chosen option has not used.
So it is in `ChanceStream`, with each output a uniform real number between 0 and 1: a draw below n
is the integer part of n times the output. An output is known to lie in an interval, which every
draw from it narrows. Of a pile that was shuffled (`UndrawnCards`), a position is drawn when its
card is first looked at.
"""

from __future__ import annotations

from bisect import bisect_left
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from cardwright.interpreter.stream import Stream
from cardwright.program.cards import CardId

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, MutableSequence, Sequence
    from contextlib import AbstractContextManager
    from typing import SupportsIndex

    from cardwright.interpreter.stream import Item, Words
    from cardwright.program.cards import Location


class Draw(NamedTuple):
    """A draw that is due: what may come, numbers or cards, and the weight of each.

    A card is drawn for a position, or from several that tie. `size` is how many cards lie where the
    position is, 0 for a tie; `at` counts from the bottom, and `place` is None for a group.
    """

    items: tuple[int, ...]
    weights: tuple[int, ...]
    cards: bool = False
    place: Location | None = None
    at: int = 0
    size: int = 0


class DrawDueError(Exception):
    """The rules have come to a draw that their script does not have."""

    def __init__(self, draw: Draw) -> None:
        super().__init__(draw)
        self.draw = draw


class ScriptedRun:
    """One run of the rules, with a script of the outcomes of its draws."""

    __slots__ = ("_script", "_taken")

    def __init__(self, script: Sequence[int]) -> None:
        self._script = script
        self._taken = 0

    def take(self, draw: Draw) -> int:
        """Return the outcome of a draw, by number; raises DrawDueError where the script ends.

        What has only one outcome is not asked for.
        """
        if len(draw.items) == 1:
            return 0
        if self._taken == len(self._script):
            raise DrawDueError(draw)
        self._taken += 1
        return self._script[self._taken - 1]


_RUN: ContextVar[ScriptedRun | None] = ContextVar("run", default=None)


def current_run() -> ScriptedRun | None:
    """Return the run that is under way, if there is one."""
    return _RUN.get()


@contextmanager
def running(run: ScriptedRun | None) -> Iterator[None]:
    """Let a run answer the draws meanwhile, or none: then looking at cards draws nothing."""
    token = _RUN.set(run)
    try:
        yield
    finally:
        _RUN.reset(token)


MOST_OUTCOMES = 100_000
"""Most outcomes of one draw by hand."""


class TooManyOutcomesError(Exception):
    """A draw has more outcomes than can be taken by hand."""


class OutputInterval(NamedTuple):
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

    def part(self, count: int, number: int) -> OutputInterval:
        """Return one of these parts."""
        low = max(self.low * count, number * self.whole)
        high = min(self.high * count, (number + 1) * self.whole)
        least = gcd(low, high, self.whole * count)
        return OutputInterval(low // least, high // least, self.whole * count // least)


_ANY = OutputInterval(0, 1, 1)


class ChanceStream(Stream):
    """A stream whose outputs are drawn by hand; `known` is what they are known to be.

    The first of `words` is how many outputs were used since the last decision.
    """

    __slots__ = ("known",)

    def __init__(self) -> None:
        self.words: Words = (0, 0, 0, 0)
        self.known: tuple[OutputInterval, ...] = ()

    def copy(self) -> ChanceStream:
        """Return a stream of which as much is known."""
        stream = ChanceStream()
        stream.words, stream.known = self.words, self.known
        return stream

    @property
    def ahead(self) -> tuple[OutputInterval, ...]:
        """What is known of the outputs that come next."""
        return self.known[self.words[0] :]

    def settle(self) -> None:
        """Forget the outputs that were used, once an option has been chosen."""
        self.known = self.ahead
        self.words = (0, 0, 0, 0)

    def _draw(self, count: int, draw: Draw, meaning: Callable[[int], int]) -> int:
        """Draw a number below `count` by the next output; each number has a meaning."""
        run = current_run()
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


def scripted(stream: Stream, outcomes: Sequence[int] = ()) -> AbstractContextManager[None]:
    """Let draws from a stream by hand have these outcomes meanwhile; others draw as always."""
    by_hand = isinstance(stream, ChanceStream)
    return running(ScriptedRun(outcomes)) if by_hand else nullcontext()


def settle(stream: Stream) -> None:
    """Forget the outputs of a stream by hand that were used, once an option has been chosen."""
    if isinstance(stream, ChanceStream):
        stream.settle()


class UndrawnCards(list[CardId]):
    """The cards of a pile that was shuffled, some positions of which are still open.

    The open positions show the cards that none has got yet in order of their numbers. Looking at
    one draws its card, if a run of the rules is under way; otherwise nothing is drawn.
    """

    __slots__ = ("open", "place")

    def __init__(self, cards: Iterable[CardId], place: Location, opened: Iterable[int]) -> None:
        """Take over cards as they are shown, the positions that are open in ascending order."""
        super().__init__(cards)
        self.place = place
        self.open = list(opened)

    @classmethod
    def shuffled(cls, cards: list[CardId], place: Location) -> UndrawnCards:
        """Return the cards of a pile after a shuffle: all positions are open."""
        held = cards.shown() if isinstance(cards, UndrawnCards) else cards
        return cls(sorted(held), place, range(len(held)))

    def draw(self, at: int) -> None:
        """Draw the card of a position, if it is open and a run is under way."""
        run = current_run()
        if not self.open or run is None:
            return
        found = bisect_left(self.open, at)
        if found == len(self.open) or self.open[found] != at:
            return
        pool = [super(UndrawnCards, self).__getitem__(place) for place in self.open]
        draw = Draw(tuple(pool), (1,) * len(pool), True, self.place, at, len(self))
        super().__setitem__(at, pool.pop(run.take(draw)))
        del self.open[found]
        for one, card in zip(self.open, pool, strict=True):
            super().__setitem__(one, card)

    def shown(self) -> list[CardId]:
        """Return the cards as they are shown while no run is under way."""
        return list(super().__iter__())

    # Looking ------------------------------------------------------------------------------

    def __getitem__(self, at: Any) -> Any:
        """Return the card at a position, or a list for a slice."""
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        if -len(self) <= at < len(self):
            self.draw(at % len(self))
        return super().__getitem__(at)

    def __iter__(self) -> Iterator[CardId]:
        """Iterate over the cards; a position is drawn when its turn comes."""
        if not self.open or current_run() is None:
            return super().__iter__()
        return (self[at] for at in range(len(self)))

    def __reversed__(self) -> Iterator[CardId]:
        return (self[at] for at in reversed(range(len(self))))

    def __contains__(self, card: object) -> bool:
        return card in self.shown()

    def index(self, card: CardId, first: SupportsIndex = 0, last: SupportsIndex = 2**63) -> int:
        """Return where a card lies, for which positions are drawn from the first."""
        return list(self).index(card, first, last)

    def count(self, card: CardId) -> int:
        """Return how often a card is here."""
        return self.shown().count(card)

    def copy(self) -> list[CardId]:
        """Return an independent list in which the same positions are open."""
        if not self.open:
            return self.shown()
        return UndrawnCards(self.shown(), self.place, self.open)

    def __eq__(self, other: object) -> bool:
        return list(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __add__(self, other: Any) -> Any:
        return list(self) + other

    def __radd__(self, other: Any) -> Any:
        return other + list(self)

    def __repr__(self) -> str:
        return f"UndrawnCards({self.shown()}, {self.place}, {self.open})"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the cards as they are shown, and which positions are open."""
        return UndrawnCards, (self.shown(), self.place, self.open)

    # Changing -----------------------------------------------------------------------------

    def __setitem__(self, at: Any, card: Any) -> None:
        """Lay a card in the place of another, which has been looked at, or lay all cards anew."""
        if isinstance(at, slice):
            assert at == slice(None)
            self.open.clear()
        else:
            assert at % len(self) not in self.open
        super().__setitem__(at, card)

    def __delitem__(self, at: Any) -> None:
        """Take a card out, which has been looked at."""
        found = bisect_left(self.open, at)
        assert self.open[found : found + 1] != [at]
        self.open[found:] = [place - 1 for place in self.open[found:]]
        super().__delitem__(at)

    def insert(self, at: SupportsIndex, card: CardId) -> None:
        """Put a card at a position, below those that lie there and above."""
        at = int(at)
        found = bisect_left(self.open, at)
        self.open[found:] = [place + 1 for place in self.open[found:]]
        super().insert(at, card)

    def _never(self, *_: object, **__: object) -> NoReturn:
        """Raise AssertionError: piles do not change in this way."""
        raise AssertionError("a shuffled pile does not change in this way")

    append = extend = pop = remove = sort = reverse = clear = _never
    __iadd__ = __imul__ = __mul__ = __rmul__ = __lt__ = __le__ = __gt__ = __ge__ = _never
