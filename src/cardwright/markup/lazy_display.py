"""Displays in notebooks, made by functions that are imported when they are first needed."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def shown_by(module: str, function: str) -> Callable[[Any], str]:
    """Return a method `_repr_html_` that calls a function of a module.

    What is shown need not import what shows it: displays know the objects, not the other way round.
    """

    def _repr_html_(shown: Any) -> str:
        html: str = getattr(import_module(module), function)(shown)
        return html

    return _repr_html_
