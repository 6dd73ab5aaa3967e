"""Actions of which a few tests say beforehand that they break no rule, and that they do something.

Otherwise an action has to be carried out on a copy of the state to see that. The tests are made
before the first of the actions, so each is about what the ones before it leave alone; what they
need not decide exactly they do not: if a test fails, the actions are tried.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

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
from cardwright.compiler.keys import key
from cardwright.compiler.lower import collections, options, piles
from cardwright.compiler.lower.values import LoweredPile
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_REPEATS
from cardwright.program.nodes import StatePart
from cardwright.program.places import families_of

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from cardwright.compiler import ir
    from cardwright.compiler.lower.lowering import Lowering
    from cardwright.program.places import LocationFamily

_SMALL = 2**40
"""Bound of stored integers of which sums are certain to fit."""

_FITS = 2**62


@dataclass(frozen=True)
class _Test:
    """A test of the state before the actions, and the form that it evaluates."""

    form: n.Node | None
    holds: Callable[[Lowering], ir.Expr]


@dataclass
class Assurance:
    """The tests for some actions, and what is known of the state after those looked at so far."""

    low: Lowering
    tests: list[_Test] = field(default_factory=list)
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

    # Steps --------------------------------------------------------------------------------

    def covers(self, node: n.Node) -> bool:
        """Add the tests for a step; return whether they are enough."""
        analysis = self.low.analysis
        found = self._covers(node)
        if not found and not analysis.fails(node) and not analysis.draws(node):
            found = True
            self._changed(node)
        return found

    def _covers(self, node: n.Node) -> bool:
        match node:
            case n.Do(steps=steps):
                return all(map(self.covers, steps))
            case n.When():
                return self._when(node)
            case n.ForEach(choose=False):
                return self._each(node)
            case n.Move():
                return self._move(node)
            case n.RepeatAll(action=n.Move(card=n.End(location=n.Place())) as action):
                return self._every(action)
            case n.RepeatAll(action=n.Forget(card=n.End(location=n.Place(place=kind)) as card)):
                self._takes(card.location)
                return kind is LocationKind.MEMORY and self._place(card.location)
            case n.Repeat(action=n.Move(card=n.End(location=n.Place())) as action):
                return self._repeat(node, action)
            case n.Remember(card=n.End(location=source), target=n.End(top=True, location=target)):
                return self._has_cards(source) and self._has_room(target)
            case n.Remember(card=n.Variable(), target=n.End(top=True, location=target)):
                return self._has_room(target)
            case n.Swap(left=n.Variable() as left, right=n.Variable() as right):
                self._changed(node)
                kinds = self.low.analysis.kinds(left) | self.low.analysis.kinds(right)
                return LocationKind.MEMORY not in kinds
            case n.Swap(left=n.Place() as left, right=n.Place() as right):
                found = self._has_cards(left) and self._has_cards(right)
                self._changed(node)
                return found and self._place(left) and self._place(right) and not self.looping
            case n.Increase():
                return self._increase(node)
            case n.Set(storage=n.Storage(storage=n.StorageKind.INTEGER, name=name)):
                found = self._size_of(node.value) is not None and not self._fails_within(node)
                self.stored.add(name.value if isinstance(name, n.Text) else None)
                return found
        return False

    def _fails_within(self, node: n.Set) -> bool:
        assert isinstance(node.storage, n.Storage)
        return self.low.analysis.fails(node.storage)

    def _when(self, node: n.When) -> bool:
        """What follows a test matters only where it holds."""
        analysis = self.low.analysis
        if not analysis.pure(node.test):
            return False
        before, filled = self.tests, set(self.filled)
        same = self._is_same(node.test)
        self.tests = []
        if not self.covers(node.body):
            return False
        inner, self.tests = self.tests, before
        self.filled &= filled
        if not same:
            self.tests += inner
        elif inner:

            def holds(low: Lowering) -> ir.Expr:
                return either(negate(low.holds(node.test)), _all(low, inner))

            self.tests.append(_Test(node.test, holds))
            self.tests += [_Test(test.form, lambda _: TRUE) for test in inner]
        return True

    def _each(self, node: n.ForEach) -> bool:
        analysis = self.low.analysis
        if analysis.fails(node.collection) or analysis.draws(node.collection):
            return False
        before = self.looping
        self.looping = True
        self.bound.add(node.variable.slot)
        found = self.covers(node.body)
        self.looping = before
        return found

    def _move(self, node: n.Move) -> bool:
        match node.card:
            case n.Variable():
                if LocationKind.MEMORY in self.low.analysis.kinds(node.card):
                    return False
                self._takes(node.card)
            case n.End(location=source):
                if self.looping or not self._has_cards(source):
                    return False
                self._takes(source)
            case _:
                return False
        return self._puts(node.target)

    def _every(self, action: n.Move) -> bool:
        assert isinstance(action.card, n.End)
        source = action.card.location
        assert isinstance(source, n.Place)
        if source.place is LocationKind.MEMORY or not self._place(source):
            return False
        self._takes(source)
        return self._puts(action.target, always=False)

    def _repeat(self, node: n.Repeat, action: n.Move) -> bool:
        assert isinstance(action.card, n.End)
        source, count = action.card.location, node.count
        analysis = self.low.analysis
        few = analysis.bounds(count)[1] <= MOST_REPEATS
        if self.looping or not few or not analysis.pure(count, source) or not self._is_same(count):
            return False
        if not self._keeps(source):
            return False

        def enough(low: Lowering) -> ir.Expr:
            held = low.location(source)
            rounds = low.b.let(low.integer(count), "rounds")
            return compare(Rel.LE, rounds, piles.length(low, held))

        self.tests.append(_Test(count, enough))
        self.tests.append(_Test(source, lambda _: TRUE))
        self._takes(source)
        return self._puts(action.target, always=False)

    def _increase(self, node: n.Increase) -> bool:
        now = self._size_of(node.storage)
        amount = 1 if node.amount is None else self._size_of(node.amount)
        assert isinstance(node.storage, n.Storage)
        name = node.storage.name
        self.stored.add(name.value if isinstance(name, n.Text) else None)
        return now is not None and amount is not None and now + amount * 2**20 < _FITS

    # Cards --------------------------------------------------------------------------------

    def _has_cards(self, source: n.Node) -> bool:
        """Require that a location has a card when its turn comes."""
        if key(source) in self.filled and not self._mentions_bound(source):
            return True
        if not self._keeps(source):
            return False

        self.tests.append(_Test(source, lambda low: _has_any(low, source)))
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
        kinds = analysis.kinds(source)
        return LocationKind.MEMORY not in kinds and self._is_same(source, counted=False)

    def _puts(self, target: n.Node, *, always: bool = True) -> bool:
        """Note that a card is put somewhere; return whether that breaks no rule."""
        if isinstance(target, n.End) and isinstance(target.location, n.Variable):
            kinds = self.low.analysis.kinds(target.location)
            return self.low.analysis.is_real(target.location) and LocationKind.MEMORY not in kinds
        if not isinstance(target, n.End) or not isinstance(target.location, n.Place):
            return False
        if target.location.place is LocationKind.MEMORY or not self._place(target.location):
            return False
        if always and not self.looping:
            self.filled.add(key(target.location))
        return True

    def _place(self, place: n.Node) -> bool:
        """Return whether a location can be found; it may need a slot of the pool."""
        assert isinstance(place, n.Place)
        analysis = self.low.analysis
        if any(analysis.fails(inner) or analysis.draws(inner) for inner in n.children(place)):
            return False
        families = families_of(place, analysis)
        if families is None or any(one not in self.low.layout.places.bases for one in families):
            self.slots += 1
            return not self.looping or not self._mentions_bound(place)
        return True

    def _has_room(self, target: n.Node) -> bool:
        """Require that a memory location can take some more references."""
        if not isinstance(target, n.Place) or target.place is not LocationKind.MEMORY:
            return False
        most = const(self.low.layout.capacity - 16)
        if (
            self.looping
            or self.low.analysis.fails(target)
            or not self._is_same(target, counted=False)
        ):
            return False

        def room(low: Lowering) -> ir.Expr:
            held = low.location(target)
            return compare(Rel.LT, piles.length(low, held), most)

        self.tests.append(_Test(target, room))
        return True

    def _takes(self, source: n.Node) -> None:
        """Note that cards are taken from a location, or that of a card in a variable."""
        self.filled.clear()
        self.taken |= _homes(self.low, source)

    # Values -------------------------------------------------------------------------------

    def _size_of(self, node: n.Node) -> int | None:
        """Return a bound of an integer's absolute value, which a test may have to assure."""
        low, high = self.low.analysis.bounds(node)
        most, fails = max(-low, high), self.low.analysis.fails(node)
        if most <= _SMALL and not fails:
            return most
        tested = self._tested_size(node)
        if tested is not None:
            return tested
        return most if most < _FITS and not fails else None

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

                self.tests.append(_Test(node, small))
                return _SMALL
            case n.Arithmetic(operator=operator, operands=operands):
                sizes = [self._size_of(operand) for operand in operands]
                known = [size for size in sizes if size is not None]
                if len(known) < len(sizes):
                    return None
                total = sum(known)
                if operator is n.Operator.MULTIPLY:
                    total = 1
                    for size in known:
                        total *= max(size, 1)
                elif operator not in {n.Operator.ADD, n.Operator.SUBTRACT}:
                    return None
                return total if total < _FITS else None
        return None

    # What is still as before --------------------------------------------------------------

    def _is_same(self, node: n.Node, *, counted: bool = True) -> bool:
        """Return whether a form that is evaluated before the actions means the same later.

        Which cards lie in the locations that it names matters unless `counted` is false.
        """
        if self._mentions_bound(node):
            return False
        for inner in n.walk(node):
            if isinstance(inner, n.Storage) and self.stored:
                name = inner.name.value if isinstance(inner.name, n.Text) else None
                if name is None or None in self.stored or name in self.stored:
                    return False
            reads = inner.traits.reads
            if self.turned and reads & StatePart.TURNS:
                return False
            if isinstance(inner, n.OwnerOf) and self.taken:
                return False
            place = inner.kind is ValueKind.LOCATION and self.low.analysis.is_real(inner)
            if place and self.taken and counted:
                return False
        return True

    def _mentions_bound(self, node: n.Node) -> bool:
        return any(isinstance(one, n.Variable) and one.slot in self.bound for one in n.walk(node))

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

    # The result ---------------------------------------------------------------------------

    def mentions(self, slots: set[int]) -> bool:
        """Return whether a test depends on one of some variables."""
        return any(
            isinstance(one, n.Variable) and one.slot in slots
            for test in self.tests
            if test.form is not None
            for one in n.walk(test.form)
        )

    def holds(self, low: Lowering) -> ir.Expr:
        """Make the tests now."""
        found = _all(low, self.tests)
        if self.slots:
            free = low.b.let(call("free_places", low.board.base), "free")
            found = both(found, compare(Rel.GE, free, const(self.slots)))
        return low.b.let(found, "assured")


