"""What the `any`s of a branch can pick, as values that mean the same in every state.

A card is meant by its look: the number of its attributes among those of the game's cards, in order
of creation. A group of cards is the ascending looks of its cards, and a part of a partition is the
value that its cards share. What the chooser does not see is only an ordinal in its collection.

What is known before the game is conservative: what is not surely so counts as not so, and more
groups may be listed than the game ever has, but none is missing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, product
from math import comb, prod
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cardwright.game.option import Unseen
from cardwright.interpreter.world import PointMap
from cardwright.program import nodes as n
from cardwright.program.cards import CardId, Location, LocationKind
from cardwright.program.chains import chain
from cardwright.program.effects import EffectAnalysis
from cardwright.program.exclusive import excludes, exclusive
from cardwright.program.integers import PASSES
from cardwright.program.kinds import ITEM_KINDS, ValueKind
from cardwright.program.places import places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cardwright.interpreter.effects import Pick
    from cardwright.program.places import Places
    from cardwright.program.program import Program

Group: TypeAlias = tuple[int, ...]
Value: TypeAlias = int | str | Group | Location | Unseen

FEW = 32
"""How many values of an integer without known bounds are numbered; others are spelled."""


PickSort: TypeAlias = Literal[
    "card", "group", "part", "player", "team", "string", "integer", "place"
]
"""Sorts of picks."""


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
    variable: str
    values: tuple[Value, ...] | None
    key: str = ""
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
            values = tuple(dict.fromkeys(self.values + other.values))
            if self.sort in {"integer", "group"}:
                values = tuple(sorted(values, key=_order))
            if self.sort == "group" and len(values) > cap:
                values = None
        return replace(
            self,
            values=values,
            spelled=self.spelled or other.spelled,
            size=self.size if self.size == other.size else None,
            copies=max(self.copies, other.copies),
            veiled=self.veiled or other.veiled,
        )


def _order(value: Any) -> Any:
    """Return what integers and groups are sorted by: small groups come first."""
    return (len(value), value) if isinstance(value, tuple) else value


class Picking:
    """What the `any`s of one program can pick, and what is known of their collections.

    `looks` has the look of every card, `examples` a card of every look.
    """

    def __init__(self, program: Program, cap: int) -> None:
        self.program = program
        self.cap = cap
        self.values = EffectAnalysis(program)
        looks: dict[tuple[tuple[str, str], ...], int] = {}
        self.looks = [
            looks.setdefault(tuple(card.attributes.items()), len(looks)) for card in program.cards
        ]
        self.examples = [self.looks.index(look) for look in range(len(looks))]
        self._alike = Counter(self.looks)
        self._most_alike = max(self._alike.values(), default=1)

    # Values -------------------------------------------------------------------------------

    def value(self, column: Column, pick: Pick, sees: Callable[[CardId], bool]) -> Value:
        """Return what a pick means; `sees` says whether its chooser sees a card."""
        item = pick.item
        match column.sort:
            case "card":
                assert isinstance(item, int)
                if column.veiled and not sees(CardId(item)):
                    return Unseen(pick.ordinal)
                return self.looks[item]
            case "group" | "part":
                assert isinstance(item, tuple)
                cards = [CardId(card) for card in item if isinstance(card, int)]
                if column.veiled and not all(map(sees, cards)):
                    return Unseen(pick.ordinal)
                if column.sort == "part":
                    return self.program.cards[cards[0]].attributes.get(column.key, "")
                return tuple(sorted(self.looks[card] for card in cards))
            case "place" if item not in column.places:
                return Unseen(pick.ordinal)
        return item

    # Columns ------------------------------------------------------------------------------

    def column(self, form: n.ForEach, *, first: bool) -> Column:
        """Return what an `any` can pick; `first` says that nothing is done before it."""
        name, collection = form.variable.name, self.base(form.collection)
        veiled = not (first and self._seen(form.collection))

        match ITEM_KINDS[form.collection.kind]:
            case ValueKind.CARD:
                unseen = map(Unseen, range(len(self.looks) * veiled))
                looks = (*range(len(self.examples)), *unseen)
                copies = self._most_alike
                return Column("card", name, looks, copies=copies, veiled=veiled)
            case ValueKind.PLAYER:
                return Column("player", name, (*range(self.program.players),))
            case ValueKind.TEAM:
                return Column("team", name, (*range(len(self.program.teams)),))
            case ValueKind.STRING:
                assert isinstance(collection, n.Strings)
                return Column("string", name, (*dict.fromkeys(collection.values),))
            case ValueKind.INTEGER:
                low, high = self.values.item_bounds(form)
                spelled = high - low >= self.cap
                if spelled:
                    low = max(low, 0)
                    high = min(high, low + FEW - 1)
                return Column("integer", name, (*range(low, high + 1),), spelled=spelled)
        if self.values.real_members(form.collection):
            return Column("place", name, (*self._places.locations,), spelled=True)
        if isinstance(collection, n.Partition) and isinstance(collection.key, n.Text):
            key = collection.key.value
            parts = dict.fromkeys(card.attributes.get(key, "") for card in self.program.cards)
            return Column("part", name, (*parts,), key, spelled=veiled, veiled=veiled)
        groups = self._groups(collection)
        copies = self._most_alike if groups is None else max(map(self._ways, groups), default=1)
        size = None
        match collection:
            case n.Subsets(size=n.Number(value=value), operator="=="):
                size = value
        return Column("group", name, groups, "", veiled, size, copies, veiled)

    def _ways(self, group: Group) -> int:
        return prod(comb(self._alike[look], count) for look, count in Counter(group).items())

    # Groups -------------------------------------------------------------------------------

    def _groups(self, collection: n.Node) -> tuple[Group, ...] | None:
        """Return the groups that a collection can have, the small ones first; None if too many."""
        groups: set[Group] = set()
        for pool in self._pools(collection):
            for group in self._groups_among(collection, pool):
                groups.add(group)
                if len(groups) > self.cap:
                    return None
        return tuple(sorted(groups, key=_order))

    def _pools(self, collection: n.Node) -> Sequence[Sequence[int]]:
        """Return the cards among which a group lies, as looks: one list for each possible part."""
        over = self.base(getattr(collection, "location", collection))
        if isinstance(over, n.Variable):
            part = self.base(getattr(self.values.binders[over.slot], "collection", over))
            if isinstance(part, n.Partition) and isinstance(part.key, n.Text):
                pools: dict[str, list[int]] = {}
                for look, card in zip(self.looks, self.program.cards, strict=True):
                    pools.setdefault(card.attributes.get(part.key.value, ""), []).append(look)
                return list(pools.values())
        return [self.looks]

    def _groups_among(self, collection: n.Node, pool: Sequence[int]) -> Iterator[Group]:
        sizes: Iterable[int] = range(self._least_size(collection), len(pool) + 1)
        match collection:
            case n.Subsets(size=n.Number(value=value), operator=operator):
                sizes = [size for size in sizes if PASSES[operator](size, value)]
            case n.Tuples(count=n.Number(value=value)):
                sizes = [value]
            case n.Runs(points=n.Storage() as storage, least=shortest):
                maps = self._known_maps(storage)
                if maps is not None:
                    least = shortest.value if isinstance(shortest, n.Number) else 1
                    for points in maps:
                        yield from self._runs(points, pool, max(least, 1))
                    return
        counts = sorted(Counter(pool).items())
        for size in sizes:
            yield from _multisets(counts, size)

    def _least_size(self, collection: n.Node) -> int:
        """Return the number of cards that every group of a collection has at least."""
        full = isinstance(collection, n.Runs | n.Tuples)
        return int(full or (isinstance(collection, n.Subsets) and self.program.base != 0))

    def _known_maps(self, storage: n.Storage) -> list[PointMap] | None:
        """Return the point maps that a storage can have; None if one is computed in play."""
        maps = []
        for site in self.values.sites_of(storage):
            awards = []
            for award in site.awards:
                assert isinstance(award, n.Award)
                keys, values = _texts(award.keys), _texts(award.values)
                if keys is None or values is None or not isinstance(award.points, n.Number):
                    return None
                awards.append((keys, values, award.points.value))
            maps.append(PointMap(tuple(awards), self.program))
        return maps

    def _runs(self, points: PointMap, pool: Sequence[int], least: int) -> Iterator[Group]:
        """Yield every choice of one look per score of consecutive scores."""
        by_score: dict[int, list[int]] = {}
        for look in sorted(set(pool)):
            card = self.program.cards[self.examples[look]]
            by_score.setdefault(points.worth(card.id), []).append(look)
        for low in sorted(by_score):
            high = low
            while high in by_score:
                high += 1
                if high - low >= least:
                    choices = product(*(by_score[score] for score in range(low, high)))
                    yield from (tuple(sorted(choice)) for choice in choices)

    # What is known of collections and branches --------------------------------------------

    def base(self, node: n.Node) -> n.Node:
        """Return a collection without filters, and with what its name was bound to."""
        while True:
            match node:
                case n.Filter(collection=inner):
                    node = inner
                case n.Variable(slot=slot) if isinstance(
                    binder := self.values.binders[slot], n.Let
                ):
                    node = binder.value
                case _:
                    return node

    def implied(self, form: n.ForEach, later: Sequence[n.ForEach]) -> bool:
        """Return whether a later `any` surely picks a card of this one's part."""
        for other in later:
            collection = self.base(other.collection)
            over = self.base(getattr(collection, "location", collection))
            named = isinstance(over, n.Variable) and over.slot == form.variable.slot
            if named and self._seen(other.collection):
                is_card = ITEM_KINDS[other.collection.kind] is ValueKind.CARD
                if is_card or self._least_size(collection) > 0:
                    return True
        return False

    def _seen(self, node: n.Node) -> bool:
        """Return whether the seat that decides surely sees all cards of a collection."""
        match self.base(node):
            case n.Place(place=LocationKind.VISIBLE):
                return True
            case n.Place(place=LocationKind.INVISIBLE, owner=n.TurnOwner() as owner):
                return owner.turn is n.Turn.CURRENT and owner.kind is ValueKind.PLAYER
            case n.Variable(slot=slot):
                binder = self.values.binders[slot]
                return isinstance(binder, n.ForEach | n.EachLocation | n.Filter) and self._seen(
                    binder.collection
                )
            case n.Combine(parts=parts) | n.Partition(parts=parts):
                return all(map(self._seen, parts))
            case (
                n.Subsets(location=inner)
                | n.Runs(location=inner)
                | n.Tuples(location=inner)
                | n.Sort(location=inner)
                | n.EachLocation(location=inner)
            ):
                return self._seen(inner)
        return False

    def distinct(self, node: n.Node) -> bool:
        """Return whether a collection surely has no item twice."""
        match self.base(node):
            case n.Place() | n.Range() | n.Everyone() | n.Partition() | n.Runs() | n.Indexed():
                return True
            case n.Strings(values=values):
                return len(set(values)) == len(values)
            case n.Subsets(location=inner) | n.Tuples(location=inner) | n.Sort(location=inner):
                return self.distinct(inner)
            case n.Variable(slot=slot):
                binder = self.values.binders[slot]
                return isinstance(binder, n.ForEach) and isinstance(
                    self.base(binder.collection), n.Partition | n.Subsets | n.Runs | n.Tuples
                )
        return False

    @cached_property
    def _places(self) -> Places:
        return places(self.values)

    def exclude(self, branch: n.Node, other: n.Node) -> bool:
        """Return whether two branches surely never have options at once."""
        if excludes(branch, other):
            return True
        chains = [chain(self.values, self._places, step) for step in (branch, other)]
        known = [links for links in chains if links is not None]
        return len(known) == len(chains) and exclusive(known)


def _texts(forms: Sequence[n.Node]) -> tuple[str, ...] | None:
    texts = tuple(form.value for form in forms if isinstance(form, n.Text))
    return texts if len(texts) == len(forms) else None


def _multisets(counts: Sequence[tuple[int, int]], size: int, at: int = 0) -> Iterator[Group]:
    """Yield the multisets of a size, of looks with so many cards each."""
    if size == 0:
        yield ()
        return
    if sum(count for _, count in islice(counts, at, None)) < size:
        return
    look, most = counts[at]
    for count in range(min(most, size), -1, -1):
        for rest in _multisets(counts, size - count, at + 1):
            yield (look,) * count + rest
