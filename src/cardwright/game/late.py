"""The native engine for one game that people watch: nothing is compiled before it pays.

The interpreter plays until machine code is asked for, as by a search. Then the game is played again
natively from its seed, by the same choices, and goes on there: the engines play alike.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from cardwright.game.reference import ReferenceEngine

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from cardwright.game.board import Board, WorldChain
    from cardwright.game.determinise import KnowledgeMode
    from cardwright.game.flat import Chances, Trials
    from cardwright.game.knowledge import Knowledge
    from cardwright.game.native import NativeBoard, NativeEngine
    from cardwright.game.past import Snapshot
    from cardwright.game.rollouts import Rollouts
    from cardwright.interpreter.effects import BuiltOption, Pick
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.stream import Stream
    from cardwright.interpreter.world import World
    from cardwright.program import nodes as n
    from cardwright.program.cards import CardId, Location, Seat
    from cardwright.program.program import Program


class LateEngine:
    """Plays a program by the interpreter, and its boards by machine code once they need it."""

    name = "native"

    def __init__(self, program: Program, limits: GameLimits, *, brief: bool = False) -> None:
        self._program = program
        self._limits = limits
        self._brief = brief
        self.reference = ReferenceEngine(program, limits)

    @cached_property
    def native(self) -> NativeEngine:
        """The engine of machine code."""
        from cardwright.game.native import NativeEngine

        return NativeEngine(self._program, self._limits, brief=self._brief)

    def prepare(self) -> None:
        """Do nothing: what is never needed is never compiled."""

    def start(self, seed: int) -> LateBoard:
        """Return a board after the set-up of a new game, before its first item."""
        return LateBoard(self, seed, [], self.reference.start(seed))


class LateBoard:
    """A board of the interpreter, and of machine code from the first call of `native` on.

    `board` is the one that plays; `seed` and `choices` lead to it.
    """

    __slots__ = ("_engine", "_native", "board", "choices", "seed")

    def __init__(
        self,
        engine: LateEngine,
        seed: int,
        choices: list[int],
        board: Board,
        native: NativeBoard | None = None,
    ) -> None:
        self._engine = engine
        self.seed = seed
        self.choices = choices
        self.board = board
        self._native = native

    def native(self) -> NativeBoard:
        """Return this as a board of machine code, which it is from now on; raises EngineError."""
        if self._native is None:
            board = self._engine.native.start(self.seed)
            board.advance()
            for choice in self.choices:
                board.play(choice)
            self.board = self._native = board
        return self._native

    @property
    def finished(self) -> bool:
        """Whether no decision is due."""
        return self.board.finished

    @property
    def player(self) -> Seat | None:
        """The seat that has to decide."""
        return self.board.player

    @property
    def option_count(self) -> int:
        """The number of options."""
        return self.board.option_count

    @property
    def choice(self) -> n.Choice:
        """The choice of the program that is due."""
        return self.board.choice

    def advance(self) -> None:
        """Run to the next decision, or to the end."""
        self.board.advance()

    def picks(self) -> Sequence[tuple[int, tuple[Pick, ...]]]:
        """Return for every option its branch and its picks."""
        return self.board.picks()

    def play(self, index: int) -> None:
        """Carry out an option, and run on."""
        self.board.play(index)
        self.choices.append(index)

    def scores(self) -> list[int]:
        """Return the score of every seat."""
        return self.board.scores()

    def where(self, card: CardId) -> Location:
        """Return the real place of a card."""
        return self.board.where(card)

    def world(self) -> World:
        """Return the board as a world."""
        return self.board.world()

    def built(self) -> Sequence[BuiltOption] | None:
        """Return the options with their effects, as long as the interpreter plays."""
        return self.board.built()

    def copy(self) -> LateBoard:
        """Return an independent board."""
        native = None if self._native is None else self._native.copy()
        board = native or self.board.copy()
        return LateBoard(self._engine, self.seed, self.choices.copy(), board, native)

    def snapshot(self) -> Snapshot:
        """Return a function that makes boards in this board's present state."""
        return self.copy().copy

    def determinise(self, seat: int, stream: Stream, mode: KnowledgeMode) -> Board:
        """Return a board drawn from those that a seat cannot tell from this one."""
        return self.native().determinise(seat, stream, mode)

    def worlds(self, knowledge: Knowledge, stream: Stream) -> WorldChain:
        """Begin a chain of boards that a seat cannot tell from this one by what it knows."""
        return self.native().worlds(knowledge, stream)

    def rollouts(
        self,
        count: int,
        stream: Stream,
        seat: Seat | None,
        mode: KnowledgeMode,
        knowledge: Knowledge | None = None,
    ) -> Rollouts:
        """Play to the end a number of times, the choices of each seat drawn from its own stream."""
        return self.native().rollouts(count, stream, seat, mode, knowledge)

    def trials(
        self, seat: Seat, mode: KnowledgeMode, chances: Chances, knowledge: Knowledge | None = None
    ) -> Trials:
        """Return trials of the options of the decision that is due."""
        return self.native().trials(seat, mode, chances, knowledge)

    def key(self) -> Hashable:
        """Return the key of the world."""
        return self.board.key()

    def same(self, other: Board) -> bool | None:
        """Return what the board that plays says."""
        return self.board.same(other.board if isinstance(other, LateBoard) else other)
