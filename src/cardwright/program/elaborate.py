"""From forms to typed nodes: elaboration against expected kinds, driven by the form table.

A form is looked up by its word; of the table's shapes for it, those stay that give an expected kind
and fit the form's parts. Then the operands are elaborated from left to right against what the
remaining shapes accept, and each operand's kind narrows the shapes further: that is how `any`,
`all`, `top`, `==` and `set` find their meaning. A mistake is reported once and leaves a `Bad` node,
which fits everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from cardwright.program import nodes as n
from cardwright.program.awards import elaborate_award, elaborate_strings
from cardwright.program.complaints import Complaints
from cardwright.program.forms import BY_KEY, HEADS, SECOND_WORDS
from cardwright.program.integers import LARGEST
from cardwright.program.kinds import ANYTHING, ITEM_KINDS, Kind
from cardwright.program.scope import Scope
from cardwright.program.shapes import Binder, Gap, Misfit, Operand, Shape, Slot, Slots, fit
from cardwright.program.special import SPECIAL
from cardwright.syntax.suggest import near
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from cardwright.syntax.diagnostic import Diagnostics

_STORED = SECOND_WORDS - {"player", "team"}
Value: TypeAlias = "n.Node | tuple[n.Node, ...] | None"
Fits: TypeAlias = list[tuple[Shape, Slots]]


@dataclass
class Elaborator:
    """Elaborates the forms of one program, and gathers what it notices on the way.

    `marks` are the dialects ("A", "C") of which the program uses something that they alone have.
    """

    report: Diagnostics
    marks: set[str] = field(default_factory=set)
    in_choice: bool = False

    def __post_init__(self) -> None:
        self.scope = Scope(self.report)
        self.complain = Complaints(self.report)

    def elaborate(self, item: Syntax, expected: Kind) -> n.Node:
        """Return the typed node of an item that should give one of the expected kinds."""
        if isinstance(item, Atom):
            return self._atom(item, expected)
        if expected is Kind.AWARD:
            return elaborate_award(self, item)
        if is_atom(item.head, AtomKind.NAME) and not self._second_word(item):
            return self._names(item, expected)
        return self._form(item, expected)

    def bad(self, item: Syntax, kind: Kind = ANYTHING) -> n.Bad:
        """Return the node of something that was reported; its kind, as far as it is known."""
        return n.Bad(kind, item.span)

    def wrong_kind(self, item: Syntax, node: n.Node, expected: Kind) -> n.Node:
        """Return the node if it is of an expected kind; else report it."""
        if node.kind & expected:
            return node
        self.complain.wrong_kind(item, node.kind, expected)
        return self.bad(item)

    # Atoms --------------------------------------------------------------------------------

    def _atom(self, atom: Atom, expected: Kind) -> n.Node:
        node: n.Node | None = None
        match atom.kind:
            case AtomKind.INTEGER:
                node = self._number(atom)
            case AtomKind.NAME:
                node = n.Text(Kind.STRING, atom.span, atom.text)
            case AtomKind.VARIABLE:
                node = self._variable(atom, expected)
            case AtomKind.WORD:
                node = self._word(atom, expected)
            case AtomKind.OPERATOR | AtomKind.PUNCTUATION:
                self.complain.stray(atom, expected)
            case AtomKind.BAD:
                pass
        if node is None:
            return self.bad(atom)
        return self.wrong_kind(atom, node, expected)

    def _number(self, atom: Atom) -> n.Node | None:
        if len(atom.text) > 19 or int(atom.text) > LARGEST:
            self.complain.number_too_large(atom)
            return None
        return n.Number(Kind.INTEGER, atom.span, int(atom.text))

    def _variable(self, atom: Atom, expected: Kind) -> n.Node | None:
        if expected is Kind.POINTS:
            self.marks.add("A")
            table = n.Table(Kind.TABLE, atom.span)
            name = n.Text(Kind.STRING, atom.span, atom.text[1:])
            return n.Storage(Kind.POINTS, atom.span, table, name, n.StorageKind.POINTS)
        return self.scope.look_up(atom.text, atom.span)

    def _word(self, atom: Atom, expected: Kind) -> n.Node | None:
        match atom.text:
            case "player":
                return n.Everyone(Kind.PLAYERS, atom.span)
            case "team":
                return n.Everyone(Kind.TEAMS, atom.span)
            case "game":
                return n.Table(Kind.TABLE, atom.span)
            case "current" | "next" | "previous" if expected & Kind.CYCLE_WORD:
                self.marks.add("A")
                return n.TurnOwner(Kind.PLAYER, atom.span, n.Turn(atom.text))
        self.complain.stray(atom, expected)
        return None

    def _names(self, form: Form, expected: Kind) -> n.Node:
        if not expected & Kind.STRINGS:
            self.complain.names(form, expected)
            return self.bad(form)
        return elaborate_strings(self, form)

    # Forms --------------------------------------------------------------------------------

    def _form(self, form: Form, expected: Kind) -> n.Node:
        shapes = self._look_up(form)
        if not shapes:
            self._visit(form)
            return self.bad(form)
        fitting = [shape for shape in shapes if shape.result & expected]
        if not fitting:
            self.complain.wrong_kind(form, _found(shapes, form), expected)
        form = self._with_list(form)
        fits: Fits = []
        misfits: list[tuple[Shape, Misfit]] = []
        for shape in fitting or shapes:
            slots = fit(shape.parts, form.items)
            if isinstance(slots, Misfit):
                misfits.append((shape, slots))
            else:
                fits.append((shape, slots))
        if not fits:
            if fitting:
                self.complain.misfit(form, misfits)
            self._visit(form)
            return self.bad(form, (fitting or shapes)[0].result)
        most = max(shape.literals for shape, _ in fits)
        fits = [pair for pair in fits if pair[0].literals == most]
        node = self._operands(form, fits, expected if fitting else ANYTHING)
        return node if fitting else self.bad(form)

    def _look_up(self, form: Form) -> list[Shape]:
        """Return the table's rows for a form; a misspelt word is reported, and read as meant."""
        key = self._key(form)
        if key in BY_KEY:
            return BY_KEY[key]
        meant = near(key, HEADS) if key else None
        self.complain.unknown(form, meant)
        return BY_KEY.get(meant or "", [])

    def _key(self, form: Form) -> str:
        second = self._second_word(form)
        if second:
            return f"_ {second}"
        head = form.head
        if isinstance(head, Atom) and head.kind in {
            AtomKind.WORD,
            AtomKind.OPERATOR,
            AtomKind.PUNCTUATION,
        }:
            return head.text
        return "_" if form.items else ""

    def _second_word(self, form: Form) -> str:
        """Return the word in second place, if it is one that decides the form."""
        if len(form.items) < 2:
            return ""
        head, second = form.items[:2]
        if not is_atom(second, AtomKind.WORD):
            return ""
        assert isinstance(second, Atom)
        opens_form = isinstance(head, Atom) and head.text in BY_KEY
        if second.text in _STORED and not opens_form:
            return second.text
        if second.text in SECOND_WORDS and not is_atom(head, AtomKind.WORD):
            return second.text
        return ""

    def _with_list(self, form: Form) -> Form:
        """Report a do or choice whose steps lack their own bracket, and read it as if it had it."""
        head = form.head
        if not (is_word(head, "do") or is_word(head, "choice")) or len(form.items) < 2:
            return form
        inner = form.items[1]
        if not (isinstance(inner, Form) and is_atom(inner.head, AtomKind.WORD)):
            return form
        self.complain.missing_list(form)
        assert head is not None
        return Form((head, Form(form.items[1:], inner.span.to(form.items[-1].span))), form.span)

    def _operands(self, form: Form, fits: Fits, expected: Kind) -> n.Node:
        was_in_choice = self.in_choice
        self.in_choice = was_in_choice or fits[0][0].head == "choice"
        values: list[n.Node | None] = []
        with self.scope.block():
            while len(values) < len(fits[0][1]):
                fits, value = self._operand(fits, values, expected)
                values.append(value)
        self.in_choice = was_in_choice
        shape, slots = fits[0]
        if shape.mark:
            self.marks.add(shape.mark)
        if any(isinstance(value, n.Bad) for value in values):
            return self.bad(form, shape.result & expected)
        operands = _gather(slots, values)
        kind = _single(shape.result, expected)
        if shape.custom:
            return SPECIAL[shape.custom](self, shape, kind, form, operands)
        return self._outside_choice(shape.node(kind, form.span, *operands))

    def _operand(
        self, fits: Fits, values: list[n.Node | None], expected: Kind
    ) -> tuple[Fits, n.Node | None]:
        """Elaborate the next operand, and keep the shapes that accept its kind."""
        at = len(values)
        slot = fits[0][1][at]
        if isinstance(slot, Gap):
            return fits, None
        part, item = slot
        if isinstance(part, Binder):
            return fits, self._bind(item, fits[0][1][at - 1], values[-1])
        alike = [pair for pair in fits if _item(pair[1], at) is item]
        accepted = Kind(0)
        for shape, slots in alike:
            accepted |= _accepted(shape, slots, at, expected)
        node = self.elaborate(item, accepted)
        kept = [pair for pair in fits if node.kind & _accepted(*pair, at, expected)]
        return kept or fits, node

    def _bind(self, item: Syntax, source: Slot | Gap, value: n.Node | None) -> n.Node:
        """Bind a form's variable to the items of the collection before it, or to the value."""
        assert isinstance(item, Atom)
        assert isinstance(source, tuple)
        assert isinstance(source[0], Operand)
        assert value is not None
        if item.kind is AtomKind.BAD:
            return self.bad(item)
        kind = value.kind
        if isinstance(value, n.Bad):
            kind = ANYTHING
        elif source[0].name != "VALUE":
            kind = ITEM_KINDS[kind]
        return self.scope.bind(item.text, kind, item.span)

    def _outside_choice(self, node: n.Node) -> n.Node:
        """Warn of an `any` outside a choice, which acts as `all` (`decisions.md`, Q15)."""
        if isinstance(node, n.ForEach) and node.choose and not self.in_choice:
            self.complain.any_as_all(node)
            return replace(node, choose=False)
        return node

    def _visit(self, form: Form) -> None:
        """Look for mistakes in the parts of a form whose own shape is wrong.

        Only brackets that begin with a known word are looked at, and kinds are not judged.
        """
        for item in form.items:
            if isinstance(item, Form) and self._key(item) in BY_KEY and self._key(item) != "_":
                self.elaborate(item, ANYTHING & ~Kind.AWARD)


