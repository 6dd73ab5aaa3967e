"""Which variables can be used where: scopes are lexical."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from cardwright.program.kinds import ValueKind
from cardwright.program.nodes import Node, Variable
from cardwright.syntax.diagnostic import Code, Diagnostics, Related, rewritten
from cardwright.syntax.suggest import near

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.syntax.source import Span


class Binding(NamedTuple):
    """A name, what it denotes, and the place where it was bound."""

    name: str
    value: Node
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

    def declare(self, name: str, value: Node, span: Span) -> None:
        """Make a name, written at the span, denote a constant in the rest of the program."""
        self._add(Binding(name, value, span))

    def _add(self, binding: Binding) -> None:
        self._bound.append(binding)
        self.bindings.append(binding)

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

    def bind(self, name: str, kind: ValueKind, span: Span) -> Variable:
        """Bind a name until the end of the block."""
        self.warn_of_hiding(name, span)
        variable = Variable(kind, span, self.new_slot(), name)
        self._add(Binding(name, variable, span))
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
    ) -> Node | None:
        """Return what a name denotes at this place; an unbound one is reported once.

        `advice` is for the case that no variable was meant, and `instead` what was meant then.
        """
        found = self.find(name)
        if found is None and (self._lenient or name in self._missed):
            return None
        if found is None:
            self._missed.add(name)
            known = [bound.name for bound in self._bound]
            elsewhere = self.gone.get(name)
            meant = near(name, known)
            self.report.add(
                Code.UNBOUND,
                span,
                f"the variable {name} is not bound here",
                expected="a variable of an enclosing any, all, filter or let, or a declared one",
                help=f"did you mean {meant}?" if meant else "" if elsewhere else advice,
                related=(Related(elsewhere, "bound here, but only for this form"),)
                if elsewhere
                else (),
                edits=rewritten(span, meant or (None if elsewhere else instead)),
            )
            return None
        self.uses.append((span, found))
        return replace(found.value, span=span)

    def visible(self) -> Iterator[Binding]:
        """Iterate over what is in scope, innermost first; some may be hidden by those before."""
        return reversed(self._bound)

    def kind_of(self, name: str) -> ValueKind:
        """Return the kind of what a name denotes; no kind if nothing binds it here."""
        found = self.find(name)
        return found.value.kind if found else ValueKind(0)

    def __contains__(self, name: str) -> bool:
        return self.find(name) is not None

    def find(self, name: str) -> Binding | None:
        """Return what a name denotes, if it is in scope."""
        return next((bound for bound in reversed(self._bound) if bound.name == name), None)
