"""Rounds: the loops of a program that can be so long that their iterations are counted in play.

A game that goes on without a decision is abandoned after a number of steps. Blocks and tests of the
ends of stages count as steps. The rounds of a loop have to be counted one by one, so only loops
that might keep the game busy are counted. Which these are follows from the program's text and the
numbers of players, teams and cards alone, so that it is the same for every engine.
"""

from __future__ import annotations

from math import comb, prod
from typing import TYPE_CHECKING, NamedTuple

from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.integers import PASSES
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_BITS, MOST_CARDS, MOST_ITEMS, MOST_REPEATS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_MANY = 1 << 62


class Counts(NamedTuple):
    """How many players, teams and cards a game has."""

    players: int
    teams: int
    cards: int


class Rounds:
    """The loops of one program whose rounds are counted.

    `bound(form)` is the most rounds that one evaluation can make in any state of the game. A round
    is an item of `all`, `any`, a filter, a sum over items, a test for all or any, or a set of
    locations; one repetition of a `repeat`; a group that `subsets`, `tuples` or `runs` make. After
    an `any` in an option, everything that follows is done for each item.

    Engines count loops beyond a `few` rounds. Who measures the work of a game counts them all: 0.
    """

    def __init__(
        self,
        items: Iterable[n.Node],
        binders: Mapping[int, n.Node],
        counts: Counts,
        few: int,
        few_within: int,
    ) -> None:
        self._binders = binders
        self._counts = counts
        self._few, self._few_within = few, few_within
        self._bounds: dict[int, int] = {}
        self._sizes: dict[int, int] = {}
        self._path_counts: dict[int, int] = {}
        self._counted: set[int] = set()
        self._choosing: set[int] = set()
        evaluated = list(_evaluated(items))
        for root in evaluated:
            self._find_choosing(root)
        for root in evaluated:
            self._mark(root)

    def counted(self, node: n.Node) -> bool:
        """Return whether the rounds that a form makes are counted."""
        return id(node) in self._counted

    @property
    def any_counted(self) -> bool:
        """Whether rounds of any form are counted."""
        return bool(self._counted)

    def _find_choosing(self, node: n.Node) -> bool:
        """Find the steps, by their identity, that contain an `any` that makes options."""
        inner = [self._find_choosing(child) for child in n.children(node)]
        if any(inner) or (isinstance(node, n.ForEach) and node.choose):
            self._choosing.add(id(node))
            return True
        return False

    # Which loops --------------------------------------------------------------------------

    def _mark(self, root: n.Node) -> None:
        """Mark the loops of a form that can make more than a few rounds, and most loops in them."""
        pending = [(root, self._few)]
        while pending:
            node, few = pending.pop()
            # After an `any`, the rest of a choice's step is explored for each of its items.
            chooses = id(node) in self._choosing
            if self.bound(node) <= few and not (chooses and few == self._few_within):
                continue
            if chooses or node.traits.loops:
                few = self._few_within
            if node.traits.loops and not self._filters_groups(node):
                self._counted.add(id(node))
            pending += [(inner, few) for inner in n.children(node)]

    def _filters_groups(self, node: n.Node) -> bool:
        """Return whether a form iterates over groups that are counted as they are made."""
        groups = n.unfiltered(node)
        made = isinstance(node, n.Filter) and isinstance(groups, n.Subsets | n.Runs | n.Tuples)
        return made and self.bound(groups) > self._few_within

    # How many rounds ----------------------------------------------------------------------

    def bound(self, node: n.Node) -> int:
        """Return the most rounds that one evaluation of a form can make."""
        if id(node) not in self._bounds:
            self._bounds[id(node)] = min(self._rounds(node), _MANY)
        return self._bounds[id(node)]

    def _rounds(self, node: n.Node) -> int:
        match node:
            case n.Do(steps=steps):
                total, paths = 0, 1
                for step in steps:
                    total += paths * self.bound(step)
                    paths *= self._paths(step)
                return total
            case n.ForEach(collection=collection, body=body):
                times, paths = self.items(collection), self._paths(body)
                if not node.choose and paths > 1:  # an option for each series of picks
                    times = (_power(paths, times) - 1) // (paths - 1)
                return self.bound(collection) + times * (1 + self.bound(body))
            case n.Repeat(count=count, action=action):
                times = count.value if isinstance(count, n.Number) else MOST_REPEATS
                return self.bound(count) + times * (1 + self.bound(action))
            case n.RepeatAll(action=action):
                return self.bound(action) + self._repeats(action) * (1 + self.bound(action))
            case n.Subsets() | n.Runs() | n.Tuples():
                return self._within(node) + self._groups(node)
            case (
                n.Filter(collection=collection, test=body)
                | n.Quantifier(collection=collection, test=body)
                | n.Total(collection=collection, value=body)
                | n.EachLocation(collection=collection, location=body)
            ):
                return self.bound(collection) + self.items(collection) * (1 + self.bound(body))
        return _MANY if node.traits.loops else self._within(node)

    def _within(self, node: n.Node) -> int:
        return sum(map(self.bound, n.children(node)))

    def _repeats(self, action: n.Node) -> int:
        """Return how often a move, or a forget, is done for all cards of a location."""
        assert isinstance(action, n.Move | n.Forget)
        (location,) = n.card_sources(n.unwrapped(action.card))
        return self.cards(location)

    def _paths(self, node: n.Node) -> int:
        """Return the number of paths through a step of a choice, one for each series of picks."""
        if id(node) not in self._choosing:
            return 1
        if id(node) not in self._path_counts:
            self._path_counts[id(node)] = min(self._count_paths(node), _MANY)
        return self._path_counts[id(node)]

    def _count_paths(self, node: n.Node) -> int:
        match node:
            case n.Do(steps=steps):
                return prod(map(self._paths, steps))
            case n.When(body=body) | n.Let(body=body):
                return self._paths(body)
            case n.ForEach(collection=collection, body=body, choose=choose):
                within, items = self._paths(body), self.items(collection)
                return max(1, items) * within if choose else _power(within, items)
        return _MANY

    def _groups(self, node: n.Subsets | n.Runs | n.Tuples) -> int:
        """Return how many groups a form makes at most."""
        cards = self.cards(node.location)
        if isinstance(node, n.Subsets) and isinstance(node.size, n.Number):
            few, wanted = min(cards, MOST_BITS), node.size.value
            sizes = (size for size in range(few + 1) if PASSES[node.operator](size, wanted))
            return min(sum(comb(few, size) for size in sizes), MOST_ITEMS)
        return min(1 << min(cards, 20), MOST_ITEMS)

    # How many items -----------------------------------------------------------------------

    def items(self, node: n.Node) -> int:
        """Return the most items that a collection can have."""
        match node:
            case n.Filter(collection=collection) | n.EachLocation(collection=collection):
                return self.items(collection)
            case n.Everyone(kind=ValueKind.TEAMS):
                return self._counts.teams
            case n.Everyone():
                return self._counts.players
            case n.Strings(values=values):
                return len(values)
            case n.Range(low=n.Number(value=low), high=n.Number(value=high)):
                return min(max(0, high - low + 1), MOST_ITEMS)
            case n.Partition():
                return self.cards(node)
            case n.Subsets() | n.Runs() | n.Tuples():
                return self._groups(node)
        if node.kind is ValueKind.LOCATION:
            return self.cards(node)
        if node.kind is ValueKind.TEAM:
            return self._counts.players
        if isinstance(node, n.Variable):
            return self.items(n.bound_form(self._binders[node.slot]))
        return MOST_ITEMS

    def cards(self, node: n.Node) -> int:
        """Return the most cards that a location, or one of a set of locations, can have."""
        match node:
            case n.Place(place=kind) | n.Indexed(place=kind):
                return self._counts.cards * (2 if kind is LocationKind.MEMORY else 1)
            case n.Variable(slot=slot):
                if slot not in self._sizes:
                    self._sizes[slot] = self.cards(n.bound_form(self._binders[slot]))
                return self._sizes[slot]
            case n.Combine(parts=parts) | n.Partition(parts=parts):
                return min(sum(map(self._part, parts)), MOST_CARDS)
        return min(map(self.cards, n.card_sources(node)), default=MOST_CARDS)

    def _part(self, node: n.Node) -> int:
        """Return the most cards that a location, or all of a set of locations, can have."""
        return self.cards(node) * (1 if node.kind is ValueKind.LOCATION else self.items(node))


def _power(base: int, exponent: int) -> int:
    """Return a power, capped at the largest number that matters here."""
    if base <= 1:
        return base
    return min(int(base ** min(exponent, _MANY.bit_length())), _MANY)


def _evaluated(items: Iterable[n.Node]) -> Iterator[n.Node]:
    """Yield what a game does and evaluates: blocks, ends of stages, steps of choices."""
    for item in items:
        match item:
            case n.Stage(end=end, items=inner):
                yield end
                yield from _evaluated(inner)
            case n.Fork(test=test):
                yield test
                yield from _evaluated(item.ways)
            case n.Choice(steps=steps):
                yield from steps
            case _:
                yield item
