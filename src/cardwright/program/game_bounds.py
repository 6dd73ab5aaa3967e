"""How far the games of a program can go: bounds of scores and of decisions, proved from its text.

The program is run on outlines of its states (`cardwright.program.outline`). Where a condition is
not decided by what they know, both ways are gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.program import nodes as n
from cardwright.program.abstract_state import ANY_INTEGER, Cell, Interval, UnclearError, applied
from cardwright.program.nodes import Operator
from cardwright.program.outline import Groups, Heap, OneCard, StateOutline

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from cardwright.program.outline import Cycles
    from cardwright.program.program import Program

EXACT_WORK = 8_000
JOINED_WORK = 30_000
"""Steps that are followed at most, with outlines kept apart, and with those of a turn joined."""

_MOST_APART = 24
"""The most outlines that are kept apart at any place of a program when others are joined."""

_MOST_ROUNDS = 256
"""The most rounds of a repetition that are followed."""

_ANYTHING = "it can be any integer of the language"
_UNCLEAR = "nothing is said of a program that has one"

LEFT_OUT: dict[type[n.Node], str] = {
    n.ErrorNode: "a program with errors is never analysed",
    n.Triangle: _ANYTHING,
    n.Fibonacci: _ANYTHING,
    n.Actual: _UNCLEAR,
    n.Swap: _UNCLEAR,
    n.Remember: _UNCLEAR,
    n.Forget: _UNCLEAR,
    n.Indexed: _UNCLEAR,
}
"""The classes of nodes that are not followed, with the reason; that is always safe."""


@dataclass(frozen=True, slots=True)
class GameBounds:
    """How far the games of a program can go; None stands for what was not proved.

    `scores` are the lowest and the highest score with which a seat can end, `decisions` is the most
    that a game can have, and `total` the sum of the scores of all seats, if it is always the same.
    """

    scores: tuple[int, int] | None
    decisions: int | None
    total: int | None


NOTHING = GameBounds(None, None, None)

_PROVED: dict[str, GameBounds] = {}
"""What was proved in this process, by the digest of the program."""

_MOST_KEPT = 1_000


def game_bounds(program: Program) -> GameBounds:
    """Return what can be proved of the games of a program, with a limited amount of work.

    Games that stop with an error have no scores and are excluded. It is proved once in a process.
    """
    if program.digest not in _PROVED:
        if len(_PROVED) >= _MOST_KEPT:
            _PROVED.clear()
        _PROVED[program.digest] = _proved(program)
    return _PROVED[program.digest]


def _proved(program: Program) -> GameBounds:
    """Keep all outlines apart at first; if they are too many, join those of the same turn."""
    for work, joining in ((EXACT_WORK, False), (JOINED_WORK, True)):
        try:
            return _Walk(program, work, joining=joining).bounds()
        except UnclearError:
            pass
    return NOTHING


class _Walk:
    """A walk through all outlines of a program; `work` is how many steps may still be followed."""

    def __init__(self, program: Program, work: int, *, joining: bool) -> None:
        self.program = program
        self.work = work
        self.joining = joining
        self._choosing = False

    def bounds(self) -> GameBounds:
        ends = self._items(self.program.items, [self._start()])
        if not ends:
            return NOTHING
        by_end = [[self._score(seat, end) for seat in range(self.program.players)] for end in ends]
        every = [score for scores in by_end for score in scores]
        low, high = min(bounds.low for bounds in every), max(bounds.high for bounds in every)
        known = ANY_INTEGER.low < low and high < ANY_INTEGER.high
        sure = all(bounds.sure for bounds in every)
        totals = {sum(one.low for one in scores) for scores in by_end} if sure else ()
        return GameBounds(
            (low, high) if known else None,
            max(end.decisions for end in ends),
            next(iter(totals)) if len(totals) == 1 else None,
        )

    def _start(self) -> StateOutline:
        here = StateOutline(self.program, {}, {}, {}, {}, {})
        for deck in self.program.decks:
            places = here.places(deck.location) if isinstance(deck.location, n.Place) else ()
            if len(places) != 1:
                raise UnclearError
            held = here.cards_on(places[0]).low + len(deck.cards)
            here.cards[places[0]] = Interval(held, held)
        return here

    def _score(self, seat: int, end: StateOutline) -> Interval:
        here = end.copy()
        here.players = (*here.players, (seat, None))
        return here.integer(self.program.score)

    def _merged(self, outlines: Iterable[StateOutline]) -> list[StateOutline]:
        """Return each outline once.

        When joining, many become one for all in which turns and variables agree.
        """
        given = list(outlines)
        if len(given) < 2:
            return given
        kept = {(state.key(), state.acted, _variables(state)): state for state in given}
        if not self.joining or len(kept) <= _MOST_APART:
            return list(kept.values())
        joined: dict[Hashable, StateOutline] = {}
        for one in kept.values():
            key = one.turn(), one.acted, _variables(one)
            joined[key] = joined[key].joined(one) if key in joined else one
        return list(joined.values())

    # Items and stages -----------------------------------------------------------------------

    def _items(self, items: Iterable[n.Node], states: list[StateOutline]) -> list[StateOutline]:
        for item in items:
            states = self._merged(after for state in states for after in self._item(item, state))
        return states

    def _item(self, item: n.Node, here: StateOutline) -> list[StateOutline]:
        match item:
            case n.Stage():
                return self._stage(item, here)
            case n.Fork(test=test):
                holds = here.truth(test)
                ends = []
                if holds is not False:
                    ends += self._item(item.item, here.given(test, holds=True))
                if holds is not True:
                    rest = here.given(test, holds=False)
                    ends += self._item(item.otherwise, rest) if item.otherwise else [rest]
                return ends
            case n.Choice(steps=steps):
                self._choosing = True
                options = [each for step in steps for each in self._run(step, here) if each.acted]
                self._choosing = False
                return [_settled(option, decisions=1) for option in options]
        return [_settled(after) for after in self._run(item, here)]

    def _stage(self, stage: n.Stage, here: StateOutline) -> list[StateOutline]:
        """Run a stage until no new outline comes at the beginning of a turn."""
        cycles = _cycles(here, stage)
        entered = _cycled(here, stage, (*cycles, (cycles[-1][0], None)))
        ends: list[StateOutline] = []
        seen: dict[Hashable, StateOutline] = {}
        waiting = self._going_on(stage, [entered], ends)
        while waiting:
            fresh = [new for state in waiting if (new := self._new(state, seen)) is not None]
            turns = self._items(stage.items, fresh)
            waiting = [self._next(stage, state) for state in self._going_on(stage, turns, ends)]
        depth = len(cycles)
        return self._merged(_cycled(end, stage, _cycles(end, stage)[:depth]) for end in ends)

    def _new(self, one: StateOutline, seen: dict[Hashable, StateOutline]) -> StateOutline | None:
        """Return an outline to go on from, if it says something that was not seen before."""
        key = one.turn() if self.joining else one.key()
        before = seen.get(key)
        if before is not None:
            if not self.joining:
                return None
            one = before.joined(one)
            if one.key() == before.key():
                return None
        seen[key] = one
        return one

    def _going_on(
        self, stage: n.Stage, states: Iterable[StateOutline], ends: list[StateOutline]
    ) -> list[StateOutline]:
        """Return the outlines in which a stage goes on; those in which it ends go to `ends`."""
        on = []
        for state in states:
            over = state.truth(stage.end)
            if over is not False:
                ends.append(state)
            if over is not True:
                on.append(state)
        return on

    def _next(self, stage: n.Stage, here: StateOutline) -> StateOutline:
        count = len(self.program.teams) if stage.team else self.program.players
        *below, (current, queued) = _cycles(here, stage)
        following = (current + 1) % count if queued is None else queued
        return _cycled(here, stage, (*below, (following, None)))

    # Steps ----------------------------------------------------------------------------------

    def _run(self, node: n.Node, here: StateOutline) -> list[StateOutline]:
        """Return what can come of a step; `here` is not changed."""
        self.work -= 1
        if self.work < 0:
            raise UnclearError
        match node:
            case n.Do(steps=steps):
                states = [here]
                for step in steps:
                    states = self._merged(
                        after for state in states for after in self._run(step, state)
                    )
                return states
            case n.When(test=test, body=body):
                holds = here.truth(test)
                ends = [] if holds is True else [here.given(test, holds=False)]
                if holds is not False:
                    ends += self._run(body, here.given(test, holds=True))
                return ends
            case n.ForEach(collection=collection):
                ways = here.items(collection)
                return self._merged(
                    after for items in ways for after in self._for_each(node, items, here)
                )
            case n.Let(value=value, variable=variable, body=body):
                return self._each(body, variable.slot, here.values(value), here)
        return self._act(node, here)

    def _each(
        self, body: n.Node, slot: int, values: Iterable[Any], here: StateOutline
    ) -> list[StateOutline]:
        """Return what can come of a step with one of some values in a variable."""
        return self._merged(
            after for value in values for after in self._run(body, here.bound(slot, value).copy())
        )

    def _for_each(self, node: n.ForEach, items: Any, here: StateOutline) -> list[StateOutline]:
        slot = node.variable.slot
        picks = node.choose and self._choosing
        match items:
            case list():
                if picks:
                    return self._each(node.body, slot, items, here) if items else [here]
                return self._each_item(node, items, here)
            case Groups(like=like):
                if not picks:
                    raise UnclearError
                return [*self._each(node.body, slot, [like], here), here]
        size = here.size(items)
        if not picks:
            return self._each_card(node, Heap(items.places, size), size, here)
        cards = [OneCard(frozenset((place,))) for place in here.filled(items)]
        ends = self._each(node.body, slot, cards, here)
        return [*ends, here] if size.low <= 0 else ends

    def _each_item(
        self, node: n.ForEach, items: list[Any], here: StateOutline
    ) -> list[StateOutline]:
        """Go through the items of a list, which is kept like a variable while cards move."""
        slot = node.variable.slot
        kept = _kept_in(slot)
        states = [here.bound(kept, items).copy()]
        for at in range(len(items)):
            states = self._merged(
                after
                for state in states
                for after in self._each(node.body, slot, [state.held(kept)[at]], state)
            )
        return states

    def _each_card(
        self, node: n.ForEach, heap: Heap, size: Interval, here: StateOutline
    ) -> list[StateOutline]:
        """Go through the cards of a heap, as many as there may be, wherever they are by then."""
        slot = node.variable.slot
        kept = _kept_in(slot)

        def next_card(one: StateOutline) -> list[StateOutline]:
            cards = [OneCard(frozenset((place,))) for place in one.filled(one.held(kept))]
            return self._each(node.body, slot, cards, one)

        return self._rounds(next_card, size, here, here.bound(kept, heap).copy())

    def _rounds(
        self,
        do: Callable[[StateOutline], list[StateOutline]],
        count: Interval,
        unchanged: StateOutline,
        begun: StateOutline,
    ) -> list[StateOutline]:
        """Return what can come of doing something a number of times."""
        if count.high > _MOST_ROUNDS:
            raise UnclearError
        ends = [unchanged] if count.low <= 0 else []
        states = [begun]
        for number in range(1, count.high + 1):
            states = self._merged(after for state in states for after in do(state))
            if number >= count.low:
                ends += states
        return self._merged(ends)

    # Actions --------------------------------------------------------------------------------

    def _act(self, node: n.Node, here: StateOutline) -> list[StateOutline]:
        match node:
            case n.Set() | n.SetPoints() | n.Increase():
                return [self._stored(node, cell, here) for cell in here.cells(node.storage)]
            case n.Move(card=card, target=n.End(location=target) | n.Position(location=target)):
                targets = [heap.places[0] for heap in here.locations(target) if heap.real]
                return self._merged(
                    here.moved(node, source, target)
                    for source in sorted(here.card(card).places)
                    if here.cards_on(source).high > 0
                    for target in targets
                )
            case n.Shuffle() | n.Pass():
                return [here.changed()]
            case n.Cycle(player=player, queue=queue):
                return [_turned(here, seat, queue=queue) for seat in here.owners(player)]
            case n.Repeat(count=count, action=action):
                return self._repeat(action, here.integer(count), here)
            case n.RepeatAll(action=n.Move(card=n.End() | n.Position() | n.BestCard() as card)):
                return self._merged(
                    after
                    for heap in here.locations(card.location)
                    for after in self._repeat(node.action, here.size(heap), here)
                )
        raise UnclearError

    def _repeat(self, action: n.Node, count: Interval, here: StateOutline) -> list[StateOutline]:
        return self._rounds(lambda one: self._run(action, one), count, here, here)

    def _stored(
        self, node: n.Set | n.SetPoints | n.Increase, cell: Cell, here: StateOutline
    ) -> StateOutline:
        made = here.changed()
        match node:
            case n.SetPoints():
                made.worths[cell] = here.awarded(node)
            case n.Increase(amount=amount, sign=sign):
                by = Interval(1, 1) if amount is None else here.integer(amount)
                operator = Operator.ADD if sign > 0 else Operator.SUBTRACT
                after = applied(operator, here._integer_at(cell), by) or ANY_INTEGER
                made.integers[cell] = after.cut()
            case n.Set(storage=n.Storage(storage=n.StorageKind.INTEGER), value=value):
                made.integers[cell] = here.integer(value)
            case n.Set(value=value):
                made.strings[cell] = here.words(value)
        return made


def _variables(one: StateOutline) -> Hashable:
    """Return what distinguishes the variables of outlines."""
    return frozenset((slot, repr(value)) for slot, value in one.env.items())


def _kept_in(slot: int) -> int:
    """Return where what a loop goes through is kept: a variable that no form can name."""
    return -1 - slot


def _settled(after: StateOutline, *, decisions: int = 0) -> StateOutline:
    """Return an outline at the end of a block: no variable holds anything."""
    made = after.copy()
    made.env, made.acted = {}, False
    made.decisions += decisions
    return made


def _turned(here: StateOutline, seat: int, *, queue: bool) -> StateOutline:
    made = here.changed()
    current, queued = here.players[-1]
    made.players = (*here.players[:-1], (current, seat) if queue else (seat, queued))
    return made


def _cycles(here: StateOutline, stage: n.Stage) -> Cycles:
    return here.teams if stage.team else here.players


def _cycled(here: StateOutline, stage: n.Stage, cycles: Cycles) -> StateOutline:
    made = here.copy()
    setattr(made, "teams" if stage.team else "players", cycles)
    return made
