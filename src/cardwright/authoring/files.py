"""The files beside a game's own: where positions are looked for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.game.errors import NotFoundError
from cardwright.game.find import library_folder, library_names
from cardwright.syntax.source import decode, read_file

if TYPE_CHECKING:
    from cardwright.syntax.source import Source

POSITIONS = ".positions.toml"
"""The ending of files of positions."""


def position_files(game: str | Path) -> list[Source]:
    """Return the files of positions of a game, by name; raises NotFoundError if there are none."""
    text = str(game)
    if isinstance(game, str) and game in library_names():
        found = [
            decode(entry.name, entry.read_bytes())
            for entry in library_folder().iterdir()
            if _belongs(entry.name, game)
        ]
        return sorted(found, key=lambda source: source.name) or _none(text, f"{game}{POSITIONS}")
    path = Path(game)
    beside = sorted(one for one in path.parent.iterdir() if _belongs(one.name, path.stem))
    return [read_file(one) for one in beside] or _none(text, str(path.with_suffix(POSITIONS)))


def _belongs(name: str, stem: str) -> bool:
    return name.startswith(f"{stem}.") and name.endswith(POSITIONS)


def _none(game: str, expected: str) -> list[Source]:
    raise NotFoundError(f"there are no positions of {game}: they are looked for in {expected}")
