"""Forms whose nodes are not just their operands in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.syntax.diagnostic import Code
from cardwright.syntax.tree import Atom, AtomKind, Form

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.program.elaborate import Elaborator
    from cardwright.program.shapes import FormShape


def _many(
    by: Elaborator, shape: FormShape, kind: ValueKind, form: Form, operands: list[Any]
) -> n.Node:
    """Arithmetic and logic: the operands as a tuple; three or more integers mark dialect C."""
    first, rest = operands
    together = (first, *rest) if isinstance(rest, tuple) else (first, rest)
    if kind is ValueKind.INTEGER and len(together) > 2:
        by.marks.add("C")
    return shape.node(kind, form.span, together)


def _place(
    by: Elaborator, shape: FormShape, kind: ValueKind, form: Form, operands: list[Any]
) -> n.Node:
    """Make a location; an index marks dialect C."""
    if operands[-1] is not None:
        by.marks.add("C")
    return shape.node(kind, form.span, *operands)


def _increase(
    by: Elaborator, shape: FormShape, kind: ValueKind, form: Form, operands: list[Any]
) -> n.Node:
    """Make inc and dec; a missing amount marks dialect C."""
    if operands[-1] is None:
        by.marks.add("C")
    return shape.node(kind, form.span, *operands)


def _cycle(
    by: Elaborator, shape: FormShape, kind: ValueKind, form: Form, operands: list[Any]
) -> n.Node:
    """Make cycle; a player form other than owner, written as a form, marks dialect C."""
    target = operands[0]
    written_as_form = target.span.end - target.span.start > len("previous")
    if isinstance(target, n.Numbered | n.TurnOwner) and written_as_form:
        by.marks.add("C")
    return shape.node(kind, form.span, *operands)


def _combine(
    _by: Elaborator, shape: FormShape, kind: ValueKind, form: Form, operands: list[Any]
) -> n.Node:
    """Set operations: several locations, or one form that gives a set of them."""
    parts = operands[0] if isinstance(operands[0], tuple) else (operands[0],)
    return shape.node(kind, form.span, parts)


def _partition(
    _by: Elaborator, shape: FormShape, kind: ValueKind, form: Form, operands: list[Any]
) -> n.Node:
    key, parts = operands
    return shape.node(kind, form.span, key, parts if isinstance(parts, tuple) else (parts,))


def _partition_last(
    _by: Elaborator, shape: FormShape, kind: ValueKind, form: Form, operands: list[Any]
) -> n.Node:
    parts, key = operands
    return shape.node(kind, form.span, key, parts if isinstance(parts, tuple) else (parts,))


def _filter(
    _by: Elaborator, shape: FormShape, _kind: ValueKind, form: Form, operands: list[Any]
) -> n.Node:
    """Filters give what they filter; the members of a team are players."""
    kind = operands[0].kind
    return shape.node(ValueKind.PLAYERS if kind is ValueKind.TEAM else kind, form.span, *operands)


def _element(
    by: Elaborator, shape: FormShape, kind: ValueKind, form: Form, operands: list[Any]
) -> n.Node:
    index, locations = operands
    if not isinstance(index, n.Number):
        by.report.add(
            Code.NOT_CONSTANT,
            index.span,
            "the position in a set of locations is a number written out",
            expected="a number such as 0",
        )
        return by.bad(form)
    return shape.node(kind, form.span, locations, index.value)


def _end_of_set(
    _by: Elaborator, shape: FormShape, kind: ValueKind, form: Form, operands: list[Any]
) -> n.Node:
    """Make the end card of the end location of a set."""
    first = shape.head == "top"
    location = n.Element(ValueKind.LOCATION, form.span, operands[0], 0 if first else -1)
    return shape.node(kind, form.span, location)


def _repeat_all(
    by: Elaborator, shape: FormShape, kind: ValueKind, form: Form, operands: list[Any]
) -> n.Node:
    """Repeat a move or forget for all cards; the card must name a location."""
    action = operands[0]
    if not isinstance(action, n.Move | n.Forget):
        by.report.add(
            Code.MISPLACED,
            action.span,
            "only a move or a forget can be repeated for all cards",
            expected="(move CARD CARD) or (forget CARD)",
            help="to repeat something else, say how often: (repeat 3 ...)",
        )
        return by.bad(form)
    card = action.card
    while isinstance(card, n.Actual):
        card = card.card
    if isinstance(card, n.Variable):
        by.report.add(
            Code.MISPLACED,
            card.span,
            f"{card.name} is a single card, so there is nothing to repeat",
            expected="a card of a location, such as (top (game vloc PILE))",
            help="without repeat all, the card moves once",
        )
        return by.bad(form)
    return shape.node(kind, form.span, action)


def _label(
    by: Elaborator, shape: FormShape, kind: ValueKind, form: Form, operands: list[Any]
) -> n.Node:
    """Make a label: names are said in small letters, with blanks for underscores."""
    parts, body = operands
    if not by.in_choice:
        by.report.add(
            Code.LABEL_OUTSIDE,
            form.span,
            "this is not in a choice, where alone a label has an effect",
            help="write the step without its label",
        )
    said: list[str | n.Node] = []
    written = form.items[1]
    assert isinstance(written, Form)
    for item, part in zip(written.items, parts, strict=True):
        if any(node.traits.draws for node in n.walk(part)):
            by.report.add(
                Code.MISPLACED,
                part.span,
                "a label cannot draw at random",
                expected="a name, or a value that is known when the options are made",
                help="draw in a (do ...) before the choice, and store what was drawn",
            )
            return by.bad(form)
        text = item.text.lower() if isinstance(item, Atom) and item.kind is AtomKind.NAME else ""
        said.append(text.replace("_", " ") or part)
    return shape.node(kind, form.span, tuple(said), body)


SPECIAL: dict[str, Callable[..., n.Node]] = {
    "arithmetic": _many,
    "logic": _many,
    "place": _place,
    "increase": _increase,
    "cycle": _cycle,
    "combine": _combine,
    "partition": _partition,
    "partition_last": _partition_last,
    "filter": _filter,
    "element": _element,
    "end_of_set": _end_of_set,
    "repeat_all": _repeat_all,
    "label": _label,
}
