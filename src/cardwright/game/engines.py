"""Engines by name, and those that a game has."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol

from cardwright.game.errors import EngineError
from cardwright.game.reference import ReferenceEngine
from cardwright.interpreter.machine import Rules
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from cardwright.game.native.engine import NativeEngine
    from cardwright.interpreter.machine import GameLimits
    from cardwright.program.program import Program

ENGINES = ("interpreter", "native", "wasm")
"""Every engine by its name."""

DEFAULT_ENGINE = "native"
"""The engine of a game that specifies none."""


def check_engine(name: str) -> str:
    """Return the name of an engine; raises EngineError if there is none of that name.

    Raises MissingExtraError if the engine needs a library that is not installed.
    """
    if name not in ENGINES:
        advice = did_you_mean(name, ENGINES)
        raise EngineError(
            f"there is no engine {name!r}; {f'{advice} ' if advice else ''}"
            f"(engines: {', '.join(ENGINES)})"
        )
    if name == "wasm" and sys.platform != "emscripten":
        from cardwright.extras import need

        need("wasmtime")
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


def machine_engine(program: Program, limits: GameLimits, name: str, *, brief: bool) -> NativeEngine:
    """Return an engine of machine code for a program by its name; raises EngineError.

    A `brief` one compiles with the least effort, and stores nothing.
    """
    check_optimisation()
    from cardwright.game.native.engine import NativeEngine

    return NativeEngine(program, limits, name, brief=brief)


def reference_engine(program: Program, limits: GameLimits) -> ReferenceEngine:
    """Return the interpreter as the engine of a program."""
    from cardwright.program.chains import most_options

    return ReferenceEngine(Rules(program, most_options(program)), limits)


class Playable(Protocol):
    """A game with its engines: the interpreter, and that of machine code if it plays the game."""

    @property
    def _reference(self) -> ReferenceEngine: ...

    @property
    def _machine(self) -> NativeEngine | None: ...


def native_engine(game: Playable, need: str) -> NativeEngine:
    """Return the engine of machine code of a game; raises EngineError where there is none.

    `need` says who needs it, as "batches need".
    """
    if game._machine is None:
        raise EngineError(
            f"{need} the native engine, and this game is played by the interpreter:"
            ' try Game.load(..., engine="native"), or with_engine("native")'
        )
    return game._machine
