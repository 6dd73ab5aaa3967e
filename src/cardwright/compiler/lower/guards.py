"""Actions of which a few tests say beforehand that they break no rule, and that they do something.

Otherwise an action has to be carried out on a copy of the state to see that. The tests are made
before the first of the actions, so each is about what the ones before it leave alone; what they
need not decide exactly they do not: if a test fails, the actions are tried.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from cardwright.compiler.builder import (
    FALSE,
    TRUE,
    ZERO,
    add,
    both,
    call,
    compare,
    const,
    either,
    negate,
)
from cardwright.compiler.ir import Rel
from cardwright.compiler.lower import collections, piles
from cardwright.compiler.lower.values import LoweredPile
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.kinds import ValueKind
from cardwright.program.nodes import StatePart
from cardwright.program.places import families_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from cardwright.compiler import ir
    from cardwright.compiler.lower.lowering import Lowering
    from cardwright.program.places import LocationFamily

    Test: TypeAlias = Callable[[Lowering], ir.Expr]
    """A test of the state before the actions."""

_SMALL = 2**40
"""Bound of stored integers of which sums are certain to fit."""

_FITS = 2**62


@dataclass
class Guards:
    """The tests for some actions, and what is known of the state after those looked at so far."""

    low: Lowering
    tests: list[Test] = field(default_factory=list)
    forms: list[n.Node] = field(default_factory=list)
    """What the tests evaluate."""
    filled: set[Hashable] = field(default_factory=set)
    """The places on which a card was put, and from which none was taken since."""
    taken: set[LocationFamily | None] = field(default_factory=set)
    """The families from which cards were taken; None if from anywhere."""
    stored: set[str | None] = field(default_factory=set)
    turned: bool = False
    bound: set[int] = field(default_factory=set)
    """The variables that the actions themselves bind."""
    slots: int = 0
    """How many locations may need a slot of the pool."""
    looping: bool = False

    def mentions(self, slots: set[int]) -> bool:
        """Return whether a test depends on one of some variables."""
        return any(_mentions(form, slots) for form in self.forms)

    def holds(self, low: Lowering) -> ir.Expr:
        """Make the tests now."""
        held = _all(low, self.tests)
        if self.slots:
            free = low.b.let(call("free_places", low.board.base), "free")
            held = both(held, compare(Rel.GE, free, const(self.slots)))
        return low.b.let(held, "assured")

    # Steps --------------------------------------------------------------------------------

    def covers(self, node: n.Node) -> bool:
        """Add the tests for a step; return whether they are enough."""
        if self._covers(node):
            return True
        if not self.low.analysis.pure(node):
            return False
        self._changed(node)
        return True

    def _covers(self, node: n.Node) -> bool:
        match node:
            case n.Do(steps=steps):
                return all(map(self.covers, steps))
            case n.When():
                return self._when(node)
            case n.ForEach(choose=False, collection=collection, variable=variable, body=body):
                before, self.looping = self.looping, True
                self.bound.add(variable.slot)
                covered = self.low.analysis.pure(collection) and self.covers(body)
                self.looping = before
                return covered
            case n.Move(card=n.Variable() as card, target=target):
                return not self._is_reference(card) and self._moves(card, target)
            case n.Move(card=n.End(location=source), target=target):
                covers = not self.looping and self._has_cards(source)
                return covers and self._moves(source, target)
            case n.RepeatAll(action=n.Move(card=n.End(location=n.Place() as source)) as action):
                known = source.place is not LocationKind.MEMORY and self._place(source)
                return known and self._moves(source, action.target, always=False)
            case n.Remember(card=n.End(location=source), target=n.End(top=True, location=target)):
                return self._has_cards(source) and self._has_room(target)
            case n.Swap(left=n.Variable() as left, right=n.Variable() as right):
                self._changed(node)
                return not self._is_reference(left) and not self._is_reference(right)
            case n.Swap(left=n.Place() as left, right=n.Place() as right):
                filled = self._has_cards(left) and self._has_cards(right)
                self._changed(node)
                return filled and self._place(left) and self._place(right) and not self.looping
            case n.Increase(storage=n.Storage() as storage, amount=amount):
                now = self._size_of(storage)
                by = 1 if amount is None else self._size_of(amount)
                self.stored.add(_name(storage))
                return now is not None and by is not None and now + by * 2**20 < _FITS
            case n.Set(storage=n.Storage(storage=n.StorageKind.INTEGER) as storage, value=value):
                small = self._size_of(value) is not None and not self.low.analysis.fails(storage)
                self.stored.add(_name(storage))
                return small
        return False

    def _when(self, node: n.When) -> bool:
        """What follows a test matters only where it holds."""
        if not self.low.analysis.pure(node.test):
            return False
        before, self.tests = self.tests, []
        filled = set(self.filled)
        same = self._is_same(node.test)
        if not self.covers(node.body):
            return False
        inner, self.tests = self.tests, before
        self.filled &= filled
        if not same:
            self.tests += inner
        elif inner:

            def holds(low: Lowering) -> ir.Expr:
                return either(negate(low.holds(node.test)), _all(low, inner))

            self._require(holds, node.test)
        return True

    def _require(self, test: Test, *forms: n.Node) -> None:
        self.tests.append(test)
        self.forms += forms

    def _moves(self, source: n.Node, target: n.Node, *, always: bool = True) -> bool:
        """Note that a card is moved, or all are; return whether putting it breaks no rule."""
        self._takes(source)
        analysis = self.low.analysis
        match target:
            case n.End(location=n.Variable() as location):
                return analysis.is_real(location) and not self._is_reference(location)
            case n.End(location=n.Place(place=kind) as location):
                if kind is LocationKind.MEMORY or not self._place(location):
                    return False
                if always and not self.looping:
                    self.filled.add(n.key(location))
                return True
        return False

    def _takes(self, source: n.Node) -> None:
        """Note that cards are taken from a location, or that of a card in a variable."""
        self.filled.clear()
        self.taken |= _homes(self.low, source)

    # Locations ----------------------------------------------------------------------------

    def _is_reference(self, node: n.Node) -> bool:
        """Return whether a form may name a location of references, or a card there."""
        return LocationKind.MEMORY in self.low.analysis.kinds(node)

    def _has_cards(self, source: n.Node) -> bool:
        """Require that a location has a card when its turn comes."""
        if n.key(source) in self.filled and not _mentions(source, self.bound):
            return True
        if not self._keeps(source):
            return False
        self._require(lambda low: _has_any(low, source), source)
        return True

    def _has_room(self, target: n.Node) -> bool:
        """Require that a memory location can take some more references."""
        most = const(self.low.layout.capacity - 16)
        if (
            not isinstance(target, n.Place)
            or target.place is not LocationKind.MEMORY
            or self.looping
            or self.low.analysis.fails(target)
            or not self._is_same(target, counted=False)
        ):
            return False

        def room(low: Lowering) -> ir.Expr:
            held = low.location(target)
            return compare(Rel.LT, piles.length(low, held), most)

        self._require(room, target)
        return True

    def _keeps(self, source: n.Node) -> bool:
        """Return whether the steps so far take no card from a location, so that it can be tested.

        It must not be a reference, and mean the same as before.
        """
        analysis = self.low.analysis
        for place in n.walk(source):
            if isinstance(place, n.Place):
                named = _homes(self.low, place)
                if self.taken and (None in self.taken | named or self.taken & named):
                    return False
                if any(map(analysis.fails, n.children(place))):
                    return False
            elif (isinstance(place, n.Variable) and self.taken) or (
                not isinstance(place, n.Combine) and analysis.fails(place)
            ):
                return False
        return not self._is_reference(source) and self._is_same(source, counted=False)

    def _place(self, place: n.Place) -> bool:
        """Return whether a location can be found; it may need a slot of the pool."""
        if not self.low.analysis.pure(*n.children(place)):
            return False
        families = families_of(place, self.low.analysis)
        if families is None or any(
            family not in self.low.layout.places.bases for family in families
        ):
            self.slots += 1
            return not self.looping or not _mentions(place, self.bound)
        return True

    # Values -------------------------------------------------------------------------------

    def _size_of(self, node: n.Node) -> int | None:
        """Return a bound of an integer's absolute value, which a test may have to assure."""
        most, fails = self.low.analysis.bounds(node).size, self.low.analysis.fails(node)
        if most <= _SMALL and not fails:
            return most
        tested = self._tested_size(node)
        return most if tested is None and most < _FITS and not fails else tested

    def _tested_size(self, node: n.Node) -> int | None:
        """Return a bound of an integer's absolute value that a test assures."""
        match node:
            case n.Score(card=n.End(location=location)):
                worth = self.low.analysis.points_bound(node.points)
                return worth if worth is not None and self._has_cards(location) else None
            case n.Storage(storage=n.StorageKind.INTEGER):
                if self.low.analysis.fails(node) or not self._is_same(node):
                    return None

                def small(low: Lowering) -> ir.Expr:
                    raised = add(low.integer(node), const(_SMALL))
                    return compare(Rel.ULT, low.b.let(raised, "raised"), const(2 * _SMALL))

                self._require(small, node)
                return _SMALL
            case n.Arithmetic(operator=operator, operands=operands):
                sizes = [size for size in map(self._size_of, operands) if size is not None]
                if len(sizes) < len(operands):
                    return None
                if operator is n.Operator.MULTIPLY:
                    most = prod(max(size, 1) for size in sizes)
                elif operator in {n.Operator.ADD, n.Operator.SUBTRACT}:
                    most = sum(sizes)
                else:
                    return None
                return most if most < _FITS else None
        return None

    # What is still as before --------------------------------------------------------------

    def _is_same(self, node: n.Node, *, counted: bool = True) -> bool:
        """Return whether a form that is evaluated before the actions means the same later.

        Which cards lie in the locations that it names matters unless `counted` is false.
        """
        if _mentions(node, self.bound):
            return False
        for inner in n.walk(node):
            if isinstance(inner, n.Storage) and self.stored:
                name = _name(inner)
                if name is None or None in self.stored or name in self.stored:
                    return False
            if self.turned and inner.traits.reads & StatePart.TURNS:
                return False
            if self.taken and isinstance(inner, n.OwnerOf):
                return False
            place = inner.kind is ValueKind.LOCATION and self.low.analysis.is_real(inner)
            if place and self.taken and counted:
                return False
        return True

    def _changed(self, node: n.Node) -> None:
        """Note what a step that breaks no rule may change."""
        for inner in n.walk(node):
            match inner:
                case n.Move(card=n.Variable() as card):
                    self._takes(card)
                case n.Set(storage=n.Storage(name=n.Text(value=name))):
                    self.stored.add(name)
                case _:
                    writes = inner.traits.writes
                    if writes & (StatePart.CARDS | StatePart.HOLDERS):
                        self.filled.clear()
                        self.taken.add(None)
                    if writes & StatePart.STORED:
                        self.stored.add(None)
                    if writes & StatePart.TURNS:
                        self.turned = True
            variable = n.binds(inner)
            if variable is not None:
                self.bound.add(variable.slot)


