"""The reference engine: boards over the interpreter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.describe import choice_at
from cardwright.game.determinise import determinise
from cardwright.game.rollouts import Rollouts
from cardwright.interpreter import machine
from cardwright.interpreter.machine import Rules
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import Fault
from cardwright.program.cards import Seat

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from cardwright.game.board import Board
    from cardwright.game.consistent_worlds import ConsistentWorlds
    from cardwright.game.determinise import KnowledgeMode
    from cardwright.game.flat import Chances, ReferenceTrials
    from cardwright.game.knowledge import Knowledge
    from cardwright.game.past import Snapshot
    from cardwright.interpreter.effects import BuiltOption, Pick
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.world import World
    from cardwright.program import nodes as n
    from cardwright.program.cards import CardId, Location
    from cardwright.program.program import Program


class ReferenceEngine:
    """Plays a program by the interpreter."""

    name = "interpreter"

    def __init__(self, program: Program, limits: GameLimits) -> None:
        from cardwright.compiler.chains import most_options

        self.rules = Rules(program, most_options(program))
        self.limits = limits

    def prepare(self) -> None:
        """Do nothing: there is nothing to prepare."""

    def start(self, seed: int) -> ReferenceBoard:
        """Return a board after the set-up of a new game, before its first item."""
        return ReferenceBoard(machine.start(self.rules, seed), self.limits)


class ReferenceBoard:
    """A world, and the options of its decision; see `Board`.

    The options name places, not piles, so that copies of a board can share them.
    """

    __slots__ = ("_built", "_limits", "_world")

    def __init__(self, world: World, limits: GameLimits) -> None:
        self._world = world
        self._limits = limits
        self._built: list[BuiltOption] | None = None

    @classmethod
    def at_decision(
        cls, world: World, limits: GameLimits, built: Sequence[BuiltOption]
    ) -> ReferenceBoard:
        """Return a board of a world that was advanced to a decision with these options, if any."""
        board = cls(world, limits)
        board._built = list(built) or None
        return board

    @property
    def finished(self) -> bool:
        """Whether no decision is due."""
        return self._built is None

    @property
    def player(self) -> Seat | None:
        """The seat that has to decide."""
        return None if self._built is None else Seat(self._world.players[-1].current)

    @property
    def option_count(self) -> int:
        """The number of options."""
        return 0 if self._built is None else len(self._built)

    @property
    def choice(self) -> n.Choice:
        """The choice of the program that is due."""
        return choice_at(self._world).node

    def advance(self) -> None:
        """Run to the next decision, or to the end."""
        self._built = None
        self._built = machine.advance(self._world, self._limits)

    def picks(self) -> list[tuple[int, tuple[Pick, ...]]]:
        """Return for every option its branch and its picks."""
        return [(option.branch, option.picks) for option in self._built or ()]

    def play(self, index: int) -> None:
        """Carry out an option, and run on."""
        assert self._built is not None
        machine.carry_out(self._world, self._built[index])
        self.advance()

    def scores(self) -> list[int]:
        """Return the score of every seat."""
        return machine.scores(self._world)

    def where(self, card: CardId) -> Location:
        """Return the real place of a card."""
        return self._world.where[card]

    def world(self) -> World:
        """Return the world itself."""
        return self._world

    def built(self) -> Sequence[BuiltOption]:
        """Return the options with their effects."""
        return self._built or ()

    def copy(self) -> ReferenceBoard:
        """Return an independent board."""
        board = ReferenceBoard(self._world.copy(), self._limits)
        board._built = self._built
        return board

    def snapshot(self) -> Snapshot:
        """Return a function that makes boards in this board's present state."""
        return self.copy().copy

    def determinise(self, seat: int, stream: Stream, mode: KnowledgeMode) -> ReferenceBoard:
        """Return a board drawn from those that a seat cannot tell from this one."""
        return ReferenceBoard(determinise(self._world, seat, stream, mode), self._limits)

    def worlds(self, knowledge: Knowledge, stream: Stream) -> ReferenceWorlds:
        """Begin a chain of boards that a seat cannot tell from this one by what it knows."""
        from cardwright.game.consistent_worlds import ConsistentWorlds

        return ReferenceWorlds(ConsistentWorlds(self._world, knowledge, stream), self._limits)

    def rollouts(
        self,
        count: int,
        stream: Stream,
        seat: Seat | None,
        mode: KnowledgeMode,
        knowledge: Knowledge | None = None,
    ) -> Rollouts:
        """Play to the end a number of times, the choices of each seat drawn from its own stream."""
        from cardwright.game.flat import Chances

        total = Rollouts.none(self._world.rules.program.players)
        if not count:
            return total
        worlds = self.worlds(knowledge, stream) if knowledge else None
        seats = Chances.of(stream, len(total.scores)).seats
        for _ in range(count):
            if worlds is not None:
                world = worlds.next().world()
            elif seat is not None:
                world = determinise(self._world, seat, stream, mode)
            else:
                world = self._world.copy()
                world.stream = Stream(stream.next())
            try:
                total += self._rolled_out(world, seats)
            except Fault:
                total += Rollouts.none(len(total.scores), failed=1)
        return total

    def _rolled_out(self, world: World, seats: Sequence[Stream]) -> Rollouts:
        from cardwright.game.flat import play_random

        play_random(world, 0, self._limits, seats)
        scores = machine.scores(world)
        highest_wins = world.rules.program.highest_wins
        return Rollouts.of(scores, machine.ranks(scores, highest_wins=highest_wins))

    def trials(
        self, seat: Seat, mode: KnowledgeMode, chances: Chances, knowledge: Knowledge | None = None
    ) -> ReferenceTrials:
        """Return trials of the options of the decision that is due."""
        from cardwright.game.flat import ReferenceTrials

        return ReferenceTrials(self, seat, mode, chances, knowledge)

    @property
    def limits(self) -> GameLimits:
        """When a game is abandoned."""
        return self._limits

    def key(self) -> Hashable:
        """Return the world's key."""
        return self._world.key()

    def same(self, other: Board) -> bool | None:
        """Return None: worlds have nothing quicker to compare than their keys."""
        return None


class ReferenceWorlds:
    """A chain of boards over worlds of the interpreter."""

    __slots__ = ("_limits", "_worlds")

    def __init__(self, worlds: ConsistentWorlds, limits: GameLimits) -> None:
        self._worlds = worlds
        self._limits = limits

    def next(self) -> ReferenceBoard:
        """Return the next board, not yet advanced."""
        return ReferenceBoard(self._worlds.next(), self._limits)
