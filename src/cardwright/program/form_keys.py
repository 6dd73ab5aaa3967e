"""Keys of forms: equal for forms that mean the same, anywhere in the source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable


def form_key(form: object, variable: Callable[[n.Variable], Hashable]) -> Hashable:
    """Return a key of a form, or of one of its operands, given the keys of variables."""
    if isinstance(form, n.Variable):
        return "variable", variable(form), form.kind
    if isinstance(form, n.Node):
        operands = (form_key(getattr(form, name), variable) for name in n.operands(form))
        return type(form).__name__, form.kind, *operands
    if isinstance(form, tuple):
        return tuple(form_key(item, variable) for item in form)
    return type(form).__name__, form


def key(node: n.Node, *slots: int) -> Hashable:
    """Return a key of a form; variables are numbered as they occur, those of `slots` first."""
    numbers = {slot: at for at, slot in enumerate(slots)}
    return form_key(node, lambda variable: numbers.setdefault(variable.slot, len(numbers)))


def written(node: n.Node) -> Hashable:
    """Return a key of a form that is equal for equal texts."""
    return form_key(node, lambda variable: variable.name)
