"""What the extensions of the table of forms stand for, where a template cannot say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.expansion import UnexplainedError
from cardwright.program.integers import SMALLEST
from cardwright.program.kinds import ValueKind
from cardwright.program.tables import Worths

if TYPE_CHECKING:
    from cardwright.program.expansion import Expand, Expansion
    from cardwright.syntax.tree import Syntax


def otherwise(made: Expansion) -> tuple[Syntax, ...]:
    """`(C S else T)`: the condition is bound, if what S does might change it.

    The steps of a choice all start from the same state, so there the opposite condition will do.
    """
    if made.in_list and not made.draws(0):
        steps = made.steps(2)
        return (
            made.form("({0} {1})"),
            *(made.form("((not {0}) {step})", step=step) for step in steps),
        )
    if _stays(made.hole(0).node, made.hole(1).node):
        return (made.form("(do (({0} {1}) ((not {0}) {2})))"),)
    return (made.form("(let {0} 'HOLDS (do (('HOLDS {1}) ((not 'HOLDS) {2}))))"),)


def _stays(test: n.Node, step: n.Node) -> bool:
    """Return whether a test has the same outcome after a step: it reads nothing that changes."""
    changed = n.writes(step)
    return not any(
        inner.traits.draws or inner.traits.reads & changed or _is_live(inner)
        for inner in n.walk(test)
    )


def _is_live(node: n.Node) -> bool:
    """Return whether a node is a variable for locations, whose cards may change."""
    lists = ValueKind.LOCATION | ValueKind.LOCATIONS
    return isinstance(node, n.Variable) and bool(node.kind & lists)


def extreme(word: str) -> Expand:
    """`(max A B ...)`: a sum of one number, the first that is as large as all others."""
    before, after = (">", ">=") if word == "max" else ("<", "<=")

    def expand(made: Expansion) -> tuple[Syntax, ...]:
        count = range(len(made.holes))
        _once(made, *count)
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


def first_player(made: Expansion) -> tuple[Syntax, ...]:
    """`(first player from X 'P C)`: the number of the player with C before whom there is none.

    What comes before is measured in seats from X. If nobody passes, the number is one that no
    player has.
    """
    _once(made, 0, 2)
    start = made.hole(0) if made.holes[0] is not None else made.form("(current player)")
    other = made.variable("'BEFORE", ValueKind.PLAYER)
    distance = "(% (+ (- (pid {who}) (pid {start})) (size player)) (size player))"
    near, far = (made.form(distance, who=who, start=start) for who in (other, made.hole(1)))
    before = made.form("(< {near} {far})", near=near, far=far)
    passes = made.renamed(2, 1, other)
    alone = made.form(
        "(and {2} (not (any player {other} (and {before} {passes}))))",
        other=other, before=before, passes=passes,
    )  # fmt: skip
    return (made.form(f"{_NUMBERED.format('player {1} {alone}')}", alone=alone),)


def element(word: str) -> Expand:
    """`(top L)`, `(bottom L)`, `(N L)`: the number of the player with so many of the list below."""

    def expand(made: Expansion) -> tuple[Syntax, ...]:
        _once(made, *range(len(made.holes)))
        items = 0 if word else 1
        passes = f"({'>' if word == 'bottom' else '<'} (pid 'OTHER) (pid 'ONE))"
        if word:
            test = f"(not (any {{{items}}} 'OTHER {passes}))"
        else:
            test = f"(== (size (filter {{{items}}} 'OTHER {passes})) {{0}})"
        return (made.form(_NUMBERED.format(f"{{{items}}} 'ONE {test}")),)

    return expand


def worth(made: Expansion) -> tuple[Syntax, ...]:
    """`(score S using T)`: each number of the table, times how many of its names S is."""
    name, table = made.hole(0).node, made.hole(1).node
    assert isinstance(table, Worths)
    numbers = dict(table.numbers)
    if isinstance(name, n.Text):
        return (made.form(as_integer(numbers.get(name.value, 0))),)
    _once(made, 0)
    names: dict[int, list[str]] = {}
    for key, number in numbers.items():
        if number:
            names.setdefault(number, []).append(key)
    parts = [
        f"(* {as_integer(number)} (size (filter ({' , '.join(keys)}) 'NAME (== 'NAME {{0}}))))"
        for number, keys in names.items()
    ]
    if not parts:
        return (made.form("0"),)
    return (made.form(parts[0] if len(parts) == 1 else f"(+ {' '.join(parts)})"),)


def as_integer(value: int) -> str:
    """Return an integer as a form; there are no negative numbers."""
    if value == SMALLEST:
        return f"(- {as_integer(value + 1)} 1)"
    return str(value) if value >= 0 else f"(- 0 {-value})"


_NUMBERED = "((- (all (filter {}) 'FOUND (+ (pid 'FOUND) 1)) 1) player)"
"""The only player of a list; -1, which is no player's number, of an empty one."""


def _once(made: Expansion, *operands: int) -> None:
    """Raise UnexplainedError if an operand draws, as the plain form would draw it several times."""
    for at in operands:
        if made.draws(at):
            raise UnexplainedError(
                "what is drawn at random cannot stand here: plain RECYCLE would draw it again",
                "draw it before, with let or set, and use that here",
                at,
            )