def _name(storage: n.Storage) -> str | None:
    return storage.name.value if isinstance(storage.name, n.Text) else None


def _mentions(node: n.Node, slots: set[int]) -> bool:
    return any(isinstance(part, n.Variable) and part.slot in slots for part in n.walk(node))


def _has_any(low: Lowering, node: n.Node) -> ir.Expr:
    """Return whether a location has cards."""
    if isinstance(node, n.Combine) and _is_union_of_cards(node):
        any_: ir.Expr = FALSE
        for part in node.parts:
            any_ = either(any_, low.b.let(_has_any(low, part), "some"))
        return any_
    if isinstance(node, n.Place | n.Variable):
        held = low.location(node)
        if isinstance(held, LoweredPile):
            return negate(piles.is_empty(low, held))
    return compare(Rel.GT, collections.size(low, node), ZERO)


def _is_union_of_cards(node: n.Combine) -> bool:
    """Return whether a form is the union of some locations, and not of a collection of them."""
    union = node.operation is n.SetOperation.UNION
    return union and all(part.kind is ValueKind.LOCATION for part in node.parts)


def _all(low: Lowering, tests: list[Test]) -> ir.Expr:
    all_: ir.Expr = TRUE
    for test in tests:
        with low.scratch():
            all_ = low.b.let(both(all_, test(low)), "assured")
    return all_


