"""The versions of a game that are compared, and the differences between them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
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


class ChangeKind(StrEnum):
    """What happened to a part of the rules."""

    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A difference between two versions of a game.

    `sentence` says it in words. `before` and `after` are the excerpts of the rules that differ, in
    one line each, and `line_before` and `line_after` the lines, counted from 1, where they begin;
    empty and None on the side of a version that has nothing there.
    """

    kind: ChangeKind
    sentence: str
    before: str = ""
    after: str = ""
    line_before: int | None = None
    line_after: int | None = None


_MOST_WORDS = 14
"""Most words of what is named after `instead of`, rather than the whole clause."""

_NEAR = 6
"""Most words between a number and `instead of`."""

_VERBS = frozenset({"becomes", "become", "goes", "go", "is", "are", "has", "have"})

_ARTICLES = frozenset({"the", "a", "an"})
_SIGNS = frozenset({"+", "−", "×", "÷", "modulo", "power"})
"""Words beside a number with which it is one value."""

_NUMBER = re.compile(r"-?\d+")


def capital(text: str) -> str:
    """Return a text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def instead(old: str, new: str) -> str:
    """Return a sentence that says the new clause, and what of the old one is different.

    `each player is dealt 7 cards` after `each player is dealt 5 cards` gives `Each player is dealt
    7 cards instead of 5.` Nothing is returned if that cannot be said so shortly.
    """
    if ";" in old or ";" in new:
        return ""
    before, after = old.split(" "), new.split(" ")
    first = _common(before, after)
    last = _common(before[first:][::-1], after[first:][::-1])
    words = before[first : len(before) - last], after[first : len(after) - last]
    if first and before[first - 1] in _ARTICLES:
        first -= 1
    gone = before[first : len(before) - last]
    come = after[first : len(after) - last]
    if not gone or not come or len(gone) > _MOST_WORDS:
        return ""
    beside = {*after[max(0, first - 1) : first], *after[len(after) - last :][:1]}
    single = len(words[0]) == 1 == len(words[1])
    number = single and _NUMBER.fullmatch(words[0][0]) is not None
    if number and last <= _NEAR and not beside & _SIGNS:
        return f"{capital(new)} instead of {words[0][0]}."
    if first > 1 and not last and not beside & _SIGNS and gone[0] not in _VERBS:
        return f"{capital(new)} instead of {' '.join(gone)}."
    if single and words[0][0].isalpha() and words[1][0].isalpha():
        return f"{capital(new)} (“{words[1][0]}”, not “{words[0][0]}”)."
    return ""


def _common(one: list[str], other: list[str]) -> int:
    """Return how many words two texts have in common at their beginning."""
    count = 0
    while count < min(len(one), len(other)) and one[count] == other[count]:
        count += 1
    return count


def brief(text: str, limit: int) -> str:
    """Return a text, or its beginning with an ellipsis if it is too long."""
    if len(text) <= limit:
        return text
    return text[:limit].rsplit(" ", 1)[0].rstrip(",;:") + " …"
