"""The plain text of the extensions that engines know, for those who want to do without them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.expansion import Hole, UnexplainedError
from cardwright.program.kinds import ValueKind
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.program.expansion import Expansion


def unworded(made: Expansion) -> tuple[Syntax, ...]:
    """`(label (PART...) STEP)`: the step; its option has the words that it has without a label."""
    return (made.hole(len(made.holes) - 1),)


def bound_player(made: Expansion) -> tuple[Syntax, ...]:
    """`(let PLAYER 'V STEP)`: a loop over the one player that has its number."""
    return (made.form("(let (pid {0}) 'N (all (filter player 'P (== (pid 'P) 'N)) {1} {2}))"),)


# Cards --------------------------------------------------------------------------------------


def bound_card(made: Expansion) -> tuple[Syntax, ...]:
    """`(let CARD 'V STEP)`: a loop over the one card, if it can be found again without any trace.

    A card that may be drawn among several is found once, so that it has to be remembered.
    """
    card, written, step = made.hole(0).node, made.hole(0).written, made.hole(2).node
    while isinstance(card, n.Actual) and isinstance(written, Form) and len(written.items) == 2:
        card, written = card.card, written.items[1]
    if isinstance(card, n.Variable):
        inner = (n.binds(node) for node in n.walk(step))
        if not any(one is not None and one.name == card.name for one in inner):
            return (made.renamed(2, 1, Hole.of(written, card)),)
    only = None if made.draws(0) or not isinstance(written, Form) else _only(made, card, written)
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


def _only(made: Expansion, card: n.Node, written: Form) -> Syntax | None:
    """Return the location that has a card alone, if the form that names it tells which that is."""
    match card:
        case n.End(location=n.Element(locations=inner, span=span)) if span == card.span:
            word, location = written.items
            return made.form("({end} 1 ({end} {of}))", end=word, of=Hole.of(location, inner))
        case n.End(location=inner) if len(written.items) == 1:
            return made.form("(top 1 {of})", of=Hole.of(written.items[0], inner))
        case n.End(location=inner) if any(is_word(written.head, w) for w in ("top", "bottom")):
            word, location = written.items
            return made.form("({end} 1 {of})", end=word, of=Hole.of(location, inner))
        case n.Position(index=index, location=inner) if len(written.items) == 2:
            at, location = written.items
            return made.form(
                "(top 1 (filter {of} 'D (== 'D ({at} {of}))))",
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
    for at in operands:
        if any(map(_is_about_turns, _at_the_same_turn(made.hole(at).node))):
            raise UnexplainedError(
                "a stage of its own would have turns of its own, which this item changes or reads",
                "queue players, make them current and ask who is next after the item",
                at,
            )
    name = Atom(AtomKind.NAME, made.fresh.name("WAY"), made.span)
    other = 2 if len(operands) > 1 else 0
    return (
        made.form(
            f"(do ((set (game sto {{way}}) {other}) ({{0}} (set (game sto {{way}}) 1))))", way=name
        ),
        *(
            made.form(
                f"(stage player (end (!= (game sto {{way}}) {at})) "
                f"(do ((set (game sto {{way}}) 0))) {{{at}}})",
                way=name,
            )
            for at in operands
        ),
    )


def _blocks(made: Expansion) -> tuple[Syntax, ...]:
    if len(made.holes) < 3:
        return (made.form("(do (({0} {1})))"),)
    return (made.form("(do ((let {0} 'HOLDS (do (('HOLDS {1}) ((not 'HOLDS) {2}))))))"),)


def _at_the_same_turn(node: n.Node) -> Iterator[n.Node]:
    """Yield a node and what is below it, but not what is in the turns of other stages."""
    if isinstance(node, n.Stage) and not node.team:
        return
    yield node
    for inner in n.children(node):
        yield from _at_the_same_turn(inner)


def _is_about_turns(node: n.Node) -> bool:
    """Return whether a form makes a player current or queues one, or asks who is next."""
    match node:
        case n.Cycle():
            return True
        case n.TurnOwner(turn=n.Turn.NEXT, kind=ValueKind.PLAYER):
            return True
    return False
