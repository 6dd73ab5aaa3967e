"""The plain text of the extensions that engines know, for those who want to do without them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.expansion import Hole, UnexplainedError
from cardwright.program.kinds import ValueKind
from cardwright.program.settle import settled
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.program.expansion import Expansion


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
        if not any(one is not None and one.name == card.name for one in inner):
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
    test = settled(made.hole(0).node)
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
        case n.Cycle():
            return True
        case n.TurnOwner(turn=n.Turn.NEXT, kind=ValueKind.PLAYER):
            return True
    return False
