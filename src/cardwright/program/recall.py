"""Checking a text again after a change: forms that are as they were are not elaborated again.

What a form means depends on its text, on the kinds expected in its place, and on what its variables
denote. If all of that is as it was in the last version of the text, the form's node is taken from
there, with its places moved and its slots numbered as they would be now. Only forms in which
nothing is wrong are kept, so every message is made by the check itself, and is the same as in a
check of the new text alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.program import nodes as n
from cardwright.program.definition_text import forms_in
from cardwright.program.elaborate import MOST_MISTAKES, Elaborator
from cardwright.program.expansion import Made
from cardwright.program.scope import Binding
from cardwright.syntax.source import Span
from cardwright.syntax.tree import Form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cardwright.program.kinds import ValueKind
    from cardwright.program.scope import Scope
    from cardwright.syntax.diagnostic import Diagnostics
    from cardwright.syntax.tree import Syntax

_SHORTEST = 60
"""Shortest text of a form that is kept, in characters: others are elaborated as fast."""

_VARIABLE = re.compile(r"'[A-Z][A-Za-z0-9_]*")
_NOWHERE = Span(0, 0)

MakeElaborator: TypeAlias = "Callable[[Diagnostics], Elaborator]"


class FormKey(NamedTuple):
    """All on which the meaning of a form depends."""

    text: str
    expected: ValueKind
    in_choice: bool
    denoted: tuple[tuple[str, object], ...]
    """Each variable in the text, with what it denotes before it."""


@dataclass(frozen=True, slots=True)
class KeptForm:
    """A form that was elaborated: its node, its place, and what came of it besides.

    Its own variables have the slots from `slot` on; `outer` are those of variables around it.
    `gone` are the last places of its own variables by name, `bindings` all of them, and `uses` what
    variables in it denote. `inner` are the forms in it that are kept too.
    """

    node: n.Node
    span: Span
    slot: int
    slots: int
    outer: dict[str, int]
    marks: frozenset[str]
    gone: dict[str, Span]
    bindings: tuple[Binding, ...]
    uses: tuple[tuple[Span, Binding], ...]
    inner: Sequence[tuple[FormKey, KeptForm]]


class Recall:
    """The forms of the last version of a text, for the check of the next one."""

    def __init__(self) -> None:
        self.last: dict[FormKey, KeptForm] = {}
        self.now: list[tuple[FormKey, KeptForm]] = []

    def elaborator(self, form: Form, damaged: Iterable[Span] = ()) -> MakeElaborator:
        """Return what makes the elaborator of a program; parts of its text may be damaged."""

        def make(report: Diagnostics) -> Elaborator:
            return _RecallingElaborator(report, recall=self, written=form, damaged=tuple(damaged))

        return make

    def turn(self) -> None:
        """Keep the forms of the check that is over, and no others, for the next one."""
        self.last = dict(self.now)
        self.now = []


@dataclass
class _RecallingElaborator(Elaborator):
    """An elaborator that remembers. What it understood is only kept in part."""

    recall: Recall = field(default_factory=Recall)
    written: Form = field(default_factory=lambda: Form((), _NOWHERE))
    damaged: tuple[Span, ...] = ()
    _originals: set[int] | None = None

    def elaborate(
        self,
        item: Syntax,
        expected: ValueKind,
        instead: Callable[[ValueKind], bool] | None = None,
        mistakes: int = MOST_MISTAKES,
        written: Syntax | None = None,
    ) -> n.Node:
        long = item.span.end - item.span.start >= _SHORTEST
        if not long or not isinstance(item, Form) or mistakes != MOST_MISTAKES:
            return super().elaborate(item, expected, instead, mistakes, written)
        key = self._key(item, expected)
        if key is None:
            return super().elaborate(item, expected, instead, mistakes, written)
        kept = self.recall.last.get(key)
        if kept is not None:
            return self._again(key, kept, item.span.start)
        return self._first(key, item, lambda: Elaborator.elaborate(self, item, expected, instead))

    def _key(self, form: Form, expected: ValueKind) -> FormKey | None:
        """Return the key of a form; None if its text alone does not say what is in it."""
        if isinstance(form, Made) or form.span.via or self.report.full:
            return None
        if not self._is_original(form):
            return None
        text = self.report.source.at(form.span)
        names = dict.fromkeys(_VARIABLE.findall(text))
        denoted = tuple((name, _denoted(self.scope.find(name))) for name in names)
        return FormKey(text, expected, self.in_choice, denoted)

    def _is_original(self, form: Form) -> bool:
        """Return whether a form is as it is written: no part was left out or put into it."""
        if any(span.overlaps(form.span) for span in self.damaged):
            return False
        if not self.extensions.definitions.found:
            return True
        if self._originals is None:
            self._originals = set(map(id, forms_in(self.written)))
        return id(form) in self._originals

    def _again(self, key: FormKey, kept: KeptForm, start: int) -> n.Node:
        """Return the node of a form that is as it was."""
        by = start - kept.span.start
        around = _slots(self.scope, kept.outer)
        slots = {slot: around[name] for name, slot in kept.outer.items()}
        slots.update((kept.slot + at, self.scope.slots + at) for at in range(kept.slots))
        self.scope.slots += kept.slots
        move = _Move(kept.span, by, slots)
        for name, span in kept.gone.items():
            self.scope.gone[name] = move.span(span)
        bound = {one.span: move.binding(one) for one in kept.bindings}
        self.scope.bindings.extend(bound.values())
        for span, one in kept.uses:
            denoted = bound.get(one.span) or self.scope.find(one.name)
            assert denoted is not None
            self.scope.uses.append((move.span(span), denoted))
        self.marks |= kept.marks
        self.recall.now.extend(kept.inner)
        self.recall.now.append((key, kept))
        same = not by and all(old == new for old, new in slots.items())
        return kept.node if same else move.node(kept.node)

    def _first(self, key: FormKey, form: Form, elaborate: Callable[[], n.Node]) -> n.Node:
        """Elaborate a form, and keep it if nothing in it is wrong."""
        told, uses = self.report.asked, len(self.extensions.uses)
        slot, before = self.scope.slots, len(self.recall.now)
        bound, used = len(self.scope.bindings), len(self.scope.uses)
        marks, self.marks = self.marks, set()
        node = elaborate()
        own, self.marks = self.marks, self.marks | marks
        if self.report.asked != told or len(self.extensions.uses) != uses:
            return node
        if isinstance(node, n.Bad):
            return node
        inner = tuple(self.recall.now[before:])
        bindings = tuple(self.scope.bindings[bound:])
        kept = KeptForm(
            node=node,
            span=form.span,
            slot=slot,
            slots=self.scope.slots - slot,
            outer=_slots(self.scope, (name for name, _ in key.denoted)),
            marks=frozenset(own),
            gone={one.name: self.scope.gone[one.name] for one in bindings},
            bindings=bindings,
            uses=tuple(self.scope.uses[used:]),
            inner=inner,
        )
        self.recall.now.append((key, kept))
        return node


def _denoted(binding: Binding | None) -> object:
    """Return what a variable denotes, wherever it is bound, unless its value has places in it."""
    if binding is None:
        return None
    value = binding.value
    if isinstance(value, n.Variable):
        return value.kind
    return value if any(n.children(value)) else replace(value, span=_NOWHERE)


def _slots(scope: Scope, names: Iterable[str]) -> dict[str, int]:
    """Return the slots of variables around a form, by name."""
    found = {name: scope.find(name) for name in names}
    return {
        name: binding.value.slot
        for name, binding in found.items()
        if binding is not None and isinstance(binding.value, n.Variable)
    }


@dataclass(frozen=True, slots=True)
class _Move:
    """The making of a node as it would be elsewhere in a text, with other slots.

    What was written outside of the form, such as the place of a declared location, stays.
    """

    within: Span
    by: int
    slots: dict[int, int]

    def span(self, span: Span) -> Span:
        """Return where what was at a place is now."""
        return Span(span.start + self.by, span.end + self.by)

    def binding(self, binding: Binding) -> Binding:
        """Return the binding of a variable of the form."""
        return Binding(binding.name, self.node(binding.value), self.span(binding.span))

    def node(self, node: n.Node) -> n.Node:
        """Return a node like this one, with everything in it."""
        span = node.span
        if not self.within.start <= span.start < self.within.end or span.via:
            return node
        span = self.span(span)
        if isinstance(node, n.Variable):
            return n.Variable(node.kind, span, self.slots.get(node.slot, node.slot), node.name)
        values = [self._value(getattr(node, name)) for name in n.operands(node)]
        return type(node)(node.kind, span, *values)

    def _value(self, value: object) -> object:
        if isinstance(value, n.Node):
            return self.node(value)
        if isinstance(value, tuple) and value and isinstance(value[0], n.Node):
            return tuple(map(self.node, value))
        return value
