"""Definitions: named pieces of a program, which can be conditions, values or steps.

What is wrong with definitions themselves is told here; what they stand for, in `unfolding`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.program.definition_text import (
    binder_of,
    declared_names,
    forms_in,
    free_variables,
    is_definition,
    label_words,
    name_of,
    point_maps,
)
from cardwright.program.diagnosis.fixes import forgotten
from cardwright.program.forms import BY_KEY
from cardwright.program.keys import key_of
from cardwright.program.shapes import fits_any
from cardwright.program.show import shown
from cardwright.syntax.diagnostic import Code, Diagnostics, Related, rewritten
from cardwright.syntax.edit import difference
from cardwright.syntax.suggest import did_you_mean, near
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from cardwright.syntax.source import Span

SHAPE = "(define (NAME 'A ...) BODY) or (define NAME BODY)"


@dataclass(frozen=True)
class Definition:
    """A name for a piece of text: its parameters, and the text in which they stand for others."""

    form: Form
    name: Atom
    parameters: tuple[Atom, ...]
    body: Syntax

    @property
    def pattern(self) -> str:
        """The form of its uses."""
        return f"({' '.join([self.name.text, *(one.text for one in self.parameters)])})"


class Definitions:
    """The definitions of one program, in order of the text, and how they are used.

    `sound` are the names of those that can be used; `constants` the declared constants that each
    means.
    """

    def __init__(self, report: Diagnostics) -> None:
        self.report = report
        self.found: list[Definition] = []
        self.named: dict[str, Definition] = {}
        self.sound: set[str] = set()
        self.constants: dict[str, frozenset[str]] = {}

    def read(self, game: Form) -> None:
        """Read the definitions of a program, and tell what is wrong with them."""
        written = [item for item in game.items if isinstance(item, Form) and is_definition(item)]
        declared = frozenset(declared_names(game))
        for form in written:
            self._define(form, declared)
        self.sound -= set(self._circular())
        if written:
            self._unused([item for item in game.items if not is_definition(item)])

    def _define(self, form: Form, declared: frozenset[str]) -> None:
        made = self._as_written(form)
        if made is None:
            return
        before = self.named.get(made.name.text)
        if before is not None:
            self.report.add(
                Code.DOUBLED_DEFINITION,
                made.name.span,
                f"{made.name.text} is defined a second time",
                help="give it a name of its own",
                related=(Related(before.name.span, "the first definition"),),
            )
            return
        self.found.append(made)
        self.named[made.name.text] = made
        parameters = {one.text for one in made.parameters}
        free = dict.fromkeys(free_variables(made.body))
        self.constants[made.name.text] = frozenset(
            one.text for one in free if one.text not in parameters
        )
        older = set(map(id, point_maps(made.body)))
        foreign = [
            one for one in free if one.text not in parameters | declared and id(one) not in older
        ]
        forgotten = self._forgotten(made, {one.text for one in foreign})
        for one in foreign:
            if one.text not in forgotten:
                self._foreign(one, made)
        if not foreign:
            self.sound.add(made.name.text)
        for one in made.parameters:
            if one.text not in {atom.text for atom in free}:
                self.report.add(
                    Code.UNUSED_DEFINITION,
                    one.span,
                    f"the parameter {one.text} is not used in {made.name.text}",
                )

    def _forgotten(self, definition: Definition, foreign: Set[str]) -> set[str]:
        """Report forms of a body that lack their variable; return the variables that they lack."""
        lacking: set[str] = set()
        for form in forms_in(definition.body) if foreign else ():
            shapes = BY_KEY.get(key_of(form), ())
            if fits_any(form, shapes):
                continue
            found = forgotten(form, shapes, lambda name: name not in foreign - lacking)
            if found is not None:
                assert isinstance(found.meant, Form)
                new = binder_of(found.meant)
                assert new is not None
                lacking.add(shown(new))
                self.report.add(
                    found.code,
                    found.span,
                    found.message,
                    expected=found.expected,
                    help=found.help,
                    edits=difference(self.report.source, form, found.meant),
                )
        return lacking

    def _foreign(self, variable: Atom, definition: Definition) -> None:
        """Report a variable of a body that nothing binds."""
        name = definition.name.text
        parameters = [one.text for one in definition.parameters]
        written = " ".join([name, *parameters, variable.text])
        self.report.add(
            Code.UNBOUND,
            variable.span,
            f"the variable {variable.text} is not bound in the definition of {name}",
            expected="a parameter of the definition, or a declared constant",
            help=did_you_mean(variable.text, parameters)
            or f"make it a parameter: (define ({written}) ...)",
            edits=rewritten(variable.span, near(variable.text, parameters)),
        )

    def _unused(self, program: list[Syntax]) -> None:
        """Warn of definitions that no part of the program needs."""
        used: set[str] = set()
        pending = list(program)
        while pending:
            for form in self.uses_in(pending.pop()):
                if name_of(form) not in used:
                    used.add(name_of(form))
                    pending.append(self.named[name_of(form)].body)
        for name, one in self.named.items():
            if name not in used:
                self.report.add(
                    Code.UNUSED_DEFINITION,
                    one.name.span,
                    f"{name} is defined and never used, so what it says is not checked",
                    edits=rewritten(one.form.span, ""),
                )

    def is_name(self, name: str) -> bool:
        """Return whether something without parameters is defined under a name."""
        return name in self.named and not self.named[name].parameters

    def use_was_meant(self, name: str) -> None:
        """Take back that a definition is not used: a use of it is wrong, which is reported."""
        place = self.named[name].name.span
        unused = self.report.of_code(Code.UNUSED_DEFINITION)
        self.report.drop(one for one in unused if one.span == place)

    def _as_written(self, form: Form) -> Definition | None:
        """Return a definition as it is written; None if it was reported."""
        form = self._bracketed(form)
        head = form.items[1] if len(form.items) > 1 else None
        items = head.items if isinstance(head, Form) else (head,)
        problem: tuple[Span, str] | None = None
        if len(form.items) != 3:
            problem = form.span, f"{shown(form, 30)} is not a name and one body"
        elif not items or not is_atom(items[0], AtomKind.NAME):
            problem = form.items[1].span, f"{shown(form.items[1])} is not a name in capitals"
        else:
            for at, item in enumerate(items[1:], 1):
                assert item is not None
                if not is_atom(item, AtomKind.VARIABLE):
                    problem = item.span, f"{shown(item)} is not a parameter, such as 'C"
                elif shown(item) in [one.text for one in items[1:at] if isinstance(one, Atom)]:
                    problem = item.span, f"the parameter {shown(item)} is there twice"
        if problem is not None:
            several = "put several steps into one: (do (STEP...))" if len(form.items) > 3 else ""
            self.report.add(Code.WRONG_SHAPE, *problem, expected=SHAPE, help=several)
            return None
        name, *parameters = [item for item in items if isinstance(item, Atom)]
        return Definition(form, name, tuple(parameters), form.items[2])

    def _bracketed(self, form: Form) -> Form:
        """Return a definition with its parameters in the bracket of its name, where they belong."""
        if len(form.items) < 4 or not is_atom(form.items[1], AtomKind.NAME):
            return form
        head, name, *between, body = form.items
        listed = between[0] if len(between) == 1 else None
        parameters = listed.items if isinstance(listed, Form) else tuple(between)
        if not parameters or not all(is_atom(one, AtomKind.VARIABLE) for one in parameters):
            return form
        named = Form((name, *parameters), name.span.to(between[-1].span))
        meant = Form((head, named, body), form.span)
        self.report.add(
            Code.WRONG_SHAPE,
            between[0].span,
            f"the parameters of {shown(name)} belong in one bracket with its name",
            expected=SHAPE,
            help=f"write (define {shown(named)} ...)",
            edits=difference(self.report.source, form, meant),
        )
        return meant

    def _circular(self) -> Iterator[str]:
        """Yield the names of definitions that are part of themselves, which are reported."""
        below = {name: list(self.uses_in(one.body)) for name, one in self.named.items()}
        done: set[str] = set()
        for name in self.named:
            stack: list[tuple[str, Iterator[Form]]] = []
            open_: dict[str, Form | None] = {}
            if name not in done:
                open_[name] = None
                stack.append((name, iter(below[name])))
            while stack:
                current, pending = stack[-1]
                use = next(pending, None)
                if use is None:
                    stack.pop()
                    open_.pop(current)
                    done.add(current)
                    continue
                inner = name_of(use)
                if inner in open_:
                    self._recursive(use, inner)
                    yield from open_
                elif inner not in done:
                    open_[inner] = use
                    stack.append((inner, iter(below[inner])))

    def _recursive(self, use: Form, name: str) -> None:
        self.report.add(
            Code.RECURSIVE_DEFINITION,
            use.span,
            f"{name} is part of its own definition",
            help="what is repeated is written with all, repeat or a stage",
            related=(Related(self.named[name].name.span, "defined here"),),
        )

    def is_use(self, form: Form) -> bool:
        """Return whether a form is a use of a definition."""
        head = form.head
        if not isinstance(head, Atom) or head.kind is not AtomKind.NAME:
            return False
        listed = len(form.items) > 1 and any(is_word(form.items[1], mark) for mark in ",:")
        return head.text in self.named and not listed

    def uses_in(self, item: Syntax) -> Iterator[Form]:
        """Yield the uses of definitions in a text; the words of a label are none."""
        words = {id(label_words(form)) for form in forms_in(item)}
        yield from (form for form in forms_in(item) if self.is_use(form) and id(form) not in words)
