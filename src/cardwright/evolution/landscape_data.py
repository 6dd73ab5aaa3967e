"""Maps of elites and fronts as JSON data: what is in them stands there by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardwright.evolution.methods.landscape import EliteMap, FilledCell, MapShape, ParetoFront

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.evolution.methods.landscape import Landscape
    from cardwright.evolution.methods.method import Judged


def landscape_data(landscape: Landscape | None) -> Any:
    """Return a map or a front as JSON can hold it; None for none."""
    match landscape:
        case EliteMap():
            return {
                "kind": "map",
                "measures": list(landscape.shape.measures),
                "edges": [list(along) for along in landscape.shape.edges],
                "cells": [[_name(cell.elite), *cell.place] for cell in landscape.cells],
            }
        case ParetoFront():
            return {
                "kind": "front",
                "aims": list(landscape.aims),
                "members": [_name(one) for one in landscape.members],
            }
    return None


def landscape_of(data: Any, judged: Callable[[str], Judged]) -> Landscape | None:
    """Return the value from `data`, given what a name stands for; raises a Python error."""
    if data is None:
        return None
    if data["kind"] == "front":
        return ParetoFront(tuple(data["aims"]), tuple(map(judged, data["members"])))
    edges = tuple(tuple(along) for along in data["edges"])
    cells = tuple(FilledCell(tuple(place), judged(name)) for name, *place in data["cells"])
    return EliteMap(MapShape(tuple(data["measures"]), edges), cells)


def _name(one: Judged) -> str:
    candidate = one.evaluated.candidate
    assert candidate is not None
    return candidate.name
