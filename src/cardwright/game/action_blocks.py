"""Blocks of actions: the numbers of all options that do one deed, and what each is made of.

Where the values that a deed can pick are not too many together, each combination is one action.
Otherwise an option is a sequence of actions: for each pick its value, or if that is a group of
cards among too many, its cards in ascending order and an end (unless all groups have the same
size). A value that is none of a column's, such as an integer without known bounds, is spelled: by a
minus, digits and an end. No sequence is the beginning of another.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from cardwright.game.action_columns import PickSort
from cardwright.game.option import Unseen

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from cardwright.game.action_columns import Column, Value
    from cardwright.game.deeds import Deed

Code: TypeAlias = tuple[int, ...]
"""The actions that make one option."""

SPELLING = ("minus", *(f"digit {digit}" for digit in range(10)), "end of the number")
"""The actions by which a value is spelled."""


@dataclass(frozen=True)
class ActionBlock:
    """The actions of a deed, numbered from `start`.

    `loose` blocks are of branches that may pick any number of times: they have an end.
    """

    deed: Deed
    columns: tuple[Column, ...]
    loose: bool
    looks: int
    cap: int
    start: int = 0

    @property
    def key(self) -> Hashable:
        """What makes blocks the same: the deed, and the sorts of what is picked."""
        sorts = tuple((column.sort, column.key) for column in self.columns)
        return self.deed.key, sorts, self.loose

    # Numbers ------------------------------------------------------------------------------

    @cached_property
    def copies(self) -> int:
        """How many options may mean the same, and have numbers of their own."""
        alike = prod(column.copies for column in self.columns)
        return alike if self.combinations * alike <= self.cap else 1

    @property
    def confusable(self) -> bool:
        """Whether more options may mean the same than there are numbers for."""
        alike = prod(column.copies for column in self.columns)
        return alike > 1 and (alike > self.copies or self.sequences)

    @cached_property
    def combinations(self) -> int:
        """How many combinations of values there are; more than the cap if groups are too many."""
        if any(column.values is None for column in self.columns):
            return self.cap + 1
        return prod(len(column.places) for column in self.columns)

    @cached_property
    def flat(self) -> int:
        """How many actions are options of their own."""
        return 0 if self.loose or self.combinations > self.cap else self.combinations * self.copies

    @cached_property
    def strides(self) -> tuple[int, ...]:
        """What one more in the place of each column's value adds to a number."""
        sizes = [len(column.places) for column in self.columns]
        return tuple(self.copies * prod(sizes[at + 1 :]) for at in range(len(sizes)))

    @cached_property
    def parts(self) -> tuple[tuple[int, int], ...]:
        """Where the actions for the values of each column begin, and those that spell one."""
        found = []
        at = self.start + self.flat
        for column in self.columns if self.sequences else ():
            spelling = at + self._symbols(column)
            found.append((at, spelling))
            at = spelling + len(SPELLING) * column.spelled
        return tuple(found)

    @property
    def sequences(self) -> bool:
        """Whether some options are sequences of actions."""
        return not self.flat or any(column.spelled for column in self.columns)

    @cached_property
    def size(self) -> int:
        """How many actions there are."""
        if not self.sequences:
            return self.flat
        spelled = sum(len(SPELLING) for column in self.columns if column.spelled)
        return self.flat + sum(map(self._symbols, self.columns)) + spelled + self.loose

    @property
    def _alone(self) -> bool:
        """Whether values that need not be spelled are options by themselves."""
        return bool(self.flat) and len(self.columns) == 1

    def _symbols(self, column: Column) -> int:
        if self._alone:
            return 0
        if column.values is not None:
            return len(column.places)
        return self.looks + (column.size is None)

    # Codes --------------------------------------------------------------------------------

    def code(self, picked: Sequence[tuple[int, Value]]) -> Code:
        """Return the actions of an option that picked these values, each of a column."""
        if self.flat:
            places = [self.columns[column].places.get(value) for column, value in picked]
            if None not in places:
                steps = zip(self.strides, places, strict=True)
                return (self.start + sum(stride * (at or 0) for stride, at in steps),)
        code: list[int] = []
        for column, value in picked:
            code += self._spelled(column, value)
        return (*code, self.start + self.size - 1) if self.loose else tuple(code)

    def _spelled(self, at: int, value: Value) -> list[int]:
        column = self.columns[at]
        first, spelling = self.parts[at]
        place = column.places.get(value)
        if place is not None:
            return [first + place]
        if column.values is None and isinstance(value, tuple):
            cards = [first + look for look in value if isinstance(look, int)]
            return cards if column.size is not None else [*cards, first + self.looks]
        number = value.ordinal if isinstance(value, Unseen) else value
        assert column.spelled
        assert isinstance(number, int)
        digits = [spelling + 1 + int(digit) for digit in str(abs(number))]
        return [spelling] * (number < 0) + digits + [spelling + len(SPELLING) - 1]

    # What they are ------------------------------------------------------------------------

    def meanings(
        self,
    ) -> Iterator[tuple[int | None, tuple[tuple[PickSort, Value | None], ...], int]]:
        """Yield for every action, in order, what it is.

        That is the column, None if it is all; sorts and values, where None is the end of what the
        column, or without one the option, has; and its number among alike ones.
        """
        for at in range(self.flat // self.copies if self.flat else 0):
            values = [
                (column.sort, list(column.places)[at * self.copies // stride % len(column.places)])
                for column, stride in zip(self.columns, self.strides, strict=True)
            ]
            for copy in range(self.copies):
                yield None, tuple(values), copy
        for number, column in enumerate(self.columns if self.sequences else ()):
            if self._alone:
                pass
            elif column.values is not None:
                yield from ((number, ((column.sort, value),), 0) for value in column.places)
            else:
                yield from ((number, ((PickSort.CARD, look),), 0) for look in range(self.looks))
                if column.size is None:
                    yield number, ((column.sort, None),), 0
            for symbol in SPELLING if column.spelled else ():
                yield number, ((PickSort.STRING, symbol),), 0
        if self.loose:
            yield None, ((PickSort.STRING, None),), 0
