"""Outlines: states of which it is known how many cards lie where, but not which."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from cardwright.program import nodes as n
from cardwright.program.abstract_state import (
    ANY_INTEGER,
    ZERO,
    AbstractState,
    Cell,
    Interval,
    Truth,
    UnclearError,
    Words,
    hull,
)
from cardwright.program.cards import Location, LocationKind
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from cardwright.program.program import Program

    Worths: TypeAlias = tuple[Interval, ...]
    """The points that each card can have under a point map."""

    Cycles: TypeAlias = tuple[tuple[int, int | None], ...]
    """Who is current, and who is queued or None, in each stage from the outermost on."""

_UNSET = frozenset(("",))
_MANY = Interval(0, 1 << 40)
_OPPOSITE = {"<": ">=", ">": "<=", "<=": ">", ">=": "<"}


@dataclass(frozen=True, slots=True)
class OneCard:
    """A card in a variable: where it may lie."""

    places: frozenset[Location]


@dataclass(frozen=True, slots=True)
class Heap:
    """A location: `places` whole, if `count` is None, or some cards of them, this many."""

    places: tuple[Location, ...]
    count: Interval | None = None

    @property
    def real(self) -> bool:
        """Whether it is a location itself, not a group of cards."""
        return self.count is None and len(self.places) == 1


@dataclass(frozen=True, slots=True)
class Groups:
    """Some groups of cards, of which each is like `like`; it is not known how many."""

    like: Heap


@dataclass
class StateOutline(AbstractState[Heap]):
    """What is known of a state.

    `cards` has how many cards lie at a place, `integers`, `strings` and `worths` what is stored,
    `players` and `teams` the cycles: who is current, and who is queued or None. `acted` says that
    the option under way has had an effect.
    """

    program: Program
    env: dict[int, Any]
    cards: dict[Location, Interval]
    integers: dict[Cell, Interval]
    strings: dict[Cell, Words]
    worths: dict[Cell, Worths]
    players: Cycles = ((0, None),)
    teams: Cycles = ((0, None),)
    decisions: int = 0
    acted: bool = False

    def copy(self) -> StateOutline:
        """Return an independent outline."""
        return StateOutline(
            self.program, self.env.copy(), self.cards.copy(), self.integers.copy(),
            self.strings.copy(), self.worths.copy(),
            self.players, self.teams, self.decisions, self.acted,
        )  # fmt: skip

    def bound(self, slot: int, value: Any) -> StateOutline:
        """Return an outline with a value in a variable, to look at only: the rest is shared."""
        return StateOutline(
            self.program, {**self.env, slot: value}, self.cards, self.integers,
            self.strings, self.worths,
            self.players, self.teams, self.decisions, self.acted,
        )  # fmt: skip

    def turn(self) -> tuple[Hashable, ...]:
        """Return whose turn it is, and how many decisions were made."""
        return self.players, self.teams, self.decisions

    def key(self) -> Hashable:
        """Return what distinguishes this outline from others, variables left out."""
        return (
            *self.turn(),
            frozenset(item for item in self.cards.items() if item[1] != ZERO),
            frozenset(item for item in self.integers.items() if item[1] != ZERO),
            frozenset(self.strings.items()),
            frozenset(self.worths.items()),
        )

    def joined(self, other: StateOutline) -> StateOutline:
        """Return an outline of all states of both, whose turns are the same."""
        made = self.copy()
        for place in self.cards.keys() | other.cards.keys():
            mine, theirs = self.cards_on(place), other.cards_on(place)
            made.cards[place] = mine if mine == theirs else hull(mine, theirs)
        for cell in self.integers.keys() | other.integers.keys():
            mine, theirs = self._integer_at(cell), other._integer_at(cell)
            made.integers[cell] = mine if mine == theirs else hull(mine, theirs)
        for cell in self.strings.keys() | other.strings.keys():
            left, right = self._words_at(cell), other._words_at(cell)
            made.strings[cell] = None if left is None or right is None else left | right
        for cell in self.worths.keys() | other.worths.keys():
            worths, others = self._worths_at(cell), other._worths_at(cell)
            made.worths[cell] = worths if worths == others else tuple(map(hull, worths, others))
        return made

    # What is known --------------------------------------------------------------------------

    def _cycle(self, *, team: bool) -> tuple[int, int | None]:
        return (self.teams if team else self.players)[-1]

    def _integer_at(self, cell: Cell) -> Interval:
        return self.integers.get(cell, ZERO)

    def _words_at(self, cell: Cell) -> Words:
        return self.strings.get(cell, _UNSET)

    def _worths_at(self, cell: Cell) -> Worths:
        return self.worths.get(cell) or (ZERO,) * len(self.program.cards)

    def cards_on(self, place: Location) -> Interval:
        """Return how many cards lie at a place."""
        return self.cards.get(place, ZERO)

    def _cards_at(self, place: Location) -> Heap:
        if place.kind is LocationKind.MEMORY:
            raise UnclearError
        return Heap((place,))

    def filled(self, heap: Heap) -> list[Location]:
        """Return the places of a heap that may have cards."""
        return [place for place in heap.places if self.cards_on(place).high > 0]

    def size(self, cards: Heap | Groups) -> Interval:
        """Return how many cards a heap has, or how many groups there are."""
        if isinstance(cards, Groups):
            return _MANY
        if cards.count is not None:
            return cards.count
        counts = [self.cards_on(place) for place in cards.places]
        return Interval(sum(count.low for count in counts), sum(count.high for count in counts))

    # Cards ----------------------------------------------------------------------------------

    def card(self, node: n.Node) -> OneCard:
        """Return where a card may lie that a form names; nowhere if there is none."""
        match node:
            case n.Variable(slot=slot):
                held: OneCard = self.held(slot)
                return held
            case n.End() | n.Position() | n.BestCard():
                return self._any_of(*self.locations(node.location))
        raise UnclearError

    def _any_of(self, *heaps: Heap) -> OneCard:
        return OneCard(frozenset(place for heap in heaps for place in self.filled(heap)))

    def _holders(self, card: n.Node) -> tuple[int, ...]:
        owners = {place.owner for place in self.card(card).places}
        return tuple(sorted(owner for owner in owners if owner < self.program.players))

    def _same_card(self, node: n.Equal) -> Truth:
        return None

    def _attribute(self, card: n.Node, keys: frozenset[str]) -> Words:
        cards = self.program.cards
        return _UNSET | {one.attributes.get(key, "") for one in cards for key in keys}

    # Points ---------------------------------------------------------------------------------

    def _points(self, node: n.Score | n.Sum | n.ExtremeScore) -> Interval:
        if isinstance(node, n.ExtremeScore):
            return ANY_INTEGER
        maps = [self._worths_at(cell) for cell in self.cells(node.points)]
        worths = tuple(map(hull, *maps)) if maps else (ZERO,) * len(self.program.cards)
        if isinstance(node, n.Score):
            may_miss = isinstance(node.card, n.End | n.Position)  # of no card the score is 0
            return hull(*worths, *((ZERO,) if may_miss else ()))
        return hull(*(_summed(worths, self.size(heap)) for heap in self.locations(node.location)))

    def awarded(self, node: n.SetPoints) -> Worths:
        """Return the points that each card can have by the awards of a map."""
        awards = []
        for award in node.awards:
            assert isinstance(award, n.Award)
            keys, values = map(self.words, award.keys), map(self.words, award.values)
            awards.append((list(zip(keys, values, strict=True)), self.integer(award.points)))
        worths = []
        for card in self.program.cards:
            low = high = 0
            for pairs, points in awards:
                matches = [_matches(card.attributes, *pair) for pair in pairs]
                if False not in matches:
                    sure = all(matches)
                    low += points.low if sure else min(points.low, 0)
                    high += points.high if sure else max(points.high, 0)
            worths.append(Interval(low, high))
        return tuple(worths)

    # Heaps and groups -----------------------------------------------------------------------

    def locations(self, node: n.Node) -> list[Heap]:
        """Return the locations that a form can be."""
        match node:
            case n.Sequence(count=count, location=location):
                wanted = self.integer(count)
                return [self._some(heap, wanted) for heap in self.locations(location)]
            case n.EndRun(location=location):
                return [self._at_most(heap) for heap in self.locations(location)]
            case n.Element(locations=locations, index=index):
                heaps = []
                for members in self.items(locations):
                    if isinstance(members, Groups):
                        heaps.append(members.like)
                    elif isinstance(members, list) and index < len(members):
                        heaps.append(members[index])
                return heaps
        return super().locations(node)

    def items(self, node: n.Node) -> list[Any]:
        """Return what a collection can be: lists of items, heaps of cards, or groups."""
        match node:
            case n.EachLocation(location=location, variable=variable):
                lists: list[Any] = []
                for items in self.items(node.collection):
                    if not isinstance(items, list):
                        raise UnclearError
                    ways: list[list[Heap]] = [[]]
                    for item in items:
                        heaps = self.bound(variable.slot, item).locations(location)
                        ways = [[*way, heap] for way in ways for heap in heaps]
                    lists += ways
                return lists
            case n.Partition(parts=parts):
                whole = [self._combined(each, n.SetOperation.UNION) for each in self.parts(parts)]
                return [Groups(self._at_most(heap)) for heap in whole]
            case n.Subsets(location=location, size=n.Node() as size, operator="=="):
                wanted = self.integer(size)
                return [Groups(self._some(heap, wanted)) for heap in self.locations(location)]
            case n.Subsets() | n.Runs() | n.Tuples():
                return [Groups(self._at_most(heap)) for heap in self.locations(node.location)]
        return super().items(node)

    def _some(self, heap: Heap, wanted: Interval) -> Heap:
        most = self.size(heap).high
        return Heap(heap.places, Interval(max(0, min(wanted.low, most)), min(wanted.high, most)))

    def _at_most(self, heap: Heap) -> Heap:
        return Heap(heap.places, Interval(0, self.size(heap).high))

    def _regrouped(self, cards: Heap) -> Heap:
        return Heap(cards.places, self.size(cards))

    def _combined(self, parts: Sequence[Heap], operation: n.SetOperation) -> Heap:
        every = [place for heap in parts for place in heap.places]
        places = tuple(dict.fromkeys(every))
        if len(places) < len(every):
            raise UnclearError  # a card may be there twice
        sizes = [self.size(heap) for heap in parts]
        low = sum(size.low for size in sizes) if operation is n.SetOperation.UNION else 0
        return Heap(places, Interval(low, sum(size.high for size in sizes)))

    def _passing(self, node: n.Filter, cards: Heap) -> Heap:
        size = self.size(cards)
        passes = size.high > 0 and self._of_any(node, cards)
        if passes is False:
            return Heap((), ZERO)
        return Heap(cards.places, Interval(size.low if passes else 0, size.high))

    def _any_passes(self, node: n.Quantifier, cards: Heap | Groups) -> Truth:
        size = self.size(cards)
        if size.high <= 0:
            return node.every
        one = self._of_any(node, cards)
        return one if one is node.every or size.low > 0 else None

    def _of_any(self, node: n.Filter | n.Quantifier, cards: Heap | Groups) -> Truth:
        """Return whether a test holds of whatever card, or group, it is made."""
        like = cards.like if isinstance(cards, Groups) else self._any_of(cards)
        return self.bound(node.variable.slot, like).truth(node.test)

    # Changes --------------------------------------------------------------------------------

    def changed(self) -> StateOutline:
        """Return a copy for an action to change."""
        made = self.copy()
        made.acted = True
        return made

    def _snapshots(self, node: n.Node) -> list[Any]:
        if node.kind is ValueKind.CARD:
            return [OneCard(frozenset((place,))) for place in self.card(node).places]
        places = self.locations(node)
        return [place if place.real else self._regrouped(place) for place in places]

    def moved(self, node: n.Move, source: Location, target: Location) -> StateOutline:
        """Return the outline after a card was moved from one place to another."""
        made = self.changed()
        low, high = made.cards_on(source)
        made.cards[source] = Interval(max(low - 1, 0), high - 1)
        low, high = made.cards_on(target)
        made.cards[target] = Interval(low + 1, min(high + 1, len(self.program.cards)))
        for slot, value in made.env.items():
            made.env[slot] = _followed(value, source, target)
        if isinstance(node.card, n.Variable):
            made.env[node.card.slot] = OneCard(frozenset((target,)))
        return made

    def given(self, test: n.Node, *, holds: bool) -> StateOutline:
        """Return an outline narrowed by the outcome of a test, where that is easily done."""
        match test:
            case n.Not(test=inner):
                return self.given(inner, holds=not holds)
            case n.Logic(tests=tests, every=every) if every is holds:
                here = self
                for one in tests:
                    here = here.given(one, holds=holds)
                return here
            case n.Equal(left=left, right=right, negated=negated) if holds is not negated:
                if left.kind is ValueKind.INTEGER:
                    here = self._narrowed(left, self.integer(right))
                    return here._narrowed(right, here.integer(left))
            case n.Compare(left=left, right=right, operator=relation):
                relation = relation if holds else _OPPOSITE[relation]
                if relation in {">", ">="}:
                    left, right = right, left
                less = int(relation in {"<", ">"})
                low, high = self.integer(left).low, self.integer(right).high
                here = self._narrowed(left, Interval(ANY_INTEGER.low, high - less))
                return here._narrowed(right, Interval(low + less, ANY_INTEGER.high))
        return self

    def _narrowed(self, node: n.Node, within: Interval) -> StateOutline:
        """Return an outline in which a stored integer is also within some bounds."""
        cells = self.cells(node) if isinstance(node, n.Storage) else ()
        if len(cells) != 1:
            return self
        old = self._integer_at(cells[0])
        new = Interval(max(old.low, within.low), min(old.high, within.high))
        if new == old or new.low > new.high:
            return self
        made = self.copy()
        made.integers[cells[0]] = new
        return made


def _followed(value: Any, source: Location, target: Location) -> Any:
    """Return what a variable holds after some card has moved."""
    match value:
        case OneCard(places=places) if source in places:
            return OneCard(places | {target})
        case Groups(like=like):
            return Groups(_followed(like, source, target))
        case Heap(places=places, count=Interval()) if source in places:
            return replace(value, places=tuple(dict.fromkeys((*places, target))))
        case list():
            return [_followed(item, source, target) for item in value]
    return value


def _summed(worths: Iterable[Interval], size: Interval) -> Interval:
    """Return the bounds of the points of different cards, as many as `size` says."""
    lows = sorted(worth.low for worth in worths)
    highs = sorted((worth.high for worth in worths), reverse=True)
    most = min(size.high, len(lows))
    counts = range(min(max(size.low, 0), most), most + 1)
    return Interval(
        min(sum(lows[:count]) for count in counts), max(sum(highs[:count]) for count in counts)
    )


def _matches(attributes: Any, keys: Words, values: Words) -> Truth:
    """Return whether a card has one of some values under one of some keys, surely or perhaps."""
    if keys is None or values is None:
        return None
    hits = {attributes.get(key, "") == value for key in keys for value in values}
    return hits.pop() if len(hits) == 1 else None
