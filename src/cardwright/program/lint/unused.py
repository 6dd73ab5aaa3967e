"""Variables and constants that nothing uses: mostly because another name stands in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.syntax.diagnostic import Code

if TYPE_CHECKING:
    from cardwright.program.program import Program
    from cardwright.program.scope import Scope
    from cardwright.syntax.diagnostic import Diagnostics

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
            reasons[variable.span] = _reason(node)
    for declared in program.declared:
        reasons[declared.span] = _CONSTANT
    for binding in scope.bindings:
        reason = reasons.get(binding.span, "")
        if reason and binding.span not in used:
            report.add(
                Code.UNUSED_VARIABLE,
                binding.span,
                f"nothing uses {binding.name}: {reason}",
                help=_HELP[reason].format(binding.name),
            )


def _reason(node: n.Node) -> str:
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
