"""Actions that break a rule of the language whenever they run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.kinds import ValueKind
from cardwright.syntax.diagnostic import Code

if TYPE_CHECKING:
    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostics

_VIRTUAL = (n.Filter, n.Combine, n.Sequence, n.EndRun, n.Sort)


def lint_failures(program: Program, report: Diagnostics) -> None:
    """Warn of moves, swaps and memory actions that can only end in a runtime error."""
    for node in program.nodes():
        match node:
            case n.Numbered(number=n.Number() as number):
                _warn_number(program, report, node, number.value)
            case n.Move(card=card, target=target):
                if _is_memory(card):
                    _warn(report, card, "references in memory cannot be moved; use forget")
                _warn_target(report, target, memory=False)
            case n.Remember(target=target):
                _warn_target(report, target, memory=True)
            case n.Forget(card=card):
                if _location(card) is not None and not _is_memory(card, unsure=True):
                    _warn(report, card, "only what is in a memory location can be forgotten")
            case n.Swap(left=left, right=right):
                for side in (left, right):
                    if _is_memory(side):
                        _warn(report, side, "references in memory cannot be swapped")


def _warn(report: Diagnostics, node: n.Node, reason: str) -> None:
    report.add(Code.ALWAYS_FAILS, node.span, f"this stops the game with an error: {reason}")


def _warn_number(program: Program, report: Diagnostics, node: n.Numbered, number: int) -> None:
    count = program.players if node.kind is ValueKind.PLAYER else len(program.teams)
    last = program.base + count - 1
    if not program.base <= number <= last:
        what = "player" if node.kind is ValueKind.PLAYER else "team"
        _warn(
            report,
            node,
            f"there is no {what} {number}: this file numbers them {program.base} to {last}",
        )


def _warn_target(report: Diagnostics, target: n.Node, *, memory: bool) -> None:
    location = _location(target)
    if isinstance(location, _VIRTUAL):
        _warn(report, target, "a virtual group holds no cards; name a real location")
    elif isinstance(location, n.Place) and (location.place is LocationKind.MEMORY) is not memory:
        reason = (
            "cards are remembered in memory locations: (game mem ...)"
            if memory
            else "a memory location holds no cards, only references; use remember"
        )
        _warn(report, target, reason)


def _location(card: n.Node) -> n.Node | None:
    if isinstance(card, n.End | n.Position | n.BestCard):
        return card.location
    return card if isinstance(card, n.Place) else None


def _is_memory(card: n.Node, *, unsure: bool = False) -> bool:
    location = _location(card)
    if isinstance(location, n.Place):
        return location.place is LocationKind.MEMORY
    return unsure and not isinstance(location, _VIRTUAL)
