"""What the extensions of the table of forms stand for, where a template cannot say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.program.expansion import Expansion
    from cardwright.syntax.tree import Syntax


def otherwise(made: Expansion) -> tuple[Syntax, ...]:
    """`(C S else T)`: the condition is bound, so that what S does cannot change it.

    The steps of a choice all start from the same state, so there the opposite condition will do.
    """
    if not made.in_list or made.draws(0):
        return (made.form("(let {0} 'HOLDS (do (('HOLDS {1}) ((not 'HOLDS) {2}))))"),)
    steps = made.steps(2)
    return (
        made.form("({0} {1})"),
        *(made.form("((not {0}) {step})", step=step) for step in steps),
    )
