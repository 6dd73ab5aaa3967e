"""The line under a figure: what is counted, the seed, and the version that drew it."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

from cardwright._version import __version__

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.text import Text

_SIZE = 6.5
"""Points of the letters."""

_LINE, _GAP = 0.125, 0.06
"""Inches: the height of a line, and the space above and below all lines."""

_LETTER = 0.56
"""The usual width of a letter, in parts of its size."""


@dataclass(frozen=True, slots=True)
class CaptionLine:
    """What a figure is of: `counted`, such as `100 random games`, the seed of these, and the game.

    Both are empty, or None, for a diagram of rules, of which nothing is counted.
    """

    counted: str = ""
    seed: int | None = None
    game: str = ""

    @property
    def text(self) -> str:
        """The line, such as `Agram · n = 100 random games · seed 1 · Cardwright 0.1.0`."""
        parts = [self.game] if self.game else []
        if self.counted:
            parts.append(f"n = {self.counted}")
        if self.seed is not None:
            parts.append(f"seed {self.seed}")
        return " · ".join([*parts, f"Cardwright {__version__}"])

    def under(self, figure: Figure) -> tuple[Text, float]:
        """Put the line below a figure, and return it with the height that it needs, in inches.

        It lies outside the figure, so it cannot be over anything in it.
        """
        width, height = map(float, figure.get_size_inches())
        lines = wrap(self.text, max(20, int(72 * (width - 0.16) / (_LETTER * _SIZE))))
        need = _LINE * len(lines) + 2 * _GAP
        axes = figure.axes[0] if figure.axes else None
        family = axes.xaxis.label.get_fontfamily() if axes is not None else None
        text = figure.text(
            0.08 / width, -_GAP / height, "\n".join(lines).replace("$", r"\$"),
            ha="left", va="top", fontsize=_SIZE, color="#666666", fontfamily=family,
        )  # fmt: skip
        text.set_in_layout(False)
        return text, need


def counted_range(counts: list[int], what: str, each: str = " each") -> str:
    """Return `100 games each`, or `80 to 100 games each` where counts differ."""
    low, high = min(counts), max(counts)
    many = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    noun = what.removesuffix("s") if low == high == 1 else what
    return f"{many} {noun}{each if len(counts) > 1 else ''}"
