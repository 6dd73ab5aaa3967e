"""Figures as files: formats, widths, captions, axes and titles."""

from __future__ import annotations

import io
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cardwright._version import __version__
from cardwright.jobs.files import write_several

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

PaperColumns: TypeAlias = Literal[1, 2]

FORMATS = ("png", "svg", "pdf")
"""Kinds of files that figures can be saved as, by extension."""

SETTINGS: Any = {"svg.hashsalt": "cardwright", "svg.fonttype": "none", "pdf.fonttype": 42}
"""Settings of matplotlib for files: the same bytes each time, and TrueType fonts in PDF."""

WIDTHS: dict[int, float] = {1: 3.4, 2: 7.1}
"""Inches: a column of a page with two, and the whole page."""

_UNDATED: Any = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}

_LETTER = 0.56
"""The usual width of a letter, in parts of its size."""

_PANEL = 0.8
"""The part of a panel's share of its figure that its title may fill: axes need the rest."""

_CAPTION = 6.5
"""Points of the letters of a caption line."""

_LINE, _GAP = 0.125, 0.06
"""Inches: the height of a caption's line, and the space above and below all lines."""


class AxisWord(StrEnum):
    """What an axis shows, as all figures write it; `labelled` adds a unit or a direction."""

    DECISION = "decision of the game"
    OPTIONS = "options"
    MEAN_OPTIONS = "mean options"
    TRICK = "trick"
    PORTION = "portion of the game that is over"
    SPREAD = "spread of estimated places / largest"
    SCORE_SPREAD = "spread of estimated scores / largest"
    PLACE = "estimated place"
    WINNER_PLACE = "estimated place of the winner"
    BITS = "bits unknown"
    SCORE = "score"
    SCORE_A_GAME = "score a game"
    OVER_FIELD = "score over the field"
    POINTS_A_GAME = "points a game"
    WINS = "share of wins"
    RATING = "rating (Elo)"
    LENGTH = "decisions of a game"
    SEATS_SHARE = "% of seats"
    GAMES_SHARE = "% of games"
    DEALS = "deals"
    EFFECT = "effect"
    EFFECT_IN_A_DEAL = "effect in a deal"
    MEAN = "mean"
    CANDIDATE = "candidate"
    TOTAL = "sum of scores"


_PUBLISHED = {
    AxisWord.DECISION: "Decision Point",
    AxisWord.OPTIONS: "Branching Factor",
    AxisWord.PORTION: "Portion of Game Complete",
    AxisWord.SPREAD: "Normalized Spread of Places",
    AxisWord.SCORE_SPREAD: "Normalized Spread of Scores",
    AxisWord.PLACE: "Normalized Rank Estimate",
}
"""What the figures of the Valet collection say; elsewhere its style has our words."""


def labelled(word: AxisWord, detail: str = "", *, style: str = "cardwright") -> str:
    """Return the label of an axis; `detail`, such as a unit or a direction, goes in brackets."""
    text = _PUBLISHED.get(word, str(word)) if style == "valet" else str(word)
    return f"{text} ({detail})" if detail else text


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
    place: Any = f"outside {where} center"
    figure.legend(
        handles, names, loc=place,
        ncols=min(5, len(names)), fontsize=7.5, frameon=False,
    )  # fmt: skip


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
        lines = wrap(self.text, max(20, int(72 * (width - 0.16) / (_LETTER * _CAPTION))))
        family = figure.axes[0].xaxis.label.get_fontfamily() if figure.axes else None
        text = figure.text(
            0.08 / width, -_GAP / height, "\n".join(lines).replace("$", r"\$"),
            ha="left", va="top", fontsize=_CAPTION, color="#666666", fontfamily=family,
        )  # fmt: skip
        text.set_in_layout(False)
        return text, _LINE * len(lines) + 2 * _GAP


def counted_range(counts: list[int], what: str, each: str = " each") -> str:
    """Return `100 games each`, or `80 to 100 games each` where counts differ."""
    low, high = min(counts), max(counts)
    many = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    noun = what.removesuffix("s") if low == high == 1 else what
    return f"{many} {noun}{each if len(counts) > 1 else ''}"


@dataclass(frozen=True)
class FigureFiles:
    """How figures are saved: in which formats, with or without their caption line, how wide.

    `columns` is how many columns of a page the figure fills; None leaves its own size.
    """

    formats: tuple[str, ...] = ("png", "svg")
    caption: bool = True
    columns: PaperColumns | None = None

    def files(self, figure: Figure, line: CaptionLine | None) -> dict[str, bytes]:
        """Return a figure's files by their extensions: all formats, and its points as CSV."""
        from cardwright.publication.points import points_text

        made = {kind: self.content(figure, kind, line) for kind in self.formats}
        return {**made, "csv": points_text(figure).encode()}

    def save(self, figure: Figure, file: Path, line: CaptionLine | None = None) -> None:
        """Write a figure in the format of the file's extension, and its points as CSV beside it.

        Raises ValueError for an extension that is not in `FORMATS`, and RecordsError if it cannot
        be written.
        """
        from cardwright.publication.points import points_text

        kind = file.suffix.lstrip(".").lower()
        if kind not in FORMATS:
            endings = ", ".join(f".{name}" for name in FORMATS)
            raise ValueError(f"{file}: a picture's file ends in {endings}")
        points = points_text(figure).encode()
        write_several({
            file: self.content(figure, kind, line), file.with_suffix(".csv"): points
        })  # fmt: skip

    def content(self, figure: Figure, kind: str, line: CaptionLine | None = None) -> bytes:
        """Return a figure in one of `FORMATS`; the same figure gives the same bytes."""
        from matplotlib import rc_context
        from matplotlib.transforms import Bbox

        file = io.BytesIO()
        with rc_context(SETTINGS), _resized(figure, self.columns), _legends_held(figure):
            width, height = map(float, figure.get_size_inches())
            options: dict[str, Any] = {}
            text = None
            if self.caption and line is not None:
                text, need = line.under(figure)
                options["bbox_inches"] = Bbox([[0, -need], [width, height]])
            try:
                figure.savefig(file, format=kind, metadata=_UNDATED[kind], **options)
            finally:
                if text is not None:
                    text.remove()
        return file.getvalue()


USUAL_FILES = FigureFiles()
"""PNG and SVG, with a caption line, of the size of the style."""


@contextmanager
def _resized(figure: Figure, columns: PaperColumns | None) -> Iterator[None]:
    """Give a figure the width of columns of a page for the duration of a block.

    Its height changes by less, so that narrow figures do not become low.
    """
    wide, high = map(float, figure.get_size_inches())
    if columns is not None:
        width = WIDTHS[columns]
        figure.set_size_inches(width, high * (width / wide) ** 0.5)
    try:
        yield
    finally:
        figure.set_size_inches(wide, high)


@contextmanager
def _legends_held(figure: Figure) -> Iterator[None]:
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
