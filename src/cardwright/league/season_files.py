"""Files of a season's folder, read without leaving it, and folders that are replaced whole.

A folder may come from anywhere, as an archive or a repository, and these can hold links; what is
read goes to programs of others, and what they say about it onto published pages. So what is read
has to lie below a given folder, once all links are resolved. From there on it is opened one folder
at a time without following links, and is looked at again after it is opened: to replace something
by a link in the meantime is of no use. Windows cannot open a file relative to an open folder; there
it is opened by its resolved path.

Hard links cannot be told from files, and are read: whoever makes one to a file could as well copy
it, and neither archives nor repositories can hold any to a file outside of them.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_BY_FOLDER = {os.open, os.stat} <= os.supports_dir_fd and os.listdir in os.supports_fd

_READ = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_UNFOLLOWED = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_FOLDER = getattr(os, "O_DIRECTORY", 0)

_DEEPEST = 32
"""Folders may be nested so deep in the folder of a bot's files."""

_UNREAD = frozenset({".py", ".pyc"})
"""Programs in the folder of a bot's files, which are other bots."""


def read_within(root: Path, file: Path, most: int = -1) -> bytes:
    """Return the first `most` bytes, or all, of a regular file that lies in a folder.

    Raises OSError, with the reason in `strerror`, for any other file, and for one that a link on
    its path leads out of the folder.
    """
    path = _resolved(root, file)
    folder = _opened(root, path.parent)
    try:
        return folder.read(path.name, most)
    finally:
        folder.close()


def files_within(root: Path, folder: Path, most: int) -> Iterator[tuple[str, bytes]]:
    """Yield the files in a folder below `root`: their paths in it, sorted, and their contents.

    Programs and links to something below `root` are left out. No content is longer than `most`
    bytes plus one. Raises OSError like `read_within`: if the folder is a link itself, if a link in
    it leads out of `root`, and for anything but files and folders.
    """
    if folder.is_symlink():
        raise OSError(errno.ELOOP, "it is a link; put a folder in its place")
    if not folder.is_dir():
        return
    top = _opened(root, _resolved(root, folder))
    try:
        yield from _walk(root, top, "", most)
    finally:
        top.close()


def _walk(root: Path, folder: _Folder, above: str, most: int) -> Iterator[tuple[str, bytes]]:
    if above.count("/") > _DEEPEST:
        raise OSError(errno.ELOOP, f"folders in it are more than {_DEEPEST} deep")
    for name in folder.names():
        mode = folder.mode(name)
        if stat.S_ISLNK(mode):
            require_within(root, folder.path / name)
        elif stat.S_ISDIR(mode):
            inner = folder.below(name)
            try:
                yield from _walk(root, inner, f"{above}{name}/", most)
            finally:
                inner.close()
        elif Path(name).suffix not in _UNREAD:
            yield above + name, folder.read(name, most + 1)


def require_within(root: Path, path: Path) -> None:
    """Raise OSError if a path, with all its links resolved, leads out of a folder."""
    _require_below(root, Path(os.path.realpath(path)), path.name)


def _resolved(root: Path, path: Path) -> Path:
    """Return a path without links; raises OSError if it is not below a folder."""
    resolved = Path(os.path.realpath(path, strict=True))
    _require_below(root, resolved, path.name)
    return resolved


def _require_below(root: Path, resolved: Path, name: str) -> None:
    if not resolved.is_relative_to(os.path.realpath(root)):
        raise OSError(errno.ELOOP, f"{name} leads out of {root} by a link; put a copy in its place")


@dataclass(frozen=True)
class _Folder:
    """An open folder, whose path has no links in it; it stays open if it is moved."""

    path: Path
    handle: int | None

    def names(self) -> list[str]:
        here = self.path if self.handle is None else self.handle
        return sorted(os.listdir(here))  # noqa: PTH208 - of an open folder

    def mode(self, name: str) -> int:
        """Return the type and mode of what has a name here, which may be a link."""
        if self.handle is None:
            return (self.path / name).lstat().st_mode
        return os.stat(name, dir_fd=self.handle, follow_symlinks=False).st_mode

    def below(self, name: str) -> _Folder:
        """Open a folder in this one; raises OSError if it is a link."""
        return _Folder(self.path / name, self._open(name, _FOLDER) if _BY_FOLDER else None)

    def read(self, name: str, most: int) -> bytes:
        """Return the first bytes of a regular file in this folder; raises OSError for a link."""
        _require_regular(self.mode(name))  # to open a device may do something
        with os.fdopen(self._open(name, 0), "rb") as file:
            _require_regular(os.fstat(file.fileno()).st_mode)
            return file.read(most)

    def _open(self, name: str, flags: int) -> int:
        flags |= _READ | _UNFOLLOWED
        if self.handle is None:
            return os.open(self.path / name, flags)
        return os.open(name, flags, dir_fd=self.handle)

    def close(self) -> None:
        if self.handle is not None:
            os.close(self.handle)


def _opened(root: Path, path: Path) -> _Folder:
    """Open a folder below another one, by a path without links; raises OSError for one in it."""
    base = Path(os.path.realpath(root))
    _require_below(base, path, path.name)  # it is the folder above if a file links to `root`
    folder = _Folder(base, os.open(base, _READ | _FOLDER) if _BY_FOLDER else None)
    for part in path.relative_to(base).parts:
        outer = folder
        try:
            folder = outer.below(part)
        finally:
            outer.close()
    return folder


def _require_regular(mode: int) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if stat.S_ISLNK(mode):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is not a regular file but a pipe, a socket or a device")


class FreshFolder:
    """A folder to fill at `path`, which `publish` puts in its place; it is removed if nobody does.

    An older folder there is renamed first: after a crash between the two renames there is none, and
    the next `FreshFolder` for the place restores it. `tag` is a part of the hidden name. Whoever
    uses it handles OSError.
    """

    def __init__(self, place: Path, tag: str = "") -> None:
        self.path = place.with_name(f".{place.name}{tag}.new")
        self._place = place
        self._old = place.with_name(f".{place.name}.old")
        place.parent.mkdir(parents=True, exist_ok=True)
        if self._old.exists():
            if place.exists():
                shutil.rmtree(self._old)
            else:
                self._old.rename(place)
        self.remove()
        self.path.mkdir()

    def publish(self) -> None:
        """Put the folder in its place."""
        if self._place.exists():
            self._place.rename(self._old)
        self.path.rename(self._place)
        shutil.rmtree(self._old, ignore_errors=True)

    def remove(self) -> None:
        """Remove what was not published."""
        shutil.rmtree(self.path, ignore_errors=True)
