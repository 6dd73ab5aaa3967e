"""From forms to typed nodes: elaboration against expected kinds, driven by the form table.

A form is looked up by its word; of the table's shapes for it, those stay that give an expected kind
and fit the form's parts. Then the operands are elaborated from left to right against what the
remaining shapes accept, and each operand's kind narrows the shapes further: that is how `any`,
`all`, `top`, `==` and `set` find their meaning. A mistake is reported once and leaves an
`ErrorNode`, which fits everywhere.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cardwright.program import nodes as n
from cardwright.program.context import Elaboration, Understood
from cardwright.program.diagnosis.fixes import fix, fix_fitting, forgotten
from cardwright.program.diagnosis.mistakes import first_mistake
from cardwright.program.diagnosis.suggestions import advice_on_variable
from cardwright.program.expansion import Hole, Made, expanded
from cardwright.program.fitting import (
    Fits,
    accepted,
    fitting,
    gather,
    item_at,
    key_of,
    may_be,
    may_give,
    missing_words,
    preferred,
    put_in,
    second_word,
    stands_for,
    suits,
)
from cardwright.program.forms import BY_KEY, FormShape, FormUse
from cardwright.program.integers import LARGEST
from cardwright.program.kinds import ANYTHING, ITEM_KINDS, ValueKind, union
from cardwright.program.shapes import Binder, Gap, Misfit, Operand, Slot, Slots, fit
from cardwright.program.value_lists import elaborate_award, elaborate_strings, read_table
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.program.context import Instead
    from cardwright.program.diagnosis.mistakes import CommonMistake


_CONDITION = ~(ValueKind.POINTS | ValueKind.LOCATION | ValueKind.LOCATIONS | ValueKind.CONTROL)
"""What an author may take for a condition before a step, though the language does not."""


class _Reading(NamedTuple):
    """How an item is read, which may be what was meant by what is `written`.

    Up to this many `mistakes` are looked for in the item itself.
    """

    expected: ValueKind
    instead: Instead | None
    written: Syntax
    mistakes: int = 3


class Elaborator(Elaboration):
    """Elaborates the forms of one program by the form table."""

    def elaborate(
        self, item: Syntax, expected: ValueKind, instead: Instead | None = None
    ) -> n.Node:
        """Return the typed node of an item; see `Elaboration`."""
        return self._item(item, _Reading(expected, instead, item))

    def _item(self, item: Syntax, reading: _Reading) -> n.Node:
        expected = reading.expected
        if self.report.full:
            return self.bad(item)
        if isinstance(item, Atom):
            return self._atom(item, expected, reading.instead)
        if expected is ValueKind.AWARD:
            return elaborate_award(self, item)
        table = read_table(self, item) if expected & ValueKind.WORTHS else None
        if table is not None:
            return table
        find = partial(first_mistake, expected=expected, source=self.report.source)
        mistake = self._mistake(item, find, reading)
        if mistake is not None and mistake.guess and not may_give(put_in(mistake.meant), expected):
            self.complain.mistake(mistake, reading.written)
            return self._visit(put_in(mistake.meant))
        if mistake is not None:
            return self._again(mistake, reading)
        if is_atom(item.head, AtomKind.NAME) and not second_word(item):
            listed = len(item.items) == 1 or is_word(item.items[1], ",")
            headless = None if listed else self._headless(item, expected)
            if headless or expected & ValueKind.STRINGS:
                return headless or elaborate_strings(self, item)
            self.complain.names(item, expected)
            return self.bad(item)
        return self._form(item, reading)

    def _mistake(
        self, form: Form, find: Callable[[Form], CommonMistake | None], reading: _Reading
    ) -> CommonMistake | None:
        """Return the mistake that is found in a form; in a definition, in the text of that."""
        mistake = find(form) if reading.mistakes else None
        if mistake is None:
            return None
        seen = self.extensions.unfolding.as_written(form)
        return mistake if seen is form else find(seen) or mistake

    def _again(self, mistake: CommonMistake, reading: _Reading) -> n.Node:
        """Report a mistake, and return the node of what was meant."""
        self.complain.mistake(mistake, reading.written)
        return self._item(put_in(mistake.meant), reading._replace(mistakes=reading.mistakes - 1))

    def _wrong_kind(
        self, item: Syntax, found: ValueKind, expected: ValueKind, instead: Instead | None
    ) -> n.ErrorNode:
        if isinstance(item, Atom) and self.scope.kind_of(f"'{item.text}") & expected:
            self.complain.no_apostrophe(item, found, expected)
        elif isinstance(item, Atom) and self.extensions.definitions.is_name(item.text):
            self.extensions.definitions.use_was_meant(item.text)
            self.complain.no_bracket(item, expected)
        elif instead is None or not instead(found):
            self.complain.wrong_kind(item, found, expected)
        return self.bad(item)

    # Atoms --------------------------------------------------------------------------------

    def _atom(self, atom: Atom, expected: ValueKind, instead: Instead | None) -> n.Node:
        node: n.Node | None = atom.node if isinstance(atom, Hole) else None
        match atom.kind:
            case _ if node is not None:
                pass
            case AtomKind.INTEGER if len(atom.text) > 19 or int(atom.text) > LARGEST:
                self.complain.number_too_large(atom)
            case AtomKind.INTEGER:
                node = n.Number(ValueKind.INTEGER, atom.span, int(atom.text))
            case AtomKind.NAME:
                node = n.Text(ValueKind.STRING, atom.span, atom.text)
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
        if node.kind & expected:
            if not isinstance(atom, Hole):
                self.understood.append(Understood(atom, None, node))
            return node
        return self._wrong_kind(atom, node.kind, expected, instead)

    def _variable(self, atom: Atom, expected: ValueKind) -> n.Node | None:
        if expected & ValueKind.POINTS and (
            expected is ValueKind.POINTS or atom.text not in self.scope
        ):
            self.marks.add("A")
            table = n.Table(ValueKind.TABLE, atom.span)
            name = n.Text(ValueKind.STRING, atom.span, atom.text[1:])
            return n.Storage(ValueKind.POINTS, atom.span, table, name, n.StorageKind.POINTS)
        advice = advice_on_variable(self.report.source, atom.text, expected)
        instead = atom.text[1:] if expected & ValueKind.STRING else None
        node = self.scope.look_up(atom.text, atom.span, advice, instead)
        return node and self.extensions.named(atom, node, self.scope.uses[-1][1].span)

    def _word(self, atom: Atom, expected: ValueKind) -> n.Node | None:
        match atom.text:
            case "player":
                return n.Everyone(ValueKind.PLAYERS, atom.span)
            case "team":
                return n.Everyone(ValueKind.TEAMS, atom.span)
            case "game":
                return n.Table(ValueKind.TABLE, atom.span)
            case "true" | "false":
                return self.extensions.truth(atom)
            case "current" | "next" | "previous" if expected & ValueKind.CYCLE_WORD:
                self.marks.add("A")
                return n.TurnOwner(ValueKind.PLAYER, atom.span, n.Turn(atom.text))
        self.complain.stray(atom, expected)
        return None

    # Forms --------------------------------------------------------------------------------

    def _form(self, form: Form, reading: _Reading) -> n.Node:
        expected = reading.expected
        shapes = BY_KEY.get(key_of(form), [])
        if not shapes:
            headless = self._headless(form, expected) if is_atom(form.head, AtomKind.WORD) else None
            if headless:
                return headless
            self.complain.unknown(form)
            return self.bad(form) if is_word(form.head, "defun") else self._visit(form)
        wanted = [shape for shape in shapes if shape.result & expected]
        fits = fitting(wanted, form)
        # Some forms need no word; does this one look as if none was meant?
        if key_of(form) == "_" and not (
            fits and (not expected & ValueKind.CONTROL or may_be(form.items[0], _CONDITION))
        ):
            headless = self._headless(form, expected)
            if headless:
                return headless
        if fits:
            mistake = self._mistake(form, fix_fitting, reading)
            return (
                self._again(mistake, reading) if mistake else self._operands(form, fits, expected)
            )
        others = fitting(shapes, form)
        alike = any(all(map(suits, slots)) for _, slots in others)
        mistake = None
        if wanted and not alike:
            mistake = self._mistake(form, partial(fix, shapes=wanted), reading)
        if others and mistake is None and not (wanted and key_of(form) == "_"):
            return self._unwanted(form, others, reading)
        if self.complain.unsupported(form):
            return self._visit(form)
        if mistake is None and (alike or not wanted):
            mistake = self._mistake(form, partial(fix, shapes=wanted or shapes), reading)
        if mistake is None:
            look = partial(forgotten, shapes=wanted or shapes, is_known=self.scope.__contains__)
            mistake = self._mistake(form, look, reading)
        if mistake is not None:
            return self._again(mistake, reading)
        self.complain.misfit(form, wanted or shapes)
        binds = any(isinstance(part, Binder) for shape in wanted for part in shape.parts)
        results = union(shape.result for shape in wanted or shapes)
        return self._visit(form, results, lenient=binds)

    def _headless(self, form: Form, expected: ValueKind) -> n.Node | None:
        """Report a form whose first word is missing, if some word would complete it."""
        shapes = missing_words(form, expected)
        if not shapes:
            return None
        self.complain.headless(form, shapes)
        return self._visit(form, lenient=True)

    def _unwanted(self, form: Form, fits: Fits, reading: _Reading) -> n.Node:
        """Report a form that gives none of the expected kinds, once its parts say what it gives."""
        if key_of(form) == "_":
            self.complain.unnamed(form, reading.expected)
            return self._visit(form)
        kind = self._operands(form, fits, ANYTHING).kind
        if kind.known or not kind & reading.expected:
            return self._wrong_kind(form, kind, reading.expected, reading.instead)
        return self.bad(form)

    def _operands(self, form: Form, fits: Fits, expected: ValueKind) -> n.Node:
        """Return the node of a form that fits some shapes, once its operands choose one of them."""
        most = max(shape.literals for shape, _ in fits)
        fits = [pair for pair in fits if pair[0].literals == most]
        was_in_choice = self.in_choice
        self.in_choice = was_in_choice or fits[0][0].head == "choice"
        values: list[n.Node | None] = []
        with self.scope.block(), self.extensions.within(form, fits[0][0]):
            while len(values) < len(fits[0][1]):
                fits, value = self._operand(form, fits, values, expected)
                values.append(value)
                if len(values) == 1:
                    self.extensions.tested(form, fits[0][0], value)
        self.in_choice = was_in_choice
        shape, slots = preferred(fits, expected)
        if shape.mark:
            self.marks.add(shape.mark)
        node: n.Node
        if any(isinstance(value, n.ErrorNode) for value in values):
            node = self.bad(form, union(shape.result for shape, _ in fits) & expected)
        else:
            node = self._node(form, shape, slots, values, expected)
        if not isinstance(form, Made):
            self.understood.append(Understood(form, shape, node))
        return node

    def _node(
        self,
        form: Form,
        shape: FormShape,
        slots: Slots,
        values: list[n.Node | None],
        expected: ValueKind,
    ) -> n.Node:
        """Return the node of a form of a certain shape with sound operands."""
        kind = shape.result & ~(ValueKind.INTEGER_STORAGE | ValueKind.STRING_STORAGE)
        kind = kind & expected or kind
        if shape.expansion is not None:
            plain = self.extensions.use(form, shape, slots, values)
            if shape.node is expanded:
                return self.extensions.node_of(form, plain, kind)
        operands = gather(slots, values)
        if shape.build is not None:
            return shape.build(FormUse(self, shape, kind, form, operands)) or self.bad(form)
        node = shape.node(kind, form.span, *operands)
        if isinstance(node, n.ForEach) and node.choose and not self.in_choice:
            self.complain.any_as_all(node)
            return replace(node, choose=False)
        return node

    def _operand(
        self, form: Form, fits: Fits, values: list[n.Node | None], expected: ValueKind
    ) -> tuple[Fits, n.Node | None]:
        at = len(values)
        slot = fits[0][1][at]
        if isinstance(slot, Gap):
            return fits, None
        part, item = slot
        if isinstance(part, Binder):
            return fits, self._bind(item, fits[0][0], fits[0][1][at - 1], values[-1])
        alike = [pair for pair in fits if item_at(pair[1], at) is item]
        wanted = union(accepted(*pair, at, expected) for pair in alike)
        instead = partial(self._instead, form, fits, values, expected)
        node = self.elaborate(item, wanted, instead)
        if len(fits) == 1:
            return fits, node
        kinds = stands_for(node)
        kept = [pair for pair in fits if kinds & accepted(*pair, at, expected)]
        return kept or fits, node

    def _instead(
        self,
        form: Form,
        fits: Fits,
        values: list[n.Node | None],
        expected: ValueKind,
        found: ValueKind,
    ) -> bool:
        """Report what is wrong with a form, rather than with its next operand of the wrong kind.

        The form is at fault if the operand suits another of its shapes, or for an equality of two
        kinds. Returns whether something was reported.
        """
        at = len(values)
        head = fits[0][0].head
        if head in {"==", "!="} and at == 1:
            left = values[0]
            assert left is not None
            return self.complain.comparison(form, left.kind, found)
        if head in {"<", ">", "<=", ">="}:
            return self.complain.order(form, found)
        if head == "set" and at == 1 and values[0] is not None:
            return self.complain.stored(form, values[0].kind, found)
        chosen = [shape for shape, _ in fits]
        key = key_of(form)
        for shape in BY_KEY[key] if key != "_" else ():
            if shape in chosen or any(isinstance(part, Binder) for part in shape.parts):
                continue
            slots = fit(shape.parts, form.items)
            if isinstance(slots, Misfit):
                part = shape.parts[at + 1] if at + 1 < len(shape.parts) else None
                if isinstance(part, Operand) and not at and found & part.kind:
                    self.complain.misfit(form, [shape])
                    return True
            elif shape.result & expected:
                continue
            elif shape.literals > fits[0][0].literals or found & accepted(
                shape, slots, at, ANYTHING
            ):
                self.complain.wrong_kind(form, shape.result, expected)
                return True
        return False

    def _bind(
        self, item: Syntax, shape: FormShape, source: Slot | Gap, value: n.Node | None
    ) -> n.Node:
        """Bind a form's variable to the items of the collection before it, or to the value."""
        assert isinstance(item, Atom)
        if item.kind is AtomKind.BAD:
            return self.bad(item)
        if shape.bound is not None:
            variable = self.scope.bind(item.text, shape.bound, item.span)
            self.extensions.chosen.add(variable.slot)
            return variable
        if isinstance(item, Hole):
            return item.node
        if isinstance(source, Gap):
            return self.scope.bind(item.text, source.operand.kind, item.span)
        assert isinstance(source[0], Operand)
        assert value is not None
        kind = value.kind
        if isinstance(value, n.ErrorNode):
            kind = ANYTHING
        elif source[0].name == "COLLECTION":
            kind = ITEM_KINDS.get(kind, ANYTHING)
        variable = self.scope.bind(item.text, kind, item.span)
        if source[0].name != "COLLECTION" or kind is ValueKind.CARD:
            self.extensions.follow(variable, value)
        return variable

    def _visit(
        self, form: Syntax, kind: ValueKind = ANYTHING, *, lenient: bool = False
    ) -> n.ErrorNode:
        """Look for mistakes in the parts of a form that is itself misshapen.

        Only brackets that begin with a known word are looked at. Kinds are not checked, and neither
        are the form's own variables, which it may bind; with `lenient` no variable is checked. The
        kind is what the form would have given.
        """
        if isinstance(form, Atom):
            return self.bad(form)
        was_in_choice, self.in_choice = self.in_choice, True
        with self.scope.block(), self.scope.lenient() if lenient else nullcontext():
            for item in form.items:
                if isinstance(item, Atom) and item.kind is AtomKind.VARIABLE:
                    self.scope.declare(item.text, self.bad(item), item.span)
            for item in form.items:
                if isinstance(item, Form) and key_of(item) in BY_KEY and key_of(item) != "_":
                    self.elaborate(item, ANYTHING & ~ValueKind.AWARD)
        self.in_choice = was_in_choice
        return self.bad(form, kind)
