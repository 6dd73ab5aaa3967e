"""What a page is made of, whether it becomes a folder of files or one file."""

from __future__ import annotations

from dataclasses import dataclass

STYLES = (
    "base", "cards", "table", "home", "game", "charts", "replay", "record", "studio", "about",
    "console",
)  # fmt: skip
"""The style sheets of all that a page shows."""


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
