"""Files that exist completely or not at all, whenever the machine stops."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from cardwright.jobs.errors import RecordsError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def write_whole(file: Path, content: bytes) -> None:
    """Write a file so that after any crash there is the old one, the new one, or none.

    Raises RecordsError if that fails.
    """
    write_several({file: content})


def write_several(contents: Mapping[Path, bytes]) -> None:
    """Write several files of one folder as `write_whole` does, but wait for the disk only once.

    Flushing the first of them flushes all that were written before as well. Raises
    RecordsError if that fails.
    """
    file = None
    fresh = {file: file.with_name(f".{file.name}.new") for file in contents}
    try:
        for file, content in contents.items():
            fresh[file].write_bytes(content)
        for file, new in fresh.items():
            _sync(new)
            new.replace(file)
        for folder in {file.parent for file in contents}:
            _sync(folder)
    except OSError as error:
        for new in fresh.values():
            with suppress(OSError):
                new.unlink(missing_ok=True)
        raise RecordsError(f"{file} cannot be written: {error.strerror or error}") from None


def write_secret(file: Path, content: bytes) -> None:
    """Write a file that only its owner can read, where the system knows such files.

    It is there whole, or not at all. Raises RecordsError if that fails.
    """
    new = file.with_name(f".{file.name}.new")
    try:
        new.unlink(missing_ok=True)
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as opened:
            opened.write(content)
        _sync(new)
        new.replace(file)
        _sync(file.parent)
    except OSError as error:
        raise RecordsError(f"{file} cannot be written: {error.strerror or error}") from None


def _sync(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk, where the system can."""
    if os.name == "nt" and path.is_dir():
        return
    handle = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
