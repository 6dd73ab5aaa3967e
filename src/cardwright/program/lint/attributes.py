"""Attributes and values that no card has: mostly misspelt ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.lint.uses import stored_as
from cardwright.syntax.diagnostic import Code, rewritten
from cardwright.syntax.suggest import did_you_mean, near

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.program.lint.uses import StoredString, Uses
    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostics


def lint_attributes(program: Program, report: Diagnostics, uses: Uses) -> None:
    """Warn of attributes that no card has, and of values that no card has for an attribute.

    Cards of a deck that these constants make zero times count too.
    """
    known: dict[str, dict[str, None]] = {}
    for attributes in (*(card.attributes for card in program.cards), *program.absent):
        for key, value in attributes.items():
            known.setdefault(key, {})[value] = None
    for named, beside in _used(program):
        if named.value not in known:
            stored = stored_as(program, uses, named.value)
            report.add(
                Code.UNKNOWN_KEY,
                named.span,
                f"no card has an attribute {named.value}",
                expected=f"one of {', '.join(known)}",
                help=stored.advice or did_you_mean(named.value, known),
                edits=stored.edits(named) or rewritten(named.span, near(named.value, known)),
            )
        elif beside is not None and beside.value not in known[named.value]:
            stored = stored_as(program, uses, beside.value)
            _unknown_value(report, known, named.value, beside, stored)


def _unknown_value(
    report: Diagnostics,
    known: dict[str, dict[str, None]],
    key: str,
    value: n.Text,
    stored: StoredString,
) -> None:
    others = [other for other in known if value.value in known[other]]
    advice = stored.advice or did_you_mean(value.value, known[key])
    if others:
        advice = f"it is a value of {others[0]}"
    listed = list(known[key])
    report.add(
        Code.UNKNOWN_VALUE,
        value.span,
        f"no card has {key} {value.value}",
        expected="one of " + ", ".join(listed[:20]) + (", ..." if len(listed) > 20 else ""),
        help=advice,
        edits=()
        if others
        else stored.edits(value) or rewritten(value.span, near(value.value, known[key])),
    )


def _used(program: Program) -> Iterator[tuple[n.Text, n.Text | None]]:
    """Yield each attribute that is named, with the value named beside it, if there is one."""
    for node in program.nodes():
        match node:
            case n.Attribute(key=n.Text() as key) | n.Partition(key=n.Text() as key):
                yield key, None
            case n.Equal(left=left, right=right):
                for one, other in ((left, right), (right, left)):
                    if isinstance(one, n.Attribute) and isinstance(one.key, n.Text):
                        yield one.key, other if isinstance(other, n.Text) else None
            case n.Award():
                for name, value in zip(node.keys, node.values, strict=True):
                    if isinstance(name, n.Text):
                        yield name, value if isinstance(value, n.Text) else None
