"""Engines by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.errors import CardwrightError
from cardwright.game.late import LateEngine
from cardwright.game.reference import ReferenceEngine
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from cardwright.game.board import Engine
    from cardwright.interpreter.machine import GameLimits
    from cardwright.program.program import Program

ENGINES = ("interpreter", "native")
"""Every engine by its name."""

DEFAULT_ENGINE = "native"
"""The engine of a game that specifies none."""


class EngineError(CardwrightError):
    """A name of no engine, or an engine that cannot play here."""


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
    name: str, program: Program, limits: GameLimits, *, late: bool = False, brief: bool = False
) -> Engine:
    """Return the engine of a name for a program; raises EngineError.

    A `late` one compiles nothing before machine code is asked for; a `brief` one compiles with the
    least effort, and stores nothing.
    """
    if check_engine(name) == "native":
        check_optimisation()
        if late:
            return LateEngine(program, limits, brief=brief)
        from cardwright.game.native import NativeEngine

        return NativeEngine(program, limits, brief=brief)
    return ReferenceEngine(program, limits)
