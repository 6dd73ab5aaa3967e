"""What the figures of a search have in common: how games are marked, bands, legends, texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.publication.plotted import band, called

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.evolution.aim import Aim
    from cardwright.evolution.report.account import EvolutionAccount

CANDIDATES, ELITES, WANTED = "candidates", "elites", "wanted"
"""Names in legends and tables of points."""

_LETTERS = 28
"""The most characters of a game's name that are drawn."""


@dataclass(frozen=True)
class GameMark:
    """How a kind of game is drawn: its marker, its colour, and the marker's size in points.

    Kinds differ by all three, so that no picture needs its colours.
    """

    marker: str
    colour: str
    size: float
    line: Any = "-"


CLOUD = GameMark("o", "#8a8a8a", 2.2)
ELITE = GameMark("D", "#0072B2", 5.0)
ORIGINAL = GameMark("*", "#D55E00", 10.0, (0, (4, 2)))
_BAND = "#009E73"


def drawn_text(text: str, letters: int = _LETTERS) -> str:
    """Return a text shortened for drawing; dollar signs are escaped, as they begin mathematics."""
    one = plain_text(text)
    short = one if len(one) <= letters else f"{one[: letters - 1]}…"
    return short.replace("$", r"\$")


def plain_text(text: str) -> str:
    """Return a text on one line, without characters that no font has."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def original_name(account: EvolutionAccount) -> str:
    """Return what the original is called in legends."""
    return f"{drawn_text(account.title)} (original)"


def dots(axes: Axes, x: Sequence[float], y: Sequence[float], mark: GameMark) -> Any:
    """Draw games as marks without lines; return the artists."""
    edge = "white" if mark is not CLOUD else mark.colour
    return axes.plot(
        x, y, mark.marker, color=mark.colour, markersize=mark.size, markeredgecolor=edge,
        markeredgewidth=0.5 if mark is not CLOUD else 0, linestyle="none",
    )  # fmt: skip


def handle(mark: GameMark, *, line: bool = False) -> Any:
    """Return the sign of a kind of game in a legend."""
    from matplotlib.lines import Line2D

    return Line2D(
        [], [], color=mark.colour, marker=mark.marker, markersize=mark.size,
        linestyle=mark.line if line else "none", linewidth=1.4, markeredgewidth=0,
    )  # fmt: skip


def legend(figure: Figure, handles: Sequence[Any], names: Sequence[str]) -> None:
    """Put a legend above a figure, in two columns so that it fits the narrowest width."""
    figure.legend(
        handles, names, loc="outside upper left", ncols=min(2, len(names)),
        handlelength=1.8, columnspacing=1.2,
    )  # fmt: skip


def wanted_handle() -> Any:
    """Return the sign of what was wanted."""
    from matplotlib.patches import Patch

    return Patch(facecolor=_BAND, alpha=0.25, hatch="////", edgecolor="white", linewidth=0)


def wanted_across(axes: Axes, aim: Aim) -> None:
    """Draw which values are wanted as a band from the bottom to the top of a panel."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    low, high = max(aim.low, left), min(aim.high, right)
    if low < high:
        band(axes, [low, high], [bottom] * 2, [top] * 2, WANTED, **_looks())
    else:
        called(axes.axvline(low, color=_BAND, linewidth=1.4, linestyle=":"), WANTED)


def wanted_up(axes: Axes, aim: Aim) -> None:
    """Draw which values are wanted as a band from the left to the right of a panel."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    low, high = max(aim.low, bottom), min(aim.high, top)
    if low < high:
        band(axes, [left, right], [low] * 2, [high] * 2, WANTED, **_looks())
    else:
        called(axes.axhline(low, color=_BAND, linewidth=1.4, linestyle=":"), WANTED)


def limits(values: Sequence[float], aim: Aim | None = None) -> tuple[float, float]:
    """Return the ends of an axis for some values, so that some of what is wanted is seen too."""
    from math import isfinite

    from cardwright.evolution.report.scale import ChartScale

    seen = [value for value in values if isfinite(value)]
    if seen and aim is not None and aim.kind == "range":
        span = max(seen) - min(seen)
        if aim.low > max(seen):
            seen.append(min(aim.high, aim.low + span / 10))
        elif aim.high < min(seen):
            seen.append(max(aim.low, aim.high - span / 10))
    scale = ChartScale.of(seen, 0.0, 1.0)
    return scale.low, scale.high


def _looks() -> dict[str, Any]:
    return {"color": _BAND, "alpha": 0.16, "hatch": "////", "edgecolor": "white", "zorder": 0.5}
