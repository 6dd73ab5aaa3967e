"""Rounds: the loops of a program that can be so long that their iterations are counted in play.

A game that goes on without a decision is abandoned after a number of steps. Blocks and tests of the
ends of stages count as steps. The rounds of a loop have to be counted one by one, so only loops
that might keep the game busy are counted. Which these are follows from the program's text and the
numbers of players, teams and cards alone, so that it is the same for every engine.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.integers import PASSES
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import (
    FEW_ROUNDS,
    FEW_WITHIN,
    MOST_BITS,
    MOST_CARDS,
    MOST_ITEMS,
    MOST_REPEATS,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cardwright.program.program import Program

_MANY = 1 << 62


class Rounds:
    """The loops of one program whose rounds are counted.

    `bound(form)` is the most rounds that one evaluation can make in any state of the game. A round
    is an item of `all`, `any`, a filter, a sum over items, a test for all or any, or a set of
    locations; one repetition of a `repeat`; a group that `subsets`, `tuples` or `runs` make. After
    an `any` in an option, everything that follows is done for each item.

    Engines count loops beyond a `few` rounds. Who measures the work of a game counts them all: 0.
    """

    def __init__(
        self, program: Program, few: int = FEW_ROUNDS, few_within: int = FEW_WITHIN
    ) -> None:
        self._program = program
        self._few, self._few_within = few, few_within
        self._binders: dict[int, n.Node] = {}
        for node in program.nodes():
            if (variable := n.binds(node)) is not None:
                self._binders[variable.slot] = node
        self._bounds: dict[int, int] = {}
        self._sizes: dict[int, int] = {}
        self._path_counts: dict[int, int] = {}
        self._counted: set[int] = set()
        self._choosing = _choosing(program)
        for item in _evaluated(program):
            self._mark(item)

    def counted(self, node: n.Node) -> bool:
        """Return whether the rounds that a form makes are counted."""
        return id(node) in self._counted

    @property
    def any_counted(self) -> bool:
        """Whether rounds of any form are counted."""
        return bool(self._counted)

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
        if not isinstance(node, n.Filter):
            return False
        groups = n.unfiltered(node)
        made = isinstance(groups, n.Subsets | n.Runs | n.Tuples)
        return made and self.bound(groups) > self._few_within

    # How many rounds ----------------------------------------------------------------------

    def bound(self, node: n.Node) -> int:
        """Return the most rounds that one evaluation of a form can make."""
        found = self._bounds.get(id(node))
        if found is None:
            found = self._bounds[id(node)] = min(self._rounds(node), _MANY)
        return found

    def _rounds(self, node: n.Node) -> int:
        match node:
            case n.Do(steps=steps):
                total, paths = 0, 1
                for step in steps:
                    total += paths * self.bound(step)
                    paths *= self._paths(step)
                return total
            case n.ForEach(collection=collection, body=body):
                times = _series(self._paths(body), self.items(collection), choose=node.choose)
                return self.bound(collection) + times * (1 + self.bound(body))
            case n.Repeat(count=count, action=action):
                times = count.value if isinstance(count, n.Number) else MOST_REPEATS
                return self.bound(count) + times * (1 + self.bound(action))
            case n.RepeatAll(action=action):
                times = self.cards(_named(action))
                return self.bound(action) + times * (1 + self.bound(action))
            case n.Subsets() | n.Runs() | n.Tuples():
                return self._within(node) + self._groups(node)
        evaluated = _body(node)
        if evaluated is None:
            return _MANY if node.traits.loops else self._within(node)
        gone_through = node.collection  # type: ignore[attr-defined]
        within = self.items(gone_through) * (1 + self.bound(evaluated))
        return self.bound(gone_through) + within

    def _within(self, node: n.Node) -> int:
        return sum(map(self.bound, n.children(node)))

    def _paths(self, node: n.Node) -> int:
        """Return the number of paths through a step of a choice, one for each series of picks."""
        if id(node) not in self._choosing:
            return 1
        found = self._path_counts.get(id(node))
        if found is None:
            found = self._path_counts[id(node)] = self._count_paths(node)
        return found

    def _count_paths(self, node: n.Node) -> int:
        match node:
            case n.Do(steps=steps):
                paths = 1
                for step in steps:
                    paths = min(paths * self._paths(step), _MANY)
                return paths
            case n.When(body=body) | n.Let(body=body):
                return self._paths(body)
            case n.ForEach(collection=collection, body=body, choose=choose):
                within, items = self._paths(body), self.items(collection)
                if choose:
                    return min(max(1, items) * within, _MANY)
                return _power(within, items)
        return _MANY

    def _groups(self, node: n.Subsets | n.Runs | n.Tuples) -> int:
        """Return how many groups a form makes at most."""
        cards = self.cards(node.location)
        if isinstance(node, n.Subsets) and isinstance(node.size, n.Number):
            passes, wanted, few = PASSES[node.operator], node.size.value, min(cards, MOST_BITS)
            ways = sum(comb(few, size) for size in range(few + 1) if passes(size, wanted))
            return min(ways, MOST_ITEMS)
        return min(1 << min(cards, 20), MOST_ITEMS)

    # How many items -----------------------------------------------------------------------

    def items(self, node: n.Node) -> int:
        """Return the most items that a collection can have."""
        match node:
            case n.Filter(collection=collection):
                return self.items(collection)
            case n.Everyone():
                return len(self._program.teams) if node.kind is ValueKind.TEAMS else self._players
            case n.Strings(values=values):
                return len(values)
            case n.Range(low=n.Number(value=low), high=n.Number(value=high)):
                return min(max(0, high - low + 1), MOST_ITEMS)
            case n.EachLocation(collection=collection):
                return self.items(collection)
            case n.Partition():
                return self.members(node)
            case n.Subsets() | n.Runs() | n.Tuples():
                return self._groups(node)
        if node.kind is ValueKind.LOCATION:
            return self.cards(node)
        if node.kind is ValueKind.TEAM:
            return self._players
        if isinstance(node, n.Variable):
            return self._bound_to(node, self.items)
        return MOST_ITEMS

    def cards(self, node: n.Node) -> int:
        """Return the most cards that a location can have."""
        match node:
            case n.Place(place=kind):
                return self._pile(kind)
            case n.Filter(collection=inner):
                return self.cards(inner)
            case n.Sequence(location=inner) | n.EndRun(location=inner) | n.Sort(location=inner):
                return self.cards(inner)
            case n.Combine(parts=parts):
                return self._together(parts)
            case n.Element(locations=inner):
                return self.members(inner)
            case n.Variable():
                return self._bound_to(node, self.cards)
        return MOST_CARDS

    def members(self, node: n.Node) -> int:
        """Return the most cards that an element of a set of locations can have."""
        match node:
            case n.EachLocation(location=inner) | n.Subsets(location=inner):
                return self.cards(inner)
            case n.Runs(location=inner) | n.Tuples(location=inner):
                return self.cards(inner)
            case n.Partition(parts=parts):
                return self._together(parts)
            case n.Indexed(place=kind):
                return self._pile(kind)
            case n.Filter(collection=inner):
                return self.members(inner)
            case n.Variable():
                return self._bound_to(node, self.members)
        return MOST_CARDS

    @property
    def _players(self) -> int:
        return self._program.players

    def _pile(self, kind: LocationKind) -> int:
        cards = len(self._program.cards)
        return 2 * cards if kind is LocationKind.MEMORY else cards

    def _together(self, parts: tuple[n.Node, ...]) -> int:
        total = 0
        for part in parts:
            one = part.kind is ValueKind.LOCATION
            total += self.cards(part) if one else self.items(part) * self.members(part)
        return min(total, MOST_CARDS)

    def _bound_to(self, variable: n.Variable, size: Callable[[n.Node], int]) -> int:
        """Return the size of what a variable denotes; it is computed once."""
        key = variable.slot
        found = self._sizes.get(key)
        if found is None:
            binder = self._binders[key]
            if isinstance(binder, n.Let):
                found = size(binder.value)
            else:
                found = self.members(binder.collection)  # type: ignore[attr-defined]
            self._sizes[key] = found
        return found


def _series(paths: int, items: int, *, choose: bool) -> int:
    """Return how often the body of a loop is run: in an option, once for each path to it."""
    if choose or paths == 1:
        return items
    return (_power(paths, items) - 1) // (paths - 1)


def _power(base: int, exponent: int) -> int:
    """Return a power, capped at the largest number that matters here."""
    if base <= 1:
        return base
    power: int = base ** min(exponent, _MANY.bit_length())
    return min(power, _MANY)


def _named(action: n.Node) -> n.Node:
    """Return the location from which a move or a forget takes all cards."""
    assert isinstance(action, n.Move | n.Forget)
    card = action.card
    while isinstance(card, n.Actual):
        card = card.card
    location: n.Node = card.location  # type: ignore[attr-defined]
    return location


def _body(node: n.Node) -> n.Node | None:
    """Return what a form other than a step evaluates for each item of its collection."""
    match node:
        case n.Filter(test=body) | n.Quantifier(test=body):
            return body
        case n.Total(value=body) | n.EachLocation(location=body):
            return body
    return None


def _evaluated(program: Program) -> Iterator[n.Node]:
    """Yield what a game does and evaluates: blocks, ends of stages, steps of choices, the score."""
    pending = list(program.items)
    while pending:
        item = pending.pop()
        match item:
            case n.Stage(end=end, items=items):
                yield end
                pending += items
            case n.Fork(test=test):
                yield test
                pending += item.ways
            case n.Choice(steps=steps):
                yield from steps
            case _:
                yield item
    yield program.score


def _choosing(program: Program) -> set[int]:
    """Return the steps, by their identity, that contain an `any` that makes options."""
    found: set[int] = set()

    def walk(node: n.Node) -> bool:
        inner = [walk(child) for child in n.children(node)]
        own = isinstance(node, n.ForEach) and node.choose
        if own or any(inner):
            found.add(id(node))
            return True
        return False

    for item in program.items:
        walk(item)
    return found