def _item(slots: Slots, at: int) -> Syntax | None:
    """Return what stands in a slot."""
    slot = slots[at] if at < len(slots) else None
    return slot[1] if isinstance(slot, tuple) else None


def _accepted(shape: Shape, slots: Slots, at: int, expected: Kind) -> Kind:
    """Return the kinds that a shape accepts for its operand at a place."""
    slot = slots[at] if at < len(slots) else None
    if not isinstance(slot, tuple) or not isinstance(slot[0], Operand):
        return Kind(0)
    if shape.custom == "filter" and slot[0].kind is Kind.COLLECTION:
        wanted = expected & Kind.COLLECTION & ~Kind.TEAM
        return wanted | (Kind.TEAM if wanted & Kind.PLAYERS else Kind(0))
    return slot[0].kind


def _gather(slots: Slots, values: list[n.Node | None]) -> list[Value]:
    """Return the operands in order, those of a repeated part together in a tuple."""
    operands: list[Value] = []
    before: object = None
    for slot, value in zip(slots, values, strict=True):
        part = slot[0] if isinstance(slot, tuple) else None
        if isinstance(part, Operand) and part.many:
            assert value is not None
            if part is before:
                gathered = operands.pop()
                assert isinstance(gathered, tuple)
                operands.append((*gathered, value))
            else:
                operands.append((value,))
        else:
            operands.append(value)
        before = part
    return operands


def _single(result: Kind, expected: Kind) -> Kind:
    """Return the kind of value of a shape's result, without the marks of being a storage."""
    kind = result & ~(Kind.INTEGER_STORAGE | Kind.STRING_STORAGE)
    return kind & expected or kind


def _found(shapes: list[Shape], form: Form) -> Kind:
    """Return what a form is, whatever was expected."""
    fitting = [shape for shape in shapes if not isinstance(fit(shape.parts, form.items), Misfit)]
    found = Kind(0)
    for shape in fitting or shapes:
        found |= shape.result & ~(Kind.INTEGER_STORAGE | Kind.STRING_STORAGE)
    return found
