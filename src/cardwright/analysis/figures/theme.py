"""The style of pictures.

There are two styles. "cardwright" is ours: colours that colour-blind people can distinguish (Okabe
and Ito 2008), at the width of a column of text. "valet" looks like the figures of the Valet
collection: 600 by 600 pixels, white with grey lines, bright colours, in Futura where it
is installed.
"""

from __future__ import annotations

import colorsys
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cardwright.analysis.errors import AnalysisError
from cardwright.extras import missing
from cardwright.publication.figures import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

StyleName: TypeAlias = Literal["cardwright", "valet"]

INK = "#333333"
GREY = "#666666"

_OKABE_ITO = (
    "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D31", "#000000",
)  # fmt: skip
_VALET_SEATS = ("#ff0000", "#daa520", "#32cd32", "#00ffff")
_FUTURA = ("Futura", "Futura PT", "Jost", "Century Gothic", "Avenir Next", "DejaVu Sans")

_BOTH: Any = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "legend.frameon": False,
}
_OURS: Any = {
    **_BOTH,
    "font.family": ["DejaVu Sans"],
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.labelsize": 9,
    "axes.titlelocation": "left",
    "axes.linewidth": 0.6,
    "axes.edgecolor": INK,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.fontsize": 8,
}
_VALET: Any = {
    **_BOTH,
    "font.size": 11,
    "axes.titlesize": 13.2,
    "axes.labelsize": 11,
    "axes.titlelocation": "center",
    "axes.spines.left": False,
    "axes.spines.bottom": False,
    "grid.color": "#e5e5e5",
    "grid.linewidth": 1.0,
    "xtick.color": "#4d4d4d",
    "ytick.color": "#4d4d4d",
    "xtick.major.size": 0,
    "ytick.major.size": 0,
}


@dataclass(frozen=True)
class Style:
    """How a picture looks: sizes in inches, `dpi` in dots per inch.

    `curve` is the colour of a curve through points, `band` that of the band around it; `leader` and
    `others` those of the leader of a trick and of the other seats.
    """

    name: StyleName
    size: tuple[float, float]
    dpi: int
    curve: str
    band: str
    leader: str
    others: str
    settings: Any = field(repr=False, hash=False)

    def seats(self, players: int) -> list[str]:
        """Return a colour for each seat."""
        given = _VALET_SEATS if self.name == "valet" else _OKABE_ITO
        return list(given[:players]) if players <= len(given) else hues(players)

    def places(self, players: int) -> list[str]:
        """Return a colour for each final place, the first one first."""
        if self.name == "valet" or players > len(_OKABE_ITO):
            return hues(players)
        return list(_OKABE_ITO[:players])


STYLES: dict[str, Style] = {
    "cardwright": Style(
        "cardwright", (5.2, 3.4), 220, "#111111", "#999999", "#0072B2", "#D55E00", _OURS
    ),
    "valet": Style("valet", (6, 6), 100, "#4682b4", "#999999", "#0000ff", "#ff0000", _VALET),
}


def hues(count: int) -> list[str]:
    """Return evenly spaced hues of one lightness, from #db5f57 on."""
    colours = (
        colorsys.hls_to_rgb((0.01 + number / count) % 1, 0.6, 0.65) for number in range(count)
    )
    return ["#" + "".join(f"{round(255 * part):02x}" for part in colour) for colour in colours]


@contextmanager
def styled(name: str) -> Iterator[Style]:
    """Let matplotlib draw in a style for the duration of the block.

    Raises AnalysisError if there is no such style, or no matplotlib.
    """
    if name not in STYLES:
        raise AnalysisError(f"{name!r} is not a style of figures; write one of {', '.join(STYLES)}")
    try:
        from matplotlib import rc_context
    except ImportError:
        raise missing("matplotlib") from None
    style = STYLES[name]
    fonts: Any = {"font.family": _installed(_FUTURA)} if name == "valet" else {}
    with rc_context({**SETTINGS, **style.settings, **fonts}):
        yield style


def blank(style: Style, size: tuple[float, float] | None = None) -> tuple[Figure, Axes]:
    """Return a stand-alone figure, tied to no window and no other figure."""
    figure = canvas(style, size or style.size)
    return figure, figure.add_subplot()


def canvas(style: Style, size: tuple[float, float]) -> Figure:
    """Return an empty figure of a size in inches."""
    from matplotlib.figure import Figure as Canvas

    figure = Canvas(figsize=size, dpi=style.dpi, layout="constrained")
    engine: Any = figure.get_layout_engine()
    engine.set(w_pad=0.08, h_pad=0.08)
    return figure


def panels(
    style: Style,
    count: int,
    most: int,
    *,
    size: tuple[float, float],
    around: tuple[float, float],
    **shared: Any,
) -> tuple[Figure, Any]:
    """Return a figure of small panels, `most` in a row, and the panels, row by row.

    `size` is that of a panel, `around` what is around all of them, in inches. Panels that are not
    needed are invisible.
    """
    wide = min(most, count)
    high = -(-count // wide)
    figure = canvas(style, (size[0] * wide + around[0], size[1] * high + around[1]))
    grid = figure.subplots(high, wide, squeeze=False, **shared)
    for axes in grid.flat[count:]:
        axes.set_visible(False)
    return figure, grid


def beside(axes: Axes, handles: Sequence[Any], names: Sequence[str], title: str = "") -> None:
    """Put a legend to the right of a picture."""
    axes.legend(
        handles,
        names,
        title=title or None,
        loc="center left",
        bbox_to_anchor=(1.0, 0.5),
        handlelength=1.4,
        alignment="left",
    )


def fonts_of(style: StyleName) -> list[str]:
    """Return the installed fonts of a style, the one that is used first."""
    if style == "valet":
        return _installed(_FUTURA)
    return _installed(_OURS["font.family"])


def _installed(fonts: Sequence[str]) -> list[str]:
    """Return the installed fonts of a list; matplotlib's own always is."""
    from matplotlib.font_manager import get_font_names

    known = set(get_font_names())
    return [font for font in fonts if font in known]
