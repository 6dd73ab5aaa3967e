"""What a page is made of, whether it becomes a folder of files or one file."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

STYLES = (
    "base", "cards", "table", "home", "game", "charts", "replay", "record", "studio", "about",
    "console",
)  # fmt: skip
"""The style sheets of all that a page shows."""

STUDIO = "studio.pack", "console.pack", "codemirror", "js/studio", "css/studio", "js/console"
"""What those who play do not load, by parts of paths."""


@dataclass(frozen=True)
class PageParts:
    """The parts of a page, by the names by which others ask for them.

    `static` are the files of the client, `python` those that its worker runs on, and `facts` are
    what is told of games without it. `begin` is what the worker is told first, `home` the address
    that is shown first. `slow` says why Python is there without bytecode; None if it is not.
    """

    title: str
    home: str
    python: dict[str, bytes]
    static: dict[str, bytes]
    facts: dict[str, bytes]
    begin: dict[str, object]
    slow: str | None = None


def packed(content: bytes) -> bytes:
    """Return a file as hosts send it."""
    return gzip.compress(content, 6, mtime=0)


def download_of(files: Mapping[str, bytes]) -> int:
    """Return how many bytes of a page's files, compressed, are loaded by who plays."""
    return sum(
        len(packed(content))
        for name, content in files.items()
        if name.startswith(("python/", "static/")) and not any(part in name for part in STUDIO)
    )
