"""What forms can give in an outline: all possibilities, perhaps too many."""

from __future__ import annotations

import operator
from itertools import product
from typing import TYPE_CHECKING, Any

from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.extent.outline import (
    NONE,
    Groups,
    Heap,
    OneCard,
    OutlineSpot,
    StateOutline,
    UnclearError,
)
from cardwright.program.interval_arithmetic import ANY_INTEGER, Between, applied
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.program.extent.outline import Cell, Words, Worths
    from cardwright.program.program import Program

_FEW = 64
"""The most items of a range, or places of a computed index, that are followed one by one."""

_COMPARE = {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}
_SWAPPED = {"<": ">=", ">": "<=", "<=": ">", ">=": "<"}


class OutlineForms:
    """What the forms of a program can give in an outline.

    Whatever is not followed raises UnclearError. A form that breaks a rule ends the game, which
    then has no scores: such paths may be left out.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._of_seat: dict[int, int] = {
            seat: t for t, seats in enumerate(program.teams) for seat in seats
        }

    # Owners ---------------------------------------------------------------------------------

    def owners(self, node: n.Node, here: StateOutline) -> tuple[int, ...]:
        """Return the owners of storage that a form can name: players, then teams, the table."""
        if isinstance(node, n.Table):
            return (self.program.table,)
        if node.kind is ValueKind.TEAM:
            return tuple(self.program.players + team for team in self.teams(node, here))
        return self.seats(node, here)

    def seats(self, node: n.Node, here: StateOutline) -> tuple[int, ...]:
        """Return the seats that a form can name."""
        match node:
            case n.Variable(slot=slot):
                return (_held(here, slot),)
            case n.TurnOwner(turn=turn):
                return (_turned(turn, here.players[-1], self.program.players),)
            case n.Numbered(number=number):
                return self._numbered(number, here, self.program.players)
            case n.OwnerOf(card=card):
                found = {spot.owner for spot in self.card(card, here).spots}
                return tuple(sorted(one for one in found if one < self.program.players))
        raise UnclearError

    def teams(self, node: n.Node, here: StateOutline) -> tuple[int, ...]:
        """Return the teams that a form can name, by number."""
        match node:
            case n.Variable(slot=slot):
                return (_held(here, slot),)
            case n.TurnOwner(turn=turn):
                return (_turned(turn, here.teams[-1], len(self.program.teams)),)
            case n.Numbered(number=number):
                return self._numbered(number, here, len(self.program.teams))
            case n.TeamOf(player=player):
                return tuple({self._of_seat[seat]: 0 for seat in self.seats(player, here)})
        raise UnclearError

    def _numbered(self, number: n.Node, here: StateOutline, count: int) -> tuple[int, ...]:
        low, high = self.integer(number, here)
        base = self.program.base
        return tuple(range(max(low - base, 0), min(high - base, count - 1) + 1))

    # Integers -------------------------------------------------------------------------------

    def integer(self, node: n.Node, here: StateOutline) -> Between:
        """Return the bounds of an integer form."""
        match node:
            case n.Number(value=value):
                return Between(value, value)
            case n.Variable(slot=slot):
                found: Between = _held(here, slot)
                return found
            case n.Storage():
                return _hulls(here.integers.get(cell, NONE) for cell in self.cells(node, here))
            case n.Size(collection=collection):
                return _hulls(_length(items, here) for items in self.items(collection, here))
            case n.NumberOf(owner=owner):
                each = self.seats if owner.kind is ValueKind.PLAYER else self.teams
                numbers = [one + self.program.base for one in each(owner, here)]
                return _hulls(Between(one, one) for one in numbers)
            case n.Arithmetic(operands=operands):
                first, *rest = (self.integer(operand, here) for operand in operands)
                for operand in rest:
                    first = (applied(node.operator, first, operand) or ANY_INTEGER).cut()
                return first
            case n.Random(low=low, high=high):
                first = NONE if high is None else self.integer(low, here)
                last = self.integer(high or low, here)
                return Between(first.low, max(first.low, last.high))
            case n.Score(card=card, points=points):
                empty = isinstance(card, (n.End, n.Position))  # which may name no card: 0
                return _hulls([*self.worths(points, here), *([NONE] if empty else [])])
            case n.Sum(location=location, points=points):
                worths = self.worths(points, here)
                return _hulls(
                    _summed(worths, here.size(heap)) for heap in self.heaps(location, here)
                )
            case n.Total(collection=collection, variable=variable, value=value):
                totals = []
                for items in self.items(collection, here):
                    if not isinstance(items, list):
                        raise UnclearError
                    parts = [self.integer(value, bound(here, variable.slot, one)) for one in items]
                    totals.append(Between(sum(p.low for p in parts), sum(p.high for p in parts)))
                return _hulls(totals)
        return ANY_INTEGER

    def worths(self, node: n.Node, here: StateOutline) -> Worths:
        """Return the points that each card can have under a point map."""
        assert isinstance(node, n.Storage)
        nothing = (NONE,) * len(self.program.cards)
        maps = [here.worths.get(cell, nothing) for cell in self.cells(node, here)]
        return tuple(_hulls(each) for each in zip(*maps, strict=True)) if maps else nothing

    def awarded(self, node: n.SetPoints, here: StateOutline) -> Worths:
        """Return the points that each card can have by the awards of a map."""
        awards = []
        for award in node.awards:
            assert isinstance(award, n.Award)
            keys = [self.words(key, here) for key in award.keys]
            values = [self.words(value, here) for value in award.values]
            awards.append((list(zip(keys, values, strict=True)), self.integer(award.points, here)))
        found = []
        for card in self.program.cards:
            low = high = 0
            for pairs, points in awards:
                matches = [_matches(card.attributes, *pair) for pair in pairs]
                if False in matches:
                    continue
                sure = all(matches)
                low += points.low if sure else min(points.low, 0)
                high += points.high if sure else max(points.high, 0)
            found.append(Between(low, high))
        return tuple(found)

    # Strings and storages -------------------------------------------------------------------

    def words(self, node: n.Node, here: StateOutline) -> Words:
        """Return the texts that a form can give; None if nothing is known of them."""
        match node:
            case n.Text(value=value):
                return frozenset((value,))
            case n.Variable(slot=slot):
                found: Words = _held(here, slot)
                return found
            case n.Storage():
                all_ = [here.strings.get(cell, frozenset(("",))) for cell in self.cells(node, here)]
                return None if None in all_ else frozenset().union(*filter(None, all_))
            case n.Attribute(key=key):
                keys = self.words(key, here)
                if keys is None:
                    return None
                cards = self.program.cards
                values = {card.attributes.get(one, "") for card in cards for one in keys}
                return frozenset(values | {""})
        return None

    def cells(self, node: n.Storage, here: StateOutline) -> list[Cell]:
        """Return the cells that a storage can be."""
        names = self.words(node.name, here)
        if names is None:
            raise UnclearError
        return [(owner, name) for owner in self.owners(node.owner, here) for name in sorted(names)]

    # Conditions -----------------------------------------------------------------------------

    def truth(self, node: n.Node, here: StateOutline) -> bool | None:
        """Return whether a condition holds; None if it may or may not."""
        match node:
            case n.Truth(value=value):
                return value
            case n.Variable(slot=slot):
                found: bool | None = _held(here, slot)
                return found
            case n.Not(test=test):
                inner = self.truth(test, here)
                return None if inner is None else not inner
            case n.Logic(tests=tests, every=every):
                return _together((self.truth(test, here) for test in tests), every=every)
            case n.Compare(left=left, right=right, operator=sign):
                return _compared(sign, self.integer(left, here), self.integer(right, here))
            case n.Equal(negated=negated):
                same = self._same(node, here)
                return None if same is None else same is not negated
            case n.Quantifier():
                found_all = [
                    self._quantified(node, items, here)
                    for items in self.items(node.collection, here)
                ]
                return found_all[0] if len(set(found_all)) == 1 else None
        raise UnclearError

    def _same(self, node: n.Equal, here: StateOutline) -> bool | None:
        left, right = node.left, node.right
        match left.kind:
            case ValueKind.INTEGER:
                one, two = self.integer(left, here), self.integer(right, here)
                if one.high < two.low or two.high < one.low:
                    return False
                return True if one.sure and one == two else None
            case ValueKind.STRING:
                words, others = self.words(left, here), self.words(right, here)
                if words is None or others is None:
                    return None
                return _sets_same(words, others)
            case ValueKind.PLAYER:
                seats = frozenset(self.seats(left, here))
                return _sets_same(seats, frozenset(self.seats(right, here)))
            case ValueKind.TEAM:
                teams = frozenset(self.teams(left, here))
                return _sets_same(teams, frozenset(self.teams(right, here)))
        return None

    def _quantified(self, node: n.Quantifier, items: Any, here: StateOutline) -> bool | None:
        slot, every = node.variable.slot, node.every
        if isinstance(items, list):
            return _together(
                (self.truth(node.test, bound(here, slot, item)) for item in items), every=every
            )
        size = _length(items, here)
        if size.high <= 0:
            return every
        one = self.truth(node.test, bound(here, slot, _generic(items, here)))
        if one is every:
            return every
        return one if one is not None and size.low > 0 else None

    # Cards and locations --------------------------------------------------------------------

    def card(self, node: n.Node, here: StateOutline) -> OneCard:
        """Return where a card may lie that a form names; nowhere if there is none."""
        match node:
            case n.Variable(slot=slot):
                found: OneCard = _held(here, slot)
                return found
            case n.End(location=location) | n.Position(location=location):
                return _any_of(self.heaps(location, here), here)
            case n.BestCard(location=location):
                return _any_of(self.heaps(location, here), here)
        raise UnclearError

    def spots(self, node: n.Place | n.Indexed, here: StateOutline) -> list[OutlineSpot]:
        """Return the places that a form can name."""
        if node.place is LocationKind.MEMORY or isinstance(node, n.Indexed):
            raise UnclearError
        names = self.words(node.name, here)
        index = NONE if node.index is None else self.integer(node.index, here)
        if names is None or index.high - index.low >= _FEW:
            raise UnclearError
        return [
            OutlineSpot(owner, node.place, name, at)
            for owner in self.owners(node.owner, here)
            for name in sorted(names)
            for at in range(index.low, index.high + 1)
        ]

    def heaps(self, node: n.Node, here: StateOutline) -> list[Heap]:
        """Return the locations that a form can be."""
        match node:
            case n.Place():
                return [Heap((spot,)) for spot in self.spots(node, here)]
            case n.Variable(slot=slot):
                return [_held(here, slot)]
            case n.Combine(parts=parts, operation=operation):
                return [_combined(heaps, operation, here) for heaps in self._parts(parts, here)]
            case n.Filter():
                return [self._passing(node, heap, here) for heap in self._inner(node, here)]
            case n.Sequence(count=count, location=location):
                wanted = self.integer(count, here)
                return [_some(heap, wanted, here) for heap in self.heaps(location, here)]
            case n.EndRun(location=location):
                found = self.heaps(location, here)
                return [_some(heap, Between(0, here.size(heap).high), here) for heap in found]
            case n.Sort(location=location):
                return [Heap(heap.spots, here.size(heap)) for heap in self.heaps(location, here)]
            case n.Element(locations=locations, index=index):
                return self._elements(locations, index, here)
        raise UnclearError

    def _elements(self, node: n.Node, index: int, here: StateOutline) -> list[Heap]:
        found: list[Heap] = []
        for members in self.items(node, here):
            if isinstance(members, Groups):
                found.append(members.like)
            elif isinstance(members, list) and index < len(members):
                found.append(members[index])
        return found

    def _inner(self, node: n.Filter, here: StateOutline) -> list[Heap]:
        return self.heaps(node.collection, here)

    def _passing(self, node: n.Filter, heap: Heap, here: StateOutline) -> Heap:
        """Return the cards of a heap that may pass a test."""
        size = here.size(heap)
        if size.high <= 0:
            return Heap((), NONE)
        passes = self.truth(node.test, bound(here, node.variable.slot, _generic(heap, here)))
        if passes is False:
            return Heap((), NONE)
        return Heap(heap.spots, Between(size.low if passes else 0, size.high))

    def _parts(self, parts: Sequence[n.Node], here: StateOutline) -> Iterable[Sequence[Heap]]:
        if len(parts) == 1 and parts[0].kind is ValueKind.LOCATIONS:
            return [_listed(members) for members in self.items(parts[0], here)]
        return product(*(self.heaps(part, here) for part in parts))

    # Collections ----------------------------------------------------------------------------

    def items(self, node: n.Node, here: StateOutline) -> list[Any]:
        """Return what a collection can be: lists of items, heaps of cards, or groups."""
        if node.kind is ValueKind.LOCATION:
            return list(self.heaps(node, here))
        if node.kind is ValueKind.TEAM:
            return [list(self.program.teams[team]) for team in self.teams(node, here)]
        match node:
            case n.Variable(slot=slot):
                return [_held(here, slot)]
            case n.Everyone(others=others):
                teams = node.kind is ValueKind.TEAMS
                count = len(self.program.teams) if teams else self.program.players
                current = (here.teams if teams else here.players)[-1][0]
                return [[one for one in range(count) if not others or one != current]]
            case n.Range(low=low, high=high):
                first, last = self.integer(low, here), self.integer(high, here)
                if not first.sure or not last.sure or last.high - first.low >= _FEW:
                    raise UnclearError
                return [[Between(at, at) for at in range(first.low, last.low + 1)]]
            case n.Strings(values=values):
                return [[frozenset((value,)) for value in values]]
            case n.EachLocation():
                return self._each(node, here)
            case n.Partition(parts=parts):
                heaps = [_combined(found, None, here) for found in self._parts(parts, here)]
                return [Groups(Heap(one.spots, Between(0, here.size(one).high))) for one in heaps]
            case n.Subsets(location=location, size=size, operator=sign):
                return [self._subsets(heap, size, sign, here)
                        for heap in self.heaps(location, here)]  # fmt: skip
            case n.Runs(location=location) | n.Tuples(location=location):
                found = self.heaps(location, here)
                return [Groups(Heap(one.spots, Between(0, here.size(one).high))) for one in found]
            case n.Filter():
                return self._filtered(node, here)
        raise UnclearError

    def _each(self, node: n.EachLocation, here: StateOutline) -> list[list[Heap]]:
        found: list[list[Heap]] = []
        for items in self.items(node.collection, here):
            if not isinstance(items, list):
                raise UnclearError
            slot = node.variable.slot
            choices = [self.heaps(node.location, bound(here, slot, item)) for item in items]
            found += [list(heaps) for heaps in product(*choices)]
        return found

    def _subsets(self, heap: Heap, size: n.Node | None, sign: str, here: StateOutline) -> Groups:
        most = here.size(heap).high
        if size is not None and sign == "==":
            wanted = self.integer(size, here)
            return Groups(Heap(heap.spots, Between(wanted.low, min(wanted.high, most))))
        return Groups(Heap(heap.spots, Between(0, most)))

    def _filtered(self, node: n.Filter, here: StateOutline) -> list[Any]:
        found: list[Any] = []
        for items in self.items(node.collection, here):
            if isinstance(items, Groups):
                found.append(items)
                continue
            if not isinstance(items, list) or node.kind is ValueKind.LOCATIONS:
                raise UnclearError
            slot = node.variable.slot
            kept: list[list[Any]] = [[]]
            for item in items:
                passes = self.truth(node.test, bound(here, slot, item))
                with_ = [] if passes is False else [[*one, item] for one in kept]
                kept = with_ if passes is True else kept + with_
                if len(kept) > _FEW:
                    raise UnclearError
            found += kept
        return found


def bound(here: StateOutline, slot: int, value: Any) -> StateOutline:
    """Return an outline with a value in a variable, to look at only: the rest is shared."""
    env = {**(here.env or {}), slot: value}
    return StateOutline(
        here.cards, here.integers, here.strings, here.worths,
        here.players, here.teams, here.decisions, here.acted, env,
    )  # fmt: skip


def negated(sign: str) -> str:
    """Return the comparison that holds where another does not."""
    return _SWAPPED[sign]


def _held(here: StateOutline, slot: int) -> Any:
    assert here.env is not None
    return here.env[slot]


def _turned(turn: n.Turn, cycle: tuple[int, int | None], count: int) -> int:
    current, queued = cycle
    if turn is n.Turn.CURRENT:
        return current
    if turn is n.Turn.PREVIOUS:
        return (current - 1) % count
    return (current + 1) % count if queued is None else queued


def _hulls(found: Iterable[Between]) -> Between:
    """Return the bounds of a number that is within one of some bounds."""
    listed = list(found)
    if not listed:
        return ANY_INTEGER
    return Between(min(one.low for one in listed), max(one.high for one in listed))


def _summed(worths: Worths, size: Between) -> Between:
    """Return the bounds of the points of different cards, as many as `size` says."""
    lows = sorted(one.low for one in worths)
    highs = sorted((one.high for one in worths), reverse=True)
    most = min(size.high, len(worths))
    least = min(max(size.low, 0), most)
    low = min(sum(lows[:count]) for count in {least, most, *range(least, most + 1)})
    high = max(sum(highs[:count]) for count in range(least, most + 1))
    return Between(low, high)


def _length(items: Any, here: StateOutline) -> Between:
    if isinstance(items, list):
        return Between(len(items), len(items))
    if isinstance(items, Heap):
        return here.size(items)
    return Between(0, 1 << 40)


def _generic(items: Any, here: StateOutline) -> Any:
    """Return what any item of a heap or of groups is like."""
    if isinstance(items, Groups):
        return items.like
    return _any_of([items], here)


def _any_of(heaps: Iterable[Heap], here: StateOutline) -> OneCard:
    spots = (spot for heap in heaps for spot in heap.spots)
    return OneCard(frozenset(spot for spot in spots if here.held(spot).high > 0))


def _some(heap: Heap, wanted: Between, here: StateOutline) -> Heap:
    size = here.size(heap)
    low, high = (min(one, size.high) for one in wanted)
    return Heap(heap.spots, Between(max(0, low), high))


def _listed(members: Any) -> list[Heap]:
    if not isinstance(members, list):
        raise UnclearError
    return members


def _combined(heaps: Sequence[Heap], operation: n.SetOperation | None, here: StateOutline) -> Heap:
    """Return the cards of several heaps together; fewer, if the operation leaves some out."""
    every = [spot for heap in heaps for spot in heap.spots]
    spots = tuple(dict.fromkeys(every))
    if len(spots) < len(every):
        raise UnclearError  # a card may be there twice
    sizes = [here.size(heap) for heap in heaps]
    high = sum(size.high for size in sizes)
    if operation in {n.SetOperation.UNION, None}:
        return Heap(spots, Between(sum(size.low for size in sizes), high))
    return Heap(spots, Between(0, high))


def _matches(attributes: Any, keys: Words, values: Words) -> bool | None:
    """Return whether a card has one of some values under one of some keys, surely or perhaps."""
    if keys is None or values is None:
        return None
    hits = {attributes.get(key, "") == value for key in keys for value in values}
    return hits.pop() if len(hits) == 1 else None


def _sets_same(one: frozenset[Any], other: frozenset[Any]) -> bool | None:
    if not one & other:
        return False
    return True if len(one) == len(other) == 1 else None


def _together(found: Iterable[bool | None], *, every: bool) -> bool | None:
    """Return a conjunction, or a disjunction, of which parts may be unknown."""
    result: bool | None = every
    for one in found:
        if one is not None and one is not every:
            return not every
        if one is None:
            result = None
    return result


def _compared(sign: str, left: Between, right: Between) -> bool | None:
    compare = _COMPARE[sign]
    corners = {bool(compare(a, b)) for a in left for b in right}
    return corners.pop() if len(corners) == 1 else None
