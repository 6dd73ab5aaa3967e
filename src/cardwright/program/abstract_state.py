"""Abstract states: what the forms of a program can give in states of which not all is known.

This is abstract interpretation (P. Cousot and R. Cousot, "Abstract interpretation: a unified
lattice model for static analysis of programs", POPL 1977): forms are evaluated as the interpreter
does it, but on intervals, sets of strings and truths in doubt. What is known of cards differs from
one use to the next, so it is left to subclasses. Interval arithmetic is after Moore, *Interval
Analysis* (1966), on the integers of the language: 64 bits, division towards zero. Truths are those
of Kleene's logic, with None for unknown.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Self, TypeAlias, TypeVar

from cardwright.program import integers, nodes as n
from cardwright.program.cards import Location, OwnerId
from cardwright.program.kinds import ValueKind
from cardwright.program.nodes import Operator

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.program.program import Program

Truth: TypeAlias = bool | None


class Interval(NamedTuple):
    """An integer from `low` to `high`, both included."""

    low: int
    high: int

    @property
    def sure(self) -> bool:
        """Whether it can be only one integer."""
        return self.low == self.high

    @property
    def fits(self) -> bool:
        """Whether all of it fits in the integers of the language."""
        return self.low >= integers.SMALLEST and self.high <= integers.LARGEST

    @property
    def size(self) -> int:
        """The largest absolute value."""
        return max(-self.low, self.high)

    def cut(self) -> Interval:
        """Return the bounds of the value, given that nothing overflowed."""
        low, high = (min(max(end, integers.SMALLEST), integers.LARGEST) for end in self)
        return Interval(low, high)


ANY_INTEGER = Interval(integers.SMALLEST, integers.LARGEST)
ZERO = Interval(0, 0)


def applied(operator: Operator, left: Interval, right: Interval) -> Interval | None:
    """Return the bounds of an operator's result, beyond 64 bits where it may overflow.

    None if the operator may have no result at all, or nothing is known about it.
    """
    if left.sure and right.sure:
        try:
            value = integers.apply(operator, left.low, right.low)
        except integers.IntegerError:
            return None
        return Interval(value, value)
    match operator:
        case Operator.ADD:
            return Interval(left.low + right.low, left.high + right.high)
        case Operator.SUBTRACT:
            return Interval(left.low - right.high, left.high - right.low)
        case Operator.MULTIPLY:
            corners = [a * b for a in left for b in right]
            return Interval(min(corners), max(corners))
        case Operator.MAXIMUM:
            return Interval(max(left.low, right.low), max(left.high, right.high))
        case Operator.MINIMUM:
            return Interval(min(left.low, right.low), min(left.high, right.high))
        case Operator.DIVIDE if right.low > 0:
            return Interval(min(left.low, 0), max(left.high, 0))
        case Operator.REMAINDER if right.low > 0:
            return Interval(0 if left.low >= 0 else 1 - right.high, right.high - 1)
        case Operator.DIVIDE | Operator.REMAINDER | Operator.POWER:
            return None


def hull(*intervals: Interval) -> Interval:
    """Return the bounds of an integer that is within one of some bounds."""
    if not intervals:
        return ANY_INTEGER
    lows, highs = zip(*intervals, strict=True)
    return Interval(min(lows), max(highs))


def compared(relation: str, left: Interval, right: Interval) -> Truth:
    """Return whether an order, < > <= or >=, holds between two integers."""
    corners = {integers.PASSES[relation](a, b) for a in left for b in right}
    return corners.pop() if len(corners) == 1 else None


def equal(left: Interval, right: Interval) -> Truth:
    """Return whether two integers are equal."""
    if left.high < right.low or right.high < left.low:
        return False
    return True if left.sure and left == right else None


def negation(truth: Truth) -> Truth:
    """Return the opposite."""
    return None if truth is None else not truth


def joined(truths: Iterable[Truth], *, every: bool) -> Truth:
    """Return whether all of some conditions hold, or else whether one does."""
    result: Truth = every
    for truth in truths:
        if truth is not None and truth is not every:
            return truth
        if truth is None:
            result = None
    return result


_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def sides(test: n.Node) -> tuple[tuple[n.Node, str, n.Node], ...]:
    """Return a comparison of integers as it is and turned round; nothing for any other test."""
    match test:
        case n.Compare(left=left, right=right, operator=relation):
            pass
        case n.Equal(left=left, right=right, negated=negated) if left.kind is ValueKind.INTEGER:
            relation = "!=" if negated else "=="
        case _:
            return ()
    return (left, relation, right), (right, _TURNED[relation], left)


Cell: TypeAlias = tuple[OwnerId, str]
"""Where an owner stores a value: under a name."""

Words: TypeAlias = frozenset[str] | None
"""The strings that a form can give; None if nothing is known of them."""

Cards = TypeVar("Cards")

_MOST_ITEMS = 1_000
"""The most items of a range that are listed."""

_MOST_WAYS = 64
"""The most lists that a filter may leave, and the most places that an index may name."""


class UnclearError(Exception):
    """Nothing can be said: a form is not followed, depends on what is unknown, or is too large."""


class AbstractState(Generic[Cards]):
    """What is known of a state; `env` has what variables hold, by slot.

    Whatever is not followed raises UnclearError. A form that breaks a rule ends the game: such
    results may be left out. Owners are numbered as in `Program.members`.
    """

    __slots__ = ()

    program: Program
    env: dict[int, Any]

    # What subclasses say --------------------------------------------------------------------

    def bound(self, slot: int, value: Any) -> Self:
        """Return the state with a value in a variable, to look at only."""
        raise NotImplementedError

    def _cycle(self, *, team: bool) -> tuple[int, int | None]:
        """Return who is current in the innermost cycle, and who is queued."""
        raise NotImplementedError

    def _integer_at(self, cell: Cell) -> Interval:
        raise NotImplementedError

    def _words_at(self, cell: Cell) -> Words:
        raise NotImplementedError

    def _cards_at(self, place: Location) -> Cards:
        raise NotImplementedError

    def size(self, cards: Cards) -> Interval:
        """Return how many cards there are."""
        raise NotImplementedError

    def _passing(self, node: n.Filter, cards: Cards) -> Cards:
        """Return the cards that may pass a test."""
        raise NotImplementedError

    def _combined(self, parts: Sequence[Cards], operation: n.SetOperation) -> Cards:
        raise NotImplementedError

    def _regrouped(self, cards: Cards) -> Cards:
        """Return the same cards in another order."""
        raise NotImplementedError

    def _any_passes(self, node: n.Quantifier, cards: Any) -> Truth:
        """Return the truth of a quantifier over cards, or over groups of cards."""
        raise NotImplementedError

    def _points(self, node: n.Score | n.Sum | n.ExtremeScore) -> Interval:
        raise NotImplementedError

    def _attribute(self, card: n.Node, keys: frozenset[str]) -> Words:
        """Return the values that a card can have under one of some keys."""
        raise NotImplementedError

    def _holders(self, card: n.Node) -> tuple[int, ...]:
        raise NotImplementedError

    def _same_card(self, node: n.Equal) -> Truth:
        raise NotImplementedError

    def _snapshots(self, node: n.Node) -> list[Any]:
        """Return what a variable can hold of a card, or of a location, as it is now."""
        raise NotImplementedError

    # Owners ---------------------------------------------------------------------------------

    def owners(self, node: n.Node) -> tuple[int, ...]:
        """Return the owners that a form can name."""
        team = node.kind is ValueKind.TEAM
        first, count = self._numbered(team=team)
        match node:
            case n.Table():
                return (self.program.table,)
            case n.Variable(slot=slot):
                return (self.held(slot),)
            case n.TurnOwner(turn=turn):
                return (first + _turn(turn, self._cycle(team=team), count),)
            case n.Numbered(number=number):
                low, high = (end - self.program.base for end in self.integer(number))
                return tuple(range(first + max(low, 0), first + min(high, count - 1) + 1))
            case n.OwnerOf(card=card):
                return self._holders(card)
            case n.TeamOf(player=player):
                teams = enumerate(self.program.teams, first)
                team_of: dict[int, int] = {seat: at for at, seats in teams for seat in seats}
                seats = self.owners(player)
                return tuple(dict.fromkeys(team_of[seat] for seat in seats if seat in team_of))
        raise UnclearError

    def _numbered(self, *, team: bool) -> tuple[int, int]:
        """Return the number of the first player, or team, and how many there are."""
        players = self.program.players
        return (players, len(self.program.teams)) if team else (0, players)

    def held(self, slot: int) -> Any:
        """Return what a variable holds."""
        return self.env[slot]

    # Integers, strings and storages ---------------------------------------------------------

    def integer(self, node: n.Node) -> Interval:
        """Return the bounds of an integer form."""
        match node:
            case n.Number(value=value):
                return Interval(value, value)
            case n.Variable(slot=slot):
                held: Interval = self.held(slot)
                return held
            case n.Storage():
                return hull(*map(self._integer_at, self.cells(node)))
            case n.Size(collection=collection):
                return hull(*map(self.length, self.items(collection)))
            case n.NumberOf(owner=owner):
                first, _ = self._numbered(team=owner.kind is ValueKind.TEAM)
                numbers = [owner_at - first + self.program.base for owner_at in self.owners(owner)]
                return hull(*(Interval(number, number) for number in numbers))
            case n.Arithmetic(operands=operands):
                result, *rest = map(self.integer, operands)
                for operand in rest:
                    result = (applied(node.operator, result, operand) or ANY_INTEGER).cut()
                return result
            case n.Random(low=low, high=high):
                least = ZERO.low if high is None else self.integer(low).low
                return Interval(least, max(least, self.integer(high or low).high))
            case n.Score() | n.Sum() | n.ExtremeScore():
                return self._points(node)
            case n.Total():
                return hull(*(self._total(node, items) for items in self.items(node.collection)))
        return ANY_INTEGER

    def _total(self, node: n.Total, items: Any) -> Interval:
        if not isinstance(items, list):
            raise UnclearError
        slot = node.variable.slot
        parts = [self.bound(slot, item).integer(node.value) for item in items]
        return Interval(sum(part.low for part in parts), sum(part.high for part in parts))

    def length(self, items: Any) -> Interval:
        """Return how many items a collection has."""
        return Interval(len(items), len(items)) if isinstance(items, list) else self.size(items)

    def words(self, node: n.Node) -> Words:
        """Return the strings that a form can give; None if nothing is known of them."""
        match node:
            case n.Text(value=value):
                return frozenset((value,))
            case n.Variable(slot=slot):
                held: Words = self.held(slot)
                return held
            case n.Storage():
                stored = [self._words_at(cell) for cell in self.cells(node)]
                return None if None in stored else frozenset().union(*filter(None, stored))
            case n.Attribute(key=key, card=card):
                keys = self.words(key)
                return None if keys is None else self._attribute(card, keys)
        return None

    def cells(self, node: n.Node) -> list[Cell]:
        """Return the cells that a storage can be."""
        assert isinstance(node, n.Storage)
        names = self.words(node.name)
        if names is None:
            raise UnclearError
        return [
            (OwnerId(owner), name) for owner in self.owners(node.owner) for name in sorted(names)
        ]

    # Conditions -----------------------------------------------------------------------------

    def truth(self, node: n.Node) -> Truth:
        """Return whether a condition holds; None if it may or may not."""
        match node:
            case n.Truth(value=value):
                return value
            case n.Variable(slot=slot):
                held: Truth = self.held(slot)
                return held
            case n.Not(test=test):
                return negation(self.truth(test))
            case n.Logic(tests=tests, every=every):
                return joined(map(self.truth, tests), every=every)
            case n.Compare(left=left, right=right, operator=relation):
                return compared(relation, self.integer(left), self.integer(right))
            case n.Equal(negated=negated):
                return negation(self._same(node)) if negated else self._same(node)
            case n.Quantifier():
                results = {self._quantified(node, items) for items in self.items(node.collection)}
                return results.pop() if len(results) == 1 else None
        raise UnclearError

    def _same(self, node: n.Equal) -> Truth:
        left, right = node.left, node.right
        match left.kind:
            case ValueKind.INTEGER:
                return equal(self.integer(left), self.integer(right))
            case ValueKind.STRING:
                one, other = self.words(left), self.words(right)
                return None if one is None or other is None else _sets_same(one, other)
            case ValueKind.PLAYER | ValueKind.TEAM:
                return _sets_same(frozenset(self.owners(left)), frozenset(self.owners(right)))
        return self._same_card(node)

    def _quantified(self, node: n.Quantifier, items: Any) -> Truth:
        if not isinstance(items, list):
            return self._any_passes(node, items)
        slot = node.variable.slot
        return joined((self.bound(slot, item).truth(node.test) for item in items), every=node.every)

    # Collections, and any values ------------------------------------------------------------

    def places(self, node: n.Place) -> list[Location]:
        """Return the locations that a form can name."""
        names = self.words(node.name)
        index = ZERO if node.index is None else self.integer(node.index)
        if names is None or index.high - index.low >= _MOST_WAYS:
            raise UnclearError
        return [
            Location(OwnerId(owner), node.place, name, at)
            for owner in self.owners(node.owner)
            for name in sorted(names)
            for at in range(index.low, index.high + 1)
        ]

    def locations(self, node: n.Node) -> list[Cards]:
        """Return what a location can be."""
        match node:
            case n.Place():
                return [self._cards_at(place) for place in self.places(node)]
            case n.Variable(slot=slot):
                return [self.held(slot)]
            case n.Combine(parts=parts, operation=operation):
                return [self._combined(each, operation) for each in self.parts(parts)]
            case n.Filter(collection=collection):
                return [self._passing(node, cards) for cards in self.locations(collection)]
            case n.Sort(location=location):
                return [self._regrouped(cards) for cards in self.locations(location)]
        raise UnclearError

    def parts(self, nodes: Sequence[n.Node]) -> Iterable[Sequence[Cards]]:
        """Yield what locations, or the members of a set of locations, can be together."""
        if len(nodes) > 1 or nodes[0].kind is not ValueKind.LOCATIONS:
            yield from product(*map(self.locations, nodes))
            return
        for members in self.items(nodes[0]):
            if not isinstance(members, list):
                raise UnclearError
            yield members

    def items(self, node: n.Node) -> list[Any]:
        """Return what a collection can be: a list of items, or of cards what is known of them."""
        if node.kind is ValueKind.LOCATION:
            return list(self.locations(node))
        teams = self.program.teams
        if node.kind is ValueKind.TEAM:
            return [list(teams[team - self.program.players]) for team in self.owners(node)]
        match node:
            case n.Variable(slot=slot):
                return [self.held(slot)]
            case n.Everyone(others=others):
                team = node.kind is ValueKind.TEAMS
                first, count = self._numbered(team=team)
                left_out = self._cycle(team=team)[0] if others else None
                return [[first + one for one in range(count) if one != left_out]]
            case n.Range(low=low, high=high):
                least, most = self.integer(low), self.integer(high)
                if not least.sure or not most.sure or most.high - least.low >= _MOST_ITEMS:
                    raise UnclearError
                return [[Interval(at, at) for at in range(least.low, most.low + 1)]]
            case n.Strings(values=values):
                return [[frozenset((value,)) for value in values]]
            case n.Filter(collection=collection):
                return [
                    kept for items in self.items(collection) for kept in self._kept(node, items)
                ]
        raise UnclearError

    def values(self, node: n.Node) -> list[Any]:
        """Return what a variable can hold that is bound to a form."""
        match node.kind:
            case ValueKind.INTEGER:
                return [self.integer(node)]
            case ValueKind.STRING:
                return [self.words(node)]
            case ValueKind.BOOLEAN:
                return [self.truth(node)]
            case ValueKind.PLAYER | ValueKind.TEAM:
                return list(self.owners(node))
            case ValueKind.CARD | ValueKind.LOCATION:
                return self._snapshots(node)
        return self.items(node)

    def _kept(self, node: n.Filter, items: Any) -> list[Any]:
        """Return what a filter can leave of a list; groups of cards stay what they are."""
        if not isinstance(items, list):
            return [items]
        if node.kind is ValueKind.LOCATIONS:
            raise UnclearError
        kept: list[list[Any]] = [[]]
        for item in items:
            passes = self.bound(node.variable.slot, item).truth(node.test)
            longer = [] if passes is False else [[*path, item] for path in kept]
            kept = longer if passes else kept + longer
            if len(kept) > _MOST_WAYS:
                raise UnclearError
        return kept


def _turn(turn: n.Turn, cycle: tuple[int, int | None], count: int) -> int:
    current, queued = cycle
    if turn is n.Turn.NEXT and queued is not None:
        return queued
    steps = {n.Turn.PREVIOUS: -1, n.Turn.CURRENT: 0, n.Turn.NEXT: 1}
    return (current + steps[turn]) % count


def _sets_same(one: frozenset[Any], other: frozenset[Any]) -> Truth:
    """Return whether two values are equal of which the possibilities are known."""
    if not one & other:
        return False
    return True if len(one) == len(other) == 1 else None
