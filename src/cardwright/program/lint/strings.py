"""Comparisons of strings that can never be equal: mostly a misspelt name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.lint.uses import family_of, stored_as
from cardwright.program.values import Values
from cardwright.syntax.diagnostic import Code, Related, rewritten
from cardwright.syntax.suggest import near

if TYPE_CHECKING:
    from cardwright.program.lint.uses import StorageFamily, Uses
    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostics

_LISTED = 12
"""Most names that are listed as what is stored."""


def lint_strings(program: Program, report: Diagnostics, uses: Uses) -> None:
    """Warn of names that are compared with a storage, or a variable, that never holds them."""
    pairs = [
        (one, other)
        for node in program.nodes()
        if isinstance(node, n.Equal)
        for one, other in ((node.left, node.right), (node.right, node.left))
        if isinstance(other, n.Text) and isinstance(one, n.Storage | n.Variable)
        if not is_constant(program, other)
    ]
    if not pairs:
        return
    possible = _Possible(program, uses)
    _warn_of_empty(report, uses, [pair for pair in pairs if _can_be(possible, *pair)])
    for holder, name in pairs:
        found = possible.values(holder)
        if found is None or name.value in found or found == {""}:
            continue
        what = holder.name
        if isinstance(what, n.Text):
            what = what.value
        meant = near(name.value, found - {""})
        stored = stored_as(program, uses, name.value)
        unset = name.value == "NONE" and isinstance(holder, n.Storage)
        report.add(
            Code.NEVER_EQUAL,
            name.span,
            f"{what} is never {name.value}",
            expected=f"one of {_listed(found)}",
            help="what was never set is empty, which equals no name; set it to NONE first"
            if unset
            else stored.advice or (f"did you mean {meant}?" if meant else ""),
            edits=() if unset else stored.edits(name) or rewritten(name.span, meant),
            related=_where_stored(uses, holder, "" if unset else meant or ""),
        )


def _where_stored(uses: Uses, holder: n.Storage | n.Variable, name: str) -> tuple[Related, ...]:
    """Return the only place where a name is stored, which may be the one that is wrong."""
    if not isinstance(holder, n.Storage) or not isinstance(holder.name, n.Text):
        return ()
    values = uses.values.get((family_of(holder), holder.name.value), [])
    places = [one.span for one in values if isinstance(one, n.Text) and one.value == name]
    return (Related(places[0], f"{name} is stored here"),) if len(places) == 1 else ()


def _stands(node: n.Node) -> int:
    """Return where a form stands in the program, though it may come from a definition."""
    return (*node.span.via, node.span)[0].start


def _can_be(possible: _Possible, holder: n.Node, name: n.Text) -> bool:
    values = possible.values(holder)
    return values is None or name.value in values


def _warn_of_empty(
    report: Diagnostics, uses: Uses, pairs: list[tuple[n.Storage | n.Variable, n.Text]]
) -> None:
    """Warn once of each storage of the table that is compared with NONE before anything sets it.

    That is sure if everything that is stored there follows in the text.
    """
    seen: set[str] = set()
    for holder, name in pairs:
        if not isinstance(holder, n.Storage) or not isinstance(holder.owner, n.Table):
            continue
        if name.value != "NONE" or not isinstance(holder.name, n.Text):
            continue
        key = (family_of(holder), holder.name.value)
        filled = uses.filled.get(key, [])
        late = all(_stands(one) > _stands(holder) for one in filled)
        if late and filled and key[0] not in uses.filled_open and holder.name.value not in seen:
            report.add(
                Code.NEVER_EQUAL,
                name.span,
                f"{holder.name.value} is not NONE here at first: it is empty until it is set",
                help=f"set it before: (set (game str {holder.name.value}) NONE)",
            )
        seen.add(holder.name.value)


def _listed(values: set[str]) -> str:
    names = sorted(values - {""})
    return ", ".join(names[:_LISTED]) + (", ..." if len(names) > _LISTED else "")


def is_constant(program: Program, node: n.Node) -> bool:
    """Return whether a node is a declared constant, which the game's user may change."""
    return program.source.text.startswith("'", node.span.start)


class _Possible:
    """The strings that storages and variables can hold; what was never set holds none."""

    def __init__(self, program: Program, uses: Uses) -> None:
        self.facts = Values(program)
        self.uses = uses
        self.asked: set[tuple[StorageFamily, str]] = set()

    def _source(self, node: n.Node) -> n.Node:
        """Return what a variable iterates over or is bound to; another form itself."""
        while isinstance(node, n.Variable):
            binder = self.facts.binders[node.slot]
            value = binder.value if isinstance(binder, n.Let) else None
            node = value or n.unfiltered(getattr(binder, "collection", binder))
        return node

    def values(self, node: n.Node) -> set[str] | None:
        """Return the strings that a form can give; None if they are not known."""
        if not isinstance(node, n.Storage):
            source = self._source(node)
            if is_constant(self.facts.program, source):
                return None
            known = self.facts.strings(node)
            return None if known is None else set(known)
        family = family_of(node)
        if not isinstance(node.name, n.Text) or family in self.uses.filled_open:
            return None
        key = (family, node.name.value)
        if key in self.asked:
            return {""}  # what it holds through itself, it holds otherwise
        self.asked.add(key)
        found: set[str] | None = {""}
        for value in self.uses.values.get(key, ()):
            more = self.values(value)
            found = None if found is None or more is None else found | more
        self.asked.remove(key)
        return found
