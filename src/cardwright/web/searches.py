"""Searches for games that are served: their reports, and the games that they found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.evolution.report.served_page import EVOLVED, FIGURE_FILE, FIGURES, PAGE
from cardwright.game.errors import CardwrightError
from cardwright.game.find import FACTS, SUFFIX

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,80}")
_OWN = "search"
"""The name of a search whose folder's name would need quoting in addresses."""

_KINDS = {
    ".csv": "text/csv", SUFFIX: "text/plain", FACTS: "text/plain",
    ".png": "image/png", ".svg": "image/svg+xml", ".pdf": "application/pdf",
}  # fmt: skip


class UnservedSearchError(CardwrightError):
    """A folder that is not that of a search, or has no report; the message says which."""

    wrong_call = True


@dataclass(frozen=True)
class ServedSearch:
    """A search in a folder: its page, its games, and all files that may be had, by their paths."""

    name: str
    page: Path
    games: tuple[Path, ...]
    files: dict[str, Path]

    def kind(self, path: str) -> str:
        """Return the type of the contents of a file."""
        return _KINDS[self.files[path].suffix]


def served_searches(folders: Iterable[Path]) -> tuple[ServedSearch, ...]:
    """Return the searches in some folders, with names that differ; raises UnservedSearchError."""
    found: list[ServedSearch] = []
    for folder in folders:
        taken = {one.name for one in found}
        own = folder.resolve().name
        base = own if _NAME.fullmatch(own) else _OWN
        names = (base if at == 1 else f"{base}-{at}" for at in range(1, len(taken) + 2))
        found.append(_search(folder, next(name for name in names if name not in taken)))
    return tuple(found)


def _search(folder: Path, name: str) -> ServedSearch:
    page, evolved = folder / PAGE, folder / EVOLVED
    if not (page.is_file() and evolved.is_dir()):
        raise UnservedSearchError(
            f"{folder} is not a report on a search for games: name a game, or the folder that "
            "`cardwright evolve` has written"
        )
    inside = sorted(evolved.iterdir())
    texts = [file for file in inside if file.suffix in {SUFFIX, FACTS} and file.is_file()]
    tables = [file for file in sorted(folder.glob("*.csv")) if file.is_file()]
    drawn = [
        file
        for file in sorted(folder.glob(f"{FIGURES}/*"))
        if re.fullmatch(FIGURE_FILE, file.name) and file.is_file()
    ]
    files = {
        **{f"{EVOLVED}/{text.name}": text for text in texts},
        **{f"{FIGURES}/{one.name}": one for one in drawn},
        **{table.name: table for table in tables},
    }
    return ServedSearch(name, page, tuple(text for text in texts if text.suffix == SUFFIX), files)
