"""Warnings about what a program does: choices, actions that fail, turns, and unused variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.constants import NotConstantError, constant
from cardwright.program.kinds import ValueKind
from cardwright.syntax.diagnostic import Code, Related

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.program.constants import Constant
    from cardwright.program.context import Scope
    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostics

# Choices ---------------------------------------------------------------------------------------


def lint_choice(choice: n.Choice, report: Diagnostics) -> None:
    """Warn of a choice without any option, and note one that depends on a single condition."""
    if not any(map(_may_act, choice.steps)):
        report.add(
            Code.EMPTY_CHOICE,
            choice.span,
            "this choice never has an option: the game stops here with an error",
            help="give it a step that does something, such as (turn pass)",
        )
    elif len(choice.steps) == 1 and (reason := _condition(choice.steps[0])):
        report.add(
            Code.MAY_BE_EMPTY,
            choice.steps[0].span,
            f"{reason}, this choice has no option and the game stops with an error",
            help="if that can happen, add a step for it, such as (turn pass)",
        )


def _known(node: n.Node) -> Constant | None:
    try:
        return constant(node)
    except NotConstantError:
        return None


def _may_act(step: n.Node) -> bool:
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


# Actions that break a rule of the language whenever they run -----------------------------------

_VIRTUAL = (n.Filter, n.Combine, n.Sequence, n.EndRun, n.Sort)


def lint_failure(node: n.Node, program: Program, report: Diagnostics) -> None:
    """Warn of a move, swap or memory action that can only end in a runtime error."""

    def warn(place: n.Node, reason: str) -> None:
        message = f"this stops the game with an error: {reason}"
        report.add(Code.ALWAYS_FAILS, place.span, message)

    match node:
        case n.Numbered(number=n.Number(value=number)):
            player = node.kind is ValueKind.PLAYER
            what, count = ("player", program.players) if player else ("team", len(program.teams))
            last = program.base + count - 1
            if not program.base <= number <= last:
                numbered = f"this file numbers them {program.base} to {last}"
                warn(node, f"there is no {what} {number}: {numbered}")
        case n.Move(card=card, target=target):
            if _is_memory(card):
                warn(card, "references in memory cannot be moved; use forget")
            if reason := _wrong_target(target, memory=False):
                warn(target, reason)
        case n.Remember(target=target):
            if reason := _wrong_target(target, memory=True):
                warn(target, reason)
        case n.Forget(card=card):
            if _location(card) is not None and not _is_memory(card, unsure=True):
                warn(card, "only what is in a memory location can be forgotten")
        case n.Swap(left=left, right=right):
            for side in filter(_is_memory, (left, right)):
                warn(side, "references in memory cannot be swapped")


def _wrong_target(target: n.Node, *, memory: bool) -> str:
    """Return why no card can be put, or remembered, there; nothing if it can."""
    location = _location(target)
    if isinstance(location, _VIRTUAL):
        return "a virtual group holds no cards; name a real location"
    if not isinstance(location, n.Place) or (location.place is LocationKind.MEMORY) is memory:
        return ""
    if memory:
        return "cards are remembered in memory locations: (game mem ...)"
    return "a memory location holds no cards, only references; use remember"


def _location(card: n.Node) -> n.Node | None:
    if isinstance(card, n.End | n.Position | n.BestCard):
        return card.location
    return card if isinstance(card, n.Place) else None


def _is_memory(card: n.Node, *, unsure: bool = False) -> bool:
    location = _location(card)
    if isinstance(location, n.Place):
        return location.place is LocationKind.MEMORY
    return unsure and not isinstance(location, _VIRTUAL)


# Players queued in one stage, and looked for in the stage around it ----------------------------


def lint_stage(stage: n.Stage, report: Diagnostics) -> None:
    """Warn where a stage asks for the next player, whom only a stage in it has queued."""
    if stage.team:
        return
    queued: n.Node | None = None
    asked: n.Node | None = None
    for node in _own_nodes(stage):
        match node:
            case n.Cycle():
                return
            case n.Stage():  # a player who is found by a form, not by the turn
                inner = (cycle for cycle in n.walk(node) if isinstance(cycle, n.Cycle))
                others = (c for c in inner if c.queue and not isinstance(c.player, n.TurnOwner))
                queued = queued or next(others, None)
            case n.TurnOwner(kind=ValueKind.PLAYER, turn=n.Turn.NEXT) if queued is not None:
                asked = asked or node
    if queued is None or asked is None:
        return
    report.add(
        Code.QUEUED_INSIDE,
        asked.span,
        "who is queued in an inner stage has no turn outside: here this is the next player by "
        "number",
        help="store who it is in the inner stage, (set (game sto LEADER) (pid ...)), and queue "
        "that player here: (cycle next ((game sto LEADER) player))",
        related=(Related(queued.span, "it is queued in the inner stage"),),
    )


def queued_within(program: Program, kept: n.Node) -> n.Cycle | None:
    """Return where a player is queued in a stage, if the stage around it reads a number there.

    The number is one that nothing sets, and says which player is meant.
    """
    for stage in program.nodes():
        if not isinstance(stage, n.Stage):
            continue
        own = list(_own_nodes(stage))
        if not any(isinstance(node, n.Numbered) and node.number is kept for node in own):
            continue
        inner = (node for item in own if isinstance(item, n.Stage) for node in n.walk(item))
        return next((one for one in inner if isinstance(one, n.Cycle) and one.queue), None)
    return None


def _own_nodes(stage: n.Stage) -> Iterator[n.Node]:
    """Yield the nodes of a stage, and stages in it without what is in them."""
    waiting = [stage.end, *reversed(stage.items)]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, n.Stage):
            waiting += reversed(list(n.children(node)))


# Variables and constants that nothing uses: mostly because another name stands in their place --

_SAME = "the test is the same for every item"
_OPTIONS = "all its options are the same"
_VALUE = "the value is not needed"
_CONSTANT = "the file does not depend on it"

_HELP = {
    _SAME: "test the item, which {0} stands for",
    _OPTIONS: "do something with the item, which {0} stands for; if only the number of options "
    "matters, one is enough",
    _VALUE: "use {0} in the step, or write the step alone",
    _CONSTANT: "write {0} where its value stands, or leave the declaration out",
}


def lint_unused(program: Program, report: Diagnostics, scope: Scope) -> None:
    """Warn of variables that nothing uses, but not of those that only count how often.

    `(all player 'P STEP)` may just do a step once for each player.
    """
    used = {binding.span for _, binding in scope.uses}
    reasons = {}
    for node in program.nodes():
        variable = n.binds(node)
        if variable is not None:
            reasons[variable.span] = _why_used(node)
    reasons |= {declared.span: _CONSTANT for declared in program.declared}
    for binding in scope.bindings:
        reason = reasons.get(binding.span, "")
        if reason and binding.span not in used:
            message = f"nothing uses {binding.name}: {reason}"
            advice = _HELP[reason].format(binding.name)
            report.add(Code.UNUSED_VARIABLE, binding.span, message, help=advice)


def _why_used(node: n.Node) -> str:
    """Return why a variable of this form should be used; nothing if it need not be."""
    match node:
        case n.Filter(collection=n.Range(low=n.Number(value=low), high=n.Number(value=high))):
            return _SAME if low != high else ""  # of one item: so a condition counts as 1 or 0
        case n.Filter() | n.Quantifier():
            return _SAME
        case n.ForEach(choose=True):
            return _OPTIONS
        case n.Let():
            return _VALUE
    return ""
