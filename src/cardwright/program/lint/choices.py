"""Choices that may leave the player without an option, which stops the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.constants import NotConstantError, constant
from cardwright.syntax.diagnostic import Code

if TYPE_CHECKING:
    from cardwright.program.constants import Constant
    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostics


def lint_choices(program: Program, report: Diagnostics) -> None:
    """Warn of choices without any option, and note those that depend on a single condition."""
    for node in program.nodes():
        if not isinstance(node, n.Choice):
            continue
        if not any(map(_may_act, node.steps)):
            report.add(
                Code.EMPTY_CHOICE,
                node.span,
                "this choice never has an option: the game stops here with an error",
                help="give it a step that does something, such as (turn pass)",
            )
        elif len(node.steps) == 1 and (reason := _condition(node.steps[0])):
            report.add(
                Code.MAY_BE_EMPTY,
                node.steps[0].span,
                f"{reason}, this choice has no option and the game stops with an error",
                help="if that can happen, add a step for it, such as (turn pass)",
            )


def _known(node: n.Node) -> Constant | None:
    try:
        return constant(node)
    except NotConstantError:
        return None


def _may_act(step: n.Node) -> bool:
    """Return whether a step can give an option at all."""
    match step:
        case n.Do(steps=steps):
            return any(map(_may_act, steps))
        case n.When(test=test, body=body):
            return _known(test) is not False and _may_act(body)
        case n.ForEach(collection=collection, body=body):
            return _known(collection) not in ((), range(0)) and _may_act(body)
        case n.Let(body=body):
            return _may_act(body)
        case n.Repeat(count=count, action=action):
            times = _known(count)
            return not (isinstance(times, int) and times <= 0) and _may_act(action)
    return True


def _condition(step: n.Node) -> str:
    """Return the case in which the only step of a choice gives no option."""
    match step:
        case n.Do(steps=(only,)) | n.Let(body=only):
            return _condition(only)
        case n.When(test=test, body=body):
            return "when the test fails" if _known(test) is not True else _condition(body)
        case n.ForEach(collection=n.Filter(), choose=True):
            return "when nothing passes the filter"
    return ""
