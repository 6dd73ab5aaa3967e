"""Kernels as functions of the IR: each alone, or with all that they call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.compiler.ir import Function, Local
from cardwright.compiler.kernel import MARK, KernelError, Mark
from cardwright.compiler.kernel_frame import EngineFunctions, KernelFrame
from cardwright.compiler.kernel_source import fault, syntax_of
from cardwright.compiler.kernel_statements import Statements

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping
    from types import FunctionType
    from typing import Any

    from cardwright.compiler.ir import Struct


def lower_kernel(
    function: Callable[..., Any],
    structs: Mapping[str, Struct],
    parameters: Mapping[str, int],
    engine: EngineFunctions,
) -> Function:
    """Lower a kernel.

    `structs` are those that its annotations name, `parameters` constants that precede those of its
    module, and `engine` the types of functions that it calls that are not kernels.
    """
    return _lower(function, structs, parameters, engine)[0]


def kernels_needed(
    functions: Iterable[Callable[..., Any]],
    structs: Mapping[str, Struct],
    parameters: Mapping[str, int],
    engine: EngineFunctions,
    have: Container[str] = (),
) -> dict[str, Function]:
    """Lower kernels and what they call, by name; calls in pruned branches do not count.

    What there is already is left out.
    """
    lowered: dict[str, Function] = {}
    sources: dict[str, Callable[..., Any]] = {}
    waiting = list(functions)[::-1]
    while waiting:
        function = waiting.pop()
        name = function.__name__
        if sources.setdefault(name, function) is not function:
            msg = f"two kernels have the name {name}"
            raise KernelError(msg)
        if name not in lowered and name not in have:
            lowered[name], called = _lower(function, structs, parameters, engine)
            waiting.extend(called)
    return lowered


def _lower(
    function: Any,
    structs: Mapping[str, Struct],
    parameters: Mapping[str, int],
    engine: EngineFunctions,
) -> tuple[Function, list[FunctionType]]:
    """A kernel lowered, and the kernels that it calls."""
    mark: Mark | None = getattr(function, MARK, None)
    if mark is None:
        msg = f"{function} is not marked as a kernel"
        raise KernelError(msg)
    syntax = syntax_of(function)
    frame = KernelFrame(function, structs, parameters, engine)
    args = syntax.args
    if args.vararg or args.kwarg or args.kwonlyargs or args.posonlyargs or args.defaults:
        raise fault(function, syntax, "a kernel's parameters are plain")
    params = []
    for arg in args.args:
        frame.kinds[arg.arg] = kind = frame.kind_of(arg.annotation, arg)
        params.append(Local(arg.arg, kind.type))
    result = frame.kind_of(syntax.returns, syntax)
    body = Statements(frame, syntax, result).block(syntax.body)
    lowered = Function(
        function.__name__, tuple(params), result.type, body, mark.exported, mark.inline
    )
    return lowered, list(frame.kernels.values())
