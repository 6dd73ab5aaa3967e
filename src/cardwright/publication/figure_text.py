"""Texts in figures: long ones in lines that fit, so that nothing is cut off, and legends below."""

from __future__ import annotations

from contextlib import contextmanager
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LETTER = 0.56
"""The usual width of a letter, in parts of its size."""

_PANEL = 0.8
"""The part of a panel's share of its figure that its title may fill: axes need the rest."""


def in_lines(text: str, letters: int) -> str:
    """Return a text for drawing, broken into lines of so many characters at most.

    Dollar signs are escaped, as they begin mathematics.
    """
    lines = wrap(text, max(4, letters), break_on_hyphens=False)
    return "\n".join(lines).replace("$", r"\$")


def entitle(axes: Axes, title: str, *, share: float = 1.0, **looks: Any) -> None:
    """Give a panel a title, in as many lines as it needs; `share` is its part of the width."""
    figure: Any = axes.figure
    text = axes.set_title(title, **looks)
    inches = _PANEL * share * float(figure.get_size_inches()[0])
    text.set_text(in_lines(title, int(72 * inches / (_LETTER * float(text.get_fontsize())))))


def legend_outside(
    figure: Figure,
    handles: Sequence[Any],
    names: Sequence[str],
    where: Literal["lower", "upper"] = "lower",
) -> None:
    """Name what is drawn, below all panels and above the caption line, or `upper`: above all."""
    figure.legend(
        handles, names,
        loc="outside lower center" if where == "lower" else "outside upper center",
        ncols=min(5, len(names)), fontsize=7.5, frameon=False,
    )  # fmt: skip


@contextmanager
def legends_held(figure: Figure) -> Iterator[None]:
    """Keep the legends of a figure in their places where its file is higher than the figure.

    Matplotlib would move them to the edge of the file, over a caption line.
    """
    if not figure.legends:
        yield
        return
    figure.draw_without_rendering()
    engine = figure.get_layout_engine()
    figure.set_layout_engine("none")
    try:
        for legend in figure.legends:
            legend.set_bbox_to_anchor((0, 0, 1, 1), figure.transFigure)
        yield
    finally:
        for legend in figure.legends:
            legend.set_bbox_to_anchor(None)
        figure.set_layout_engine(engine)
