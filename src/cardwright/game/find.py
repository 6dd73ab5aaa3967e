"""Finding a game by its name in the library, or by its path."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.game.errors import NotFoundError, UnreadableFileError
from cardwright.syntax.data_files import read_text
from cardwright.syntax.source import MAX_BYTES, Source, UnreadableError, decode, read_file
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

SUFFIX = ".rcy"
FACTS = ".toml"
_SHOWN = 60
"""Longest part of a name that a message shows, in characters."""


def library_folder() -> Traversable:
    """Return the folder of the games that come with the package."""
    return files("cardwright") / "library" / "games"


def library_names() -> list[str]:
    """Return the names of the library's games, in alphabetical order."""
    names = (entry.name for entry in library_folder().iterdir())
    return sorted(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX))


def find(game: str | Path) -> Source:
    """Return the source of a game: a library name such as `hearts`, or the path of a file.

    A text with a slash, a backslash or a file's ending is a path; raises NotFoundError or
    UnreadableFileError.
    """
    text = str(game)
    names = library_names()
    if isinstance(game, str) and game in names:
        return decode(f"{game}{SUFFIX}", (library_folder() / f"{game}{SUFFIX}").read_bytes())
    is_path = isinstance(game, Path) or "/" in text or "\\" in text or Path(text).suffix
    if is_path or is_file(Path(text)):
        try:
            return read_file(game)
        except UnreadableError as error:
            unreadable = UnreadableFileError(str(error))
            unreadable.wrong_call = not is_file(Path(game))
            raise unreadable from None
    advice = did_you_mean(text[:_SHOWN], names) or f"the library has {', '.join(names)}"
    shown = repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}..."
    raise NotFoundError(
        f"there is no game {shown} in the library, and no file of that name; {advice}"
    )


def split_preset(text: str) -> tuple[str, str | None]:
    """Return the game and the preset of `GAME` or `GAME:PRESET`; a path may have colons too."""
    game, colon, preset = text.rpartition(":")
    if not colon or Path(text).exists():
        return text, None
    if game in library_names() or Path(game).exists():
        return game, preset
    return text, None


def is_file(path: Path) -> bool:
    """Return whether there is a file of this name, which may be an invalid one."""
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long, a NUL byte, a folder without permission
        return False


def beside(game: str | Path) -> tuple[str, str] | None:
    """Return the name and text of the TOML file beside a game's file, if there is one.

    Raises UnreadableFileError if it is not text.
    """
    if isinstance(game, str) and game in library_names():
        own = library_folder() / f"{game}{FACTS}"
        return own.name, own.read_text(encoding="utf-8")
    if Path(game).name and is_file(Path(game).with_suffix(FACTS)):
        file = Path(game).with_suffix(FACTS)
    else:
        return None
    try:
        return file.name, read_text(file, MAX_BYTES)
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFileError(f"{file}: it cannot be read: {error}") from None


def neighbour(game: str | Path, other: str) -> str:
    """Return another game named in the file beside a game: in the library, or in its folder."""
    if other in library_names():
        return other
    return str(Path(game).parent / other)
