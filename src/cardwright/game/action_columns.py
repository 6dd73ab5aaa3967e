"""What the `any`s of a branch can pick, as values that mean the same in every state.

A card is meant by its look: the number of its attributes among those of the game's cards, in order
of creation. A group of cards is the ascending looks of its cards, and a part of a partition is the
value that its cards share. What the chooser does not see is only an ordinal in its collection.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from math import comb, prod
from typing import TYPE_CHECKING, TypeAlias

from cardwright.game.group_values import group_values
from cardwright.game.option import Unseen
from cardwright.game.pick_facts import PickFacts
from cardwright.program import nodes as n
from cardwright.program.cards import CardId, Location
from cardwright.program.kinds import ITEM_KINDS, ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.interpreter.effects import Pick
    from cardwright.program.program import Program

Value: TypeAlias = int | str | tuple[int, ...] | Location | Unseen

FEW = 32
"""How many values of an integer without known bounds are numbered; others are spelled."""


class PickSort(Enum):
    """Sorts of picks."""

    CARD = "card"
    GROUP = "group"
    PART = "part"
    PLAYER = "player"
    TEAM = "team"
    STRING = "string"
    INTEGER = "integer"
    PLACE = "place"


_PLAIN = {
    ValueKind.CARD: PickSort.CARD,
    ValueKind.PLAYER: PickSort.PLAYER,
    ValueKind.TEAM: PickSort.TEAM,
    ValueKind.STRING: PickSort.STRING,
    ValueKind.INTEGER: PickSort.INTEGER,
}


@dataclass(frozen=True)
class Column:
    """What one pick can be.

    `values` are what it can be, in order; None if they are groups of cards, too many to list.
    `spelled` says that it may be something else as well, which is written as a number. `size` is
    how many cards each group has, if all have the same. `copies` is the most picks of one value; of
    groups too many to list it only says whether there may be several. `veiled` says that its
    chooser may not see the cards.
    """

    sort: PickSort
    key: str
    variable: str
    values: tuple[Value, ...] | None
    spelled: bool = False
    size: int | None = None
    copies: int = 1
    veiled: bool = False

    @cached_property
    def places(self) -> dict[Value, int]:
        """The place of each value."""
        return {value: at for at, value in enumerate(self.values or ())}

    def joined(self, other: Column, cap: int) -> Column:
        """Return a column for the picks of both, which are of one sort."""
        values = None
        if self.values is not None and other.values is not None:
            together = dict.fromkeys(self.values + other.values)
            values = tuple(_in_order(self.sort, together))
            if self.sort is PickSort.GROUP and len(values) > cap:
                values = None
        return replace(
            self,
            values=values,
            spelled=self.spelled or other.spelled,
            size=self.size if self.size == other.size else None,
            copies=max(self.copies, other.copies),
            veiled=self.veiled or other.veiled,
        )


def _in_order(sort: PickSort, values: dict[Value, None]) -> list[Value]:
    found = list(values)
    if sort is PickSort.INTEGER:
        return sorted(found, key=_as_integer)
    return sorted(found, key=_as_group) if sort is PickSort.GROUP else found


def _as_integer(value: Value) -> int:
    assert isinstance(value, int)
    return value


def _as_group(value: Value) -> tuple[int, tuple[int, ...]]:
    assert isinstance(value, tuple)
    return len(value), value  # type: ignore[return-value] # no location is in a group's column


class Picking:
    """What the `any`s of one program can pick."""

    def __init__(self, program: Program, cap: int) -> None:
        self.program = program
        self.cap = cap
        self.facts = PickFacts(program)
        looks: dict[tuple[tuple[str, str], ...], int] = {}
        self.looks = [
            looks.setdefault(tuple(card.attributes.items()), len(looks)) for card in program.cards
        ]
        self.examples = [self.looks.index(look) for look in range(len(looks))]
        self.alike = Counter(self.looks)

    @cached_property
    def most_alike(self) -> int:
        """How many cards there are of the most frequent look."""
        return max(self.alike.values(), default=1)

    # Columns ------------------------------------------------------------------------------

    def column(self, form: n.ForEach, *, first: bool) -> Column:
        """Return what an `any` can pick; `first` says that nothing is done before it."""
        veiled = not (first and self.facts.seen(form.collection))
        kind = ITEM_KINDS[form.collection.kind]
        name = form.variable.name
        if kind in _PLAIN:
            return self._plain(_PLAIN[kind], form, name, veiled=veiled)
        if self.facts.values.real_members(form.collection):
            return Column(
                PickSort.PLACE, "", name, tuple(self.facts.places.locations), spelled=True
            )
        found = self.facts.base(form.collection)
        if isinstance(found, n.Partition) and isinstance(found.key, n.Text):
            key = found.key.value
            parts = dict.fromkeys(card.attributes.get(key, "") for card in self.program.cards)
            return Column(PickSort.PART, key, name, tuple(parts), spelled=veiled, veiled=veiled)
        return self._groups(found, name, veiled=veiled)

    def _plain(self, sort: PickSort, form: n.ForEach, name: str, *, veiled: bool) -> Column:
        if sort is PickSort.CARD:
            unseen = [Unseen(at) for at in range(len(self.looks) * veiled)]
            values = (*range(len(self.examples)), *unseen)
            return Column(sort, "", name, values, copies=self.most_alike, veiled=veiled)
        if sort is PickSort.PLAYER:
            return Column(sort, "", name, tuple(range(self.program.players)))
        if sort is PickSort.TEAM:
            return Column(sort, "", name, tuple(range(len(self.program.teams))))
        if sort is PickSort.STRING:
            found = self.facts.base(form.collection)
            assert isinstance(found, n.Strings)
            return Column(sort, "", name, tuple(dict.fromkeys(found.values)))
        low, high = self.facts.values.item_bounds(form)
        if high - low < self.cap:
            return Column(sort, "", name, tuple(range(low, high + 1)))
        low = max(low, 0)
        return Column(sort, "", name, tuple(range(low, min(high, low + FEW - 1) + 1)), spelled=True)

    def _groups(self, found: n.Node, name: str, *, veiled: bool) -> Column:
        pools = [list(pool) for pool in self._pools(found)]
        values = group_values(self, found, pools)
        copies = self.most_alike if values is None else max(map(self._ways, values), default=1)
        size = None
        if (
            isinstance(found, n.Subsets)
            and isinstance(found.size, n.Number)
            and found.operator == "=="
        ):
            size = found.size.value
        return Column(PickSort.GROUP, "", name, values, veiled, size, copies, veiled)

    def _ways(self, group: tuple[int, ...]) -> int:
        """Return how many groups of cards have these looks."""
        return prod(comb(self.alike[look], count) for look, count in Counter(group).items())

    def _pools(self, found: n.Node) -> Sequence[Sequence[int]]:
        """Return the cards among which a group lies, as looks: one list for each possible part."""
        over = self.facts.base(getattr(found, "location", found))
        if isinstance(over, n.Variable):
            part = self.facts.base(
                getattr(self.facts.values.binders[over.slot], "collection", over)
            )
            if isinstance(part, n.Partition) and isinstance(part.key, n.Text):
                pools: dict[str, list[int]] = {}
                for look, card in zip(self.looks, self.program.cards, strict=True):
                    pools.setdefault(card.attributes.get(part.key.value, ""), []).append(look)
                return list(pools.values())
        return [self.looks]

    # Values -------------------------------------------------------------------------------

    def value(self, column: Column, pick: Pick, sees: Callable[[CardId], bool]) -> Value:
        """Return what a pick means; `sees` says whether its chooser sees a card."""
        item = pick.item
        match column.sort:
            case PickSort.CARD:
                assert isinstance(item, int)
                if column.veiled and not sees(CardId(item)):
                    return Unseen(pick.ordinal)
                return self.looks[item]
            case PickSort.GROUP | PickSort.PART:
                assert isinstance(item, tuple)
                cards = [CardId(card) for card in item if isinstance(card, int)]
                if column.veiled and not all(map(sees, cards)):
                    return Unseen(pick.ordinal)
                if column.sort is PickSort.PART:
                    return self.program.cards[cards[0]].attributes.get(column.key, "")
                return tuple(sorted(self.looks[card] for card in cards))
            case PickSort.PLACE if item not in column.places:
                return Unseen(pick.ordinal)
        return item