def _has_any(low: Lowering, node: n.Node) -> ir.Expr:
    """Return whether a location has cards."""
    if isinstance(node, n.Combine) and node.operation is n.SetOperation.UNION:
        found: ir.Expr = FALSE
        for part in node.parts:
            found = either(found, low.b.let(_has_any(low, part), "some"))
        return found
    if isinstance(node, n.Place | n.Variable):
        held = low.location(node)
        if isinstance(held, LoweredPile):
            return negate(piles.is_empty(low, held))
    return compare(Rel.GT, collections.size(low, node), ZERO)


def _all(low: Lowering, tests: list[_Test]) -> ir.Expr:
    found: ir.Expr = TRUE
    for test in tests:
        with low.scratch():
            found = low.b.let(both(found, test.holds(low)), "assured")
    return found


def _homes(low: Lowering, node: n.Node) -> set[LocationFamily | None]:
    """Return the families where cards of a location, of a group or in a variable can lie."""
    match node:
        case n.Place():
            return {*(families_of(node, low.analysis) or (None,))}
        case (
            n.Filter(collection=inner) | n.Subsets(location=inner) | n.EachLocation(location=inner)
        ):
            return _homes(low, inner)
        case n.Runs(location=inner) | n.Tuples(location=inner):
            return _homes(low, inner)
        case n.Partition(parts=parts) | n.Combine(parts=parts):
            return {family for part in parts for family in _homes(low, part)}
        case n.Variable(slot=slot):
            return _homes(low, piles.bound_to(low, slot))
    return {None}


def assurance(low: Lowering, leaf: n.Node) -> Assurance | None:
    """Return the tests that say that actions break no rule; None if no tests can."""
    found = Assurance(low)
    if low.analysis.draws(leaf) or not options.countable(low, leaf):
        return None
    return found if found.covers(leaf) else None
