"""The memory of a state: how it gets its tracker, and shares it with its copies."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from cardwright.game.history import NoRecordError
from cardwright.game.knowledge import at_first_sight
from cardwright.game.tracker import Tracker, TrackerPlan
from cardwright.interpreter import machine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.board import Board
    from cardwright.game.history import SeenDecision
    from cardwright.game.knowledge import Knowledge
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.world import GameRules
    from cardwright.program.cards import Seat

_PLANS: WeakKeyDictionary[GameRules, TrackerPlan] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a determinised state: its board then, and what its seat knew and had seen.

    `choices` is how many choices had been made.
    """

    board: Board
    knowledge: Knowledge
    record: tuple[SeenDecision, ...]
    choices: int


@dataclass(slots=True)
class StateMemory:
    """What a state remembers: a tracker, made when it is first asked for, that follows the state.

    A state that was started has a seed, one determinised in mode `consistent` has an origin, and
    any other remembers nothing.
    """

    limits: GameLimits
    seed: int | None = None
    origin: Origin | None = None
    _tracker: Tracker | None = field(default=None, repr=False)
    _shared: bool = False

    def copy(self) -> StateMemory:
        """Return the memory of a copy of the state; the tracker is copied when one goes on."""
        self._shared = self._tracker is not None
        return StateMemory(self.limits, self.seed, self.origin, self._tracker, self._shared)

    def rewound(self) -> StateMemory:
        """Return the memory of the state with fewer choices, which it follows again."""
        return StateMemory(self.limits, self.seed, self.origin)

    def knowledge(self, board: Board, choices: Sequence[int], seat: Seat) -> Knowledge:
        """Return what a seat knows about a board after all these choices."""
        if self.seed is None and self.origin is None:
            return at_first_sight(board.world(), seat)
        return self._follow(board, choices).knowledge(seat)

    def record(self, board: Board, choices: Sequence[int], seat: Seat) -> tuple[SeenDecision, ...]:
        """Return what a seat saw of all these choices; raises NoRecordError if there is none."""
        if self.seed is not None:
            return self._follow(board, choices).record(seat)
        if self.origin is None or self.origin.knowledge.seat != seat:
            raise NoRecordError(
                f"this state was determinised and has no record of p{seat + 1}: ask the state that"
                " was started, or one determinised for this seat in mode 'consistent'"
            )
        return self.origin.record + self._follow(board, choices).record(seat)

    def _follow(self, board: Board, choices: Sequence[int]) -> Tracker:
        skipped = self.origin.choices if self.origin else 0
        if self._tracker is None:
            self._tracker = self._begun(board)
        if self._tracker.done < len(choices) - skipped:
            if self._shared:
                self._tracker = self._tracker.copy()
                self._shared = False
            self._tracker.follow(choices[skipped:])
        return self._tracker

    def _begun(self, board: Board) -> Tracker:
        rules = board.world().rules
        plan = plan_of(rules)
        if self.origin is not None:
            world = self.origin.board.world().copy()
            return Tracker.adopted(plan, self.limits, world, self.origin.knowledge)
        assert self.seed is not None
        return Tracker.begun(plan, self.limits, machine.start(rules, self.seed))


def plan_of(rules: GameRules) -> TrackerPlan:
    """Return the plan of some rules, which all trackers of them share."""
    plan = _PLANS.get(rules)
    if plan is None:
        plan = _PLANS[rules] = TrackerPlan(rules)
    return plan
