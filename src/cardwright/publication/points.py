"""The points of a figure as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import repeat
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from cardwright.syntax.data_files import csv_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Drawn = TypeVar("Drawn")

_CAPS = ("|", "_")
"""Markers at the ends of whiskers, which are no points."""


@dataclass(frozen=True, slots=True)
class PlottedRow:
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


COLUMNS = tuple(field.name for field in fields(PlottedRow))


@dataclass(frozen=True)
class _Meaning:
    """What an artist is: `series` is one text, or one for each of its points."""

    series: str | Sequence[str]
    kind: str = ""
    ends: tuple[Any, Any, Any] | None = None


_MEANINGS: WeakKeyDictionary[Any, _Meaning] = WeakKeyDictionary()


def called(artists: Drawn, series: str | Sequence[str], kind: str = "") -> Drawn:
    """Say what artists show, one or several, and return them; `kind` is as in `PlottedRow`.

    Bars that lie are of the kind `bars across`.
    """
    for one in artists if isinstance(artists, Iterable) else [artists]:
        _MEANINGS[one] = _Meaning(series, kind)
    return artists


def series_of(artist: Any) -> str:
    """Return what an artist shows, if that was said of it in one text; else nothing."""
    series = _MEANINGS.get(artist, _Meaning("")).series
    return series if isinstance(series, str) else ""


def band(axes: Axes, x: Any, low: Any, high: Any, series: str, **looks: Any) -> Any:
    """Fill the area between two curves over `x`, and return it."""
    drawn = axes.fill_between(x, low, high, linewidth=0, **looks)
    _MEANINGS[drawn] = _Meaning(series, "band", tuple(np.asarray(one) for one in (x, low, high)))  # type: ignore[arg-type]
    return drawn


def points_text(figure: Figure) -> str:
    """Return all that a figure draws as CSV, with a header; unknown numbers are empty."""
    return csv_text(COLUMNS, (astuple(row) for row in plotted(figure)))


def plotted(figure: Figure) -> Iterator[PlottedRow]:
    """Yield all that a figure draws, panel by panel, the lowest layer first."""
    panels = [one for one in figure.axes if one.get_visible() and one.get_label() != "<colorbar>"]
    for number, axes in enumerate(panels, 1):
        title = axes.get_title("left") or axes.get_title()
        panel = " ".join(title.replace(r"\$", "$").split()) or (
            str(number) if len(panels) > 1 else ""
        )
        drawn = [*axes.images, *axes.patches, *axes.collections, *axes.lines]
        for artist in sorted(drawn, key=lambda one: one.get_zorder()):
            yield from _rows(axes, panel, artist)


def _rows(axes: Axes, panel: str, artist: Any) -> Iterator[PlottedRow]:
    from matplotlib.collections import LineCollection, PathCollection
    from matplotlib.image import AxesImage
    from matplotlib.lines import Line2D
    from matplotlib.patches import Rectangle, StepPatch

    meaning = _MEANINGS.get(artist, _Meaning(""))
    if isinstance(artist, Line2D):
        yield from _line(axes, panel, artist, meaning)
    elif isinstance(artist, AxesImage):
        yield from _cells(axes, panel, artist)
    elif isinstance(artist, StepPatch):
        values, edges, _ = artist.get_data()
        for value, low, high in zip(values, edges[:-1], edges[1:], strict=True):
            yield _row(axes, panel, "step", meaning.series, x=(low + high) / 2, y=value,
                       width=high - low)  # fmt: skip
    elif isinstance(artist, Rectangle):
        yield _bar(axes, panel, artist, meaning)
    elif meaning.ends is not None:
        for x, low, high in zip(*meaning.ends, strict=True):
            yield _row(axes, panel, "band", meaning.series, x=x, low=low, high=high)
    elif isinstance(artist, LineCollection):
        for segment in artist.get_segments():
            (x, low), (_, high) = segment
            yield _row(axes, panel, "whisker", meaning.series, x=x, low=low, high=high)
    elif isinstance(artist, PathCollection):
        series = repeat(meaning.series) if isinstance(meaning.series, str) else meaning.series
        for (x, y), one in zip(np.asarray(artist.get_offsets()), series, strict=False):
            yield _row(axes, panel, "point", one, x=x, y=y)


def _line(axes: Axes, panel: str, line: Any, meaning: _Meaning) -> Iterator[PlottedRow]:
    if line.get_marker() in _CAPS:
        return
    x, y = np.asarray(line.get_xdata(), float), np.asarray(line.get_ydata(), float)
    along_x, along_y = line.get_transform().contains_branch_seperately(axes.transData)
    series = meaning.series
    if not along_y:
        yield _row(axes, panel, "level", series, x=x[0])
    elif not along_x:
        yield _row(axes, panel, "level", series, y=y[0])
    elif meaning.kind == "interval" and y[0] == y[1]:
        yield _row(axes, panel, "interval", series, y=y[0], low=x[0], high=x[1])
    else:
        lone = line.get_linestyle() in {"", "None", "none"}
        for one, other in zip(x, y, strict=True):
            yield _row(axes, panel, "point" if lone else "line", series, x=one, y=other)


def _bar(axes: Axes, panel: str, bar: Any, meaning: _Meaning) -> PlottedRow:
    x, y, wide, high = bar.get_x(), bar.get_y(), bar.get_width(), bar.get_height()
    if meaning.kind == "bars across":
        return _row(axes, panel, "bar", meaning.series, y=y + high / 2, low=x, high=x + wide,
                    width=high)  # fmt: skip
    return _row(axes, panel, "bar", meaning.series, x=x + wide / 2, low=y, high=y + high,
                width=wide)  # fmt: skip


def _cells(axes: Axes, panel: str, image: Any) -> Iterator[PlottedRow]:
    rows, columns = _named(axes.yaxis), _named(axes.xaxis)
    for (row, column), value in np.ndenumerate(np.ma.filled(image.get_array(), np.nan)):
        yield PlottedRow(
            panel, "cell", columns.get(column, ""), rows.get(row, ""), float(column), float(row),
            value=_number(value),
        )  # fmt: skip


def _row(
    axes: Axes, panel: str, kind: str, series: str | Sequence[str], **where: Any
) -> PlottedRow:
    """Return a row with the name at its tick, if its axis has names instead of numbers."""
    numbers = {key: _number(value) for key, value in where.items()}
    name = ""
    for key, axis in (("y", axes.yaxis), ("x", axes.xaxis)):
        at = numbers.get(key)
        if not name and at is not None:
            name = _named(axis).get(round(at), "")
    return PlottedRow(panel, kind, str(series), name, **numbers)


def _named(axis: Any) -> dict[int, str]:
    """Return the texts of an axis by their places; none where it has numbers."""
    from matplotlib.ticker import FixedFormatter, FixedLocator, FuncFormatter

    texts, places = axis.get_major_formatter(), axis.get_major_locator()
    named = isinstance(texts, FixedFormatter | FuncFormatter)
    if not named or not isinstance(places, FixedLocator):
        return {}
    pairs = ((at, texts(at, number)) for number, at in enumerate(places.tick_values(0, 0)))
    return {round(at): " ".join(text.replace(r"\$", "$").split()) for at, text in pairs}


def _number(value: Any) -> float | None:
    """Return a number for the table; None if it is not known."""
    found = float(value)
    return None if np.isnan(found) else found
