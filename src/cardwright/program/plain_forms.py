"""The plain RECYCLE of extensions, where a template cannot say it.

Where the row's node is `expanded`, it is elaborated in the place of the extension. Where engines
know the extension itself, it is only printed, by `cardwright format --plain`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.constants import folded
from cardwright.program.expansion import Hole, PointTable, UnexplainedError
from cardwright.program.integers import SMALLEST
from cardwright.program.kinds import ValueKind
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.program.expansion import Expansion


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
    lists = ValueKind.LOCATION | ValueKind.LOCATIONS  # whose cards may change
    return not any(
        inner.traits.draws
        or inner.traits.reads & changed
        or (isinstance(inner, n.Variable) and inner.kind & lists)
        for inner in n.walk(test)
    )


def extreme(made: Expansion, *, word: str) -> tuple[Syntax, ...]:
    """`(max A B ...)`: a sum of one number, the first that is as large as all others."""
    before, after = (">", ">=") if word == "max" else ("<", "<=")
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


def element(made: Expansion, *, word: str) -> tuple[Syntax, ...]:
    """`(top L)`, `(bottom L)`, `(N L)`: the number of the player with so many of the list below."""
    _once(made, *range(len(made.holes)))
    passes = f"({'>' if word == 'bottom' else '<'} (pid 'OTHER) (pid 'ONE))"
    if word:
        one = f"{{0}} 'ONE (not (any {{0}} 'OTHER {passes}))"
    else:
        one = f"{{1}} 'ONE (== (size (filter {{1}} 'OTHER {passes})) {{0}})"
    return (made.form(_NUMBERED.format(one)),)


def worth(made: Expansion) -> tuple[Syntax, ...]:
    """`(score S using T)`: each number of the table, times how many of its names S is."""
    name, table = made.hole(0).node, made.hole(1).node
    assert isinstance(table, PointTable)
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


def unworded(made: Expansion) -> tuple[Syntax, ...]:
    """`(label (PART...) STEP)`: the step; its option has the words that it has without a label.

    Where an item stands, an action is none, and under a condition an item means something else.
    """
    step = made.hole(len(made.holes) - 1)
    if made.in_choice or step.node.kind is ValueKind.STEP:
        return (step,)
    return (made.form("(do ({step}))", step=step),)


def bound_player(made: Expansion) -> tuple[Syntax, ...]:
    """`(let PLAYER 'V STEP)`: a loop over the one player that has its number."""
    return (made.form("(let (pid {0}) 'N (all (filter player 'P (== (pid 'P) 'N)) {1} {2}))"),)


# Cards --------------------------------------------------------------------------------------


def bound_card(made: Expansion) -> tuple[Syntax, ...]:
    """`(let CARD 'V STEP)`: a loop over the one card, if it can be found again without any trace.

    A card that may be drawn among several is found once, so that it has to be remembered. That
    there is one at all is asked by its score, of which an empty location makes the same error.
    """
    card, written, step = made.hole(0).node, made.hole(0).written, made.hole(2).node
    while isinstance(card, n.Actual) and isinstance(written, Form) and len(written.items) == 2:
        card, written = card.card, written.items[1]
    if isinstance(card, n.Variable):
        inner = (n.binds(node) for node in n.walk(step))
        if not any(storage is not None and storage.name == card.name for storage in inner):
            return (made.renamed(2, 1, Hole.of(written, card)),)
    if not made.draws(0) and isinstance(written, Form):
        asked = made.form("(+ 1 (score {0} using (game points {no})))", no=made.no_points())
        only = _only(made, card, written, asked)
        if only is not None:
            return (made.form("(all {only} {1} {2})", only=only),)
    if made.in_choice:
        raise UnexplainedError(
            "an option would show the location that remembers the card",
            "bind the card before the choice, or remember it in a location of the kind mem",
            0,
        )
    return (
        made.form(
            "(do ((remember {0} (top (game mem {BOUND}))) (all (game mem {BOUND}) {1} "
            "(do ((forget (top (game mem {BOUND}))) {2})))))"
        ),
    )


def _only(made: Expansion, card: n.Node, written: Form, count: Syntax) -> Syntax | None:
    """Return the location that has a card alone, if the form that names it tells which that is.

    The `count` is 1, or an error if there is no card.
    """
    match card:
        case n.End(location=n.Element(locations=inner, span=span)) if span == card.span:
            word, location = written.items
            end = made.form("({end} {of})", end=word, of=Hole.of(location, inner))
            return made.form("({end} {count} {of})", end=word, count=count, of=end)
        case n.End(location=inner) if len(written.items) == 1:
            held = Hole.of(written.items[0], inner)
            return made.form("(top {count} {of})", count=count, of=held)
        case n.End(location=inner) if any(is_word(written.head, w) for w in ("top", "bottom")):
            word, location = written.items
            held = Hole.of(location, inner)
            return made.form("({end} {count} {of})", end=word, count=count, of=held)
        case n.Position(index=index, location=inner) if len(written.items) == 2:
            at, location = written.items
            return made.form(
                "(top {count} (filter {of} 'D (== 'D ({at} {of}))))",
                count=count,
                at=Hole.of(at, index),
                of=Hole.of(location, inner),
            )
    return None


# Items under a condition --------------------------------------------------------------------


def forked(made: Expansion) -> tuple[Syntax, ...]:
    """`(C ITEM)` and `(C ITEM else ITEM)`: stages of one turn, of which one is played.

    What they queue would be queued within these, and who is current there is not outside.
    """
    operands = [at for at, hole in enumerate(made.holes) if at and hole is not None]
    if all(made.hole(at).node.kind is ValueKind.STEP for at in operands):
        return _blocks(made)
    test = folded(made.hole(0).node)
    decided = test.value if isinstance(test, n.Truth) else None
    turns = [at for at in operands if any(map(_is_about_turns, _of_the_turn(made.hole(at).node)))]
    if decided is not None and (turns or made.draws(0)):
        played = 1 if decided else 2
        return (made.hole(played),) if played in operands else ()
    if turns:
        raise UnexplainedError(
            "a stage of its own would have turns of its own, which this item changes or reads",
            "queue players, make them current and ask who is next after the item",
            turns[0],
        )
    name = Atom(AtomKind.NAME, made.fresh.name("WAY"), made.span)
    other = 2 if len(operands) > 1 else 0
    return (
        made.form(
            f"(do ((set (game sto {{way}}) {other}) ({{0}} (set (game sto {{way}}) 1))))", way=name
        ),
        *(
            made.form(
                f"(stage player (end {_over(at, decided)}) "
                f"(do ((set (game sto {{way}}) 0))) {{{at}}})",
                way=name,
            )
            for at in operands
        ),
    )


def _over(at: int, decided: bool | None) -> str:
    """Return the end of the stage for one of the items; a test that is decided takes it away."""
    over = f"(!= (game sto {{way}}) {at})"
    if decided is None:
        return over
    return f"(or {'(not {0})' if at == 1 else '{0}'} {over})"


def _blocks(made: Expansion) -> tuple[Syntax, ...]:
    if len(made.holes) < 3:
        return (made.form("(do (({0} {1})))"),)
    return (made.form("(do ((let {0} 'HOLDS (do (('HOLDS {1}) ((not 'HOLDS) {2}))))))"),)


def _of_the_turn(node: n.Node) -> Iterator[n.Node]:
    """Yield a node and what is below it, but not what is in the turns of other stages."""
    if isinstance(node, n.Stage) and not node.team:
        return
    yield node
    for inner in n.children(node):
        yield from _of_the_turn(inner)


def _is_about_turns(node: n.Node) -> bool:
    """Return whether a form makes a player current or queues one, or asks who is next."""
    match node:
        case n.Cycle() | n.TurnOwner(turn=n.Turn.NEXT, kind=ValueKind.PLAYER):
            return True
    return False
