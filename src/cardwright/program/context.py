"""What is known while a program is elaborated: its scope, its extensions, and its errors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.program import nodes as n
from cardwright.program.diagnosis.messages import ErrorReporter
from cardwright.program.expansion import (
    MOST_NESTED,
    Expansion,
    ExtensionUse,
    FreshNames,
    Hole,
    Spliced,
    UnexplainedError,
    expanded,
    may_be_hidden,
    renewed,
)
from cardwright.program.fitting import free_variables, is_definition
from cardwright.program.kinds import ANYTHING, ValueKind
from cardwright.program.macro_expansion import Definitions, MacroExpansion
from cardwright.program.shapes import Gap, shown
from cardwright.syntax.diagnostic import Code, Diagnostics, Related, rewritten
from cardwright.syntax.source import Span
from cardwright.syntax.suggest import near
from cardwright.syntax.tree import Atom, AtomKind, Form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardwright.program.expansion import Secret
    from cardwright.program.forms import FormShape
    from cardwright.program.shapes import Slots
    from cardwright.syntax.tree import Syntax

    Instead: TypeAlias = Callable[[ValueKind], bool]


class Binding(NamedTuple):
    """A name, what it denotes, and the place where it was bound."""

    name: str
    value: n.Node
    span: Span


@dataclass
class Scope:
    """The variables in scope while a program is elaborated, innermost last.

    A name denotes a `Variable` bound by a form, or the value of a declared constant. `bindings` and
    `uses` keep what was bound and what each use denotes, for whoever asks after the elaboration;
    `gone` has the last place of each name whose scope is over.
    """

    report: Diagnostics
    slots: int = 0
    bindings: list[Binding] = field(default_factory=list)
    uses: list[tuple[Span, Binding]] = field(default_factory=list)
    gone: dict[str, Span] = field(default_factory=dict)
    _bound: list[Binding] = field(default_factory=list)
    _missed: set[str] = field(default_factory=set)
    _lenient: bool = False

    def declare(self, name: str, value: n.Node, span: Span) -> None:
        """Make a name, written at the span, denote a value till the end of the block."""
        self._bound.append(Binding(name, value, span))
        self.bindings.append(self._bound[-1])

    @contextmanager
    def lenient(self) -> Iterator[None]:
        """Do not report unbound variables: what should bind them could not be understood."""
        before, self._lenient = self._lenient, True
        yield
        self._lenient = before

    @contextmanager
    def block(self) -> Iterator[None]:
        """Open a scope: what is bound inside is dropped at its end."""
        before = len(self._bound)
        yield
        self.gone.update((bound.name, bound.value.span) for bound in self._bound[before:])
        del self._bound[before:]

    def bind(self, name: str, kind: ValueKind, span: Span) -> n.Variable:
        """Bind a name until the end of the block."""
        self.warn_of_hiding(name, span)
        variable = n.Variable(kind, span, self.new_slot(), name)
        self.declare(name, variable, span)
        return variable

    def new_slot(self) -> int:
        """Return the number of a variable that there was not before."""
        self.slots += 1
        return self.slots - 1

    def warn_of_hiding(self, name: str, span: Span) -> None:
        """Warn if a variable about to get this name hides another."""
        hidden = self.find(name)
        if hidden is not None:
            self.report.add(
                Code.SHADOWING,
                span,
                f"this {name} hides another {name} while it is in scope",
                help="another name would be clearer",
                related=(Related(hidden.value.span, "the other one"),),
            )

    def look_up(
        self, name: str, span: Span, advice: str = "", instead: str | None = None
    ) -> n.Node | None:
        """Return what a name denotes at this place; an unbound one is reported once.

        `advice` is for the case that no variable was meant, and `instead` what was meant then.
        """
        binding = self.find(name)
        if binding is not None:
            self.uses.append((span, binding))
            return replace(binding.value, span=span)
        if self._lenient or name in self._missed:
            return None
        self._missed.add(name)
        elsewhere = self.gone.get(name)
        related = [Related(elsewhere, "bound here, but only for this form")] if elsewhere else []
        meant = near(name, [bound.name for bound in self._bound])
        self.report.add(
            Code.UNBOUND,
            span,
            f"the variable {name} is not bound here",
            expected="a variable of an enclosing any, all, filter or let, or a declared one",
            help=f"did you mean {meant}?" if meant else "" if elsewhere else advice,
            related=tuple(related),
            edits=rewritten(span, meant or (None if elsewhere else instead)),
        )
        return None

    def visible(self) -> Iterator[Binding]:
        """Iterate over what is in scope, innermost first; some may be hidden by those before."""
        return reversed(self._bound)

    def kind_of(self, name: str) -> ValueKind:
        """Return the kind of what a name denotes; no kind if nothing binds it here."""
        binding = self.find(name)
        return binding.value.kind if binding else ValueKind(0)

    def __contains__(self, name: str) -> bool:
        return self.find(name) is not None

    def find(self, name: str) -> Binding | None:
        """Return what a name denotes, if it is in scope."""
        return next((bound for bound in reversed(self._bound) if bound.name == name), None)


MOST_NODES = 100_000
"""Most nodes of the plain form of one extension: what uses an operand twice may grow quickly."""


@dataclass
class Extensions:
    """Every use of an extension, by the identity of the form where it stands.

    The uses hold their forms, and so do the steps of choices, so that no other form has the
    same identity. `program` is the program with its definitions in the places of their uses, and
    `opening` are the blocks that stand after the set-up in plain text. `attribute` is a key and a
    value of some card.
    """

    by: Elaboration
    uses: dict[int, ExtensionUse] = field(default_factory=dict)
    program: Form | None = None
    secrets: dict[str, Secret] = field(default_factory=dict)
    opening: list[Syntax] = field(default_factory=list)
    chosen: set[int] = field(default_factory=set)
    attribute: tuple[str, str] = ("A", "A")
    _zero_points: str = ""
    _aliases: dict[Span, Syntax] = field(default_factory=dict)
    _depth: int = 0
    _listed: dict[int, Syntax] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.fresh = FreshNames(self.by.report.source.text)
        self.definitions = Definitions(self.by.report)
        self.unfolding = MacroExpansion(self.definitions, self.fresh)

    def defined(self, game: Form) -> Form:
        """Return a program with what it defines in the places where that is used."""
        for item in game.items:
            if is_definition(item):
                self.add("(define ...)", item, ())
        self.definitions.read(game)
        self.program = self.unfolding.unfolded(game)
        return self.program

    def add(self, name: str, written: Syntax, plain: Sequence[Syntax], why: str = "") -> None:
        """Note a use; the file counts players as the newest dialect does."""
        self.by.marks.add("C")
        self.uses[id(written)] = ExtensionUse(name, written, tuple(plain), why)

    def form(self, span: Span, plain: str) -> Syntax:
        """Return the plain form of this text, for what is written at a place."""
        return self._made(span).form(plain)

    def alias(self, form: Form, name: Atom, value: Syntax) -> None:
        """Note the declaration of another name, which stands for a text wherever it is used."""
        self.add("(declare CARD|PLAYER|TEAM 'V)", form, ())
        self._aliases[name.span] = value

    def named(self, variable: Atom, node: n.Node, bound: Span) -> n.Node:
        """Return the node of a variable; if it is another name for a form, that of the form."""
        value = self._aliases.get(bound)
        if value is None:
            return node
        for constant in free_variables(value):
            binding = self.by.scope.find(constant.text)
            if binding is None or not isinstance(binding.value, n.Variable):
                continue
            self.by.report.add(
                Code.HIDDEN_CONSTANT,
                variable.span,
                f"{variable.text} means the declared constant {constant.text}, and here another "
                "variable has this name",
                help="give that variable another name",
                related=(Related(bound, "declared here"),),
            )
            return self.by.bad(variable, node.kind)
        self.add("a declared card, player or team", variable, (value,))
        return renewed(node, {}, self.by.scope.new_slot)

    def follow(self, variable: n.Node, value: n.Node) -> None:
        """Note a variable for what follows from cards, or from what was chosen unseen."""
        if isinstance(variable, n.Variable) and may_be_hidden(value, self.chosen):
            self.chosen.add(variable.slot)

    def truth(self, word: Atom) -> n.Node:
        """Return the node of `true` or `false`, in plain RECYCLE a comparison of two numbers."""
        value = word.text == "true"
        plain = self.form(word.span, "(== 1 1)" if value else "(== 0 1)")
        self.add(word.text, word, (plain,))
        return n.Truth(ValueKind.BOOLEAN, word.span, value)

    def _made(
        self, span: Span, holes: Sequence[Hole | None] = (), *, listed: bool = False
    ) -> Expansion:
        return Expansion(
            span,
            list(holes),
            self.fresh,
            self.by.scope.new_slot,
            in_list=listed,
            in_choice=self.by.in_choice,
            secrets=self.secrets,
            chosen=self.chosen,
            zero_points=self._named_zero,
        )

    def _named_zero(self, wanted: str) -> str:
        """Return the name of a point map that the plain text has, with which cards score 0.

        It is set to that, since the checker warns of what is only read.
        """
        if not self._zero_points:
            self._zero_points = self.fresh.name(wanted)
            key, value = self.attribute
            award = f"(({key} : {value}) 0)"
            block = f"(do ((set (game points {self._zero_points}) ({award}))))"
            self.opening.append(self.form(Span(0, 0), block))
        return self._zero_points

    @contextmanager
    def within(self, form: Form, shape: FormShape) -> Iterator[None]:
        """Go through the operands of a form: each extension is one level deeper."""
        if shape.head == "choice":
            steps = form.items[1]
            self._listed.update({id(i): i for i in steps.items} if isinstance(steps, Form) else {})
        self._depth += shape.extension
        yield
        self._depth -= shape.extension

    def tested(self, form: Form, shape: FormShape, test: n.Node | None) -> None:
        """Note the first operand of a form, once it is elaborated, before the others are.

        What comes after `else` in the list of a choice is in that list too, unless the test draws.
        """
        if shape.head != "else" or id(form) not in self._listed or test is None:
            return
        if not n.draws(test):
            self._listed[id(form.items[-1])] = form.items[-1]

    def use(
        self, form: Form, shape: FormShape, slots: Slots, values: Sequence[n.Node | None]
    ) -> tuple[Syntax, ...]:
        """Note the use of a row of the table, and return the plain forms that it stands for."""
        assert shape.expansion is not None
        holes = [
            None if isinstance(slot, Gap) or value is None else Hole.of(self._meant(slot[1]), value)
            for slot, value in zip(slots, values, strict=True)
        ]
        made = self._made(form.span, holes, listed=id(form) in self._listed)
        plain: tuple[Syntax, ...] = ()
        why = ""
        try:
            plain = shape.expansion(made)
        except UnexplainedError as error:
            why = str(error)
            blamed = None if error.at is None else holes[error.at]
            if shape.node is expanded:
                place = form.span if blamed is None else blamed.span
                self.by.report.add(error.code, place, why, help=error.advice)
        if made.public is not None:
            value = made.hole(made.public)
            owner, name = (shown(made.hole(at).written) for at in (0, 1))
            word = "isto" if value.node.kind is ValueKind.INTEGER else "istr"
            self.by.report.add(
                Code.PUBLIC_SECRET,
                value.span,
                "all players see which option is chosen, and so this value of a secret",
                help=f"let it be chosen unseen: (any ({owner} {word} {name}) 'V ...)",
            )
        self.add(shape.pattern, form, plain, why)
        return plain

    def _meant(self, written: Syntax) -> Syntax:
        """Return the form for which another name was declared, in the place of that name."""
        if not isinstance(written, Atom) or written.kind is not AtomKind.VARIABLE:
            return written
        use = self.uses.get(id(written))
        return written if use is None else use.plain[0]

    def node_of(self, form: Form, plain: tuple[Syntax, ...], kind: ValueKind) -> n.Node:
        """Return the node of the plain forms that an extension stands for."""
        if not plain:
            return self.by.bad(form, kind)
        problem = f"more than {MOST_NESTED} extensions stand within each other here"
        if self._depth < MOST_NESTED:
            wanted = ValueKind.BODY if kind & ValueKind.BODY else kind
            nodes = [self.by.elaborate(item, wanted) for item in plain]
            if sum(1 for node in nodes for _ in n.walk(node)) <= MOST_NODES:
                steps = tuple(map(Hole.of, plain, nodes))
                return Spliced(ValueKind.CONDITIONAL, form.span, steps) if steps[1:] else nodes[0]
            problem = "what this stands for in plain RECYCLE is too long"
        advice = "bind a part of it with let, or store it, and use that"
        self.by.report.add(Code.TOO_DEEP, form.span, problem, help=advice)
        return self.by.bad(form, kind)


class Understood(NamedTuple):
    """How a piece of text was understood: as which row of the table, if it is a form, and node."""

    item: Syntax
    shape: FormShape | None
    node: n.Node


@dataclass
class Elaboration(ABC):
    """The elaboration of one program: what is in scope, what was understood, and what is wrong.

    `marks` are the dialects ("A", "C") of which the program uses a feature that only they have.
    `understood` keeps what each form and atom was taken for, the inner ones first; `extensions` has
    what is used that no dialect has.
    """

    report: Diagnostics
    marks: set[str] = field(default_factory=set)
    understood: list[Understood] = field(default_factory=list)
    in_choice: bool = False

    def __post_init__(self) -> None:
        self.scope = Scope(self.report)
        self.extensions = Extensions(self)
        self.complain = ErrorReporter(self.report, self.extensions.unfolding)

    @abstractmethod
    def elaborate(
        self, item: Syntax, expected: ValueKind, instead: Instead | None = None
    ) -> n.Node:
        """Return the typed node of an item that should give one of the expected kinds.

        `instead` may say better what is wrong if the item gives another kind.
        """

    def bad(self, item: Syntax, kind: ValueKind = ANYTHING) -> n.ErrorNode:
        """Return the node of something that was reported; its kind, as far as it is known."""
        return n.ErrorNode(kind, item.span)
