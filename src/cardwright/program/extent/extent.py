"""How far the games of a program can go, proved by following all outlines of its states.

This is abstract interpretation (P. Cousot and R. Cousot, "Abstract interpretation: a unified
lattice model for static analysis of programs", POPL 1977) with intervals, and with numbers of cards
in place of cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.extent.acts import OutlineActs
from cardwright.program.extent.outline import StateOutline, UnclearError
from cardwright.program.interval_arithmetic import ANY_INTEGER, Between

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from cardwright.program.program import Program

EXACT_WORK = 8_000
JOINED_WORK = 30_000
"""Steps that are followed at most, with outlines kept apart, and with those of a turn joined."""


_ANYTHING = "it can be any integer of the language"
_UNCLEAR = "nothing is said of a program that has one"

LEFT_OUT: dict[type[n.Node], str] = {
    n.ErrorNode: "a program with errors is never analysed",
    n.Triangle: _ANYTHING,
    n.Fibonacci: _ANYTHING,
    n.ExtremeScore: _ANYTHING,
    n.Actual: _UNCLEAR,
    n.Swap: _UNCLEAR,
    n.Remember: _UNCLEAR,
    n.Forget: _UNCLEAR,
    n.Indexed: _UNCLEAR,
}
"""The classes of nodes that are not followed, with the reason; that is always safe."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How far the games of a program can go; None stands for what was not proved.

    `scores` are the lowest and the highest score with which a seat can end, `decisions` is the most
    that a game can have, and `total` the sum of the scores of all seats, if it is always the same.
    """

    scores: tuple[int, int] | None
    decisions: int | None
    total: int | None


NOTHING = Extent(None, None, None)


def extent_of(program: Program) -> Extent:
    """Return what can be proved of the games of a program, with a limited amount of work.

    First all outlines are kept apart; if they are too many, those of the same turn are joined. A
    game that stops with an error has no scores, and is not spoken of.
    """
    found = _followed(program, EXACT_WORK, joining=False)
    return found or _followed(program, JOINED_WORK, joining=True) or NOTHING


def _followed(program: Program, work: int, *, joining: bool) -> Extent | None:
    walk = _OutlineWalk(program, work, joining=joining)
    try:
        return walk.extent()
    except UnclearError:
        return None


class _OutlineWalk(OutlineActs):
    """A walk through all outlines of a program."""

    def extent(self) -> Extent:
        """Return how far games can go."""
        ends = self._items(self.program.items, [self._start()])
        if not ends:
            return NOTHING
        lows, highs, totals = [], [], set()
        for end in ends:
            found = [self._score(seat, end) for seat in range(self.program.players)]
            lows += [one.low for one in found]
            highs += [one.high for one in found]
            totals.add(sum(one.low for one in found) if all(one.sure for one in found) else None)
        low, high = min(lows), max(highs)
        known = ANY_INTEGER.low < low and high < ANY_INTEGER.high
        return Extent(
            (low, high) if known else None,
            max(end.decisions for end in ends),
            totals.pop() if len(totals) == 1 else None,
        )

    def _start(self) -> StateOutline:
        here = StateOutline({}, {}, {}, {}, env={})
        for deck in self.program.decks:
            if not isinstance(deck.location, n.Place):
                raise UnclearError
            (spot,) = self.spots(deck.location, here)
            held = here.held(spot).low + len(deck.cards)
            here.cards[spot] = Between(held, held)
        return here

    def _score(self, seat: int, end: StateOutline) -> Between:
        here = end.copy()
        here.players = (*here.players, (seat, None))
        return self.integer(self.program.score, here)

    def _items(self, items: Iterable[n.Node], states: list[StateOutline]) -> list[StateOutline]:
        """Run items one after the other."""
        for item in items:
            states = self.merged(after for one in states for after in self._item(item, one))
        return states

    def _item(self, item: n.Node, here: StateOutline) -> list[StateOutline]:
        match item:
            case n.Stage():
                return self._stage(item, here)
            case n.Fork():
                return self._fork(item, here)
            case n.Choice(steps=steps):
                return [self._decided(after) for step in steps for after in self.option(step, here)]
        return [_settled(after) for after in self.run(item, here)]

    def _fork(self, fork: n.Fork, here: StateOutline) -> list[StateOutline]:
        holds = self.truth(fork.test, here)
        found = []
        if holds is not False:
            found += self._item(fork.item, self._given(fork.test, here, holds=True))
        if holds is not True:
            rest = self._given(fork.test, here, holds=False)
            found += [rest] if fork.otherwise is None else self._item(fork.otherwise, rest)
        return found

    def _decided(self, after: StateOutline) -> StateOutline:
        made = _settled(after)
        made.decisions += 1
        return made

    def _stage(self, stage: n.Stage, here: StateOutline) -> list[StateOutline]:
        """Run a stage until no new outline comes at the beginning of a turn."""
        entered = _cycled(here, stage, (*_cycles(here, stage), (_cycles(here, stage)[-1][0], None)))
        ends: list[StateOutline] = []
        seen: dict[Hashable, StateOutline] = {}
        waiting = self._tested(stage, [entered], ends)
        while waiting:
            fresh = []
            for one in waiting:
                new = self._new(one, seen)
                if new is not None:
                    fresh.append(new)
            turns = self._items(stage.items, fresh)
            waiting = [self._next(stage, one) for one in self._tested(stage, turns, ends)]
        count = len(_cycles(entered, stage)) - 1
        left = (_cycled(end, stage, _cycles(end, stage)[:count]) for end in ends)
        return self.merged(left)

    def _new(self, one: StateOutline, seen: dict[Hashable, StateOutline]) -> StateOutline | None:
        """Return an outline to go on from, if it says something that was not seen before."""
        key = one.turn() if self.joining else one.key()
        before = seen.get(key)
        if before is None:
            seen[key] = one
            return one
        if not self.joining:
            return None
        whole = before.joined(one)
        if whole.key() == before.key():
            return None
        seen[key] = whole
        return whole

    def _tested(
        self, stage: n.Stage, states: Iterable[StateOutline], ends: list[StateOutline]
    ) -> list[StateOutline]:
        """Return the outlines in which a stage goes on; those in which it ends go to `ends`."""
        on = []
        for one in states:
            over = self.truth(stage.end, one)
            if over is not False:
                ends.append(one)
            if over is not True:
                on.append(one)
        return on

    def _next(self, stage: n.Stage, here: StateOutline) -> StateOutline:
        count = len(self.program.teams) if stage.team else self.program.players
        *below, (current, queued) = _cycles(here, stage)
        following = (current + 1) % count if queued is None else queued
        return _cycled(here, stage, (*below, (following, None)))


def _settled(after: StateOutline) -> StateOutline:
    """Return an outline at the end of a block: no variable holds anything."""
    made = after.copy()
    made.env = {}
    made.acted = False
    return made


def _cycles(here: StateOutline, stage: n.Stage) -> tuple[tuple[int, int | None], ...]:
    return here.teams if stage.team else here.players


def _cycled(
    here: StateOutline, stage: n.Stage, cycles: tuple[tuple[int, int | None], ...]
) -> StateOutline:
    made = here.copy()
    if stage.team:
        made.teams = cycles
    else:
        made.players = cycles
    return made
