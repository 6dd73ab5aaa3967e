"""What is drawn in a figure, as points first: a table that is saved beside it, and the artists.

Figures draw by these functions. Each notes its points as rows of the table, then lets matplotlib
draw the same numbers; so the table cannot differ from the picture.
"""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from cardwright.syntax.data_files import csv_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class PlottedRow(NamedTuple):
    """A row of the table; what does not apply to its kind is empty.

    `panel` is the title of the panel. `kind` is `point`, `line` (a row for each vertex), `band`,
    `interval`, `whisker`, `bar`, `step`, `level` (a line across the panel) or `cell`. `series` says
    whose it is, and `name` is the text at its tick. `low` and `high` are its ends along the axis
    whose own column, `x` or `y`, is empty. `width` is that of a bar, `value` that of a cell.
    """

    panel: str = ""
    kind: str = ""
    series: str = ""
    name: str = ""
    x: float | None = None
    y: float | None = None
    low: float | None = None
    high: float | None = None
    width: float | None = None
    value: float | None = None


COLUMNS = PlottedRow._fields

_DRAWN: WeakKeyDictionary[Any, list[tuple[str, str, dict[str, float | None]]]] = WeakKeyDictionary()
"""What was drawn in each panel: kind, series and numbers."""

_TICKS: WeakKeyDictionary[Any, dict[str, list[str]]] = WeakKeyDictionary()
"""The texts of a panel's axes, `x` and `y`, where they have texts instead of numbers."""


def points_text(figure: Figure) -> str:
    """Return all that a figure draws as CSV, with a header; unknown numbers are empty."""
    return csv_text(COLUMNS, plotted(figure))


def plotted(figure: Figure) -> Iterator[PlottedRow]:
    """Yield all that a figure draws, panel by panel, in the order in which it was drawn."""
    panels = [one for one in figure.axes if one in _DRAWN]
    for number, axes in enumerate(panels, 1):
        title = " ".join((axes.get_title("left") or axes.get_title()).replace(r"\$", "$").split())
        panel, ticks = title or (str(number) if len(panels) > 1 else ""), _TICKS.get(axes, {})
        for kind, series, columns in _DRAWN[axes]:
            name = ""
            for axis in ("y", "x"):
                at = columns.get(axis)
                if not name and axis in ticks and at is not None:
                    name = dict(enumerate(ticks[axis])).get(round(at), "")
            yield PlottedRow(panel, kind, series, name, **columns)


def _note(axes: Axes, kind: str, series: str | Sequence[str], **columns: Any) -> None:
    """Note rows: one for each item of the columns, of which some may be single numbers."""
    names = [series] if isinstance(series, str) else list(series)
    arrays = np.broadcast_arrays(
        *(np.atleast_1d(np.asarray(column, float)) for column in columns.values())
    )
    rows = _DRAWN.setdefault(axes, [])
    for at, values in enumerate(zip(*(array.tolist() for array in arrays), strict=True)):
        known = {key: None if isnan(v) else v for key, v in zip(columns, values, strict=True)}
        rows.append((kind, names[at % len(names)], known))


def ticks(axes: Axes, axis: str, texts: Sequence[str], **looks: Any) -> None:
    """Put texts at 0, 1, 2 and so on of an axis, `x` or `y`."""
    _TICKS.setdefault(axes, {})[axis] = [
        " ".join(text.replace(r"\$", "$").split()) for text in texts
    ]
    getattr(axes, f"set_{axis}ticks")(range(len(texts)), texts, **looks)


def line(axes: Axes, series: str, x: Any, y: Any, **looks: Any) -> Any:
    """Draw a line, and return it."""
    _note(axes, "line", series, x=x, y=y)
    return axes.plot(x, y, **{"label": series, **looks})[0]


def dots(axes: Axes, series: str, x: Any, y: Any, **looks: Any) -> Any:
    """Draw marks without a line, and return them."""
    _note(axes, "point", series, x=x, y=y)
    return axes.plot(x, y, label=series, **{"marker": "o", "linestyle": "none", **looks})[0]


def cloud(axes: Axes, series: str | Sequence[str], x: Any, y: Any, **looks: Any) -> Any:
    """Draw points that may differ in colour, of one series or each of its own; return them."""
    _note(axes, "point", series, x=x, y=y)
    return axes.scatter(x, y, **looks)


def band(axes: Axes, x: Any, low: Any, high: Any, series: str, **looks: Any) -> Any:
    """Fill the area between two curves over `x`, and return it."""
    _note(axes, "band", series, x=x, low=low, high=high)
    return axes.fill_between(x, low, high, label=series, linewidth=0, **looks)


def interval(axes: Axes, series: str, low: float, high: float, y: float, **looks: Any) -> Any:
    """Draw an interval as a horizontal line, and return it."""
    _note(axes, "interval", series, y=y, low=low, high=high)
    return axes.plot([low, high], [y, y], label=series, **looks)[0]


def level(
    axes: Axes, series: str, *, x: float | None = None, y: float | None = None, **looks: Any
) -> Any:
    """Draw a line across the panel at an `x`, or at a `y`, and return it."""
    if x is not None:
        _note(axes, "level", series, x=x)
        return axes.axvline(x, label=series, **looks)
    _note(axes, "level", series, y=y)
    return axes.axhline(y or 0.0, label=series, **looks)


def whiskers(axes: Axes, series: str, x: Any, y: Any, reach: Any, **looks: Any) -> Any:
    """Draw vertical whiskers that reach as far up as down, and return them."""
    _note(axes, "whisker", series, x=x, low=np.subtract(y, reach), high=np.add(y, reach))
    return axes.errorbar(x, y, reach, fmt="none", **looks)


def bars(axes: Axes, series: str, x: Any, heights: Any, width: float, **looks: Any) -> Any:
    """Draw bars that stand on 0, around some `x`, and return them."""
    _note(axes, "bar", series, x=x, low=0, high=heights, width=width)
    return axes.bar(x, heights, width, **looks)


def bars_across(  # noqa: PLR0917 - where bars are, and how large
    axes: Axes, series: str, y: Any, left: Any, widths: Any, height: float, **looks: Any
) -> Any:
    """Draw bars that lie, around some `y`, and return them."""
    _note(axes, "bar", series, y=y, low=left, high=np.add(left, widths), width=height)
    return axes.barh(y, widths, height, left, **looks)


def steps(axes: Axes, series: str, heights: Any, edges: Any, **looks: Any) -> Any:
    """Draw steps between edges, one more than heights, and return them."""
    low, high = np.asarray(edges[:-1], float), np.asarray(edges[1:], float)
    _note(axes, "step", series, x=(low + high) / 2, y=heights, width=high - low)
    return axes.stairs(heights, edges, label=series, **looks)


def cells(axes: Axes, values: Any, columns: Sequence[str], **looks: Any) -> Any:
    """Draw a matrix as coloured cells, with texts for its columns, and return the image."""
    for (row, column), value in np.ndenumerate(np.ma.filled(values, np.nan)):
        _note(axes, "cell", columns[column], x=column, y=row, value=value)
    return axes.imshow(values, **looks)
