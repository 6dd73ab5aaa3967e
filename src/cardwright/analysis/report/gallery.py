"""A page that shows the pictures of many games side by side; the pictures are files next to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright._version import __version__
from cardwright.analysis.figures.registry import BY_NAME
from cardwright.analysis.report.page import STYLE, environment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.analysis.report.subject import Title


@dataclass(frozen=True)
class GalleryEntry:
    """A game with the files of its pictures, and those that are left out, with reasons."""

    title: Title
    files: Sequence[str]
    left_out: Sequence[tuple[str, str]] = ()


def gallery(entries: Sequence[GalleryEntry], sheet: str, seed: int) -> str:
    """Return the page as HTML; `sheet` is the file of a picture of all games, if there is one."""
    return (
        environment()
        .get_template("gallery.html")
        .render(
            entries=entries,
            sheet=sheet,
            overview=BY_NAME["overview"],
            seed=seed,
            style=STYLE.read_text(encoding="utf-8"),
            version=__version__,
        )
    )
