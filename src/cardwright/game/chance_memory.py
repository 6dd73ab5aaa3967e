"""What seats know in games whose chance is taken by hand: their tracker follows the outcomes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.game.chance_board import by_hand, scripts_of
from cardwright.game.memory import StateMemory, plan_of
from cardwright.game.tracker import Tracker
from cardwright.interpreter import machine
from cardwright.interpreter.chance import ChanceStream, ScriptedRun, running

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.board import Board
    from cardwright.game.knowledge import Knowledge
    from cardwright.game.tracker import TrackerPlan
    from cardwright.interpreter.effects import BuiltOption, Effect
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.world import World


class ChanceTracker(Tracker):
    """A tracker that knows the outcomes of all draws.

    `scripts` has those before the first choice, and those after each; `_runs` counts how many of
    these the world has gone through.
    """

    def __init__(self, plan: TrackerPlan, limits: GameLimits) -> None:
        """Make an empty tracker."""
        super().__init__(plan, limits)
        self.scripts: Sequence[Sequence[int]] = ()
        self._runs = 0

    @classmethod
    def scripted(
        cls,
        plan: TrackerPlan,
        limits: GameLimits,
        world: World,
        scripts: Sequence[Sequence[int]],
        knowledge: Knowledge | None = None,
    ) -> ChanceTracker:
        """Return a tracker of a world by hand: of a new game, or adopted for what a seat knows."""
        tracker = cls(plan, limits)
        tracker.scripts = scripts
        tracker._begin(world, knowledge)
        return tracker

    def copy(self) -> ChanceTracker:
        """Return an independent tracker of the same game so far."""
        other = super().copy()
        assert isinstance(other, ChanceTracker)
        other.scripts, other._runs = self.scripts, self._runs
        return other

    def _advanced(self) -> list[BuiltOption] | None:
        stream = self._world.stream
        assert isinstance(stream, ChanceStream)
        run = ScriptedRun(self.scripts[self._runs])
        self._runs += 1
        with running(run):
            stream.settle()
            return super()._advanced()

    def _watch(self, effect: Effect) -> None:
        with running(None):  # what a tracker looks at is not drawn
            super()._watch(effect)


@dataclass(slots=True)
class ChanceMemory(StateMemory):
    """The memory of a state whose chance is taken by hand; `steps` are all since it began."""

    steps: Sequence[int] = field(default=(), repr=False)

    @classmethod
    def of(cls, memory: StateMemory, *, started: bool) -> ChanceMemory:
        """Return a memory of the same origin, or of a game that was started."""
        # A game that was started is remembered from its start, as one with a seed.
        return cls(memory.limits, 0 if started else None, memory.origin)

    def copy(self) -> ChanceMemory:
        """Return the memory of a copy of the state; the tracker is copied when one goes on."""
        self._shared = self._tracker is not None
        return ChanceMemory(self.limits, self.seed, self.origin, self._tracker, self._shared)

    def rewound(self) -> ChanceMemory:
        """Return the memory of the state with fewer steps, which it follows again."""
        return ChanceMemory(self.limits, self.seed, self.origin)

    def _follow(self, board: Board, choices: Sequence[int]) -> Tracker:
        if self._tracker is not None:
            assert isinstance(self._tracker, ChanceTracker)
            self._tracker.scripts = scripts_of(self.steps)
        return StateMemory._follow(self, board, choices)

    def _begun(self, board: Board) -> Tracker:
        rules = board.world().rules
        scripts, plan = scripts_of(self.steps), plan_of(rules)
        if self.origin is None:
            world = by_hand(machine.start(rules, 0))
            return ChanceTracker.scripted(plan, self.limits, world, scripts)
        world = self.origin.board.world().copy()
        return ChanceTracker.scripted(plan, self.limits, world, scripts, self.origin.knowledge)
