"""What steps can do to an outline: every outline that may come of it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from cardwright.program import nodes as n
from cardwright.program.extent.forms import OutlineForms, bound, negated
from cardwright.program.extent.outline import (
    NONE,
    Groups,
    Heap,
    OneCard,
    StateOutline,
    UnclearError,
)
from cardwright.program.interval_arithmetic import ANY_INTEGER, Between, applied
from cardwright.program.kinds import ValueKind
from cardwright.program.nodes import Operator

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from cardwright.program.extent.outline import Cell, OutlineSpot, Words, Worths
    from cardwright.program.program import Program

_MOST_APART = 24
"""The most outlines that are kept apart at any place of a program when others are joined."""

_MOST_ROUNDS = 256
"""The most rounds of a repetition that are followed."""


class OutlineActs(OutlineForms):
    """What the steps of a program can do to an outline.

    `work` is how many steps may still be followed; beyond that the program is unclear.
    """

    def __init__(self, program: Program, work: int, *, joining: bool) -> None:
        super().__init__(program)
        self.work = work
        self.joining = joining
        self._choosing = False

    def merged(self, found: Iterable[StateOutline]) -> list[StateOutline]:
        """Return each outline once.

        With `joining`, many become one for all in which turns and variables agree.
        """
        kept: dict[Hashable, StateOutline] = {}
        for one in found:
            kept[one.key(), one.acted, _variables(one)] = one
        if not self.joining or len(kept) <= _MOST_APART:
            return list(kept.values())
        joined: dict[Hashable, StateOutline] = {}
        for one in kept.values():
            key = one.turn(), one.acted, _variables(one)
            before = joined.get(key)
            joined[key] = one if before is None else before.joined(one)
        return list(joined.values())

    # Steps ----------------------------------------------------------------------------------

    def run(self, node: n.Node, here: StateOutline) -> list[StateOutline]:
        """Return what can come of a step; `here` is not changed."""
        self.work -= 1
        if self.work < 0:
            raise UnclearError
        match node:
            case n.Do(steps=steps):
                return self._in_turn(steps, here)
            case n.When(test=test, body=body):
                return self._when(test, body, here)
            case n.ForEach():
                return self.merged(
                    after
                    for items in self.items(node.collection, here)
                    for after in self._for_each(node, items, here)
                )
            case n.Let(value=value, variable=variable, body=body):
                return self.merged(
                    after
                    for held in self._values(value, here)
                    for after in self.run(body, bound(here, variable.slot, held).copy())
                )
        return self._act(node, here)

    def option(self, step: n.Node, here: StateOutline) -> list[StateOutline]:
        """Return what can come of the options of a step of a choice."""
        self._choosing = True
        found = [after for after in self.run(step, here) if after.acted]
        self._choosing = False
        return found

    def _in_turn(self, steps: Iterable[n.Node], here: StateOutline) -> list[StateOutline]:
        found = [here]
        for step in steps:
            found = self.merged(after for one in found for after in self.run(step, one))
        return found

    def _when(self, test: n.Node, body: n.Node, here: StateOutline) -> list[StateOutline]:
        holds = self.truth(test, here)
        found = [] if holds is True else [self._given(test, here, holds=False)]
        if holds is not False:
            found += self.run(body, self._given(test, here, holds=True))
        return found

    def _given(self, test: n.Node, here: StateOutline, *, holds: bool) -> StateOutline:
        """Return an outline narrowed by the outcome of a test, where that is easily done."""
        match test:
            case n.Not(test=inner):
                return self._given(inner, here, holds=not holds)
            case n.Logic(tests=tests, every=every) if every is holds:
                for one in tests:
                    here = self._given(one, here, holds=holds)
                return here
            case n.Equal(left=left, right=right, negated=negated_) if holds is not negated_:
                if left.kind is ValueKind.INTEGER:
                    here = self._narrowed(left, self.integer(right, here), here)
                    return self._narrowed(right, self.integer(left, here), here)
            case n.Compare(left=left, right=right, operator=sign):
                return self._compared(sign if holds else negated(sign), left, right, here)
        return here

    def _compared(self, sign: str, left: n.Node, right: n.Node, here: StateOutline) -> StateOutline:
        if sign in {">", ">="}:
            sign, left, right = sign.replace(">", "<"), right, left
        less = int(sign == "<")
        one, two = self.integer(left, here), self.integer(right, here)
        here = self._narrowed(left, Between(ANY_INTEGER.low, two.high - less), here)
        return self._narrowed(right, Between(one.low + less, ANY_INTEGER.high), here)

    def _narrowed(self, node: n.Node, within: Between, here: StateOutline) -> StateOutline:
        """Return an outline in which a stored integer is also within some bounds."""
        if not isinstance(node, n.Storage):
            return here
        cells = self.cells(node, here)
        if len(cells) != 1:
            return here
        old = here.integers.get(cells[0], NONE)
        new = Between(max(old.low, within.low), min(old.high, within.high))
        if new == old or new.low > new.high:
            return here
        made = here.copy()
        made.integers[cells[0]] = new
        return made

    # Loops ----------------------------------------------------------------------------------

    def _for_each(self, node: n.ForEach, items: Any, here: StateOutline) -> list[StateOutline]:
        slot = node.variable.slot
        picks = node.choose and self._choosing
        if isinstance(items, list):
            if picks:
                return self._picked(node, items, here) if items else [here]
            return self._each_item(node, items, here)
        if isinstance(items, Groups):
            if not picks:
                raise UnclearError
            return [*self.run(node.body, _set(here, slot, items.like)), here]
        size = here.size(items)
        if picks:
            cards = [OneCard(frozenset((spot,))) for spot in self._filled(items, here)]
            found = self._picked(node, cards, here)
            return [*found, here] if size.low <= 0 else found
        return self._each_card(node, items, size, here)

    def _picked(self, node: n.ForEach, items: list[Any], here: StateOutline) -> list[StateOutline]:
        slot = node.variable.slot
        return self.merged(
            after for item in items for after in self.run(node.body, _set(here, slot, item))
        )

    def _each_item(
        self, node: n.ForEach, items: list[Any], here: StateOutline
    ) -> list[StateOutline]:
        """Go through the items of a list, which is kept like a variable while cards move."""
        slot = node.variable.slot
        found = [_set(here, _kept_in(slot), items)]
        for at in range(len(items)):
            found = self.merged(
                after
                for one in found
                for after in self.run(node.body, _set(one, slot, _held(one, slot)[at]))
            )
        return found

    def _each_card(
        self, node: n.ForEach, heap: Heap, size: Between, here: StateOutline
    ) -> list[StateOutline]:
        """Go through the cards of a heap, as many as there may be, wherever they are by then."""
        if size.high > _MOST_ROUNDS:
            raise UnclearError
        slot = node.variable.slot
        found = [here] if size.low <= 0 else []
        states = [_set(here, _kept_in(slot), Heap(heap.spots, size))]
        for number in range(1, size.high + 1):
            states = self.merged(
                after
                for one in states
                for spot in self._filled(_held(one, slot), one)
                for after in self.run(node.body, _set(one, slot, OneCard(frozenset((spot,)))))
            )
            if number >= size.low:
                found += states
        return self.merged(found)

    def _filled(self, heap: Heap, here: StateOutline) -> list[OutlineSpot]:
        return [spot for spot in heap.spots if here.held(spot).high > 0]

    def _values(self, node: n.Node, here: StateOutline) -> list[Any]:
        """Return what `let` can bind: a location itself, anything else as it is now."""
        match node.kind:
            case ValueKind.INTEGER:
                return [self.integer(node, here)]
            case ValueKind.STRING:
                return [self.words(node, here)]
            case ValueKind.BOOLEAN:
                return [self.truth(node, here)]
            case ValueKind.LOCATION:
                heaps = self.heaps(node, here)
                return [one if one.real else Heap(one.spots, here.size(one)) for one in heaps]
            case ValueKind.CARD:
                found = self.card(node, here).spots
                return [OneCard(frozenset((spot,))) for spot in found]
            case ValueKind.PLAYER:
                return list(self.seats(node, here))
            case ValueKind.TEAM:
                return list(self.teams(node, here))
        return list(self.items(node, here))

    # Actions --------------------------------------------------------------------------------

    def _act(self, node: n.Node, here: StateOutline) -> list[StateOutline]:
        match node:
            case n.Set(storage=n.Storage() as storage):
                return self._set(node, storage, here)
            case n.Increase(storage=n.Storage() as storage):
                return [
                    _with(here, partial(self._increase, node, cell))
                    for cell in self.cells(storage, here)
                ]
            case n.SetPoints(storage=n.Storage() as storage):
                worths = self.awarded(node, here)
                return [
                    _with(here, partial(_store_worths, cell, worths))
                    for cell in self.cells(storage, here)
                ]
            case n.Move():
                return self._move(node, here)
            case n.Shuffle() | n.Pass():
                return [_with(here, lambda _: None)]
            case n.Cycle(player=player, queue=queue):
                return [_turned(here, seat, queue=queue) for seat in self.seats(player, here)]
            case n.Repeat(count=count, action=action):
                return self._repeat(action, self.integer(count, here), here)
            case n.RepeatAll(action=n.Move(card=card) as action):
                if not isinstance(card, (n.End, n.Position, n.BestCard)):
                    raise UnclearError
                return self.merged(
                    after
                    for heap in self.heaps(card.location, here)
                    for after in self._repeat(action, here.size(heap), here)
                )
        raise UnclearError

    def _set(self, node: n.Set, storage: n.Storage, here: StateOutline) -> list[StateOutline]:
        cells = self.cells(storage, here)
        if storage.storage is n.StorageKind.INTEGER:
            value = self.integer(node.value, here)
            return [_with(here, partial(_store_integer, cell, value)) for cell in cells]
        words = self.words(node.value, here)
        return [_with(here, partial(_store_words, cell, words)) for cell in cells]

    def _increase(self, node: n.Increase, cell: Cell, made: StateOutline) -> None:
        amount = Between(1, 1) if node.amount is None else self.integer(node.amount, made)
        kind = Operator.ADD if node.sign > 0 else Operator.SUBTRACT
        old = made.integers.get(cell, NONE)
        made.integers[cell] = (applied(kind, old, amount) or ANY_INTEGER).cut()

    def _repeat(self, action: n.Node, rounds: Between, here: StateOutline) -> list[StateOutline]:
        if rounds.high > _MOST_ROUNDS:
            raise UnclearError
        found = [here] if rounds.low <= 0 else []
        states = [here]
        for number in range(1, rounds.high + 1):
            states = self.merged(after for one in states for after in self.run(action, one))
            if number >= rounds.low:
                found += states
        return self.merged(found)

    def _move(self, node: n.Move, here: StateOutline) -> list[StateOutline]:
        """Move a card from anywhere it may lie to any place that may be meant."""
        if not isinstance(node.target, (n.End, n.Position)):
            raise UnclearError
        targets = [heap.spots[0] for heap in self.heaps(node.target.location, here) if heap.real]
        return self.merged(
            self._moved(node, source, target, here)
            for source in sorted(self.card(node.card, here).spots)
            if here.held(source).high > 0
            for target in targets
        )

    def _moved(
        self, node: n.Move, source: OutlineSpot, target: OutlineSpot, here: StateOutline
    ) -> StateOutline:
        def move(made: StateOutline) -> None:
            low, high = made.held(source)
            made.cards[source] = Between(max(low - 1, 0), high - 1)
            low, high = made.held(target)
            made.cards[target] = Between(low + 1, min(high + 1, len(self.program.cards)))
            assert made.env is not None
            for slot, value in made.env.items():
                made.env[slot] = _followed(value, source, target)
            if isinstance(node.card, n.Variable):
                made.env[node.card.slot] = OneCard(frozenset((target,)))

        return _with(here, move)


def _variables(one: StateOutline) -> Hashable:
    """Return what distinguishes the variables of outlines."""
    return frozenset((slot, repr(value)) for slot, value in (one.env or {}).items())


def _followed(value: Any, source: OutlineSpot, target: OutlineSpot) -> Any:
    """Return what a variable holds after some card has moved."""
    if isinstance(value, OneCard) and source in value.spots:
        return OneCard(value.spots | {target})
    if isinstance(value, Groups):
        return Groups(_followed(value.like, source, target))
    if isinstance(value, Heap) and value.size is not None and source in value.spots:
        return replace(value, spots=tuple(dict.fromkeys((*value.spots, target))))
    if isinstance(value, list):
        return [_followed(one, source, target) for one in value]
    return value


def _set(here: StateOutline, slot: int, value: Any) -> StateOutline:
    return bound(here, slot, value).copy()


def _store_integer(cell: Cell, value: Between, made: StateOutline) -> None:
    made.integers[cell] = value


def _store_words(cell: Cell, words: Words, made: StateOutline) -> None:
    made.strings[cell] = words


def _store_worths(cell: Cell, worths: Worths, made: StateOutline) -> None:
    made.worths[cell] = worths


def _kept_in(slot: int) -> int:
    """Return where what a loop goes through is kept: a variable that no form can name."""
    return -1 - slot


def _held(here: StateOutline, slot: int) -> Any:
    assert here.env is not None
    return here.env[_kept_in(slot)]


def _with(here: StateOutline, change: Callable[[StateOutline], object]) -> StateOutline:
    made = here.copy()
    made.acted = True
    change(made)
    return made


def _turned(here: StateOutline, seat: int, *, queue: bool) -> StateOutline:
    current, _queued = here.players[-1]
    cycle = (current, seat) if queue else (seat, _queued)

    def turn(made: StateOutline) -> None:
        made.players = (*here.players[:-1], cycle)

    return _with(here, turn)
