"""A version of a game that is to be compared: its tree as written, before anything is settled.

Play needs a program without the branches that its constants rule out. Who compares two versions
wants to see these branches too, the labels of options, and the constants by their names.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cardwright.game.errors import GameFileError
from cardwright.program import nodes as n
from cardwright.program.check import check, deep_recursion
from cardwright.program.frame import ProgramElaborator
from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.reader import read
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_word

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.program.constants import Constant
    from cardwright.program.program import Program
    from cardwright.syntax.source import Source, Span

_NAMED = n.Number | n.Text | n.Truth | n.Strings | n.Range


@dataclass(frozen=True)
class Version:
    """The rules of one version: what they say, and the text in which they say it."""

    source: Source
    program: Program
    form: Form

    def constant(self, node: n.Node) -> str | None:
        """Return the declared constant by which a value is written, without its apostrophe."""
        if not isinstance(node, _NAMED):
            return None
        text = self.source.text
        if text[node.span.start : node.span.start + 1] != "'":
            return None
        name = text[node.span.start + 1 : node.span.end]
        return name if name in self.values else None

    @cached_property
    def values(self) -> Mapping[str, Constant]:
        """The values of the declared constants that have one."""
        return {one.name: one.value for one in self.program.declared if one.value is not None}

    @cached_property
    def nodes(self) -> tuple[n.Node, ...]:
        """All nodes of the version's items and scoring."""
        return tuple(
            node for root in (*self.program.items, self.program.score) for node in n.walk(root)
        )

    @cached_property
    def derived(self) -> Mapping[str, str]:
        """What declares those constants that follow from others, in one line each."""
        found: dict[str, str] = {}
        given = {one.name for one in self.program.declared if one.value != one.default}
        for item in self.form.items:
            if isinstance(item, Form) and is_word(item.head, "declare") and len(item.items) == 3:
                value, name = item.items[1:]
                if isinstance(name, Atom) and _has_variable(value) and name.text[1:] not in given:
                    found[name.text[1:]] = self.excerpt(value.span)
        return found

    def section(self, words: str) -> Span | None:
        """Return the place of the first part of the frame that begins with these words."""
        pending: list[Form] = [self.form]
        while pending:
            form = pending.pop(0)
            if form.starts_with(*words.split()):
                return form.span
            inner = form is self.form or form.starts_with("setup") or form.starts_with("repeat")
            pending += [item for item in form.items if isinstance(item, Form)] if inner else []
        return None

    def excerpt(self, span: Span) -> str:
        """Return the text of a span in one line."""
        return " ".join(_uncommented(self.source.at(span)).split())

    def line(self, span: Span) -> int:
        """Return the line in which a span begins, counted from 1."""
        return self.source.line_at(span.start)


def version_of(
    source: Source, overrides: Mapping[str, Constant] | None = None, base: int | None = None
) -> Version:
    """Return a version of a game; raises GameFileError for rules that do not pass the check."""
    report = Diagnostics(source)
    reading = read(source, report)
    if reading.form is not None:
        with deep_recursion():
            frame = ProgramElaborator(report, dict(overrides or {}), base)
            program = frame.program(reading.form)
        if program is not None and not report.errors:
            return Version(source, program, reading.form)
    raise GameFileError(check(source, overrides, base))


def _has_variable(item: Syntax) -> bool:
    if isinstance(item, Form):
        return any(map(_has_variable, item.items))
    return item.kind is AtomKind.VARIABLE


def _uncommented(text: str) -> str:
    return "\n".join(line.partition(";")[0] for line in text.split("\n"))
