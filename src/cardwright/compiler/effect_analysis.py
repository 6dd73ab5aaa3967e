"""What is known about the evaluation of a program's forms before it runs.

All answers are conservative: `draws` and `fails` may say yes where nothing ever happens, never the
other way round. They decide where the compiler may change the order in which things are evaluated.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from cardwright.compiler.keys import key
from cardwright.program import integers
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.constants import comparison, cover
from cardwright.program.interval_arithmetic import ANY_INTEGER
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_CARDS
from cardwright.program.nodes import Failure, StatePart
from cardwright.program.values import LONGEST, Values

if TYPE_CHECKING:
    from cardwright.program.program import Program


class EffectAnalysis(Values):
    """The effect analysis of one program's forms, computed once for each form."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._draws: dict[int, bool] = {}
        self._fails: dict[int, bool] = {}
        self._kept: list[n.Node] = []

    def draws(self, node: n.Node) -> bool:
        """Return whether a form may draw from the game's stream."""
        key = id(node)
        if key not in self._draws:
            self._kept.append(node)
            self._draws[key] = node.traits.draws or any(map(self.draws, n.children(node)))
        return self._draws[key]

    def fails(self, node: n.Node) -> bool:
        """Return whether a form may break a rule."""
        key = id(node)
        if key not in self._fails:
            self._kept.append(node)
            self._fails[key] = self._may_fail(node) or any(map(self.fails, n.children(node)))
        return self._fails[key]

    def overflows(self, node: n.Node) -> bool:
        """Return whether an integer form may itself overflow, or divide by zero."""
        if isinstance(node, n.Arithmetic):
            return self.arithmetic_bounds(node) is None
        if isinstance(node, n.Increase):
            return self.bounds(node.storage) == ANY_INTEGER
        assert isinstance(node, n.Total)
        low, high = self.bounds(node.value)
        return max(-low, high) * LONGEST > integers.LARGEST

    def pure(self, *nodes: n.Node) -> bool:
        """Return whether forms neither draw nor fail, so that their order is unobservable."""
        return not any(self.draws(node) or self.fails(node) for node in nodes)

    def late(self, node: n.Node) -> bool:
        """Return whether finding a later element of a set of locations may draw or break a rule."""
        match node:
            case n.EachLocation(collection=collection, location=inner):
                return self.noticed(node, inner) or self.late(collection)
            case n.Filter(collection=collection, test=inner):
                return self.noticed(node, inner) or self.late(collection)
            case n.Variable() | n.Partition() | n.Subsets() | n.Runs() | n.Tuples() | n.Indexed():
                return False  # all of them are evaluated before the first is used
        return node.kind is ValueKind.LOCATIONS

    def noticed(self, loop: n.Node, body: n.Node) -> bool:
        """Return whether it is observable when the rounds of a loop are made."""
        return self.program.rounds.counted(loop) or not self.pure(body)

    def _may_fail(self, node: n.Node) -> bool:
        if self.program.rounds.counted(node):
            return True
        if node.traits.may_fail is not Failure.BY_VALUES:
            return node.traits.may_fail is Failure.POSSIBLE
        return self._fails_by_values(node)

    def _fails_by_values(self, node: n.Node) -> bool:
        """Return whether a form may break a rule for the values that its operands can have."""
        match node:
            case n.Arithmetic() | n.Total() | n.Increase():
                return self.overflows(node)
            case n.Combine(operation=n.SetOperation.UNION):
                return self.program.rounds.cards(node) >= MOST_CARDS
            case n.Combine(parts=parts):  # sets of locations need memory that may run out
                return any(part.kind is ValueKind.LOCATIONS for part in parts)
            case n.Score(card=card):
                return not self._is_card(card) or self.points_bound(node.points) is None
            case n.Sum() | n.ExtremeScore():
                return self.points_bound(node.points) is None
            case n.SetPoints():
                return self.points_bound(node.storage) is None
            case n.Numbered(number=number):
                low, high = self.bounds(number)
                count = (
                    self.program.players
                    if node.kind is ValueKind.PLAYER
                    else len(self.program.teams)
                )
                return low < self.program.base or high >= self.program.base + count
            case n.Range(low=low, high=high):
                return self.bounds(high)[1] - self.bounds(low)[0] >= 1_000_000
            case n.Place():
                return self.strings(node.name) is None or (
                    node.index is not None and self.integers(node.index) is None
                )
            case n.Let(value=value):
                return value.kind is ValueKind.CARD and not self._is_card(value)
            case n.Move(card=card, target=target):
                return not isinstance(card, n.Variable) or not self.plain_target(target)
        return True

    def plain_target(self, target: n.Node) -> bool:
        """Return whether a card can always be put there: an end of a real location, not memory."""
        return (
            isinstance(target, n.End)
            and isinstance(target.location, n.Place)
            and target.location.place is not LocationKind.MEMORY
        )

    def _is_card(self, node: n.Node) -> bool:
        """Return whether a reference always names a card: a variable, or an end of a group."""
        match node:
            case n.End(location=n.Variable(slot=slot)):
                sure, taken = self._never_empty
                return slot in sure and (slot not in taken or id(node) in self._before_actions)
        return isinstance(node, n.Variable)

    @cached_property
    def _before_actions(self) -> frozenset[int]:
        """The identities of what the branches of choices evaluate before their first action."""
        found: set[int] = set()
        for choice in self.program.nodes():
            for branch in choice.steps if isinstance(choice, n.Choice) else ():
                node: n.Node | None = branch
                while node is not None:
                    inner: n.Node | None = None
                    match node:
                        case n.When(test=part, body=inner) | n.Let(value=part, body=inner):
                            found.update(map(id, n.walk(part)))
                        case n.ForEach(choose=True, collection=part, body=inner):
                            found.update(map(id, n.walk(part)))
                        case n.Do(steps=(inner,)):
                            pass
                    node = inner
        return frozenset(found)

    @cached_property
    def _never_empty(self) -> tuple[frozenset[int], frozenset[int]]:
        """The slots of variables that denote groups with cards, and those which lose some.

        What a filter tests has cards, and so has what it leaves.
        """
        binders: dict[int, list[n.Node]] = defaultdict(list)
        taken = set()
        for node in self.program.nodes():
            if (variable := n.binds(node)) is not None:
                binders[variable.slot].append(node)
            if self.takes(node):
                taken |= {one.slot for one in n.walk(node) if isinstance(one, n.Variable)}
        sure = (slot for slot, nodes in binders.items() if all(map(self._has_cards, nodes)))
        return frozenset(sure), frozenset(taken)

    def _has_cards(self, binder: n.Node) -> bool:
        """Return whether a group that a form binds to its variable has cards."""
        match binder:
            case n.Filter():
                return binder.kind is ValueKind.LOCATIONS
            case (
                n.ForEach(collection=n.Filter() as groups)
                | n.Quantifier(collection=n.Filter() as groups)
            ):
                return groups.kind is ValueKind.LOCATIONS and not self.real_members(groups)
            case n.ForEach(collection=groups) | n.Quantifier(collection=groups):
                return isinstance(groups, n.Partition)
        return False

    def always_acts(self, node: n.Node) -> bool:
        """Return whether a step always has an effect when it runs."""
        match node:
            case n.Do(steps=steps):
                return any(map(self.always_acts, steps)) or any(
                    self._one_acts(one, other) for one, other in pairwise(steps)
                )
            case n.Let(body=body):
                return self.always_acts(body)
            case n.ForEach(collection=n.Everyone(others=False), body=body):
                return self.always_acts(body)
            case n.ForEach(collection=n.Variable(slot=slot), body=body) if slot in self.filled:
                # If an earlier step has emptied the list, that step had an effect.
                return self.always_acts(body)
            case n.Repeat(count=n.Number(value=count), action=action):
                return count > 0 and self.always_acts(action)
        return node.traits.acts

    def _one_acts(self, one: n.Node, other: n.Node) -> bool:
        """Return whether one of two conditional steps has an effect.

        If the test of the first does not hold, nothing changes before that of the second.
        """
        if not isinstance(one, n.When) or not isinstance(other, n.When):
            return False
        tests = [found for found in map(comparison, (one.test, other.test)) if found is not None]
        if len(tests) < 2 or key(tests[0].form) != key(tests[1].form):
            return False
        form = tests[0].form
        alone = not self.draws(form) and not any(isinstance(it, n.Variable) for it in n.walk(form))
        acts = self.always_acts(one.body) and self.always_acts(other.body)
        return alone and acts and cover(tests, self.bounds(form))

    @cached_property
    def filled(self) -> frozenset[int]:
        """The slots of variables that denote a list of cards which is never empty at first."""
        binders: dict[int, list[n.Node]] = defaultdict(list)
        for node in self.program.nodes():
            if (variable := n.binds(node)) is not None:
                binders[variable.slot].append(node)
        return frozenset(slot for slot, nodes in binders.items() if all(map(self._fills, nodes)))

    def _fills(self, binder: n.Node) -> bool:
        """Return whether the value that a form binds to its variable has cards."""
        match n.unfiltered(binder.collection) if isinstance(binder, n.ForEach) else None:
            case n.Partition() | n.Runs():
                return True
            case n.Subsets():
                return self.program.base == 1
        return False

    @cached_property
    def reorders_groups(self) -> bool:
        """Whether the program shuffles a group of cards that is no real location."""
        return any(
            isinstance(node, n.Shuffle) and not self.is_real(node.location)
            for node in self.program.nodes()
        )

    @cached_property
    def takes_from_groups(self) -> bool:
        """Whether the program takes cards out of groups of cards, by their position say."""
        return any(map(self.takes, self.program.nodes()))

    def takes(self, node: n.Node) -> bool:
        """Return whether an action takes cards out of a group of cards, or reorders it."""
        match node:
            case n.Shuffle(location=location):
                return not self.is_real(location)
            case n.Move(card=card):
                while isinstance(card, n.Actual):
                    card = card.card
                return not isinstance(card, n.Variable) and not self.is_real(card.location)  # type: ignore[attr-defined]
            case n.Swap() | n.Remember() | n.Forget():
                return False
        return bool(node.traits.writes & StatePart.CARDS)

    def sure(self, node: n.Node) -> bool:
        """Return whether a step always has an effect and breaks no rule: it need not be tried."""
        return not self.fails(node) and self.always_acts(node)

    def chooses(self, node: n.Node) -> bool:
        """Return whether a step contains an `any` that makes options."""
        return any(isinstance(inner, n.ForEach) and inner.choose for inner in n.walk(node))
