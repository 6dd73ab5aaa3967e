"""Reading declared tables from names to numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.constants import NotConstantError, constant
from cardwright.program.keys import is_pair
from cardwright.program.kinds import ValueKind
from cardwright.program.tables import Worths
from cardwright.syntax.diagnostic import Code
from cardwright.syntax.tree import Form

if TYPE_CHECKING:
    from cardwright.program.elaborate import Elaborator
    from cardwright.syntax.tree import Syntax

TABLE_PATTERN = "(declare ((NAME : INTEGER) ...) 'V)"


def read_table(by: Elaborator, value: Syntax) -> n.Node | None:
    """Return the table that a declared value is; None if it is something else."""
    if not isinstance(value, Form) or not value.items:
        return None
    pairs = [item for item in value.items if isinstance(item, Form) and is_pair(item)]
    if len(pairs) < len(value.items):
        return None
    found: dict[str, int] = {}
    sound = True
    for pair in pairs:
        key = _known(by, pair.items[0], ValueKind.STRING)
        number = _known(by, pair.items[2], ValueKind.INTEGER)
        if not isinstance(key, str) or not isinstance(number, int):
            sound = False
        elif key in found:
            sound = False
            by.report.add(Code.WRONG_SHAPE, pair.span, f"{key} is in this table twice")
        else:
            found[key] = number
    if not sound:
        return n.Bad(ValueKind.WORTHS, value.span)
    return Worths(ValueKind.WORTHS, value.span, tuple(found.items()))


def _known(by: Elaborator, item: Syntax, kind: ValueKind) -> object:
    node = by.elaborate(item, kind)
    if isinstance(node, n.Bad):
        return None
    try:
        return constant(node)
    except NotConstantError as error:
        by.report.add(
            Code.NOT_CONSTANT,
            error.node.span,
            error.reason or "this is not known before the game starts",
            expected="names, numbers, and constants declared before",
        )
        return None
