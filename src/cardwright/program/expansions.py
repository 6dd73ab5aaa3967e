"""What the extensions of the table of forms stand for, where a template cannot say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program.expansion import UnexplainedError

if TYPE_CHECKING:
    from cardwright.program.expansion import Expand, Expansion
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


def extreme(word: str) -> Expand:
    """`(max A B ...)`: a sum of one number, the first that is as large as all others."""
    before, after = (">", ">=") if word == "max" else ("<", "<=")

    def expand(made: Expansion) -> tuple[Syntax, ...]:
        count = range(len(made.holes))
        drawn = next((at for at in count if made.draws(at)), None)
        if drawn is not None:
            raise UnexplainedError(
                f"{word} of a number that is drawn: plain RECYCLE would draw it again", "", drawn
            )
        cases = []
        for at in count:
            tests = [
                f"({before if other < at else after} {{{at}}} {{{other}}})"
                for other in count
                if other != at
            ]
            test = tests[0] if len(tests) == 1 else f"(and {' '.join(tests)})"
            cases.append(f"(all (filter (range 1 .. 1) 'ONE {test}) 'ONE {{{at}}})")
        return (made.form(f"(+ {' '.join(cases)})"),)

    return expand
