"""Players who are queued in one stage, and looked for in the stage around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.syntax.diagnostic import Code, Related

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostics


def lint_turns(program: Program, report: Diagnostics) -> None:
    """Warn where a stage asks for the next player, whom only a stage in it has queued."""
    for stage in program.nodes():
        if isinstance(stage, n.Stage) and not stage.team:
            _look(stage, report)


def _look(stage: n.Stage, report: Diagnostics) -> None:
    queued: n.Cycle | None = None
    asked: n.Node | None = None
    for item in (*stage.items, stage.end):
        for node in _own(item):
            if isinstance(node, n.Cycle):
                return
            if isinstance(node, n.Stage):
                queued = queued or next(filter(None, map(_queues, n.walk(node))), None)
            elif queued is not None and asked is None and _is_next(node):
                asked = node
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
        own = [node for item in (*stage.items, stage.end) for node in _own(item)]
        if not any(isinstance(node, n.Numbered) and node.number is kept for node in own):
            continue
        inner = (node for one in own if isinstance(one, n.Stage) for node in n.walk(one))
        return next((one for one in inner if isinstance(one, n.Cycle) and one.queue), None)
    return None


def _own(item: n.Node) -> Iterator[n.Node]:
    """Yield the nodes of an item, and stages in it without what is in them."""
    yield item
    if not isinstance(item, n.Stage):
        for child in n.children(item):
            yield from _own(child)


def _queues(node: n.Node) -> n.Cycle | None:
    """Return a node that queues a player who is found by a form, not by the turn."""
    if isinstance(node, n.Cycle) and node.queue and not isinstance(node.player, n.TurnOwner):
        return node
    return None


def _is_next(node: n.Node) -> bool:
    return (
        isinstance(node, n.TurnOwner) and node.turn is n.Turn.NEXT and node.kind is ValueKind.PLAYER
    )
