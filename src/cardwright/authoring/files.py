"""The files of an author: those beside a game, and how one is replaced."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from tempfile import NamedTemporaryFile
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
        sources = [
            decode(entry.name, entry.read_bytes())
            for entry in library_folder().iterdir()
            if _belongs(entry.name, game)
        ]
        return sorted(sources, key=lambda source: source.name) or _none(text, f"{game}{POSITIONS}")
    path = Path(game)
    beside = sorted(file for file in path.parent.iterdir() if _belongs(file.name, path.stem))
    return [read_file(file) for file in beside] or _none(text, str(path.with_suffix(POSITIONS)))


def _belongs(name: str, stem: str) -> bool:
    return name.startswith(f"{stem}.") and name.endswith(POSITIONS)


def _none(game: str, expected: str) -> list[Source]:
    raise NotFoundError(f"there are no positions of {game}: they are looked for in {expected}")


def replace_file(file: Path, data: bytes) -> None:
    """Replace a file's content atomically, so that it is never seen half written.

    Mode and owner stay, and a symbolic link keeps pointing to the file.
    """
    place = Path(os.path.realpath(file))
    status = place.stat()
    if not os.access(place, os.W_OK):
        raise PermissionError(13, "the file is read-only", str(file))
    new = NamedTemporaryFile(dir=place.parent, prefix=f".{place.name}.", delete=False)  # noqa: SIM115 - it is closed before it is moved, as Windows wants
    try:
        with new:
            new.write(data)
            new.flush()
            os.fsync(new.fileno())
        _take_over(new.name, status)
        Path(new.name).replace(place)
    except BaseException:
        Path(new.name).unlink(missing_ok=True)
        raise


def _take_over(name: str, status: os.stat_result) -> None:
    """Give a new file the owner and the mode of the one that it replaces."""
    if hasattr(os, "chown") and (os.getuid(), os.getgid()) != (status.st_uid, status.st_gid):
        os.chown(name, status.st_uid, status.st_gid)
    Path(name).chmod(stat.S_IMODE(status.st_mode))
