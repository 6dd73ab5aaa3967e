"""Definitions, and their expansion: the text of each in the place of its uses.

Expansion happens before any word of a body has a meaning, so the checker sees what an author
without definitions would have written. The text of a body has spans that say through which uses it
came there.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from cardwright.program.diagnosis.fixes import forgotten
from cardwright.program.fitting import (
    ParameterAtom,
    UseForm,
    binder_of,
    changed,
    forms_in,
    free_variables,
    is_definition,
    key_of,
    label_words,
    name_of,
    second_word,
    variables_in,
)
from cardwright.program.forms import BY_KEY, fits_any
from cardwright.program.shapes import shown
from cardwright.syntax.diagnostic import Code, Diagnostics, Related, rewritten
from cardwright.syntax.edit import difference
from cardwright.syntax.reader import MAX_DEPTH
from cardwright.syntax.source import Span
from cardwright.syntax.suggest import did_you_mean, near
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Set

    from cardwright.program.expansion import FreshNames

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
        return f"({' '.join([self.name.text, *(parameter.text for parameter in self.parameters)])})"


class Definitions:
    """The definitions of one program, in order of the text, and how they are used.

    `sound` are the names of those that can be used; `constants` the declared constants that each
    means.
    """

    def __init__(self, report: Diagnostics) -> None:
        self.report = report
        self.named: dict[str, Definition] = {}
        self.sound: set[str] = set()
        self.constants: dict[str, frozenset[str]] = {}

    def read(self, game: Form) -> None:
        """Read the definitions of a program, and tell what is wrong with them."""
        written = [item for item in game.items if isinstance(item, Form) and is_definition(item)]
        declared = frozenset(
            atom.text
            for item in game.items
            if isinstance(item, Form) and item.starts_with("declare")
            for atom in item.items
            if isinstance(atom, Atom)
        )
        for form in written:
            self._define(form, declared)
        self.sound -= set(self._circular())
        if written:
            self._unused([item for item in game.items if not is_definition(item)])

    def _define(self, form: Form, declared: frozenset[str]) -> None:
        made = self._as_written(form)
        if made is None:
            return
        name = made.name.text
        before = self.named.get(name)
        if before is not None:
            self.report.add(
                Code.DOUBLED_DEFINITION,
                made.name.span,
                f"{name} is defined a second time",
                help="give it a name of its own",
                related=(Related(before.name.span, "the first definition"),),
            )
            return
        self.named[name] = made
        parameters = {parameter.text for parameter in made.parameters}
        free = dict.fromkeys(free_variables(made.body))
        used = {atom.text for atom in free}
        self.constants[name] = frozenset(used - parameters)
        older = {  # the names of point maps, as older dialects write them
            id(place)
            for inner in forms_in(made.body)
            for word, place in pairwise(inner.items)
            if is_word(word, "using") or is_word(word, "points")
        }
        foreign = [
            atom
            for atom in free
            if atom.text not in parameters | declared and id(atom) not in older
        ]
        forgotten = self._forgotten(made, {atom.text for atom in foreign})
        for one in foreign:
            if one.text not in forgotten:
                self._foreign(one, made)
        if not foreign:
            self.sound.add(name)
        for one in made.parameters:
            if one.text not in used:
                message = f"the parameter {one.text} is not used in {name}"
                self.report.add(Code.UNUSED_DEFINITION, one.span, message)

    def _forgotten(self, definition: Definition, foreign: Set[str]) -> set[str]:
        """Report forms of a body that lack their variable; return the variables that they lack."""
        lacking: set[str] = set()
        for form in forms_in(definition.body) if foreign else ():
            shapes = BY_KEY.get(key_of(form), ())
            if fits_any(form, shapes):
                continue
            left = forgotten(form, shapes, lambda name: name not in foreign - lacking)
            if left is not None:
                assert isinstance(left.meant, Form)
                new = binder_of(left.meant)
                assert new is not None
                lacking.add(shown(new))
                self.report.add(
                    left.code,
                    left.span,
                    left.message,
                    expected=left.expected,
                    help=left.help,
                    edits=difference(self.report.source, form, left.meant),
                )
        return lacking

    def _foreign(self, variable: Atom, definition: Definition) -> None:
        name = definition.name.text
        parameters = [parameter.text for parameter in definition.parameters]
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
        used: set[str] = set()
        pending = list(program)
        while pending:
            for form in self.uses_in(pending.pop()):
                if name_of(form) not in used:
                    used.add(name_of(form))
                    pending.append(self.named[name_of(form)].body)
        for name, definition in self.named.items():
            if name not in used:
                self.report.add(
                    Code.UNUSED_DEFINITION,
                    definition.name.span,
                    f"{name} is defined and never used, so what it says is not checked",
                    edits=rewritten(definition.form.span, ""),
                )

    def is_name(self, name: str) -> bool:
        """Return whether something without parameters is defined under a name."""
        return name in self.named and not self.named[name].parameters

    def use_was_meant(self, name: str) -> None:
        """Take back that a definition is not used: a use of it is wrong, which is reported."""
        place = self.named[name].name.span
        unused = self.report.of_code(Code.UNUSED_DEFINITION)
        self.report.drop(diagnostic for diagnostic in unused if diagnostic.span == place)

    def _as_written(self, form: Form) -> Definition | None:
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
                elif shown(item) in [
                    earlier.text for earlier in items[1:at] if isinstance(earlier, Atom)
                ]:
                    problem = item.span, f"the parameter {shown(item)} is named twice"
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
        if not parameters or not all(
            is_atom(parameter, AtomKind.VARIABLE) for parameter in parameters
        ):
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
        below = {
            name: list(self.uses_in(definition.body)) for name, definition in self.named.items()
        }
        done: set[str] = set()
        for name in self.named:
            stack = [] if name in done else [(name, iter(below[name]))]
            open_ = dict.fromkeys(inner for inner, _ in stack)
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
                    self.report.add(
                        Code.RECURSIVE_DEFINITION,
                        use.span,
                        f"{inner} is part of its own definition",
                        help="what is repeated is written with all, repeat or a stage",
                        related=(Related(self.named[inner].name.span, "defined here"),),
                    )
                    yield from open_
                elif inner not in done:
                    open_[inner] = None
                    stack.append((inner, iter(below[inner])))

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


MOST_VIA = 40
"""Most definitions within each other."""

MOST_ITEMS = 50_000
"""Most words and brackets that definitions put into a program; the largest of ours has 3,000."""


class DefinitionUse(NamedTuple):
    """A place where a definition, or one of its parameters, is named."""

    span: Span
    definition: Definition
    parameter: Atom | None = None


@dataclass(frozen=True)
class _Context:
    """What surrounds a text while it is expanded.

    `definition` is the one whose body it is; `via` are the uses through which it came there;
    `arguments` stand for parameters; `names` are the body's own variables, by the names that they
    have now; `bound` are all variables in scope, `taken` those that the arguments name. `placed`
    are the parameters that have been replaced.
    """

    definition: Definition | None = None
    via: tuple[Span, ...] = ()
    arguments: Mapping[str, Syntax] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    bound: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()
    placed: set[str] = field(default_factory=set)
    depth: int = 0


class _TooMuchError(Exception):
    """Definitions that make a program too long or too deep; the message says which."""


class MacroExpansion:
    """The uses of a program's definitions, each replaced by what it stands for.

    `uses` has each place where a definition or a parameter is named. `origins` has, by the identity
    of what was put into the place of something, that text.
    """

    def __init__(self, definitions: Definitions, fresh: FreshNames) -> None:
        self.definitions = definitions
        self.report = definitions.report
        self.fresh = fresh
        self.uses: list[DefinitionUse] = []
        self.origins: dict[int, tuple[Syntax, Syntax]] = {}
        self._made = 0

    def unfolded(self, game: Form) -> Form:
        """Return a program with the texts of its definitions in the place of their uses."""
        if not any(map(is_definition, game.items)):
            return game
        items = [item if is_definition(item) else self._outermost(item) for item in game.items]
        return Form(tuple(items), game.span)

    def as_written(self, form: Form) -> Form:
        """Return a form of the program as its author wrote it, with parameters and uses in it."""
        return changed(form, self._written) if self.origins else form

    def _written(self, item: Syntax) -> Syntax:
        place = self.place_of(item)
        if isinstance(place, Form):
            return UseForm(place.items, place.span, item)
        if place is not None:
            return ParameterAtom(place.kind, place.text, place.span, item)
        return self.as_written(item) if isinstance(item, Form) else item

    def place_of(self, item: Syntax) -> Syntax | None:
        """Return the parameter or use in whose place something was put, if it was."""
        origin = self.origins.get(id(item))
        return None if origin is None else origin[1]

    def _outermost(self, item: Syntax) -> Syntax:
        try:
            return self._expanded(item, _Context())
        except _TooMuchError as error:
            self.report.add(
                Code.TOO_DEEP,
                item.span,
                f"with what definitions stand for, this is {error}",
                help="store or bind a value, and use that several times",
            )
            return _unknown(item.span)

    def _expanded(self, item: Syntax, context: _Context) -> Syntax:
        if isinstance(item, Atom):
            return self._atom(item, context)
        if context.depth > MAX_DEPTH:
            raise _TooMuchError(f"nested more than {MAX_DEPTH} brackets deep")
        if self.definitions.is_use(item):
            return self._use(item, context)
        if is_word(item.head, "deck"):
            return item
        if self._is_unknown(item, context):
            return _unknown(_through(item.span, context.via))
        return self._inside(item, context)

    def _inside(self, item: Form, context: _Context) -> Form:
        """Return a form that is no use itself, with the definitions in it expanded."""
        if context.via:
            self._count()
        binder = binder_of(item)
        words = label_words(item)
        inner = replace(context, depth=context.depth + 1)
        items: list[Syntax] = []
        for part in item.items:
            if part is binder:
                assert isinstance(part, Atom)
                name = part.text
                if context.via and name in inner.bound | inner.taken:  # a body's own variable
                    name = self.fresh.variable(name)
                names = {**inner.names, part.text: name}
                inner = replace(inner, names=names, bound=inner.bound | {name})
            if part is words:
                items.append(self._inside(words, inner))
            else:
                items.append(self._expanded(part, inner))
        same = all(new is old for new, old in zip(items, item.items, strict=True))
        return item if same else Form(tuple(items), _through(item.span, context.via))

    def _atom(self, atom: Atom, context: _Context) -> Syntax:
        if not context.via:
            return atom
        self._count()
        here = replace(atom, span=_through(atom.span, context.via))
        if atom.kind is not AtomKind.VARIABLE:
            return here
        if atom.text in context.names:
            return replace(here, text=context.names[atom.text])
        argument = context.arguments.get(atom.text)
        if argument is None or context.definition is None:
            return here
        (parameter,) = (one for one in context.definition.parameters if one.text == atom.text)
        self.uses.append(DefinitionUse(here.span, context.definition, parameter))
        return self._argument(argument, here, context)

    def _argument(self, argument: Syntax, place: Atom, context: _Context) -> Syntax:
        """Return an argument for the place of a parameter.

        It is a copy, with spans of its own if it is not the first: nothing may stand in two places.
        """
        again = place.text in context.placed
        context.placed.add(place.text)
        more = (Span(*place.span.text),) if again else ()
        made = self._copy(argument, more, context.depth)
        self.origins[id(made)] = made, place
        return made

    def _use(self, form: Form, context: _Context) -> Syntax:
        one = self.definitions.named[name_of(form)]
        self.uses.append(DefinitionUse(_through(form.items[0].span, context.via), one))
        place = Form(form.items, _through(form.span, context.via))
        deeper = replace(context, depth=context.depth + 1)
        arguments = [self._expanded(item, deeper) for item in form.items[1:]]
        if not self._fits(place, one, context):
            return _unknown(place.span)
        taken = frozenset(atom.text for item in arguments for atom in variables_in(item))
        inner = _Context(
            definition=one,
            via=(*context.via, Span(*form.span.text)),
            arguments=dict(zip((p.text for p in one.parameters), arguments, strict=True)),
            bound=context.bound,
            taken=taken,
            depth=context.depth,
        )
        made = self._expanded(one.body, inner)
        self.origins[id(made)] = made, place
        return made

    def _fits(self, use: Form, one: Definition, context: _Context) -> bool:
        """Return whether a definition can be used so at a place; what is wrong is reported."""
        name = one.name.text
        defined = (Related(one.name.span, "defined here"),)
        given, wanted = len(use.items) - 1, len(one.parameters)
        hidden = sorted(self.definitions.constants[name] & context.bound)
        if name not in self.definitions.sound:
            return False
        if given != wanted:
            self.report.add(
                Code.WRONG_SHAPE,
                use.span,
                f"{name} takes {_arguments(wanted)}, not {given}",
                expected=one.pattern,
                related=defined,
            )
        elif hidden:
            self.report.add(
                Code.HIDDEN_CONSTANT,
                use.span,
                f"{name} means the declared constant {hidden[0]}, and here another variable has "
                "this name",
                help="give that variable another name",
                related=defined,
            )
        elif len(context.via) >= MOST_VIA:
            raise _TooMuchError(f"made of more than {MOST_VIA} definitions within each other")
        else:
            return True
        return False

    def _is_unknown(self, form: Form, context: _Context) -> bool:
        """Return whether a form looks like a use, but for its name; that is reported."""
        head = form.head
        if not isinstance(head, Atom) or head.kind is not AtomKind.NAME or len(form.items) < 2:
            return False
        second = form.items[1]
        listed = is_word(second, ",") or is_word(second, ":") or second_word(form)
        if listed or (isinstance(second, Form) and is_atom(second.head, AtomKind.NAME)):
            return False
        meant = near(head.text, self.definitions.named, 0.7)
        if meant is None:
            return False
        one = self.definitions.named[meant]
        self.definitions.use_was_meant(meant)
        self.report.add(
            Code.UNKNOWN_DEFINITION,
            _through(head.span, context.via),
            f"nothing is defined as {head.text}",
            help=f"did you mean {meant}? {one.pattern}",
            related=(Related(one.name.span, "defined here"),),
            edits=rewritten(head.span, meant),
        )
        return True

    def _count(self) -> None:
        self._made += 1
        if self._made > MOST_ITEMS:
            raise _TooMuchError(f"longer than {MOST_ITEMS:,} words and brackets")

    def _copy(self, item: Syntax, via: tuple[Span, ...], depth: int) -> Syntax:
        if depth > MAX_DEPTH:
            raise _TooMuchError(f"nested more than {MAX_DEPTH} brackets deep")
        self._count()
        span = replace(item.span, via=item.span.via + via)
        if isinstance(item, Atom):
            made: Syntax = replace(item, span=span)
        else:
            made = Form(tuple(self._copy(part, via, depth + 1) for part in item.items), span)
        origin = self.origins.get(id(item))
        if origin is not None:
            place = origin[1]
            moved = replace(place, span=replace(place.span, via=place.span.via + via))
            self.origins[id(made)] = made, moved
        return made


def _through(span: Span, via: tuple[Span, ...]) -> Span:
    return replace(span, via=via) if via else span


def _unknown(span: Span) -> Atom:
    """Return something in the place of a text that was reported."""
    return Atom(AtomKind.BAD, "", span)


def _arguments(count: int) -> str:
    return "no arguments" if not count else f"{count} argument{'s' if count > 1 else ''}"
