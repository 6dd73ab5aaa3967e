"""Abstract evaluation of forms that depend on hidden cards.

This evaluates conditions as the interpreter does, but on values that may be in doubt
(`cardwright.game.bounds`): abstract interpretation in the sense of Cousot and Cousot (1977). A
definite result holds in every world with the same open cards and stored values in which the assumed
cards lie where they are assumed to. Forms that it does not evaluate are in doubt.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, TypeAlias

from cardwright.game import abstract_items as collections
from cardwright.game import abstract_values as values
from cardwright.game.bounds import (
    DOUBT,
    Bag,
    Truth,
    either,
    kept,
    negation,
    some,
)
from cardwright.program import nodes as n
from cardwright.program.cards import OPEN_KINDS, CardId, Location, OwnerId
from cardwright.program.interval_arithmetic import Between
from cardwright.program.kinds import ValueKind
from cardwright.program.nodes import conceals

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.interpreter.world import World

    Forms: TypeAlias = dict[int, tuple[int, ...] | None]

_ORDER: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}


_ANYTHING = "nothing is known about its value: it is in doubt"
_GROUPS = "groups that depend on hidden cards are not formed: picks from them are in doubt"

LEFT_OUT: dict[type[n.Node], str] = {
    n.ErrorNode: "a program with errors is never played",
    n.Action: "what comes after an action in a step is not evaluated",
    n.Award: "point maps are read as they are in the world",
    n.Choice: "its steps are evaluated one by one, each for its own options",
    n.Stage: "it holds no conditions of an option",
    n.Fork: "it holds no conditions of an option",
    n.Random: "a draw can be anything",
    n.BestCard: "ties between cards are broken at random",
    n.Triangle: _ANYTHING,
    n.Fibonacci: _ANYTHING,
    n.Total: _ANYTHING,
    n.Position: _ANYTHING,
    n.Element: _ANYTHING,
    n.Sequence: _ANYTHING,
    n.EndRun: _ANYTHING,
    n.EachLocation: _GROUPS,
    n.Partition: _GROUPS,
    n.Runs: _GROUPS,
    n.Tuples: _GROUPS,
    n.Indexed: _GROUPS,
}
"""The classes of nodes that are not evaluated, with the reason: doubt is always safe."""


class AbstractWorld:
    """What everybody knows about a world, and some cards that are assumed to lie in one place.

    `env` holds the values of variables by slot, as `bound` gives them. `forms` caches what is found
    about the forms of a program; all abstract worlds of the program can share it.
    """

    def __init__(self, world: World, forms: Forms) -> None:
        self.world = world
        self.program = world.rules.program
        self.env: dict[int, Any] = {}
        self.unseen = tuple(
            CardId(card) for card, place in enumerate(world.where) if place.kind not in OPEN_KINDS
        )
        self._forms = forms
        self._results: dict[tuple[Any, ...], dict[CardId, Truth]] = {}
        self._place: Location | None = None
        self._cards: tuple[CardId, ...] = ()
        self._others = self.unseen
        self.consulted = False

    def assume(self, place: Location | None, cards: tuple[CardId, ...]) -> None:
        """Assume that some cards lie in a place, and nothing else about hidden cards.

        From here on `consulted` says whether anything depended on the cards of the place.
        """
        self._place, self._cards, self.consulted = place, cards, False
        self._others = tuple(card for card in self.unseen if card not in cards)

    # Locations ----------------------------------------------------------------------------

    def bag(self, node: n.Node) -> Bag:
        """Return the cards of a location."""
        match node:
            case n.Variable(slot=slot):
                found: Bag = self.env[slot]
                return found
            case n.Place():
                return self._named(node)
            case n.Filter() if node.kind is ValueKind.LOCATION:
                bag = self.bag(node.collection)
                return kept(bag, *self._tested(bag, node.variable, node.test))
            case n.Combine(operation=n.SetOperation.UNION) if self._single(node.parts):
                return self._union([self.bag(part) for part in node.parts])
            case n.Sort():
                return self.bag(node.location)._replace(ordered=False)
        return self.anything

    @property
    def anything(self) -> Bag:
        """Any cards at all."""
        every = tuple(card.id for card in self.program.cards)
        return Bag((), every, 0, 2 * len(every))

    def _single(self, parts: tuple[n.Node, ...]) -> bool:
        return all(part.kind is ValueKind.LOCATION for part in parts)

    def _union(self, parts: list[Bag]) -> Bag:
        return Bag(
            tuple(card for part in parts for card in part.sure),
            tuple(dict.fromkeys(card for part in parts for card in part.maybe)),
            sum(part.least for part in parts),
            sum(part.most for part in parts),
            all(part.ordered for part in parts),
        )

    def _named(self, node: n.Place) -> Bag:
        owner, name = values.owner(self, node.owner), values.text(self, node.name)
        index = Between(0, 0) if node.index is None else values.number(self, node.index)
        if owner is DOUBT or name is None or not index.sure:
            return self.anything
        return self.at(Location(OwnerId(owner), node.place, name, index.low))

    def at(self, location: Location) -> Bag:
        """Return the cards of a real location."""
        pile = self.world.piles.get(location)
        if pile is None or not pile.cards:
            return Bag((), ordered=True)
        if location.kind in OPEN_KINDS:
            return Bag(tuple(pile.cards), ordered=True)
        sure = self._cards if location == self._place else ()
        self.consulted |= location == self._place
        rest = len(pile.cards) - len(sure)
        return Bag(sure, self._others if rest else (), rest, rest)

    # Conditions ---------------------------------------------------------------------------

    def truth(self, node: n.Node) -> Truth:
        """Return whether a condition holds."""
        match node:
            case n.Equal():
                equal = self._equal(node)
                return negation(equal) if node.negated else equal
            case n.Logic(tests=tests, every=every):
                if every:
                    return negation(either(negation(self.truth(test)) for test in tests))
                return either(self.truth(test) for test in tests)
            case n.Compare():
                return self._compare(node)
            case n.Quantifier():
                return self._quantifier(node)
            case n.Not(test=test):
                return negation(self.truth(test))
            case n.Truth(value=value):
                return value
            case n.Variable(slot=slot):
                found: Truth = self.env[slot]
                return found
        return None

    def _compare(self, node: n.Compare) -> Truth:
        left, right = values.number(self, node.left), values.number(self, node.right)
        order = _ORDER[node.operator]
        ends = {order(a, b) for a in left for b in right}
        return ends.pop() if len(ends) == 1 else None

    def _equal(self, node: n.Equal) -> Truth:
        kind = node.left.kind
        if kind is ValueKind.INTEGER:
            left, right = values.number(self, node.left), values.number(self, node.right)
            if left.sure and right.sure:
                return left == right
            return None if left.low <= right.high and right.low <= left.high else False
        if kind is ValueKind.STRING:
            one, other = values.text(self, node.left), values.text(self, node.right)
            return None if one is None or other is None else one == other
        read = values.card if kind is ValueKind.CARD else values.owner
        first, second = read(self, node.left), read(self, node.right)
        return None if first is DOUBT or second is DOUBT else first == second

    def _quantifier(self, node: n.Quantifier) -> Truth:
        sign = negation if node.every else _same
        if node.collection.kind is ValueKind.LOCATION:
            bag = self.bag(node.collection)
            sure, maybe = self._tested(bag, node.variable, node.test)
            return sign(some(bag, map(sign, sure), map(sign, maybe)))
        items = collections.items(self, node.collection)
        if items is None:
            return None
        results = []
        for item in items:
            self.env[node.variable.slot] = item
            results.append(sign(self.truth(node.test)))
        return sign(either(results))

    def _tested(
        self, bag: Bag, variable: n.Variable, test: n.Node
    ) -> tuple[list[Truth], list[Truth]]:
        """Return the results of a test for the sure and the other cards of a bag."""
        outer = self._outer(test, variable)
        known: dict[CardId, Truth] = {}
        if outer is not None:
            key = (id(test), *(self.env[slot] for slot in outer))
            known = self._results.setdefault(key, known)
        slot = variable.slot

        def result(card: CardId) -> Truth:
            if card not in known:
                self.env[slot] = card
                known[card] = self.truth(test)
            return known[card]

        others = bag.maybe if bag.most else ()
        return [result(card) for card in bag.sure], [result(card) for card in others]

    def _outer(self, test: n.Node, variable: n.Variable) -> tuple[int, ...] | None:
        """Return the other variables on which a test depends; None if on hidden cards too.

        Without hidden cards its results hold whatever is assumed.
        """
        if id(test) not in self._forms:
            self._forms[id(test)] = _outer(test, variable)
        return self._forms[id(test)]


def _outer(test: n.Node, variable: n.Variable) -> tuple[int, ...] | None:
    used, inner = set(), {variable.slot}
    for node in n.walk(test):
        if conceals(node):
            return None
        if isinstance(node, n.Variable):
            used.add(node.slot)
        elif (bound := n.binds(node)) is not None:
            inner.add(bound.slot)
    return tuple(sorted(used - inner))


def _same(truth: Truth) -> Truth:
    return truth