def _homes(low: Lowering, node: n.Node) -> set[LocationFamily | None]:
    """Return the families where cards of a location, of a group or in a variable can lie."""
    if isinstance(node, n.Place):
        return {*(families_of(node, low.analysis) or (None,))}
    if isinstance(node, n.Variable):
        return _homes(low, low.program.bound_to(node))
    sources = n.card_sources(node)
    return {home for source in sources for home in _homes(low, source)} or {None}


def find_guards(low: Lowering, leaf: n.Node) -> Guards | None:
    """Return the tests that say that actions break no rule; None if no tests can.

    Whether they do something has to be clear too, or to be tested beforehand (`acts`).
    """
    if low.analysis.draws(leaf) or low.counts(*n.walk(leaf)) or acts(low, leaf) is None:
        return None
    guards = Guards(low)
    return guards if guards.covers(leaf) else None


def acts(low: Lowering, node: n.Node) -> Callable[[Lowering], ir.Expr] | None:
    """Return how to test whether actions do something, before they are done; None if it is hard.

    As long as no step did anything, all is as it was.
    """
    if low.analysis.always_acts(node):
        return lambda _: TRUE
    match node:
        case n.Do(steps=steps):
            tests = [test for test in (acts(low, step) for step in steps) if test is not None]
            return None if len(tests) < len(steps) else lambda low: _any(low, tests)
        case n.When(test=test, body=body) if low.analysis.pure(test):
            if (inner := acts(low, body)) is not None:
                return lambda low: both(low.holds(test), inner(low))
    return None


def _any(low: Lowering, tests: list[Callable[[Lowering], ir.Expr]]) -> ir.Expr:
    result: ir.Expr = FALSE
    for test in tests:
        with low.scratch():
            result = low.b.let(either(result, test(low)), "acts")
    return result
