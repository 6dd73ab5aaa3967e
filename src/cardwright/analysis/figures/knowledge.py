"""What the seats do not know during a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures.theme import StyleName, beside, blank, styled
from cardwright.publication.axis_words import AxisWord, labelled
from cardwright.publication.figure_text import entitle
from cardwright.publication.plotted import called

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from cardwright.analysis.traces import Values


def unknown_bits(
    portion: Values, bits: Values, title: str = "", style: StyleName = "cardwright"
) -> Figure:
    """Draw how many bits each seat lacks to know where all cards are, along the game.

    `portion` has shape (points) and runs from 0 to 1, `bits` has shape (points, seats). Raises
    AnalysisError for other shapes.
    """
    at, missing = np.asarray(portion, float), np.asarray(bits, float)
    if at.ndim != 1 or missing.ndim != 2 or len(at) != len(missing) or not len(at):
        raise AnalysisError(
            "bits need a row for each portion of the game, and a column for each seat"
        )
    with styled(style) as look:
        figure, axes = blank(look)
        seats = missing.shape[1]
        lines = []
        # Lines often coincide: later ones are thinner, so that earlier ones remain visible.
        widths = np.linspace(3.0, 1.2, seats) if seats > 1 else [1.8]
        for seat, (colour, width) in enumerate(zip(look.seats(seats), widths, strict=True)):
            line = axes.plot(at, missing[:, seat], color=colour, linewidth=width)
            lines += called(line, f"p{seat + 1}")
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(bottom=0)
        axes.set_xlabel(labelled(AxisWord.PORTION, style=look.name))
        axes.set_ylabel(labelled(AxisWord.BITS))
        entitle(axes, title)
        beside(axes, lines, [f"p{seat + 1}" for seat in range(seats)], "seat")
        return figure
