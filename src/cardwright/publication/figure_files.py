"""Figures as files: the formats, the caption line, the width for a paper, and the points."""

from __future__ import annotations

import io
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cardwright.publication.figure_text import legends_held
from cardwright.publication.plotted import points_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from matplotlib.figure import Figure

    from cardwright.publication.caption_line import CaptionLine

PaperColumns: TypeAlias = Literal[1, 2]

FORMATS = ("png", "svg", "pdf")
"""Kinds of files that figures can be saved as, by extension."""

SETTINGS: Any = {"svg.hashsalt": "cardwright", "svg.fonttype": "none", "pdf.fonttype": 42}
"""Settings of matplotlib for files: the same bytes each time, and TrueType fonts in PDF."""

WIDTHS: dict[int, float] = {1: 3.4, 2: 7.1}
"""Inches: a column of a page with two, and the whole page."""

_UNDATED: Any = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}


@dataclass(frozen=True)
class FigureFiles:
    """How figures are saved: in which formats, with or without their caption line, how wide.

    `columns` is how many columns of a page the figure fills; None leaves its own size.
    """

    formats: tuple[str, ...] = ("png", "svg")
    caption: bool = True
    columns: PaperColumns | None = None

    def write(self, figure: Figure, stem: Path, line: CaptionLine | None) -> tuple[Path, ...]:
        """Write a figure in all formats, and its points as CSV; return the files.

        `stem` is their path without an extension. Raises OSError if that fails.
        """
        files = []
        for kind in self.formats:
            files.append(stem.with_name(f"{stem.name}.{kind}"))
            files[-1].write_bytes(self.content(figure, kind, line))
        files.append(stem.with_name(f"{stem.name}.csv"))
        files[-1].write_text(points_text(figure), encoding="utf-8", newline="")
        return tuple(files)

    def content(self, figure: Figure, kind: str, line: CaptionLine | None = None) -> bytes:
        """Return a figure in one of `FORMATS`; the same figure gives the same bytes."""
        from matplotlib import rc_context
        from matplotlib.transforms import Bbox

        file = io.BytesIO()
        with rc_context(SETTINGS), resized(figure, self.columns), legends_held(figure):
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
def resized(figure: Figure, columns: PaperColumns | None) -> Iterator[None]:
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
