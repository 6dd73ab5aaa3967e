"""The extensions that a program uses, and their elaboration as what they stand for."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.definition_text import free_variables, is_definition
from cardwright.program.definitions import Definitions
from cardwright.program.expansion import (
    MOST_NESTED,
    Expansion,
    ExtensionUse,
    FreshNames,
    Hole,
    Spliced,
    UnexplainedError,
    expanded,
    renewed,
)
from cardwright.program.kinds import ValueKind
from cardwright.program.secrets import may_be_hidden
from cardwright.program.shapes import Gap
from cardwright.program.show import shown
from cardwright.program.unfolding import Unfolding
from cardwright.syntax.diagnostic import Code, Related
from cardwright.syntax.source import Span
from cardwright.syntax.tree import Atom, AtomKind, Form

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.program.elaborate import Elaborator
    from cardwright.program.secrets import Secret
    from cardwright.program.shapes import FormShape, Slots
    from cardwright.syntax.tree import Syntax

MOST_NODES = 100_000
"""Most nodes of the plain form of one extension: what uses an operand twice may grow quickly."""


def spliced(slots: Slots, values: list[n.Node | None]) -> tuple[Slots, list[n.Node | None]]:
    """Return the operands of a form with all steps that are in the place of one."""
    if not any(isinstance(value, Spliced) for value in values):
        return slots, values
    all_slots: Slots = []
    all_values: list[n.Node | None] = []
    for slot, value in zip(slots, values, strict=True):
        inner = [step.node for step in value.steps] if isinstance(value, Spliced) else [value]
        all_slots += [slot] * len(inner)
        all_values += inner
    return all_slots, all_values


@dataclass
class Extensions:
    """Every use of an extension, by the identity of the form where it stands.

    The uses hold their forms, and so do the steps of choices, so that no other form has the
    same identity. `program` is the program with its definitions in the places of their uses, and
    `opening` are the blocks that stand after the set-up in plain text. `attribute` is a key and a
    value of some card.
    """

    by: Elaborator
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
        self.unfolding = Unfolding(self.definitions, self.fresh)

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

    def replaced(self, name: str, written: Syntax, plain: str) -> None:
        """Note a use whose plain form is this text."""
        self.add(name, written, (self.form(written.span, plain),))

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
        hidden = next((one for one in free_variables(value) if self._is_hidden(one)), None)
        if hidden is not None:
            self.by.report.add(
                Code.HIDDEN_CONSTANT,
                variable.span,
                f"{variable.text} means the declared constant {hidden.text}, and here another "
                "variable has this name",
                help="give that variable another name",
                related=(Related(bound, "declared here"),),
            )
            return self.by.bad(variable, node.kind)
        self.add("a declared card, player or team", variable, (value,))
        return renewed(node, {}, self.by.scope.new_slot)

    def _is_hidden(self, constant: Atom) -> bool:
        """Return whether a form has bound the name of a constant to something else."""
        found = self.by.scope.find(constant.text)
        return found is not None and isinstance(found.value, n.Variable)

    def bind_secret(self, item: Syntax, kind: ValueKind) -> n.Node:
        """Bind a variable to the values of a secret, among which a player chooses unseen."""
        assert isinstance(item, Atom)
        if item.kind is AtomKind.BAD:
            return self.by.bad(item)
        variable = self.by.scope.bind(item.text, kind, item.span)
        self.chosen.add(variable.slot)
        return variable

    def follow(self, variable: n.Node, value: n.Node) -> None:
        """Note a variable for what follows from cards, or from what was chosen unseen."""
        if isinstance(variable, n.Variable) and may_be_hidden(value, self.chosen):
            self.chosen.add(variable.slot)

    def truth(self, word: Atom) -> n.Node:
        """Return the node of `true` or `false`, in plain RECYCLE a comparison of two numbers."""
        value = word.text == "true"
        self.replaced(word.text, word, "(== 1 1)" if value else "(== 0 1)")
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
        if not any(node.traits.draws for node in n.walk(test)):
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
            self._report_public(made, made.public)
        self.add(shape.pattern, form, plain, why)
        return plain

    def _meant(self, written: Syntax) -> Syntax:
        """Return the form for which another name was declared, in the place of that name."""
        if not isinstance(written, Atom) or written.kind is not AtomKind.VARIABLE:
            return written
        use = self.uses.get(id(written))
        return written if use is None else use.plain[0]

    def _report_public(self, made: Expansion, at: int) -> None:
        owner, name = (shown(made.hole(one).written) for one in (0, 1))
        word = "isto" if made.hole(at).node.kind is ValueKind.INTEGER else "istr"
        self.by.report.add(
            Code.PUBLIC_SECRET,
            made.hole(at).span,
            "all players see which option is chosen, and so this value of a secret",
            help=f"let it be chosen unseen: (any ({owner} {word} {name}) 'V ...)",
        )

    def node_of(self, form: Form, plain: tuple[Syntax, ...], kind: ValueKind) -> n.Node:
        """Return the node of the plain forms that an extension stands for."""
        if not plain:
            return self.by.bad(form, kind)
        if self._depth >= MOST_NESTED:
            self._too_much(form, f"more than {MOST_NESTED} extensions stand within each other here")
            return self.by.bad(form, kind)
        wanted = ValueKind.BODY if kind & ValueKind.BODY else kind
        nodes = [self.by.elaborate(item, wanted) for item in plain]
        if sum(1 for node in nodes for _ in n.walk(node)) > MOST_NODES:
            self._too_much(form, "what this stands for in plain RECYCLE is too long")
            return self.by.bad(form, kind)
        if len(nodes) == 1:
            return nodes[0]
        steps = tuple(Hole.of(item, node) for item, node in zip(plain, nodes, strict=True))
        return Spliced(ValueKind.CONDITIONAL, form.span, steps)

    def _too_much(self, form: Form, problem: str) -> None:
        self.by.report.add(
            Code.TOO_DEEP,
            form.span,
            problem,
            help="bind a part of it with let, or store it, and use that",
        )
