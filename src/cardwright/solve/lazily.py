"""Sequences whose items are made when they are first looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, overload

Item = TypeVar("Item")


class MadeWhenSeen(Sequence[Item]):
    """A sequence of a known length; `make` gives the item at a place, and is asked once for each.

    It equals a tuple of its items, and is pickled as one.
    """

    def __init__(self, length: int, make: Callable[[int], Item]) -> None:
        self._length = length
        self._make = make
        self._made: dict[int, Item] = {}

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Item, ...]: ...

    def __getitem__(self, at: int | slice) -> Item | tuple[Item, ...]:
        """Return an item, or several."""
        if isinstance(at, slice):
            return tuple(self[one] for one in range(self._length)[at])
        place = range(self._length)[at]
        if place not in self._made:
            self._made[place] = self._make(place)
        return self._made[place]

    def __eq__(self, other: object) -> bool:
        """Compare all items with those of a sequence of this kind or a tuple."""
        return tuple(self) == tuple(other) if isinstance(other, MadeWhenSeen | tuple) else False

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"<{self._length:,} items, {len(self._made):,} of them made>"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle all items."""
        return tuple, (tuple(self),)
