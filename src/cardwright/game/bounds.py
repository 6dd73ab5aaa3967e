"""Values known only by their bounds: bags with some cards known, and points of cards.

An unknown truth value or string is None; an unknown card, player or team is `DOUBT`.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from cardwright.program.interval_arithmetic import Between

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.program.cards import CardId

Truth: TypeAlias = bool | None


class Doubt(Enum):
    """The type of DOUBT."""

    DOUBT = "doubt"


DOUBT: Final = Doubt.DOUBT
"""A card, a player or a team that is unknown."""


class Bag(NamedTuple):
    """Cards of a location: some for sure, and from `least` to `most` out of those in `maybe`.

    In an ordered bag all cards are sure, and in their order.
    """

    sure: tuple[CardId, ...]
    maybe: tuple[CardId, ...] = ()
    least: int = 0
    most: int = 0
    ordered: bool = False

    @property
    def size(self) -> Between:
        """The number of cards."""
        return Between(len(self.sure) + self.least, len(self.sure) + self.most)

    def has(self, card: CardId) -> Truth:
        """Return whether a card is in it."""
        if card in self.sure:
            return True
        return None if self.most and card in self.maybe else False


def negation(truth: Truth) -> Truth:
    """Return the opposite."""
    return None if truth is None else not truth


def either(truths: Iterable[Truth]) -> Truth:
    """Return whether one of them holds."""
    found: Truth = False
    for truth in truths:
        if truth:
            return True
        if truth is None:
            found = None
    return found


def some(bag: Bag, sure: Iterable[Truth], maybe: Iterable[Truth]) -> Truth:
    """Return whether a test holds for a card of a bag: its results for sure and other cards."""
    of_sure = either(sure)
    if of_sure or not bag.most:
        return of_sure
    results = list(maybe)
    if bag.least > sum(result is not True for result in results):
        return True
    of_maybe = False if all(result is False for result in results) else None
    return either((of_sure, of_maybe))


def kept(bag: Bag, sure: Sequence[Truth], maybe: Sequence[Truth]) -> Bag:
    """Return the cards of a bag that pass a test, by the results for its sure and other cards."""
    passed = tuple(c for c, result in zip(bag.sure, sure, strict=True) if result)
    doubtful = tuple(c for c, result in zip(bag.sure, sure, strict=True) if result is None)
    others: tuple[CardId, ...] = ()
    least = most = 0
    if bag.most:
        others = tuple(c for c, result in zip(bag.maybe, maybe, strict=True) if result is not False)
        certain = sum(result is True for result in maybe)
        least = max(0, bag.least - (len(bag.maybe) - certain))
        most = min(bag.most, len(others))
    return Bag(passed, others + doubtful, least, most + len(doubtful), bag.ordered and not doubtful)


def total(bag: Bag, worth: Sequence[int], others: Sequence[int]) -> Between:
    """Return the sum of the points of a bag's cards: those of the sure ones, and of the others."""
    points = sorted(others)
    base = sum(worth)
    low, high = points[: bag.most], points[::-1][: bag.most]
    return Between(
        base + sum(low[: bag.least]) + sum(min(p, 0) for p in low[bag.least :]),
        base + sum(high[: bag.least]) + sum(max(p, 0) for p in high[bag.least :]),
    )


def extreme(bag: Bag, worth: Sequence[int], others: Sequence[int], nothing: int) -> Between:
    """Return the highest points of a bag's cards, or `nothing` if it is empty."""
    sure = max(worth, default=None)
    possible = list(others) if bag.most else []
    if sure is None:
        possible += [] if bag.least else [nothing]
        return Between(min(possible), max(possible))
    return Between(sure, max([sure, *possible]))
