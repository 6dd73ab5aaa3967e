"""Engines by name, and the native engine for one game that people watch.

The lazy engine compiles nothing before it pays. The interpreter plays; when machine code is asked
for, as by a search, the game is played again natively from its seed by the same choices, in some
milliseconds: the engines play alike.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

from cardwright.game.errors import EngineError
from cardwright.game.reference import ReferenceBoard, ReferenceEngine
from cardwright.interpreter import machine
from cardwright.interpreter.machine import Rules
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from cardwright.game.board import Board, Engine, Snapshot
    from cardwright.game.information.knowledge import Redeal
    from cardwright.game.native.engine import NativeBoard, NativeEngine
    from cardwright.game.search import Chances, Rollouts, Trials
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.stream import Stream
    from cardwright.interpreter.world import World
    from cardwright.program.program import Program

ENGINES = ("interpreter", "native")
"""Every engine by its name."""

DEFAULT_ENGINE = "native"
"""The engine of a game that specifies none."""


def check_engine(name: str) -> str:
    """Return the name of an engine; raises EngineError if there is none of that name."""
    if name not in ENGINES:
        advice = did_you_mean(name, ENGINES)
        raise EngineError(
            f"there is no engine {name!r}; {f'{advice} ' if advice else ''}"
            f"(engines: {', '.join(ENGINES)})"
        )
    return name


def check_optimisation() -> None:
    """Check the environment variable for optimisation; raises EngineError if it is invalid."""
    from cardwright.compiler.backend import OptimisationError, most_effort

    try:
        most_effort()
    except OptimisationError as error:
        refused = EngineError(str(error))
        refused.wrong_call = True
        raise refused from None


def make_engine(
    name: str, program: Program, limits: GameLimits, *, lazy: bool = False, brief: bool = False
) -> Engine:
    """Return the engine of a name for a program; raises EngineError.

    A `lazy` one compiles nothing before machine code is asked for; a `brief` one compiles with the
    least effort, and stores nothing.
    """
    if check_engine(name) == "interpreter":
        return reference_engine(program, limits)
    check_optimisation()
    if lazy:
        return LazyEngine(program, limits, brief=brief)
    from cardwright.game.native.engine import NativeEngine

    return NativeEngine(program, limits, brief=brief)


def reference_engine(program: Program, limits: GameLimits) -> ReferenceEngine:
    """Return the interpreter as the engine of a program."""
    return ReferenceEngine(_rules(program), limits)


def _rules(program: Program) -> Rules:
    from cardwright.program.chains import most_options

    return Rules(program, most_options(program))


def native_engine(engine: Engine, need: str) -> NativeEngine:
    """Return an engine, which has to be the native one; raises EngineError.

    `need` says who needs it, as "batches need".
    """
    native = native_or_none(engine)
    if native is None:
        raise EngineError(
            f"{need} the native engine, and this game is played by the {engine.name}:"
            ' try Game.load(..., engine="native"), or with_engine("native")'
        )
    return native


def native_or_none(engine: Engine) -> NativeEngine | None:
    """Return an engine if it is the native one."""
    if isinstance(engine, LazyEngine):
        return engine.native
    return None if isinstance(engine, ReferenceEngine) else cast("NativeEngine", engine)


def native_board(board: Board) -> NativeBoard | None:
    """Return a board of the native engine, as machine code has it; None for any other."""
    if isinstance(board, LazyBoard):
        return board.native()
    return None if isinstance(board, ReferenceBoard) else cast("NativeBoard", board)


class LazyEngine(ReferenceEngine):
    """Plays a program by the interpreter, and its boards by machine code once they need it."""

    name = "native"

    def __init__(self, program: Program, limits: GameLimits, *, brief: bool = False) -> None:
        super().__init__(_rules(program), limits)
        self._brief = brief

    @cached_property
    def native(self) -> NativeEngine:
        """The engine of machine code."""
        from cardwright.game.native.engine import NativeEngine

        return NativeEngine(self.rules.program, self.limits, brief=self._brief)

    def start(self, seed: int) -> LazyBoard:
        """Return a board after the set-up of a new game, before its first item."""
        return LazyBoard(self, seed, [], machine.start(self.rules, seed))


class LazyBoard(ReferenceBoard):
    """A board of the interpreter that machine code can play again, by its seed and choices."""

    __slots__ = ("_engine", "_native", "choices", "seed")

    def __init__(self, engine: LazyEngine, seed: int, choices: list[int], world: World) -> None:
        """Take over a world that is not advanced yet."""
        super().__init__(world, engine.limits)
        self._engine = engine
        self.seed = seed
        self.choices = choices
        self._native: NativeBoard | None = None

    def native(self) -> NativeBoard:
        """Return this as a board of machine code, not to be played on; raises EngineError."""
        if self._native is None:
            self._native = self._engine.native.start(self.seed)
            self._native.advance()
            for choice in self.choices:
                self._native.play(choice)
        return self._native

    def play(self, index: int) -> None:
        """Carry out an option, and run on."""
        self._native = None
        super().play(index)
        self.choices.append(index)

    def copy(self) -> LazyBoard:
        """Return an independent board."""
        board = LazyBoard(self._engine, self.seed, self.choices.copy(), self._world.copy())
        board._built, board._native = self._built, self._native
        return board

    def worlds(self, redeal: Redeal, stream: Stream) -> Snapshot:
        """Return what draws boards that a seat cannot tell from this one."""
        return self.native().worlds(redeal, stream)

    def rollouts(self, count: int, stream: Stream, redeal: Redeal | None) -> Rollouts:
        """Play to the end a number of times, the choices of each seat drawn from its own stream."""
        return self.native().rollouts(count, stream, redeal)

    def trials(self, redeal: Redeal, chances: Chances) -> Trials:
        """Return trials of the options of the decision that is due."""
        return self.native().trials(redeal, chances)
